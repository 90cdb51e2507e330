package main

import (
	"context"
	"errors"
	"os"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/review"
)

// found is what a run found, as far as it came.
type found struct {
	event   review.Event
	commits review.Range
	wanted  *settings.Settings // nil: it did not come so far
	on      engine.FailOn

	review  *engine.Review   // of an amendment
	results []*engine.Result // where there is no base
	notices []string
}

// find reviews what is checked out here against the event's base.
func (a *action) find(ctx context.Context, f *found) (err error) {
	if f.event, err = review.ReadEvent(os.Getenv); err != nil {
		return err
	}
	if f.commits, err = f.event.Range(ctx, "."); err != nil {
		return err
	}
	if err := a.settle(ctx, f); err != nil {
		return err
	}
	how := reading{rule: a.rule(), jobs: a.budget.Jobs, values: environmentValues(os.Environ()), under: f.wanted}
	if f.commits.Base == "" {
		return a.check(ctx, f, how)
	}
	r, notices, err := reviewRevisions(ctx, f.both(), how, a.budget)
	if err != nil {
		return err
	}
	f.review, f.notices = r, append(f.notices, notices...)
	return nil
}

// settle finds what is wanted: the settings of the repository, outweighed by inputs.
func (a *action) settle(ctx context.Context, f *found) error {
	wanted, notices, err := eventSettings(ctx, ".", f.event, f.commits)
	if err != nil {
		return err
	}
	if f.commits.Notice != "" {
		notices = append([]string{f.commits.Notice}, notices...)
	}
	f.wanted, f.notices = wanted, notices
	err = under(wanted, a.given)
	f.on = gates[a.failOn.value]
	return err
}

// check checks every contract as it is.
func (a *action) check(ctx context.Context, f *found, how reading) error {
	drafts, err := revisionDrafts(ctx, ".", f.commits.Head, how)
	if err != nil {
		return err
	}
	drafts, _, left := engine.Within(how.includes(), drafts)
	f.results, f.notices = engine.CheckAll(ctx, drafts, a.budget), append(f.notices, how.leftOut(left)...)
	return nil
}

// plan is what to tell the runner.
func (f *found) plan(err error) review.Plan {
	var p review.Plan
	var wrong *settingsError
	switch {
	case errors.As(err, &wrong):
		p = review.DraftSettings(wrong.says(), wrong.found, !wrong.base)
	case err != nil:
		p = review.DraftFailure(err)
	case f.review != nil:
		p = review.DraftReview(f.review, f.on)
	default:
		p = review.DraftCheck(f.results, f.on)
	}
	for _, n := range f.notices {
		p = p.With(n)
	}
	return p
}

// both are the revisions that the event compares.
func (f *found) both() revisions {
	return revisions{dir: ".", base: f.commits.Base, head: f.commits.Head, exact: true}
}
