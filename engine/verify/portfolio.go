package verify

import (
	"context"
	"errors"
	"sync"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
)

// Which method answers. Few states are looked at one by one, and nothing else is tried. Where they are many, decision diagrams are
// made side by side with that, and have the word if they decide everything: they are ready in a moment or never, and
// so the same contract gives the same report on every machine, whichever of the two is faster there.

// How many states and arcs are looked at before anything else is tried: a second's work, and as many as a difference takes one by one.
const (
	FewStates = 250_000
	fewArcs   = 2_000_000
)

// errAnswered is why a method need not go on.
var errAnswered = errors.New("another method has answered")

// Decide finds out everything about a draft, and answers what another version required of itself.
func Decide(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment, propose func(*Listed, context.Context) []finding.Proposal) Outcome {
	d = d.RecallingTexts(m.Texts())
	ctx, cancel := b.After(ctx, d.Took)
	defer cancel()
	f := by(ctx, d, b, m, propose)
	explain.Finish(f.Result, d)
	return f
}

func by(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment, propose func(*Listed, context.Context) []finding.Proposal) Outcome {
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
	return both(ctx, d, b, m, propose)
}

// both tries states one by one and, once these are many or cannot be had, decision diagrams; and while there is no answer yet,
// verdicts without a state model, which are taken for what no model decides. They share the memory: two fifths for either model.
func both(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment, propose func(*Listed, context.Context) []finding.Proposal) Outcome {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(errAnswered)
	share := b
	share.Memory = b.Memory / 5 * 2
	many, ended := make(chan struct{}), make(chan Outcome, 1)
	go func() { ended <- oneByOne(ctx, d, telling(share, many), m, propose) }()
	select {
	case listed := <-ended:
		if !listed.many() && listed.settled() || ctx.Err() != nil {
			return listed
		}
		ended <- listed
	case <-many:
	}
	f := byDiagrams(ctx, d, share, m)
	if f.settled() {
		cancel(errAnswered)
		<-ended // nothing goes on once there is an answer
		return f
	}
	found := make(chan nearbyVerdicts, 1)
	go func() { found <- near(ctx, d, small(b), m) }()
	if listed := <-ended; listed.settled() || f.Result.Model.States == nil {
		f = listed
	}
	if f.settled() {
		cancel(errAnswered)
	}
	near := <-found
	near.add(d, f, b)
	return f
}

// small is the share of a search that goes to few states, if it is of use.
func small(b finding.Budget) finding.Budget {
	b.Memory = b.Memory / 5
	if b.States == 0 || b.States > FewStates {
		b.States = FewStates
	}
	return b
}

// telling closes a channel once there are more than few states or arcs.
func telling(b finding.Budget, many chan struct{}) finding.Budget {
	var once sync.Once
	tell := b.Progress
	b.Progress = func(states, arcs int) {
		if states > FewStates || arcs > fewArcs {
			once.Do(func() { close(many) })
		}
		if tell != nil {
			tell(states, arcs)
		}
	}
	return b
}

// many reports whether there are more than few states or arcs, one by one.
func (f Outcome) many() bool {
	return f.Listed != nil && (f.Listed.Graph.Len() > FewStates || f.Listed.Graph.Arcs() > fewArcs)
}

// settled reports whether nothing was left open for want of a budget.
func (f Outcome) settled() bool {
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

// WhyNotListed says why the states are not there one by one.
func WhyNotListed(m finding.Model) string {
	if m.Incomplete == "" && m.Engine != string(finding.Explicit) {
		return "it has too many states to list them"
	}
	return m.Incomplete
}
