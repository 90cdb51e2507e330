package verify

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
)

// The choice of methods. Explicit states come first, and nothing else is tried while they are few. Once they are many, their listing
// waits for decision diagrams, whose result is taken if they decide everything within a counted budget. Before that, diagrams are tried
// briefly. Their result is taken if there are too many states to list, and if it has no run to show also in a check, or beside another version that has too many. The choice never depends on which method is faster. So the same contract gives the same
// report on every machine.

// FewStates and fewArcs bound the states and arcs that are listed before another method starts. They take about a second. Of a net of many places there are
// fewer, since a state takes a bit for each: no more than fewBits in all, 16 MiB, which lie there while other methods work.
const (
	FewStates = 250_000
	fewArcs   = 2_000_000
	fewBits   = 1 << 27
)

// Decision diagrams are tried briefly once more than these states or arcs are listed: for at most so many steps. Listing and trying
// take some hundredths of a second each. Of a net whose transitions have more moves and conditions than briefMoves they are not: these are gone through
// for each order of variables before the first step.
const (
	briefStates   = 5_000
	briefArcs     = 40_000
	briefPatience = 5_000_000
	briefMoves    = 100_000
)

// Where norms or clocks watch, the reachable states are computed on diagrams for at most so many steps, the better part of a second, before quick methods
// are asked.
const earlyPatience = 100_000_000

// Where diagrams fail, or are not there early, quick methods look at so many states for each requirement. If these decide all, states are listed for the built-in checks alone:
// no more than enoughStates and enoughArcs.
const (
	glanceStates = FewStates / 10
	enoughStates = 8 * FewStates
	enoughArcs   = 8 * fewArcs
)

// errAnswered is the cause for cancelling a method that is no longer needed.
var errAnswered = errors.New("another method has answered")

// errEnough is the cause for giving up a state model although it is not complete.
var errEnough = fmt.Errorf("it has more than %s states, and every requirement was decided without listing them", finding.Grouped(fmt.Sprint(enoughStates)))

// Decide decides everything about a draft, and the questions of another version if m is not nil. Propose makes the proposals for a contract
// without requirements. What exceeds the budget is unknown.
func Decide(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment, propose func(*Listed, context.Context) []finding.Proposal) Outcome {
	return decide(ctx, d, b, m, nil, propose)
}

// DecideBeside decides everything about a version, and the questions of the other one, which is decided at the same time beside it.
func DecideBeside(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment, v *Version) Outcome {
	defer v.announce(false)
	return decide(ctx, d, b, m, v, ProposeNothing)
}

func decide(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment, v *Version, propose func(*Listed, context.Context) []finding.Proposal) Outcome {
	d = d.RecallingTexts(m.Texts())
	ctx, cancel := b.After(ctx, d.Took)
	defer cancel()
	told := scriptsFirst(ctx, d, b, m)
	f := by(ctx, d, b, m, v, propose)
	f.scripts(ctx, b)
	f.take(told)
	explain.Finish(f.Result, d)
	return f
}

// by chooses the method.
func by(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment, v *Version, propose func(*Listed, context.Context) []finding.Proposal) Outcome {
	switch {
	case d.Spec == nil:
		return Begin(d, m)
	case b.Engine == finding.Symbolic && d.Failure == "":
		return byDiagrams(ctx, d, b, m)
	case b.Engine == finding.Local && d.Failure == "":
		return byLooking(ctx, d, b, m)
	case b.Engine == finding.Explicit || d.Failure != "" || d.Rule != petri.One:
		return oneByOne(ctx, d, b, m, propose)
	}
	return both(ctx, d, b, m, v, propose)
}

