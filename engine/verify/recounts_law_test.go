package verify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
)

// What the language page says of changes of a counter and of happened(...), as an interpreter that knows no net. Of a contract there are parties p and
// q and two of c, each with a counter; events e0 by p, e1 by q, e2 by each(c) and e3 by any(c); and an obligation o that e0 brings about, e1 fulfils,
// e3 lifts and the second tick breaches.
type recounting struct {
	repeats [4]bool
	needs   [4][][]string         // of each event: of each list one must be so
	changes map[string][]recounts // by party, p, q or c
	unit    int                   // of which a counter has 0, 1 or 2
}

// A recounts is a new value of a counter, and what it comes with.
type recounts struct {
	when []string
	to   int // of recountValues
}

// recountValues are how a new value is written, of the own counter, of another's and of the unit, and what it is in units.
var recountValues = []struct {
	written string
	is      func(own, other int) int
}{
	{"min(%[1]s + %[3]d, 2 * %[3]d)", func(own, _ int) int { return min(own+1, 2) }},
	{"0 * %[3]d", func(int, int) int { return 0 }},
	{"%[2]s + 0 * %[3]d", func(_, other int) int { return other }},
	{"max(%[1]s - %[2]s, 0 * %[3]d)", func(own, other int) int { return max(own-other, 0) }},
	{"(%[1]s + %[2]s) %% (3 * %[3]d)", func(own, other int) int { return (own + other) % 3 }},
	{"%[2]s == %[3]d ? 2 * %[3]d : %[1]s", func(own, other int) int {
		if other == 1 {
			return 2
		}
		return own
	}},
	{"%[1]s + %[3]d", func(own, _ int) int { return own + 1 }}, // these two may leave the bounds
	{"%[1]s - %[2]s", func(own, other int) int { return own - other }},
}

// A recountedWorld is a state: the counters of p, q, c[0] and c[1], what o comes to and the ticks that it has left, and which events have happened.
type recountedWorld struct {
	count [4]int
	o     string
	left  int
	seen  [5]bool
}

var recountEvents = []string{"e0", "e1", "e2[0]", "e2[1]", "e3"}

var recounters = []string{"p.m", "q.n", "c[0].k", "c[1].k"}

func drawRecounting(r *rand.Rand) (c recounting) {
	c.unit, c.changes = []int{1, 1, 5000}[r.IntN(3)], map[string][]recounts{}
	for e := range c.needs {
		c.repeats[e] = r.IntN(2) == 0
		all := append([]string{"happened(e0)", "happened(e1)", "happened(e2[0])", "happened(e3)", "!happened(e0)", "!happened(e2[1])", "!happened(e3)", "o.owed", "!o.breached"},
			fmt.Sprintf("p.m >= %d", c.unit), fmt.Sprintf("!(q.n >= %d)", 2*c.unit), fmt.Sprintf("c[1].k >= %d", c.unit))
		if e == 2 {
			all = append(all, "happened(e2)", "!happened(e2)")
		}
		for range []int{0, 0, 1, 1, 2}[r.IntN(5)] {
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			c.needs[e] = append(c.needs[e], slices.Clone(all[:1+r.IntN(3)]))
		}
	}
	values := len(recountValues)
	if r.IntN(3) == 0 {
		values -= 2
	}
	for _, party := range []string{"p", "q", "c"} {
		all := []string{"e0", "e1", "e2", "e3", "o.owed", "o.fulfilled", "o.breached", "o.lifted"}
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for range r.IntN(4) {
			n := 1 + r.IntN(2)
			c.changes[party], all = append(c.changes[party], recounts{all[:n], r.IntN(values)}), all[n:]
		}
	}
	return c
}

