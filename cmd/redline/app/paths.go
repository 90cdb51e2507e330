package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
)

// RunAt reviews the contracts at or under some paths of the work tree, or all if no path is named.
func (r *ReviewRequest) RunAt(ctx context.Context, paths []string) (of *finding.Review, pairs []engine.Pair, notices []string, trouble, err error) {
	pairs, outside, notices, err := bothPairs(ctx, r.Revs, r.How, r.Budget.Observe)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if pairs, err = atPaths(ctx, pairs, paths); err != nil {
		return nil, nil, nil, nil, err
	}
	of, trouble, err = r.review(ctx, pairs, outside)
	return of, pairs, notices, trouble, err
}

// atPaths keeps the pairs at or under some paths of the work tree. A path without a contract is an error.
func atPaths(ctx context.Context, pairs []engine.Pair, paths []string) ([]engine.Pair, error) {
	if len(paths) == 0 {
		return pairs, nil
	}
	var kept []engine.Pair
	for _, named := range paths {
		below, err := wherever(ctx, named)
		if err != nil {
			return nil, err
		}
		found := false
		for _, pair := range pairs {
			if at := pair.Path(); below == "." || at == below || strings.HasPrefix(at, below+"/") {
				found = true
				if !slices.ContainsFunc(kept, func(k engine.Pair) bool { return k.Path() == at }) {
					kept = append(kept, pair)
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("no contract at or under %s, on either side", named)
		}
	}
	return kept, nil
}

// wherever returns the path as FromTop does, also for one that the work tree no longer has: base may have it.
func wherever(ctx context.Context, name string) (string, error) {
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) || filepath.IsAbs(name) {
		return FromTop(ctx, name)
	}
	here, err := FromTop(ctx, ".")
	return path.Join(here, filepath.ToSlash(name)), err
}

// FromTop returns a path, or the directory of a file, relative to the top of the repository's work tree, slash-separated.
func FromTop(ctx context.Context, p string) (string, error) {
	top, err := gitfs.Top(ctx, ".")
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(p); err == nil && !info.IsDir() {
		p = filepath.Dir(p)
	}
	if p, err = filepath.Abs(p); err == nil {
		p, err = filepath.EvalSymlinks(p)
	}
	if err != nil {
		return "", err
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(top, p)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is not in the repository", p)
	}
	return filepath.ToSlash(rel), nil
}
