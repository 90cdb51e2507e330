package compare

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// A waiver accepts the runs that it names, and every run that matches one of them (see ways.Question.Named). Any other run is another way
// to break the promise, and not accepted.

// mostWaived bounds the runs of one waiver that are followed.
const mostWaived = 64

// UnwaivedViolation returns how head violates a promise apart from the runs that its waiver names, with a run that shows it. If the waiver names
// every new way, it returns the first of them.
func (f *stepwise) UnwaivedViolation(ctx context.Context, a pledge, req *finding.Requirement, b finding.Budget) (*finding.Way, *ctl.Evidence) {
	var named []*ctl.Evidence
	var first *finding.Way
	all := f.alone // every run that the waiver names is found as a way
	for len(named) <= mostWaived {
		w, e := f.way(ctx, a, named, b)
		switch {
		case w.New && WaivesWay(f.head, a.Head, req, e, b):
			if named = append(named, e); first == nil {
				first = w
			}
		case w.New && !all:
			all, named = true, append(named, aloneOn(f.head).waived(ctx, pledge{a.Head, a.Head, a.onHead, a.onHead}, req, named, b)...)
		case first == nil || w.New || w.Unknown != "":
			return w, e
		default:
			return first, named[0]
		}
	}
	return &finding.Way{Unknown: fmt.Sprintf("its waiver names more than %d runs", mostWaived)}, nil
}

// waived returns the runs that a waiver in force names, apart from those known. It looks among the ways of head of which none has another within
// it: of those that base has, too, none is a new way.
func (f *stepwise) waived(ctx context.Context, a pledge, req *finding.Requirement, known []*ctl.Evidence, b finding.Budget) (list []*ctl.Evidence) {
	if req.Waiver == nil {
		return nil
	}
	left, seen := len(strings.Fields(req.Waiver.Run))-len(known), slices.Clone(known)
	for left > 0 && len(seen) <= mostWaived {
		w, e := f.way(ctx, a, seen, b)
		if !w.New {
			break
		}
		if seen = append(seen, e); WaivesWay(f.head, a.Head, req, e, b) {
			left, list = left-1, append(list, e)
		}
	}
	return list
}

// WaivesWay reports whether the waiver of a requirement is in force and names a run.
func WaivesWay(c *verify.Listed, promise *ctl.Formula, req *finding.Requirement, e *ctl.Evidence, b finding.Budget) bool {
	if req.Waiver == nil {
		return false
	}
	waiver := *req.Waiver
	one := finding.Requirement{Verdict: finding.Violated, Waiver: &waiver, Run: c.Fingerprint(verify.CanonicalMeaning(c.Checked.Draft, promise, compile.TermsDecided(req)), explain.Trace(c.Checked.Draft, e, req.Notation))}
	one.Judge(b.Today)
	return one.Waived()
}

// aloneOn returns a version that is compared with none.
func aloneOn(c *verify.Listed) *stepwise {
	return &stepwise{head: c, base: c, same: make([][]int, len(c.Net.Transitions)), apart: make([]bool, len(c.Net.Transitions)), alone: true}
}

// Violation returns replayed evidence that a version violates a promise, or nil if there is none, or if that takes too much work.
func Violation(ctx context.Context, c *verify.Listed, r *hclspec.Requirement, b finding.Budget) *ctl.Evidence {
	f := aloneOn(c)
	a, ok := f.Promise(r, r)
	if !ok {
		return nil
	}
	_, e := f.way(ctx, a, nil, b)
	return e
}

// Besides returns whether a violated promise, whose waiver names the run found first, is violated in another way on the given version
// alone, with the run of that way.
func Besides(ctx context.Context, c *verify.Listed, r *hclspec.Requirement, req *finding.Requirement, b finding.Budget) (*finding.Way, *ctl.Evidence) {
	f := aloneOn(c)
	a, _ := f.Promise(r, r) // it has a verdict, so its names are known
	w, e := f.UnwaivedViolation(ctx, a, req, b)
	if w.New && WaivesWay(c, a.Head, req, e, b) {
		return &finding.Way{}, nil
	}
	return w, e
}
