// Package behaviour compares the behaviour of two versions of a contract: the sequences of events that only one of them has, the parties
// that can see the difference, the states that were added or removed by their meaning, what is owed differently, and which parties are
// exposed. Separate code replays each run on both versions before it is shown.
package behaviour

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
)

// Sequences shown in each direction: for all parties together, and for one party.
const (
	sequencesOfAll  = 5
	sequencesOfView = 3
)

// Difference returns everything that the amendment changes besides verdicts. It can take as long, and as much memory besides the state
// models, as the check of one version.
func (v *Versions) Difference(ctx context.Context) *finding.Difference {
	ctx, cancel := v.Budget.Within(ctx)
	defer cancel()
	x := ObservablesOf(v.Base.Draft, v.Head.Draft, v.Names)
	all := x.Chosen(v.Budget.Observe)
	d := v.open(x, all)
	switch reason := ""; {
	case compile.SameNet(v.Base.Draft, v.Head.Draft) && x.sameNorms():
		x.same(d, all)
	case v.oneByOne(ctx, d, x, all, &reason):
	default: // explicit states may decide what diagrams do not
		applies := v.vast(ctx, d, x, all)
		told := v.open(x, all)
		if (!applies || d.All.Relation == delta.Unknown || v.Base.Few && v.Head.Few && d.Undecided()) && v.list(ctx) && v.oneByOne(ctx, told, x, all, &reason) {
			d = told
		} else if !applies {
			x.unknown(d, all, reason)
		}
	}
	v.exposure(ctx, d, x)
	return d
}

// oneByOne fills a difference from both explicit state models. It returns false and sets reason if it cannot.
func (v *Versions) oneByOne(ctx context.Context, d *finding.Difference, x *Observables, all Observer, reason *string) bool {
	c, why := v.compared(ctx, x)
	if c == nil {
		*reason = why
		return false
	}
	d.Acts = x.acts([2]*compile.Draft{v.Base.Draft, v.Head.Draft}, v.Names, c.calls(), [2][]bool{c.sides[0].fired, c.sides[1].fired})
	c.fill(ctx, d, all)
	return true
}

// unknown sets one reason for everything.
func (x *Observables) unknown(d *finding.Difference, all Observer, reason string) {
	x.each(d, all, func(b *finding.Behaviour, o Observer) {
		if b.Reason = reason; x.concerned(o) {
			b.Owed = &finding.Owed{Reason: reason}
		}
	})
	if d.States.Unknown = reason; all != nil {
		d.Whole = &finding.Behaviour{Reason: reason, Owed: &finding.Owed{Reason: reason}}
	}
}

// open returns a difference of which nothing is known yet.
func (v *Versions) open(x *Observables, all Observer) *finding.Difference {
	d := &finding.Difference{Views: x.views(), Changes: v.Changes}
	for i := range d.Views {
		d.Views[i].Called = v.called(d.Views[i].Party)
	}
	d.Acts = x.acts([2]*compile.Draft{v.Base.Draft, v.Head.Draft}, v.Names, v.calls(x.Parties), [2][]bool{})
	if was, now, differs := compile.Retimed(v.Base.Draft, v.Head.Draft); differs {
		d.Tick = &finding.Tick{Was: was, Now: now}
	}
	d.All.Observed = x.observed(all)
	return d
}

// mostListed bounds the states that are listed of a version only to compare it. It is some ten seconds of work.
const mostListed = 4_000_000

// list builds the explicit states of versions that were decided without them. It returns false if it cannot.
func (v *Versions) list(ctx context.Context) bool {
	if v.Budget.Engine == finding.Symbolic || v.Base.Model != nil && v.Head.Model != nil {
		return false
	}
	budget := v.Budget
	if budget.States == 0 || budget.States > mostListed {
		budget.States = mostListed
	}
	for _, side := range []*Version{&v.Base, &v.Head} {
		if side.Model != nil {
			continue
		}
		if side.Asked == nil || side.Asked.Failure != "" {
			return false
		}
		g, _ := verify.ExploreFor(ctx, side.Asked, budget, verify.StaticResult(side.Asked))
		if g == nil {
			return false
		}
		side.Model = verify.Listing(side.Asked, g, v.Budget.Memory)
	}
	return true
}

// each calls do for each behaviour of a difference, with its observer.
func (x *Observables) each(d *finding.Difference, all Observer, do func(b *finding.Behaviour, o Observer)) {
	do(&d.All, all)
	for i := range d.Views {
		do(&d.Views[i].Behaviour, x.party(d.Views[i].Party))
	}
}

// A comparison is two explicit state models as joined systems.
type comparison struct {
	*Versions
	*lexicon
	sides [2]*modelled
	pair  *delta.Pair
}

