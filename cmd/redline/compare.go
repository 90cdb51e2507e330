package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/negotiate"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
)

func compareCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare BASE A B",
		Short: "Compare two redlines of one base, and what comes of both together",
		Long: `Compare says what each of two redlines, A and B, wins and loses against BASE, and what comes of both
together: which promises only both together break, and which clause of each is to blame.

Each of BASE, A and B is a revision, or a directory of contracts. What begins with . or / is a directory;
anything else is a revision if there is one of that name, else a directory. BASE is compared as it is,
and a contract that a side lacks is one that it removes. It is made under BASE's settings ('redline config --rev BASE' shows them).

Exit statuses: 0 nothing to object; 1 a redline, or both together, newly break a promise; 2 something
is ill-formed, or A and B are in conflict, so that there is no text of both; 3 unknown (a limit was reached).`,
		Args: cobra.ExactArgs(3),
	}
	flags := addChecking(cmd)
	failOn := flags.addGate(cmd)
	cmd.ValidArgsFunction = completeSide
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		wanted, err := sideSettings(cmd.Context(), ".", args[0], "BASE")
		if err != nil {
			return err
		}
		if err := under(wanted, cmd.Flags()); err != nil {
			return err
		}
		how, err := flags.reading(wanted)
		if err != nil {
			return err
		}
		stop := progress(s.err, &flags.budget)
		n, notices, err := negotiateTrees(cmd.Context(), ".", [3]string(args), how, how.granted(flags.budget))
		stop()
		if err != nil {
			return err
		}
		tell(s.err, notices)
		if err := writeNegotiation(s.out, n, flags.format.value); err != nil {
			return err
		}
		return exit(n.Gate(gates[failOn.value]))
	}
	return cmd
}

func writeNegotiation(w io.Writer, n *finding.Negotiation, format string) error {
	switch format {
	case "json":
		return json.WriteNegotiation(w, n, version())
	case "markdown":
		_, err := io.WriteString(w, markdown.Negotiation(n))
		return err
	}
	return text.Negotiation(w, n, styleOf(w))
}

// negotiateTrees reads all three sides and compares them. Revisions are those of the repository around dir.
func negotiateTrees(ctx context.Context, dir string, names [3]string, how reading, b finding.Budget) (n *finding.Negotiation, notices []string, err error) {
	var sides [3][]*compile.Draft
	var origins [3]finding.Origin
	for i, name := range names {
		var err error
		if sides[i], origins[i], err = draftsFrom(ctx, dir, name, how.beside(sides[0])); err != nil {
			return nil, nil, err
		}
	}
	if err := how.declared(slices.Concat(sides[:]...)...); err != nil {
		return nil, nil, err
	}
	base, both, left := engine.Within(how.includes(), sides[0], sides[1], sides[2])
	notices, err = how.observable(b.Observe, slices.Concat(base, both[0], both[1])...)
	if err != nil {
		return nil, nil, err
	}
	n = &finding.Negotiation{Base: origins[0], A: origins[1], B: origins[2], Contracts: negotiate.Negotiate(ctx, base, both[0], both[1], b)}
	return n, append(how.leftOut(left), notices...), settleSides(ctx, dir, n, how)
}

// settleSides decides which acceptances of both redlines count, by base's settings; where they do not say, those that base has. A comparison knows of no pull request, so it
// knows of no approval. What both together give up with a contract is what either does.
func settleSides(ctx context.Context, dir string, n *finding.Negotiation, how reading) error {
	rule := finding.AcceptBase
	if how.under != nil && how.under.Acceptance != "" {
		rule = finding.AcceptanceRules[how.under.Acceptance]
	}
	var given [3][]finding.Retirement
	for i, side := range []finding.Origin{n.Base, n.A, n.B} {
		s, err := sideSettings(ctx, dir, side.Name, []string{"BASE", "A", "B"}[i])
		if err != nil {
			return err
		}
		given[i] = retirements(s)
	}
	both := given[1]
	for _, one := range given[2] {
		if !slices.Contains(both, one) {
			both = append(slices.Clip(both), one)
		}
	}
	return n.Settle(ctx, rule, given[0], [3][]finding.Retirement{given[1], given[2], both})
}

// draftsFrom reads a revision or a directory.
func draftsFrom(ctx context.Context, dir, name string, how reading) ([]*compile.Draft, finding.Origin, error) {
	origin, err := originFrom(ctx, dir, name)
	if err != nil {
		return nil, origin, err
	}
	if origin.Directory {
		drafts, err := directoryDrafts(ctx, name, how)
		return drafts, origin, err
	}
	drafts, err := revisionDrafts(ctx, dir, name, how)
	return drafts, origin, err
}

// originFrom says whether a name is a revision's or a directory's.
func originFrom(ctx context.Context, dir, name string) (finding.Origin, error) {
	origin := finding.Origin{Name: name, Directory: strings.HasPrefix(name, ".") || filepath.IsAbs(name)}
	if origin.Directory {
		return origin, nil
	}
	_, err := gitfs.Resolve(ctx, dir, name)
	if err == nil || errors.Is(err, gitfs.ErrAmbiguous) {
		return origin, err
	}
	if !isDirectory(name) {
		return origin, errors.Join(err, fmt.Errorf("there is no directory %s either", name))
	}
	origin.Directory = true
	return origin, nil
}

// sideSettings are those of a revision or a directory; whose says which side that is.
func sideSettings(ctx context.Context, dir, name, whose string) (*settings.Settings, error) {
	origin, err := originFrom(ctx, dir, name)
	switch {
	case err != nil:
		return nil, err
	case !origin.Directory:
		return revisionSettings(ctx, dir, name, whose)
	case !isDirectory(name):
		return nil, fmt.Errorf("there is no directory %s", name)
	}
	return directorySettings(name, whose)
}

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// directoryDrafts reads the contracts in a directory; their paths begin there.
func directoryDrafts(ctx context.Context, name string, how reading) ([]*compile.Draft, error) {
	if !isDirectory(name) {
		return nil, fmt.Errorf("there is no directory %s", name)
	}
	work, err := gitfs.WorkTree(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = work.Close() }() // only read from
	drafts, err := engine.Tree{FS: work, Root: ".", Values: how.values, Time: how.time}.DraftsBeside(ctx, how.other, how.rule, how.jobs)
	if err != nil {
		return nil, fmt.Errorf("directory %s: %w", name, err)
	}
	if len(drafts) == 0 {
		return nil, fmt.Errorf("no contract in %s: a contract is a directory with *.contract.hcl files", name)
	}
	return drafts, nil
}

// completeSide offers the names of revisions, and directories.
func completeSide(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) >= 3 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names, _ := gitfs.Refs(cmd.Context(), ".") // outside of a repository there are none
	return names, cobra.ShellCompDirectiveDefault
}
