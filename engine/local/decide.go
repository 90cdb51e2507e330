package local

import (
	"context"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// An answer says whether a formula holds, with evidence and cost.
type answer struct {
	Holds    bool
	Evidence *ctl.Evidence // as of ctl.Explain; nil if no run can show the verdict, or for the reason in Why
	Why      error         // why there is no evidence: a limit was met after the verdict
	States   int           // states met
}

// Decide reports whether a formula holds in the initial state of a net under a rule, and returns a run that shows it. The formula's atoms must
// be resolved and its quantifiers expanded. The net must be known to be one-safe. If the search meets a contact, the error is a
// *space.ContactError; it may miss one.
//
// Its other errors say why the verdict is unknown: a *space.LimitError, or the context's cause. It does not call limits.Progress.
func Decide(ctx context.Context, n *petri.Net, rule petri.Rule, f *ctl.Formula, limits space.Limits) (answer, error) {
	t, root, err := begin(ctx, n, rule, f, limits)
	if err != nil {
		return answer{}, err
	}
	return t.answer(f, root)
}

// Holds reports what Decide does, without evidence.
func Holds(ctx context.Context, n *petri.Net, rule petri.Rule, f *ctl.Formula, limits space.Limits) (bool, error) {
	t, root, err := begin(ctx, n, rule, f, limits)
	if err != nil {
		return false, err
	}
	return t.decide(root, 0)
}

func begin(ctx context.Context, n *petri.Net, rule petri.Rule, f *ctl.Formula, limits space.Limits) (*evaluator, *node, error) {
	c := newCompiler(n, rule)
	root := c.compile(f)
	x, err := newSearch(ctx, n, rule, limits)
	return &evaluator{x, c}, root, err
}

// An evaluator answers the questions of ctl.Explain from a search.
type evaluator struct {
	*search
	compiler *compiler
}

// answer decides a formula, whose node is root, and finds its evidence.
func (t *evaluator) answer(f *ctl.Formula, root *node) (answer, error) {
	holds, err := t.decide(root, 0)
	a := answer{Holds: holds, States: t.walk.Len()}
	if err != nil {
		return a, err
	}
	a.Evidence, a.Why = ctl.Explain(t.ctx, f, 0, t)
	if t.ctx.Err() != nil {
		return answer{}, context.Cause(t.ctx)
	}
	return a, nil
}

func (t *evaluator) Holds(_ context.Context, f *ctl.Formula, s int) (bool, error) {
	return t.decide(t.compiler.compile(f), s)
}

func (t *evaluator) Marking(s int) petri.Marking { return t.walk.Marking(s) }

// Witness returns a run that shows f in state s, where it holds, and the run's last state or the first of its loop.
func (t *evaluator) Witness(_ context.Context, f *ctl.Formula, s int) (ctl.Run, int, error) {
	if _, err := t.decide(t.compiler.compile(f), s); err != nil { // it holds, but may not have been searched for yet
		return ctl.Run{}, 0, err
	}
	p, err := t.path(f, s)
	if err != nil {
		return ctl.Run{}, 0, err
	}
	run, err := t.run(p)
	return run, p.end(), err
}

// run returns a path with its markings and steps.
func (t *evaluator) run(p path) (run ctl.Run, err error) {
	run = ctl.Run{Loop: p.loop, Dead: p.dead}
	for _, s := range p.states {
		run.Markings = append(run.Markings, t.walk.Marking(s))
	}
	run.Steps, err = t.steps(p)
	return run, err
}
