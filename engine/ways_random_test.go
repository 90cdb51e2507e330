package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/rests"
)

// A pairText is a contract of two parties that meet in events, as a drafter writes it.
type pairText struct {
	steps  map[string][2]string // by party.name, from and to
	events map[string]string    // by name, the names of what a and b do in it
	light  bool
}

func drawPairText(t *rapid.T) pairText {
	p := pairText{steps: map[string][2]string{}, events: map[string]string{}}
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
	q := pairText{steps: map[string][2]string{}, events: map[string]string{}}
	for name, s := range p.steps {
		q.steps[name] = s
	}
	for name, s := range p.events {
		q.events[name] = s
	}
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		switch names := sortedNames(q.steps); rapid.IntRange(0, 9).Draw(t, "change") {
		case 0:
			if len(names) > 1 {
				delete(q.steps, rapid.SampledFrom(names).Draw(t, "dropped"))
			}
		case 1:
			q.meet(t)
		case 2:
			q.light = true
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
	b.WriteString("contract \"c\" {}\n")
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
	return b.String() + promise(formula)
}

// key is what a composed transition does: its name, and who does what in an event.
func (p pairText) key(name string) string { return name + " " + p.events[name] }

// A walkable is a state model by the definitions: of each state its steps.
type walkable struct {
	text  pairText
	graph naive.Graph
	names [][]string // by state and arc
}

func walkableOf(p pairText, d *engine.Draft) walkable {
	w := walkable{text: p}
	g, _ := exploreNaively(d)
	w.graph = g
	markings := markingsOf(d.Net)
	for s := range g.Succ {
		var names []string
		for _, step := range d.Net.Steps(markings[s], d.Rule) {
			names = append(names, d.Net.Transitions[step[0]].Name)
		}
		w.names = append(w.names, names)
	}
	return w
}

// A definition is the definition of a new way, run by run.
type definition struct {
	head, base walkable
	same       map[string]bool // what base has
	labels     map[*ctl.Formula][]bool
	keeping    map[*ctl.Formula][]bool
}

// A course is a run of head, with where base is by then: -1 where it did not follow.
type course struct {
	head, base []int
	steps      []string
	loop       int // -1: it does not go round
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
	if len(c.steps) == most {
		return false
	}
	for n, to := range x.head.graph.Succ[h] {
		name := x.head.names[h][n]
		next := x.follow(b, name)
		for k := range c.head {
			if c.head[k] == to && c.base[k] == next {
				round := &course{head: c.head, base: c.base, steps: append(slices.Clone(c.steps), name), loop: k}
				if is(round) {
					return true
				}
			}
		}
		more := &course{head: append(slices.Clone(c.head), to), base: append(slices.Clone(c.base), next), steps: append(slices.Clone(c.steps), name), loop: -1}
		if x.grow(more, is, most) {
			return true
		}
	}
	return false
}

func (x *definition) hidden(name string) bool { return !x.same[x.head.text.key(name)] }

func (x *definition) follow(b int, name string) int {
	if b < 0 || x.hidden(name) {
		return b
	}
	for n, to := range x.base.graph.Succ[b] {
		if x.base.names[b][n] == name {
			return to
		}
	}
	return -1
}

// sat labels head, and keeps base: by reading each A as E.
func (x *definition) sat(f *ctl.Formula, h int) bool {
	if x.labels[f] == nil {
		x.labels[f] = naive.Sat(x.head.graph, f)
	}
	return x.labels[f][h]
}

func (x *definition) keeps(f *ctl.Formula, b int) bool {
	if x.keeping[f] == nil {
		x.keeping[f] = naive.Sat(x.base.graph, possibly(f))
	}
	return x.keeping[f][b]
}

func (x *definition) was(f *ctl.Formula, b int) bool { return naive.Sat(x.base.graph, f)[b] }

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
		if i == len(c.steps) || strings.HasPrefix(c.steps[i], "light") {
			return false
		}
		j := i + 1
		if j == len(c.head) {
			j = c.loop
		}
		return !x.sat(f.Left, c.head[j]) && (x.hidden(c.steps[i]) || x.isNew(f.Left, c, j))
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

// still reports whether base does not move in the loop of a run, and not only because the light alone goes on and off.
func (x *definition) still(c *course) bool {
	apart := true
	for _, name := range c.steps[c.loop:] {
		if !x.hidden(name) {
			return false
		}
		apart = apart && strings.HasPrefix(name, "light")
	}
	if !apart {
		return true
	}
	for _, name := range x.head.names[c.head[c.loop]] {
		if !strings.HasPrefix(name, "light") {
			return false
		}
	}
	return true
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
		g, _ := exploreNaively(d)
		if i == 0 || !naive.Sat(g, d.Formulas[0])[0] {
			list = append(list, f)
		}
	}
	return list
}

// readsRenames reports whether an amendment is read as giving a step or an event of base another name: the definition here knows them by their names.
func readsRenames(base pairText, was, now *engine.Draft) bool {
	_, names := delta.Changes(was.Spec, now.Spec)
	other := func(e delta.Element, name string) bool {
		head, ok := names.Head(e, name)
		return ok && head != name
	}
	return slices.ContainsFunc(sortedNames(base.steps), func(name string) bool { return other(delta.Transition, name) }) ||
		slices.ContainsFunc(sortedNames(base.events), func(name string) bool { return other(delta.Event, name) })
}

// restsOnTheSame reports whether the only promise rests on somebody's acting, and on the same in both versions, by the definitions.
func restsOnTheSame(base, head *engine.Draft) bool {
	var sets [2][][]string
	for i, d := range []*engine.Draft{base, head} {
		if _, normal := rests.Normal(d.Formulas[0], false); !normal || !rests.Comes(d.Formulas[0]) {
			return false
		}
		g, markings, _ := exploreForProgress(d)
		sets[i], _, _ = naiveResting(d, false, 0, g, markings)
	}
	return len(sets[0]) > 0 && slices.EqualFunc(sets[0], sets[1], slices.Equal)
}

func sortedAsDefined(t *rapid.T, base, head pairText, formula string) string {
	was, now := draftOf(t, base.text(formula)), draftOf(t, head.text(formula))
	if readsRenames(base, was, now) {
		return "renamed"
	}
	x := &definition{head: walkableOf(head, now), base: walkableOf(base, was), same: map[string]bool{}, labels: map[*ctl.Formula][]bool{}, keeping: map[*ctl.Formula][]bool{}}
	for t := range was.Net.Transitions {
		x.same[base.key(was.Net.Transitions[t].Name)] = true
	}
	review := engine.Compare(context.Background(), was, now, engine.Budget{Jobs: 1})
	if review.Status == engine.Same {
		return "same"
	}
	f := review.Findings[0]
	held := naive.Sat(x.base.graph, was.Formulas[0])[0]
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
	if want == engine.New && restsOnTheSame(was, now) {
		want = engine.RestsAsBefore // a new way, but only while somebody waits on whom the promise rests on both sides
	}
	if f.Kind != want {
		t.Fatalf("%s is %s, want %s (%+v)\nbase:\n%s\nhead:\n%s", formula, f.Kind, want, f.Way, base.text(formula), head.text(formula))
	}
	if f.Way != nil && f.Way.New {
		return "in a new way"
	}
	return want.String()
}
