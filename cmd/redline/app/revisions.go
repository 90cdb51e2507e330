package app

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/load"
)

// commits returns the commits to compare; head is empty for the work tree.
func (r Revisions) commits(ctx context.Context) (base, head string, err error) {
	if base, err = r.BaseCommit(ctx); err != nil || r.Head == "" {
		return base, "", err
	}
	head, err = r.resolve(ctx, r.Head)
	return base, head, err
}

// Revisions names the two versions to compare.
type Revisions struct {
	Dir        string
	Base, Head string // commits or names; an empty head is the work tree
	Exact      bool   // base is compared as it is, not its merge base with head
	Memo       *Memo  // of the repository; nil: everything is looked up anew
}

// workTree opens the work tree, from its top.
func (r Revisions) workTree(ctx context.Context) (*gitfs.Work, error) {
	top, err := r.top(ctx)
	if err != nil {
		return nil, err
	}
	return gitfs.WorkTree(top)
}

// BaseCommit returns the commit that head is compared with: base itself if Exact, else their merge base.
func (r Revisions) BaseCommit(ctx context.Context) (string, error) {
	if r.Exact {
		return r.resolve(ctx, r.Base)
	}
	head := r.Head
	if head == "" {
		head = "HEAD"
	}
	first, err := r.resolve(ctx, r.Base)
	if err != nil {
		return "", err
	}
	second, err := r.resolve(ctx, head)
	if err != nil {
		return "", err
	}
	return r.Memo.commit(first+"..."+second, func() (string, error) {
		return gitfs.MergeBase(ctx, r.Dir, [2]string{first, second}, [2]string{r.Base, head})
	})
}

// HeadDrafts reads the contracts of the amended version.
func (r Revisions) HeadDrafts(ctx context.Context, how ReadOptions) ([]*compile.Draft, error) {
	if r.Head != "" {
		return RevisionDrafts(ctx, r.Dir, r.Head, how)
	}
	return r.WorkTreeUnder(ctx, ".", how)
}

// WorkTreeUnder reads the contracts of the work tree at or under a directory, given from its top, and nothing else.
func (r Revisions) WorkTreeUnder(ctx context.Context, under string, how ReadOptions) ([]*compile.Draft, error) {
	work, err := r.workTree(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = work.Close() }() // only read from
	return engine.Tree{FS: work, Root: under, Values: how.Values, Time: how.Time}.DraftsBeside(ctx, how.other, how.Rule, how.Jobs)
}

// RevisionDrafts reads the contracts of a revision of the repository around dir.
func RevisionDrafts(ctx context.Context, dir, rev string, how ReadOptions) ([]*compile.Draft, error) {
	tree, err := gitfs.Open(ctx, dir, rev)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }() // only read from
	drafts, err := engine.Tree{FS: tree, Root: ".", Values: how.Values, Time: how.Time}.DraftsBeside(ctx, how.other, how.Rule, how.Jobs)
	if err != nil {
		return nil, fmt.Errorf("revision %s: %w", rev, err)
	}
	return drafts, nil
}

// RevisionDraft reads one contract of a revision of the repository around dir; nil if the revision has none in that directory. It reads nothing
// else.
func RevisionDraft(ctx context.Context, dir, rev, contract string, how ReadOptions) (*compile.Draft, error) {
	var only []string // with all entries, for a contract at the top
	if contract != "." {
		only = []string{contract}
	}
	tree, err := gitfs.Open(ctx, dir, rev, only...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }() // only read from
	dirs, err := load.Find(tree, ".")
	if _, there := slices.BinarySearch(dirs, contract); err != nil || !there {
		return nil, err
	}
	drafts, err := engine.Tree{FS: tree, Only: []string{contract}, Values: how.Values, Time: how.Time}.Drafts(ctx, how.Rule, 1)
	if err != nil {
		return nil, fmt.Errorf("revision %s: %w", rev, err)
	}
	return drafts[0], nil
}

// RemindOfUncommitted writes the number of contract files with uncommitted changes, if any: a review of HEAD does not include them.
func RemindOfUncommitted(ctx context.Context, w io.Writer, lead string) {
	files, err := gitfs.Uncommitted(ctx, ".", "*.contract.hcl")
	switch {
	case err != nil || len(files) == 0:
	case len(files) == 1:
		fmt.Fprint(w, lead+"Looked at the last commit only; 1 changed contract file is not committed: add --worktree.\n")
	default:
		fmt.Fprintf(w, lead+"Looked at the last commit only; %d changed contract files are not committed: add --worktree.\n", len(files))
	}
}
