package main

import (
	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine"
)

func configCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the settings in force, and where each is from",
		Long: `Config shows what .github/redline.hcl sets in the repository around the current directory, what is left at its default,
and how many contracts are looked at. It reads the work tree, or with --rev the revision named.

A review is made under the settings of the revision the amendment is to be merged into, never its own. A flag, and in a
workflow an input of the action, outweighs the file: try one here to see.

Exit statuses: 0 the settings are well-formed, or there are none; 2 they are not.`,
		Example: `  redline config
  redline config --rev main --max-states 100000`,
		Args: cobra.NoArgs,
	}
	flags := &option.Check{Budget: engine.DefaultBudget()}
	format := addFormat(cmd, func(f *format) bool { return f.settings != nil })
	flags.AddLimits(cmd.Flags())
	flags.AddGate(cmd)
	rev := cmd.Flags().String("rev", "", "show the settings of a `revision` instead")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		shown, err := app.SettingsInForce(cmd.Context(), *rev)
		if err != nil {
			return err
		}
		if err := option.MergeSettings(shown.All, cmd.Flags()); err != nil {
			return err
		}
		shown.Settings = shown.All.List()
		return formats[format.Value].settings(s.out, shown.InForce)
	}
	return cmd
}