// compared joins the state models. It returns nil and a reason if it cannot, or nil without a reason if the nets are the same.
func (v *Versions) compared(ctx context.Context, x *Observables) (*comparison, string) {
	for _, side := range []struct {
		name string
		Version
	}{{"base", v.Base}, {"head", v.Head}} {
		if side.Model == nil {
			return nil, fmt.Sprintf("there is no complete state model of %s: %s", side.name, side.Why)
		}
	}
	if compile.SameNet(v.Base.Draft, v.Head.Draft) && x.sameNorms() {
		return nil, ""
	}
	c := &comparison{Versions: v, lexicon: &lexicon{Observables: x, labels: [][]int{nil}, at: map[string]uint32{}}}
	if err := c.join(ctx); err != nil {
		return nil, v.Budget.Reason(err)
	}
	return c, ""
}

func (c *comparison) join(ctx context.Context) (err error) {
	size := int64(0)
	for _, m := range []*verify.Listed{c.Base.Model, c.Head.Model} {
		size += 8*(int64(m.Graph.Arcs())+int64(m.Graph.Len())) + 10*int64(len(c.norms))*int64(m.Graph.Len())
	}
	if limit := int64(c.Budget.Memory); limit > 0 && size > limit {
		return &delta.LimitError{Bytes: limit}
	}
	found := verify.Memoized(ctx, c.memo(), c.key("join"), func() joined { return c.joined(ctx) })
	if found.err != nil {
		return found.err
	}
	c.labels, c.pair = found.labels, found.pair
	for side, m := range []*verify.Listed{c.Base.Model, c.Head.Model} {
		own := *found.sides[side]
		own.Listed = m
		c.sides[side] = &own
	}
	return nil
}

// A joined is a comparison in numbers: its labels, its systems, and their join.
type joined struct {
	labels [][]int
	sides  [2]*modelled
	pair   *delta.Pair
	err    error
}

func (c *comparison) joined(ctx context.Context) (j joined) {
	for side, m := range []*verify.Listed{c.Base.Model, c.Head.Model} {
		if j.sides[side], j.err = c.model(ctx, m, side); j.err != nil {
			return j
		}
	}
	c.sort(j.sides[0].system, j.sides[1].system)
	j.labels = c.labels
	j.pair, j.err = delta.Join(ctx, j.sides[0].system, j.sides[1].system, c.limits(comparingSteps))
	return j
}

func (v *Versions) memo() *compile.Memo { return v.Head.Draft.Memo }

// key returns a memo key for a result of comparing both state models.
func (c *comparison) key(what string, more ...any) func() string {
	return c.Head.Model.Key(what, append(more, c.Base.Model.Graph.ID, c.form())...)
}

// form returns a digest of everything observable, without titles.
func (x *Observables) form() string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, x.Actions, x.Parties, x.in, x.All, x.Of, x.Time, x.idle, x.terms, x.glances, x.fates)))
}

// comparingSteps ends a search through sets of states that would take minutes. Two versions of 200,000 states need some four million.
const comparingSteps = 30_000_000

func (c *comparison) limits(steps int64) delta.Limits {
	return delta.Limits{Bytes: int64(c.Budget.Memory), Steps: steps}
}

// fill compares what all parties and what each party observes, concurrently.
func (c *comparison) fill(ctx context.Context, d *finding.Difference, all Observer) {
	var group errgroup.Group
	group.SetLimit(max(c.Budget.Jobs, 1))
	group.Go(func() error { c.behave(ctx, &d.All, all, "", sequencesOfAll); return nil })
	like, found := c.alikeViews(d.Views), make([]askedOf, len(d.Views))
	for i := range d.Views {
		if view := &d.Views[i]; like[i].by == nil {
			group.Go(func() error {
				found[i] = c.behave(ctx, &view.Behaviour, c.party(view.Party), view.Party, sequencesOfView)
				return nil
			})
		}
	}
	group.Go(func() error { d.States = c.states(ctx, c.Names); return nil })
	if all != nil {
		d.Whole = &finding.Behaviour{}
		group.Go(func() error { c.behave(ctx, d.Whole, nil, "", sequencesOfAll); return nil })
	}
	group.Go(func() error { d.Picture = c.picture(ctx); return nil })
	_ = group.Wait() // each comparison has its own reason
	c.exchanged(d.Views, like, found, c.Budget.Reason)
	c.untimed(ctx, d.Full())
	c.turn(ctx, d)
	c.foresee(ctx, d)
	c.ownOwed(d, all)
	if d.Full().Same() {
		c.heldApart(ctx, &d.States)
	}
}

