package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
)

// amendment is the clause that demo adds to the seller's view of the sale.
const amendment = `
  transition "withdraw" {
    title  = "the seller withdraws the goods"
    clause = "4.2 (new)"
    from   = S2
    to     = S0
    set    = { GAV = false }
  }
}
`

func demoCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Review an amendment to the example sale, as a pull request would show it",
		Long: `Demo makes a repository in a scratch directory, commits the example sale, amends it on a branch (the
seller may withdraw goods already promised), and prints the review that a pull request would show. With
--compare, seller and purchaser each have a redline of their own, and it prints what comes of both.`,
		Args: cobra.NoArgs,
	}
	format := addChoice(cmd, "format", "how to tell it", "markdown", "text", "json")
	compare := cmd.Flags().Bool("compare", false, "compare two redlines of the sale instead")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		dir, err := os.MkdirTemp("", "redline-demo-")
		if err != nil {
			return err
		}
		show := demoReview
		if *compare {
			show = demoCompare
		}
		err = startDemo(cmd.Context(), dir)
		if err == nil {
			err = show(cmd.Context(), s, dir, format.value)
		}
		return errors.Join(err, os.RemoveAll(dir))
	}
	return cmd
}

// startDemo makes a repository in dir, with the sale on main.
func startDemo(ctx context.Context, dir string) error {
	if err := copyExample(streams{out: io.Discard}, "sale", filepath.Join(dir, "sale")); err != nil {
		return err
	}
	return scratchGit(ctx, dir, "init -q -b main", "add .", "commit -q -m sale")
}

// demoReview reviews the amendment.
func demoReview(ctx context.Context, s streams, dir, format string) error {
	if err := scratchGit(ctx, dir, "checkout -q -b amendment"); err != nil {
		return err
	}
	if err := amend(filepath.Join(dir, "sale", "seller.contract.hcl")); err != nil {
		return err
	}
	if err := scratchGit(ctx, dir, "commit -q -a -m amendment"); err != nil {
		return err
	}
	review, _, err := reviewRevisions(ctx, revisions{dir: dir, base: "main", head: "amendment"}, reading{jobs: 1}, defaultBudget())
	if err != nil {
		return err
	}
	return writeReview(s.out, review, finding.FailNew, format)
}

// amend puts the new clause before the closing brace of the party.
func amend(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	body := strings.TrimSuffix(strings.TrimSpace(string(text)), "}")
	return os.WriteFile(name, []byte(strings.TrimRight(body, "\n")+"\n"+amendment), 0o666)
}

// scratchGit runs git commands in dir, away from the user's configuration and hooks.
func scratchGit(ctx context.Context, dir string, commands ...string) error {
	for _, c := range commands {
		args := append([]string{"-c", "user.name=redline", "-c", "user.email=demo@redline.invalid", "-c", "commit.gpgsign=false"}, strings.Fields(c)...)
		cmd := gitfs.Local(ctx, dir, args...)
		cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", c, err, out)
		}
	}
	return nil
}
