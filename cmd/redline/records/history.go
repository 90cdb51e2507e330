package records

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/history"
	"github.com/redlinehq/redline/report/record/store"
)

// HistoryRequest is a request for the drafts of a contract, or for an answer to a question on them.
type HistoryRequest struct {
	Budget finding.Budget

	Contract, Rev, Since, Until, Holds, Broke, Keys string
	Filter                                          history.Filter
}

// Ask returns the drafts, and the answer if there is a question. The caller closes the history.
func (h *HistoryRequest) Ask(ctx context.Context, commit string, how app.ReadOptions) (*history.History, *history.Answer, error) {
	q, err := h.query(ctx, commit, how)
	if err != nil {
		return nil, nil, err
	}
	found, err := q.Find(ctx)
	if err != nil {
		return nil, nil, err
	}
	answer, err := h.answer(ctx, found)
	if err == nil && found.Empty() {
		err = h.known(ctx, commit, how)
	}
	if err != nil {
		_ = found.Close() // only read from
		if errors.Is(err, history.ErrSeveral) {
			if h.Contract, err = h.only(ctx, commit, how); err == nil {
				return h.Ask(ctx, commit, how)
			}
		}
		return nil, nil, err
	}
	return found, answer, nil
}

// only returns the directory of the one contract of a commit that has the requirement asked about, from here. It is an error if none has it,
// or several have.
func (h *HistoryRequest) only(ctx context.Context, commit string, how app.ReadOptions) (string, error) {
	drafts, err := app.RevisionDrafts(ctx, ".", commit, how)
	if err != nil {
		return "", err
	}
	asked := h.Holds + h.Broke
	var dirs, names []string
	for _, d := range drafts {
		if d.Spec == nil {
			continue
		}
		for _, r := range d.Spec.Requirements {
			if names = append(names, r.Name); r.Name != asked {
				continue
			}
			below, err := filepath.Rel(hereInRepository(), d.Path)
			if err != nil {
				return "", err
			}
			dirs = append(dirs, filepath.ToSlash(below))
		}
	}
	hint := ""
	if near := hclspec.Nearest(asked, names); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	switch len(dirs) {
	case 0:
		return "", fmt.Errorf("no contract at %s has a requirement %s%s", h.Rev, asked, hint)
	case 1:
		return dirs[0], nil
	}
	return "", fmt.Errorf("several contracts have a requirement %s: name one, as in redline history %s", asked, dirs[0])
}

// known returns an error if the contract is none of the commit's. It is for a contract without a record.
func (h *HistoryRequest) known(ctx context.Context, commit string, how app.ReadOptions) error {
	if h.Contract == "" {
		return nil
	}
	drafts, err := app.RevisionDrafts(ctx, ".", commit, how)
	if err != nil {
		return err
	}
	var names []string
	dir := path.Join(hereInRepository(), filepath.ToSlash(h.Contract))
	for _, d := range drafts {
		name := path.Base(d.Path)
		if d.Spec != nil {
			name = d.Spec.Name
		}
		if h.Contract == name || dir == d.Path {
			return nil
		}
		names = append(names, name, d.Path)
	}
	hint := ""
	if near := hclspec.Nearest(h.Contract, names); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	return fmt.Errorf("there is no contract %s at %s, and no record of one%s", h.Contract, h.Rev, hint)
}

func (h *HistoryRequest) query(ctx context.Context, commit string, how app.ReadOptions) (*history.Query, error) {
	var err error
	if h.Filter.Since, err = dayOf("--since", h.Since, 0); err != nil {
		return nil, err
	}
	if h.Filter.Until, err = dayOf("--until", h.Until, 1); err != nil {
		return nil, err
	}
	q := &history.Query{Repo: store.At("."), Commit: commit, Contract: h.Contract, Here: hereInRepository(), Filter: h.Filter}
	if q.Keys, err = keysAt(ctx, commit, h.Keys); err != nil {
		return nil, err
	}
	if asked := h.Holds + h.Broke; asked != "" {
		q.Filter = history.Filter{Requirement: asked}
	}
	q.Check = func(ctx context.Context, commit, dir string) (*finding.Result, error) {
		return h.checkAt(ctx, commit, dir, how)
	}
	return q, nil
}

func (h *HistoryRequest) answer(ctx context.Context, found *history.History) (*history.Answer, error) {
	switch {
	case h.Holds != "":
		return found.Ask(ctx, h.Holds, true)
	case h.Broke != "":
		return found.Ask(ctx, h.Broke, false)
	}
	return nil, nil
}

// checkAt checks the draft in a directory of a commit.
func (h *HistoryRequest) checkAt(ctx context.Context, commit, dir string, how app.ReadOptions) (*finding.Result, error) {
	tree, err := gitfs.Open(ctx, ".", commit)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }() // only read from
	src, err := load.DirUnless(ctx, tree, dir, dir, how.Values, nil)
	if err != nil {
		return nil, err
	}
	d, err := compile.CompileWithin(ctx, src, dir, nil)
	if err != nil {
		return nil, err
	}
	return verify.Check(ctx, d, h.Budget), context.Cause(ctx)
}

// dayOf returns the beginning of a day plus some days; zero for an empty text.
func dayOf(flag, text string, later int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if !hclspec.IsDay(text) {
		return time.Time{}, fmt.Errorf("%s %q is no day. %s", flag, text, hclspec.NotDay(text))
	}
	at, err := time.Parse(time.DateOnly, text)
	return at.AddDate(0, 0, later), err
}

// hereInRepository returns the current directory as a path below the top of the repository; "." if it is unknown.
func hereInRepository() string {
	top, err := app.TopOfWorkTree()
	if err != nil || top == "" {
		return "."
	}
	here, err := os.Getwd()
	if err != nil {
		return "."
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return "."
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		return "."
	}
	in, err := filepath.Rel(top, here)
	if err != nil {
		return "."
	}
	return filepath.ToSlash(in)
}
