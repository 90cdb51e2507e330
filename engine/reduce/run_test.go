package reduce_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/reduce"
)

// TestRunsAreRunsOfTheOriginal: a run of the reduced net that shows E[p U q] or EG p becomes one of the original that shows it.
func TestRunsAreRunsOfTheOriginal(t *testing.T) {
	shown := 0
	rapid.Check(t, func(t *rapid.T) {
		n := anyNet(t)
		x := explore(n)
		if x == nil {
			return
		}
		b := &formulas{nets{t, n}}
		f := b.path(rapid.SampledFrom([]ctl.Op{ctl.EF, ctl.EU, ctl.EG}).Draw(t, "op"), b.predicate)
		if f.Op == ctl.EF {
			f.Left = b.deadly()
		}
		r, err := reduce.Reduce(context.Background(), n, f)
		if err != nil {
			t.Fatal(err)
		}
		run, ok := explore(r.Net).shows(r.Formula)
		if !ok {
			return
		}
		shown++
		lifted, err := r.Run(context.Background(), run)
		if err != nil {
			t.Fatalf("%v of %v\n%s", err, run, show(n, f, r))
		}
		replay(t, n, lifted)
		if !x.shownBy(f, lifted) || lifted.Dead != run.Dead || (lifted.Loop >= 0) != (run.Loop >= 0) {
			t.Fatalf("%v, reduced %v, does not show it\n%s", lifted, run, show(n, f, r))
		}
	})
	if shown < 10 {
		t.Errorf("%d runs", shown)
	}
}

// shows finds a run that shows a formula with one path operator in front.
func (x *model) shows(f *ctl.Formula) (ctl.Run, bool) {
	if f.Left == nil || f.Op < ctl.EX || !x.sat(f)[0] {
		return ctl.Run{}, false
	}
	yes := slices.Repeat([]bool{true}, len(x.marks))
	switch f.Op {
	case ctl.EF:
		return x.way(yes, x.sat(f.Left)), true
	case ctl.EU:
		return x.way(x.sat(f.Left), x.sat(f.Right)), true
	case ctl.EG:
		return x.lasting(x.sat(f)), true
	}
	return ctl.Run{}, false
}

// way is a shortest run through some states to others.
func (x *model) way(through, to []bool) ctl.Run {
	from, by, queue := map[int]int{0: -1}, map[int]int{}, []int{0}
	for s := queue[0]; !to[s]; s = queue[0] {
		queue = queue[1:]
		for i, next := range x.succ[s] {
			if _, known := from[next]; !known && through[s] {
				from[next], by[next] = s, x.fired[s][i]
				queue = append(queue, next)
			}
		}
	}
	run := ctl.Run{Loop: -1}
	for s := queue[0]; s >= 0; s = from[s] {
		run.Markings = append(run.Markings, x.marks[s])
		if s > 0 {
			run.Steps = append(run.Steps, []int{by[s]})
		}
	}
	slices.Reverse(run.Markings)
	slices.Reverse(run.Steps)
	return run
}

// lasting stays within a set, from each of whose states a path goes on within it or ends.
func (x *model) lasting(inside []bool) ctl.Run {
	run := ctl.Run{Loop: -1}
	at := map[int]int{}
	for s := 0; ; {
		if i, known := at[s]; known {
			run.Loop = i
			return run
		}
		at[s] = len(run.Markings)
		run.Markings = append(run.Markings, x.marks[s])
		if len(x.succ[s]) == 0 {
			run.Dead = true
			return run
		}
		i := slices.IndexFunc(x.succ[s], func(to int) bool { return inside[to] })
		run.Steps = append(run.Steps, []int{x.fired[s][i]})
		s = x.succ[s][i]
	}
}

// replay fires a run again.
func replay(t *rapid.T, n *petri.Net, run ctl.Run) {
	if !slices.Equal(run.Markings[0], petri.Marking(n.Initial)) {
		t.Fatalf("it starts in %v", run.Markings[0])
	}
	at := run.Markings[0]
	for i, step := range run.Steps {
		if !n.IsStep(at, petri.One, step) {
			t.Fatalf("step %d: %v can't be fired in %v", i, step, at)
		}
		after, contact := n.Fire(at, step)
		next := i + 1
		if run.Loop >= 0 && next == len(run.Steps) {
			next = run.Loop
		}
		if contact >= 0 || !slices.Equal(after, run.Markings[next]) {
			t.Fatalf("step %d: %v leads to %v, not %v", i, step, after, run.Markings[next])
		}
		at = after
	}
	if run.Dead && len(n.Steps(at, petri.One)) > 0 {
		t.Fatalf("%v is no dead end", at)
	}
}

// shownBy reports whether a run shows the formula.
func (x *model) shownBy(f *ctl.Formula, run ctl.Run) bool {
	var list []int
	for _, m := range run.Markings {
		list = append(list, slices.IndexFunc(x.marks, func(o petri.Marking) bool { return slices.Equal(m, o) }))
	}
	all := func(list []int, sat []bool) bool {
		return !slices.ContainsFunc(list, func(s int) bool { return !sat[s] })
	}
	last := len(list) - 1
	switch f.Op {
	case ctl.EF:
		return x.sat(f.Left)[list[last]]
	case ctl.EU:
		comes := slices.IndexFunc(list, func(s int) bool { return x.sat(f.Right)[s] })
		return comes >= 0 && all(list[:comes], x.sat(f.Left)) && x.sat(f.Right)[list[last]]
	}
	return all(list, x.sat(f.Left)) && (run.Loop >= 0 || run.Dead)
}

func TestRunRefusesWhatIsNone(t *testing.T) {
	n := &petri.Net{Places: make([]petri.Place, 2), Initial: []int{0}}
	n.Transitions = []petri.Transition{{In: []int{0}, Out: []int{1}}, {In: []int{1}, Out: []int{0}}}
	f := &ctl.Formula{Op: ctl.EX, Left: &ctl.Formula{Op: ctl.Atom, Place: 1}}
	r, err := reduce.Reduce(context.Background(), n, f)
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]ctl.Run{
		"not fireable":      {Steps: [][]int{{1}}, Loop: -1},
		"no transition":     {Steps: [][]int{{2}}, Loop: -1},
		"two at once":       {Steps: [][]int{{0, 1}}, Loop: -1},
		"no dead end":       {Steps: [][]int{{0}}, Loop: -1, Dead: true},
		"a loop of nothing": {Steps: [][]int{{0}}, Loop: 1},
	} {
		if lifted, err := r.Run(context.Background(), run); err == nil {
			t.Errorf("%s: %v", name, lifted)
		}
	}
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if _, err := r.Run(ctx, ctl.Run{Steps: [][]int{{0}}, Loop: -1}); !errors.Is(err, cause) {
		t.Error(err)
	}
	if _, err := reduce.Reduce(ctx, n, f); !errors.Is(err, cause) {
		t.Error(err)
	}
}
