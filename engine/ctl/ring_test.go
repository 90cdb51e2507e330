package ctl_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// A ring is n states in a row; the last leads back, to the first or another, when it is closed, else it is a
// dead end. Place p is marked in state p.
type ring struct {
	n      int
	closed bool
	back   int          // where the last leads
	count  func() error // called by Pre and Post; nil: they never fail
}

func (r ring) call() error {
	if r.count == nil {
		return nil
	}
	return r.count()
}

func (r ring) All() *big.Int {
	all := new(big.Int).Lsh(big.NewInt(1), uint(r.n))
	return all.Sub(all, big.NewInt(1))
}

func (r ring) Initial() *big.Int        { return big.NewInt(1) }
func (r ring) None() *big.Int           { return new(big.Int) }
func (r ring) Where(place int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(place)) }

func (r ring) Count(sum *ctl.Sum) *big.Int {
	at := new(big.Int)
	for s := range r.n {
		if sum.Holds(func(place int) bool { return place == s }) {
			at.SetBit(at, s, 1)
		}
	}
	return at
}

func (r ring) Dead() *big.Int {
	if r.closed {
		return new(big.Int)
	}
	return r.Where(r.n - 1)
}

func (r ring) Union(a, b *big.Int) *big.Int     { return new(big.Int).Or(a, b) }
func (r ring) Intersect(a, b *big.Int) *big.Int { return new(big.Int).And(a, b) }
func (r ring) Minus(a, b *big.Int) *big.Int     { return new(big.Int).AndNot(a, b) }
func (r ring) Equal(a, b *big.Int) bool         { return a.Cmp(b) == 0 }

func (r ring) Pre(_ context.Context, a *big.Int) (*big.Int, error) {
	before := new(big.Int).Rsh(a, 1)
	if r.closed && a.Bit(r.back) == 1 {
		before.SetBit(before, r.n-1, 1)
	}
	return before, r.call()
}

func (r ring) Post(_ context.Context, a *big.Int) (*big.Int, error) {
	after := new(big.Int).Lsh(a, 1)
	if r.closed && after.Bit(r.n) == 1 {
		after.SetBit(after, r.back, 1)
	}
	return after.SetBit(after, r.n, 0), r.call()
}

func (r ring) Until(ctx context.Context, a, b *big.Int) (*big.Int, error) {
	for {
		before, _ := r.Pre(ctx, b)
		next := r.Union(b, r.Intersect(a, before))
		if r.Equal(next, b) {
			return b, nil
		}
		b = next
	}
}

func (r ring) Always(ctx context.Context, a *big.Int) (*big.Int, error) {
	for {
		before, _ := r.Pre(ctx, a)
		next := r.Intersect(a, r.Union(before, r.Dead()))
		if r.Equal(next, a) {
			return a, nil
		}
		a = next
	}
}

func (r ring) Pick(a *big.Int) (*big.Int, petri.Marking) {
	first := int(a.TrailingZeroBits())
	return r.Where(first), petri.Marking{first}
}

func (r ring) Next(from, goal *big.Int) (*big.Int, petri.Marking) {
	after, _ := ring{n: r.n, closed: r.closed, back: r.back}.Post(context.Background(), from)
	return r.Pick(r.Intersect(after, goal))
}

// A run of more arcs than layers are kept, and than the search for the shortest lasso may take.
func TestLongRuns(t *testing.T) {
	const n = 5000
	for _, test := range []struct {
		model ring
		text  string
		loop  int
		dead  bool
	}{
		{ring{n: n}, "EF p", -1, false},
		{ring{n: n}, "EG true", -1, true},
		{ring{n: n, closed: true}, "EF p", -1, false},
		{ring{n: n, closed: true}, "EG true", 0, false},
	} {
		f, err := ctl.Parse(test.text)
		if err != nil {
			t.Fatal(err)
		}
		for a := range f.Atoms() {
			a.Place = n - 1
		}
		step := func(from, _ petri.Marking) []int { return []int{from[0]} }
		e, err := ctl.New(test.model).Explain(context.Background(), f, step)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Run.Markings) != n || e.Run.Loop != test.loop || e.Run.Dead != test.dead {
			t.Fatalf("%s in %v: %d markings, loop %d, dead %v", test.text, test.model, len(e.Run.Markings), e.Run.Loop, e.Run.Dead)
		}
		for i, m := range e.Run.Markings {
			if m[0] != i {
				t.Fatalf("%s: marking %d is state %d", test.text, i, m[0])
			}
		}
	}
}

// Also in long runs, whichever call of Pre or Post fails, and whenever the context ends, it comes out; and the search for the shortest lasso is given up.
func TestLongRunsFail(t *testing.T) {
	for _, test := range []struct {
		model ring
		text  string
		tries int // how many of the last calls are to fail, and how far they are apart
		apart int
	}{
		{ring{n: 2200}, "EF p", 12, 1}, // the way back, over layers that are not kept
		{ring{n: 1500, closed: true, back: 1400}, "EG true", 30, 200},
	} {
		f, err := ctl.Parse(test.text)
		if err != nil {
			t.Fatal(err)
		}
		for a := range f.Atoms() {
			a.Place = test.model.n - 1
		}
		calls, last := 0, 0
		var failed error
		var cancel context.CancelCauseFunc
		test.model.count = func() error {
			if calls++; calls != last {
				return nil
			}
			cancel(errSpent)
			return failed
		}
		explain := func() (*ctl.Evidence, error) {
			calls = 0
			var ctx context.Context
			ctx, cancel = context.WithCancelCause(context.Background())
			if failed != nil {
				ctx = context.Background()
			}
			return ctl.New(test.model).Explain(ctx, f, func(from, _ petri.Marking) []int { return []int{from[0]} })
		}
		e, err := explain()
		if err != nil {
			t.Fatal(err)
		}
		if test.model.closed && (e.Run.Loop != test.model.back || calls > 20_000) {
			t.Errorf("loop %d, after %d calls", e.Run.Loop, calls)
		}
		for total, n := calls, 0; n < test.tries; n++ {
			last = total - n*test.apart
			failed = errSpent
			if _, err := explain(); !errors.Is(err, errSpent) {
				t.Errorf("%s: call %d of %d fails, and then: %v", test.text, last, total, err)
			}
			failed = nil
			if e, err := explain(); !errors.Is(err, errSpent) && (err != nil || len(e.Run.Markings) != test.model.n) {
				t.Errorf("%s: the context ends at call %d of %d, and then: %v", test.text, last, total, err)
			}
		}
	}
}
