package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine"
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
seller may withdraw goods already promised), and prints the review that a pull request would show.`,
		Args: cobra.NoArgs,
	}
	format := addChoice(cmd, "format", "how to tell it", "markdown", "text", "json")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		dir, err := os.MkdirTemp("", "redline-demo-")
		if err != nil {
			return err
		}
		review, err := demo(cmd.Context(), dir)
		if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
			return err
		}
		return writeReview(s.out, review, format.value)
	}
	return cmd
}

// demo reviews the amendment in a repository it makes in dir.
func demo(ctx context.Context, dir string) (*engine.Review, error) {
	sale := filepath.Join(dir, "sale")
	if err := copyExample(streams{out: io.Discard}, "sale", sale); err != nil {
		return nil, err
	}
	if err := scratchGit(ctx, dir, "init -q -b main", "add .", "commit -q -m sale", "checkout -q -b amendment"); err != nil {
		return nil, err
	}
	if err := amend(filepath.Join(sale, "seller.contract.hcl")); err != nil {
		return nil, err
	}
	if err := scratchGit(ctx, dir, "commit -q -a -m amendment"); err != nil {
		return nil, err
	}
	return reviewRevisions(ctx, revisions{dir: dir, base: "main", head: "amendment"}, reading{jobs: 1}, defaultBudget())
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
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", c, err, out)
		}
	}
	return nil
}
