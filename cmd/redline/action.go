package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/review"
)

// actionCommand is what action.yml runs. It is hidden: it makes sense in a workflow only.
//
//	action.go         inputs, and the order of things: find, keep, tell the runner, tell the pull request
//	action_find.go    the event → what is compared, under which settings → what was found
//	action_approve.go whose approval counts, and what is done after a review
//	action_keep.go    what was found as files: the result, SARIF
//	action_record.go  records of what was verified, on the default branch
//	action_pull.go    the pull request's comments
//	action_relay.go   the second workflow of forks: what their run found, told with rights that it must not have
//	action_shard.go   a part of a review on several runners
func actionCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "action",
		Short: "Review the event of a GitHub Actions workflow",
		Long: `Action finds the base in the event that started the workflow, reviews what is checked out against it,
and tells GitHub: job summary, log, annotations, outputs, the exit status, and then the pull request. An event
without a base has every contract checked as it is. A flag that is not given takes the action's input
(INPUT_MAX_STATES for --max-states).`,
		Args:   cobra.NoArgs,
		Hidden: true,
	}
	a := newAction(cmd, s)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return exit(a.run(cmd.Context())) }
	return cmd
}

// An action is one run of it.
type action struct {
	streams
	checking
	failOn *choice
	given  *pflag.FlagSet

	shards int    // at most so many
	shard  string // plan, 3/16 and the like, merge; empty: all of it
	cache  string // directory of earlier verdicts; empty: none
	from   string // directory in which other jobs' results lie
	result string // file for what was found; empty: it is not kept

	workflow string // file name of the workflow with the gate
}

func newAction(cmd *cobra.Command, s streams) *action {
	a := &action{streams: s, checking: checking{budget: defaultBudget()}, given: cmd.Flags()}
	a.firing = addChoice(cmd, "firing", "override the contract's firing rule", "", "one", "all")
	a.limits(a.given)
	a.addToday(a.given)
	a.failOn = a.addGate(cmd)
	for name, usage := range map[string]string{
		"comment": "keep a comment on the pull request", "inline": "comment at lines", "suggestions": "put repairs into those comments",
		"check-run": "make a check run", "status": "set a commit status for each contract",
	} {
		a.given.Bool(name, false, usage) // into the settings, from where it is read
	}
	a.given.String("sarif", "", "file to write the findings to as SARIF")
	a.given.IntVar(&a.shards, "shards", 8, "into how many parts to plan at most")
	a.given.StringVar(&a.shard, "shard", "", "the part of a review on several runners: plan, 3/16 and the like, or merge")
	a.given.StringVar(&a.cache, "cache", "", "directory of earlier verdicts")
	a.given.StringVar(&a.from, "given", "", "directory of what other jobs found")
	a.given.StringVar(&a.workflow, "workflow", "redline.yml", "file name of the workflow that has the gate, to be repeated after a review")
	a.given.StringVar(&a.result, "result", "", "file for what was found")
	return a
}

// run does all of it and returns the verdict, which nothing that is told afterwards can change. What is told first needs no
// rights and no network; a run that is cancelled still tells that.
func (a *action) run(ctx context.Context) finding.ExitStatus {
	f := &found{}
	err := takeInputs(a.given)
	if err == nil {
		err = a.find(ctx, f)
	}
	if err == nil {
		err = a.approve(ctx, f)
	}
	plan := a.tuned(f, f.plan(err))
	a.keep(f, plan)
	f.fails(a.record(ctx, f, plan)...)
	f.fails(review.Post(a.out, os.Getenv, plan))
	for _, o := range f.outputs {
		f.fails(review.Output(os.Getenv, o.name, o.value))
	}
	f.fails(a.tell(ctx, f, plan)...)
	if said := f.said(); len(said) > 0 {
		review.Note(a.out, "The verdict stands, but not all of it could be told or kept", strings.Join(said, "\n"))
	}
	if !plan.Failed && !a.gates(f) {
		return finding.Clean
	}
	return plan.Status
}

// gates reports whether this job is the one whose exit status counts.
func (a *action) gates(f *found) bool { return !a.isShard() && !f.follows() }

// tuned takes out of a plan the findings' annotations where a job is no gate: another job has them, or the lines are not here.
func (a *action) tuned(f *found, plan review.Plan) review.Plan {
	if !plan.Failed && !a.gates(f) {
		plan.Annotations = slices.DeleteFunc(plan.Annotations, func(n review.Annotation) bool { return n.Level != review.Notice || n.File != "" })
	}
	return plan
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
