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
	"github.com/redlinehq/redline/hclspec"
)

// The choice of methods. Explicit states come first, and nothing else is tried while they are few. Once they are many, their listing
// waits for decision diagrams, whose result is taken if they decide everything within a counted budget. Before that, diagrams are tried
// briefly. Their result is taken if there are too many states to list; in a check also if it has the runs that listed states have; and in a review if what a review
// looks for in listed states is not there, in both versions. The choice never depends on which method is faster. So the same contract gives the same
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
	defer v.announce(standing{})
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
		known := v.standing(d, f)
		v.announce(known)
		if known.large || known.drawn && (m == nil || v.spares(ctx, known)) {
			cancel(errAnswered)
			<-ended // wait until it has stopped
			return f
		}
	}
	close(some.over)
	select {
	case listed := <-ended:
		if !many.passed(listed) && listed.Settled() || ctx.Err() != nil {
			v.announce(v.standing(d, listed))
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
	return f.Result.Model.States != nil && !Few(f.Result.Model)
}

// nothingToShow reports whether every requirement holds, and no finding has a run.
func (f Outcome) nothingToShow() bool {
	shown := func(q finding.Requirement) bool { return q.Verdict != finding.Holds || q.Trace != nil }
	return !slices.ContainsFunc(f.Result.Requirements, shown) &&
		!slices.ContainsFunc(f.Result.Diagnostics, func(d finding.Diagnostic) bool { return d.Trace != nil })
}

// sameRuns reports whether diagrams give the runs that listed states give: waivers name them, and a review compares them. Endless runs on which progress is assumed
// may be others.
func (f Outcome) sameRuns() bool {
	assumes := func(q finding.Requirement) bool { return len(q.Assuming) > 0 && q.Trace != nil }
	return !f.broken && len(f.Result.Requirements) > 0 && !slices.ContainsFunc(f.Result.Requirements, assumes)
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

// Few reports whether a model has few enough states to be listed before another method starts.
func Few(m finding.Model) bool { return m.States != nil && m.States.Cmp(big.NewInt(FewStates)) <= 0 }

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
// or if there is nothing of the kind, the other needs none, either.
type Version struct {
	base  bool
	once  sync.Once
	known chan standing
	other *Version
}

// A standing is what one version knows of itself before the other one is decided.
type standing struct {
	large bool // diagrams have decided it, and it has too many states to list
	drawn bool // all is decided, with the runs of listed states, and nothing is accepted, of which listed states tell the ways
	plain bool // and a review looks for nothing in its list: there are no norms, and base has no run to show, of which new ways are sought
}

// standing returns what is known of a version that was decided.
func (v *Version) standing(d *compile.Draft, f Outcome) (s standing) {
	if !f.Settled() {
		return s
	}
	waived := func(r *hclspec.Requirement) bool { return r.Waiver != nil }
	s.large = f.tooMany()
	s.drawn = f.sameRuns() && !slices.ContainsFunc(d.Spec.Requirements, waived) && len(d.Spec.Accepts) == 0
	s.plain = s.drawn && !watched(d.Net) && (v == nil || !v.base || f.nothingToShow())
	return s
}

// Versions returns both versions of a contract.
func Versions() (base, head *Version) {
	base, head = &Version{base: true, known: make(chan standing, 1)}, &Version{known: make(chan standing, 1)}
	base.other, head.other = head, base
	return base, head
}

// announce says once what is known of a version.
func (v *Version) announce(s standing) {
	if v != nil {
		v.once.Do(func() { v.known <- s })
	}
}

// spares waits until the other version says what is known of it, and reports whether this one then needs no list.
func (v *Version) spares(ctx context.Context, own standing) bool {
	if v == nil {
		return false
	}
	select {
	case other := <-v.other.known:
		return other.large || own.plain && other.plain
	case <-ctx.Done():
		return false
	}
}
