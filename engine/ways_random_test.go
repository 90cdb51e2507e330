package engine_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
)

// A pairText is a contract of two parties that meet in events, as a drafter writes it.
type pairText struct {
	steps  map[string][2]string // by party.name, from and to
	events map[string]string    // by name, the names of what a and b do in it
	light  bool
	rest   string // what follows ctl in the promise
	firing string
}

func drawPairText(t *rapid.T) pairText {
	p := pairText{steps: map[string][2]string{}, events: map[string]string{}}
	p.firing = rapid.SampledFrom([]string{"one", "one", "all"}).Draw(t, "firing")
	p.rest = rapid.SampledFrom([]string{"", "", "  assuming = progress(a)\n", "  assuming = progress(a, b)\n"}).Draw(t, "rest")
	for range rapid.IntRange(3, 7).Draw(t, "steps") {
		p.add(t)
	}
	return p
}

func (p pairText) add(t *rapid.T) {
	at := rapid.SampledFrom([]string{"s0", "s1", "s2", "s3"})
	name := rapid.SampledFrom([]string{"a.t0", "a.t1", "a.t2", "a.t3", "a.t4", "a.t5", "a.t6", "a.t7", "b.t0", "b.t1"}).Draw(t, "name")
	from, to := at.Draw(t, "from"), at.Draw(t, "to")
	if strings.HasPrefix(name, "b.") {
		two := rapid.SampledFrom([]string{"s0", "s1"})
		from, to = two.Draw(t, "from"), two.Draw(t, "to")
	}
	p.steps[name] = [2]string{from, to}
}

// amended changes a text a little: steps added, dropped or led elsewhere, events added or dropped, and a light beside it.
func (p pairText) amended(t *rapid.T) pairText {
	q := p
	q.steps, q.events = maps.Clone(p.steps), maps.Clone(p.events)
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		switch names := sortedNames(q.steps); rapid.IntRange(0, 11).Draw(t, "change") {
		case 0:
			if len(names) > 1 {
				delete(q.steps, rapid.SampledFrom(names).Draw(t, "dropped"))
			}
		case 1:
			q.meet(t)
		case 2:
			q.light = true
		case 3, 4:
			q.rename(rapid.SampledFrom(names).Draw(t, "renamed"))
		default:
			q.add(t)
		}
	}
	return q
}

// meet makes a step of a and one of b happen together.
func (p pairText) meet(t *rapid.T) {
	a, b := rapid.SampledFrom([]string{"t0", "t1", "t2"}).Draw(t, "a"), rapid.SampledFrom([]string{"t0", "t1"}).Draw(t, "b")
	if _, is := p.steps["a."+a]; !is {
		return
	}
	if _, is := p.steps["b."+b]; is {
		p.events["e_"+a] = a + " " + b
	}
}

// rename calls a step otherwise.
func (p pairText) rename(name string) {
	if party, own, _ := strings.Cut(name, "."); !strings.HasPrefix(own, "new") {
		p.steps[party+".new-"+own] = p.steps[name]
		delete(p.steps, name)
		for event, meet := range p.events {
			a, b, _ := strings.Cut(meet, " ")
			if party == "a" && a == own {
				a = "new-" + a
			} else if party == "b" && b == own {
				b = "new-" + b
			}
			p.events[event] = a + " " + b
		}
	}
}

func sortedNames[V any](of map[string]V) []string {
	var names []string
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (p pairText) text(formula string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" { firing = %s }\n", p.firing)
	for _, party := range []string{"a", "b"} {
		fmt.Fprintf(&b, "party %q {\n", party)
		for s := range map[string]int{"a": 4, "b": 2}[party] {
			fmt.Fprintf(&b, "  state \"s%d\" {}\n", s)
		}
		for _, name := range sortedNames(p.steps) {
			if of, own, _ := strings.Cut(name, "."); of == party {
				fmt.Fprintf(&b, "  transition %q {\n    from = %s\n    to   = %s\n  }\n", own, p.steps[name][0], p.steps[name][1])
			}
		}
		b.WriteString("}\n")
	}
	for _, name := range sortedNames(p.events) {
		own, other, _ := strings.Cut(p.events[name], " ")
		if _, is := p.steps["a."+own]; !is {
			continue
		}
		if _, is := p.steps["b."+other]; is {
			fmt.Fprintf(&b, "event %q {\n  sync = {\n    a = %s\n    b = %s\n  }\n}\n", name, own, other)
		}
	}
	if p.light {
		b.WriteString(light)
	}
	return fmt.Sprintf("%srequirement \"r\" {\n  ctl = %q\n%s}\n", b.String(), formula, p.rest)
}

