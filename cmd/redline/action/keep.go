package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/ci"
	"github.com/redlinehq/redline/report/page"
	"github.com/redlinehq/redline/report/result"
	"github.com/redlinehq/redline/report/review"
)

// An output of the step.
type output struct{ name, value string }

// keep writes the results to files, and sets the outputs that name them.
func (a *action) keep(ctx context.Context, f *outcome, plan review.Plan) {
	if plan.Failed || f.file == nil || f.follows() {
		return
	}
	if f.wanted.SARIF != "" && !a.isShard() {
		if err := a.keepSARIF(f); err != nil {
			f.fails(fmt.Errorf("writing SARIF: %w", err))
		} else {
			f.outputs = append(f.outputs, output{"sarif", f.wanted.SARIF})
		}
	}
	if a.result != "" {
		f.fails(a.keepResult(f), a.keepPage(ctx, f))
	}
	if a.cache != "" && f.isNew() {
		f.outputs = append(f.outputs, output{"verdicts", "new"})
	}
}

func (a *action) keepResult(f *outcome) error {
	if err := os.MkdirAll(filepath.Dir(a.result), 0o777); err != nil {
		return err
	}
	if err := result.Save(a.result, f.file); err != nil {
		return err
	}
	f.outputs = append(f.outputs, output{"result", a.result})
	if a.isShard() {
		f.outputs = append(f.outputs, output{"part", fmt.Sprintf("-shard-%d", f.file.Shard)})
	}
	return nil
}

// pageTime bounds the time for the page, which no verdict depends on.
const pageTime = 2 * time.Minute

// keepPage writes a page of the review beside the result, as 'redline report' does, if there is something to look at.
func (a *action) keepPage(ctx context.Context, f *outcome) error {
	changed := func(c finding.ContractReview) bool { return c.Status != finding.Same }
	if f.pairs == nil || a.isShard() || f.file.Review == nil || !slices.ContainsFunc(f.file.Review.Contracts, changed) {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, pageTime, fmt.Errorf("it took more than %s", pageTime))
	defer cancel()
	name := filepath.Join(filepath.Dir(a.result), PageName)
	err := app.WriteFile(func() (*os.File, error) { return os.Create(name) }, func(w io.Writer) error {
		return page.Reviewed(ctx, w, f.file.Review, f.pairs, page.About{Version: app.Version()})
	})
	if err != nil {
		return fmt.Errorf("there is no page of the review: %w", err)
	}
	f.page = true
	f.outputs = append(f.outputs, output{"page", name})
	return nil
}

// isNew reports whether the result has a verdict that no earlier run had.
func (f *outcome) isNew() bool {
	if f.file.Review == nil {
		return slices.ContainsFunc(f.file.Results, func(r *finding.Result) bool { return !r.Cached })
	}
	return slices.ContainsFunc(f.file.Review.Contracts, func(c finding.ContractReview) bool { return !c.Cached && c.Status != finding.Same })
}

// keepSARIF writes a file below the work tree. The files there are the amendment's, links included, so it follows no link out of the tree, and
// replaces an existing file instead of writing to it.
func (a *action) keepSARIF(f *outcome) error {
	top, err := os.OpenRoot(".")
	if err != nil {
		return err
	}
	defer func() { _ = top.Close() }() // only opened from
	name := filepath.FromSlash(f.wanted.SARIF)
	if err := top.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	if err := top.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return app.WriteFile(func() (*os.File, error) { return top.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) }, func(w io.Writer) error {
		if f.file.Review != nil {
			return ci.SARIFReview(w, f.file.Review, f.on, app.Version())
		}
		return ci.SARIF(w, f.file.Results, f.on, app.Version())
	})
}
