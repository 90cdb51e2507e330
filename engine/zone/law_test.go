package zone_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/zone"
)

// TestZonesAgreeWithTicks: what can be reached, what must come, and how, is the same with sets of values as with every tick, by a naive interpreter, on contracts with
// two to four clocks that overlap.
func TestZonesAgreeWithTicks(t *testing.T) {
	ticks(t, func(t *rapid.T, d *compile.Draft) *ctl.Formula { return drawChain(t, d, 3) })
}

// TestNestedZonesAgreeWithTicks: the same of formulas of EF, AG, E[ U ] and A[ W ] in any nesting, as far as they are decided: most are.
func TestNestedZonesAgreeWithTicks(t *testing.T) {
	ops := slices.Concat(testkit.Predicates, []ctl.Op{ctl.Implies, ctl.EF, ctl.AG, ctl.EU, ctl.AW})
	ticks(t, func(t *rapid.T, d *compile.Draft) *ctl.Formula {
		f := &ctl.Formula{Op: ctl.AG, Left: testkit.DrawOver(t, d, ops, false, rapid.IntRange(1, 4).Draw(t, "depth"))}
		if !f.Left.Temporal() {
			f.Left = &ctl.Formula{Op: ctl.EF, Left: f.Left}
		}
		return f
	})
}

// ticks holds what zones decide of random formulas against a naive interpreter that goes tick by tick.
func ticks(t *testing.T, draw func(*rapid.T, *compile.Draft) *ctl.Formula) {
	t.Helper()
	draws.SkipForRaces(t)
	rounds := 1
	if draws.All() {
		rounds = 30
	}
	verdicts, asked, stays := map[bool]int{}, 0, 0
	for range rounds {
		rapid.Check(t, func(t *rapid.T) {
			d := testkit.DraftOf(t, testkit.DrawAnyTimed(t, 6))
			g, safe := testkit.ExploreNaively(d)
			if !safe || len(g.Succ) > 3000 {
				t.Skip("contact, or too large for the naive interpreter")
			}
			for range 5 {
				f := draw(t, d)
				asked++
				if decided, holds := agrees(t, d, f, naive.Sat(g, f)[0]); decided {
					verdicts[holds]++
					if testkit.HasStays(d) {
						stays++
					}
				}
			}
		})
	}
	t.Logf("%d asked, %v, %d with stays", asked, verdicts, stays)
	if verdicts[true] < 50 || verdicts[false] < 50 || verdicts[true]+verdicts[false] < asked/2 || stays < 5 {
		t.Errorf("%d asked, %v, %d with stays", asked, verdicts, stays)
	}
}

// drawChain draws a formula that paths one after the other show or deny, mostly.
func drawChain(t *rapid.T, d *compile.Draft, depth int) *ctl.Formula {
	f := &ctl.Formula{Op: rapid.SampledFrom([]ctl.Op{ctl.EF, ctl.AG, ctl.EU, ctl.AW, ctl.AF, ctl.EG, ctl.AU, ctl.EW}).Draw(t, "op"), Left: drawPredicate(t, d)}
	switch f.Op {
	case ctl.EU, ctl.AW, ctl.AU, ctl.EW:
		f.Right = drawPredicate(t, d)
	}
	inner := &f.Left
	switch f.Op {
	case ctl.EU:
		inner = &f.Right
	case ctl.EF, ctl.AG, ctl.AW:
	default:
		return f
	}
	if depth > 1 && rapid.Bool().Draw(t, "nested") {
		op := map[ctl.Op]ctl.Op{ctl.EF: ctl.And, ctl.EU: ctl.And, ctl.AG: ctl.Implies, ctl.AW: ctl.Or}[f.Op]
		*inner = &ctl.Formula{Op: op, Left: *inner, Right: drawChain(t, d, depth-1)}
	}
	return f
}

func drawPredicate(t *rapid.T, d *compile.Draft) *ctl.Formula {
	return testkit.DrawOver(t, d, testkit.Predicates, false, rapid.IntRange(0, 2).Draw(t, "depth"))
}