// ownOwed replaces the norms of which a chosen observer concludes that they differ by those of its own that do differ, after all steps.
func (x *Observables) ownOwed(d *finding.Difference, all Observer) {
	own := d.All.Owed
	if d.Whole == nil || own == nil || d.Whole.Owed == nil {
		return
	}
	whole := d.Whole.Owed
	theirs := func(list []finding.NormDifference) []finding.NormDifference {
		return slices.DeleteFunc(slices.Clone(list), func(n finding.NormDifference) bool {
			return !slices.ContainsFunc(x.All[x.plain:], func(s Sight) bool {
				return s.Action == glanceAction && x.norms[x.terms[s.term].norm].is(n) && all(s)
			})
		})
	}
	own.Norms, own.Unshown = theirs(whole.Norms), whole.Unshown
	own.Untimed, own.UntimedReason = theirs(whole.Untimed), whole.UntimedReason
	switch open := whole.Relation == delta.Unknown || whole.Reason != ""; {
	case own.Relation == delta.Unknown:
	case len(own.Norms) > 0 && own.Relation == delta.Same:
		own.Relation = delta.Otherwise
	case open && len(own.Norms) == 0:
		own.Relation, own.Reason = delta.Unknown, whole.Reason
	case open:
		own.Reason = cmp.Or(own.Reason, whole.Reason)
	}
}

// behave compares the observations of one observer: a party or, without a name, the chosen observer. If the terms of norms are proved to be
// the same along all sequences, the sequences are the same too.
func (c *comparison) behave(ctx context.Context, b *finding.Behaviour, o Observer, party string, k int) (found askedOf) {
	if c.concerned(o) {
		b.Owed = c.owing(func(as aspect) askedOf {
			g := c.language(o, as)
			return c.ask(ctx, g, party, o, len(g.words))
		}, c.Budget.Reason)
		if b.Owed.Relation == delta.Same {
			b.Relation = delta.Same
			return found
		}
	}
	found = c.ask(ctx, c.language(o, stepsAlone), party, o, k)
	c.conclude(b, found, c.Budget.Reason)
	return found
}

// conclude writes what was found of steps. reason says which limit an error is.
func (c *comparison) conclude(b *finding.Behaviour, found askedOf, reason func(error) string) {
	b.Relation, b.Reason = found.relation, found.reason
	if found.err != nil && b.Relation == delta.Unknown {
		b.Reason = reason(found.err)
	}
	if err := c.render(b, found.confirmation); err != nil {
		*b = finding.Behaviour{Observed: b.Observed, Owed: b.Owed, Reason: doesNotReplay + err.Error()}
	}
}

const doesNotReplay = "the difference found does not replay, which is a defect of redline: "

// An askedOf is the result of a comparison, with what was replayed of it.
type askedOf struct {
	relation delta.Relation
	reason   string // why it is unknown, if there is no error
	*confirmation
	err error
}

// ask compares both systems in a language.
func (c *comparison) ask(ctx context.Context, g language, party string, o Observer, k int) askedOf {
	return verify.Memoized(ctx, c.memo(), c.key("compare", party, k, g.as, g.relabel, g.groups), func() askedOf {
		answer, err := c.pair.Compare(ctx, delta.View{Relabel: g.relabel, Groups: g.groups, Wait: g.wait(c.Time), Most: k}, c.limits(comparingSteps))
		return askedOf{answer.Relation, "", c.confirming(o, g).confirm(answer), err}
	})
}

// called returns the usual name of a party: head's, or else base's.
func (v *Versions) called(party string) string {
	return cmp.Or(v.Head.Draft.Calls[party], v.Base.Draft.Calls[party])
}

// calls returns the usual names of parties of either side, by name as reported.
func (c *comparison) calls() finding.Calls { return c.Versions.calls(c.Parties) }

func (v *Versions) calls(parties []string) (calls finding.Calls) {
	for _, p := range parties {
		if name := v.called(p); name != "" {
			calls = append(calls, finding.Call{Name: p, Called: name})
		}
	}
	return calls
}

// Versions are both checked drafts of a contract, from which differences and refusals are computed. Either draft may be nil.
type Versions struct {
	Base, Head Version
	Names      compile.Naming
	Changes    []diff.Change // of the text
	Budget     finding.Budget
}

// A Version is one of the two.
type Version struct {
	Draft *compile.Draft
	Asked *compile.Draft // with history places for the other's formulas
	Model *verify.Listed // the draft with its explicit states, and history places for the other's formulas; nil: none
	Why   string         // why there is no Model
	Few   bool           // it has few enough states to be listed, though they may not have been
}

// Mean reports whether both sides have a well-formed contract.
func (v *Versions) Mean() bool {
	return v.Base.Draft != nil && v.Head.Draft != nil && v.Base.Draft.Spec != nil && v.Head.Draft.Spec != nil
}

// ActionOf returns the action of a composed transition.
func ActionOf(n compile.SideNaming, d *compile.Draft, t int) Action {
	tr := d.Net.Transitions[t]
	switch {
	case tr.Moving:
		return Action{Kind: TimeAction, Name: d.Events[tr.Event].Name}
	case tr.Event >= 0:
		return Action{EventAction, n.Event(d.Events[tr.Event].Name)}
	}
	return Action{TransitionAction, n.Part(d, tr.Parts[0])}
}
