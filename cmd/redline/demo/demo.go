// Package demo writes the example contracts, and makes the repositories that redline demo reviews and compares.
package demo

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
)

// contract is the example that demo amends, which is also the directory that it lies in.
const contract = "car-sale"

// amendment is the buyer's: it wants to cancel for longer, and to pay later.
var amendment = []wording{
	{"terms.contract.hcl", "  until         = delivery\n", "  until         = payment\n"},
	{"terms.contract.hcl", "  within       = 1\n", "  within       = 2\n"},
}

// start makes a repository in dir, with the contract on main.
func start(ctx context.Context, dir string) error {
	if err := CopyExample(io.Discard, contract, filepath.Join(dir, contract)); err != nil {
		return err
	}
	return IsolatedGit(ctx, dir, "init -q -b main", "add .", "commit -q -m base")
}

// amend commits amendments of the contract on a new branch from main.
func amend(ctx context.Context, dir, branch string, amendment []wording) error {
	if err := IsolatedGit(ctx, dir, "checkout -q -b "+branch+" main"); err != nil {
		return err
	}
	for _, w := range amendment {
		if err := w.write(filepath.Join(dir, contract)); err != nil {
			return err
		}
	}
	return IsolatedGit(ctx, dir, "commit -q -a -m "+branch)
}

// Review reviews the amendment in a repository that it makes in dir.
func Review(ctx context.Context, dir string) (*finding.Review, error) {
	if err := start(ctx, dir); err != nil {
		return nil, err
	}
	if err := amend(ctx, dir, "amendment", amendment); err != nil {
		return nil, err
	}
	review, _, err := app.ReviewRevisions(ctx, app.Revisions{Dir: dir, Base: "main", Head: "amendment"}, app.ReadOptions{Jobs: 1}, engine.DefaultBudget())
	return review, err
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
