package action

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/cmd/redline/records"
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
			plan.Summary += fmt.Sprintf("\nThe records of this commit are kept. A checkpoint of their log, which `redline verify --checkpoint FILE` takes:\n\n```\n%s```\n", &checkpoint)
		}
	}
	for _, n := range notices {
		trouble = append(trouble, errors.New(n))
	}
	return trouble
}
