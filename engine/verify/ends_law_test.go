package verify_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/load"
)

// What the language page says of the end of a contract for good, as an interpreter that knows no net: after it nothing happens but what survives.

// A duty is an obligation, a power with its exercise for fulfilment, or a prohibition with what it forbids.
type duty struct {
	name           string
	power, ban     bool
	when           []string // empty: from the start
	fulfil, breach string   // breach may be empty
	within         int
	ends, survives bool
}

// words returns how a duty may stand: while it binds, when it is done, and when it is ended.
func (d duty) words() (on, done, off string) {
	if d.power {
		return "held", "exercised", "expired"
	}
	if d.ban {
		return "in_force", "breached", "expired"
	}
	return "owed", "fulfilled", "lifted"
}

// A wait is a time counted from an event or a change.
type wait struct {
	since string
	ticks int
}

// An ending is a contract of the law. The events e0 to e3 are by q; a0 and a1 happen by themselves; p leaves S0 by e0, or by a transition of its own.
type ending struct {
	all    bool // firing
	ends   []string
	duties []duty
	after  *wait // of a0; nil: there is none
	later  *wait // of a1, likewise
	hold   *wait // not_before of e2
	room   *wait // within of e3
}

// A stand is a state of an ending.
type stand struct {
	p, ended  bool
	due       [2]bool // of a0, a1
	status    [4]string
	left      [4]int
	age, kept [4]int // of after, later, hold, room: ticks left while it runs; kept: 0 not begun, 1 running, 2 over
}

func (c *ending) waits() [4]*wait { return [4]*wait{c.after, c.later, c.hold, c.room} }

// waiting names the events that the waits are of.
var waiting = [4]string{"a0", "a1", "e2", "e3"}

// lives reports whether an event can happen after the end.
func (c *ending) lives(event string) bool {
	mortal := slices.Contains(c.ends, event) || slices.ContainsFunc(c.duties, func(d duty) bool {
		return !d.survives && (d.fulfil == event || d.breach == event || slices.Contains(d.when, event))
	})
	return slices.ContainsFunc(c.duties, func(d duty) bool {
		return d.ban && d.fulfil == event || d.survives && (d.fulfil == event || d.breach == event || slices.Contains(d.when, event) && !mortal)
	})
}

func (c *ending) first() stand {
	var s stand
	for i, d := range c.duties {
		s.status[i] = "dormant"
		if on, _, _ := d.words(); len(d.when) == 0 {
			s.status[i], s.left[i] = on, d.within
		}
	}
	return s
}

// possible reports whether an event, slip or tick can happen.
func (c *ending) possible(s stand, x string) bool {
	if s.due[0] && x != "a0" || s.due[1] && !s.due[0] && x != "a1" {
		return false
	}
	switch x {
	case "tick":
		return slices.Contains(s.kept[:], 1) || slices.ContainsFunc(s.left[:], func(n int) bool { return n > 0 })
	case "a0":
		return s.due[0]
	case "a1":
		return s.due[1]
	case "slip", "e0":
		if s.p {
			return false
		}
	case "e2":
		if c.hold != nil && s.kept[2] != 2 {
			return false
		}
	case "e3":
		if c.room != nil && s.kept[3] != 1 {
			return false
		}
	}
	return !s.ended || x != "slip" && c.lives(x)
}

