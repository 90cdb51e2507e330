package main

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/convert"
	"github.com/redlinehq/redline/engine/finding"
)

func fmtCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fmt [PATH...]",
		Short: "Write contract files in the canonical layout",
		Long: `Fmt rewrites every *.contract.hcl file at or under each PATH (default: here) in the canonical layout and
prints the names of those it changed. "-" formats standard input to standard output.`,
		Example: `  redline fmt
  redline fmt --check sale
  redline fmt - < sale/seller.contract.hcl`,
	}
	check := cmd.Flags().Bool("check", false, "change nothing; exit 1 if a file is not in the canonical layout")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 && args[0] == "-" {
			return convert.FormatStream(s.in, s.out)
		}
		ctx := cmd.Context()
		files, err := convert.ContractFiles(ctx, args)
		if err != nil {
			return err
		}
		status := finding.Clean
		var wrong []error
		for _, f := range files {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			changed, err := convert.FormatFile(s.out, f, *check)
			wrong = append(wrong, err) // a file that cannot be read does not stop the others
			if changed && *check {
				status = finding.Violations
			}
		}
		return cmp.Or(errors.Join(wrong...), exit(status))
	}
	return cmd
}
