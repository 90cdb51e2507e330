package symbolic

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
)

// Contact returns a transition that is fireable in a reachable marking and would put a second token on a place, and that place. It returns -1,
// -1 if there is none; the net is then one-safe. Diagrams never fire into a contact, so the states are right up to the first one. Places of a
// component with one token cannot be in contact. The errors are those of the forest.
func (x *Model) Contact(ctx context.Context) (transition, place int, err error) {
	for t := range x.net.Transitions {
		for _, p := range x.net.Transitions[t].Out {
			v := &x.vars[x.of[p]]
			if !v.alone {
				continue
			}
			found, err := x.meets(ctx, t, p)
			if err != nil || found {
				return t, p, err
			}
		}
	}
	return -1, -1, nil
}

// meets reports whether transition t is fireable in some reachable marking in which the place is marked.
func (x *Model) meets(ctx context.Context, t, place int) (bool, error) {
	set, err := x.fireable(ctx, t)
	if err != nil || set == dd.Empty {
		return false, err
	}
	set, err = x.marked(ctx, set, []int{place})
	return set != dd.Empty, err
}
