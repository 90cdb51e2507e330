package github

import (
	"context"
	"slices"

	gh "github.com/google/go-github/v60/github"
)

// A Run is a run of a workflow on a commit.
type Run struct {
	ID         int64
	Number     int
	Done       bool // else it is queued or in progress
	Branch     string
	Repository string // owner/name, of its head
	pulls      []int
}

// Of reports whether a run is of a pull request, as far as GitHub has that. It does not for runs of forks; then Of returns true.
func (r Run) Of(number int) bool { return len(r.pulls) == 0 || slices.Contains(r.pulls, number) }

// Runs returns the runs of a workflow, by its file's name, that pull_request has started for a commit, newest first.
func (c *Client) Runs(ctx context.Context, workflow, head string) ([]Run, error) {
	const event = "pull_request"
	found, err := pages(ctx, "runs", (*gh.WorkflowRun).GetID, func(r *gh.WorkflowRun) *gh.WorkflowRun { return r }, func(o gh.ListOptions) ([]*gh.WorkflowRun, *gh.Response, error) {
		list, answer, err := c.rest.Actions.ListWorkflowRunsByFileName(ctx, c.owner, c.name, workflow, &gh.ListWorkflowRunsOptions{Event: event, HeadSHA: head, ListOptions: o})
		if err != nil {
			return nil, answer, err
		}
		return list.WorkflowRuns, answer, nil
	})
	var list []Run
	for _, r := range found {
		if r.GetHeadSHA() == head && r.GetEvent() == event {
			list = append(list, runOf(r))
		}
	}
	return list, err
}

// Run returns one run.
func (c *Client) Run(ctx context.Context, id int64) (Run, error) {
	r, _, err := c.rest.Actions.GetWorkflowRunByID(ctx, c.owner, c.name, id)
	return runOf(r), plain(ctx, err)
}

func runOf(r *gh.WorkflowRun) Run {
	run := Run{r.GetID(), r.GetRunNumber(), r.GetStatus() == "completed", r.GetHeadBranch(), r.GetHeadRepository().GetFullName(), nil}
	for _, p := range r.PullRequests {
		run.pulls = append(run.pulls, p.GetNumber())
	}
	return run
}

// Rerun repeats a run that is over. GitHub refuses (Forbidden) while the run is in progress, 30 days after its first run, and after 50
// times (docs.github.com, "Re-running workflows and jobs"). So it is safe to repeat.
func (c *Client) Rerun(ctx context.Context, id int64) error {
	_, err := c.rest.Actions.RerunWorkflowByID(context.WithValue(ctx, harmless{}, true), c.owner, c.name, id)
	return plain(ctx, err)
}

// Branch returns the commit of a branch.
func (c *Client) Branch(ctx context.Context, name string) (string, error) {
	ref, _, err := c.rest.Git.GetRef(ctx, c.owner, c.name, "heads/"+name)
	return ref.GetObject().GetSHA(), plain(ctx, err)
}
