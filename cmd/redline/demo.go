package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/demo"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/report/escape"
)

func demoCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Review an amendment to an example contract",
		Long: `Demo makes a repository in a scratch directory, commits the sale of a used car, amends it on a branch (the
buyer may cancel for longer, and pay later), and prints the review; --format markdown prints it as the
comment of a pull request. With --compare, buyer and seller each have a redline of their own, and it
prints what comes of both.`,
		Example: `  redline demo
  redline demo --format markdown
  redline demo --compare`,
		Args: cobra.NoArgs,
	}
	format := addFormat(cmd, func(f *format) bool { return f.review != nil && f.negotiation != nil })
	compare := cmd.Flags().Bool("compare", false, "compare two redlines of the contract instead")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		dir, err := os.MkdirTemp("", "redline-demo-")
		if err != nil {
			return err
		}
		show := showReview
		if *compare {
			show = showComparison
		}
		err = show(cmd.Context(), s.out, dir, formats[format.Value])
		if err == nil && format.Value == "text" {
			_, err = fmt.Fprint(s.out, "\nNext: 'redline init' writes this contract here, to try your own amendments on it;\n'redline init --blank seller buyer' begins a contract of your own.\n")
		}
		return errors.Join(err, os.RemoveAll(dir))
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
		Short: "Write a contract to start from, or what GitHub needs to review",
		Long: `Init writes an example contract into DIR, which is named after the example if it is left out. With
--blank it begins a contract between the parties that are named, in a directory that is named after them or
by --dir; with --github it writes the workflows and the settings by which GitHub reviews every pull request,
those that are not there yet, and says what to click there.

It changes no file, and writes nothing into the directory of a contract.`,
		Example: `  redline init
  redline init --example letter-of-credit deals/coffee
  redline init --blank seller buyer
  redline init --blank seller buyer --dir deals/second-car
  redline init --github`,
	}
	names, err := demo.Examples()
	if err != nil {
		panic(err) // our own files
	}
	example := option.AddChoice(cmd, "example", "which contract to start from", append([]string{"car-sale"}, slices.DeleteFunc(names, func(n string) bool { return n == "car-sale" })...)...)
	blank := cmd.Flags().Bool("blank", false, "begin a contract between the parties that are named")
	into := cmd.Flags().String("dir", "", "with --blank, the `directory` of the contract, which is named after it")
	github := cmd.Flags().Bool("github", false, "write the workflow and the settings for reviews on GitHub")
	cmd.MarkFlagsMutuallyExclusive("example", "blank", "github")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch {
		case *blank:
			return nil
		case *github:
			return cobra.NoArgs(cmd, args)
		}
		return cobra.MaximumNArgs(1)(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case *into != "" && !*blank:
			return errors.New("--dir goes with --blank; without it, name the directory alone: 'redline init DIR'")
		case *github:
			return initGitHub(cmd.Context(), s.out)
		case *blank:
			dir, err := demo.WriteBlank(s.out, *into, args)
			if err != nil {
				return err
			}
			return sayNext(s.out, dir)
		}
		dir := path.Base(example.Value)
		if len(args) == 1 {
			dir = args[0]
		}
		if err := demo.CopyExample(s.out, example.Value, dir); err != nil {
			return err
		}
		return sayNext(s.out, dir)
	}
	return cmd
}

// sayNext says what to do with a contract that is new.
func sayNext(w io.Writer, dir string) error {
	_, err := fmt.Fprintf(w, "\nNext: edit, then 'redline check %s'.\nOnce it is committed: amend it, then 'redline review --base HEAD --worktree'.\nTo have GitHub review every pull request: 'redline init --github'.\n", escape.TerminalText(dir))
	return err
}

func initGitHub(ctx context.Context, w io.Writer) error {
	top, err := app.TopOfWorkTree()
	if err != nil {
		return err
	}
	if top == "" {
		if _, err := gitfs.Top(ctx, "."); errors.Is(err, gitfs.ErrBare) {
			return errors.New("this repository is bare, so nothing can be written into it: clone it, and run redline init --github there")
		}
		return errors.New("there is no git repository here: 'git init' makes one")
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if top, err = filepath.Rel(here, top); err != nil {
		return err
	}
	if err := demo.WriteWorkflows(w, top); err != nil {
		return err
	}
	_, err = fmt.Fprint(w, demo.GateSteps)
	return err
}
