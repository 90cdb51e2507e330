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
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// An outcome is whether a text in between has a violation.
type Outcome uint8

const (
	untold      Outcome = iota // a budget ran out
	meaningless                // it is ill-formed, or has not the names to ask
	absent
	Present
)

// A question is whether a draft has the violation that a finding tells of.
type Question struct {
	Promise *hclspec.Requirement // in the wording that is asked; or
	Asker   *compile.Draft       // whose words they are
	check   *finding.Diagnostic  // a built-in check
	final   *hclspec.Formula     // the final states it asks about; nil: the draft's own
	Waived  bool                 // a waiver has a say
	was     *verify.Listed       // base, where it has the violation, too: whether there is a way to violate it that base has not; else nil
}

// Ask is what a New or Weakened finding comes to.
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
	return Question{Asker: asker, Promise: asker.Spec.Requirements[i], Waived: f.Head.Waiver != nil || f.Base != nil && f.Base.Waiver != nil, was: was}
}

// in is the question in the names that a draft has for what the asker speaks of; as it is where the draft
// has those names.
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

func understands(d *compile.Draft, text *hclspec.Formula, parties []string) bool {
	f, _ := d.Resolve(text)
	_, ok := d.Actors(parties)
	return f != nil && ok
}

// texts lists the formulas that are asked.
func (q Question) texts() []*hclspec.Formula {
	switch {
	case q.Promise != nil:
		return []*hclspec.Formula{q.Promise.Formula}
	case q.final != nil:
		return []*hclspec.Formula{q.final}
	}
	return nil
}

// ask puts the question to a draft with its state model.
func (q Question) ask(ctx context.Context, c *verify.Listed, b finding.Budget) Outcome {
	if q.Promise != nil {
		return q.askPromise(ctx, c, b)
	}
	found, asked, err := q.askCheck(ctx, c)
	switch {
	case err != nil:
		return untold
	case !asked:
		return meaningless
	case !q.among(found, c.Draft):
		return absent
	case q.was != nil:
		return q.newWay(ctx, c, b)
	}
	return Present
}

// newWay asks whether a draft has the violation in a way that base does not have.
func (q Question) newWay(ctx context.Context, c *verify.Listed, b finding.Budget) Outcome {
	_, names := diff.Changes(q.was.Spec, c.Spec)
	f := compare.InStep(q.was, c, compile.Naming{Names: names})
	var w compare.Pledge
	if q.Promise != nil {
		w, _ = f.Promise(q.Promise, q.in(q.was.Draft).Promise)
	} else {
		w = f.NeverBad(q.check, q.in(q.was.Draft).check.Subject)
	}
	if w.Head == nil || w.Base == nil {
		return untold
	}
	req := &finding.Requirement{}
	if q.Promise != nil {
		req = asked(c, q.Promise)
	}
	way, e := f.Unnamed(ctx, w, req, b)
	switch {
	case way.New && compare.WaivesWay(c, w.Head, req, e, b):
		return absent
	case way.New:
		return Present
	case way.Unknown != "":
		return untold
	}
	return absent
}

func (q Question) askPromise(ctx context.Context, c *verify.Listed, b finding.Budget) Outcome {
	f, _ := c.Resolve(q.Promise.Formula)
	on := compile.TermsOf(q.Promise)
	if _, ok := c.Actors(on.Names); f == nil || !ok {
		return meaningless
	}
	checker, _ := c.On(on)
	holds, err := checker.Holds(ctx, f)
	switch {
	case err != nil:
		return untold
	case holds:
		return absent
	case q.was != nil:
		return q.newWay(ctx, c, b)
	case !q.Waived:
		return Present
	}
	return unwaived(ctx, c, q.Promise, f, b)
}

// unwaived asks whether the draft's own waiver accepts the violation of a promise, in every way.
func unwaived(ctx context.Context, c *verify.Listed, promise *hclspec.Requirement, f *ctl.Formula, b finding.Budget) Outcome {
	req := asked(c, promise)
	if req.Waiver == nil {
		return Present
	}
	c.Decide(ctx, f, req, b)
	switch {
	case req.Verdict != finding.Violated:
		return untold
	case !req.Waived():
		return Present
	}
	switch w, _ := compare.Besides(ctx, c, promise, req, b); {
	case w.Unknown != "":
		return untold
	case w.New:
		return Present
	}
	return absent
}

// asked is a promise that a draft is asked about, with the draft's own waiver of the same, if it has one.
func asked(c *verify.Listed, promise *hclspec.Requirement) *finding.Requirement {
	req := &finding.Requirement{Notation: promise.Formula.Notation.String()}
	compile.SetTerms(req, compile.TermsOf(promise))
	meaning := c.Promise(promise)
	if i := slices.IndexFunc(c.Spec.Requirements, func(r *hclspec.Requirement) bool { return c.Promise(r) == meaning }); i >= 0 {
		req.Waiver = finding.WaiverOf(c.Spec.Requirements[i].Waiver)
	}
	return req
}

// askCheck runs the check of the question's code; asked says whether there is anything to run it on.
func (q Question) askCheck(ctx context.Context, c *verify.Listed) (found []finding.Diagnostic, asked bool, err error) {
	switch q.check.Code {
	case "document-held-twice":
		found, err = c.HeldTwice(ctx)
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
		found, err = c.Norms(ctx)
	}
	return found, true, err
}

// among reports whether what was asked for is there, and accepted by nobody.
func (q Question) among(found []finding.Diagnostic, d *compile.Draft) bool {
	r := &finding.Result{Diagnostics: found, Model: finding.Model{Incomplete: "only some checks were made"}}
	explain.Accept(d, r)
	return slices.ContainsFunc(r.Diagnostics, func(e finding.Diagnostic) bool {
		return e.Code == q.check.Code && e.Subject == q.check.Subject && e.Class == codes.Violation && e.Accepted == ""
	})
}
