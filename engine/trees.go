package engine

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
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

// A Tree is a source of contracts: a directory (os.DirFS, or gitfs.WorkTree), a revision (gitfs.Open), or any other fs.FS.
type Tree struct {
	FS    fs.FS
	Root  string // the directory to look in, slash-separated; empty or ".": the whole tree
	Shown string // prefix of paths in messages; may be empty

	Values expr.Values   // values of the contracts' variables
	Time   time.Duration // for reading and composing one contract; 0: no limit
	Only   []string      // the directories of the contracts to read, as load.Find returns them; nil: all at or under Root
}

func (t Tree) shown(dir string) string { return path.Join(t.Shown, dir) }

func (t Tree) root() string { return cmp.Or(t.Root, ".") }

// Drafts finds, reads and composes every contract at or under the tree's root, in order of their paths. Mistakes in a contract's text are
// in its draft; an error means that files could not be read or that time ran out. Cost: linear in the text and in the composed nets.
func (t Tree) Drafts(ctx context.Context, rule *petri.Rule, jobs int) ([]*compile.Draft, error) {
	return t.DraftsBeside(ctx, nil, rule, jobs)
}

// DraftsBeside is like Drafts, for a tree that is compared with drafts of another one, read under the same rule and values. A contract
// whose bytes are the same in both is read once, and both sides share its Draft.
func (t Tree) DraftsBeside(ctx context.Context, others []*compile.Draft, rule *petri.Rule, jobs int) ([]*compile.Draft, error) {
	there := compare.ByPath(others)
	dirs := t.Only
	if dirs == nil {
		var err error
		if dirs, err = load.Find(t.FS, t.root()); err != nil {
			return nil, err
		}
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

// draft reads and composes one contract, and records the time that took. It returns other, which may be nil, if the text is the same. The
// error is *Stopped if the time limit ran out.
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

// CheckAll checks drafts, at most b.Jobs at once. Result i belongs to draft i. Each draft has the whole budget.
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

// CompareAll reviews every contract that either side has, in order of their paths. A contract that head has moved is compared with the
// contract at its old path.
func CompareAll(ctx context.Context, base, head []*compile.Draft, b finding.Budget) []finding.ContractReview {
	return ComparePairs(ctx, Pairs(base, head), b)
}

// Pairs returns the pairs of contracts that CompareAll reviews, in order of their paths.
func Pairs(base, head []*compile.Draft) []Pair {
	before, after := matched(base, head)
	both := maps.Clone(before)
	maps.Copy(both, after)
	paths := slices.Sorted(maps.Keys(both))
	pairs := make([]Pair, len(paths))
	for i, p := range paths {
		pairs[i] = Pair{before[p], after[p]}
	}
	return pairs
}

// ComparePairs reviews pairs. Review i belongs to pair i, and does not depend on the other pairs.
func ComparePairs(ctx context.Context, pairs []Pair, b finding.Budget) []finding.ContractReview {
	for i := range pairs { // what the caller draws has the ticks that the review has
		pairs[i].Base, pairs[i].Head = compile.SameTick(pairs[i].Base, pairs[i].Head)
	}
	return compareAll(ctx, pairs, b, alike(pairs))
}

// Counterpart returns the draft of base that a draft of head is compared with, or nil if the contract is new.
func Counterpart(base, head []*compile.Draft, d *compile.Draft) *compile.Draft {
	before, _ := matched(base, head)
	return before[d.Path]
}

// matched returns the drafts of both sides by path. A draft of base is under the path of the draft of head that it is compared with, if
// there is one, and under the path of every other heir.
func matched(base, head []*compile.Draft) (before, after map[string]*compile.Draft) {
	before, after = compare.ByPath(base), compare.ByPath(head)
	compare.RekeyMoved(before, after)
	inherit(before, after)
	return before, after
}

// DropUnreviewed removes head's contract from each pair whose contract is reviewed on base and would no longer be reviewed on head. The
// promises of such a contract are given up, like those of a deleted one. A pair goes as a whole if its contract is still reviewed in its old
// place, with all its parts: then head's other contract is a copy, and nothing is given up by it. in reports whether a contract is still reviewed, given its
// directories on base and head. DropUnreviewed returns the pairs by path, and the directories of the removed contracts by the path of their
// pair: that of base's contract, or of head's if head has another heir in the old place.
func DropUnreviewed(pairs []Pair, in func(was, now string) bool) (seen []Pair, outside map[string]string) {
	outside = map[string]string{}
	taken, whole := map[string]bool{}, map[string]bool{}
	for _, p := range pairs {
		taken[p.Path()] = true
		whole[p.Path()] = p.stays() && in(p.Path(), p.Path())
	}
	for _, p := range pairs {
		if p.Base != nil && p.Head != nil && !in(p.Base.Path, p.Head.Path) {
			if whole[p.Base.Path] {
				continue
			}
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
