// Package demo writes the example contracts, and makes the repositories that redline demo reviews and compares.
package demo

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
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

// startSale makes a repository in dir, with the sale on main.
func startSale(ctx context.Context, dir string) error {
	if err := CopyExample(io.Discard, "sale", filepath.Join(dir, "sale")); err != nil {
		return err
	}
	return IsolatedGit(ctx, dir, "init -q -b main", "add .", "commit -q -m sale")
}

// Review reviews the amendment in a repository that it makes in dir.
func Review(ctx context.Context, dir string) (*finding.Review, error) {
	if err := startSale(ctx, dir); err != nil {
		return nil, err
	}
	if err := IsolatedGit(ctx, dir, "checkout -q -b amendment"); err != nil {
		return nil, err
	}
	if err := Amend(filepath.Join(dir, "sale", "seller.contract.hcl")); err != nil {
		return nil, err
	}
	if err := IsolatedGit(ctx, dir, "commit -q -a -m amendment"); err != nil {
		return nil, err
	}
	review, _, err := app.ReviewRevisions(ctx, app.Revisions{Dir: dir, Base: "main", Head: "amendment"}, app.ReadOptions{Jobs: 1}, engine.DefaultBudget())
	return review, err
}

// Amend adds the new clause before the closing brace of the party.
func Amend(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	body := strings.TrimSuffix(strings.TrimSpace(string(text)), "}")
	return os.WriteFile(name, []byte(strings.TrimRight(body, "\n")+"\n"+amendment), 0o666)
}

// IsolatedGit runs git commands in dir, away from the user's configuration and hooks.
func IsolatedGit(ctx context.Context, dir string, commands ...string) error {
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

// CopyExample writes the files of an example contract into a directory, and their names to w. It never overwrites a file.
func CopyExample(w io.Writer, example, dir string) error {
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
		if err := app.Create(name, content); err != nil {
			return err
		}
		fmt.Fprintln(w, "wrote "+escape.TerminalText(filepath.ToSlash(name)))
	}
	return nil
}
