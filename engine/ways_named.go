package engine

import (
	"context"
	"fmt"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// A waiver accepts the runs that it names, and every run that is as one of them (see ways.Question.Named). One that is as none of them is another way to break
// the promise, and not accepted.

// mostWaived bounds the runs of one waiver that are followed.
const mostWaived = 64

// unnamed says how head violates a promise besides the runs that its waiver names, and returns the run that shows it. Where the waiver names every way that is
// asked for, that is the first.
func (f *stepwise) unnamed(ctx context.Context, a pledge, req *Requirement, b Budget) (*Way, *ctl.Evidence) {
	var named []*ctl.Evidence
	var first *Way
	for range mostWaived {
		w, e := f.way(ctx, a, named, b)
		switch {
		case w.New && f.head.waives(a.head, req, e, b):
			if named = append(named, e); first == nil {
				first = w
			}
		case first == nil || w.New || w.Unknown != "":
			return w, e
		default:
			return first, named[0]
		}
	}
	return &Way{Unknown: fmt.Sprintf("its waiver names more than %d runs", mostWaived)}, nil
}

// waives reports whether the waiver of a requirement is in force and names a run.
func (c *listed) waives(promise *ctl.Formula, req *Requirement, e *ctl.Evidence, b Budget) bool {
	if req.Waiver == nil {
		return false
	}
	waiver := *req.Waiver
	one := Requirement{Verdict: Violated, Waiver: &waiver, Run: c.fingerprint(c.promised(promise, req.terms()), c.trace(e, req.Notation))}
	one.judge(b.Today)
	return one.Waived()
}

// besides says whether a violated promise, of which a waiver names the run that is shown, is violated in another way, whatever base has; and returns a run.
func (c *listed) besides(ctx context.Context, r *hclspec.Requirement, req *Requirement, b Budget) (*Way, *ctl.Evidence) {
	f := &stepwise{head: c, base: c, same: make([][]int, len(c.Net.Transitions)), apart: make([]bool, len(c.Net.Transitions)), alone: true}
	a, ok := f.promise(r, r)
	if !ok {
		return &Way{Unknown: "the promise can't be asked of this version"}, nil
	}
	w, e := f.unnamed(ctx, a, req, b)
	if w.New && c.waives(a.head, req, e, b) {
		return &Way{}, nil
	}
	return w, e
}
