// Command redline reviews amendments to contracts the way CI reviews code.
//
// Each sub-command has a file of its own, which reads flags and calls the packages that do the work.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
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
	look := &look{}
	s.out, s.err = screen{s.out, look}, screen{s.err, look}
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
		printMistakes(s.err, illFormed)
		return int(finding.BadInput)
	}
	complain(s.err, err)
	if stopped := (*finding.Stopped)(nil); errors.As(err, &stopped) || ctx.Err() != nil {
		return int(finding.OutOfLimit) // nothing is known to be wrong
	}
	return int(finding.BadInput)
}

// groups lists the commands by what a reader wants to do.
var groups = []struct {
	title string
	add   []func(streams) *cobra.Command
}{
	{"Begin:", []func(streams) *cobra.Command{demoCommand, initCommand, vendorCommand, fmtCommand, lspCommand}},
	{"Check a contract, and review an amendment:", []func(streams) *cobra.Command{checkCommand, reviewCommand, compareCommand, explainCommand}},
	{"Look at a contract, and play it:", []func(streams) *cobra.Command{reportCommand, graphCommand, simulateCommand, replayCommand}},
	{"Keep records, and verify them:", []func(streams) *cobra.Command{attestCommand, historyCommand, verifyCommand, checkpointCommand, keygenCommand, verifyCertificateCommand}},
	{"Review in a repository with many contracts:", []func(streams) *cobra.Command{configCommand, planCommand, mergeCommand}},
	{"Work with other tools:", []func(streams) *cobra.Command{importCommand, exportCommand, mccCommand}},
}

func command(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "redline",
		Short: "Review amendments to contracts the way CI reviews code",
		Long: `redline reads contracts (directories of *.contract.hcl files), composes the parties' views,
model-checks every requirement, and says of an amendment what it newly breaks, with a run that shows it.

Exit statuses: 0 nothing to object, 1 violations, 2 ill-formed input, 3 unknown (a limit was reached).`,
		Version:       app.Version(),
		SilenceErrors: true, SilenceUsage: true, DisableFlagsInUseLine: true, DisableSuggestions: true,
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetVersionTemplate("redline {{.Version}}\n")
	root.SetFlagErrorFunc(option.FlagMistake)
	root.Args = cobra.ArbitraryArgs
	root.RunE = func(root *cobra.Command, args []string) error {
		if len(args) == 0 {
			return root.Help()
		}
		_, err := os.Stat(args[0])
		return option.UnknownCommand(root, args[0], err == nil)
	}
	if l := lookOf(s.out); l != nil {
		l.color = option.AddCommonChoice(root, "color", "colours: on a terminal unless NO_COLOR is set, and anywhere if FORCE_COLOR is (auto); always; or never", "auto", "always", "never")
		root.PersistentFlags().BoolVarP(&l.quiet, "quiet", "q", false, "no notices and no progress on standard error, only errors")
	}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, add := range g.add {
			addCommand(root, s, add).GroupID = g.title
		}
	}
	addCommand(root, s, versionCommand)
	addCommand(root, s, actionCommand)
	addCommand(root, s, func(streams) *cobra.Command { return option.CompletionCommand(root) })
	root.SetHelpCommand(helpCommand(root))
	root.SetUsageTemplate(strings.NewReplacer("FlagUsages", "FlagUsagesWrapped 110", "{{if .Runnable}}", "{{if and .Runnable .HasParent}}").Replace(root.UsageTemplate()))
	return root
}

// addCommand adds a command to the root, with what all have in common.
func addCommand(root *cobra.Command, s streams, add func(streams) *cobra.Command) *cobra.Command {
	cmd := add(s)
	cmd.Args = expecting(cmd.Args)
	limitWhole(cmd, s.err)
	option.Complete(cmd)
	root.AddCommand(cmd)
	return cmd
}

// helpCommand returns the command that shows the help of another.
func helpCommand(root *cobra.Command) *cobra.Command {
	man := false
	cmd := &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say what a command does, with examples",
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			for _, c := range root.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, c.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if man {
				return option.Man(root.OutOrStdout(), root)
			}
			found, rest, err := root.Find(args)
			if err != nil || found == root && len(rest) > 0 {
				return option.UnknownCommand(root, args[0], false)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
	cmd.Flags().BoolVar(&man, "man", false, "write the manual page of all commands, redline(1)")
	return cmd
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
		return option.ArgumentMistake(cmd, args)
	}
}
