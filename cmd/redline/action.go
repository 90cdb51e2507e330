package main

import (
	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/action"
)

// actionCommand returns the command that action.yml runs. It is hidden, since it works in a workflow only.
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
	a := action.New(cmd, s.out)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return exit(a.Run(cmd.Context())) }
	return cmd
}
