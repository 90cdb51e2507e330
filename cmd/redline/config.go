package main

import (
	"context"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/text"
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
		Args: cobra.NoArgs,
	}
	flags := &checking{budget: defaultBudget()}
	flags.format = addChoice(cmd, "format", "how to tell it", "text", "json")
	flags.limits(cmd.Flags())
	flags.addGate(cmd)
	rev := cmd.Flags().String("rev", "", "show the settings of a revision instead")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		shown, err := inForce(cmd.Context(), *rev)
		if err != nil {
			return err
		}
		if err := under(shown.settings, cmd.Flags()); err != nil {
			return err
		}
		shown.Settings = shown.settings.List()
		if flags.format.value == "json" {
			return json.WriteSettings(s.out, shown.InForce, version())
		}
		return text.Settings(s.out, shown.InForce, styleOf(s.out))
	}
	return cmd
}

// shownSettings are settings and what is said of them.
type shownSettings struct {
	text.InForce
	settings *settings.Settings
}

// inForce reads the settings of a revision, or of the work tree, and counts the contracts there.
func inForce(ctx context.Context, rev string) (shownSettings, error) {
	if rev != "" {
		tree, err := gitfs.Open(ctx, ".", rev)
		if err != nil {
			return shownSettings{}, err
		}
		defer func() { _ = tree.Close() }() // only read from
		return settingsAndReach(tree, rev, "revision "+rev)
	}
	top, err := topOfWorkTree()
	if err != nil {
		return shownSettings{}, err
	}
	if top == "" {
		return noRepository()
	}
	work, err := gitfs.WorkTree(top)
	if err != nil {
		return shownSettings{}, err
	}
	defer func() { _ = work.Close() }() // only read from
	return settingsAndReach(work, "", "the work tree")
}

// noRepository is what check does where no repository is: everything below, by the defaults.
func noRepository() (shownSettings, error) {
	dirs, err := load.Find(os.DirFS("."), ".")
	notice := "There is no git repository here: " + settings.File + " is looked for at the top of one."
	return shownSettings{text.InForce{In: len(dirs), Notices: []string{notice}}, settings.Default()}, err
}

func settingsAndReach(tree fs.StatFS, rev, whose string) (shownSettings, error) {
	s, err := settingsIn(tree, settings.File, whose)
	if err != nil {
		return shownSettings{}, err
	}
	shown := shownSettings{text.InForce{Revision: rev}, s}
	if _, err := tree.Stat(settings.File); err == nil {
		shown.File = settings.File
	}
	dirs, err := load.Find(tree, ".")
	for _, dir := range dirs {
		if s.Includes(dir) {
			shown.In++
		} else {
			shown.Out++
		}
	}
	return shown, err
}
