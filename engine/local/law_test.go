package local_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/local"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// TestDecideAgreesWithDefinitions: verdicts of formulas nested in each other, and the runs that show them.
func TestDecideAgreesWithDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, r := anyNet(t), rapid.SampledFrom([]petri.Rule{petri.One, petri.One, petri.All}).Draw(t, "rule")
		x := explore(n, r)
		if x == nil {
			t.Skip("not one-safe")
		}
		decide(t, n, r, x, anyFormula(t, n, rapid.IntRange(1, 5).Draw(t, "depth")))
	})
}

// TestReachabilityAgreesWithDefinitions: where stubborn sets are used.
func TestReachabilityAgreesWithDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNet(t)
		x := explore(n, petri.One)
		if x == nil {
			t.Skip("not one-safe")
		}
		for range 4 {
			f := &ctl.Formula{Op: ctl.EF, Left: anyPredicate(t, n, rapid.IntRange(0, 3).Draw(t, "depth"))}
			switch rapid.IntRange(0, 4).Draw(t, "operator") {
			case 0, 1:
				f.Op = ctl.AG
			case 2:
				f.Op, f.Right = ctl.EU, anyPredicate(t, n, 2)
			}
			if rapid.IntRange(0, 3).Draw(t, "nested") == 0 {
				f = &ctl.Formula{Op: rapid.SampledFrom([]ctl.Op{ctl.AG, ctl.EF, ctl.AF, ctl.EG}).Draw(t, "outer"), Left: f}
			}
			decide(t, n, petri.One, x, f)
		}
	})
}

// TestSearchesInSearchesAgreeWithDefinitions: with little effort those within are left open where those around them are not; and
// ways, on which not every state is good, matter as much as their ends.
func TestSearchesInSearchesAgreeWithDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := &petri.Net{Name: "net"}
		parties(t, n)
		x := explore(n, petri.One)
		for range 4 {
			inner := anyPath(t, n, anyPredicate(t, n, 1))
			decide(t, n, petri.One, x, inner)
			here := &ctl.Formula{Op: ctl.And, Left: anyAtom(t, n), Right: inner} // and maybe not where it leads to
			decide(t, n, petri.One, x, anyPath(t, n, rapid.SampledFrom([]*ctl.Formula{inner, here, op(ctl.Not, here)}).Draw(t, "within")))
		}
	})
}

// anyPath is a path operator over a predicate that is false in few markings, if it has two operands, and f.
func anyPath(t *rapid.T, n *petri.Net, f *ctl.Formula) *ctl.Formula {
	o := ctl.Op(rapid.IntRange(int(ctl.EF), int(ctl.AW)).Draw(t, "path"))
	if o < ctl.EU {
		return &ctl.Formula{Op: o, Left: f}
	}
	few := &ctl.Formula{Op: ctl.Implies, Left: anyAtom(t, n), Right: op(ctl.Not, anyAtom(t, n))}
	return &ctl.Formula{Op: o, Left: few, Right: f}
}

func decide(t *rapid.T, n *petri.Net, r petri.Rule, x *model, f *ctl.Formula) {
	effort := rapid.SampledFrom([]int{1, 5, 12, 24, 48, 512}).Draw(t, "effort")
	a, err := local.DecideFrom(context.Background(), effort, rapid.Bool().Draw(t, "whole"), n, r, f, space.Limits{})
	if err != nil || a.Why != nil {
		t.Fatalf("%s: %v, %v", f.CTL(), err, a.Why)
	}
	want := naive.Sat(x.graph, f)[0]
	if a.Holds != want || a.States > len(x.marks) {
		t.Fatalf("%s is %v after %d states, expected %v of %d", f.CTL(), a.Holds, a.States, want, len(x.marks))
	}
	if a.Evidence == nil {
		if !a.Holds {
			t.Fatalf("%s is violated without a counterexample", f.CTL())
		}
		return
	}
	if a.Evidence.Formula != f || a.Evidence.Holds != want || !slices.Equal(a.Evidence.Run.Markings[0], n.Initial) {
		t.Fatalf("%s: evidence for another claim: %+v", f.CTL(), a.Evidence)
	}
	v := validator{t, n, r, x}
	v.evidence(a.Evidence)
	if (f.Op == ctl.EF || f.Op == ctl.AG) && shown(f, a.Holds) && !f.Left.Temporal() {
		if have, least := len(a.Evidence.Run.Steps), x.nearest(naive.Sat(x.graph, f.Left), f.Op == ctl.EF); have != least {
			t.Fatalf("%s: a run of %d steps, though %d are enough", f.CTL(), have, least)
		}
	}
}

