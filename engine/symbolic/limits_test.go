package symbolic_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/families"
	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// A lookout is a context that counts how often it is looked at, and ends after so many looks.
type lookout struct {
	context.Context
	looks, last int
}

var errLast = errors.New("that was the last look")

func (w *lookout) Err() error {
	if w.looks++; w.looks > w.last {
		return errLast
	}
	return nil
}

// tangle is a net in which components with one token are looked for in vain.
func tangle(places, transitions, arcs int) *petri.Net {
	r := rand.New(rand.NewPCG(1, 2))
	n := &petri.Net{Name: "tangle", Places: make([]petri.Place, places), Initial: []int{0, 1}}
	for range transitions {
		all := r.Perm(places)[:2*arcs]
		in, out := all[:arcs], all[arcs:]
		slices.Sort(in)
		slices.Sort(out)
		n.Transitions = append(n.Transitions, petri.Transition{Event: -1, In: in, Out: out})
	}
	return n
}

// ring is one party of many states.
func ring(states int) *petri.Net {
	n := &petri.Net{Name: "ring", Places: make([]petri.Place, states), Initial: []int{0}}
	for p := range states {
		n.Transitions = append(n.Transitions, petri.Transition{Event: -1, In: []int{p}, Out: []int{(p + 1) % states}})
	}
	return n
}

// looksUp checks that work looks at its context so often at least, and ends when that does.
func looksUp(t *testing.T, name string, least, cuts int, work func(ctx context.Context) error) {
	t.Helper()
	w := &lookout{context.Background(), 0, 1 << 30}
	if err := work(w); err != nil {
		t.Fatal(err)
	}
	if w.looks < least {
		t.Errorf("%s: %d looks, expected %d", name, w.looks, least)
	}
	all := w.looks
	for i := range cuts {
		w := &lookout{context.Background(), 0, i * all / cuts}
		if err := work(w); !errors.Is(err, errLast) || w.looks > w.last+8 {
			t.Errorf("%s: %v after %d looks of %d", name, err, w.looks, w.last)
		}
	}
}

// TestReachLooksUp: however large the net, a model in the making looks at its context again and again, and ends when that does.
func TestReachLooksUp(t *testing.T) {
	draws.SkipForRaces(t)
	for _, c := range []struct {
		net         *petri.Net
		least, cuts int
	}{
		{tangle(500, 500, 3), 500, 2}, {ring(5000), 10, 3}, {families.New("bar", 500).Net, 5, 5}, {families.New("slot", 30).Net, 10, 5},
	} {
		looksUp(t, c.net.Name, c.least, c.cuts, func(ctx context.Context) error {
			_, err := symbolic.Reach(ctx, c.net, space.Limits{})
			return err
		})
	}
}

// TestDiagramsLookUp: the same of what is asked of a model, which is made anew each time, since results are remembered.
func TestDiagramsLookUp(t *testing.T) {
	n := families.New("slot", 25).Net
	all := make([]int, len(n.Transitions))
	for i := range all {
		all[i] = i
	}
	const half = 90
	for name, ask := range map[string]func(ctx context.Context, s symbolic.Diagrams, x *symbolic.Model) error{
		"Pre": func(ctx context.Context, s symbolic.Diagrams, x *symbolic.Model) error {
			return failure(s.Pre(ctx, s.Where(half)))
		},
		"Until": func(ctx context.Context, s symbolic.Diagrams, x *symbolic.Model) error {
			return failure(s.Until(ctx, s.All(), s.Initial()))
		},
		"Always": func(ctx context.Context, s symbolic.Diagrams, x *symbolic.Model) error {
			return failure(s.Always(ctx, s.Minus(s.All(), s.Where(half))))
		},
		"Fair": func(ctx context.Context, s symbolic.Diagrams, x *symbolic.Model) error {
			f := x.Fair(ctx, [][]int{all[:half], all[half:]})
			return failure(f.Always(ctx, f.Minus(f.All(), f.Where(half))))
		},
		"Fireable": func(ctx context.Context, s symbolic.Diagrams, x *symbolic.Model) error {
			s.Fireable(half)
			return nil
		},
		"Cardinality": func(ctx context.Context, s symbolic.Diagrams, x *symbolic.Model) error {
			return failure(x.Cardinality(ctx, s.All()))
		},
		"Stats": func(ctx context.Context, s symbolic.Diagrams, x *symbolic.Model) error { return failure(x.Stats(ctx)) },
	} {
		looksUp(t, name, 1, 2, func(ctx context.Context) (err error) {
			defer halt.Caught(&err)
			x := reach(t, n)
			return ask(ctx, x.Sets(ctx), x)
		})
	}
}

// TestSymbolicMemory: what a model says that it takes is what the process grows by, and within the limit; also where it met the limit.
func TestSymbolicMemory(t *testing.T) {
	for _, limit := range []int64{0, 12 << 20, 1 << 20} {
		n := families.New("slot", 100).Net
		before := testnets.Heap()
		x, err := symbolic.Reach(context.Background(), n, space.Limits{Bytes: limit})
		var full *dd.LimitError
		if limit > 0 != errors.As(err, &full) || limit == 0 && err != nil {
			t.Fatal(err)
		}
		grown := testnets.Heap() - before
		runtime.KeepAlive(n)
		if x.Bytes() > limit && limit > 0 {
			t.Errorf("%d bytes, over the limit of %d", x.Bytes(), limit)
		}
		if grown > x.Bytes()*11/10+1<<19 || grown < x.Bytes()*9/10-1<<19 {
			t.Errorf("the process has grown by %d bytes, the model says %d; limit %d", grown, x.Bytes(), limit)
		}
		runtime.KeepAlive(x)
	}
}

func failure[T any](_ T, err error) error { return err }

// TestChoicesMultiply: one step may take the token of each of forty places to one place. What all of these choices come to together is no more than
// the relation of a step may cost, so the net is refused and not gone through.
func TestChoicesMultiply(t *testing.T) {
	const choices = 40
	n := &petri.Net{Name: "choices", Places: make([]petri.Place, 1+2*choices)}
	step := petri.Transition{Event: -1, Moving: true}
	for i := 1; i <= choices; i++ {
		from, condition := i, choices+i
		n.Initial = append(n.Initial, from)
		n.Transitions = append(n.Transitions, petri.Transition{Event: -1, Out: []int{condition}})
		step.Moves = append(step.Moves, petri.Move{If: []int{condition}, From: from, To: 0})
	}
	n.Transitions = append(n.Transitions, step)
	w := &lookout{Context: t.Context(), last: 1000} // it looks 69 times; where choices multiply, 10,000 times
	if _, err := symbolic.Reach(w, n, space.Limits{}); !errors.Is(err, symbolic.ErrNotSymbolic) {
		t.Error(err)
	}
}
