package review

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redlinehq/redline/report/github"
)

// between is the time between two looks at a run that has not ended.
const between = 15 * time.Second

// Rerun repeats the last run of a workflow on a pull request's head, so that its gate reads the reviews again. It first waits for the end
// of a run in progress, since that may have read them earlier. It returns a sentence on what it did.
func Rerun(ctx context.Context, hub *github.Client, workflow string, pull github.PullRequest) (string, error) {
	run, err := lastRun(ctx, hub, workflow, pull)
	if err != nil {
		return "", err
	}
	byHand := fmt.Sprintf("Repeat run %d of %s by hand", run.Number, workflow)
	for !run.Done {
		waited, err := hub.Pause(ctx, between)
		if err != nil {
			return "", err
		}
		if !waited {
			return "", fmt.Errorf("run %d of %s has not ended in the time that is waited. %s when it has", run.Number, workflow, byHand)
		}
		if run, err = hub.Run(ctx, run.ID); err != nil {
			return "", err
		}
	}
	err = hub.Rerun(ctx, run.ID)
	if errors.As(err, new(github.Forbidden)) {
		if now, no := hub.Run(ctx, run.ID); no == nil && !now.Done { // another job has repeated it after the review
			err = nil
		}
	}
	if err != nil {
		return "", fmt.Errorf("%s, or push to the branch if GitHub does not let it be repeated any more: %w", byHand, err)
	}
	return fmt.Sprintf("Run %d of %s on commit %.7s is repeated, so that it reads the reviews anew.", run.Number, workflow, pull.Head.SHA), nil
}

// lastRun returns the last run of a workflow on a pull request's head.
func lastRun(ctx context.Context, hub *github.Client, workflow string, pull github.PullRequest) (github.Run, error) {
	all, err := hub.Runs(ctx, workflow, pull.Head.SHA)
	if err != nil {
		return github.Run{}, fmt.Errorf("looking for the runs of %s: %w", workflow, err)
	}
	var last github.Run
	for _, r := range all {
		if r.Repository == pull.Head.Repository && r.Branch == pull.Head.Ref && r.Of(pull.Number) && r.Number > last.Number {
			last = r
		}
	}
	if last.ID == 0 {
		return last, fmt.Errorf("there is no run of %s on commit %.7s: the input workflow is the file name of the workflow with the gate", workflow, pull.Head.SHA)
	}
	return last, nil
}
