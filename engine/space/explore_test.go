package space_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

func TestExploreAgreesWithDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, r := testnets.AnyNet(t), testnets.AnyRule(t)
		want := testnets.Naively(n, r)
		g, err := space.Explore(context.Background(), n, r, space.Limits{})
		if want.Contact != nil {
			sameContact(t, want, err)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		sameGraph(t, want, g)
	})
}

func sameContact(t *rapid.T, want *testnets.Naive, err error) {
	var c *space.ContactError
	if !errors.As(err, &c) {
		t.Fatalf("expected contact, have %v", err)
	}
	if c.Place != want.Place || !slices.Equal(c.Steps[len(c.Steps)-1], want.Bad) {
		t.Fatalf("contact by %v in %d, expected %v in %d", c.Steps, c.Place, want.Bad, want.Place)
	}
	if len(c.Markings) != len(want.Contact) || len(c.Steps) != len(c.Markings) {
		t.Fatalf("run of %d markings, %d steps, expected %d", len(c.Markings), len(c.Steps), len(want.Contact))
	}
	for i, s := range want.Contact {
		if !slices.Equal(c.Markings[i], want.Marks[s]) {
			t.Fatalf("marking %d is %v, expected %v", i, c.Markings[i], want.Marks[s])
		}
		if i > 0 {
			p := want.Contact[i-1]
			if step := want.Steps[p][slices.Index(want.Succ[p], s)]; !slices.Equal(c.Steps[i-1], step) {
				t.Fatalf("step %d is %v, expected %v", i-1, c.Steps[i-1], step)
			}
		}
	}
}

func sameGraph(t *rapid.T, want *testnets.Naive, g *space.Graph) {
	arcs, dead := 0, 0
	if g.Len() != len(want.Marks) {
		t.Fatalf("%d states, expected %d", g.Len(), len(want.Marks))
	}
	for s, m := range want.Marks {
		arcs += len(want.Succ[s])
		if len(want.Succ[s]) == 0 {
			dead++
		}
		if !slices.Equal(g.Marking(s), m) {
			t.Fatalf("state %d is %v, expected %v", s, g.Marking(s), m)
		}
		if !slices.EqualFunc(g.Succ(s), want.Succ[s], func(a uint32, b int) bool { return int(a) == b }) {
			t.Fatalf("state %d leads to %v, expected %v", s, g.Succ(s), want.Succ[s])
		}
		if !slices.EqualFunc(g.Steps(s), want.Steps[s], slices.Equal[[]int]) {
			t.Fatalf("state %d fires %v, expected %v", s, g.Steps(s), want.Steps[s])
		}
		if found, ok := g.Find(m); !ok || found != s {
			t.Fatalf("Find(%v) = %d, %v, expected %d", m, found, ok, s)
		}
	}
	if g.Arcs() != arcs || g.DeadEnds() != dead {
		t.Fatalf("%d arcs, %d dead ends, expected %d, %d", g.Arcs(), g.DeadEnds(), arcs, dead)
	}
}

// TestMoveMakesNoRoom: what one transition of a step moves away is no room for what another produces.
func TestMoveMakesNoRoom(t *testing.T) {
	n := &petri.Net{Places: make([]petri.Place, 3), Initial: []int{0, 1}, Transitions: []petri.Transition{
		{Moves: []petri.Move{{From: 1, To: 2}}},
		{In: []int{0}, Out: []int{1}},
	}}
	want := testnets.Naively(n, petri.All)
	_, err := space.Explore(context.Background(), n, petri.All, space.Limits{})
	var c *space.ContactError
	if !errors.As(err, &c) || c.Place != 1 || len(c.Steps) != 1 || want.Place != 1 || want.Contact == nil {
		t.Errorf("explored: %v; by definition contact in %d", err, want.Place)
	}
}

func TestFindUnreachable(t *testing.T) {
	g := testnets.Explore(t, testnets.SequentialSale(2), petri.One)
	for _, m := range []petri.Marking{{}, {0, 1}, {-1}, {1000}} {
		if s, ok := g.Find(m); ok {
			t.Errorf("Find(%v) = %d", m, s)
		}
	}
}

// TestNumbering: states appear as targets in the order of their numbers, on nets large enough to
// fill several pages.
func TestNumbering(t *testing.T) {
	for _, n := range []*petri.Net{testnets.SequentialSale(10), testnets.ParallelSale(5), testnets.Sale(6)} {
		for _, r := range []petri.Rule{petri.One, petri.All} {
			g, next := testnets.Explore(t, n, r), 1
			for s := range g.Len() {
				for _, to := range g.Succ(s) {
					if int(to) > next {
						t.Fatalf("%s, %v: state %d leads to %d before %d", n.Name, r, s, to, next)
					}
					if int(to) == next {
						next++
					}
				}
			}
			if next != g.Len() {
				t.Errorf("%s, %v: %d of %d states are targets", n.Name, r, next, g.Len())
			}
		}
	}
}

