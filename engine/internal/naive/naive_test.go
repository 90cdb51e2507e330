package naive_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
)

// A trace is a maximal path written down in full: it ends in a dead end, or goes back to states[loop].
type trace struct {
	states []int
	loop   int // -1: a dead end
}

// traces lists the maximal paths from s that repeat no state before they loop. A path that decides
// an until formula can be cut down to one of these.
func traces(succ [][]int, path []int) []trace {
	s := path[len(path)-1]
	if len(succ[s]) == 0 {
		return []trace{{slices.Clone(path), -1}}
	}
	var all []trace
	for _, next := range succ[s] {
		if at := slices.Index(path, next); at >= 0 {
			all = append(all, trace{slices.Clone(path), at})
		} else {
			all = append(all, traces(succ, append(slices.Clip(path), next))...)
		}
	}
	return all
}

// until reports whether p holds along the trace until q, and q comes; or, when weak, need not.
func (t trace) until(p, q []bool, weak bool) bool {
	for _, s := range t.states { // a loop shows nothing new
		if q[s] {
			return true
		}
		if !p[s] {
			return false
		}
	}
	return weak
}

// byTraces is the value of a path operator in s, from the list of all its paths.
func byTraces(succ [][]int, op ctl.Op, p, q []bool, s int) bool {
	n := len(succ)
	yes, no := slices.Repeat([]bool{true}, n), make([]bool, n)
	weak := false
	switch op {
	case ctl.EF, ctl.AF:
		p, q = yes, p
	case ctl.EG, ctl.AG:
		q, weak = no, true
	case ctl.EW, ctl.AW:
		weak = true
	}
	fulfils := func(t trace) bool { return t.until(p, q, weak) }
	all := traces(succ, []int{s})
	if op == ctl.EF || op == ctl.EG || op == ctl.EU || op == ctl.EW {
		return slices.ContainsFunc(all, fulfils)
	}
	return !slices.ContainsFunc(all, func(t trace) bool { return !fulfils(t) })
}

func TestPathOperatorsAgreeWithAllPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "states")
		state := rapid.IntRange(0, n-1)
		g := naive.Graph{Succ: make([][]int, n)}
		for s := range g.Succ {
			g.Succ[s] = rapid.SliceOfNDistinct(state, 0, min(n, 3), rapid.ID).Draw(t, "successors")
		}
		marked := [2][]bool{}
		for p := range marked {
			marked[p] = rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "marked")
		}
		g.Holds = func(s, p int) bool { return marked[p][s] }
		for op := ctl.EF; op <= ctl.AW; op++ {
			f := &ctl.Formula{Op: op, Left: &ctl.Formula{Op: ctl.Atom, Place: 0}}
			if op >= ctl.EU {
				f.Right = &ctl.Formula{Op: ctl.Atom, Place: 1}
			}
			for s, got := range naive.Sat(g, f) {
				if want := byTraces(g.Succ, op, marked[0], marked[1], s); got != want {
					t.Fatalf("operator %d in state %d: %v, by all paths %v", op, s, got, want)
				}
			}
		}
	})
}

func TestNextOperators(t *testing.T) {
	g := naive.Graph{Succ: [][]int{{0, 1}, {2}, {}}, Holds: func(s, _ int) bool { return s == 1 }}
	atom := &ctl.Formula{Op: ctl.Atom}
	if got := naive.Sat(g, &ctl.Formula{Op: ctl.EX, Left: atom}); !slices.Equal(got, []bool{true, false, false}) {
		t.Errorf("EX: %v", got)
	}
	if got := naive.Sat(g, &ctl.Formula{Op: ctl.AX, Left: atom}); !slices.Equal(got, []bool{false, false, true}) {
		t.Errorf("AX: %v", got)
	}
}
