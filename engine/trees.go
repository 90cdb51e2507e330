package engine

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/load"
)

// A Tree is where contracts are read from: a directory (os.DirFS, or gitfs.WorkTree), a revision (gitfs.Open), or any other fs.FS.
type Tree struct {
	FS    fs.FS
	Root  string // the directory to look in, slash-separated; empty or ".": the whole tree
	Shown string // what messages call the tree's top; empty: nothing stands before its names

	Values expr.Values           // what the contracts' variables are given
	Time   time.Duration         // for reading and composing one contract; 0: no limit
	Skip   func(dir string) bool // contracts that are not even read; nil: none
}

func (t Tree) shown(dir string) string { return path.Join(t.Shown, dir) }

func (t Tree) root() string { return cmp.Or(t.Root, ".") }

// Drafts finds, reads and composes every contract at or under the tree's root, in order of their
// paths. Cost: linear in the text, and in the composed nets.
func (t Tree) Drafts(ctx context.Context, rule *petri.Rule, jobs int) ([]*compile.Draft, error) {
	return t.DraftsBeside(ctx, nil, rule, jobs)
}

// DraftsBeside is Drafts of a tree that is to be compared with drafts of another one, read under the same rule
// and values: a contract that is the same there, byte for byte, is the same Draft, and is read once.
func (t Tree) DraftsBeside(ctx context.Context, others []*compile.Draft, rule *petri.Rule, jobs int) ([]*compile.Draft, error) {
	there := compare.ByPath(others)
	dirs, err := load.Find(t.FS, t.root())
	if err != nil {
		return nil, err
	}
	if t.Skip != nil {
		dirs = slices.DeleteFunc(dirs, func(dir string) bool { return t.Skip(t.shown(dir)) })
	}
	drafts := make([]*compile.Draft, len(dirs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(jobs, 1))
	for i, dir := range dirs {
		group.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			var err error
			if drafts[i], err = t.draft(ctx, dir, there[t.shown(dir)], rule); err != nil {
				return fmt.Errorf("reading contract %s: %w", t.shown(dir), err)
			}
			return nil
		})
	}
	return drafts, group.Wait()
}

// draft reads one contract; other is what it may be the same as, or nil. An error is *Stopped where the limit ran out.
func (t Tree) draft(ctx context.Context, dir string, other *compile.Draft, rule *petri.Rule) (*compile.Draft, error) {
	began, b := time.Now(), finding.Budget{Time: t.Time}
	ctx, cancel := b.Reading(ctx)
	defer cancel()
	d, err := t.read(ctx, dir, other, rule)
	if err != nil {
		return nil, b.Stopped(err)
	}
	if d != other {
		d.Took = time.Since(began)
	}
	return d, nil
}

func (t Tree) read(ctx context.Context, dir string, other *compile.Draft, rule *petri.Rule) (*compile.Draft, error) {
	var known *load.Source
	if other != nil {
		known = other.Source
	}
	src, err := load.DirUnless(ctx, t.FS, dir, t.shown(dir), t.Values, known)
	switch {
	case err != nil:
		return nil, err
	case src == known:
		return other, nil
	}
	return compile.CompileWithin(ctx, src, t.shown(dir), rule)
}

// CheckAll checks drafts side by side; result i belongs to draft i. Each has the whole budget.
func CheckAll(ctx context.Context, drafts []*compile.Draft, b finding.Budget) []*finding.Result {
	results, turn := make([]*finding.Result, len(drafts)), b.Turns(len(drafts))
	var group errgroup.Group
	group.SetLimit(max(b.Jobs, 1))
	for i, d := range drafts {
		group.Go(func() error {
			turn(d.Path)
			results[i] = verify.Check(ctx, d, b)
			return nil
		})
	}
	_ = group.Wait() // results carry their own reasons
	return results
}

// CompareAll reviews every contract that either side has, in order of their paths. A contract that
// head has elsewhere is compared with the one it was.
func CompareAll(ctx context.Context, base, head []*compile.Draft, b finding.Budget) []finding.ContractReview {
	return ComparePairs(ctx, Pairs(base, head), b)
}

// Pairs are the contracts of both sides, as CompareAll reviews them.
func Pairs(base, head []*compile.Draft) []Pair {
	before, after := matched(base, head)
	var paths []string
	for p := range before {
		paths = append(paths, p)
	}
	for p := range after {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	pairs := make([]Pair, len(paths))
	for i, p := range paths {
		pairs[i] = Pair{before[p], after[p]}
	}
	return pairs
}

// ComparePairs reviews some of the pairs; review i belongs to pair i. It is the same whichever others are among them.
func ComparePairs(ctx context.Context, pairs []Pair, b finding.Budget) []finding.ContractReview {
	return compareAll(ctx, pairs, b, alike(pairs))
}

// Counterpart is the draft on base that a draft of head is compared with; nil: it is new.
func Counterpart(base, head []*compile.Draft, d *compile.Draft) *compile.Draft {
	before, _ := matched(base, head)
	return before[d.Path]
}

// matched returns the drafts of both sides by path: each of base under the path of the draft of head that it is compared with, if there
// is one, and of every other heir.
func matched(base, head []*compile.Draft) (before, after map[string]*compile.Draft) {
	before, after = compare.ByPath(base), compare.ByPath(head)
	compare.Follow(before, after)
	inherit(before, after)
	return before, after
}

// OutOfSight takes head's contract out of each pair of which base's is looked at and head's would not be any more: the promises of such
// a contract are given up as those of a deleted one. In says whether a contract is still looked at, by its directory on base and on head. It returns where those contracts lie now, by the path of their pair:
// that of base's contract, or of head's where head has another heir in the old place.
func OutOfSight(pairs []Pair, in func(was, now string) bool) (seen []Pair, outside map[string]string) {
	outside = map[string]string{}
	taken := map[string]bool{}
	for _, p := range pairs {
		taken[p.Path()] = true
	}
	for _, p := range pairs {
		if p.Base != nil && p.Head != nil && !in(p.Base.Path, p.Head.Path) {
			now := p.Head.Path
			if p.Head = nil; now != p.Base.Path && taken[p.Base.Path] { // head has another heir there, which has a review of its own
				was := *p.Base
				was.Path, p.Base = now, &was
			}
			outside[p.Base.Path] = now
		}
		seen = append(seen, p)
	}
	slices.SortStableFunc(seen, func(p, q Pair) int { return cmp.Compare(p.Path(), q.Path()) })
	return seen, outside
}
