package engine

import (
	"context"
	"errors"
	"sync"

	"github.com/redlinehq/redline/engine/petri"
)

// Which method answers. Few states are looked at one by one, and nothing else is tried. Where they are many, decision diagrams are
// made side by side with that, and have the word if they decide everything: they are ready in a moment or never, and
// so the same contract gives the same report on every machine, whichever of the two is faster there.

// How many states and arcs are looked at before anything else is tried: a second's work, and as many as a difference takes one by one.
const (
	fewStates = 250_000
	fewArcs   = 2_000_000
)

// errAnswered is why a method need not go on.
var errAnswered = errors.New("another method has answered")

// check finds out everything about a draft, and answers what another version required of itself.
func (d *Draft) check(ctx context.Context, b Budget, m *amendment, propose func(*listed, context.Context) []Proposal) foundOut {
	d = d.recallingTexts(m.texts())
	ctx, cancel := b.after(ctx, d.took)
	defer cancel()
	f := d.by(ctx, b, m, propose)
	f.result.finish(d)
	return f
}

func (d *Draft) by(ctx context.Context, b Budget, m *amendment, propose func(*listed, context.Context) []Proposal) foundOut {
	switch {
	case d.Spec == nil:
		return d.begin(m)
	case b.Engine == Symbolic && d.unbuilt == "":
		return d.byDiagrams(ctx, b, m)
	case b.Engine == Local && d.unbuilt == "":
		return d.byLooking(ctx, b, m)
	case b.Engine == Explicit || d.unbuilt != "" || d.Rule != petri.One:
		return d.oneByOne(ctx, b, m, propose)
	}
	return d.both(ctx, b, m, propose)
}

// both tries states one by one and, once these are many or cannot be had, decision diagrams; and while there is no answer yet,
// verdicts without a state model, which are taken for what no model decides. They share the memory: two fifths for either model.
func (d *Draft) both(ctx context.Context, b Budget, m *amendment, propose func(*listed, context.Context) []Proposal) foundOut {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(errAnswered)
	share := b
	share.Memory = b.Memory / 5 * 2
	many, ended := make(chan struct{}), make(chan foundOut, 1)
	go func() { ended <- d.oneByOne(ctx, share.telling(many), m, propose) }()
	select {
	case listed := <-ended:
		if !listed.many() && listed.settled() || ctx.Err() != nil {
			return listed
		}
		ended <- listed
	case <-many:
	}
	f := d.byDiagrams(ctx, share, m)
	if f.settled() {
		cancel(errAnswered)
		<-ended // nothing goes on once there is an answer
		return f
	}
	found := make(chan nearbyVerdicts, 1)
	go func() { found <- d.near(ctx, b.small(), m) }()
	if listed := <-ended; listed.settled() || f.result.Model.States == nil {
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
func (b Budget) small() Budget {
	b.Memory = b.Memory / 5
	if b.States == 0 || b.States > fewStates {
		b.States = fewStates
	}
	return b
}

// telling closes a channel once there are more than few states or arcs.
func (b Budget) telling(many chan struct{}) Budget {
	var once sync.Once
	tell := b.Progress
	b.Progress = func(states, arcs int) {
		if states > fewStates || arcs > fewArcs {
			once.Do(func() { close(many) })
		}
		if tell != nil {
			tell(states, arcs)
		}
	}
	return b
}

// many reports whether there are more than few states or arcs, one by one.
func (f foundOut) many() bool {
	return f.listed != nil && (f.listed.graph.Len() > fewStates || f.listed.graph.Arcs() > fewArcs)
}

// settled reports whether nothing was left open for want of a budget.
func (f foundOut) settled() bool {
	for _, req := range f.result.Requirements {
		if req.Verdict == Unknown {
			return false
		}
	}
	for i, req := range f.asked.Requirements {
		if req.Verdict == Unknown && f.asked.formulas[i] != nil {
			return false
		}
	}
	return f.broken || f.result.Model.Incomplete == ""
}

// unlisted is why the states are not there one by one.
func (m Model) unlisted() string {
	if m.Incomplete == "" && m.Engine != string(Explicit) {
		return "it has too many states to list them"
	}
	return m.Incomplete
}