// nearest is the number of steps to the nearest state with a value.
func (x *model) nearest(values []bool, value bool) int {
	for layer, steps := []int{0}, 0; ; steps++ {
		var next []int
		for _, s := range layer {
			if values[s] == value {
				return steps
			}
			next = append(next, x.graph.Succ[s]...)
		}
		slices.Sort(next)
		layer = slices.Compact(next)
	}
}

// A validator replays evidence by naive firing and holds what it claims against naive labelling.
type validator struct {
	*rapid.T
	net   *petri.Net
	rule  petri.Rule
	model *model
}

func (v validator) evidence(e *ctl.Evidence) {
	run, f := e.Run, e.Formula
	v.expect(e, run.Markings[0], f, e.Holds)
	v.replay(run)
	if len(run.Steps) > 0 || run.Dead {
		v.claim(e)
	} else if f.Op >= ctl.EX && shown(f, e.Holds) && f.Op != ctl.EX && f.Op != ctl.AX {
		v.claim(e)
	}
	for _, b := range e.Next {
		if !slices.Equal(run.Markings[b.At], b.Run.Markings[0]) {
			v.Fatalf("%s: explained elsewhere", f.CTL())
		}
		v.evidence(b.Evidence)
	}
}

// shown says whether one run shows that a formula has a value.
func shown(f *ctl.Formula, value bool) bool {
	return value == slices.Contains([]ctl.Op{ctl.EX, ctl.EF, ctl.EG, ctl.EU, ctl.EW}, f.Op)
}

func (v validator) replay(run ctl.Run) {
	targets := run.Markings[1:]
	if run.Loop >= 0 {
		targets = append(slices.Clone(targets), run.Markings[run.Loop])
	}
	if len(run.Steps) != len(targets) {
		v.Fatalf("%d steps to %d markings", len(run.Steps), len(targets))
	}
	for i, step := range run.Steps {
		if !v.net.IsStep(run.Markings[i], v.rule, step) {
			v.Fatalf("%v is no step", step)
		}
		if after, contact := v.net.Fire(run.Markings[i], step); contact >= 0 || !slices.Equal(after, targets[i]) {
			v.Fatalf("step %v leads to %v, not %v", step, after, targets[i])
		}
	}
	if last := run.Markings[len(run.Markings)-1]; run.Dead && len(v.net.Steps(last, v.rule)) > 0 {
		v.Fatalf("%v is no dead end", last)
	}
}

// claim checks that the run is what the meaning of the operator asks for.
func (v validator) claim(e *ctl.Evidence) {
	run, f := e.Run, e.Formula
	endless := run.Dead || run.Loop >= 0
	last := len(run.Markings) - 1
	for i, m := range run.Markings {
		atEnd := i == last && !endless
		switch f.Op {
		case ctl.EX, ctl.AX:
			if atEnd {
				v.expect(e, m, f.Left, e.Holds)
			}
		case ctl.EF, ctl.AG:
			if atEnd {
				v.expect(e, m, f.Left, e.Holds)
			}
		case ctl.EG, ctl.AF:
			v.expect(e, m, f.Left, e.Holds)
		case ctl.EU, ctl.EW:
			if atEnd {
				v.expect(e, m, f.Right, true)
			} else {
				v.expect(e, m, f.Left, true)
			}
		case ctl.AU, ctl.AW:
			v.expect(e, m, f.Right, false)
			if atEnd {
				v.expect(e, m, f.Left, false)
			}
		}
	}
	may := map[ctl.Op][2]bool{ // whether the run may be finite, and endless
		ctl.EX: {true, false}, ctl.AX: {true, false}, ctl.EF: {true, false}, ctl.AG: {true, false}, ctl.EG: {false, true},
		ctl.AF: {false, true}, ctl.EU: {true, false}, ctl.EW: {true, true}, ctl.AU: {true, true}, ctl.AW: {true, false},
	}[f.Op]
	if !endless && !may[0] || endless && !may[1] || (f.Op == ctl.EX || f.Op == ctl.AX) && last != 1 {
		v.Fatalf("%s: a run of another kind: %+v", f.CTL(), run)
	}
}

func (v validator) expect(e *ctl.Evidence, m petri.Marking, f *ctl.Formula, want bool) {
	if v.model.holds(f, m) != want {
		v.Fatalf("%s %v shown by %s: in %v it is not so", e.Formula.CTL(), e.Holds, fmt.Sprint(e.Run), m)
	}
}
