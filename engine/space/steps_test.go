package space

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/redlinehq/redline/engine/petri"
)

// pairs is a net of n places, each with two transitions that compete for it: 2^n steps.
func pairs(n int) *petri.Net {
	net := &petri.Net{}
	for p := range n {
		net.Places = append(net.Places, petri.Place{Name: fmt.Sprint(p)})
		net.Initial = append(net.Initial, p)
		net.Transitions = append(net.Transitions, petri.Transition{In: []int{p}}, petri.Transition{In: []int{p}})
	}
	return net
}

func TestStepsStopWhenCancelled(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	n, seen := pairs(40), 0
	all := make([]int, len(n.Transitions))
	for i := range all {
		all[i] = i
	}
	err := newFirer(n).steps(ctx, all, func([]int) error {
		seen++
		cancel(cause)
		return nil
	})
	if !errors.Is(err, cause) || seen > 4096 {
		t.Errorf("after %d steps: %v", seen, err)
	}
}

func TestStepsAreLimited(t *testing.T) {
	_, err := Explore(context.Background(), pairs(40), petri.All, Limits{Bytes: 1 << 20})
	var l *LimitError
	if !errors.As(err, &l) || l.What != "memory" || l.Explored != 2 {
		t.Errorf("expected a limit of memory, have %v", err)
	}
}

// TestStepsWithoutDetours: a reader of everything beside many that compete for nothing is left
// only once, not at the end of every choice.
func TestStepsWithoutDetours(t *testing.T) {
	n := pairs(14)
	n.Transitions = append([]petri.Transition{{Read: n.Initial}}, n.Transitions...)
	f, all := newFirer(n), make([]int, len(n.Transitions))
	for i := range all {
		all[i] = i
	}
	c := &chooser{ts: all, rivals: f.rivals(all), taken: make([]int, len(all)), visit: func([]int) error { return nil }}
	if err := c.choose(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	if c.tries > 8<<14 {
		t.Errorf("%d tries for %d steps", c.tries, 1<<14+1)
	}
}