// key is what a composed transition does: its name, and who does what in an event; called as the amendment calls it.
func (p pairText) key(name string, called map[string]string) string {
	now := func(name string) string {
		if other, is := called[name]; is {
			return other
		}
		return name
	}
	a, b, meet := strings.Cut(p.events[name], " ")
	if !meet {
		return now(name)
	}
	return now(name) + " " + now("a."+a) + " " + now("b."+b)
}

// calledOtherwise returns what the review says is renamed.
func calledOtherwise(r *engine.ContractReview) map[string]string {
	called := map[string]string{}
	if r.Difference != nil {
		for _, c := range r.Difference.Changes {
			if c.Action == delta.Renamed && (c.Element == delta.Transition || c.Element == delta.Event) {
				called[c.Was] = c.Name
			}
		}
	}
	return called
}

// A walkable is a state model by the definitions: of each state its steps.
type walkable struct {
	graph naive.Graph
	keys  [][][]string // by state and arc: what each of the transitions that fire does
	fair  naive.Fairness
}

func walkableOf(p pairText, d *engine.Draft, called map[string]string) *walkable {
	w := &walkable{}
	g, markings, _ := exploreForProgress(d)
	w.graph = g
	for s := range w.graph.Succ {
		var keys [][]string
		for _, step := range d.Net.Steps(markings[s], d.Rule) {
			var all []string
			for _, t := range step {
				all = append(all, p.key(d.Net.Transitions[t].Name, called))
			}
			slices.Sort(all)
			keys = append(keys, all)
		}
		w.keys = append(w.keys, keys)
	}
	var actors []string
	if _, names, some := strings.Cut(strings.TrimSuffix(p.rest, ")\n"), "progress("); some {
		actors = strings.Split(names, ", ")
	}
	w.fair = progressOf(d, actors, markings)
	return w
}

// sat labels the states on the runs that count.
func (w *walkable) sat(f *ctl.Formula) []bool { return naive.FairSat(w.graph, w.fair, f) }

// goes reports whether a run counts that goes round some arcs for ever.
func (w *walkable) goes(states, arcs []int) bool {
	for k := range w.fair.Actors {
		well := false
		for i, s := range states {
			well = well || !w.fair.Can(k, s) || w.fair.Acts(k, s, arcs[i])
		}
		if !well {
			return false
		}
	}
	return true
}

// A definition is the definition of a new way, run by run.
type definition struct {
	head, base *walkable
	same       map[string]bool // what base has
	labels     map[*ctl.Formula][]bool
	keeping    map[*ctl.Formula][]bool
}

// A course is a run of head, with where base is by then: -1 where it did not follow.
type course struct {
	head, base []int
	arcs       []int // of head's states
	loop       int   // -1: it does not go round
	dead       bool
}

// some looks for a run of at most so many steps on which something is so.
func (x *definition) some(is func(*course) bool, most int) bool {
	c := &course{head: []int{0}, base: []int{0}, loop: -1}
	return x.grow(c, is, most)
}

func (x *definition) grow(c *course, is func(*course) bool, most int) bool {
	last := len(c.head) - 1
	h, b := c.head[last], c.base[last]
	c.dead = len(x.head.graph.Succ[h]) == 0
	if is(c) {
		return true
	}
	c.dead = false
	if len(c.arcs) == most {
		return false
	}
	for n, to := range x.head.graph.Succ[h] {
		next, _ := x.follow(b, x.head.keys[h][n])
		for k := range c.head {
			if c.head[k] == to && c.base[k] == next {
				round := &course{head: c.head, base: c.base, arcs: append(slices.Clone(c.arcs), n), loop: k}
				if x.head.goes(c.head[k:], round.arcs[k:]) && is(round) {
					return true
				}
			}
		}
		more := &course{head: append(slices.Clone(c.head), to), base: append(slices.Clone(c.base), next), arcs: append(slices.Clone(c.arcs), n), loop: -1}
		if x.grow(more, is, most) {
			return true
		}
	}
	return false
}

// known lists what base has of a step.
func (x *definition) known(step []string) []string {
	return slices.DeleteFunc(slices.Clone(step), func(key string) bool { return !x.same[key] })
}

