package symbolic

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
)

// Contact returns a transition that is fireable in a reachable marking and would put a second token on a place, and the states in which it would.
// It returns -1 and the empty set if there is none; the net is then one-safe. Diagrams never fire into a contact, so the states are right up to
// the first one. Places of a component with one token cannot be in contact. The errors are those of the forest, and ErrNotSymbolic.
func (x *Model) Contact(ctx context.Context) (transition int, in dd.Node, err error) {
	for t := range x.net.Transitions {
		if !x.unsure(t) {
			continue
		}
		in, err := x.tested(ctx, testKey{t, purpose{some: x.net.Transitions[t].Moving, test: true, clash: true}})
		if err != nil || in != dd.Empty {
			return t, in, err
		}
	}
	return -1, dd.Empty, nil
}

// unsure reports whether a transition can mark a place that is in no component.
func (e *encoding) unsure(t int) bool {
	of := &e.net.Transitions[t]
	alone := func(p int) bool { return e.vars[e.of[p]].alone }
	return slices.ContainsFunc(of.Out, alone) || slices.ContainsFunc(of.Moves, func(v petri.Move) bool { return !v.Stays() && alone(v.To) })
}