func TestFamilies(t *testing.T) {
	for _, c := range []struct {
		net    *petri.Net
		states int
	}{{testnets.SequentialSale(1), 6}, {testnets.SequentialSale(4), 96}, {testnets.SequentialSale(12), 57344}, {testnets.ParallelSale(1), 6}, {testnets.ParallelSale(5), 7776}} {
		if g := testnets.Explore(t, c.net, petri.One); g.Len() != c.states || g.DeadEnds() != 0 {
			t.Errorf("%s: %d states, %d dead ends, expected %d, 0", c.net.Name, g.Len(), g.DeadEnds(), c.states)
		}
	}
}

func TestNothingToFire(t *testing.T) {
	for _, n := range []*petri.Net{{}, {Places: make([]petri.Place, 1), Initial: []int{0}}} {
		if g := testnets.Explore(t, n, petri.All); g.Len() != 1 || g.Arcs() != 0 || g.DeadEnds() != 1 {
			t.Errorf("%d states, %d arcs, %d dead ends", g.Len(), g.Arcs(), g.DeadEnds())
		}
	}
	idle := &petri.Net{Transitions: make([]petri.Transition, 2)}
	if g := testnets.Explore(t, idle, petri.One); g.Len() != 1 || g.Arcs() != 2 {
		t.Errorf("two transitions without places: %d states, %d arcs", g.Len(), g.Arcs())
	}
	if g := testnets.Explore(t, idle, petri.All); g.Len() != 1 || g.Arcs() != 1 {
		t.Errorf("two transitions without places, together: %d states, %d arcs", g.Len(), g.Arcs())
	}
}

func TestLimitOfStates(t *testing.T) {
	n := testnets.SequentialSale(5)
	if _, err := space.Explore(context.Background(), n, petri.One, space.Limits{States: 224}); err != nil {
		t.Error(err)
	}
	_, err := space.Explore(context.Background(), n, petri.One, space.Limits{States: 223})
	want := &space.LimitError{What: "states", Limit: 223, Explored: 223}
	if !reflect.DeepEqual(err, want) {
		t.Errorf("have %#v, expected %#v", err, want)
	}
}

func TestLimitOfMemory(t *testing.T) {
	n, full := testnets.SequentialSale(9), testnets.Explore(t, testnets.SequentialSale(9), petri.One)
	var l *space.LimitError
	for limit := int64(1); ; limit += limit/8 + 1 {
		g, err := space.Explore(context.Background(), n, petri.One, space.Limits{Bytes: limit})
		if err == nil {
			if g.Bytes() > limit || g.Bytes() != full.Bytes() {
				t.Errorf("%d bytes, limit %d, expected %d", g.Bytes(), limit, full.Bytes())
			}
			break
		}
		if !errors.As(err, &l) || l.What != "memory" || l.Limit != limit || limit > 2*full.Bytes() {
			t.Fatalf("limit %d of %d: %v", limit, full.Bytes(), err)
		}
	}
	if l.Explored == 0 || l.Explored > full.Len() {
		t.Errorf("%d states explored", l.Explored)
	}
}

// TestLimitOfMemoryBackwards: the arcs backwards count too, and what did not fit is not kept.
func TestLimitOfMemoryBackwards(t *testing.T) {
	g, err := space.Explore(context.Background(), testnets.Sale(1), petri.One, space.Limits{Bytes: 400})
	if err != nil {
		t.Fatal(err)
	}
	before := g.Bytes()
	var l *space.LimitError
	if _, err := g.Sets().Pre(context.Background(), g.Sets().All()); !errors.As(err, &l) || l.Explored != 10 {
		t.Errorf("expected a limit, have %v", err)
	}
	if g.Bytes() != before {
		t.Errorf("%d bytes, before %d", g.Bytes(), before)
	}
}

// TestBytes holds what a graph says it takes against what the allocator says.
func TestBytes(t *testing.T) {
	n := testnets.ParallelSale(6)
	before := testnets.Heap()
	g := testnets.Explore(t, n, petri.One)
	x := g.Sets()
	if _, err := x.Pre(context.Background(), x.Initial()); err != nil {
		t.Fatal(err)
	}
	took := float64(testnets.Heap() - before)
	if said := float64(g.Bytes()); said < 0.9*took || said > 1.1*took {
		t.Errorf("says %v bytes, took %v", said, took)
	}
	if per := float64(g.Bytes()) / float64(g.Len()); per > 100 {
		t.Errorf("%v bytes a state", per)
	}
}

func TestCancel(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	seen := 0
	watch := func(states, arcs int) {
		if seen = states; states > 1000 {
			cancel(cause)
		}
	}
	_, err := space.Explore(ctx, testnets.SequentialSale(12), petri.One, space.Limits{Progress: watch})
	if !errors.Is(err, cause) || seen <= 1000 || seen > 50000 {
		t.Errorf("after %d states: %v", seen, err)
	}
}
