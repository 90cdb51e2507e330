package product_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/symbolic"
)

// senseOf has all places that both sides have in common mean something.
func senseOf(v *versions) (sense [2][]int) {
	for side, n := range v.nets {
		for p := range n.Places {
			sense[side] = append(sense[side], p)
		}
	}
	return sense
}

// TestCancelled: who cancels has an answer at once.
func TestCancelled(t *testing.T) {
	v := amended("bar", 200, func(n *petri.Net) { reads(n, "ship_0", "P1_0") })
	w, err := product.New(t.Context(), v.nets[product.Base], v.nets[product.Head], v.like)
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("enough")
	for _, after := range []time.Duration{0, 20 * time.Millisecond, 150 * time.Millisecond} {
		ctx, cancel := context.WithCancelCause(t.Context())
		timer := time.AfterFunc(after, func() { cancel(cause) })
		a, err := w.Compare(ctx, v.observer, v.like, 5, product.Limits{})
		if after > 0 && err == nil {
			continue // a fast machine was done before
		}
		if !errors.Is(err, cause) || len(a.Possible)+len(a.Impossible) > 0 {
			t.Errorf("cancelled after %v: %+v, %v", after, a, err)
		}
		if _, err = w.CompareStates(ctx, senseOf(v), 3, product.Limits{}); !errors.Is(err, cause) {
			t.Errorf("states, cancelled after %v: %v", after, err)
		}
		if _, err = product.New(ctx, v.nets[product.Base], v.nets[product.Head], v.like); !errors.Is(err, cause) {
			t.Errorf("begun after the end: %v", err)
		}
		timer.Stop()
	}
}

// TestMemory: too little memory is an error, and nothing is guessed.
func TestMemory(t *testing.T) {
	v := amended("par", 100, func(n *petri.Net) { reads(n, "browse_1", "S0_1") })
	w, err := product.New(t.Context(), v.nets[product.Base], v.nets[product.Head], v.like)
	if err != nil {
		t.Fatal(err)
	}
	var limit *dd.LimitError
	whole, err := w.Compare(t.Context(), v.observer, v.like, 5, product.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for bytes := int64(1 << 10); bytes < 1<<28; bytes *= 2 {
		a, err := w.Compare(t.Context(), v.observer, v.like, 5, product.Limits{Bytes: bytes})
		if err != nil && !errors.As(err, &limit) {
			t.Fatal(err)
		}
		if err == nil && !reflect.DeepEqual(a, whole) || a.Relation != delta.Unknown && a.Relation != whole.Relation {
			t.Errorf("within %d bytes: %+v, %v", bytes, a, err)
		}
		if s, err := w.CompareStates(t.Context(), senseOf(v), 3, product.Limits{Bytes: bytes}); err != nil && !errors.As(err, &limit) || s == nil && err == nil {
			t.Errorf("states within %d bytes: %v", bytes, err)
		}
	}
	if limit == nil {
		t.Error("1 KiB is enough")
	}
}

// TestMirror: the other way round everything is the other way round; what corresponds, and so the order of variables, changes nothing.
func TestMirror(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyVersions(t)
		there := compare(t, v, 3)
		v.nets[0], v.nets[1] = v.nets[1], v.nets[0]
		v.like[0], v.like[1] = v.like[1], v.like[0]
		v.observer.Labels[0], v.observer.Labels[1] = v.observer.Labels[1], v.observer.Labels[0]
		back := compare(t, v, 3)
		if there.Relation != back.Relation.Mirror() || len(there.Possible) != len(back.Impossible) || len(there.Impossible) != len(back.Possible) {
			t.Fatalf("%+v, and the other way round %+v", there, back)
		}
		if again := compare(t, v, 3); !reflect.DeepEqual(again, back) {
			t.Fatalf("%+v, then %+v", back, again)
		}
	})
}

// TestTooTangled: of nets for which diagrams are not made there is nothing to compare, not versions without an order of variables.
func TestTooTangled(t *testing.T) {
	const choices = 40 // of which each may take a token to one place
	n := &petri.Net{Name: "choices", Places: make([]petri.Place, 1+2*choices)}
	step := petri.Transition{Event: -1, Moving: true}
	like := [2][]int{}
	for i := 1; i <= choices; i++ {
		n.Initial = append(n.Initial, i)
		n.Transitions = append(n.Transitions, petri.Transition{Event: -1, Out: []int{choices + i}})
		step.Moves = append(step.Moves, petri.Move{If: []int{choices + i}, From: i, To: 0})
	}
	n.Transitions = append(n.Transitions, step)
	for i := range n.Transitions {
		like[0], like[1] = append(like[0], i), append(like[1], i)
	}
	if v, err := product.New(t.Context(), n, n, like); v != nil || !errors.Is(err, symbolic.ErrNotSymbolic) {
		t.Errorf("versions: %t, %v", v != nil, err)
	}
}
