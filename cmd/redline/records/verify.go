package records

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/log"
	"github.com/redlinehq/redline/report/record/store"
)

// VerifyRequest is a request to verify records against the repository.
type VerifyRequest struct {
	Keys        string
	Recheck     bool
	Jobs        int
	Checkpoints []string // files that have checkpoints
}

// Verify verifies the records named, or all those of a revision.
func (v *VerifyRequest) Verify(ctx context.Context, args []string, how app.ReadOptions) (*store.Report, error) {
	repo := store.At(".")
	refs, rev, err := recordsNamed(ctx, repo, args)
	if err != nil {
		return nil, err
	}
	wanted, commit, err := app.SettingsAt(ctx, []string{rev})
	if err != nil {
		return nil, err
	}
	how.Jobs, how.Under = v.Jobs, wanted
	work := &store.Verification{Repo: repo, Values: how.Values.Digest(), Tool: app.Version(),
		Reading: store.Reading{Values: how.Values, Budget: finding.Budget{Jobs: v.Jobs}}}
	if work.Keys, err = keysAt(ctx, commit, v.Keys); err != nil {
		return nil, err
	}
	if work.Checkpoints, err = checkpointsIn(v.Checkpoints, work.Keys); err != nil {
		return nil, err
	}
	if v.Recheck {
		work.Recheck = func(t record.Terms) (finding.Budget, error) { return budgetOf(t, v.Jobs), nil }
	}
	if refs != nil {
		return work.Some(ctx, refs)
	}
	drafts, err := app.RevisionDrafts(ctx, ".", commit, how)
	if err != nil {
		return nil, err
	}
	in, _, _ := engine.Within(how.Includes(), drafts)
	var paths []string
	for _, d := range drafts {
		if slices.Contains(in, d) {
			paths = append(paths, d.Path)
		} else {
			work.LeftOut = append(work.LeftOut, d.Path)
		}
	}
	return work.Commit(ctx, commit, paths)
}

// checkpointsIn returns all checkpoints in files.
func checkpointsIn(files []string, keys record.Keys) (list []log.Found, err error) {
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--checkpoint: %w", err)
		}
		found, err := log.FindCheckpoints(src, file, keys)
		if err != nil {
			return nil, fmt.Errorf("--checkpoint: %w", err)
		}
		list = append(list, found...)
	}
	return list, nil
}

// WriteCheckpoint writes a checkpoint of the log that is here, signed with the key in a file, or in the environment, if there is one.
func WriteCheckpoint(ctx context.Context, w io.Writer, keyFile string) error {
	key, err := signingKey(keyFile)
	if err != nil {
		return err
	}
	c, err := store.At(".").Checkpoint(ctx)
	if err != nil {
		return err
	}
	text, err := c.Sign(key)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// budgetOf returns the limits in a record.
func budgetOf(t record.Terms, jobs int) finding.Budget {
	return finding.Budget{States: t.States, Memory: finding.Bytes(t.Memory), Time: time.Duration(t.Time), Engine: finding.Engine(t.Engine), Today: finding.Date(t.Today), Jobs: jobs}
}

// recordsNamed sorts arguments into records or one revision. Without arguments the revision is HEAD.
func recordsNamed(ctx context.Context, repo store.Repository, args []string) (refs []string, rev string, err error) {
	for _, a := range args {
		if len(args) == 1 && !strings.HasPrefix(a, record.Refs) {
			if _, err := gitfs.Resolve(ctx, ".", a); err == nil {
				return nil, a, nil
			}
		}
		ref, several, err := repo.Find(ctx, a)
		switch {
		case err != nil:
			return nil, "", err
		case several:
			return nil, "", fmt.Errorf("several records begin with %s: give more of its digits", a)
		case ref == "":
			if _, err := gitfs.Resolve(ctx, ".", a); err != nil {
				return nil, "", fmt.Errorf("%s is no record, and no revision: %w", a, err)
			}
			return nil, "", fmt.Errorf("%s is a revision: verify one revision, or any number of records", a)
		}
		refs = append(refs, ref)
	}
	return refs, "HEAD", nil
}

// StatusOf returns the exit status of the worst problem.
func StatusOf(r *store.Report) finding.ExitStatus {
	status := finding.Clean
	for _, p := range r.Problems {
		if p.Kind != store.Unsettled {
			return finding.Violations
		}
		status = finding.OutOfLimit
	}
	return status
}
