package blame

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/local"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// An Outcome is whether a text in between has a violation.
type Outcome uint8

const (
	unknown     Outcome = iota // a budget ran out
	meaningless                // it is ill-formed, or lacks the names of the question
	absent
	Present
)

// A Question asks whether a draft has the violation of a finding.
type Question struct {
	Promise *hclspec.Requirement // in the wording that is checked; or
	Asker   *compile.Draft       // the draft whose names the question uses
	check   *finding.Diagnostic  // a built-in check
	final   *hclspec.Formula     // the final states to check; nil: the draft's own
	Waived  bool                 // waivers count
	was     *verify.Listed       // base, if it has the violation too and only new ways count; else nil
}

// Ask returns the question of a Novel finding. Of one that a waiver accepts it asks without waivers.
func Ask(f *finding.Finding, base, head *compile.Draft, states *verify.Listed) Question {
	var was *verify.Listed
	if f.Way != nil && f.Way.New {
		was = states
	}
	asker := head
	if f.Old || f.Check != nil && f.Kind == finding.Weakened {
		asker = base
	}
	if f.Check != nil {
		q := Question{Asker: asker, check: f.Check, was: was}
		if f.Kind == finding.Weakened {
			q.final = base.Spec.Final
		}
		return q
	}
	i := slices.IndexFunc(asker.Spec.Requirements, func(r *hclspec.Requirement) bool { return r.Name == f.Name })
	promise := asker.Spec.Requirements[i]
	if f.Old { // as base meant it
		_, names := diff.Changes(base.Spec, head.Spec)
		promise = names.WrittenOut(promise)
	}
	return Question{Asker: asker, Promise: promise, Waived: f.Kind != finding.Waived && (f.Head.Waiver != nil || f.Base != nil && f.Base.Waiver != nil), was: was}
}

// in returns the question in a draft's names. It is unchanged if the draft has the names of the asker.
func (q Question) in(d *compile.Draft) Question {
	names := func() *diff.Names {
		_, n := diff.Changes(q.Asker.Spec, d.Spec)
		return n
	}
	switch {
	case q.Promise != nil && !understands(d, q.Promise.Formula, compile.TermsOf(q.Promise).Names):
		q.Promise = names().HeadRequirement(q.Promise)
	case q.final != nil && !understands(d, q.final, nil):
		q.final = names().HeadText(q.final)
	case q.check != nil && q.check.Subject != "" && !compare.Has(d, q.check.Subject):
		if subject, ok := names().HeadSubject(q.check.Subject); ok {
			check := *q.check
			check.Subject = subject
			q.check = &check
		}
	}
	return q
}

// understands reports whether a draft has the names of a formula and of its parties.
func understands(d *compile.Draft, text *hclspec.Formula, parties []string) bool {
	f, _ := d.Resolve(text)
	_, ok := d.Actors(parties)
	return f != nil && ok
}

// texts returns the formulas of the question.
func (q Question) texts() []*hclspec.Formula {
	switch {
	case q.Promise != nil:
		return []*hclspec.Formula{q.Promise.Formula}
	case q.final != nil:
		return []*hclspec.Formula{q.final}
	}
	return nil
}

// ask answers the question for a draft with its listed states.
func (q Question) ask(ctx context.Context, c *verify.Listed, b finding.Budget) Outcome {
	return answer(ctx, c.Checked, q, b, c)
}

// answer answers a question for a draft with any state model. What it asks of ways is unknown unless the states are listed; nil: they are not.
func answer[S any](ctx context.Context, c *verify.Checked[S], q Question, b finding.Budget, listed *verify.Listed) Outcome {
	if q.Promise != nil {
		return answerPromise(ctx, c, q, b, listed)
	}
	found, asked, err := askCheck(ctx, c, q)
	switch {
	case err != nil:
		return unknown
	case !asked:
		return meaningless
	}
	r := &finding.Result{Diagnostics: found, Model: finding.Model{Incomplete: "only some checks were made"}}
	explain.Accept(c.Draft, r)
	switch {
	case !q.among(r):
		return absent
	case q.was == nil:
		return Present
	case listed == nil:
		return unknown
	}
	return q.newWay(ctx, listed, r, b)
}

