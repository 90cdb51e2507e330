// Package demo writes the example contracts, and makes the repositories that redline demo reviews and compares.
package demo

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/gitfs"
)

// start makes a repository in dir, with an example on main.
func start(ctx context.Context, dir, example string) error {
	if err := CopyExample(io.Discard, example, filepath.Join(dir, example)); err != nil {
		return err
	}
	return IsolatedGit(ctx, dir, "init -q -b main", "add .", "commit -q -m base")
}

// amend commits an amendment on a new branch from main.
func amend(ctx context.Context, dir, branch string, a examples.Amendment) error {
	if err := IsolatedGit(ctx, dir, "checkout -q -b "+branch+" main"); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(dir, a.Example))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := filepath.Join(dir, a.Example, e.Name())
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		amended, err := a.Amend(e.Name(), string(text))
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(amended), 0o666); err != nil {
			return err
		}
	}
	return IsolatedGit(ctx, dir, "commit -q -a -m "+branch)
}

// Review reviews the amendment in a repository that it makes in dir.
func Review(ctx context.Context, dir string) (*finding.Review, error) {
	if err := start(ctx, dir, examples.First.Example); err != nil {
		return nil, err
	}
	if err := amend(ctx, dir, "amendment", examples.First); err != nil {
		return nil, err
	}
	review, _, err := app.ReviewRevisions(ctx, app.Revisions{Dir: dir, Base: "main", Head: "amendment"}, app.ReadOptions{Jobs: 1}, engine.DefaultBudget())
	return review, err
}

// Compare compares the examples.Redlines with the contract, in a repository that it makes in dir.
func Compare(ctx context.Context, dir string) (*finding.Negotiation, error) {
	if err := start(ctx, dir, examples.Redlines[0].Example); err != nil {
		return nil, err
	}
	for _, side := range examples.Redlines {
		if err := amend(ctx, dir, side.Name, side); err != nil {
			return nil, err
		}
	}
	n, _, err := app.NegotiateTrees(ctx, dir, [3]string{"main", examples.Redlines[0].Name, examples.Redlines[1].Name}, app.ReadOptions{Jobs: 1}, engine.DefaultBudget())
	return n, err
}

// IsolatedGit runs git commands in dir, away from the user's configuration and hooks.
func IsolatedGit(ctx context.Context, dir string, commands ...string) error {
	for _, c := range commands {
		args := append([]string{"-c", "user.name=redline", "-c", "user.email=demo@redline.invalid", "-c", "commit.gpgsign=false"}, strings.Fields(c)...)
		cmd := gitfs.Local(ctx, dir, args...)
		cmd.Env = append(cmd.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			return cmp.Or(gitfs.Unusable(dir, string(out), err), fmt.Errorf("git %s: %w: %s", c, err, out))
		}
	}
	return nil
}