// follow returns where base is after a step of head, and which of its arcs it takes: -1 none.
func (x *definition) follow(b int, step []string) (to, arc int) {
	known := x.known(step)
	if b < 0 || len(known) == 0 {
		return b, -1
	}
	for n, to := range x.base.graph.Succ[b] {
		if slices.Equal(x.base.keys[b][n], known) {
			return to, n
		}
	}
	return -1, -1
}

// lightOnly reports whether a step is of the light alone.
func lightOnly(step []string) bool {
	return !slices.ContainsFunc(step, func(key string) bool { return !strings.HasPrefix(key, "light") })
}

// sat labels head, and keeps base: by reading each A as E.
func (x *definition) sat(f *ctl.Formula, h int) bool {
	if x.labels[f] == nil {
		x.labels[f] = x.head.sat(f)
	}
	return x.labels[f][h]
}

func (x *definition) keeps(f *ctl.Formula, b int) bool {
	if x.keeping[f] == nil {
		x.keeping[f] = x.base.sat(possibly(f))
	}
	return x.keeping[f][b]
}

func (x *definition) was(f *ctl.Formula, b int) bool { return x.base.sat(f)[b] }

// possibly reads each A of a formula as E. Only implications of what a state shows and A, AF, AG, AU, AW and AX are drawn.
func possibly(f *ctl.Formula) *ctl.Formula {
	if f == nil || !f.Temporal() {
		return f
	}
	g := *f
	g.Op = map[ctl.Op]ctl.Op{ctl.AX: ctl.EX, ctl.AF: ctl.EF, ctl.AG: ctl.EG, ctl.AU: ctl.EU, ctl.AW: ctl.EW}[f.Op]
	if g.Op == 0 {
		g.Op = f.Op
	}
	switch f.Op { // what has to come is not looked into
	case ctl.AF:
		return &g
	case ctl.AU, ctl.AW:
		g.Left = possibly(f.Left)
		return &g
	}
	g.Left, g.Right = possibly(f.Left), possibly(f.Right)
	if f.Op == ctl.AX { // kept where nothing follows
		return &ctl.Formula{Op: ctl.Or, Left: &g, Right: &ctl.Formula{Op: ctl.Not, Left: &ctl.Formula{Op: ctl.EX, Left: &ctl.Formula{Op: ctl.True}}}}
	}
	return &g
}

// isNew reports whether a run of head violates a formula from its step i on in a way that base does not have.
func (x *definition) isNew(f *ctl.Formula, c *course, i int) bool {
	h, b := c.head[i], c.base[i]
	switch {
	case x.sat(f, h):
		return false
	case b < 0:
		return true
	case !x.keeps(f, b):
		return false
	case !f.Temporal() || f.Op == ctl.EF:
		return true
	}
	switch f.Op {
	case ctl.Implies:
		return !x.was(f.Left, b) || x.isNew(f.Right, c, i)
	case ctl.And:
		return x.isNew(f.Left, c, i) || x.isNew(f.Right, c, i)
	case ctl.AX:
		if i == len(c.arcs) || lightOnly(x.head.keys[h][c.arcs[i]]) {
			return false
		}
		j := i + 1
		if j == len(c.head) {
			j = c.loop
		}
		return !x.sat(f.Left, c.head[j]) && (len(x.known(x.head.keys[h][c.arcs[i]])) == 0 || x.isNew(f.Left, c, j))
	}
	return x.runs(f, c, i)
}

// runs is isNew of A[left U right] and its like: for AG nothing is right, for AF everything left.
func (x *definition) runs(f *ctl.Formula, c *course, i int) bool {
	never, always := &ctl.Formula{Op: ctl.False}, &ctl.Formula{Op: ctl.True}
	left, right, strong := f.Left, f.Right, f.Op == ctl.AU
	switch f.Op {
	case ctl.AG:
		right = never
	case ctl.AF:
		left, right, strong = always, f.Left, true
	}
	seen := map[int]bool{}
	for j := i; ; {
		h, b := c.head[j], c.base[j]
		switch {
		case b < 0:
			return !x.sat(f, h)
		case !x.sat(f, h) && !x.sat(right, h) && x.was(right, b):
			return true
		case x.keeps(f, b) && !x.sat(right, h) && !x.sat(left, h) && (x.was(right, b) || x.isNew(left, c, j)):
			return true
		case x.sat(right, h) || !x.keeps(f, b):
			return false
		}
		seen[j] = true
		if j++; j == len(c.head) {
			if c.loop < 0 {
				return strong && c.dead
			}
			j = c.loop
		}
		if seen[j] {
			return strong && x.still(c)
		}
	}
}

