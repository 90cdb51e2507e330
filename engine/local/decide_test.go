package local_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/families"
	"github.com/redlinehq/redline/engine/local"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

func op(o ctl.Op, left *ctl.Formula) *ctl.Formula { return &ctl.Formula{Op: o, Left: left} }

// at is that a place is marked.
func at(n *petri.Net, name string) *ctl.Formula {
	for i, p := range n.Places {
		if p.Name == name {
			return &ctl.Formula{Op: ctl.Atom, Name: p.String(), Place: i}
		}
	}
	panic("no place " + name)
}

var stuck = op(ctl.AX, &ctl.Formula{Op: ctl.False})

// TestNearAnswers: in models of over 10^60 states, what lies near is found in few.
func TestNearAnswers(t *testing.T) {
	n := families.New("phil", 100).Net
	both := &ctl.Formula{Op: ctl.And, Left: at(n, "E_3"), Right: at(n, "E_70")}
	for _, test := range []struct {
		name   string
		f      *ctl.Formula
		holds  bool
		steps  int // of the run
		states int // at most
	}{
		{"all starve", op(ctl.EF, stuck), true, 100, 1000},
		{"two eat", op(ctl.EF, both), true, 4, 500},
		{"one may never eat", op(ctl.AF, at(n, "E_50")), false, 3, 1000},
		{"two may never eat", op(ctl.EG, op(ctl.Not, both)), true, 3, 1000},
		{"all may starve when one eats", op(ctl.EF, &ctl.Formula{Op: ctl.And, Left: at(n, "E_0"), Right: op(ctl.EF, stuck)}), true, 2, 20_000},
	} {
		a, err := local.Decide(context.Background(), n, petri.One, test.f, space.Limits{})
		switch {
		case err != nil || a.Why != nil || a.Holds != test.holds:
			t.Errorf("%s: %v, %v, %v", test.name, a.Holds, err, a.Why)
		case len(a.Evidence.Run.Steps) != test.steps || a.States > test.states:
			t.Errorf("%s: %d states, a run of %d steps", test.name, a.States, len(a.Evidence.Run.Steps))
		}
	}
}

// TestFewerStates: with stubborn sets, what can't be reached is seen in a fraction of the states.
func TestFewerStates(t *testing.T) {
	n := families.New("par", 5).Net
	f := op(ctl.EF, &ctl.Formula{Op: ctl.And, Left: at(n, "P3_0"), Right: at(n, "S0_0")})
	for whole, states := range map[bool]int{false: 5, true: 7776} {
		a, err := local.DecideFrom(context.Background(), 512, whole, n, petri.One, f, space.Limits{})
		if err != nil || a.Holds || a.States != states {
			t.Errorf("%v, %v, %d states, expected %d", a.Holds, err, a.States, states)
		}
	}
}

// TestUntilFiresAll: where the way matters and not its end alone, stubborn sets for the end would leave out the only good one.
func TestUntilFiresAll(t *testing.T) {
	n := families.New("par", 2).Net
	both := &ctl.Formula{Op: ctl.And, Left: at(n, "P1_0"), Right: at(n, "P1_1")}
	for _, waits := range []string{"P0_0", "P0_1"} {
		f := &ctl.Formula{Op: ctl.EU, Left: at(n, waits), Right: both}
		if a, err := local.Decide(context.Background(), n, petri.One, f, space.Limits{}); err != nil || !a.Holds {
			t.Errorf("%s: %v, %v", f.CTL(), a.Holds, err)
		}
	}
}

func TestLimits(t *testing.T) {
	f := families.New("seq", 30)
	for _, test := range []struct {
		limits space.Limits
		what   string
	}{{space.Limits{States: 5000}, "states"}, {space.Limits{Bytes: 1 << 20}, "memory"}, {space.Limits{Bytes: 1}, "memory"}} {
		_, err := local.Decide(context.Background(), f.Net, petri.One, f.Home, test.limits)
		var limit *space.LimitError
		if !errors.As(err, &limit) || limit.What != test.what {
			t.Errorf("%+v: %v", test.limits, err)
		}
	}
}

// TestFullButDecided: what one part needs too many states for, another may settle.
func TestFullButDecided(t *testing.T) {
	f := families.New("seq", 30)
	either := &ctl.Formula{Op: ctl.Or, Left: f.Home, Right: op(ctl.EF, at(f.Net, "P3_4"))}
	a, err := local.Decide(context.Background(), f.Net, petri.One, either, space.Limits{States: 5000})
	if err != nil || !a.Holds {
		t.Errorf("%v, %v", a.Holds, err)
	}
}

func TestCancel(t *testing.T) {
	f := families.New("seq", 200)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(200*time.Millisecond, func() { cancel(cause) })
	if _, err := local.Decide(ctx, f.Net, petri.One, f.Home, space.Limits{}); !errors.Is(err, cause) {
		t.Error(err)
	}
}

// TestContact: a net that is seen not to be one-safe has no verdict.
func TestContact(t *testing.T) {
	n := &petri.Net{Places: make([]petri.Place, 2), Initial: []int{0, 1}, Transitions: []petri.Transition{{In: []int{0}, Out: []int{1}}}}
	_, err := local.Decide(context.Background(), n, petri.One, op(ctl.AG, op(ctl.EX, &ctl.Formula{Op: ctl.True})), space.Limits{})
	var contact *space.ContactError
	if !errors.As(err, &contact) || contact.Place != 1 {
		t.Error(err)
	}
}

// TestSameEveryTime: the same run, among many that would do.
func TestSameEveryTime(t *testing.T) {
	n := families.New("philok", 40).Net
	f := op(ctl.EF, &ctl.Formula{Op: ctl.And, Left: at(n, "E_7"), Right: op(ctl.EG, op(ctl.Not, at(n, "E_1")))})
	first, err := local.Decide(context.Background(), n, petri.One, f, space.Limits{})
	for range 9 {
		again, err2 := local.Decide(context.Background(), n, petri.One, f, space.Limits{})
		if err != nil || err2 != nil || !reflect.DeepEqual(first, again) {
			t.Fatalf("%+v, then %+v", first, again)
		}
	}
}

// TestLongAndDeep: the work on a formula grows with its size, however it is nested.
func TestLongAndDeep(t *testing.T) {
	n := families.New("seq", 3).Net
	long, deep := at(n, "P0_0"), at(n, "P0_1")
	for i := range 100_000 {
		long = &ctl.Formula{Op: ctl.Or, Left: long, Right: at(n, "P3_2")}
		if i < 500 {
			deep = &ctl.Formula{Op: ctl.Iff, Left: at(n, "P3_2"), Right: deep}
		}
	}
	for _, f := range []*ctl.Formula{op(ctl.AG, long), op(ctl.EF, deep), op(ctl.AG, op(ctl.AF, deep))} {
		if a, err := local.Decide(context.Background(), n, petri.One, f, space.Limits{}); err != nil || a.Why != nil {
			t.Error(err, a.Why)
		}
	}
}
