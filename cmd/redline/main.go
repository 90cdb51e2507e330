// Command redline reviews amendments to contracts the way CI reviews code.
//
// Each sub-command has a file of its own, which reads flags and calls the packages that do the work.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine/finding"
)

func main() {
	os.Exit(Main(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// Main runs one command line and returns its exit status.
func Main(args []string, s streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer endAnyhow(ctx, nil, s.err)()
	root := command(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var verdict verdictError
	var illFormed *app.SettingsError
	switch {
	case err == nil:
		return int(finding.Clean)
	case errors.As(err, &verdict):
		return int(verdict)
	case errors.As(err, &illFormed):
		tellSettings(s.err, illFormed)
		return int(finding.BadInput)
	}
	complain(s.err, err)
	if stopped := (*finding.Stopped)(nil); errors.As(err, &stopped) || ctx.Err() != nil {
		return int(finding.OutOfLimit) // nothing is known to be wrong
	}
	return int(finding.BadInput)
}

func command(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "redline",
		Short: "Review amendments to contracts the way CI reviews code",
		Long: `redline reads contracts (directories of *.contract.hcl files), composes the parties' views,
model-checks every requirement, and says of an amendment what it newly breaks, with a run that shows it.

Exit statuses: 0 nothing to object, 1 violations, 2 ill-formed input, 3 unknown (a limit was reached).`,
		SilenceErrors: true, SilenceUsage: true,
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	for _, add := range []func(streams) *cobra.Command{
		checkCommand, reviewCommand, planCommand, mergeCommand, compareCommand, graphCommand, reportCommand, configCommand, fmtCommand, initCommand, demoCommand,
		replayCommand, simulateCommand,
		exportCommand, importCommand, attestCommand, historyCommand, verifyCommand, keygenCommand,
		explainCommand, verifyCertificateCommand, mccCommand, lspCommand, versionCommand, actionCommand,
	} {
		cmd := add(s)
		cmd.Args = expecting(cmd.Args)
		limitWhole(cmd, s.err)
		root.AddCommand(cmd)
	}
	return root
}

// expecting wraps the errors on too few or too many arguments with the expected ones.
func expecting(fit cobra.PositionalArgs) cobra.PositionalArgs {
	if fit == nil {
		return nil
	}
	return func(cmd *cobra.Command, args []string) error {
		if fit(cmd, args) == nil {
			return nil
		}
		given := fmt.Sprintf("%d were given", len(args))
		if len(args) < 2 {
			given = [...]string{"none", "one"}[len(args)] + " was given"
		}
		return fmt.Errorf("these arguments do not fit: write redline %s; %s ('redline help %s' says more)", cmd.Use, given, cmd.Name())
	}
}
