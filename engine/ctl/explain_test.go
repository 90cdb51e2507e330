package ctl_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
)

func TestEvidenceIsValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, f := graphs(10).Draw(t, "graph"), formulas(4).Draw(t, "formula")
		e, err := ctl.New(g).Explain(context.Background(), f, g.step)
		if err != nil {
			t.Fatal(err)
		}
		holds := naive.Sat(g.naive(), f)[0]
		if e == nil {
			if !holds {
				t.Fatalf("%s is violated without a counterexample", f.CTL())
			}
			return
		}
		if e.Formula != f || e.Holds != holds || e.Run.Markings[0][0] != 0 {
			t.Fatalf("%s: evidence for another claim: %+v", f.CTL(), e)
		}
		validate(t, g, e)
	})
}

// validate checks an evidence tree against the naive labelling: each run is a path that shows what
// is claimed, as far as the operands' own values go.
func validate(t *rapid.T, g *graph, e *ctl.Evidence) {
	states := replay(t, g, e.Run)
	if naive.Sat(g.naive(), e.Formula)[states[0]] != e.Holds {
		t.Fatalf("%s is not %v in state %d", e.Formula.CTL(), e.Holds, states[0])
	}
	if universal := slices.Contains([]ctl.Op{ctl.AX, ctl.AF, ctl.AG, ctl.AU, ctl.AW}, e.Formula.Op); e.Formula.Op >= ctl.EX && universal != e.Holds {
		shows(t, g, e, states)
		if len(e.Next) == 0 {
			t.Fatalf("%s: nothing is explained at the end", e.Formula.CTL())
		}
	} else if len(states) > 1 || e.Run.Dead || e.Run.Loop >= 0 {
		t.Fatalf("%s: a run that shows nothing", e.Formula.CTL())
	}
	for _, n := range e.Next {
		if n.Run.Markings[0][0] != states[n.At] {
			t.Fatalf("%s: %s is explained elsewhere", e.Formula.CTL(), n.Formula.CTL())
		}
		validate(t, g, n.Evidence)
	}
	if e.Formula.Op < ctl.EX && len(e.Next) > 0 && !follows(e) {
		t.Fatalf("%s is not %v by its parts", e.Formula.CTL(), e.Holds)
	}
}

func replay(t *rapid.T, g *graph, r ctl.Run) []int {
	var states []int
	for _, m := range r.Markings {
		states = append(states, m[0])
	}
	path := slices.Clone(states)
	if r.Loop >= 0 {
		path = append(path, states[r.Loop])
	}
	if len(r.Steps) != len(path)-1 {
		t.Fatalf("%d steps between %v", len(r.Steps), path)
	}
	for i, step := range r.Steps {
		if !slices.Equal(step, []int{100*path[i] + path[i+1]}) || !slices.Contains(g.succ[path[i]], path[i+1]) {
			t.Fatalf("%v is no arc of %v", step, path)
		}
	}
	if r.Dead && (r.Loop >= 0 || len(g.succ[path[len(path)-1]]) > 0) {
		t.Fatalf("%v does not end in a dead end", path)
	}
	return states
}

// shows decides on the run alone whether its one path satisfies the path formula (or for a false
// universal, breaks it), and that no run could be shorter.
func shows(t *rapid.T, g *graph, e *ctl.Evidence, states []int) {
	f, n := e.Formula, len(states)
	left := naive.Sat(g.naive(), f.Left)
	right := make([]bool, len(left))
	if f.Right != nil {
		right = naive.Sat(g.naive(), f.Right)
	}
	whole := e.Run.Dead || e.Run.Loop >= 0
	every := func(of []int, want bool, in []bool) bool {
		return !slices.ContainsFunc(of, func(s int) bool { return in[s] != want })
	}
	last, before := states[n-1], states[:n-1]
	ok := false
	switch f.Op {
	case ctl.EX, ctl.AX:
		ok = n == 2 && left[last] == e.Holds
	case ctl.EF, ctl.AG:
		ok = left[last] == e.Holds
	case ctl.EG, ctl.AF:
		ok = whole && every(states, e.Holds, left)
	case ctl.EU:
		ok = right[last] && every(before, true, left)
	case ctl.EW:
		ok = every(before, true, left) && (right[last] || whole && left[last])
	case ctl.AU:
		ok = every(states, false, right) && (whole || !left[last])
	case ctl.AW:
		ok = every(states, false, right) && !left[last]
	}
	if !ok {
		t.Fatalf("%s: %v does not show %v", f.CTL(), states, e.Holds)
	}
	if best := least(g, f, left, right, states[0]); len(e.Run.Steps) > best {
		t.Fatalf("%s: %v takes %d steps, %d would do", f.CTL(), states, len(e.Run.Steps), best)
	}
}

// least is the least number of steps of a run that decides f, found by trying all simple paths.
func least(g *graph, f *ctl.Formula, left, right []bool, from int) int {
	best := 1 << 30
	var walk func(path []int)
	walk = func(path []int) {
		s, n := path[len(path)-1], len(path)-1
		goal, stay, forever := aim(f.Op, left[s], right[s])
		if goal && (f.Op != ctl.EX && f.Op != ctl.AX || n == 1) || forever && len(g.succ[s]) == 0 {
			best = min(best, n)
			return
		}
		for _, next := range g.succ[s] {
			switch {
			case (f.Op == ctl.EX || f.Op == ctl.AX) && n == 1 || !stay || n+1 >= best:
			case f.Op == ctl.EX || f.Op == ctl.AX || !slices.Contains(path, next):
				walk(append(path, next))
			case forever:
				best = min(best, n+1)
			}
		}
	}
	walk([]int{from})
	return best
}

// aim says whether a run deciding an operator may end in a state, go on from it, or stay among
// such for ever.
func aim(op ctl.Op, left, right bool) (goal, stay, forever bool) {
	switch op {
	case ctl.EX, ctl.EF:
		return left, true, false
	case ctl.AX, ctl.AG:
		return !left, true, false
	case ctl.EG:
		return false, left, left
	case ctl.AF:
		return false, !left, !left
	case ctl.EU:
		return right, left, false
	case ctl.EW:
		return right, left, left
	case ctl.AU:
		return !left && !right, !right, !right
	}
	return !left && !right, !right, false // AW
}

// follows reports whether the parts explained settle a Boolean formula, operands of a chain that
// are left out being without temporal operators.
func follows(e *ctl.Evidence) bool {
	values := map[*ctl.Formula]bool{}
	for _, n := range e.Next {
		values[n.Formula] = n.Holds
	}
	f := e.Formula
	left, haveLeft := values[f.Left]
	right, haveRight := values[f.Right]
	switch f.Op {
	case ctl.Not:
		return haveLeft && left != e.Holds
	case ctl.And, ctl.Or:
		for _, v := range values {
			if v != e.Holds {
				return false
			}
		}
		return true
	case ctl.Implies:
		return e.Holds == (haveLeft && !left || haveRight && right) && (e.Holds || haveLeft && haveRight)
	}
	return haveLeft && haveRight && e.Holds == (left == right)
}
