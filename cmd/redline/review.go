package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/ci"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
)

// revisions names the two versions to compare.
type revisions struct {
	dir        string
	base, head string // commits or names; an empty head is the work tree
	exact      bool   // base is compared as it is, not its merge base with head
}

func reviewCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "review --base REV [--head REV | --worktree]",
		Short: "Say what an amendment newly breaks",
		Long: `Review compares the contracts of two revisions: head (default: HEAD), and the merge base of head and
the revision named by --base. Both are read from git's objects. With --worktree, head is the work tree
as it lies there, committed or not.

It is made under the settings of the revision named by --base, never the amendment's own ('redline config --rev REV' shows them).`,
		Args: cobra.NoArgs,
	}
	flags := addChecking(cmd, "sarif", "junit")
	base := cmd.Flags().String("base", "", "the branch or revision the amendment is to be merged into")
	head := cmd.Flags().String("head", "HEAD", "the amended revision")
	worktree := cmd.Flags().Bool("worktree", false, "review the work tree instead of a revision")
	failOn := flags.addGate(cmd)
	work := &reviewing{accept: finding.AcceptBase}
	cmd.Flags().Var(&work.part, "shard", "review one part of several, as 3/8 (redline plan); the verdict is redline merge's then, and the exit status 0")
	name := addResult(cmd)
	addCache(cmd, &work.cache)
	cmd.MarkFlagsMutuallyExclusive("head", "worktree")
	cmd.MarkFlagsMutuallyExclusive("shard", "worktree")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *base == "" {
			return errors.New("--base is missing: name the branch or revision the amendment is to be merged into, as in --base main")
		}
		revs := revisions{dir: ".", base: *base, head: *head}
		if *worktree {
			revs.head = ""
		}
		wanted, notices, err := amendmentSettings(cmd.Context(), revs)
		if err != nil {
			return err
		}
		if err := under(wanted, cmd.Flags()); err != nil {
			return err
		}
		how, err := flags.reading(wanted)
		if err != nil {
			return err
		}
		if work.part.of > 0 && *name == "" {
			return errors.New("--shard is of no use without --result: name the file to write what is found to")
		}
		stop := progress(s.err, &flags.budget)
		work.revs, work.how, work.budget, work.failOn = revs, how, flags.budget, failOn.value
		found, trouble, err := work.file(cmd.Context())
		stop()
		if err != nil {
			return err
		}
		found.Notices = append(notices, found.Notices...)
		tell(s.err, found.Notices)
		tellTrouble(s.err, trouble)
		if err := writeReview(s.out, found.Review, gates[failOn.value], flags.format.value); err != nil {
			return err
		}
		if err := saveResult(cmd.Context(), *name, found); err != nil {
			return err
		}
		if !*worktree && *head == "HEAD" {
			remindOfUncommitted(cmd.Context(), s.err)
		}
		if work.part.of > 0 {
			return nil
		}
		return exit(found.Review.Gate(gates[failOn.value]))
	}
	return cmd
}

var gates = map[string]finding.FailOn{"new": finding.FailNew, "any": finding.FailAny, "never": finding.FailNever}

func writeReview(w io.Writer, r *finding.Review, on finding.FailOn, format string) error {
	switch format {
	case "json":
		return json.WriteReview(w, r, version())
	case "sarif":
		return ci.SARIFReview(w, r, on, version())
	case "junit":
		return ci.JUnitReview(w, r, on)
	case "markdown":
		_, err := io.WriteString(w, markdown.Review(r))
		return err
	}
	return text.Review(w, r, styleOf(w))
}

// reviewRevisions reads both versions and compares every contract of either.
func reviewRevisions(ctx context.Context, revs revisions, how reading, b finding.Budget) (r *finding.Review, notices []string, err error) {
	whole := &reviewing{revs: revs, how: how, budget: b, accept: finding.AcceptBase}
	f, _, err := whole.file(ctx) // there is no cache
	if err != nil {
		return nil, nil, err
	}
	return f.Review, f.Notices, nil
}

// bothDrafts reads the contracts of both versions that are to be looked at, and says what there is to say of the others.
func bothDrafts(ctx context.Context, revs revisions, how reading, observe []string) (before, after []*compile.Draft, notices []string, err error) {
	base, err := revs.baseCommit(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	passed := 0
	if how.skip, passed, err = passedOver(ctx, revs, base, how.includes()); err != nil {
		return nil, nil, nil, err
	}
	if before, err = revisionDrafts(ctx, revs.dir, base, how); err != nil {
		return nil, nil, nil, err
	}
	if after, err = revs.headDrafts(ctx, how.beside(before)); err != nil {
		return nil, nil, nil, err
	}
	if err := how.declared(slices.Concat(before, after)...); err != nil {
		return nil, nil, nil, err
	}
	before, sides, left := engine.Within(how.includes(), before, after)
	notices, err = how.observable(observe, slices.Concat(before, sides[0])...)
	return before, sides[0], append(how.leftOut(passed+left), notices...), err
}

// passedOver finds the contracts that need not even be read: those that are not taken in and lie at one place on both sides, so that
// none of them has moved. It returns how many they are.
func passedOver(ctx context.Context, revs revisions, base string, in func(dir string) bool) (skip func(dir string) bool, n int, err error) {
	if in == nil {
		return nil, 0, nil
	}
	there, err := contractsAt(ctx, revs.dir, base)
	if err != nil {
		return nil, 0, err
	}
	here, err := contractsAt(ctx, revs.dir, revs.head)
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

// contractsAt finds the contracts of a revision, or with none of the work tree.
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

func (r revisions) baseCommit(ctx context.Context) (string, error) {
	if r.exact {
		return gitfs.Resolve(ctx, r.dir, r.base)
	}
	head := r.head
	if head == "" {
		head = "HEAD"
	}
	return gitfs.MergeBase(ctx, r.dir, r.base, head)
}

func (r revisions) headDrafts(ctx context.Context, how reading) ([]*compile.Draft, error) {
	if r.head != "" {
		return revisionDrafts(ctx, r.dir, r.head, how)
	}
	work, err := workTree(ctx, r.dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = work.Close() }() // only read from
	return engine.Tree{FS: work, Root: ".", Values: how.values, Time: how.time, Skip: how.skip}.DraftsBeside(ctx, how.other, how.rule, how.jobs)
}

func revisionDrafts(ctx context.Context, dir, rev string, how reading) ([]*compile.Draft, error) {
	tree, err := gitfs.Open(ctx, dir, rev)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }() // only read from
	drafts, err := engine.Tree{FS: tree, Root: ".", Values: how.values, Time: how.time, Skip: how.skip}.DraftsBeside(ctx, how.other, how.rule, how.jobs)
	if err != nil {
		return nil, fmt.Errorf("revision %s: %w", rev, err)
	}
	return drafts, nil
}

// remindOfUncommitted keeps "no change of meaning" from surprising somebody who has not committed.
func remindOfUncommitted(ctx context.Context, w io.Writer) {
	files, err := gitfs.Uncommitted(ctx, ".", "*.contract.hcl")
	if err == nil && len(files) > 0 {
		fmt.Fprintf(w, "redline: %d contract file(s) have changes that are not committed; --worktree reviews them\n", len(files))
	}
}
