package play

import (
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
)

// MaxChoices bounds the number of steps that are listed.
const MaxChoices = 1_000

// choices are the steps that are possible in a marking.
type choices struct {
	steps [][]int
	more  bool
	after []petri.Marking // by step; nil: not computed yet; a nil marking: a contact
}

// Choices returns the steps that are possible now, each sorted, in lexicographic order. More reports that there are
// more than MaxChoices, and only some are listed.
func (g *Game) Choices() (steps [][]int, more bool) {
	c := g.choices(len(g.run))
	return c.steps, c.more
}

func (g *Game) choices(i int) *choices {
	if g.next[i] == nil {
		m := g.markings[i]
		g.next[i] = findChoices(g.Draft.Net, g.Draft.Rule, m, func(t, u int) bool { return alike(g.Draft, m, t, u) })
	}
	return g.next[i]
}

// findChoices finds the steps that are possible in a marking. Where one transition fires at a time, the first of those that are the same is listed.
func findChoices(n *petri.Net, r petri.Rule, m petri.Marking, same func(t, u int) bool) *choices {
	c := &choices{}
	var fireable []int
	for t := range n.Transitions {
		listed := func(u int) bool { return same(t, u) }
		if n.Fireable(m, t) && (r != petri.One || !slices.ContainsFunc(fireable, listed)) {
			fireable = append(fireable, t)
		}
	}
	switch {
	case r == petri.One:
		for _, t := range fireable[:min(len(fireable), MaxChoices)] {
			c.steps = append(c.steps, []int{t})
		}
		c.more = len(fireable) > MaxChoices
	case len(fireable) > maxTogether:
		c.more = true
	default:
		(&cliques{choices: c, free: freedom(n, fireable), all: fireable}).find(nil, upTo(len(fireable)), nil)
	}
	slices.SortFunc(c.steps, slices.Compare)
	return c
}

// alike reports whether two transitions are one choice: the same parts make them, they lead to the same marking, and only what they read differs.
func alike(d *compile.Draft, m petri.Marking, t, u int) bool {
	n, e := d.Net, explain.Event(d, t)
	if e == nil || e != explain.Event(d, u) || !slices.Equal(n.Transitions[t].Parts, n.Transitions[u].Parts) {
		return false
	}
	one, contact := n.Fire(m, []int{t})
	other, also := n.Fire(m, []int{u})
	return contact < 0 && also < 0 && slices.Equal(one, other)
}

// maxTogether bounds the enabled transitions among which maximal steps are searched, if all transitions fire at once.
const maxTogether = 2_000

// cliques finds the maximal sets of transitions no two of which compete: the maximal cliques of the graph of those that do not, by the
// algorithm of Bron and Kerbosch (1973, Algorithm 457) with the pivot of Tomita, Tanaka and Takahashi (2006).
type cliques struct {
	*choices
	free [][]bool // by two transitions: they do not compete
	all  []int    // the transitions, by index
}

func freedom(n *petri.Net, ts []int) [][]bool {
	free := make([][]bool, len(ts))
	for i := range ts {
		free[i] = make([]bool, len(ts))
		for j := range i {
			free[i][j] = !n.Compete(ts[i], ts[j])
			free[j][i] = free[i][j]
		}
	}
	return free
}

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// find lists the sets that contain chosen and more from may. Sets with any of done are listed already.
func (c *cliques) find(chosen, may, done []int) {
	switch {
	case c.more || len(may) == 0 && (len(done) > 0 || len(chosen) == 0):
		return
	case len(may) == 0 && len(c.steps) == MaxChoices:
		c.more = true
		return
	case len(may) == 0:
		var step []int
		for _, i := range chosen {
			step = append(step, c.all[i])
		}
		slices.Sort(step)
		c.steps = append(c.steps, step)
		return
	}
	pivot := c.widest(may, done)
	for _, t := range slices.Clone(may) {
		if c.free[pivot][t] {
			continue // a set with it also has the pivot, or something that competes with the pivot
		}
		c.find(append(chosen[:len(chosen):len(chosen)], t), c.beside(t, may), c.beside(t, done))
		may = slices.DeleteFunc(slices.Clone(may), func(u int) bool { return u == t })
		done = append(done[:len(done):len(done)], t)
	}
}

// widest returns the transition that competes with the fewest of those in may.
func (c *cliques) widest(may, done []int) int {
	best, most := -1, -1
	for _, t := range slices.Concat(may, done) {
		if n := len(c.beside(t, may)); n > most {
			best, most = t, n
		}
		if most >= len(may)-1 {
			break // the maximum, or one less only for one of done, which would save little
		}
	}
	return best
}

// beside returns those of a list that can fire together with t.
func (c *cliques) beside(t int, list []int) []int {
	free := make([]int, 0, len(list))
	for _, u := range list {
		if c.free[t][u] {
			free = append(free, u)
		}
	}
	return free
}

// successors returns the markings after one more step. It returns false if some of them are not known.
func (g *Game) successors(i int) ([]petri.Marking, bool) {
	c := g.choices(i)
	if c.after == nil {
		for _, step := range c.steps {
			after, _ := g.Draft.Net.Fire(g.markings[i], step)
			c.after = append(c.after, after)
		}
	}
	return c.after, !c.more && !slices.ContainsFunc(c.after, func(m petri.Marking) bool { return m == nil })
}