// next returns what comes of an event, slip or tick.
func (c *ending) next(s stand, x string) stand {
	t := s
	came := []string{x}
	for i, d := range c.duties { // what it does itself
		on, done, _ := d.words()
		switch {
		case s.status[i] != on:
			continue
		case x == d.fulfil:
			t.status[i], t.left[i] = done, 0
		case x == d.breach:
			t.status[i], t.left[i] = "breached", 0
		case x == "tick" && s.left[i] > 0:
			if t.left[i]--; t.left[i] == 0 {
				if t.status[i] = "breached"; d.power || d.ban {
					t.status[i] = "expired"
				}
			}
		}
		if t.status[i] != s.status[i] {
			came = append(came, d.name+"."+t.status[i])
		}
	}
	over := slices.ContainsFunc(c.ends, func(e string) bool { return slices.Contains(came, e) })
	for i, d := range c.duties {
		_, done, _ := d.words()
		if d.ends && t.status[i] != s.status[i] && (d.power && t.status[i] == done || t.status[i] == "breached") {
			over = true
		}
	}
	if over && !s.ended {
		came = append(came, "contract.ended")
	}
	for i, d := range c.duties { // what begins
		on, done, off := d.words()
		idle := s.status[i] == "dormant" || s.status[i] == done && !d.ban || s.status[i] == off
		if idle && slices.ContainsFunc(d.when, func(w string) bool { return slices.Contains(came, w) }) && (d.survives || !s.ended && !over) {
			t.status[i], t.left[i] = on, d.within
		}
	}
	for i, d := range c.duties { // what ends
		if on, _, off := d.words(); over && !d.survives && t.status[i] == on {
			t.status[i], t.left[i] = off, 0
		}
	}
	t.ended = s.ended || over
	t.p = s.p || x == "slip" || x == "e0"
	for i, name := range waiting[:2] {
		t.due[i] = s.due[i] && x != name && (!over || c.lives(name))
	}
	for i, w := range c.waits() {
		if w == nil {
			continue
		}
		dead := !c.lives(waiting[i])
		if x == "tick" && s.kept[i] == 1 {
			if t.age[i]--; t.age[i] == 0 {
				t.kept[i] = 2
			}
		}
		if slices.Contains(came, w.since) {
			t.kept[i], t.age[i] = 1, w.ticks
		}
		if dead && (over || s.ended) {
			t.kept[i], t.age[i] = 0, 0
		}
		if i < 2 && t.kept[i] == 2 && s.kept[i] == 1 {
			t.due[i] = true
		}
	}
	return t
}

func (c *ending) happenings() []string {
	all := []string{"e0", "e1", "e2", "e3", "slip", "tick"}
	if c.after != nil {
		all = append(all, "a0")
	}
	if c.later != nil {
		all = append(all, "a1")
	}
	return all
}

func drawEnding(seed uint64) *ending {
	r := rand.New(rand.NewPCG(seed, 19))
	c := &ending{all: r.IntN(3) == 0}
	changes := []string{"d0.fulfilled", "d1.fulfilled", "d1.breached", "d2.exercised"}
	for i := range 4 {
		events := []string{"e0", "e1", "e2", "e3"}
		r.Shuffle(4, func(a, b int) { events[a], events[b] = events[b], events[a] })
		d := duty{name: fmt.Sprint("d", i), power: i == 2, ban: i == 3, fulfil: events[0], survives: r.IntN(2) == 0, ends: r.IntN(4) == 0}
		if i < 2 && (i == 1 || r.IntN(2) == 0) {
			d.breach = events[1]
		}
		if r.IntN(3) > 0 {
			d.within = 1 + r.IntN(2)
		}
		switch r.IntN(4) {
		case 0, 1:
			d.when = []string{events[2]}
		case 2:
			if i == 0 {
				d.when = []string{"d1.breached", events[2]}
			}
		case 3:
			if r.IntN(2) == 0 {
				d.when = []string{"contract.ended"}
			}
		}
		d.ends = d.ends && (d.power || d.ban || d.breach != "" || d.within > 0)
		c.duties = append(c.duties, d)
	}
	for _, e := range append(changes, "e0", "e1", "e2", "e3", "a0") {
		if r.IntN(5) == 0 && (e != "a0" || !c.all) {
			c.ends = append(c.ends, e)
		}
	}
	from := func(but string) *wait {
		list := slices.DeleteFunc([]string{"e0", "e1", "e2", "e3", "d0.fulfilled", "d1.breached", "contract.ended"}, func(e string) bool { return e == but })
		if r.IntN(2) == 0 {
			return nil
		}
		return &wait{list[r.IntN(len(list))], 1 + r.IntN(2)}
	}
	c.hold, c.room = from("e2"), from("e3")
	if slices.Contains(c.ends, "a0") || !c.all && r.IntN(2) == 0 {
		c.after = &wait{[]string{"e0", "e1", "e3", "d1.breached", "contract.ended"}[r.IntN(5)], 1 + r.IntN(2)}
		if r.IntN(2) == 0 {
			c.later = &wait{[]string{"a0", "e0", "e1", "e3"}[r.IntN(4)], 1 + r.IntN(2)}
		}
	}
	return c
}