// still reports whether base does not go round with the loop of a run for ever, since it does not move or would have to wait against what is assumed,
// and not only because the light alone goes on and off.
func (x *definition) still(c *course) bool {
	var states, arcs []int
	only := true
	for k, arc := range c.arcs[c.loop:] {
		step := x.head.keys[c.head[c.loop+k]][arc]
		if _, taken := x.follow(c.base[c.loop+k], step); taken >= 0 {
			states, arcs = append(states, c.base[c.loop+k]), append(arcs, taken)
		}
		only = only && lightOnly(step)
	}
	if len(arcs) > 0 && x.base.goes(states, arcs) {
		return false
	}
	return !only || !slices.ContainsFunc(x.head.keys[c.head[c.loop]], func(step []string) bool { return !lightOnly(step) })
}

// TestNewWaysByTheirDefinition: what is sorted is what the definition says, of all runs of at most eight steps of 500 random amendments; nightly of 2,000.
func TestNewWaysByTheirDefinition(t *testing.T) {
	draws.Only(t, 25)
	counts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			base := drawPairText(t)
			base.meet(t)
			formula := rapid.SampledFrom(violated(t, base)).Draw(t, "formula")
			head := base.amended(t)
			counts[sortedAsDefined(t, base, head, formula)]++
			counts["firing "+head.firing]++
			if head.rest != "" {
				counts["progress"]++
			}
		}
	})
	t.Log(counts)
	for _, k := range []string{"new", "in a new way", "standing", "kept", "repaired"} {
		if counts[k] == 0 {
			t.Errorf("%s: only %d", k, counts[k])
		}
	}
}

var sortedFormulas = []string{
	"AG !a.s3", "AG !(a.s3 && b.s1)", "AF a.s1", "A[!a.s2 U a.s1]", "A[!a.s2 W a.s1]", "AG(a.s1 -> AF a.s2)", "AG(a.s1 -> AX a.s2)", "AG EF a.s0",
	"AG !a.s3 && AF a.s2", "AG(a.s1 -> A[!a.s3 W a.s2])", "AX a.s1", "AF AG !a.s0"}

// violated lists the formulas that a text violates, and some of the others.
func violated(t *rapid.T, p pairText) []string {
	var list []string
	for i, f := range sortedFormulas {
		d := draftOf(t, p.text(f))
		if i == 0 || !walkableOf(p, d, nil).sat(d.Formulas[0])[0] {
			list = append(list, f)
		}
	}
	return list
}

func sortedAsDefined(t *rapid.T, base, head pairText, formula string) string {
	was, now := draftOf(t, base.text(formula)), draftOf(t, head.text(formula))
	review := engine.Compare(context.Background(), was, now, engine.Budget{Jobs: 1})
	if review.Status == engine.Same {
		return "same"
	}
	called := calledOtherwise(&review)
	x := &definition{head: walkableOf(head, now, nil), base: walkableOf(base, was, called), same: map[string]bool{}, labels: map[*ctl.Formula][]bool{}, keeping: map[*ctl.Formula][]bool{}}
	for t := range was.Net.Transitions {
		x.same[base.key(was.Net.Transitions[t].Name, called)] = true
	}
	f := review.Findings[0]
	held := x.base.sat(was.Formulas[0])[0]
	want := engine.Kept
	switch holds := x.sat(now.Formulas[0], 0); {
	case holds && !held:
		want = engine.Repaired
	case holds:
	case held || x.some(func(c *course) bool { return x.isNew(now.Formulas[0], c, 0) }, 8):
		want = engine.New
	default:
		want = engine.Standing
	}
	if f.Kind == engine.RestsAsBefore && want == engine.New && slices.EqualFunc(f.Base.Rests.Sets, f.Head.Rests.Sets, slices.Equal) && len(f.Head.Rests.Sets) > 0 {
		return "resting as before" // a new way, but only while somebody waits on whom the promise rests on both sides
	}
	if f.Kind != want {
		t.Fatalf("%s is %s, want %s (%+v)\nbase:\n%s\nhead:\n%s", formula, f.Kind, want, f.Way, base.text(formula), head.text(formula))
	}
	if f.Way != nil && f.Way.New {
		return "in a new way"
	}
	return want.String()
}
