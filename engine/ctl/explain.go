package ctl

import (
	"context"

	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
)

// Explain returns the evidence for the value of f in the initial state, or nil if f is true and no single run shows why, because all paths
// matter. So a true universal or a false existential subformula is a leaf, like one without temporal operators: its run is one marking.
//
// Otherwise the run is a path that makes the existential true or the universal false. A finite one is a shortest one; for an infinite one,
// see forever. Next explains the operands that decide, in the run's last marking or, in a lasso, where the loop begins. What holds along the
// way is not explained. For a Boolean formula, Next explains one operand if one decides (the one with the fewest temporal operators, the
// first of several), and otherwise those with temporal operators.
//
// step returns the transitions that lead from one marking to the next.
func (c *Checker[S]) Explain(ctx context.Context, f *Formula, step func(from, to petri.Marking) []int) (*Evidence, error) {
	return Explain(ctx, f, c.algebra.Initial(), labelled[S]{c, step})
}

// ExplainAt returns the evidence for the value of f in the single state at. Unlike Explain, it never returns nil for a value that no run
// shows.
func (c *Checker[S]) ExplainAt(ctx context.Context, f *Formula, at S, step func(from, to petri.Marking) []int) (_ *Evidence, err error) {
	defer halt.Caught(&err)
	return (&explainer[S]{labelled[S]{c, step}}).explain(ctx, f, at), nil
}

// An Evaluator decides formulas in single states, and finds runs as witnesses.
type Evaluator[S any] interface {
	Holds(ctx context.Context, f *Formula, at S) (bool, error)
	Marking(at S) petri.Marking

	// Witness returns a run from a state that shows f, of form EX, EF, EG, EU or EW, which must hold there, and the state of
	// the marking where it ends or where its loop begins.
	Witness(ctx context.Context, f *Formula, at S) (Run, S, error)
}

// Explain returns the evidence for the value of f in the state at, as Checker.Explain does. It gets values and runs from by.
func Explain[S any](ctx context.Context, f *Formula, at S, by Evaluator[S]) (_ *Evidence, err error) {
	defer halt.Caught(&err)
	e := (&explainer[S]{by}).explain(ctx, f, at)
	if e.Holds && !e.shows() {
		return nil, nil
	}
	return e, nil
}

type explainer[S any] struct{ Evaluator[S] }

// labelled is an Evaluator that reads a Checker's labels.
type labelled[S any] struct {
	*Checker[S]
	step func(from, to petri.Marking) []int
}

func (l labelled[S]) Holds(ctx context.Context, f *Formula, at S) (bool, error) {
	return l.holdsIn(ctx, f, at), nil
}

func (l labelled[S]) Marking(at S) petri.Marking {
	_, m := l.algebra.Pick(at)
	return m
}

func (l labelled[S]) Witness(ctx context.Context, f *Formula, at S) (Run, S, error) {
	w := l.witness(ctx, f, at)
	return l.run(w), w.end, nil
}

// shows reports whether some run of the tree is evidence by itself.
func (e *Evidence) shows() bool {
	if existential(e.Formula, e.Holds) != nil {
		return true
	}
	for _, n := range e.Next {
		if n.shows() {
			return true
		}
	}
	return false
}

// explain explains f in the single state at. It visits each subformula at most once.
func (x *explainer[S]) explain(ctx context.Context, f *Formula, at S) *Evidence {
	holds := x.holds(ctx, f, at)
	here := x.Marking(at)
	e := &Evidence{Formula: f, Holds: holds, Run: Run{Markings: []petri.Marking{here}, Loop: -1}}
	if f.Op < EX {
		x.explainParts(ctx, e, at)
	} else {
		x.explainPath(ctx, e, at)
	}
	return e
}

func (x *explainer[S]) holds(ctx context.Context, f *Formula, at S) bool {
	return halt.Must(x.Holds(ctx, f, at))
}

// because explains f in the single state at, which has the first marking of the run of e.
func (x *explainer[S]) because(ctx context.Context, e *Evidence, f *Formula, at S) {
	x.becauseAt(ctx, e, 0, f, at)
}

// becauseAt explains f in the single state at, which has marking i of the run of e.
func (x *explainer[S]) becauseAt(ctx context.Context, e *Evidence, i int, f *Formula, at S) {
	e.Next = append(e.Next, Because{At: i, Evidence: x.explain(ctx, f, at)})
}

// explainParts explains a Boolean formula by its operands.
func (x *explainer[S]) explainParts(ctx context.Context, e *Evidence, at S) {
	f := e.Formula
	switch {
	case f.Op == And || f.Op == Or:
		x.explainChain(ctx, e, at)
	case f.temporal() == 0:
	case f.Op == Atom:
		x.because(ctx, e, f.Means, at)
	case f.Op == Not:
		x.because(ctx, e, f.Left, at)
	case f.Op == Implies && e.Holds:
		x.explainKept(ctx, e, at)
	default:
		x.because(ctx, e, f.Left, at)
		x.because(ctx, e, f.Right, at)
	}
}

