package symbolic

import (
	"context"

	"github.com/redlinehq/redline/engine/dd"
)

// Contact finds a transition that is fireable in a reachable marking and would put a second token on a place;
// -1, -1 when there is none, and the net is one-safe. No transition was fired into a contact, so what was reached is right
// up to the first. Places of a component with one token can't be in contact.
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

// meets reports whether a transition is fireable somewhere where a place is marked.
func (x *Model) meets(ctx context.Context, t, place int) (bool, error) {
	set, err := x.fireable(ctx, t)
	if err != nil || set == dd.Empty {
		return false, err
	}
	set, err = x.marked(ctx, set, []int{place})
	return set != dd.Empty, err
}
