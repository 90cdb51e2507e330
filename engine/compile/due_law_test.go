package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/load"
)

// What the reference says of times of events, taken at its word and apart from hclspec: times counted from events and from changes of a norm,
// and events that happen by themselves.

// A span is a time counted from the last of some occasions.
type span struct {
	since []string // events, and o.owed, o.fulfilled, o.breached
	ticks int
}

func (s span) key() string {
	if len(s.since) == 1 {
		return s.since[0]
	}
	return "any(" + strings.Join(s.since, ", ") + ")"
}

// written returns spans as in the source, each moment once.
func written(word string, list []span) string {
	var all, keys []string
	for _, s := range list {
		if !slices.Contains(keys, s.key()) {
			keys, all = append(keys, s.key()), append(all, fmt.Sprintf("%s = %d", s.key(), s.ticks))
		}
	}
	if all == nil {
		return ""
	}
	return fmt.Sprintf("  %s = { %s }\n", word, strings.Join(all, ", "))
}

// An alarm is an event of the law. Those with after happen by themselves; the others are by the party q, again and again.
type alarm struct {
	name                    string
	after, notBefore, until []span
	needs                   []string // all of these must be so
	move                    []int    // of p, from and to; nil: p takes no part
}

// A dial is a contract of the law: the party p with two states, the events e0 to e2, a0 and a1, the obligation o, which e0 brings about, e1
// fulfils, and the second tick breaches, and the obligation w, which e1 brings about, and which has to be done by e2 some ticks before e0.
type dial struct {
	alarms []alarm
	lead   int
}

// A reading is a state of a dial.
type reading struct {
	p, left int
	o, w    string
	done    int            // ticks that have passed since e2, while w is owed; -1: it has not happened since
	since   map[string]int // by span: ticks since its last occasion; those before are not in it
	due     map[string]bool
}

func (r reading) copied() reading {
	c := r
	c.since, c.due = map[string]int{}, map[string]bool{}
	for k, v := range r.since {
		c.since[k] = v
	}
	for k, v := range r.due {
		c.due[k] = v
	}
	return c
}

func (r reading) so(what string) bool {
	return what == fmt.Sprintf("p.S%d", r.p) || what == "o."+r.o || what == "w."+r.w || what == "!o.owed" && r.o != "owed"
}

// named returns the name of a span, which tells it from others.
func (s span) named() string {
	return fmt.Sprintf("%d-after-%s", s.ticks, strings.Join(s.since, "-or-"))
}

// spans returns all spans of a dial, each once.
func (d dial) spans() (all []span) {
	seen := map[string]bool{}
	for _, a := range d.alarms {
		for _, s := range slices.Concat(a.after, a.notBefore, a.until) {
			if !seen[s.named()] {
				seen[s.named()] = true
				all = append(all, s)
			}
		}
	}
	return all
}

func (r reading) running(s span) bool {
	n, begun := r.since[s.named()]
	return begun && n < s.ticks
}

func (r reading) over(s span) bool {
	n, begun := r.since[s.named()]
	return begun && n >= s.ticks
}

// after returns the state that an event leads to, if it can happen.
func (d dial) after(r reading, name string) (reading, bool) {
	next := r.copied()
	if i := slices.IndexFunc(d.alarms, func(a alarm) bool { return r.due[a.name] }); i >= 0 && d.alarms[i].name != name {
		return r, false
	}
	if name == "tick" {
		return d.tick(r)
	}
	a := d.alarms[slices.IndexFunc(d.alarms, func(a alarm) bool { return a.name == name })]
	if a.after != nil {
		if !r.due[name] {
			return r, false
		}
		delete(next.due, name)
	} else if slices.ContainsFunc(a.needs, func(n string) bool { return !r.so(n) }) ||
		slices.ContainsFunc(a.notBefore, func(s span) bool { return !r.over(s) }) || slices.ContainsFunc(a.until, func(s span) bool { return !r.running(s) }) {
		return r, false
	}
	if a.move != nil {
		if r.p != a.move[0] {
			return r, false
		}
		next.p = a.move[1]
	}
	switch {
	case name == "e0" && r.o != "owed" && r.o != "breached":
		next.o, next.left = "owed", 2
	case name == "e1" && r.o == "owed":
		next.o, next.left = "fulfilled", 0
	}
	switch {
	case name == "e1" && r.w != "owed" && r.w != "breached":
		next.w, next.done = "owed", -1
	case name == "e2" && r.w == "owed" && r.done < 0:
		next.done = 0
	case name == "e0" && r.w == "owed":
		next.w, next.done = "breached", -1
	}
	d.begin(r, next, name)
	return next, true
}

