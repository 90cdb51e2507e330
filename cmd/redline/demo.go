package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/demo"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/escape"
)

func demoCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Review an amendment to the example sale",
		Long: `Demo makes a repository in a scratch directory, commits the example sale, amends it on a branch (the
seller may withdraw goods already promised), and prints the review; --format markdown prints it as the
comment of a pull request. With --compare, seller and purchaser each have a redline of their own, and it
prints what comes of both.`,
		Args: cobra.NoArgs,
	}
	format := addFormat(cmd, func(f *format) bool { return f.review != nil && f.negotiation != nil })
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
		return errors.Join(show(cmd.Context(), s.out, dir, formats[format.Value]), os.RemoveAll(dir))
	}
	return cmd
}

func showReview(ctx context.Context, w io.Writer, dir string, f *format) error {
	r, err := demo.Review(ctx, dir)
	if err != nil {
		return err
	}
	return f.review(w, r, finding.FailNew)
}

func showComparison(ctx context.Context, w io.Writer, dir string, f *format) error {
	n, err := demo.Compare(ctx, dir)
	if err != nil {
		return err
	}
	return f.negotiation(w, n)
}

func initCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write an example contract to start from",
		Args:  cobra.MaximumNArgs(1),
	}
	names, err := load.Find(examples.FS, ".")
	if err != nil {
		panic(err) // our own files
	}
	example := option.AddChoice(cmd, "example", "which contract to start from", append([]string{"sale"}, without(names, "sale")...)...)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		dir := path.Base(example.Value)
		if len(args) == 1 {
			dir = args[0]
		}
		if err := demo.CopyExample(s.out, example.Value, dir); err != nil {
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
