package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/result"
	"github.com/redlinehq/redline/report/review"
)

// found is what a run found, as far as it came.
type found struct {
	event   review.Event
	commits review.Range
	wanted  *settings.Settings // nil: it did not come so far
	on      finding.FailOn
	file    *result.File // nil: nothing was looked at
	notices []string
	log     string   // where nothing was to be looked at
	outputs []output // of the step, besides the plan's
	trouble []error  // that changes no verdict
}

// fails notes what changes no verdict.
func (f *found) fails(errs ...error) { f.trouble = append(f.trouble, errs...) }

// said is what fails noted, each for a log.
func (f *found) said() (all []string) {
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
func (f *found) follows() bool {
	_, follows := f.event.WorkflowRun()
	return follows
}

// find finds what there is to tell of the event.
func (a *action) find(ctx context.Context, f *found) (err error) {
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

// settle finds what is wanted: the settings of the repository, outweighed by inputs.
func (a *action) settle(ctx context.Context, f *found) error {
	wanted, notices, err := eventSettings(ctx, ".", f.event, f.commits)
	if err != nil {
		return err
	}
	if f.commits.Notice != "" {
		notices = append([]string{f.commits.Notice}, notices...)
	}
	return a.under(f, wanted, notices)
}

func (a *action) under(f *found, wanted *settings.Settings, notices []string) error {
	f.wanted, f.notices = wanted, notices
	err := under(wanted, a.given)
	f.on = gates[a.failOn.value]
	return err
}

// both are the revisions that the event compares.
func (f *found) both() revisions {
	return revisions{dir: ".", base: f.commits.Base, head: f.commits.Head, exact: true}
}

func (a *action) how(f *found) reading {
	return reading{rule: a.rule(), jobs: a.budget.Jobs, time: a.budget.Time, values: environmentValues(os.Environ()), under: f.wanted}
}

// review reviews what is checked out, or this job's shard of it, against the base.
func (a *action) review(ctx context.Context, f *found) error {
	work := reviewing{revs: f.both(), how: a.how(f), budget: a.budget, failOn: a.failOn.value, event: f.event.Name, cache: a.cache}
	if a.shard != "" {
		if err := work.part.Set(a.shard); err != nil {
			return err
		}
	}
	file, trouble, err := work.file(ctx)
	if err != nil {
		return err
	}
	f.keepTo(file)
	f.fails(trouble)
	return nil
}

// keepTo makes a file what was found. Its notices come after those that are known.
func (f *found) keepTo(file *result.File) {
	file.Notices = append(f.notices, file.Notices...)
	f.file, f.notices = file, file.Notices
}

// check checks every contract as it is. There is no part of that.
func (a *action) check(ctx context.Context, f *found) error {
	if a.shard != "" && a.shard != "1/1" {
		return errors.New("shard " + a.shard + ": there is no base to compare with, and a check of every contract has no parts")
	}
	how := a.how(f)
	drafts, err := revisionDrafts(ctx, ".", f.commits.Head, how)
	if err != nil {
		return err
	}
	drafts, _, left := engine.Within(how.includes(), drafts)
	file := &result.File{Format: result.Format, Tool: version(), Event: f.event.Name, Head: f.commits.Head, Shard: 1, Shards: 1,
		Terms: termsOf(how, a.budget, a.failOn.value), Notices: how.leftOut(left)}
	if a.cache == "" {
		file.Results = engine.CheckAll(ctx, drafts, a.budget)
	} else {
		store, trouble := openCache(a.cache)
		if trouble != nil { // verdicts do not depend on it
			file.Results = engine.CheckAll(ctx, drafts, a.budget)
		} else {
			file.Results, trouble = store.Check(ctx, drafts, file.Terms, a.budget)
		}
		f.fails(trouble)
	}
	f.keepTo(file)
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