func (c recounting) text(firing string, claims []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" { firing = %s }\n", firing)
	for i, party := range []string{"p", "q", "c"} {
		fmt.Fprintf(&b, "party %q {\n", party)
		if party == "c" {
			b.WriteString("  count = 2\n")
		}
		_, name, _ := strings.Cut(recounters[i], ".")
		fmt.Fprintf(&b, "  counter %q {\n    to = %d\n", name, 2*c.unit)
		if len(c.changes[party]) > 0 {
			b.WriteString("    changes = {\n")
			for _, x := range c.changes[party] {
				other := []string{"q.n", "c[0].k", "p.m"}[i]
				fmt.Fprintf(&b, "      any(%s) = %s\n", strings.Join(x.when, ", "), fmt.Sprintf(recountValues[x.to].written, name, other, c.unit))
			}
			b.WriteString("    }\n")
		}
		b.WriteString("  }\n}\n")
	}
	for e, by := range []string{"p", "q", "each(c)", "any(c)"} {
		fmt.Fprintf(&b, "event \"e%d\" {\n  by = %s\n  repeats = %t\n", e, by, c.repeats[e])
		var all []string
		for _, some := range c.needs[e] {
			all = append(all, "any("+strings.Join(some, ", ")+")")
		}
		if len(all) > 0 {
			fmt.Fprintf(&b, "  only_while = [%s]\n", strings.Join(all, ", "))
		}
		b.WriteString("}\n")
	}
	b.WriteString("obligation \"o\" {\n  bearer = p\n  when = e0\n  fulfil = e1\n  until = e3\n  within = 2\n}\n")
	for i, claim := range claims {
		fmt.Fprintf(&b, "requirement \"r%d\" { ctl = %q }\n", i, claim)
	}
	return b.String()
}

// so reports whether a condition is met, of the event e if it asks for its own.
func (c recounting) so(w recountedWorld, what, e string) bool {
	if rest, not := strings.CutPrefix(what, "!"); not {
		return !c.so(w, strings.Trim(rest, "()"), e)
	}
	if of, asked := strings.CutPrefix(what, "happened("); asked {
		if of = strings.TrimSuffix(of, ")"); of == "e2" {
			of = e
		}
		return w.seen[slices.Index(recountEvents, of)]
	}
	if name, than, compared := strings.Cut(what, " >= "); compared {
		least, _ := strconv.Atoi(than)
		return w.count[slices.Index(recounters, name)]*c.unit >= least
	}
	return what == "o."+w.o
}

// after returns the state that an event leads to, whether it can happen, and whether a counter leaves its bounds by it.
func (c recounting) after(w recountedWorld, event string) (next recountedWorld, can, out bool) {
	next = w
	came := []string{event, strings.TrimSuffix(strings.TrimSuffix(event, "[0]"), "[1]")}
	if event == "tick" {
		if can = w.o == "owed"; can {
			next.left--
		}
		if next.left == 0 && can {
			next.o = "breached"
		}
	} else {
		k, e := slices.Index(recountEvents, event), int(event[1]-'0')
		can, next.seen[k] = c.repeats[e] || !w.seen[k], true
		for _, some := range c.needs[e] {
			can = can && slices.ContainsFunc(some, func(s string) bool { return c.so(w, s, event) })
		}
		switch {
		case e == 0 && w.o != "owed" && w.o != "breached":
			next.o, next.left = "owed", 2
		case e == 1 && w.o == "owed":
			next.o, next.left = "fulfilled", 0
		case e == 3 && w.o == "owed":
			next.o, next.left = "lifted", 0
		}
	}
	if next.o != w.o {
		came = append(came, "o."+next.o)
	}
	for i, other := range []int{1, 2, 0, 0} {
		for _, x := range c.changes[[]string{"p", "q", "c", "c"}[i]] {
			if !slices.ContainsFunc(x.when, func(s string) bool {
				return slices.Contains(came, s) && !(i == 2 && event == "e2[1]" || i == 3 && event == "e2[0]")
			}) {
				continue
			}
			next.count[i] = recountValues[x.to].is(w.count[i], w.count[other])
			out = out || next.count[i] < 0 || next.count[i] > 2
			break
		}
	}
	return next, can, can && out
}

// shown is what a reader sees of a marking, and of a state.
func (c recounting) shown(d *compile.Draft, m petri.Marking) string {
	w := recountedWorld{}
	for _, i := range m {
		name, place := d.Net.Places[i], d.AllPlaces[i]
		k := slices.Index(recounters, name.Net+"."+place.Counter)
		switch {
		case k >= 0 && !strings.HasSuffix(name.Name, "!"):
			w.count[k] = place.Value / c.unit
		case name.Net == "o" && strings.HasPrefix(name.Name, "left-"):
			fmt.Sscanf(name.Name, "left-%d", &w.left)
		case name.Net == "o" && name.Name != "off":
			w.o = name.Name
		}
	}
	return w.shown()
}

