package structure

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// OneSafe reports whether it proved that no place can ever hold two tokens. False proves nothing. The error is the context's cause.
//
// Until the first contact the net is one-safe. So there is no contact if no marking that is reached without one enables one.
func (n *Net) OneSafe(ctx context.Context) (bool, error) {
	n.left, n.reasons = budget/2, nil
	s := &search{prover: &n.prover}
	known, alone := make([][]invariant, len(n.marked)), n.alone()
	for _, t := range n.byNeeds() {
		if err := cancelled(ctx); err != nil {
			return false, err
		}
		for _, c := range contacts(t, alone) {
			if safe, err := s.avoids(ctx, c, known); !safe || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// alone returns, by place, whether it is of a machine with one token, for which no programme is needed. Its reason is that the tokens stay as many.
func (n *Net) alone() []bool {
	alone := make([]bool, len(n.marked))
	for _, places := range n.net.Machines() {
		var all []ctl.Weight
		for _, p := range places {
			alone[p], all = true, append(all, ctl.Weight{Place: p, By: 1})
		}
		n.because(reason{certificate: certificate{places: all}})
	}
	return alone
}

// byNeeds returns the transitions, those that need few places first. Their contacts cost least, and what excludes them may exclude others.
func (e *effects) byNeeds() []*petri.Transition {
	list := make([]*petri.Transition, len(e.net.Transitions))
	for i := range list {
		list[i] = &e.net.Transitions[i]
	}
	needs := func(t *petri.Transition) int { return len(t.In) + len(t.Read) }
	slices.SortStableFunc(list, func(a, b *petri.Transition) int { return needs(a) - needs(b) })
	return list
}

// A contact is a place and others. While all of them are marked, a transition can put a second token on a place.
type contact struct {
	place int
	needs []int
}

// contacts returns the contacts of a transition, by an arc or by a move, but for those on some places. The target of a move is not on the transition's
// arcs, but another move may start there, or have the same target.
func contacts(of *petri.Transition, but []bool) (list []contact) {
	needs := slices.Concat(of.In, of.Read)
	for _, p := range of.Out {
		if !but[p] {
			list = append(list, contact{p, needs})
		}
	}
	starts := map[int][]int{} // of the moves to a place, those that count
	moves := slices.DeleteFunc(slices.Clone(of.Moves), petri.Move.Stays)
	for _, v := range moves {
		if !but[v.From] {
			starts[v.To] = append(starts[v.To], v.From)
		}
	}
	for _, v := range moves {
		var on []int
		if !but[v.To] {
			on = append(on, v.To)
		}
		for _, from := range starts[v.To] {
			if from > v.From {
				on = append(on, from)
			}
		}
		if len(on) == 0 {
			continue
		}
		moved := append(slices.Concat(needs, v.If), v.From)
		for _, p := range on {
			list = append(list, contact{p, moved})
		}
	}
	return list
}

// maxKnown bounds the invariants kept for a place.
const maxKnown = 8

// avoids reports whether it proved that no reachable marking has the contact, by a known invariant of its place or by a programme.
func (s *search) avoids(ctx context.Context, c contact, known [][]invariant) (bool, error) {
	all := append(slices.Clone(c.needs), c.place)
	slices.Sort(all)
	all = slices.Compact(all)
	s.left -= int64(len(all))
	for _, v := range known[c.place] {
		s.left -= int64(len(v.weights))
		if v.excludes(all) {
			return true, cancelled(ctx)
		}
	}
	if s.left <= 0 {
		return false, cancelled(ctx)
	}
	goals := make([]goal, len(all))
	for i, p := range all {
		goals[i] = goal{&ctl.Formula{Op: ctl.Atom, Place: p}, true}
	}
	s.refresh()
	s.cases, s.last = 0, nil
	never, err := s.prove(ctx, goals)
	if never && s.last != nil && len(s.last.sums) == 0 {
		v := newInvariant(s.last, s.marked)
		for _, w := range v.weights {
			if w.By > 0 && len(known[w.Place]) < maxKnown {
				known[w.Place] = append(known[w.Place], v)
			}
		}
	}
	return never, err
}

// An invariant is a certificate without sums, for reuse with other premises: the total of its weights stays at most its initial value.
type invariant struct {
	weights   []ctl.Weight
	least     int // least total in any marking
	initially int
}

func newInvariant(c *certificate, marked []bool) invariant {
	v := invariant{weights: c.places}
	for _, w := range c.places {
		v.least += min(w.By, 0)
		v.initially += w.By * tokens(marked[w.Place])
	}
	return v
}

// excludes reports whether the invariant shows that the places, which ascend, are never all marked.
func (v invariant) excludes(places []int) bool {
	least := v.least
	for _, w := range v.weights {
		if _, found := slices.BinarySearch(places, w.Place); found {
			least += max(w.By, 0)
		}
	}
	return least > v.initially
}
