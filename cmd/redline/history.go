package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/history"
	"github.com/redlinehq/redline/report/record/store"
)

func historyCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history [CONTRACT]",
		Short: "Tell what records say of the drafts of a branch: when, by whom, what changed",
		Long: `History tells the recorded drafts of a contract (a directory, or its name; default: all), the latest first: when and by whom they were committed, what
changed in behaviour, which verdicts changed, who waived what until when, and whether the record is signed. The branch is that of
--rev, by first parents; records are found by content, too, after a squash, a rebase or a rename.

--holds REQUIREMENT answers since when it holds, --broke REQUIREMENT which commit broke it. Records tell of most drafts; where two that
differ have drafts without records between them, these are checked as git bisect would, within the limits.

Records are told as they are. 'redline verify' holds them to the repository.

Exit statuses: 0 it is told, 2 it could not be done, 3 a question has no answer, for something is not in this clone or a limit was reached.`,
		Args: cobra.MaximumNArgs(1),
	}
	h := &tellingHistory{checking: checking{budget: defaultBudget()}}
	f := cmd.Flags()
	h.format = addChoice(cmd, "format", "how to tell it", "text", "markdown", "json", "html")
	f.StringVar(&h.rev, "rev", "HEAD", "the branch, by its last commit")
	f.StringVar(&h.filter.Requirement, "requirement", "", "only drafts that have this requirement, and only what is said of it")
	h.verdict = addChoice(cmd, "verdict", "only drafts in which that requirement, or any, is this", "", "holds", "violated", "waived", "unknown", "ill-formed")
	f.StringVar(&h.since, "since", "", "only drafts committed on this day, as 2027-03-31 (UTC), or later")
	f.StringVar(&h.until, "until", "", "only drafts committed on this day (UTC) or earlier")
	f.StringVar(&h.holds, "holds", "", "since when does this requirement hold?")
	f.StringVar(&h.broke, "broke", "", "which commit broke this requirement?")
	f.StringVar(&h.keys, "keys", "", "file that lists the keys that are accepted, instead of the revision's")
	h.limits(f)
	h.addToday(f)
	h.values.add(f)
	cmd.MarkFlagsMutuallyExclusive("holds", "broke")
	for _, question := range []string{"holds", "broke"} {
		for _, filter := range []string{"requirement", "verdict", "since", "until"} {
			cmd.MarkFlagsMutuallyExclusive(question, filter)
		}
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		wanted, commit, err := settingsAt(cmd.Context(), []string{h.rev})
		if err != nil {
			return err
		}
		if err := under(wanted, cmd.Flags()); err != nil {
			return err
		}
		how, err := h.values.read(reading{jobs: h.budget.Jobs, time: h.budget.Time, under: wanted})
		if err != nil {
			return err
		}
		if len(args) > 0 {
			h.contract = args[0]
		}
		return h.tell(cmd.Context(), s, commit, how)
	}
	return cmd
}

// tellingHistory is what history was asked for.
type tellingHistory struct {
	checking
	contract, rev, since, until, holds, broke, keys string
	verdict                                         *choice
	filter                                          history.Filter
}

func (h *tellingHistory) tell(ctx context.Context, s streams, commit string, how reading) error {
	q, err := h.query(ctx, commit, how)
	if err != nil {
		return err
	}
	found, err := q.Find(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = found.Close() }() // all of it was read
	answer, err := h.answer(ctx, found)
	if err != nil {
		return err
	}
	switch h.format.value {
	case "markdown":
		err = history.Markdown(ctx, s.out, found, answer)
	case "json":
		err = history.JSON(ctx, s.out, found, answer, version())
	case "html":
		err = history.HTML(ctx, s.out, found, answer)
	default:
		err = history.Text(ctx, s.out, found, answer)
	}
	if err == nil && answer != nil && !answer.Told() {
		return exit(finding.OutOfLimit)
	}
	return err
}

func (h *tellingHistory) query(ctx context.Context, commit string, how reading) (*history.Query, error) {
	h.filter.Verdict = h.verdict.value
	var err error
	if h.filter.Since, err = dayOf("--since", h.since, 0); err != nil {
		return nil, err
	}
	if h.filter.Until, err = dayOf("--until", h.until, 1); err != nil {
		return nil, err
	}
	q := &history.Query{Repo: store.At("."), Commit: commit, Contract: h.contract, Here: hereInRepository(), Filter: h.filter}
	if q.Keys, err = keysAt(ctx, commit, h.keys); err != nil {
		return nil, err
	}
	if asked := h.holds + h.broke; asked != "" {
		q.Filter = history.Filter{Requirement: asked}
	}
	q.Check = func(ctx context.Context, commit, dir string) (*finding.Result, error) {
		return h.checkAt(ctx, commit, dir, how)
	}
	return q, nil
}

func (h *tellingHistory) answer(ctx context.Context, found *history.History) (*history.Answer, error) {
	switch {
	case h.holds != "":
		return found.Ask(ctx, h.holds, true)
	case h.broke != "":
		return found.Ask(ctx, h.broke, false)
	}
	return nil, nil
}

// checkAt checks the draft that a directory has in a commit.
func (h *tellingHistory) checkAt(ctx context.Context, commit, dir string, how reading) (*finding.Result, error) {
	tree, err := gitfs.Open(ctx, ".", commit)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }() // only read from
	src, err := load.DirUnless(ctx, tree, dir, dir, how.values, nil)
	if err != nil {
		return nil, err
	}
	d, err := compile.CompileWithin(ctx, src, dir, nil)
	if err != nil {
		return nil, err
	}
	return verify.Check(ctx, d, h.budget), context.Cause(ctx)
}

// dayOf is the beginning of a day, so many days later; zero: none was named.
func dayOf(flag, text string, later int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if !hclspec.IsDay(text) {
		return time.Time{}, fmt.Errorf("%s %s: write the day as 2027-03-31", flag, text)
	}
	at, err := time.Parse(time.DateOnly, text)
	return at.AddDate(0, 0, later), err
}

// hereInRepository is the current directory, as the repository calls it.
func hereInRepository() string {
	top, err := topOfWorkTree()
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