func (w recountedWorld) shown() string { return fmt.Sprint(w.count, w.o, w.left) }

// A recountedGraph is all that the net and the interpreter can come to together.
type recountedGraph struct {
	worlds []recountedWorld
	next   [][]int
	states int  // different markings
	out    bool // a counter can leave its bounds: then the rest is not explored
}

// explored explores net and interpreter side by side, and fails where they differ.
func (c recounting) explored(t *testing.T, d *compile.Draft, text string) (g recountedGraph) {
	t.Helper()
	type pair struct {
		m petri.Marking
		w recountedWorld
	}
	known, markings := map[string]int{}, map[string]bool{}
	var list []pair
	reached := func(x pair) int {
		key := fmt.Sprint(x)
		if i, old := known[key]; old {
			return i
		}
		if is, want := c.shown(d, x.m), x.w.shown(); is != want {
			t.Fatalf("the net is at %s, the interpreter at %s\n%s", is, want, text)
		}
		known[key], markings[fmt.Sprint(x.m)] = len(list), true
		list, g.worlds, g.next = append(list, x), append(g.worlds, x.w), append(g.next, nil)
		return len(list) - 1
	}
	reached(pair{d.Net.Initial, recountedWorld{o: "dormant"}})
	for i := 0; i < len(list); i++ {
		x := list[i]
		happen := map[string]bool{}
		for _, step := range d.Net.Steps(x.m, d.Rule) {
			var events []string
			for _, k := range step {
				events = append(events, d.Events[d.Net.Transitions[k].Event].Name)
			}
			w, out := c.inTurn(t, x.w, events, text)
			slices.Reverse(events)
			if other, too := c.inTurn(t, x.w, events, text); other != w && !out || too != out {
				t.Fatalf("at %s it makes a difference which of %v comes first\n%s", x.w.shown(), events, text)
			}
			for _, e := range events {
				happen[e] = true
			}
			m, contact := d.Net.Fire(x.m, step)
			if contact >= 0 != out {
				t.Fatalf("at %s, %v leaves the bounds: %t, in the net: %t\n%s", x.w.shown(), events, out, contact >= 0, text)
			}
			if g.out = g.out || out; !out {
				g.next[i] = append(g.next[i], reached(pair{m, w}))
			}
		}
		for _, e := range append(recountEvents, "tick") {
			if _, can, _ := c.after(x.w, e); can != happen[e] {
				t.Fatalf("at %s %v, %s is possible: %t, in the net: %t\n%s", x.w.shown(), x.w.seen, e, can, happen[e], text)
			}
		}
	}
	g.states = len(markings)
	return g
}

// inTurn has events happen one after the other.
func (c recounting) inTurn(t *testing.T, w recountedWorld, events []string, text string) (_ recountedWorld, out bool) {
	t.Helper()
	for _, e := range events {
		next, can, leaves := c.after(w, e)
		if !can {
			t.Fatalf("at %s, %s can't happen, yet does so together with %v\n%s", w.shown(), e, events, text)
		}
		w, out = next, out || leaves
		if out {
			break
		}
	}
	return w, out
}

// A recountClaim is a formula over two conditions.
type recountClaim struct{ op, p, q string }

func (c recounting) claim(r *rand.Rand) recountClaim {
	all := append([]string{"happened(e0)", "happened(e1)", "happened(e2[0])", "!happened(e3)", "o.owed", "o.lifted", "!o.breached"},
		fmt.Sprintf("p.m >= %d", c.unit), fmt.Sprintf("!(q.n >= %d)", 2*c.unit), fmt.Sprintf("c[1].k >= %d", c.unit), fmt.Sprintf("c[0].k >= %d", c.unit))
	return recountClaim{[]string{"AG (%s -> %s)", "EF (%s && %s)", "AF (%s || %s)"}[r.IntN(3)], all[r.IntN(len(all))], all[r.IntN(len(all))]}
}

