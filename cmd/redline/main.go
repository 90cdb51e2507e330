// Command redline reviews amendments to contracts the way CI reviews code.
//
// Each sub-command is a file of its own, with no logic but reading flags and calling the packages
// that do the work.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
)

func main() {
	os.Exit(Main(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
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
	var illFormed *settingsError
	switch {
	case err == nil:
		return int(finding.Clean)
	case errors.As(err, &verdict):
		return int(verdict)
	case errors.As(err, &illFormed):
		illFormed.tell(s.err)
		return int(finding.BadInput)
	}
	complain(s.err, err)
	if stopped := (*finding.Stopped)(nil); errors.As(err, &stopped) || ctx.Err() != nil {
		return int(finding.OutOfLimit) // nothing is known to be wrong
	}
	return int(finding.BadInput)
}

// tell prints what somebody should know who reads no report.
func tell(w io.Writer, notices []string) {
	for _, n := range notices {
		fmt.Fprintln(w, "redline: "+escape.TerminalText(n))
	}
}

// tellTrouble says what could not be kept for later runs.
func tellTrouble(w io.Writer, trouble error) {
	if trouble != nil {
		complain(w, fmt.Errorf("the verdicts stand, but not all could be kept: %w", trouble))
	}
}

// complain prints an error, which may have several lines and name things strangers named.
func complain(w io.Writer, err error) {
	lead := "redline: "
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if strings.TrimSpace(line) != "" {
			fmt.Fprintln(w, lead+escape.TerminalText(line))
			lead = "  "
		}
	}
}

// verdictError carries an exit status whose reasons have been printed already.
type verdictError finding.ExitStatus

func (v verdictError) Error() string { return fmt.Sprintf("exit status %d", int(v)) }

func exit(status finding.ExitStatus) error {
	if status == finding.Clean {
		return nil
	}
	return verdictError(status)
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

// expecting says of arguments that are too few or too many what they should be.
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
