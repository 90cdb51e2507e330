package app

import (
	"cmp"
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
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/gitfs"
)

// RunAt reviews the contracts at or under some paths of the work tree, or all if no path is named.
func (r *ReviewRequest) RunAt(ctx context.Context, paths []string) (of *finding.Review, pairs []engine.Pair, notices []string, trouble, err error) {
	a, err := amended(ctx, r.Revs, r.How, r.Budget.Observe)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if err = a.keepAt(ctx, paths); err != nil {
		return nil, nil, nil, nil, err
	}
	of, trouble, err = r.review(ctx, a)
	return of, a.pairs, a.notices, trouble, err
}

// keepAt keeps the contracts at or under some paths of the work tree, all if there is no path. A path without a contract is an error.
func (a *amendment) keepAt(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	var pairs []engine.Pair
	var unchanged []string
	for _, named := range paths {
		below, err := wherever(ctx, named)
		if err != nil {
			return err
		}
		under := func(at string) bool { return below == "." || at == below || strings.HasPrefix(at, below+"/") }
		found := slices.ContainsFunc(a.unchanged, under)
		for _, dir := range a.unchanged {
			if under(dir) && !slices.Contains(unchanged, dir) {
				unchanged = append(unchanged, dir)
			}
		}
		for _, pair := range a.pairs {
			if at := pair.Path(); under(at) {
				found = true
				if !slices.ContainsFunc(pairs, func(k engine.Pair) bool { return k.Path() == at }) {
					pairs = append(pairs, pair)
				}
			}
		}
		if !found {
			return fmt.Errorf("no contract at or under %s, on either side", named)
		}
	}
	a.pairs, a.unchanged = pairs, unchanged
	return nil
}

// wherever returns the path as FromTop does, also for one that the work tree no longer has: base may have it.
func wherever(ctx context.Context, name string) (string, error) {
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) || filepath.IsAbs(name) {
		return FromTop(ctx, name)
	}
	here, err := FromTop(ctx, ".")
	return path.Join(here, filepath.ToSlash(name)), err
}

// missing returns the error for a path that does not exist, with the nearest name in its directory.
func missing(p string) error {
	dir, name := filepath.Split(filepath.Clean(p))
	entries, _ := os.ReadDir(cmp.Or(dir, ".")) // what can't be read has no name to offer
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if near := hclspec.Nearest(name, names); near != "" {
		return fmt.Errorf("there is no file or directory %s; did you mean %s?", p, filepath.ToSlash(dir+near))
	}
	return fmt.Errorf("there is no file or directory %s", p)
}

// FromTop returns a path, or the directory of a file, relative to the top of the repository's work tree, slash-separated.
func FromTop(ctx context.Context, p string) (string, error) {
	top, err := gitfs.Top(ctx, ".")
	if err != nil {
		return "", err
	}
	switch info, err := os.Stat(p); {
	case errors.Is(err, fs.ErrNotExist):
		return "", missing(p)
	case err == nil && !info.IsDir():
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