// holds decides a claim by its definition.
func (c recounting) holds(g recountedGraph, x recountClaim) bool {
	so := func(i int) bool {
		p, q := c.so(g.worlds[i], x.p, ""), c.so(g.worlds[i], x.q, "")
		return x.op[0] == 'E' && p && q || x.op[1] == 'F' && x.op[0] == 'A' && (p || q) || x.op[1] == 'G' && (!p || q)
	}
	never := make([]bool, len(g.worlds)) // never from here on, on some path
	for i := range never {
		never[i] = !so(i)
	}
	if x.op[:2] != "AF" {
		return slices.Contains(never, false) && x.op[0] == 'E' || x.op[0] == 'A' && !slices.Contains(never, true)
	}
	for changed := true; changed; {
		changed = false
		for i, next := range g.next {
			if never[i] && len(next) > 0 && !slices.ContainsFunc(next, func(j int) bool { return never[j] }) {
				never[i], changed = false, true
			}
		}
	}
	return !never[0]
}

// TestRecountsLaw: the net of counters with changes, and of conditions that ask what has happened, does what the interpreter does, whichever happen together.
// All engines find its states, its verdicts, and the counters that leave their bounds; verdicts have certificates, and the exported net has the same states.
func TestRecountsLaw(t *testing.T) {
	n := 60
	if draws.All() {
		n = 3000
	}
	r := rand.New(rand.NewPCG(18, 7))
	refused, out, unknown, proofs, exported, verdicts := 0, 0, 0, 0, 0, map[bool]int{}
	for i := range n {
		c, rule := drawRecounting(r), petri.Rule(i%2)
		claims := []recountClaim{c.claim(r), c.claim(r), c.claim(r)}
		var written []string
		for _, x := range claims {
			written = append(written, fmt.Sprintf(x.op, x.p, x.q))
		}
		text := c.text(rule.String(), written)
		if code := testkit.CheckText(t, text).Diagnostics; len(code) > 0 && code[0].Code == "contradiction" { // conditions that exclude each other
			refused++
			continue
		}
		g := c.explored(t, testkit.DraftOf(t, c.text(rule.String(), nil)), text)
		if i%20 == 4 && !g.out {
			plainAlike(t, testkit.DraftOf(t, text).Net)
			exported++
		}
		for _, engine := range []finding.Engine{finding.Auto, finding.Explicit, finding.Symbolic, finding.Local} {
			if engine == finding.Symbolic && rule == petri.All {
				continue
			}
			d, b := testkit.DraftOf(t, text), finding.Budget{Jobs: 1, Engine: engine}
			res := verify.Check(context.Background(), d, b)
			if engine == finding.Symbolic && strings.Contains(res.Model.Incomplete, "moves that decision diagrams are not made for") {
				refused++
				continue
			}
			leaves := slices.ContainsFunc(res.Diagnostics, func(x finding.Diagnostic) bool { return x.Code == "counter-out-of-bounds" })
			local := engine == finding.Local // lists no states, so it may not know
			if leaves != g.out && (leaves || !local) {
				t.Fatalf("%d, %s: a counter leaves its bounds: %t, in fact: %t\n%s", i, engine, leaves, g.out, text)
			}
			if g.out && !local {
				out++
				continue
			}
			if res.Model.States != nil && res.Model.States.Int64() != int64(g.states) {
				t.Fatalf("%d, %s: %s states, in fact %d\n%s", i, engine, res.Model.States, g.states, text)
			}
			for k, x := range claims {
				want, q := c.holds(g, x), testkit.Requirement(t, res, fmt.Sprint("r", k))
				if q.Verdict == finding.Unknown && local {
					unknown++
					continue
				}
				if verdicts[want]++; q.Verdict == finding.Unknown || g.out || (q.Verdict == finding.Holds) != want {
					t.Fatalf("%d, %s: %s is %v, in fact %t\n%s", i, engine, written[k], q.Verdict, want, text)
				}
			}
			if i%20 < 2 {
				for _, of := range verify.Certify(context.Background(), d, b, res) {
					certified(t, d, of)
					proofs++
				}
			}
		}
	}
	if refused > n/10 || out < n/5 || unknown > 2*n || proofs < n/2 || exported < n/30 || verdicts[true] < n || verdicts[false] < n {
		t.Errorf("of %d contracts %d are refused, whole or by decision diagrams, in %d checks a counter leaves its bounds, %d verdicts are unknown, %d proofs, %d exported, verdicts %v", n, refused, out, unknown, proofs, exported, verdicts)
	}
}
