package compare

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// An accept covers a failed check. One that names runs covers these, and every run that matches one of them (see ways.Question.Named).

// NewWaysOfAccepted looks for new ways in which head fails a check that it accepts; for all ways, if base passed it. A way that no accept covers is
// a finding. The others are in Anew, since an accept of base covers them only if it names their runs.
func (s *Sorting) NewWaysOfAccepted(ctx context.Context) {
	c := s.Review
	if c.Base == nil {
		return
	}
	for _, now := range s.acceptedChecks() {
		w, d := s.acceptedWay(ctx, &now)
		general := slices.ContainsFunc(s.Draft.Spec.Accepts, func(a *hclspec.Accept) bool { return a.Run == "" && explain.Accepts(a, &now) })
		switch {
		case w.Unknown != "", w.New && general:
			anew := finding.AcceptedWay{Diagnostic: now, Unknown: w.Unknown != ""}
			if w.New && d.Code == now.Code { // an accept of the one check cannot name a run of the other
				anew.Way = d.Run
			}
			c.Anew = append(c.Anew, anew)
		case w.New:
			s.add(finding.Finding{Kind: finding.New, Name: string(d.Code), Check: d, Way: w})
		}
	}
}

// acceptedWay returns a new way in which head fails a check that it accepts, or any way if base passed the check.
func (s *Sorting) acceptedWay(ctx context.Context, now *finding.Diagnostic) (*finding.Way, *finding.Diagnostic) {
	former := s.former(now.Subject) // of an occurrence
	for _, was := range slices.Concat(s.Review.Base.Diagnostics, s.Before.Clashes) {
		if promised(was.Code) == promised(now.Code) && (s.Amended.Subject(&was) == now.Subject || was.Subject == former) {
			return s.checkWay(ctx, now, was.Subject)
		}
	}
	if s.Head == nil {
		return &finding.Way{Unknown: "the states of head were not looked at one by one"}, nil
	}
	f := aloneOn(s.Head)
	return s.uncovered(ctx, f, f.SafetyPromise(now, now.Subject), now)
}

// promised returns the code that names what a check promises. Both checks of the final states promise that one can always be reached.
func promised(code codes.Code) codes.Code {
	if code == "dead-end" {
		return "no-option-to-complete"
	}
	return code
}

// checkWay returns a new way in which head fails a check and that no accept covers by its run, with a diagnostic that has the run.
func (s *Sorting) checkWay(ctx context.Context, now *finding.Diagnostic, was string) (*finding.Way, *finding.Diagnostic) {
	f, why := s.followed()
	if f == nil {
		return &finding.Way{Unknown: why}, nil
	}
	promise := f.SafetyPromise(now, was)
	if was == "" && s.Before.Final != nil {
		promise.Base = lostFinal(s.Before.Final)
	}
	return s.uncovered(ctx, f, promise, now)
}

// uncovered returns the first way that is not covered. It adds the covered ones to Anew.
func (s *Sorting) uncovered(ctx context.Context, f *stepwise, promise pledge, now *finding.Diagnostic) (*finding.Way, *finding.Diagnostic) {
	if promise.Head == nil || promise.Base == nil {
		return &finding.Way{Unknown: "what is checked can't be asked of both versions"}, nil
	}
	var named []*ctl.Evidence
	for len(named) <= mostWaived {
		w, e := f.way(ctx, promise, named, s.Budget)
		if !w.New {
			return w, nil
		}
		d := s.atEnd(now, e)
		if !s.covers(now, d) {
			return w, d
		}
		named = append(named, e)
	}
	return &finding.Way{Unknown: fmt.Sprintf("accepts name more than %d of its runs", mostWaived)}, nil
}

// Uncovered returns a new way in which head fails a check and that no accept covers by its run. checked has the checks of head.
func (f *stepwise) Uncovered(ctx context.Context, promise pledge, now *finding.Diagnostic, checked *finding.Result, b finding.Budget) *finding.Way {
	s := Sorting{Review: &finding.ContractReview{Head: checked}, Head: f.head, Draft: f.head.Checked.Draft, Budget: b}
	w, _ := s.uncovered(ctx, f, promise, now)
	return w
}

// covers reports whether an accept of head names the run of d, or d is of the other check of the final states and looked at where that is
// sorted: an accepted check by NewWaysOfAccepted, the others together.
func (s *Sorting) covers(now, d *finding.Diagnostic) bool {
	for _, a := range s.Draft.Spec.Accepts {
		if a.Run != "" && explain.Accepts(a, d) {
			s.Review.Anew = append(s.Review.Anew, finding.AcceptedWay{Diagnostic: *d})
			return true
		}
	}
	head := s.Review.Head
	return d.Code != now.Code && says(head, d.Code) && (now.Accepted != "" || failed(head, d.Code) == nil)
}

// atEnd returns the diagnostic of a check for a run of head. Of the two checks of final states it is the one that finds the run's end.
func (s *Sorting) atEnd(now *finding.Diagnostic, e *ctl.Evidence) *finding.Diagnostic {
	d := *now
	d.Accepted, d.Trace = "", explain.Trace(s.Head.Checked.Draft, e, hclspec.CTL.String())
	d.Trace.Claim, d.Trace.Then, d.Trace.DeadEnd = "", nil, d.Code == "due-event-blocked"
	if d.Code = promised(d.Code); d.Code == "no-option-to-complete" {
		if stuck(s.Head.Checked.Draft, e.Run.Markings[len(e.Run.Markings)-1]) {
			d.Code, d.Trace.DeadEnd = "dead-end", true
		}
		d.Message = s.Head.CompletionMessage(d.Code, big.NewInt(1))
	}
	explain.Name(s.Draft, &d)
	return &d
}
