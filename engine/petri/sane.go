package petri

import (
	"fmt"
	"slices"
)

// Sane checks what the rest of the program takes for granted of a net: that all indices are in
// range, lists of places are sorted without repetition, the three lists of a transition are
// disjoint, and parts are sorted by net. Its error names the first thing that is wrong; a net
// that package petri made never has one.
func (n *Net) Sane() error {
	if err := n.sanePlaces(n.Initial); err != nil {
		return fmt.Errorf("net %q: initial marking: %w", n.Name, err)
	}
	for i := range n.Transitions {
		if err := n.saneTransition(&n.Transitions[i]); err != nil {
			return fmt.Errorf("net %q: transition %d (%s): %w", n.Name, i, n.Transitions[i].Name, err)
		}
	}
	return nil
}

func (n *Net) saneTransition(t *Transition) error {
	for _, list := range [][]int{t.In, t.Out, t.Read} {
		if err := n.sanePlaces(list); err != nil {
			return err
		}
	}
	all := slices.Sorted(slices.Values(slices.Concat(t.In, t.Out, t.Read)))
	if err := n.sanePlaces(all); err != nil {
		return fmt.Errorf("inputs, outputs and reads together: %w", err)
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
