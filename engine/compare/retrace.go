package compare

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/engine/ways"
	"github.com/redlinehq/redline/hclspec"
)

// A retracer takes the steps of evidence of one draft on another one.
type retracer struct {
	*stepwise       // its base is the other draft, its head the one that has the evidence
	places    []int // for each place of the draft that has the evidence, the other draft's of that name; -1: it has none
	formulas  map[*ctl.Formula]*ctl.Formula
}

// Retrace takes the steps of evidence that a draft violates a promise on another draft, and returns it as evidence there. It returns nil if the other draft
// cannot take them, if they do not show it there, or if the promise is not about the same places. A step that the other draft lacks is one of the same event
// there. Of a promise outside ACTL runs alone show nothing: then the other draft has to have its states.
func Retrace(ctx context.Context, from *verify.Listed, e *ctl.Evidence, promise *hclspec.Requirement, to *verify.Listed, same *hclspec.Requirement, n compile.Naming) *ctl.Evidence {
	r := retracer{stepwise: InStep(to, from, n), formulas: map[*ctl.Formula]*ctl.Formula{}}
	r.likewise(n)
	number := map[petri.Place]int{} // from 1
	for i, p := range to.Net.Places {
		number[p] = i + 1
	}
	for _, p := range from.Net.Places {
		r.places = append(r.places, number[p]-1)
	}
	terms := compile.TermsOf(same)
	was, _ := from.Resolve(promise.Formula)
	now, _ := to.Resolve(same.Formula)
	on, known := verify.Fair(to.Checked.Draft, terms)
	if !known || verify.FormulaKey(r.formula(was)) != verify.FormulaKey(now) {
		return nil
	}
	again := r.evidence(e, to.Net.Initial)
	if again == nil || explain.Replay(to.Net, to.Rule, on, again) != nil {
		return nil
	}
	if !ways.InACTL(now) && (to.Graph == nil || !isTrue(ctx, to, terms, again)) {
		return nil
	}
	return again
}

// isTrue reports whether each formula of evidence has the value there that it is said to have.
func isTrue(ctx context.Context, c *verify.Listed, t compile.Terms, e *ctl.Evidence) bool {
	holds, known := c.HoldsAt(ctx, e.Formula, t, e.Run.Markings[0])
	return known && holds == e.Holds && !slices.ContainsFunc(e.Next, func(b ctl.Because) bool { return !isTrue(ctx, c, t, b.Evidence) })
}

// likewise adds, for each transition of the draft that has the evidence, those of the other draft that are of the same event.
func (r *retracer) likewise(n compile.Naming) {
	of := map[behaviour.Action][]int{}
	for t := range r.base.Net.Transitions {
		did := behaviour.ActionOf(n.Of(0), r.base.Draft, t)
		of[did] = append(of[did], t)
	}
	for t := range r.same {
		for _, u := range of[behaviour.ActionOf(n.Of(1), r.head.Draft, t)] {
			if !slices.Contains(r.same[t], u) {
				r.same[t] = append(slices.Clip(r.same[t]), u)
			}
		}
	}
}

// evidence takes the steps of evidence from a marking on. It returns nil if they cannot be taken.
func (r *retracer) evidence(e *ctl.Evidence, at petri.Marking) *ctl.Evidence {
	again := &ctl.Evidence{Formula: r.formula(e.Formula), Holds: e.Holds, Run: ctl.Run{Markings: []petri.Marking{at}, Loop: e.Run.Loop, Dead: e.Run.Dead}}
	for _, step := range e.Run.Steps {
		ts, after := r.firing(at, step)
		if len(ts) < len(step) {
			return nil
		}
		at = after
		again.Run.Steps, again.Run.Markings = append(again.Run.Steps, ts), append(again.Run.Markings, at)
	}
	if run := &again.Run; run.Loop >= 0 { // the last step leads back
		run.Markings = run.Markings[:len(run.Markings)-1]
	}
	for _, b := range e.Next {
		below := r.evidence(b.Evidence, again.Run.Markings[b.At])
		if below == nil {
			return nil
		}
		again.Next = append(again.Next, ctl.Because{At: b.At, Evidence: below})
	}
	return again
}

// formula returns a formula with the places of the other draft that have the same names.
func (r *retracer) formula(f *ctl.Formula) *ctl.Formula {
	again, known := r.formulas[f]
	if known || f == nil {
		return again
	}
	again = new(*f)
	again.Means, again.Left, again.Right = r.formula(f.Means), r.formula(f.Left), r.formula(f.Right)
	switch {
	case f.Op != ctl.Atom || f.Means != nil:
	case f.Sum != nil:
		again.Sum = &ctl.Sum{Most: f.Sum.Most}
		for _, w := range f.Sum.Weights {
			again.Sum.Weights = append(again.Sum.Weights, ctl.Weight{Place: r.places[w.Place], By: w.By})
		}
	default:
		again.Place = r.places[f.Place]
	}
	r.formulas[f] = again
	return again
}
