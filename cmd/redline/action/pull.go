package action

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/report/github"
	"github.com/redlinehq/redline/report/review"
)

// postTime bounds the time for all posts to GitHub. Each wait is bounded, but slow answers add up, and a job that reaches its own time limit
// would fail the gate because of a post.
const postTime = 8 * time.Minute

// post posts the plan to GitHub, if there is a pull request or a check to post to. The errors are those of posting.
func (a *action) post(ctx context.Context, f *outcome, plan review.Plan) []error {
	pull, isPull := f.event.PullRequest()
	switch {
	case a.isShard(), f.follows() && f.file == nil, !isPull && !f.follows() && !f.checked():
		return nil
	case isPull && pull.Fork:
		return []error{review.Say(a.out, "The pull request comes from another repository, so this run may not comment on it. A workflow on workflow_run can: see https://github.com/redlinehq/redline/blob/main/.github/docs/github.md#forks")}
	case ctx.Err() != nil:
		return []error{fmt.Errorf("the pull request got no comment: %w", context.Cause(ctx))}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, postTime, fmt.Errorf("it took more than %s", postTime))
	defer cancel()
	hub, err := newHub(f.event)
	switch {
	case err != nil:
		return []error{fmt.Errorf("the pull request got no comment: %w", err)}
	case f.follows():
		return a.postRelayed(ctx, hub, f, plan)
	case !isPull:
		return review.PublishChecks(ctx, hub, f.checks(f.pullReport(0, f.commits.Head, plan), plan))
	}
	t := f.pullReport(pull.Number, pull.Head, plan)
	closed := t.read(ctx, f, plan)
	defer closed()
	failed := a.publish(ctx, hub, f, t)
	if f.checked() {
		failed = append(failed, review.PublishChecks(ctx, hub, f.checks(t, plan))...)
	}
	return failed
}

// publish posts to a pull request, with a checkpoint of the records if the settings have them kept.
func (a *action) publish(ctx context.Context, hub *github.Client, f *outcome, t pullReport) []error {
	var err error
	t.Checkpoint, err = a.checkpoint(ctx, f, t.PullReport)
	return append(review.Publish(ctx, hub, t.PullReport), err)
}

// checked reports whether the settings ask for checks, and there is a commit to attach them to.
func (f *outcome) checked() bool {
	return f.wanted != nil && (f.wanted.CheckRun || f.wanted.Status) && f.commits.Head != ""
}

func (f *outcome) checks(t pullReport, plan review.Plan) *review.Checks {
	return &review.Checks{Commit: t.Commit, Run: t.Run, Plan: plan, Review: t.Review, On: t.On, Merged: t.Merged, Head: t.Head,
		CheckRun: f.wanted.CheckRun, Status: f.wanted.Status}
}

func newHub(event review.Event) (*github.Client, error) {
	token := os.Getenv("INPUT_TOKEN")
	if token == "" {
		return nil, errors.New("there is no token (input token)")
	}
	return github.New(github.Config{API: os.Getenv("GITHUB_API_URL"), GraphQL: os.Getenv("GITHUB_GRAPHQL_URL"), Token: token, Repository: event.Repository})
}

// pullReport returns the request to post to a pull request.
func (f *outcome) pullReport(number int, head string, plan review.Plan) pullReport {
	t := &review.PullReport{Number: number, Commit: head, Run: f.event.Run, On: f.on, Notices: f.notices, Page: f.page}
	if plan.Failed {
		t.Failure = plan.Summary
	} else {
		t.Review = f.file.Review
	}
	if f.wanted != nil {
		c := f.wanted.Comment
		t.Talk = review.Talk{Summary: c.Summary, Inline: c.Inline, Suggestions: c.Suggestions}
	}
	return pullReport{t}
}

type pullReport struct{ *review.PullReport }

// read opens the texts in which lines are looked up: those that were reviewed, and head's, which it fetches if necessary. Without them remarks
// are attached to files.
func (t pullReport) read(ctx context.Context, f *outcome, plan review.Plan) (closed func()) {
	closed = func() {}
	if t.Review == nil || len(plan.Annotations) == 0 && t.Review.Gate(finding.FailNew) == finding.Clean {
		return closed // there is nothing to remark
	}
	for _, commit := range []string{f.commits.Head, t.Commit} {
		if err := review.EnsureCommit(ctx, ".", commit); err != nil {
			return closed
		}
	}
	merged, err := gitfs.Open(ctx, ".", f.commits.Head)
	if err != nil {
		return closed
	}
	head, err := gitfs.Open(ctx, ".", t.Commit)
	if err != nil {
		_ = merged.Close() // only read from
		return closed
	}
	t.Merged, t.Head = merged, head
	return func() { _, _ = merged.Close(), head.Close() } // only read from
}
