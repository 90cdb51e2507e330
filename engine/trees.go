package engine

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// A Tree is where contracts are read from: a work tree or a revision.
type Tree struct {
	FS    fs.FS
	Root  string // the directory to look in, slash-separated; "." is the whole tree
	Shown string // what messages call the tree's top; empty: nothing stands before its names

	Values hclspec.Values // what the contracts' variables are given
}

func (t Tree) shown(dir string) string { return path.Join(t.Shown, dir) }

// Drafts finds, reads and composes every contract at or under the tree's root, in order of their
// paths. Cost: linear in the text, and in the composed nets.
func (t Tree) Drafts(ctx context.Context, rule *petri.Rule, jobs int) ([]*Draft, error) {
	dirs, err := hclspec.Find(t.FS, t.Root)
	if err != nil {
		return nil, err
	}
	drafts := make([]*Draft, len(dirs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(jobs, 1))
	for i, dir := range dirs {
		group.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			src, err := hclspec.Load(t.FS, dir, t.shown(dir), t.Values)
			if err != nil {
				return fmt.Errorf("reading contract %s: %w", t.shown(dir), err)
			}
			drafts[i] = Compile(src, t.shown(dir), rule)
			return nil
		})
	}
	return drafts, group.Wait()
}

// CheckAll checks drafts side by side; result i belongs to draft i. Each has the whole budget.
func CheckAll(ctx context.Context, drafts []*Draft, b Budget) []*Result {
	results := make([]*Result, len(drafts))
	var group errgroup.Group
	group.SetLimit(max(b.Jobs, 1))
	for i, d := range drafts {
		group.Go(func() error {
			results[i] = d.Check(ctx, b)
			return nil
		})
	}
	_ = group.Wait() // results carry their own reasons
	return results
}

// CompareAll reviews every contract that either side has, in order of their paths.
func CompareAll(ctx context.Context, base, head []*Draft, b Budget) []ContractReview {
	before, after := byPath(base), byPath(head)
	var paths []string
	for _, d := range slices.Concat(base, head) {
		paths = append(paths, d.Path)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	reviews := make([]ContractReview, len(paths))
	var group errgroup.Group
	group.SetLimit(max(b.Jobs, 1))
	for i, p := range paths {
		group.Go(func() error {
			reviews[i] = Compare(ctx, before[p], after[p], b)
			return nil
		})
	}
	_ = group.Wait() // reviews carry their own reasons
	return reviews
}

func byPath(drafts []*Draft) map[string]*Draft {
	m := map[string]*Draft{}
	for _, d := range drafts {
		m[d.Path] = d
	}
	return m
}
