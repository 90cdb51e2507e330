package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/mcc"
	"github.com/redlinehq/redline/hclspec"
)

func mccCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcc EXAMINATION DIR",
		Short: "Answer an examination of the Model Checking Contest",
		Long: `Mcc reads a one-safe net from DIR/model.pnml and answers an examination of the Model Checking Contest in the
contest's own form: for formulas those of DIR/EXAMINATION.xml. Lines that begin with # say why a question is left open.`,
		Example: `  redline mcc ReachabilityDeadlock examination`,
		Args:    cobra.ExactArgs(2),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return mcc.Examinations(), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	memory := finding.Bytes(3 << 30)
	cmd.Flags().Var(&memory, "max-memory", "limit of the state models of both methods together")
	timeout := cmd.Flags().Duration("timeout", 0, "limit of the time to read the net, and for each question; 0: none")
	stats := cmd.Flags().Bool("stats", false, "say what the net alone settled of each formula, and which reductions were applied for it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !slices.Contains(mcc.Examinations(), args[0]) {
			hint := ""
			if near := hclspec.Nearest(args[0], mcc.Examinations()); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return fmt.Errorf("there is no examination %q%s", args[0], hint)
		}
		if err := mcc.Examine(cmd.Context(), s.out, os.DirFS(args[1]), args[0], mcc.Limits{Bytes: int64(memory), Time: *timeout}, *stats); err != nil {
			return fmt.Errorf("%s: %w", args[1], err)
		}
		return nil
	}
	return cmd
}
