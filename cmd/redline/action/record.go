package action

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/cmd/redline/records"
	"github.com/redlinehq/redline/report/record/store"
	"github.com/redlinehq/redline/report/review"
)

// recording lists the events whose run may keep records, on the default branch: only accounts with write access can start one.
var recording = []string{"push", "workflow_dispatch", "schedule", "repository_dispatch"}

// record keeps a record of each draft of the default branch, if the settings ask for it. Pull requests and runs that follow them never do,
// whatever their settings say: they are not merged yet, and a fork's token may only read.
// A checkpoint of the log, which has them then, goes to the end of the job's summary: GitHub keeps it, and no push to the repository changes it.
func (a *action) record(ctx context.Context, f *outcome, plan *review.Plan) []error {
	if plan.Failed || f.wanted == nil || !f.wanted.Record || !a.gates(f) ||
		!slices.Contains(recording, f.event.Name) || !f.event.OnDefaultBranch() {
		return nil
	}
	if ctx.Err() != nil {
		return []error{fmt.Errorf("no record was kept: %w", context.Cause(ctx))}
	}
	work := records.AttestRequest{Budget: a.Budget, Remote: "origin"}
	kept, notices, err := work.Attest(ctx, f.commits.Head, a.how(f))
	if err != nil {
		return []error{fmt.Errorf("no record was kept: %w", err)}
	}
	var trouble []error
	if len(kept) > 0 && len(notices) == 0 {
		var checkpoint strings.Builder
		if err := records.WriteCheckpoint(ctx, &checkpoint, ""); err != nil {
			trouble = append(trouble, err)
		} else {
			plan.Summary += "\nThe records of this commit are kept. " + review.CheckpointText(checkpoint.String())
		}
	}
	for _, n := range notices {
		trouble = append(trouble, errors.New(n))
	}
	return trouble
}

// checkpoint returns a checkpoint of the log of records at origin, for the comment on a pull request, where base's settings have records kept. It is empty
// where there is no log yet, or no comment.
func (a *action) checkpoint(ctx context.Context, f *outcome, t *review.PullReport) (string, error) {
	if f.wanted == nil || !f.wanted.Record || !t.Talk.Summary || !t.Worth() {
		return "", nil
	}
	var text strings.Builder
	err := store.At(".").FetchLog(ctx, "origin")
	if err == nil {
		err = records.WriteCheckpoint(ctx, &text, "")
	}
	if err != nil && !errors.Is(err, store.ErrNoLog) {
		return "", fmt.Errorf("the comment has no checkpoint of the records: %w", err)
	}
	return text.String(), nil
}