// explainKept explains a true implication by the operand that decides it.
func (x *explainer[S]) explainKept(ctx context.Context, e *Evidence, at S) {
	left, right := e.Formula.Left, e.Formula.Right
	premise, conclusion := x.holds(ctx, left, at), x.holds(ctx, right, at)
	if !premise && (!conclusion || left.temporal() <= right.temporal()) {
		right = left
	}
	x.because(ctx, e, right, at)
}

// explainChain explains a && b && ... or a || b || ....
func (x *explainer[S]) explainChain(ctx context.Context, e *Evidence, at S) {
	chain := e.Formula.Operands(e.Formula.Op)
	if (e.Formula.Op == And) != e.Holds {
		x.because(ctx, e, x.simplest(ctx, chain, e.Holds, at), at)
		return
	}
	for _, f := range chain {
		if f.temporal() > 0 {
			x.because(ctx, e, f, at)
		}
	}
}

// simplest returns the first of the formulas with the given value that has the fewest temporal
// operators. There must be one.
func (x *explainer[S]) simplest(ctx context.Context, of []*Formula, value bool, at S) (best *Formula) {
	for _, f := range of {
		if x.holds(ctx, f, at) == value && (best == nil || f.temporal() < best.temporal()) {
			best = f
		}
	}
	return best
}

// Operands returns the a, b, c of a && b && c if op is And, or of a || b || c if it is Or, however bracketed. Any other formula is its only operand.
func (f *Formula) Operands(op Op) []*Formula {
	var flat []*Formula
	rest := []*Formula{f}
	for len(rest) > 0 {
		g := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if g.Op == op {
			rest = append(rest, g.Right, g.Left)
		} else {
			flat = append(flat, g)
		}
	}
	return flat
}

// existential returns the formula of form EX, EF, EG, EU or EW whose runs show that the temporal
// formula f has the given value; nil when a single run does not show it.
func existential(f *Formula, value bool) *Formula {
	if universal := f.Op == AX || f.Op == AF || f.Op == AG || f.Op == AU || f.Op == AW; f.Op < EX || universal == value {
		return nil
	}
	switch f.Op {
	case AX:
		return &Formula{Op: EX, Left: not(f.Left)}
	case AF:
		return &Formula{Op: EG, Left: not(f.Left)}
	case AG:
		return &Formula{Op: EF, Left: not(f.Left)}
	case AU:
		return &Formula{Op: EW, Left: not(f.Right), Right: neither(f.Left, f.Right)}
	case AW:
		return &Formula{Op: EU, Left: not(f.Right), Right: neither(f.Left, f.Right)}
	}
	return f
}

func not(f *Formula) *Formula { return &Formula{Op: Not, Left: f} }

func neither(a, b *Formula) *Formula { return &Formula{Op: And, Left: not(a), Right: not(b)} }

// explainPath explains a temporal formula by a run, if a single run can.
func (x *explainer[S]) explainPath(ctx context.Context, e *Evidence, at S) {
	shown := existential(e.Formula, e.Holds)
	if shown == nil {
		return
	}
	run, end, err := x.Witness(ctx, shown, at)
	e.Run = halt.Must(run, err)
	for _, f := range deciding(e.Formula, run.Dead || run.Loop >= 0) {
		x.becauseAt(ctx, e, run.last(), f, end)
	}
}

// deciding returns the operands of f whose values at the end of a run show the value of f.
func deciding(f *Formula, endless bool) []*Formula {
	switch {
	case f.Right == nil:
		return []*Formula{f.Left}
	case f.Op == EW && endless:
		return []*Formula{f.Left}
	case f.Op == EU || f.Op == EW || endless:
		return []*Formula{f.Right}
	}
	return []*Formula{f.Left, f.Right} // AU, AW: Left fails before Right has come
}

// last returns the index of the marking in which the run's end is explained.
func (r Run) last() int {
	if r.Loop >= 0 {
		return r.Loop
	}
	return len(r.Markings) - 1
}

// run adds the transitions to a path.
func (l labelled[S]) run(w path[S]) Run {
	r := Run{Markings: w.markings, Loop: w.loop, Dead: w.dead}
	if w.fired != nil {
		r.Steps = w.fired
		return r
	}
	for i := 1; i < len(w.markings); i++ {
		r.Steps = append(r.Steps, l.step(w.markings[i-1], w.markings[i]))
	}
	if w.loop >= 0 {
		r.Steps = append(r.Steps, l.step(w.markings[len(w.markings)-1], w.markings[w.loop]))
	}
	return r
}
