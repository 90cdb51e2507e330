package main

import (
	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/hclspec/gitfs"
)

func compareCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare BASE A B",
		Short: "Compare two redlines of one base, and what comes of both together",
		Long: `Compare says what each of two redlines, A and B, wins and loses against BASE, and what comes of both
together: which promises only both together break, and which clause of each is to blame.

Each of BASE, A and B is a revision, or a directory of contracts. What begins with . or / is a directory;
anything else is a revision if there is one of that name, else a directory. BASE is compared as it is,
and a contract that a side lacks is one that it removes. It is made under BASE's settings ('redline config --rev BASE' shows them).

Exit statuses: 0 nothing to object; 1 a redline, or both together, newly break a promise; 2 something
is ill-formed, or A and B are in conflict, so that there is no text of both; 3 unknown (a limit was reached).`,
		Example: `  redline compare main amendment main
  redline compare ./sale ./sale ./sale --format markdown`,
		Args: cobra.ExactArgs(3),
	}
	flags := option.AddDeciding(cmd)
	format := addFormat(cmd, func(f *format) bool { return f.negotiation != nil })
	failOn := flags.AddGate(cmd)
	cmd.ValidArgsFunction = completeSide
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		wanted, err := app.SideSettings(cmd.Context(), ".", args[0], "BASE")
		if err != nil {
			return err
		}
		if err := option.MergeSettings(wanted, cmd.Flags()); err != nil {
			return err
		}
		how, err := flags.ReadOptions(wanted)
		if err != nil {
			return err
		}
		stop := progress(s.err, &flags.Budget)
		n, notices, err := app.NegotiateTrees(cmd.Context(), ".", [3]string(args), how, how.Granted(flags.Budget))
		stop()
		if err != nil {
			return err
		}
		printNotices(s.err, notices)
		n.On = app.Gates[failOn.Value]
		if err := formats[format.Value].negotiation(s.out, n); err != nil {
			return err
		}
		return exit(n.Gate(n.On))
	}
	return cmd
}

// completeSide returns the names of revisions as completions, besides directories.
func completeSide(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) >= 3 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names, _ := gitfs.Refs(cmd.Context(), ".") // outside of a repository there are none
	return names, cobra.ShellCompDirectiveDefault
}
