package play

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// MaxChoices bounds how many steps are listed that can be taken.
const MaxChoices = 1_000

// choices are the steps that can be taken in a marking.
type choices struct {
	steps [][]int
	more  bool
	after []petri.Marking // by step, once somebody has asked; nil where there is a contact
}

// Choices lists the steps that can be taken now, each sorted, in lexicographic order. More says that there are
// more than MaxChoices, and these are some of them.
func (g *Game) Choices() (steps [][]int, more bool) {
	c := g.choices(len(g.run))
	return c.steps, c.more
}

func (g *Game) choices(i int) *choices {
	if g.next[i] == nil {
		g.next[i] = findChoices(g.Draft.Net, g.Draft.Rule, g.markings[i])
	}
	return g.next[i]
}

func findChoices(n *petri.Net, r petri.Rule, m petri.Marking) *choices {
	c := &choices{}
	var fireable []int
	for t := range n.Transitions {
		if n.Fireable(m, t) {
			fireable = append(fireable, t)
		}
	}
	if r == petri.All {
		c.maximal(n, nil, fireable, nil)
	} else {
		for _, t := range fireable[:min(len(fireable), MaxChoices)] {
			c.steps = append(c.steps, []int{t})
		}
		c.more = len(fireable) > MaxChoices
	}
	slices.SortFunc(c.steps, slices.Compare)
	return c
}

// maximal lists the maximal sets of transitions no two of which compete: the maximal cliques of the graph of those that don't, by the algorithm of
// Bron and Kerbosch (1973, Algorithm 457) with the pivot of Tomita, Tanaka and Takahashi (2006). Each set has chosen in it, more from may, none of
// done, whose sets are listed already.
func (c *choices) maximal(n *petri.Net, chosen, may, done []int) {
	switch {
	case c.more || len(chosen) == 0 && len(may) == 0:
		return
	case len(may) == 0 && len(done) == 0 && len(c.steps) == MaxChoices:
		c.more = true
		return
	case len(may) == 0 && len(done) == 0:
		c.steps = append(c.steps, slices.Sorted(slices.Values(chosen)))
		return
	case len(may) == 0:
		return
	}
	pivot := widest(n, may, done)
	for _, t := range slices.Clone(may) {
		if t != pivot && !n.Compete(pivot, t) {
			continue // some set with the pivot, or with what competes with it, has whatever a set with t has
		}
		c.maximal(n, append(slices.Clone(chosen), t), beside(n, t, may), beside(n, t, done))
		may = slices.DeleteFunc(slices.Clone(may), func(u int) bool { return u == t })
		done = append(slices.Clone(done), t)
	}
}

// widest is the one that competes with fewest of those that may be chosen.
func widest(n *petri.Net, may, done []int) int {
	best, most := -1, -1
	for _, t := range slices.Concat(may, done) {
		if free := len(beside(n, t, may)); free > most {
			best, most = t, free
		}
	}
	return best
}

// beside are those of a list that can fire together with t.
func beside(n *petri.Net, t int, list []int) []int {
	var free []int
	for _, u := range list {
		if u != t && !n.Compete(t, u) {
			free = append(free, u)
		}
	}
	return free
}

// successors are the markings one step on; false: not all of them are known.
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
