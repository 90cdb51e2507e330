package action

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/report/result"
)

// A review on several runners (.github/workflows/matrix.yml): one job splits it, one job each reviews a shard, and the last joins them. Only
// the last posts to the pull request and is the gate. The first job fixes the day for the waivers of all.

// split plans the shards, and writes them as outputs.
func (a *action) split(ctx context.Context, f *outcome) error {
	matrix := `{"include":[{"shard":1,"of":1}]}`
	if f.commits.Base != "" {
		var err error
		if matrix, err = app.PlanMatrix(ctx, f.both(), a.how(f), a.shards); err != nil {
			return err
		}
	}
	f.log = "redline: the review is split into these parts: " + matrix
	f.outputs = append(f.outputs, output{"matrix", matrix}, output{"today", a.Budget.Today.String()})
	return nil
}

// isShard reports whether this job plans the parts of a review, or reviews one of them. Another job joins them and is the gate.
func (a *action) isShard() bool { return a.shard != "" && a.shard != "merge" }

// join joins the results of the shards. It fails closed: if a shard is missing (see Join), or if they are of other commits than this job's.
func (a *action) join(f *outcome) error {
	names, err := filesBelow(a.from)
	if err != nil {
		return fmt.Errorf("looking for what the shards found: %w", err)
	}
	if len(names) == 0 {
		return errors.New("no shard has left what it found, so there is no review: look at their jobs")
	}
	whole, err := a.joined(f, names)
	if err != nil {
		return err
	}
	if whole.Base != f.commits.Base || whole.Head != f.commits.Head {
		return fmt.Errorf("the shards reviewed %.7s against %.7s, and this job has %.7s and %.7s", whole.Head, whole.Base, f.commits.Head, f.commits.Base)
	}
	whole.Terms.FailOn = a.failOn.Value
	f.file, f.notices = whole, whole.Notices
	return nil
}

func (a *action) joined(f *outcome, names []string) (*result.File, error) {
	if f.commits.Base != "" {
		return app.MergeResults(names, 0)
	}
	if len(names) != 1 {
		return nil, fmt.Errorf("there are %d results, but a check of every contract gives one", len(names))
	}
	return result.Load(names[0])
}

// filesBelow returns the results in a directory, in order; none if there is no directory.
func filesBelow(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && filepath.Ext(name) == ".json" {
			names = append(names, name)
		}
		return err
	})
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return names, err
}
