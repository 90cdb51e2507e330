package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
)

func reviewCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "review --base REV [--head REV | --worktree]",
		Short: "Say what an amendment newly breaks",
		Long: `Review compares the contracts of two revisions: head (default: HEAD), and the merge base of head and
the revision named by --base. Both are read from git's objects. With --worktree, head is the work tree
as it lies there, committed or not.

It is made under the settings of the revision named by --base, never the amendment's own ('redline config --rev REV' shows them).`,
		Example: `  redline review --base main
  redline review --base main --worktree
  redline review --base main --format markdown --observe buyer`,
		Args: cobra.NoArgs,
	}
	flags := option.AddDeciding(cmd)
	format := addFormat(cmd, func(f *format) bool { return f.review != nil })
	base := cmd.Flags().String("base", "", "the branch or `revision` the amendment is to be merged into")
	head := cmd.Flags().String("head", "HEAD", "the amended `revision`")
	worktree := cmd.Flags().Bool("worktree", false, "review the work tree instead of a revision")
	failOn := flags.AddGate(cmd)
	work := new(app.ReviewRequest)
	cmd.Flags().Var(&work.Part, "shard", "review one part of several, as 3/8 (redline plan); the verdict is redline merge's then, and the exit status 0")
	name := addResult(cmd)
	option.AddCache(cmd, &work.Cache)
	cmd.MarkFlagsMutuallyExclusive("head", "worktree")
	cmd.MarkFlagsMutuallyExclusive("shard", "worktree")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *base == "" {
			return errors.New("--base is missing: name the branch or revision the amendment is to be merged into, as in --base main")
		}
		revs := app.Revisions{Dir: ".", Base: *base, Head: *head, Memo: new(app.Memo)}
		if *worktree {
			revs.Head = ""
		}
		wanted, notices, err := app.AmendmentSettings(cmd.Context(), revs)
		if err != nil {
			return err
		}
		if err := option.MergeSettings(wanted, cmd.Flags()); err != nil {
			return err
		}
		how, err := flags.ReadOptions(wanted)
		if err != nil {
			return err
		}
		if work.Part.Of > 0 && *name == "" {
			return errors.New("--shard is of no use without --result: name the file to write what is found to")
		}
		stop := progress(s.err, &flags.Budget)
		work.Revs, work.How, work.Budget, work.FailOn = revs, how, flags.Budget, failOn.Value
		found, trouble, err := work.Run(cmd.Context())
		stop()
		if err != nil {
			return err
		}
		found.Notices = append(notices, found.Notices...)
		printNotices(s.err, found.Notices)
		printTrouble(s.err, trouble)
		if err := formats[format.Value].review(s.out, found.Review, app.Gates[failOn.Value]); err != nil {
			return err
		}
		if err := app.SaveResult(cmd.Context(), *name, found); err != nil {
			return err
		}
		switch committed := !*worktree && *head == "HEAD"; {
		case committed && format.Value == "text":
			app.RemindOfUncommitted(cmd.Context(), s.out, "  ")
		case committed && !hushed(s.err):
			app.RemindOfUncommitted(cmd.Context(), s.err, "redline: ")
		}
		if work.Part.Of > 0 {
			return nil
		}
		return exit(found.Review.Gate(app.Gates[failOn.Value]))
	}
	return cmd
}