// both lists states and, once these are many or the listing has failed, computes decision diagrams. If the reachable states take long on these, and
// a glance decides everything, they are given up. If the diagrams leave something unknown, the listing goes on, and beside it both looks for verdicts without a state model, which it uses where neither model decides. If a
// glance finds all of these first, fewer states are listed. Each model gets two fifths of the memory.
func both(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment, v *Version, propose func(*Listed, context.Context) []finding.Proposal) Outcome {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(errAnswered)
	share := b.Share(2)
	some, many, enough := newPause(briefStates, briefArcs), newPause(min(FewStates, fewBits/max(1, len(d.Net.Places))), fewArcs), newPause(enoughStates, enoughArcs)
	ended := make(chan Outcome, 1)
	go func() { ended <- oneByOne(ctx, d, some.in(ctx, many.in(ctx, enough.in(ctx, share))), m, propose) }()
	if some.comes(ended) && movesOf(d.Net) <= briefMoves {
		f := tryDiagrams(ctx, d, share, m)
		large := f.Settled() && f.tooMany()
		v.announce(large)
		if large || f.nothingToShow() && (m == nil || v.otherIsLarge(ctx)) {
			cancel(errAnswered)
			<-ended // wait until it has stopped
			return f
		}
	}
	close(some.over)
	select {
	case listed := <-ended:
		if !many.passed(listed) && listed.Settled() || ctx.Err() != nil {
			return listed
		}
		ended <- listed
	case <-many.begun:
	}
	var brief nearbyVerdicts
	var decided bool
	f := byDiagrams(ctx, d, early(d, share), m)
	if !f.Settled() {
		brief, decided = glance(ctx, d, b, m)
	}
	if f.late && !decided {
		f = byDiagrams(ctx, d, share, m)
	}
	if f.Settled() {
		cancel(errAnswered)
		<-ended // wait until it has stopped
		return f
	}
	found := make(chan nearbyVerdicts, 1)
	close(many.over)
	if decided {
		found <- brief
		go enough.stop(ctx, cancel)
	} else {
		close(enough.over)
		go func() { found <- near(ctx, d, small(b), m, deciders) }()
	}
	if listed := <-ended; listed.Settled() || f.Result.Model.States == nil {
		f = listed
	}
	if f.Settled() {
		cancel(errAnswered)
	}
	near := <-found
	near.add(d, f, b)
	return f
}

// early returns the budget for decision diagrams of a draft of which quick methods may decide everything.
func early(d *compile.Draft, b finding.Budget) finding.Budget {
	if len(d.Formulas) > 0 && watched(d.Net) {
		b.Reach = earlyPatience
	}
	return b
}