func (c *ending) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" {\nends = [%s]\n", strings.Join(c.ends, ", "))
	if c.all {
		b.WriteString("firing = all\n")
	}
	b.WriteString("}\nparty \"q\" {}\nparty \"p\" {\nstate \"S0\" {}\nstate \"S1\" {}\ntransition \"slip\" {\nfrom = S0\nto = S1\n}\ntransition \"go\" {\nfrom = S0\nto = S1\n}\n}\n")
	for i := range 4 {
		fmt.Fprintf(&b, "event \"e%d\" {\nby = q\nrepeats = true\n", i)
		if i == 0 {
			b.WriteString("sync = { p = go }\n")
		}
		if i == 2 && c.hold != nil {
			fmt.Fprintf(&b, "not_before = { %s = %d }\n", c.hold.since, c.hold.ticks)
		}
		if i == 3 && c.room != nil {
			fmt.Fprintf(&b, "within = { %s = %d }\n", c.room.since, c.room.ticks)
		}
		b.WriteString("}\n")
	}
	if c.after != nil {
		fmt.Fprintf(&b, "event \"a0\" { after = { %s = %d } }\n", c.after.since, c.after.ticks)
	}
	if c.later != nil {
		fmt.Fprintf(&b, "event \"a1\" { after = { %s = %d } }\n", c.later.since, c.later.ticks)
	}
	for _, d := range c.duties {
		word, act := "obligation", "fulfil"
		if d.power {
			word, act = "power", "exercise"
		} else if d.ban {
			word, act = "prohibition", "of"
		}
		fmt.Fprintf(&b, "%s %q {\nbearer = q\n%s = %s\nsurvives = %t\nends_contract = %t\n", word, d.name, act, d.fulfil, d.survives, d.ends)
		if len(d.when) > 0 {
			fmt.Fprintf(&b, "%s = [%s]\n", map[bool]string{true: "from", false: "when"}[d.ban], strings.Join(d.when, ", "))
		}
		if d.breach != "" {
			fmt.Fprintf(&b, "breach = %s\n", d.breach)
		}
		if d.within > 0 {
			fmt.Fprintf(&b, "%s = %d\n", map[bool]string{true: "lasts", false: "within"}[d.ban], d.within)
		}
		b.WriteString("}\n")
	}
	for i, claim := range endingClaims {
		fmt.Fprintf(&b, "requirement \"r%d\" { ctl = \"EF (%s)\" }\n", i, claim.text)
	}
	return b.String()
}

// endingClaims lists facts about a state. A requirement of the drawn contract asks of each whether a state with it can be reached.
var endingClaims = []struct {
	text string
	so   func(stand) bool
}{
	{"contract.ended && d0.owed", func(s stand) bool { return s.ended && s.status[0] == "owed" }},
	{"contract.ended && d0.fulfilled && d1.owed", func(s stand) bool { return s.ended && s.status[0] == "fulfilled" && s.status[1] == "owed" }},
	{"contract.ended && p.S1 && d2.held", func(s stand) bool { return s.ended && s.p && s.status[2] == "held" }},
	{"contract.in_force && d1.breached", func(s stand) bool { return !s.ended && s.status[1] == "breached" }},
}

// read returns the state that a marking is.
func (c *ending) read(d *compile.Draft, m petri.Marking) stand {
	s := stand{}
	for _, i := range m {
		net, place, left := d.Net.Places[i].Net, d.AllPlaces[i].Name, 0
		if n, _ := fmt.Sscanf(place, "left-%d", &left); n == 0 {
			left = 0
		}
		switch {
		case net == "p":
			s.p = place == "S1"
		case net == "contract":
			s.ended = place == "ended"
		case net == "a0!" || net == "a1!":
			s.due[net[1]-'0'] = place == "due"
		case net[0] == 'd' && left > 0:
			s.left[net[1]-'0'] = left
		case net[0] == 'd' && place != "off":
			s.status[net[1]-'0'] = place
		}
		for k, w := range c.waits() {
			if w == nil || !strings.HasPrefix(net, fmt.Sprintf("%d-after-%s", w.ticks, w.since)) || c.lives(waiting[k]) != strings.HasSuffix(net, "-at-any-time") {
				continue
			}
			if left > 0 {
				s.age[k] = left
			} else if place != "off" {
				s.kept[k] = slices.Index([]string{"before", "running", "over"}, place)
			}
		}
	}
	return s
}

// happeningOf returns the happening that a transition is.
func happeningOf(d *compile.Draft, t int) string {
	if d.Net.Transitions[t].Event < 0 {
		return "slip"
	}
	return d.Net.Transitions[t].Name
}

