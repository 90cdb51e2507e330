package petri

import (
	"fmt"
	"slices"
)

// Sane checks what the rest of the program takes for granted of a net: that all indices are in
// range, lists of places are sorted without repetition, the three lists of a transition are
// disjoint and hold no history place, and parts are sorted by net. Its error names the first thing that is wrong; a net
// that package petri made never has one.
func (n *Net) Sane() error {
	if err := n.sanePlaces(n.Initial); err != nil {
		return fmt.Errorf("net %q: initial marking: %w", n.Name, err)
	}
	history := n.history()
	for i := range n.Transitions {
		if err := n.saneTransition(&n.Transitions[i], history); err != nil {
			return fmt.Errorf("net %q: transition %d (%s): %w", n.Name, i, n.Transitions[i].Name, err)
		}
	}
	return nil
}

// history lists the history places.
func (n *Net) history() []int {
	var all []int
	for i := range n.Transitions {
		all = append(all, n.Transitions[i].Marks...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (n *Net) saneTransition(t *Transition, history []int) error {
	for _, list := range [][]int{t.In, t.Out, t.Read, t.Marks} {
		if err := n.sanePlaces(list); err != nil {
			return err
		}
	}
	for _, p := range slices.Concat(t.In, t.Out, t.Read) {
		if _, found := slices.BinarySearch(history, p); found {
			return fmt.Errorf("place %d is one of history, on which nothing may depend", p)
		}
	}
	all := slices.Sorted(slices.Values(slices.Concat(t.In, t.Out, t.Read)))
	if err := n.sanePlaces(all); err != nil {
		return fmt.Errorf("inputs, outputs and reads together: %w", err)
	}
	if err := n.saneMoves(t); err != nil {
		return err
	}
	if !slices.IsSortedFunc(t.Parts, func(a, b Part) int { return a.Net - b.Net }) {
		return fmt.Errorf("parts %v are not sorted by net", t.Parts)
	}
	return nil
}

// sanePlaces checks that the places exist and strictly ascend.
func (n *Net) sanePlaces(list []int) error {
	for i, p := range list {
		if p < 0 || p >= len(n.Places) {
			return fmt.Errorf("no place %d among %d", p, len(n.Places))
		}
		if i > 0 && list[i-1] >= p {
			return fmt.Errorf("places %v are not strictly ascending", list)
		}
	}
	return nil
}