// newWay answers whether a draft fails the check in a way that base does not have. checked has the draft's checks.
func (q Question) newWay(ctx context.Context, c *verify.Listed, checked *finding.Result, b finding.Budget) Outcome {
	_, names := diff.Changes(q.was.Spec, c.Spec)
	f := compare.InStep(q.was, c, compile.Naming{Names: names})
	return isNew(f.Uncovered(ctx, f.SafetyPromise(q.check, q.in(q.was.Draft).check.Subject), q.check, checked, b))
}

// newRun answers whether a draft violates the promise in a way that base does not have, with the way and evidence if it does.
func (q Question) newRun(ctx context.Context, c *verify.Listed, b finding.Budget) (Outcome, *finding.Way, *ctl.Evidence) {
	_, names := diff.Changes(q.was.Spec, c.Spec)
	f := compare.InStep(q.was, c, compile.Naming{Names: names})
	w, ok := f.Promise(q.Promise, q.in(q.was.Draft).Promise)
	if !ok {
		return unknown, nil, nil
	}
	req := asked(c.Draft, q.Promise)
	way, e := f.UnwaivedViolation(ctx, w, req, b)
	if way.New && q.Waived && compare.WaivesWay(c, w.Head, req, e, b) {
		return absent, nil, nil
	}
	return isNew(way), way, e
}

// isNew returns the outcome of a search for a new way.
func isNew(way *finding.Way) Outcome {
	switch {
	case way.New:
		return Present
	case way.Unknown != "":
		return unknown
	}
	return absent
}

// violation returns the way in which a draft violates the promise, one that base does not have if only those count, and evidence of it. That is nil if there is
// none, or if that is unknown.
func (q Question) violation(ctx context.Context, c *verify.Listed, b finding.Budget) (*finding.Way, *ctl.Evidence) {
	if q.was == nil {
		return nil, compare.Violation(ctx, c, q.Promise, b)
	}
	_, way, e := q.newRun(ctx, c, b)
	return way, e
}

// answerPromise answers a question about a requirement.
func answerPromise[S any](ctx context.Context, c *verify.Checked[S], q Question, b finding.Budget, listed *verify.Listed) Outcome {
	f, _ := c.Resolve(q.Promise.Formula)
	on := compile.TermsOf(q.Promise)
	if _, ok := c.Actors(on.Names); f == nil || !ok {
		return meaningless
	}
	if r := asked(c.Draft, q.Promise); verify.Scripted(ctx, c.Draft, f, r, b) {
		if q.Waived && r.Waived() || r.Verdict == finding.Violated && q.stopsAsBefore(ctx, r, b) {
			return absent
		}
		return map[finding.Verdict]Outcome{finding.Holds: absent, finding.Violated: Present}[r.Verdict]
	}
	checker, _ := c.On(on)
	holds, err := checker.Holds(ctx, f)
	switch {
	case err != nil:
		return unknown
	case holds:
		return absent
	case q.was == nil && (!q.Waived || asked(c.Draft, q.Promise).Waiver == nil):
		return Present
	case listed == nil:
		return unknown
	case q.was != nil:
		is, _, _ := q.newRun(ctx, listed, b)
		return is
	}
	return unwaived(ctx, listed, q.Promise, f, b)
}

// fails reports whether a draft violates the promise of the question, as far as so many states show. It is false where that takes a whole state model to
// tell: of checks, of assumptions, of waivers, and where only new ways count.
func (q Question) fails(ctx context.Context, d *compile.Draft, states int) bool {
	if q.Promise == nil || q.Waived || q.was != nil || !compile.TermsOf(q.Promise).Plain() || q.Promise.Formula.Ideal {
		return false
	}
	q = q.in(d)
	d = d.RecallingTexts(q.texts())
	f, _ := d.Resolve(q.Promise.Formula)
	if f == nil || phrase.ScriptOf(f) != nil || !promises(d, q.Promise) {
		return false
	}
	holds, err := local.Holds(ctx, d.Net, d.Rule, f, space.Limits{States: states})
	return err == nil && !holds
}