// inStep compares the net with the interpreter, and returns the reachable states.
func (c *ending) inStep(t *testing.T, d *compile.Draft) map[string]stand {
	seen, queue := map[string]stand{}, []petri.Marking{d.Net.Initial}
	seen[fmt.Sprint(d.Net.Initial)] = c.first()
	for ; len(queue) > 0; queue = queue[1:] {
		m := queue[0]
		s := seen[fmt.Sprint(m)]
		if got := c.read(d, m); got != s {
			t.Fatalf("%s\nthe net is at %+v, the interpreter at %+v", c.text(), got, s)
		}
		can := map[string]bool{}
		for _, step := range d.Net.Steps(m, d.Rule) {
			after, contact := d.Net.Fire(m, step)
			if contact >= 0 {
				t.Fatalf("%s\ncontact at %+v", c.text(), s)
			}
			forth, bound := s, 0
			for _, i := range step {
				x := happeningOf(d, i)
				if can[x] = true; !c.possible(forth, x) {
					t.Fatalf("%s\nat %+v the net can do %s", c.text(), forth, x)
				}
				if x != "tick" && !c.lives(x) {
					bound++
				}
				forth = c.next(forth, x)
			}
			back := s
			for _, i := range slices.Backward(step) {
				back = c.next(back, happeningOf(d, i))
			}
			if got := c.read(d, after); got != forth || got != back || bound > 1 {
				t.Fatalf("%s\nfrom %+v the steps %v lead to %+v, one after the other to %+v, backwards to %+v", c.text(), s, step, got, forth, back)
			}
			if _, known := seen[fmt.Sprint(after)]; !known {
				seen[fmt.Sprint(after)] = forth
				queue = append(queue, after)
			}
		}
		for _, x := range c.happenings() {
			if can[x] != c.possible(s, x) {
				t.Fatalf("%s\nat %+v, %s is possible in the net: %t", c.text(), s, x, can[x])
			}
		}
	}
	return seen
}

// The net of a contract that ends for good goes step by step with the interpreter, under both firing rules, and both engines find its states and
// decide what may come to be so.
func TestContractsEndAsTheReferenceSays(t *testing.T) {
	most := 60
	if draws.All() {
		most = 3000
	}
	decided, verdicts, rules := 0, map[bool]int{}, map[bool]int{}
	for seed := range uint64(most) {
		c := drawEnding(seed)
		src := load.Text(map[string][]byte{"c.contract.hcl": []byte(c.text())}, "c", nil)
		if src.Contract == nil { // nothing ends it, something waits for itself, or a reparation is none
			continue
		}
		want := c.inStep(t, compile.Compile(src, "c", nil))
		rules[c.all]++
		for _, engine := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			if c.all && engine == finding.Symbolic {
				continue // diagrams are of one firing at a time
			}
			r := testkit.CheckWithin(t, c.text(), finding.Budget{Jobs: 1, Engine: engine})
			if r.Model.States == nil || r.Model.States.Int64() != int64(len(want)) {
				t.Fatalf("seed %d: %v states with engine %v, %d expected, %q\n%s", seed, r.Model.States, engine, len(want), r.Model.Incomplete, c.text())
			}
			decided++
			for i, claim := range endingClaims {
				some := false
				for _, s := range want {
					some = some || claim.so(s)
				}
				verdicts[some]++
				if q := testkit.Requirement(t, r, fmt.Sprint("r", i)); (q.Verdict == finding.Holds) != some || q.Verdict == finding.Unknown {
					t.Fatalf("seed %d: %s is %v with engine %v, expected %t\n%s", seed, q.Formula, q.Verdict, engine, some, c.text())
				}
			}
		}
	}
	if decided < most || verdicts[true] < most/4 || verdicts[false] < most/4 || rules[true] < most/6 || rules[false] < most/4 {
		t.Errorf("%d of %d decided, %v, firing all: %v", decided, 2*most, verdicts, rules)
	}
}

// TestNoDayIsCountedAfterTheEnd: the time until the day by which something was owed stops when the contract ends for good, unless what is owed survives.
func TestNoDayIsCountedAfterTheEnd(t *testing.T) {
	for survives, want := range map[string]finding.Verdict{"": finding.Holds, "\n  survives = true": finding.Violated} {
		r := testkit.CheckOn(t, `
contract "lease" {
  start = "2027-01-01"
  ends  = termination
}
party "landlord" {}
party "tenant" {}
event "deposit" { by = tenant }
event "termination" { by = landlord }
obligation "deposit" {
  bearer   = tenant
  fulfil   = deposit
  by       = "2027-01-05"`+survives+`
}
requirement "time-stands" { ctl = "AG (contract.ended -> !enabled(tick))" }
`, "")
		if got := r.Requirements[0].Verdict; got != want {
			t.Errorf("survives %q: %s", survives, got)
		}
	}
}
