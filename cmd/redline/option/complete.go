package option

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/hclspec/gitfs"
)

// patience bounds the reading of contracts for a completion.
const patience = 2 * time.Second

// Complete completes the flags of a command that take names of contracts or of revisions.
func Complete(cmd *cobra.Command) {
	for flag, names := range map[string]func([]*compile.Draft) []string{
		"requirement": requirements, "holds": requirements, "broke": requirements, "party": parties, "by": parties, "observe": observed,
	} {
		if cmd.Flags().Lookup(flag) != nil {
			CompleteFlag(cmd, flag, names)
		}
	}
	for _, flag := range []string{"base", "head", "rev"} {
		if cmd.Flags().Lookup(flag) == nil {
			continue
		}
		_ = cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			names, _ := gitfs.Refs(cmd.Context(), ".") // outside of a repository there are none
			return names, cobra.ShellCompDirectiveNoFileComp
		})
	}
}

// CompleteFlag completes a flag with names of the contracts that the arguments so far name.
func CompleteFlag(cmd *cobra.Command, flag string, names func([]*compile.Draft) []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		drafts, err := app.WorkTreeDrafts(cmd.Context(), args, app.ReadOptions{Jobs: 1, Time: patience})
		if err != nil {
			drafts = nil // there is nothing to complete from
		}
		all := names(slices.DeleteFunc(drafts, func(d *compile.Draft) bool { return d.Spec == nil }))
		slices.Sort(all)
		return slices.Compact(all), cobra.ShellCompDirectiveNoFileComp
	})
}

func requirements(drafts []*compile.Draft) (names []string) {
	for _, d := range drafts {
		for _, r := range d.Spec.Requirements {
			names = append(names, r.Name)
		}
	}
	return names
}

// parties returns the names of parties and nets as the drafter wrote them.
func parties(drafts []*compile.Draft) (names []string) {
	for _, d := range drafts {
		for _, p := range d.Spec.Parties {
			if p.Made == "" {
				names = append(names, p.Of)
			}
		}
	}
	return names
}

// observed returns the names of parties and events.
func observed(drafts []*compile.Draft) []string {
	names := parties(drafts)
	for _, d := range drafts {
		for _, e := range d.Spec.Events {
			if !e.Moving {
				names = append(names, e.Of)
			}
		}
	}
	return names
}

// CompletionCommand returns the command that prints a shell's completion of a root command.
func CompletionCommand(root *cobra.Command) *cobra.Command {
	write := map[string]func(io.Writer) error{
		"bash":       func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"zsh":        root.GenZshCompletion,
		"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"powershell": root.GenPowerShellCompletionWithDesc,
	}
	shells := slices.Sorted(maps.Keys(write))
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print what completes commands, flags and names in a shell: bash, fish, powershell or zsh",
		Long: `Completion prints a script that a shell reads. Bash needs the package bash-completion, and reads what is in
~/.local/share/bash-completion/completions under the name redline; zsh reads a file _redline in a directory of fpath, fish
~/.config/fish/completions/redline.fish; PowerShell runs it from its profile.`,
		Example: `  redline completion bash > redline.bash
  redline completion fish > redline.fish`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: shells,
		RunE: func(_ *cobra.Command, args []string) error {
			if write[args[0]] == nil {
				return fmt.Errorf("there is no completion for %q: there are %s", args[0], strings.Join(shells, ", "))
			}
			return write[args[0]](root.OutOrStdout())
		},
	}
}
