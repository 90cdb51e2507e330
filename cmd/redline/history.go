package main

import (
	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/cmd/redline/records"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
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
		Example: `  redline history
  redline history sale --holds no-free-car`,
		Args: cobra.MaximumNArgs(1),
	}
	flags, h := &option.Check{Budget: engine.DefaultBudget()}, &records.HistoryRequest{}
	f := cmd.Flags()
	format := addFormat(cmd, func(f *format) bool { return f.history != nil })
	f.StringVar(&h.Rev, "rev", "HEAD", "the branch, by its last commit, or another `revision`")
	f.StringVar(&h.Filter.Requirement, "requirement", "", "only drafts that have this `requirement`, and only what is said of it")
	verdict := option.AddChoice(cmd, "verdict", "only drafts in which that requirement, or any, is this", "", "holds", "violated", "waived", "unknown", "ill-formed")
	f.StringVar(&h.Since, "since", "", "only drafts committed on this `day`, as 2027-03-31 (UTC), or later")
	f.StringVar(&h.Until, "until", "", "only drafts committed on this `day` (UTC) or earlier")
	f.StringVar(&h.Holds, "holds", "", "since when does this `requirement` hold?")
	f.StringVar(&h.Broke, "broke", "", "which commit broke this `requirement`?")
	f.StringVar(&h.Keys, "keys", "", "`file` that lists the keys that are accepted, instead of the revision's")
	flags.AddLimits(f)
	flags.AddToday(f)
	flags.Values.Add(f)
	cmd.MarkFlagsMutuallyExclusive("holds", "broke")
	for _, question := range []string{"holds", "broke"} {
		for _, filter := range []string{"requirement", "verdict", "since", "until"} {
			cmd.MarkFlagsMutuallyExclusive(question, filter)
		}
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		wanted, commit, err := app.SettingsAt(cmd.Context(), []string{h.Rev})
		if err != nil {
			return err
		}
		if err := option.MergeSettings(wanted, cmd.Flags()); err != nil {
			return err
		}
		how, err := flags.Values.Read(app.ReadOptions{Jobs: flags.Budget.Jobs, Time: flags.Budget.Time, Under: wanted})
		if err != nil {
			return err
		}
		if len(args) > 0 {
			h.Contract = args[0]
		}
		h.Budget, h.Filter.Verdict = flags.Budget, verdict.Value
		found, answer, err := h.Ask(cmd.Context(), commit, how)
		if err != nil {
			return err
		}
		defer func() { _ = found.Close() }() // all of it was read
		err = formats[format.Value].history(cmd.Context(), s.out, found, answer)
		if err == nil && answer != nil && !answer.Definite() {
			return exit(finding.OutOfLimit)
		}
		return err
	}
	return cmd
}