// glance asks the methods that are quick where they answer at all, among few states, and reports whether they decide everything. It gives up at the
// first formula that they leave open. Without norms and clocks there is nothing to hope for that models do not do as well.
func glance(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment) (v nearbyVerdicts, decided bool) {
	if len(d.Formulas) == 0 || !watched(d.Net) {
		return v, false
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b = small(b)
	b.States = min(b.States, glanceStates)
	v = near(ctx, d, b, m, []decider{zoned{}, sliced{}, onTheFly{}, abandoned(cancel)})
	return v, v.complete(d, BaseQuestions(d, m))
}

// abandoned is a method that leaves its question open, and all that come after it.
type abandoned func()

func (cancel abandoned) decide(context.Context, *question) nearby {
	cancel()
	return nearby{}
}

// small returns the budget for a search that is worth while only for few states: a fifth of the memory and at most FewStates.
func small(b finding.Budget) finding.Budget {
	b = b.Share(1)
	if b.States == 0 || b.States > FewStates {
		b.States = FewStates
	}
	return b
}

// A pause ends the exploration for a while once it has listed more than some states or arcs: it closes begun, and waits for over or the end of
// the context.
type pause struct {
	states, arcs int
	begun, over  chan struct{}
}

func newPause(states, arcs int) *pause {
	return &pause{states, arcs, make(chan struct{}), make(chan struct{})}
}

// in returns a budget under which an exploration has the pause.
func (p *pause) in(ctx context.Context, b finding.Budget) finding.Budget {
	var once sync.Once
	tell := b.Progress
	b.Progress = func(states, arcs int) {
		if tell != nil {
			tell(states, arcs)
		}
		if states > p.states || arcs > p.arcs {
			once.Do(func() {
				close(p.begun)
				select {
				case <-p.over:
				case <-ctx.Done():
				}
			})
		}
	}
	return b
}

// stop ends an exploration when the pause begins.
func (p *pause) stop(ctx context.Context, cancel context.CancelCauseFunc) {
	select {
	case <-p.begun:
		cancel(errEnough)
	case <-ctx.Done():
	}
}

// comes waits until the pause begins or the exploration ends, and reports whether it has more states or arcs than go without the pause: states that
// are taken from a memo come at once.
func (p *pause) comes(ended chan Outcome) bool {
	select {
	case listed := <-ended:
		ended <- listed
		return p.passed(listed)
	case <-p.begun:
		return true
	}
}

// passed reports whether there are more explicit states or arcs than go without the pause.
func (p *pause) passed(f Outcome) bool {
	return f.Listed != nil && (f.Listed.Graph.Len() > p.states || f.Listed.Graph.Arcs() > p.arcs)
}

// movesOf returns how many moves the transitions of a net have, and conditions of these.
func movesOf(n *petri.Net) (all int) {
	for t := range n.Transitions {
		for _, m := range n.Transitions[t].Moves {
			all += 1 + len(m.If)
		}
	}
	return all
}

// tryDiagrams decides everything on decision diagrams, within few steps.
func tryDiagrams(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment) Outcome {
	b.Patience = briefPatience
	return byDiagrams(ctx, d, b, m)
}

// tooMany reports whether a state model has more states than are listed before the listing waits for diagrams: it would be thrown away.
func (f Outcome) tooMany() bool {
	return f.Result.Model.States != nil && f.Result.Model.States.Cmp(big.NewInt(FewStates)) > 0
}

// nothingToShow reports whether everything is decided, every requirement holds, and no finding has a run. Runs are those of states one by one as
// long as these can be listed: waivers name them, and a review compares them.
func (f Outcome) nothingToShow() bool {
	shown := func(q finding.Requirement) bool { return q.Verdict != finding.Holds || q.Trace != nil }
	return f.Settled() && len(f.Result.Requirements) > 0 && !slices.ContainsFunc(f.Result.Requirements, shown) &&
		!slices.ContainsFunc(f.Result.Diagnostics, func(d finding.Diagnostic) bool { return d.Trace != nil })
}

// Settled reports whether nothing is unknown for want of budget.
func (f Outcome) Settled() bool {
	for _, req := range f.Result.Requirements {
		if req.Verdict == finding.Unknown {
			return false
		}
	}
	for i, req := range f.Asked.Requirements {
		if req.Verdict == finding.Unknown && f.Asked.Formulas[i] != nil {
			return false
		}
	}
	return f.broken || f.Result.Model.Incomplete == ""
}

// WhyNotListed returns the reason why a model that was made by the given engine has no explicit states.
func WhyNotListed(m finding.Model, by finding.Engine) string {
	if m.Incomplete == "" && m.Engine != string(finding.Explicit) {
		if by == finding.Symbolic {
			return "--engine symbolic does not list states"
		}
		return "it has too many states to list them"
	}
	return m.Incomplete
}

// A Version is one of two versions of a contract that are decided side by side. What only a list of states shows takes those of both. So if one has too many of them,
// the other needs none, either.
type Version struct {
	once  sync.Once
	large chan bool // whether diagrams have decided it, and it has too many states to list
	other *Version
}

// Versions returns both versions of a contract.
func Versions() (base, head *Version) {
	base, head = &Version{large: make(chan bool, 1)}, &Version{large: make(chan bool, 1)}
	base.other, head.other = head, base
	return base, head
}

// announce says once whether a version is large.
func (v *Version) announce(large bool) {
	if v != nil {
		v.once.Do(func() { v.large <- large })
	}
}

// otherIsLarge waits until the other version says whether it is large.
func (v *Version) otherIsLarge(ctx context.Context) bool {
	if v == nil {
		return false
	}
	select {
	case large := <-v.other.large:
		return large
	case <-ctx.Done():
		return false
	}
}
