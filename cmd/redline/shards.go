package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/report/result"
)

func planCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan --base REV [--head REV]",
		Short: "Spread a review over several runners",
		Long: `Plan says into how many shards a review is best split: at most as many as --shards, no more than there are
contracts to review, and at least one. It prints them as a matrix for GitHub Actions. Each runner then reviews its shard
(redline review --shard 3/8 --result FILE) of the same revisions, with the same flags; redline merge joins what they
found. A runner finds out from the commits which contracts are its own, so the matrix has nothing to trust.`,
		Example: `  redline plan --base main --shards 2`,
		Args:    cobra.NoArgs,
	}
	flags := &option.Check{Budget: engine.DefaultBudget()}
	flags.Firing = option.AddFiring(cmd)
	flags.Values.Add(cmd.Flags())
	base := cmd.Flags().String("base", "", "the branch or `revision` the amendment is to be merged into")
	head := cmd.Flags().String("head", "HEAD", "the amended `revision`")
	most := cmd.Flags().Int("shards", 8, fmt.Sprintf("how many there may be, from 1 to %d", result.MostShards))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *base == "" {
			return errors.New("--base is missing: name the branch or revision the amendment is to be merged into, as in --base main")
		}
		revs := app.Revisions{Dir: ".", Base: *base, Head: *head, Memo: new(app.Memo)}
		wanted, _, err := app.AmendmentSettings(cmd.Context(), revs) // the review has the notices
		if err != nil {
			return err
		}
		how, err := flags.ReadOptions(wanted)
		if err != nil {
			return err
		}
		matrix, err := app.PlanMatrix(cmd.Context(), revs, how, *most)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(s.out, matrix)
		return err
	}
	return cmd
}

func mergeCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "merge FILE...",
		Short: "Join what several runners found into one review",
		Long: `Merge reads what runs of redline review --result found, joins the shards into one review, and has the exit status of
that review. It fails closed, with exit status 2: when a shard is missing or there twice, when two are of different commits,
settings, limits or versions of redline, or when a shard has not reviewed what it had to.`,
		Example: `  redline review --base main --shard 1/1 --result one.json
  redline merge one.json`,
		Args: cobra.MinimumNArgs(1),
	}
	format := addFormat(cmd, func(f *format) bool { return f.review != nil })
	failOn := option.AddChoice(cmd, "fail-on", "which verdicts fail, whatever the shards were told: what is newly broken, any violation, or none", "", "new", "any", "never")
	shards := cmd.Flags().Int("shards", 0, "how many there have to be; 0: as many as each says")
	name := addResult(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		whole, err := app.MergeResults(args, *shards)
		if err != nil {
			return err
		}
		if failOn.Value != "" {
			whole.Terms.FailOn = failOn.Value
		}
		printNotices(s.err, whole.Notices)
		whole.Review.On = app.Gates[whole.Terms.FailOn]
		if err := formats[format.Value].review(s.out, whole.Review, whole.Review.On); err != nil {
			return err
		}
		if err := app.SaveResult(cmd.Context(), *name, whole); err != nil {
			return err
		}
		return exit(whole.Review.Gate(whole.Review.On))
	}
	return cmd
}

func addResult(cmd *cobra.Command) *string {
	return cmd.Flags().String("result", "", "`file` to write what was found to, for redline merge")
}
