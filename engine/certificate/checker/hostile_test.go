package checker

import (
	"context"
	"errors"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// TestHostileSetsEnd has a set of 2^59 markings in some hundred bytes: looking at them one by one ends at a limit.
func TestHostileSetsEnd(t *testing.T) {
	const places = 60
	net := &petri.Net{Name: "n", Places: make([]petri.Place, places), Initial: []int{0}}
	for i := range places {
		net.Transitions = append(net.Transitions, petri.Transition{Name: "t", In: []int{i}, Event: -1})
	}
	f := &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.Not, Left: &ctl.Formula{Op: ctl.Atom, Place: places - 1, Name: "p"}}}
	c := &Certificate{Holds: true}
	n := Blank
	for level := places - 1; level >= 0; level-- {
		c.Order = append(c.Order, places-1-level)
		if level < places-1 { // all markings without the last place
			c.Nodes = append(c.Nodes, Part{level, n, n})
			n = Node(len(c.Nodes) + 1)
		}
	}
	c.Sets = [][]Ring{{{n, -1}}}
	if err := Check(context.Background(), c, Problem{Net: net}, f, Limits{}); err != nil {
		t.Errorf("on diagrams: %v", err)
	}
	if err := Check(context.Background(), c, Problem{Net: net}, f, Limits{Nodes: 50}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("within 50 nodes: %v", err)
	}
	if err := Check(context.Background(), c, Problem{Net: net, Rule: petri.All}, f, Limits{Visits: 1000}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("within 1000 visits: %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	if err := Check(ctx, c, Problem{Net: net, Rule: petri.All}, f, Limits{}); !errors.Is(err, reason) {
		t.Errorf("when it is cancelled: %v", err)
	}
}