// agrees asks a formula, compares the verdict and replays the run.
func agrees(t interface{ Fatalf(string, ...any) }, d *compile.Draft, f *ctl.Formula, want bool) (decided, holds bool) {
	value := func(m petri.Marking, f *ctl.Formula) bool { return testkit.Value(f, m) }
	holds, e, ok, err := zone.Decide(context.Background(), d.Net, d.ClockPlaces(), f, value, space.Limits{})
	if err != nil {
		t.Fatalf("%s: %v\n%s", f.CTL(), err, testkit.Describe(d))
	}
	if !ok {
		return false, false
	}
	if holds != want {
		t.Fatalf("%s: %t, with ticks %t\n%s", f.CTL(), holds, want, testkit.Describe(d))
	}
	if e != nil {
		err = explain.Replay(d.Net, petri.One, explain.Runs{}, e)
	}
	if err != nil || !holds && e == nil {
		t.Fatalf("%s: %v: %+v\n%s", f.CTL(), err, e, testkit.Describe(d))
	}
	return true, holds
}

// TestNoCommonDivisor: two deadlines of n ticks, the second of which begins while the first runs. One may be missed while the other is still owed unless n is 1, so
// durations can't be divided by what they have in common.
func TestNoCommonDivisor(t *testing.T) {
	for n, want := range map[int]bool{1: false, 2: true, 3: true, 30: true, 90: true, 900: true} {
		text := `contract "c" {}
party "p" {}
event "b" { by = p }
event "c" {
  by         = p
  only_while = ob.owed
}
event "d" { by = p }
`
		for _, o := range []string{"b", "c"} {
			text += fmt.Sprintf("obligation \"o%s\" {\n  bearer = p\n  when = %s\n  fulfil = d\n  within = %d\n}\n", o, o, n)
		}
		d := testkit.DraftOf(t, text+"requirement \"r\" { ctl = \"EF (ob.breached && oc.owed)\" }\n")
		if decided, _ := agrees(t, d, d.Formulas[0], want); !decided {
			t.Errorf("within %d: not decided", n)
		}
	}
}

// TestTickIsOneStep: a duty that begins by the tick on which another is breached has not had that tick.
func TestTickIsOneStep(t *testing.T) {
	text := `contract "c" {}
party "p" {}
event "b" { by = p }
event "d" { by = p }
`
	for _, o := range []struct {
		name, when string
		within     int
	}{{"first", "b", 3}, {"second", "first.breached", 2}, {"other", "b", 5}, {"longer", "b", 6}} {
		text += fmt.Sprintf("obligation %q {\n  bearer = p\n  when = %s\n  fulfil = d\n  within = %d\n}\n", o.name, o.when, o.within)
	}
	for ctl, want := range map[string]bool{
		"EF (second.breached && other.owed)": false, "EF (other.breached && second.owed)": false,
		"EF (second.breached && longer.owed)": true, "AG (!second.breached || other.breached)": true,
	} {
		d := testkit.DraftOf(t, text+"requirement \"r\" { ctl = \""+ctl+"\" }\n")
		if decided, _ := agrees(t, d, d.Formulas[0], want); !decided {
			t.Errorf("%s: not decided", ctl)
		}
	}
}

// TestClockGoesRound: while a clock starts anew on its last tick time passes for ever, also if nothing else is said of the clock.
func TestClockGoesRound(t *testing.T) {
	n := &petri.Net{Places: make([]petri.Place, 4), Initial: []int{1, 2}, Transitions: []petri.Transition{
		{Name: "tick", Event: -1, Moving: true, Moves: []petri.Move{{From: 0, To: 1}, {From: 1, To: 0}}},
		{Name: "act", Event: -1, In: []int{2}, Out: []int{3}}}}
	comes := &ctl.Formula{Op: ctl.AF, Left: &ctl.Formula{Op: ctl.Atom, Name: "done", Place: 3}}
	value := func(m petri.Marking, f *ctl.Formula) bool { return testkit.Value(f, m) }
	if holds, e, ok, err := zone.Decide(context.Background(), n, [][]int{{0, 1}}, comes, value, space.Limits{}); holds || e == nil || !ok || err != nil {
		t.Errorf("%t, %+v, %t, %v", holds, e, ok, err)
	}
}
