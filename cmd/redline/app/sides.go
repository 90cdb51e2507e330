package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/negotiate"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/settings"
)

// NegotiateTrees reads all three sides and compares them. Revisions are those of the repository around dir.
func NegotiateTrees(ctx context.Context, dir string, names [3]string, how ReadOptions, b finding.Budget) (n *finding.Negotiation, notices []string, err error) {
	var sides [3][]*compile.Draft
	var origins [3]finding.Origin
	for i, name := range names {
		var err error
		if sides[i], origins[i], err = draftsFrom(ctx, dir, name, how.ComparedWith(sides[0])); err != nil {
			return nil, nil, err
		}
	}
	if err := how.Declared(slices.Concat(sides[:]...)...); err != nil {
		return nil, nil, err
	}
	base, both, left := engine.Within(how.Includes(), sides[0], sides[1], sides[2])
	notices, err = how.observable(b.Observe, slices.Concat(base, both[0], both[1])...)
	if err != nil {
		return nil, nil, err
	}
	n = &finding.Negotiation{Base: origins[0], A: origins[1], B: origins[2], Contracts: negotiate.Negotiate(ctx, base, both[0], both[1], b)}
	return n, slices.Concat(how.LeftOut(left), NoneYet(left+len(n.Contracts)), notices), settleSides(ctx, dir, n, how)
}

// settleSides decides which acceptances of both redlines count, by base's settings; if they set no rule, those that base has. A comparison has
// no pull request, so it has no approvals. Both together give up the promises that either gives up with a contract.
func settleSides(ctx context.Context, dir string, n *finding.Negotiation, how ReadOptions) error {
	rule := finding.AcceptBase
	if how.Under != nil && how.Under.Acceptance != "" {
		rule = finding.AcceptanceRules[how.Under.Acceptance]
	}
	var given [3][]finding.Retirement
	for i, side := range []finding.Origin{n.Base, n.A, n.B} {
		s, err := SideSettings(ctx, dir, side.Name, []string{"BASE", "A", "B"}[i])
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
func draftsFrom(ctx context.Context, dir, name string, how ReadOptions) ([]*compile.Draft, finding.Origin, error) {
	origin, err := originFrom(ctx, dir, name)
	if err != nil {
		return nil, origin, err
	}
	if origin.Directory {
		drafts, err := directoryDrafts(ctx, name, how)
		return drafts, origin, err
	}
	drafts, err := RevisionDrafts(ctx, dir, name, how)
	return drafts, origin, err
}

// originFrom decides whether a name is a revision's or a directory's.
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
		return origin, errors.Join(err, fmt.Errorf("%s is no directory, either", name))
	}
	origin.Directory = true
	return origin, nil
}

// SideSettings reads the settings of a revision or a directory; whose names the side in messages.
func SideSettings(ctx context.Context, dir, name, whose string) (*settings.Settings, error) {
	origin, err := originFrom(ctx, dir, name)
	switch {
	case err != nil:
		return nil, err
	case !origin.Directory:
		return RevisionSettings(ctx, dir, name, whose)
	case !isDirectory(name):
		return nil, fmt.Errorf("there is no directory %s", name)
	}
	return directorySettings(name, whose)
}

// directoryDrafts reads the contracts in a directory; their paths are relative to it.
func directoryDrafts(ctx context.Context, name string, how ReadOptions) ([]*compile.Draft, error) {
	if !isDirectory(name) {
		return nil, fmt.Errorf("there is no directory %s", name)
	}
	work, err := gitfs.WorkTree(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = work.Close() }() // only read from
	drafts, err := engine.Tree{FS: work, Root: ".", Values: how.Values, Time: how.Time}.DraftsBeside(ctx, how.other, how.Rule, how.Jobs)
	if err != nil {
		return nil, fmt.Errorf("directory %s: %w", name, err)
	}
	if len(drafts) == 0 {
		return nil, fmt.Errorf("no contract in %s: a contract is a directory with *.contract.hcl files", name)
	}
	return drafts, nil
}
