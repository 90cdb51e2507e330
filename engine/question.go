package engine

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// An outcome is whether a text in between has a violation.
type outcome uint8

const (
	untold      outcome = iota // a budget ran out
	meaningless                // it is ill-formed, or has not the names to ask
	absent
	present
)

// A question is whether a draft has the violation that a finding tells of.
type question struct {
	promise *hclspec.Requirement // in the wording that is asked; or
	asker   *Draft               // whose words they are
	check   *Diagnostic          // a built-in check
	final   *hclspec.Formula     // the final states it asks about; nil: the draft's own
	waived  bool                 // a waiver has a say
	was     *listed              // base, where it has the violation, too: whether there is a way to violate it that base has not; else nil
}

// question is what a New or Weakened finding comes to.
func (f *Finding) question(base, head *Draft, states *listed) question {
	var was *listed
	if f.Way != nil && f.Way.New {
		was = states
	}
	asker := head
	if f.Old || f.Check != nil && f.Kind == Weakened {
		asker = base
	}
	if f.Check != nil {
		q := question{asker: asker, check: f.Check, was: was}
		if f.Kind == Weakened {
			q.final = base.Spec.Final
		}
		return q
	}
	i := slices.IndexFunc(asker.Spec.Requirements, func(r *hclspec.Requirement) bool { return r.Name == f.Name })
	return question{asker: asker, promise: asker.Spec.Requirements[i], waived: f.Head.Waiver != nil || f.Base != nil && f.Base.Waiver != nil, was: was}
}

// in is the question in the names that a draft has for what the asker speaks of; as it is where the draft
// has those names.
func (q question) in(d *Draft) question {
	names := func() *delta.Names {
		_, n := delta.Changes(q.asker.Spec, d.Spec)
		return n
	}
	switch {
	case q.promise != nil && !d.understands(q.promise.Formula, termsOf(q.promise).names):
		q.promise = names().HeadRequirement(q.promise)
	case q.final != nil && !d.understands(q.final, nil):
		q.final = names().HeadText(q.final)
	case q.check != nil && q.check.Subject != "" && !d.has(q.check.Subject):
		if subject, ok := names().HeadSubject(q.check.Subject); ok {
			check := *q.check
			check.Subject = subject
			q.check = &check
		}
	}
	return q
}

func (d *Draft) understands(text *hclspec.Formula, parties []string) bool {
	f, _ := d.resolve(text)
	_, ok := d.actors(parties)
	return f != nil && ok
}

// texts lists the formulas that are asked.
func (q question) texts() []*hclspec.Formula {
	switch {
	case q.promise != nil:
		return []*hclspec.Formula{q.promise.Formula}
	case q.final != nil:
		return []*hclspec.Formula{q.final}
	}
	return nil
}

// ask puts the question to a draft with its state model.
func (q question) ask(ctx context.Context, c *listed, b Budget) outcome {
	if q.promise != nil {
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
	return present
}

// newWay asks whether a draft has the violation in a way that base does not have.
func (q question) newWay(ctx context.Context, c *listed, b Budget) outcome {
	_, names := delta.Changes(q.was.Spec, c.Spec)
	f := inStep(q.was, c, naming{names: names})
	var w pledge
	if q.promise != nil {
		w, _ = f.promise(q.promise, q.in(q.was.Draft).promise)
	} else {
		w = f.neverBad(q.check, q.in(q.was.Draft).check.Subject)
	}
	if w.head == nil || w.base == nil {
		return untold
	}
	req := &Requirement{}
	if q.promise != nil {
		req = c.asked(q.promise)
	}
	way, e := f.unnamed(ctx, w, req, b)
	switch {
	case way.New && c.waives(w.head, req, e, b):
		return absent
	case way.New:
		return present
	case way.Unknown != "":
		return untold
	}
	return absent
}

func (q question) askPromise(ctx context.Context, c *listed, b Budget) outcome {
	f, _ := c.resolve(q.promise.Formula)
	on := termsOf(q.promise)
	if _, ok := c.actors(on.names); f == nil || !ok {
		return meaningless
	}
	checker, _ := c.on(on)
	holds, err := checker.Holds(ctx, f)
	switch {
	case err != nil:
		return untold
	case holds:
		return absent
	case q.was != nil:
		return q.newWay(ctx, c, b)
	case !q.waived:
		return present
	}
	return c.unwaived(ctx, q.promise, f, b)
}

// unwaived asks whether the draft's own waiver accepts the violation of a promise, in every way.
func (c *listed) unwaived(ctx context.Context, promise *hclspec.Requirement, f *ctl.Formula, b Budget) outcome {
	req := c.asked(promise)
	if req.Waiver == nil {
		return present
	}
	c.decide(ctx, f, req, b)
	switch {
	case req.Verdict != Violated:
		return untold
	case !req.Waived():
		return present
	}
	switch w, _ := c.besides(ctx, promise, req, b); {
	case w.Unknown != "":
		return untold
	case w.New:
		return present
	}
	return absent
}

// asked is a promise that a draft is asked about, with the draft's own waiver of the same, if it has one.
func (c *listed) asked(promise *hclspec.Requirement) *Requirement {
	req := &Requirement{Notation: promise.Formula.Notation.String()}
	req.set(termsOf(promise))
	meaning := c.promise(promise)
	if i := slices.IndexFunc(c.Spec.Requirements, func(r *hclspec.Requirement) bool { return c.promise(r) == meaning }); i >= 0 {
		req.Waiver = waiverOf(c.Spec.Requirements[i].Waiver)
	}
	return req
}

// askCheck runs the check of the question's code; asked says whether there is anything to run it on.
func (q question) askCheck(ctx context.Context, c *listed) (found []Diagnostic, asked bool, err error) {
	switch q.check.Code {
	case "document-held-twice":
		found, err = c.heldTwice(ctx)
	case "dead-end", "no-option-to-complete":
		final, text, in := c.Final, c.Spec.Final, c.Draft
		if q.final != nil {
			if final, _ = c.resolve(q.final); final == nil {
				return nil, false, nil
			}
			text, in = q.final, q.asker
		}
		found, err = c.completion(ctx, final, text, in)
	default:
		found, err = c.norms(ctx)
	}
	return found, true, err
}

// among reports whether what was asked for is there, and accepted by nobody.
func (q question) among(found []Diagnostic, d *Draft) bool {
	r := &Result{Diagnostics: found, Model: Model{Incomplete: "only some checks were made"}}
	d.accept(r)
	return slices.ContainsFunc(r.Diagnostics, func(e Diagnostic) bool {
		return e.Code == q.check.Code && e.Subject == q.check.Subject && e.Class == codes.Violation && e.Accepted == ""
	})
}
