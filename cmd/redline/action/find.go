package action

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/result"
	"github.com/redlinehq/redline/report/review"
)

// outcome is the result of a run, as far as it got.
type outcome struct {
	event   review.Event
	commits review.Range
	memo    app.Memo           // of the repository
	wanted  *settings.Settings // nil: not read yet
	on      finding.FailOn
	file    *result.File  // nil: nothing was checked
	pairs   []engine.Pair // of a review that was made here: what its contracts were compared of
	page    bool          // a page of the review is kept with the result
	notices []string
	log     string   // if there was nothing to check
	outputs []output // of the step, besides the plan's
	trouble []error  // errors that change no verdict
}

// notice adds a notice to the outcome and, unless an earlier run has it there, to the result.
func (f *outcome) notice(says string) {
	f.notices = append(slices.Clip(f.notices), says)
	if !slices.Contains(f.file.Notices, says) {
		f.file.Notices = append(slices.Clip(f.file.Notices), says)
	}
}

// fails records errors that change no verdict.
func (f *outcome) fails(errs ...error) { f.trouble = append(f.trouble, errs...) }

// troubleLines returns the recorded errors as lines for a log.
func (f *outcome) troubleLines() (all []string) {
	for _, err := range f.trouble {
		if err != nil {
			for line := range strings.Lines(err.Error()) {
				all = append(all, escape.TerminalText(strings.TrimSuffix(line, "\n")))
			}
		}
	}
	return all
}

// follows reports whether this run follows one of another workflow.
func (f *outcome) follows() bool {
	_, follows := f.event.WorkflowRun()
	return follows
}

// find reviews or checks what the event requires.
func (a *action) find(ctx context.Context, f *outcome) (err error) {
	if f.event, err = review.ReadEvent(os.Getenv); err != nil {
		return err
	}
	switch {
	case f.follows():
		return a.relay(ctx, f)
	case f.event.Name == "pull_request_review":
		return a.reviewed(ctx, f)
	}
	if f.commits, err = f.event.Range(ctx, "."); err != nil {
		return err
	}
	if err := a.settle(ctx, f); err != nil {
		return err
	}
	switch {
	case a.shard == "plan":
		return a.split(ctx, f)
	case a.shard == "merge":
		err = a.join(f)
	case f.commits.Base == "":
		err = a.check(ctx, f)
	default:
		err = a.review(ctx, f)
	}
	if err == nil && !a.isShard() {
		a.moved(ctx, f)
	}
	return err
}

// settle reads the settings of the repository, overridden by inputs.
func (a *action) settle(ctx context.Context, f *outcome) error {
	wanted, notices, err := app.EventSettings(ctx, f.event, f.both())
	if err != nil {
		return err
	}
	if f.commits.Notice != "" {
		notices = append([]string{f.commits.Notice}, notices...)
	}
	return a.under(f, wanted, notices)
}

func (a *action) under(f *outcome, wanted *settings.Settings, notices []string) error {
	f.wanted, f.notices = wanted, notices
	err := option.MergeSettings(wanted, a.given)
	f.on = app.Gates[a.failOn.Value]
	return err
}

// both returns the revisions that the event compares; base is empty if there is none.
func (f *outcome) both() app.Revisions {
	return app.Revisions{Dir: ".", Base: f.commits.Base, Head: f.commits.Head, Exact: true, Memo: &f.memo}
}

func (a *action) how(f *outcome) app.ReadOptions {
	return app.ReadOptions{Rule: a.Firing.Rule(), Jobs: a.Budget.Jobs, Time: a.Budget.Time, Values: app.EnvironmentValues(os.Environ()), Under: f.wanted}
}

// review reviews the checked-out revision, or this job's shard of it, against the base.
func (a *action) review(ctx context.Context, f *outcome) error {
	work := app.ReviewRequest{Revs: f.both(), How: a.how(f), Budget: a.Budget, FailOn: a.failOn.Value, Event: f.event.Name, Cache: a.cache}
	if a.shard != "" {
		if err := work.Part.Set(a.shard); err != nil {
			return err
		}
	}
	file, trouble, err := work.Run(ctx)
	if err != nil {
		return err
	}
	f.keepTo(file)
	f.fails(trouble)
	f.pairs = work.Pairs
	return nil
}

// keepTo makes a file the result. Its notices come after those of the outcome.
func (f *outcome) keepTo(file *result.File) {
	file.Notices = append(f.notices, file.Notices...)
	f.file, f.notices = file, file.Notices
}

// check checks every contract as it is. It can't be sharded.
func (a *action) check(ctx context.Context, f *outcome) error {
	if a.shard != "" && a.shard != "1/1" {
		return errors.New("shard " + a.shard + ": there is no base to compare with, and a check of every contract has no parts")
	}
	how := a.how(f)
	drafts, err := app.RevisionDrafts(ctx, ".", f.commits.Head, how)
	if err != nil {
		return err
	}
	drafts, _, left := engine.Within(how.Includes(), drafts)
	file, trouble := app.CheckDrafts(ctx, drafts, how, a.Budget, a.failOn.Value, a.cache)
	file.Event, file.Head, file.Notices = f.event.Name, f.commits.Head, append(how.LeftOut(left), app.NoneYet(left+len(drafts))...)
	f.fails(trouble)
	f.keepTo(file)
	return nil
}

// plan returns the plan of what to report to the runner.
func (f *outcome) plan(err error) review.Plan {
	var p review.Plan
	var wrong *app.SettingsError
	switch {
	case errors.As(err, &wrong):
		p = review.DraftSettings(wrong.Says(), wrong.Diagnostics, !wrong.Base)
	case err != nil:
		p = review.DraftFailure(err)
	case f.file == nil:
		p.Log = f.log
	case f.file.Review != nil:
		p = review.DraftReview(f.file.Review, f.on)
	default:
		p = review.DraftCheck(f.file.Results, f.on)
	}
	for _, n := range f.notices {
		p = p.With(n)
	}
	return p
}
