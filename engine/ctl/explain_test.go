package ctl_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/petri"
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

// Every operator alike, in models most of which satisfy p and few q, so that runs are long.
func TestEvidenceOfEveryOperator(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := graphs(10).Draw(t, "graph")
		g.marked[0] |= rapid.Uint64().Draw(t, "more p") & g.All()
		g.marked[1] &= rapid.Uint64().Draw(t, "less q")
		for _, text := range []string{
			"EX p", "EF q", "EG p", "EG true", "E[p U q]", "E[p W q]", "E[!q W !p]",
			"AX q", "AF q", "AG p", "A[p U q]", "A[!q U !p]", "A[p W q]", "AF (!p && q)", "A[true U q]",
		} {
			f := must(ctl.Parse(text))
			e, err := ctl.New(g).Explain(context.Background(), f, g.step)
			if err != nil {
				t.Fatal(err)
			}
			if e != nil {
				validate(t, g, e)
			}
		}
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

// tell writes an evidence tree in one line: the states of the run, then what is explained where.
func tell(e *ctl.Evidence) string {
	if e == nil {
		return "-"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s is %v:", e.Formula.CTL(), e.Holds)
	for i, m := range e.Run.Markings {
		if i == e.Run.Loop {
			out.WriteString(" (loop")
		}
		fmt.Fprintf(&out, " %d", m[0])
	}
	if e.Run.Loop >= 0 {
		out.WriteString(")")
	}
	if e.Run.Dead {
		out.WriteString(" dead")
	}
	for _, n := range e.Next {
		fmt.Fprintf(&out, " [%d: %s]", n.At, tell(n.Evidence))
	}
	return out.String()
}

// explained is 0 -> 1 -> 2 -> 1, 2 -> 3, a dead end: p in 1 and 2, q in 3.
func explained() *graph {
	return &graph{succ: [][]int{{1}, {2}, {1, 3}, {}}, marked: []uint64{0b0110, 0b1000, 0}}
}

// turning is 0 -> 1 -> 0, 1 -> 2 -> 2: p in 0 and 1, q in 2.
func turning() *graph {
	return &graph{succ: [][]int{{1}, {0, 2}, {2}}, marked: []uint64{0b011, 0b100, 0}}
}

// staying is 0 -> 0, 0 -> 1 -> 2, a dead end: p in 0 and 1, q in 2.
func staying() *graph {
	return &graph{succ: [][]int{{0, 1}, {2}, {}}, marked: []uint64{0b011, 0b100, 0}}
}

// told is what tells the values and the runs of a Checker to Explain; the call last fails.
type told struct {
	c          *ctl.Checker[uint64]
	g          *graph
	work, last int
}

func (o *told) Marking(at uint64) petri.Marking {
	_, m := o.g.Pick(at)
	return m
}

func (o *told) explain(ctx context.Context, f *ctl.Formula, at uint64) (*ctl.Evidence, error) {
	if o.work++; o.work == o.last {
		return nil, errSpent
	}
	return o.c.ExplainAt(ctx, f, at, o.g.step)
}

func (o *told) Holds(ctx context.Context, f *ctl.Formula, at uint64) (bool, error) {
	e, err := o.explain(ctx, f, at)
	return err == nil && e.Holds, err
}

func (o *told) Witness(ctx context.Context, f *ctl.Formula, at uint64) (ctl.Run, uint64, error) {
	e, err := o.explain(ctx, f, at)
	if err != nil {
		return ctl.Run{}, 0, err
	}
	end := e.Run.Markings[len(e.Run.Markings)-1]
	if e.Run.Loop >= 0 {
		end = e.Run.Markings[e.Run.Loop]
	}
	return e.Run, 1 << end[0], nil
}

// TestExplainWhatIsTold: Explain says the same of another teller, and when that fails, so does Explain.
func TestExplainWhatIsTold(t *testing.T) {
	for _, g := range []*graph{explained(), turning()} {
		for _, text := range []string{"AF q", "EG p", "E[p W q]", "EX p && !q && EF q", "p && EX q", "EF q || AX q", "EX p -> EF q", "AG p -> EF q", "!AG p", "AX p <-> EF q", "A[p U q && p]"} {
			f := must(ctl.Parse(text))
			e, err := ctl.New(g).Explain(context.Background(), f, g.step)
			if err != nil {
				t.Fatal(err)
			}
			teller := &told{c: ctl.New(g), g: g}
			if have, err := ctl.Explain(context.Background(), f, g.Initial(), teller); tell(have) != tell(e) || err != nil {
				t.Errorf("%s, %v; want %s", tell(have), err, tell(e))
			}
			for last := teller.work; last > 0; last-- {
				teller.work, teller.last = 0, last
				if have, err := ctl.Explain(context.Background(), f, g.Initial(), teller); have != nil || !errors.Is(err, errSpent) {
					t.Errorf("%s: call %d fails, and then %s, %v", text, last, tell(have), err)
				}
			}
		}
	}
}

// TestExplainAt explains also what no run shows, in any state.
func TestExplainAt(t *testing.T) {
	g := explained()
	for at, want := range map[uint64]string{
		0b0001: "AX p is true: 0",
		0b0100: "AX p is false: 2 3 [1: p is false: 3]",
		0b1000: "AX p is true: 3",
	} {
		e, err := ctl.New(g).ExplainAt(context.Background(), must(ctl.Parse("AX p")), at, g.step)
		if got := tell(e); got != want || err != nil {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
	}
}

// Where not every path counts, the run is the one that was found, with what fires along it.
func TestFairRunsAreThoseFound(t *testing.T) {
	g := turning()
	run := ctl.Run{Markings: []petri.Marking{{0}, {1}, {0}, {1}}, Steps: [][]int{{1}, {2}, {3}, {4}}, Loop: 2}
	var failed error
	find := func(_ context.Context, from, inside uint64) (ctl.Run, uint64, error) {
		if from != 1 || inside != 0b011 {
			t.Errorf("from %b inside %b", from, inside)
		}
		return run, 1, failed
	}
	c := ctl.NewFair(g, find)
	e, err := c.Explain(context.Background(), must(ctl.Parse("EG p")), g.step)
	if got := tell(e); got != "EG p is true: 0 1 (loop 0 1) [2: p is true: 0]" || err != nil {
		t.Fatalf("%s, %v", got, err)
	}
	if fmt.Sprint(e.Run.Steps) != "[[1] [2] [3] [4]]" {
		t.Errorf("it takes %v", e.Run.Steps)
	}
	failed = errSpent
	if _, err := c.Explain(context.Background(), must(ctl.Parse("EG p")), g.step); !errors.Is(err, errSpent) {
		t.Error(err)
	}
	run = ctl.Run{Markings: []petri.Marking{{0}}, Loop: -1, Dead: true, Steps: [][]int{}}
	failed = nil
	if e, err = c.Explain(context.Background(), must(ctl.Parse("EG p")), g.step); err != nil || !e.Run.Dead {
		t.Errorf("%s, %v", tell(e), err)
	}
}

// TestExplainMeaning: an atom is explained by what it means.
func TestExplainMeaning(t *testing.T) {
	g := explained()
	f := &ctl.Formula{Op: ctl.Atom, Name: "enabled(e)", Means: must(ctl.Parse("EX p"))}
	e, err := ctl.New(g).Explain(context.Background(), f, g.step)
	if got := tell(e); got != "enabled(e) is true: 0 [0: EX p is true: 0 1 [1: p is true: 1]]" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// TestExplainTurns: a loop may begin at the beginning.
func TestExplainTurns(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"EG p", "EG p is true: (loop 0 1) [0: p is true: 0]"},
		{"E[p W false]", "E[p W false] is true: (loop 0 1) [0: p is true: 0]"},
		{"E[p W q]", "E[p W q] is true: 0 1 2 [2: q is true: 2]"}, // of two equals the one that ends
		{"A[true U q]", "A[true U q] is false: (loop 0 1) [0: q is false: 0]"},
	} {
		g := turning()
		e, err := ctl.New(g).Explain(context.Background(), must(ctl.Parse(test.text)), g.step)
		if got := tell(e); strings.ReplaceAll(got, ":  (", ": (") != test.want || err != nil {
			t.Errorf("%s\ngot  %s, %v\nwant %s", test.text, got, err, test.want)
		}
	}
}

func TestExplain(t *testing.T) {
	g := explained()
	for _, test := range []struct{ text, want string }{
		{"AF q", "AF q is false: 0 (loop 1 2) [1: q is false: 1]"},
		{"EG !q", "EG !q is true: 0 (loop 1 2) [1: !q is true: 1]"},
		{"EF q", "EF q is true: 0 1 2 3 [3: q is true: 3]"},
		{"AG !q", "AG !q is false: 0 1 2 3 [3: !q is false: 3]"},
		{"AG EF p", "AG EF p is false: 0 1 2 3 [3: EF p is false: 3]"},
		{"EG true", "EG true is true: 0 1 2 3 dead [3: true is true: 3]"},
		{"AG (p -> AX p)", "AG (p -> AX p) is false: 0 1 2 [2: p -> AX p is false: 2 [0: p is true: 2] [0: AX p is false: 2 3 [1: p is false: 3]]]"},
		{"EX p && AG (p || !p) && EF q", "EX p && AG (p || !p) && EF q is true: 0 [0: EX p is true: 0 1 [1: p is true: 1]] [0: AG (p || !p) is true: 0] [0: EF q is true: 0 1 2 3 [3: q is true: 3]]"},
		{"AG AF q && p && AX q", "AG AF q && p && AX q is false: 0 [0: p is false: 0]"},
		{"!AG !q", "!AG !q is true: 0 [0: AG !q is false: 0 1 2 3 [3: !q is false: 3]]"},
		{"AG (p || !p)", "-"},
		{"p || !p", "-"},
		{"EF party.r-1", "EF party.r-1 is false: 0"},
		{"p", "p is false: 0"},
		{"A[!q U p && q]", "A[!q U p && q] is false: 0 1 2 3 [3: !q is false: 3] [3: p && q is false: 3 [0: p is false: 3]]"},
		{"A[true U p && q]", "A[true U p && q] is false: 0 1 2 3 dead [3: p && q is false: 3 [0: p is false: 3]]"},
		{"A[!q U false]", "A[!q U false] is false: 0 1 2 3 [3: !q is false: 3] [3: false is false: 3]"},
		{"A[true U q && q]", "A[true U q && q] is false: 0 (loop 1 2) [1: q && q is false: 1 [0: q is false: 1]]"},
		{"A[!p U q]", "A[!p U q] is false: 0 1 [1: !p is false: 1] [1: q is false: 1]"},
		{"A[!p W q]", "A[!p W q] is false: 0 1 [1: !p is false: 1] [1: q is false: 1]"},
		{"E[true W q]", "E[true W q] is true: 0 1 2 3 [3: q is true: 3]"},
		{"E[!q U q]", "E[!q U q] is true: 0 1 2 3 [3: q is true: 3]"},
		{"EX p && !q && EF q", "EX p && !q && EF q is true: 0 [0: EX p is true: 0 1 [1: p is true: 1]] [0: EF q is true: 0 1 2 3 [3: q is true: 3]]"},
		{"AX q && AG p", "AX q && AG p is false: 0 [0: AX q is false: 0 1 [1: q is false: 1]]"},
		{"EX p -> EF q", "EX p -> EF q is true: 0 [0: EF q is true: 0 1 2 3 [3: q is true: 3]]"},
		{"AX q -> AG p", "AX q -> AG p is true: 0 [0: AX q is false: 0 1 [1: q is false: 1]]"},
		{"AG p -> EF q", "AG p -> EF q is true: 0 [0: AG p is false: 0 [0: p is false: 0]]"},
		{"AG EF p -> EF q", "AG EF p -> EF q is true: 0 [0: EF q is true: 0 1 2 3 [3: q is true: 3]]"},
		{"AG EF p -> EX q", "AG EF p -> EX q is true: 0 [0: AG EF p is false: 0 1 2 3 [3: EF p is false: 3]]"},
		{"EX EX EX AX false", "EX EX EX AX false is true: 0 1 [1: EX EX AX false is true: 1 2 [1: EX AX false is true: 2 3 [1: AX false is true: 3]]]"},
	} {
		e, err := ctl.New(g).Explain(context.Background(), must(ctl.Parse(test.text)), g.step)
		if got := tell(e); got != test.want || err != nil {
			t.Errorf("%s\ngot  %s, %v\nwant %s", test.text, got, err, test.want)
		}
	}
}
