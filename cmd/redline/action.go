package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/report"
	"github.com/redlinehq/redline/report/review"
)

// actionCommand is what action.yml runs. It is hidden: it makes sense in a workflow only.
func actionCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "action",
		Short: "Review the event of a GitHub Actions workflow",
		Long: `Action finds the base in the event that started the workflow, reviews what is checked out against it,
and tells GitHub: job summary, log, annotations, outputs, and the exit status. An event without a base
has every contract checked as it is. A flag that is not given takes the action's input (INPUT_MAX_STATES
for --max-states).`,
		Args:   cobra.NoArgs,
		Hidden: true,
	}
	flags := &checking{budget: defaultBudget()}
	flags.firing = addChoice(cmd, "firing", "override the contract's firing rule", "", "one", "all")
	flags.limits(cmd.Flags())
	flags.addToday(cmd.Flags())
	failOn := addChoice(cmd, "fail-on", "which verdicts fail: what is newly broken, any violation, or none", "new", "any", "never")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		plan := review.Plan{}
		err := takeInputs(cmd.Flags())
		how := reading{rule: flags.rule(), jobs: flags.budget.Jobs, values: environmentValues(os.Environ())}
		if err == nil {
			plan, err = planAction(cmd.Context(), how, flags.budget, gates[failOn.value])
		}
		if err != nil {
			plan = review.DraftFailure(err)
		}
		if err := review.Post(s.out, os.Getenv, plan); err != nil {
			fmt.Fprintln(s.err, "redline: the verdict stands, but GitHub could not be told all of it: "+report.TerminalText(err.Error()))
		}
		return exit(plan.Status)
	}
	return cmd
}

// takeInputs sets each flag that the command line leaves open from the input of the same name.
// action.yml hands inputs over in the environment, where their text can't become a command.
func takeInputs(flags *pflag.FlagSet) error {
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "INPUT_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value := strings.TrimSpace(os.Getenv(name))
		if err != nil || f.Changed || value == "" {
			return
		}
		if wrong := f.Value.Set(value); wrong != nil {
			err = fmt.Errorf("input %s: %w", f.Name, wrong)
		}
	})
	return err
}

// planAction reviews what is checked out here against the event's base.
func planAction(ctx context.Context, how reading, b engine.Budget, on engine.FailOn) (review.Plan, error) {
	event, err := review.ReadEvent(os.Getenv)
	if err != nil {
		return review.Plan{}, err
	}
	commits, err := event.Range(ctx, ".")
	if err != nil {
		return review.Plan{}, err
	}
	plan, err := planRange(ctx, commits, how, b, on)
	return plan.With(commits.Notice), err
}

func planRange(ctx context.Context, commits review.Range, how reading, b engine.Budget, on engine.FailOn) (review.Plan, error) {
	if commits.Base == "" {
		drafts, err := revisionDrafts(ctx, ".", commits.Head, how)
		if err != nil {
			return review.Plan{}, err
		}
		return review.DraftCheck(engine.CheckAll(ctx, drafts, b), on), nil
	}
	r, err := reviewRevisions(ctx, revisions{dir: ".", base: commits.Base, head: commits.Head, exact: true}, how, b)
	if err != nil {
		return review.Plan{}, err
	}
	return review.DraftReview(r, on), nil
}
