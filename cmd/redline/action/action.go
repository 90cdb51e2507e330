// Package action reviews the event of a GitHub Actions workflow, in three steps. It compares the versions of the event under the settings of
// base, and decides whose approval counts. It writes the results that need no rights and no network: job summary, annotations, outputs, files.
// Last it posts to the pull request; a failure to post does not change the verdict.
//
// A pull request of a fork is reviewed in two workflows, since its own may not write: the second one (relay.go) takes the result of the first
// as data. A review on several runners (shard.go) is split, reviewed in parts, and joined.
package action

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/review"
)

// An action is one run of the GitHub action.
type action struct {
	out io.Writer
	option.Check
	failOn *option.Choice
	given  *pflag.FlagSet

	shards int    // at most
	shard  string // plan, 3/16 and the like, merge; empty: the whole review
	cache  string // directory of earlier verdicts; empty: none
	from   string // directory with the results of other jobs
	result string // file for the result; empty: none

	workflow string // file name of the workflow with the gate
}

// New returns an action whose inputs are flags of a command. It logs to out.
func New(cmd *cobra.Command, out io.Writer) *action {
	a := &action{out: out, Check: option.Check{Budget: engine.DefaultBudget()}, given: cmd.Flags()}
	a.Firing = option.AddFiring(cmd)
	a.AddLimits(a.given)
	a.AddToday(a.given)
	a.failOn = a.AddGate(cmd)
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

// Run does all steps and returns the verdict, which posting can't change. It first writes the results that need no rights and no network; a
// cancelled run still reports that it was cancelled.
func (a *action) Run(ctx context.Context) finding.ExitStatus {
	f := &outcome{}
	err := takeInputs(a.given)
	if err == nil {
		err = a.find(ctx, f)
	}
	if err == nil {
		err = a.approve(ctx, f)
	}
	plan := a.tuned(f, f.plan(err))
	a.keep(ctx, f, plan)
	f.fails(a.record(ctx, f, &plan)...)
	f.fails(review.Post(a.out, os.Getenv, plan))
	for _, o := range f.outputs {
		f.fails(review.SetOutput(os.Getenv, o.name, o.value))
	}
	f.fails(a.post(ctx, f, plan)...)
	if said := f.troubleLines(); len(said) > 0 {
		review.Note(a.out, "The verdict stands, but not all of it could be told or kept", strings.Join(said, "\n"))
	}
	if !plan.Failed && !a.gates(f) {
		return finding.Clean
	}
	return plan.Status
}

// gates reports whether the exit status of this job counts.
func (a *action) gates(f *outcome) bool { return !a.isShard() && !f.follows() }

// tuned removes the findings' annotations from a plan if the job is no gate: another job has them, or the lines are not here.
func (a *action) tuned(f *outcome, plan review.Plan) review.Plan {
	if !plan.Failed && !a.gates(f) {
		plan.Annotations = slices.DeleteFunc(plan.Annotations, func(n review.Annotation) bool { return n.Level != review.Notice || n.File != "" })
	}
	return plan
}

// takeInputs sets each flag that is not on the command line from the input of the same name. action.yml passes inputs in the environment,
// where their text can't become a command.
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
		f.Changed, f.Annotations = true, map[string][]string{option.InputMark: nil}
	})
	return err
}