// begin starts the spans that count from an event, or from what it makes of o.
func (d dial) begin(before, after reading, name string) {
	for _, s := range d.spans() {
		if slices.Contains(s.since, name) || before.o != after.o && slices.Contains(s.since, "o."+after.o) || before.w != after.w && slices.Contains(s.since, "w."+after.w) {
			after.since[s.named()] = 0
		}
	}
}

func (d dial) tick(r reading) (reading, bool) {
	next, moves := r.copied(), r.o == "owed"
	if moves {
		if next.left--; next.left == 0 {
			next.o = "breached"
		}
	}
	if r.done >= 0 {
		moves = true
		if next.done++; next.done == d.lead {
			next.w, next.done = "fulfilled", -1
		}
	}
	for _, s := range d.spans() {
		if r.running(s) {
			next.since[s.named()]++
			moves = true
		}
	}
	d.begin(r, next, "tick")
	for _, a := range d.alarms {
		for _, s := range a.after {
			if r.running(s) && next.over(s) && !slices.ContainsFunc(a.needs, func(n string) bool { return !r.so(n) }) {
				next.due[a.name] = true
			}
		}
	}
	return next, moves
}

// shown returns what a reader sees of a state.
func (d dial) shown(r reading) string {
	all := []string{fmt.Sprint(r.p, r.o, r.left, r.w, r.done)}
	for _, s := range d.spans() {
		switch {
		case r.running(s):
			all = append(all, fmt.Sprint(s.named(), " has ", s.ticks-r.since[s.named()]))
		case r.over(s):
			all = append(all, s.named()+" over")
		}
	}
	for _, a := range d.alarms {
		if r.due[a.name] {
			all = append(all, a.name+" due")
		}
	}
	slices.Sort(all[1:])
	return strings.Join(all, ", ")
}

// seenOf returns what a reader sees of a marking.
func (d dial) seenOf(c *Draft, m petri.Marking) string {
	r := reading{done: -1, since: map[string]int{}, due: map[string]bool{}}
	for _, i := range m {
		net, place := c.Net.Places[i].Net, c.AllPlaces[i].Name
		var left int
		if n, _ := fmt.Sscanf(place, "left-%d", &left); n == 0 {
			left = 0
		}
		switch {
		case net == "p":
			r.p = int(place[1] - '0')
		case net == "o" && left > 0:
			r.left = left
		case net == "o" && place != "off":
			r.o = place
		case net == "w" && left > 0:
			r.done = d.lead - left
		case net == "w" && place != "off":
			r.w = place
		case strings.HasSuffix(net, "!") && place == "due":
			r.due[strings.TrimSuffix(net, "!")] = true
		}
		for _, s := range d.spans() {
			if net == s.named() && left > 0 {
				r.since[net] = s.ticks - left
			} else if net == s.named() && place == "over" {
				r.since[net] = s.ticks
			}
		}
	}
	return d.shown(r)
}

// text writes a dial as a contract.
func (d dial) text() string {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\nparty \"q\" {}\nparty \"p\" {\n  state \"S0\" {}\n  state \"S1\" {}\n")
	for _, a := range d.alarms {
		if a.move != nil {
			fmt.Fprintf(&b, "  transition %q {\n    from = S%d\n    to = S%d\n  }\n", a.name, a.move[0], a.move[1])
		}
	}
	b.WriteString("}\n")
	for _, a := range d.alarms {
		fmt.Fprintf(&b, "event %q {\n", a.name)
		if a.after == nil {
			b.WriteString("  by = q\n  repeats = true\n")
		}
		if a.move != nil {
			fmt.Fprintf(&b, "  sync = { p = %s }\n", a.name)
		}
		if a.needs != nil {
			fmt.Fprintf(&b, "  only_while = [%s]\n", strings.Join(a.needs, ", "))
		}
		b.WriteString(written("after", a.after) + written("not_before", a.notBefore) + written("within", a.until) + "}\n")
	}
	b.WriteString("obligation \"o\" {\n  bearer = q\n  when = e0\n  fulfil = e1\n  within = 2\n}\n")
	fmt.Fprintf(&b, "obligation \"w\" {\n  bearer = p\n  when = e1\n  fulfil = e2\n  before = { e0 = %d }\n}\n", d.lead)
	return b.String()
}

