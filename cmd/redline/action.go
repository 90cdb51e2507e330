package main

import (
	"context"
	"errors"
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
	failOn := flags.addGate(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		plan := review.Plan{}
		err := takeInputs(cmd.Flags())
		if err == nil {
			plan, err = planAction(cmd.Context(), flags, cmd.Flags(), failOn)
		}
		if err != nil {
			plan = planFailure(err)
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
		f.Changed, f.Annotations = true, map[string][]string{inputMark: nil}
	})
	return err
}

// planFailure plans what to say where nothing was reviewed.
func planFailure(err error) review.Plan {
	var wrong *settingsError
	if errors.As(err, &wrong) {
		return review.DraftSettings(wrong.says(), wrong.found, !wrong.base)
	}
	return review.DraftFailure(err)
}

// planAction reviews what is checked out here against the event's base.
func planAction(ctx context.Context, flags *checking, given *pflag.FlagSet, failOn *choice) (review.Plan, error) {
	event, err := review.ReadEvent(os.Getenv)
	if err != nil {
		return review.Plan{}, err
	}
	commits, err := event.Range(ctx, ".")
	if err != nil {
		return review.Plan{}, err
	}
	wanted, notices, err := eventSettings(ctx, ".", event, commits)
	if err != nil {
		return review.Plan{}, err
	}
	if err := flags.under(wanted, given); err != nil {
		return review.Plan{}, err
	}
	how := reading{rule: flags.rule(), jobs: flags.budget.Jobs, values: environmentValues(os.Environ()), under: wanted}
	plan, more, err := planRange(ctx, commits, how, flags.budget, gates[failOn.value])
	for _, n := range append(append([]string{commits.Notice}, notices...), more...) {
		plan = plan.With(n)
	}
	return plan, err
}

func planRange(ctx context.Context, commits review.Range, how reading, b engine.Budget, on engine.FailOn) (plan review.Plan, notices []string, err error) {
	if commits.Base == "" {
		drafts, err := revisionDrafts(ctx, ".", commits.Head, how)
		if err != nil {
			return review.Plan{}, nil, err
		}
		drafts, _, left := engine.Within(how.includes(), drafts)
		return review.DraftCheck(engine.CheckAll(ctx, drafts, b), on), how.leftOut(left), nil
	}
	r, notices, err := reviewRevisions(ctx, revisions{dir: ".", base: commits.Base, head: commits.Head, exact: true}, how, b)
	if err != nil {
		return review.Plan{}, nil, err
	}
	return review.DraftReview(r, on), notices, nil
}
