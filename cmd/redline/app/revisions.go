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
	head, err = gitfs.Resolve(ctx, r.Dir, r.Head)
	return base, head, err
}

// Revisions names the two versions to compare.
type Revisions struct {
	Dir        string
	Base, Head string // commits or names; an empty head is the work tree
	Exact      bool   // base is compared as it is, not its merge base with head
}

// bothDrafts reads the contracts of both versions that the settings include, with notices on the others.
func bothDrafts(ctx context.Context, revs Revisions, how ReadOptions, observe []string) (before, after []*compile.Draft, notices []string, err error) {
	base, err := revs.BaseCommit(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	passed := 0
	if how.skip, passed, err = passedOver(ctx, revs, base, how.Includes()); err != nil {
		return nil, nil, nil, err
	}
	if before, err = RevisionDrafts(ctx, revs.Dir, base, how); err != nil {
		return nil, nil, nil, err
	}
	if after, err = revs.HeadDrafts(ctx, how.Beside(before)); err != nil {
		return nil, nil, nil, err
	}
	if err := how.Declared(slices.Concat(before, after)...); err != nil {
		return nil, nil, nil, err
	}
	before, sides, left := engine.Within(how.Includes(), before, after)
	notices, err = how.observable(observe, slices.Concat(before, sides[0])...)
	return before, sides[0], slices.Concat(how.LeftOut(passed+left), NoneYet(passed+left+len(before)+len(sides[0])), notices), err
}

// passedOver finds the contracts that need not be read: those that the settings leave out and that are at the same place on both sides, so
// that none of them has moved. It returns their number, too.
func passedOver(ctx context.Context, revs Revisions, base string, in func(dir string) bool) (skip func(dir string) bool, n int, err error) {
	if in == nil {
		return nil, 0, nil
	}
	there, err := contractsAt(ctx, revs.Dir, base)
	if err != nil {
		return nil, 0, err
	}
	here, err := contractsAt(ctx, revs.Dir, revs.Head)
	if err != nil {
		return nil, 0, err
	}
	passed := map[string]bool{}
	for _, dir := range there {
		if _, both := slices.BinarySearch(here, dir); both && !in(dir) {
			passed[dir] = true
		}
	}
	return func(dir string) bool { return passed[dir] }, len(passed), nil
}

// contractsAt returns the contracts of a revision, or of the work tree if rev is empty.
func contractsAt(ctx context.Context, dir, rev string) ([]string, error) {
	if rev == "" {
		work, err := workTree(ctx, dir)
		if err != nil {
			return nil, err
		}
		defer func() { _ = work.Close() }() // only read from
		return load.Find(work, ".")
	}
	tree, err := gitfs.Open(ctx, dir, rev)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }() // only read from
	return load.Find(tree, ".")
}

// workTree opens the work tree around dir, from its top.
func workTree(ctx context.Context, dir string) (*gitfs.Work, error) {
	top, err := gitfs.Top(ctx, dir)
	if err != nil {
		return nil, err
	}
	return gitfs.WorkTree(top)
}

// BaseCommit returns the commit that head is compared with: base itself if Exact, else their merge base.
func (r Revisions) BaseCommit(ctx context.Context) (string, error) {
	if r.Exact {
		return gitfs.Resolve(ctx, r.Dir, r.Base)
	}
	head := r.Head
	if head == "" {
		head = "HEAD"
	}
	return gitfs.MergeBase(ctx, r.Dir, r.Base, head)
}

// HeadDrafts reads the contracts of the amended version.
func (r Revisions) HeadDrafts(ctx context.Context, how ReadOptions) ([]*compile.Draft, error) {
	if r.Head != "" {
		return RevisionDrafts(ctx, r.Dir, r.Head, how)
	}
	work, err := workTree(ctx, r.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = work.Close() }() // only read from
	return engine.Tree{FS: work, Root: ".", Values: how.Values, Time: how.Time, Skip: how.skip}.DraftsBeside(ctx, how.other, how.Rule, how.Jobs)
}

// RevisionDrafts reads the contracts of a revision of the repository around dir.
func RevisionDrafts(ctx context.Context, dir, rev string, how ReadOptions) ([]*compile.Draft, error) {
	tree, err := gitfs.Open(ctx, dir, rev)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }() // only read from
	drafts, err := engine.Tree{FS: tree, Root: ".", Values: how.Values, Time: how.Time, Skip: how.skip}.DraftsBeside(ctx, how.other, how.Rule, how.Jobs)
	if err != nil {
		return nil, fmt.Errorf("revision %s: %w", rev, err)
	}
	return drafts, nil
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