func drawDial(t *rapid.T) dial {
	occasions := []string{"e0", "e1", "e2", "a0", "a1", "o.owed", "o.fulfilled", "o.breached", "w.fulfilled", "w.breached"}
	spans := func(but string, at []int) (all []span) {
		keys := map[string]bool{}
		for range rapid.SampledFrom(at).Draw(t, "spans") {
			some := rapid.Permutation(occasions).Draw(t, "since")[:rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "of")]
			s := span{some, rapid.IntRange(1, 3).Draw(t, "ticks")}
			if !slices.Contains(some, but) && !keys[s.key()] {
				keys[s.key()] = true
				all = append(all, s)
			}
		}
		return all
	}
	d := dial{lead: rapid.IntRange(1, 3).Draw(t, "lead")}
	for _, name := range []string{"e0", "a0", "e1", "a1", "e2"} {
		a := alarm{name: name}
		if name[0] == 'a' {
			a.after = spans("", []int{1, 1, 2})
		} else {
			a.notBefore, a.until = spans(name, []int{0, 0, 1}), spans(name, []int{0, 0, 1})
		}
		if rapid.IntRange(0, 3).Draw(t, "moves") == 0 {
			a.move = []int{rapid.IntRange(0, 1).Draw(t, "from"), rapid.IntRange(0, 1).Draw(t, "to")}
		}
		if rapid.IntRange(0, 2).Draw(t, "conditions") == 0 {
			a.needs = []string{rapid.SampledFrom([]string{"p.S0", "p.S1", "o.owed", "!o.owed", "o.breached", "w.owed"}).Draw(t, "condition")}
		}
		d.alarms = append(d.alarms, a)
	}
	return d
}

// The net of random times and the interpreter above go step by step together.
func TestTimesByTheirWords(t *testing.T) {
	draws.Only(t, 100)
	rapid.Check(t, func(t *rapid.T) {
		d := drawDial(t)
		src := load.Text(map[string][]byte{"c.contract.hcl": []byte(d.text())}, "c", nil)
		if src.Contract == nil { // nothing is refused but an event that waits for itself by way of o
			for _, x := range src.Diagnostics {
				if x.Severity == hcl.DiagError && diag.CodeOf(x) != diag.Contradiction {
					t.Fatalf("%s\n%s", d.text(), x)
				}
			}
			t.Skip(src.Diagnostics)
		}
		d.inStep(t, Compile(src, "c", nil))
	})
}

// mostPairs bounds the pairs of states that are compared of one dial.
const mostPairs = 2000

func (d dial) inStep(t *rapid.T, c *Draft) {
	type pair struct {
		m petri.Marking
		r reading
	}
	list := []pair{{c.Net.Initial, reading{o: "dormant", w: "dormant", done: -1}}}
	known := map[string]bool{fmt.Sprint(list[0].m): true}
	for ; len(list) > 0 && len(known) < mostPairs; list = list[1:] {
		x := list[0]
		if a, b := d.seenOf(c, x.m), d.shown(x.r); a != b {
			t.Fatalf("%s\nthe net is at %s, the interpreter at %s", d.text(), a, b)
		}
		to := map[string]petri.Marking{}
		for i := range c.Net.Transitions {
			if c.Net.Fireable(x.m, i) {
				next, contact := c.Net.Fire(x.m, []int{i})
				name := c.Net.Transitions[i].Name
				if was, again := to[name]; contact >= 0 || again && !slices.Equal(was, next) {
					t.Fatalf("%s\n%s leads from %s to two markings, or to a contact", d.text(), name, d.shown(x.r))
				}
				to[name] = next
			}
		}
		for _, name := range []string{"e0", "e1", "e2", "a0", "a1", "tick"} {
			next, can := d.after(x.r, name)
			m, fires := to[name]
			if fires != can {
				t.Fatalf("%s\nat %s, %s is possible in the net: %t; as its words say: %t", d.text(), d.shown(x.r), name, fires, can)
			}
			if key := fmt.Sprint(m); can && !known[key] {
				known[key] = true
				list = append(list, pair{m, next})
			} else if can && d.seenOf(c, m) != d.shown(next) {
				t.Fatalf("%s\nfrom %s, %s leads to %s; as its words say, to %s", d.text(), d.shown(x.r), name, d.seenOf(c, m), d.shown(next))
			}
		}
	}
}

// TestTimesThatExcludeEachOther: of conditions that are never met together none is dropped. An event that may not come before a time is over, and only
// while the same time runs, never comes.
func TestTimesThatExcludeEachOther(t *testing.T) {
	src := load.Text(map[string][]byte{"c.contract.hcl": []byte("contract \"c\" {}\nparty \"q\" {}\nevent \"e1\" { by = q }\nevent \"e0\" {\n  by = q\n  not_before = { e1 = 2 }\n  within = { e1 = 2 }\n}\n")}, "c", nil)
	if src.Contract == nil {
		t.Fatal(src.Diagnostics)
	}
	c := Compile(src, "c", nil)
	for _, tr := range c.Net.Transitions {
		over, running := false, false
		for _, p := range append(append([]int(nil), tr.In...), tr.Read...) {
			name := c.Net.Places[p].String()
			over, running = over || strings.HasSuffix(name, ".over"), running || strings.HasSuffix(name, ".running")
		}
		if tr.Name == "e0" && !(over && running) {
			t.Errorf("e0 asks that the time is over: %t, and that it runs: %t", over, running)
		}
	}
}
