package action

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/github"
	"github.com/redlinehq/redline/report/result"
	"github.com/redlinehq/redline/report/review"
)

// A pull request from a fork has a run of its own that may not write, and all output of that run may be the fork's: the fork chooses what the
// run does. A second workflow, on workflow_run, may write. It takes the first one's result as typed data and renders it again, finds the pull
// request by GitHub's data on that run, and names the origin of the result. It is no gate, runs nothing of the fork's, and keeps nothing.

// ResultName and PageName are the names of the files in the artifact: what was found, and a page of it for a reader. Nothing reads a fork's page.
const ResultName, PageName = "redline.json", "redline.html"

// relay reads the result of the run that this one follows.
func (a *action) relay(ctx context.Context, f *outcome) error {
	run, _ := f.event.WorkflowRun()
	wanted, err := defaultSettings(ctx, f.event)
	if err != nil {
		return err
	}
	if err := a.under(f, wanted, nil); err != nil {
		return err
	}
	switch {
	case run.Event == "pull_request_review":
		return a.relayReviewed(ctx, f, run)
	case run.Event != "pull_request":
		f.notices = append(f.notices, "The run that this one follows was not of a pull request, so there is nothing to tell.")
		return nil
	case strings.EqualFold(run.Repository, f.event.Repository):
		f.notices = append(f.notices, "The run that this one follows was of a branch of this repository. It has told its pull request itself.")
		return nil
	}
	file, err := given(filepath.Join(a.from, ResultName))
	if errors.Is(err, os.ErrNotExist) {
		f.notices = append(f.notices, "The run that this one follows has left no review, so there is nothing to tell.")
		return nil
	}
	if err != nil {
		return fmt.Errorf("what the fork's run left is not taken: %w", err)
	}
	f.file = file
	f.notices = append(f.notices, "This is what the pull request's own run has reported. It was not computed here.")
	return nil
}

// defaultSettings returns the settings of the default branch if it is checked out, else the defaults. On a runner that is used again, any
// other files may be a stranger's.
func defaultSettings(ctx context.Context, event review.Event) (*settings.Settings, error) {
	if head, err := gitfs.Resolve(ctx, ".", "HEAD"); err != nil || head != event.SHA {
		return settings.Default(), context.Cause(ctx)
	}
	return app.RevisionSettings(ctx, ".", "HEAD", "the default branch")
}

// given reads the result of a fork's run. It accepts only a whole review of a pull request, from a regular file.
func given(name string) (*result.File, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", ResultName)
	}
	file, err := result.Load(name)
	switch {
	case err != nil:
		return nil, err
	case file.Review == nil || file.Shards != 1 || file.Event != "pull_request":
		return nil, errors.New("it is no whole review of a pull request")
	}
	return file, nil
}

// postRelayed posts to the pull request of the run that this one follows.
func (a *action) postRelayed(ctx context.Context, hub *github.Client, f *outcome, plan review.Plan) []error {
	run, _ := f.event.WorkflowRun()
	pull, err := pullOf(ctx, hub, run, f.event.Repository)
	if err != nil {
		return []error{fmt.Errorf("looking for the pull request: %w", err)}
	}
	t := f.pullReport(pull.Number, pull.Head.SHA, plan)
	t.Run, t.Relayed, t.Notices = run.Run, true, f.file.Notices
	f.commits.Head = f.file.Head // as the fork says: used only to look up lines
	closed := t.read(ctx, f, plan)
	defer closed()
	return a.publish(ctx, hub, f, t)
}

// pullOf returns the one open pull request that is made from the run's branch and still has its commit. The fork has no influence on that.
func pullOf(ctx context.Context, hub *github.Client, run review.WorkflowRun, repository string) (github.PullRequest, error) {
	owner, _, _ := strings.Cut(run.Repository, "/")
	all, err := hub.PullRequestsFrom(ctx, owner, run.Branch)
	if err != nil {
		return github.PullRequest{}, err
	}
	var fits []github.PullRequest
	for _, p := range all {
		if p.State == "open" && p.Head.SHA == run.SHA && p.Head.Repository == run.Repository && p.Base.Repository == repository {
			fits = append(fits, p)
		}
	}
	if len(fits) != 1 {
		return github.PullRequest{}, fmt.Errorf("%d open pull requests have the commit %.7s of the run as their head, so none was told", len(fits), run.SHA)
	}
	return fits[0], nil
}
