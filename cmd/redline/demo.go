package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/report/escape"
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
		show := showReview
		if *compare {
			show = showComparison
		}
		return errors.Join(show(cmd.Context(), s.out, dir, formats[format.value]), os.RemoveAll(dir))
	}
	return cmd
}

func showReview(ctx context.Context, w io.Writer, dir string, f *format) error {
	r, err := demoReview(ctx, dir)
	if err != nil {
		return err
	}
	return f.review(w, r, finding.FailNew)
}

func showComparison(ctx context.Context, w io.Writer, dir string, f *format) error {
	n, err := demoCompare(ctx, dir)
	if err != nil {
		return err
	}
	return f.negotiation(w, n)
}

// startDemo makes a repository in dir, with the sale on main.
func startDemo(ctx context.Context, dir string) error {
	if err := copyExample(io.Discard, "sale", filepath.Join(dir, "sale")); err != nil {
		return err
	}
	return scratchGit(ctx, dir, "init -q -b main", "add .", "commit -q -m sale")
}

// demoReview reviews the amendment in a repository that it makes in dir.
func demoReview(ctx context.Context, dir string) (*finding.Review, error) {
	if err := startDemo(ctx, dir); err != nil {
		return nil, err
	}
	if err := scratchGit(ctx, dir, "checkout -q -b amendment"); err != nil {
		return nil, err
	}
	if err := amend(filepath.Join(dir, "sale", "seller.contract.hcl")); err != nil {
		return nil, err
	}
	if err := scratchGit(ctx, dir, "commit -q -a -m amendment"); err != nil {
		return nil, err
	}
	review, _, err := reviewRevisions(ctx, revisions{dir: dir, base: "main", head: "amendment"}, reading{jobs: 1}, defaultBudget())
	return review, err
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

func initCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write an example contract to start from",
		Args:  cobra.MaximumNArgs(1),
	}
	names, err := hclspec.Find(examples.FS, ".")
	if err != nil {
		panic(err) // our own files
	}
	example := addChoice(cmd, "example", "which contract to start from", append([]string{"sale"}, without(names, "sale")...)...)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		dir := path.Base(example.value)
		if len(args) == 1 {
			dir = args[0]
		}
		if err := copyExample(s.out, example.value, dir); err != nil {
			return err
		}
		fmt.Fprintf(s.out, "\nNext: edit, then 'redline check %s'.\nOnce it is committed: amend it, then 'redline review --base HEAD --worktree'.\n", escape.TerminalText(dir))
		return nil
	}
	return cmd
}

func without(list []string, word string) []string {
	var rest []string
	for _, w := range list {
		if w != word {
			rest = append(rest, w)
		}
	}
	return rest
}

// copyExample never overwrites a file.
func copyExample(w io.Writer, example, dir string) error {
	entries, err := fs.ReadDir(examples.FS, example)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, e := range entries {
		content, err := fs.ReadFile(examples.FS, path.Join(example, e.Name()))
		if err != nil {
			return err
		}
		name := filepath.Join(dir, e.Name())
		if err := create(name, content); err != nil {
			return err
		}
		fmt.Fprintln(w, "wrote "+escape.TerminalText(filepath.ToSlash(name)))
	}
	return nil
}

func create(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