// promises reports whether a draft makes a promise, and does not waive it.
func promises(d *compile.Draft, promise *hclspec.Requirement) bool {
	meaning := d.Promise(promise)
	return slices.ContainsFunc(d.Spec.Requirements, func(r *hclspec.Requirement) bool { return r.Waiver == nil && d.Promise(r) == meaning })
}

// stopsAsBefore reports whether a scenario that base violates too, of which only new ways count, stops at the step at which it stops there.
func (q Question) stopsAsBefore(ctx context.Context, r *finding.Requirement, b finding.Budget) bool {
	if q.was == nil {
		return false
	}
	promise := q.in(q.was.Draft).Promise
	f, _ := q.was.Resolve(promise.Formula)
	was := asked(q.was.Draft, promise)
	return f == nil || verify.Scripted(ctx, q.was.Draft, f, was, b) && was.Verdict == finding.Violated && was.Scenario.Stops == r.Scenario.Stops
}

// unwaived answers whether a draft violates a promise in a way that its own waiver does not accept.
func unwaived(ctx context.Context, c *verify.Listed, promise *hclspec.Requirement, f *ctl.Formula, b finding.Budget) Outcome {
	req := asked(c.Draft, promise)
	c.Decide(ctx, f, req, b)
	switch {
	case req.Verdict != finding.Violated:
		return unknown
	case !req.Waived():
		return Present
	}
	switch w, _ := compare.Besides(ctx, c, promise, req, b); {
	case w.Unknown != "":
		return unknown
	case w.New:
		return Present
	}
	return absent
}

// asked returns a promise as a requirement of a draft, with the draft's own waiver of the same promise, if it has one.
func asked(c *compile.Draft, promise *hclspec.Requirement) *finding.Requirement {
	req := &finding.Requirement{Notation: promise.Formula.Notation.String(), Scenario: explain.ScenarioOf(c, promise.Formula)}
	compile.SetTerms(req, compile.TermsOf(promise))
	meaning := c.Promise(promise)
	if i := slices.IndexFunc(c.Spec.Requirements, func(r *hclspec.Requirement) bool { return c.Promise(r) == meaning }); i >= 0 {
		req.Waiver = finding.WaiverOf(c.Spec.Requirements[i].Waiver)
	}
	return req
}

// askCheck runs the check of the question's code. asked is false if the draft lacks the names of the final states.
func askCheck[S any](ctx context.Context, c *verify.Checked[S], q Question) (found []finding.Diagnostic, asked bool, err error) {
	switch q.check.Code {
	case "document-held-twice":
		found, err = c.DocumentsHeldTwice(ctx)
	case "due-event-blocked":
		found, err = c.EventsBlocked(ctx)
	case "dead-end", "no-option-to-complete":
		final, text, in := c.Final, c.Spec.Final, c.Draft
		if q.final != nil {
			if final, _ = c.Resolve(q.final); final == nil {
				return nil, false, nil
			}
			text, in = q.final, q.Asker
		}
		found, err = c.Completion(ctx, final, text, in)
	default:
		found, err = c.Clashes(ctx)
	}
	return found, true, err
}

// among reports whether the check's finding is among a draft's and not accepted. If only new ways count, newWay sees to what is accepted, and
// the two checks of final states are one.
func (q Question) among(r *finding.Result) bool {
	return slices.ContainsFunc(r.Diagnostics, func(e finding.Diagnostic) bool {
		return (e.Code == q.check.Code || q.was != nil && q.check.Subject == "") && e.Subject == q.check.Subject && e.Class == codes.Violation && (e.Accepted == "" || q.was != nil)
	})
}
