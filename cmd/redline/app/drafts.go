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
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// WithinSettings removes the contracts that the settings of the repository at top leave out. It keeps a contract whose path is named, whatever
// the settings say, and one outside of top. The error says that none is left.
func WithinSettings(drafts []*compile.Draft, s *settings.Settings, top string, named []string) (kept []*compile.Draft, notices []string, err error) {
	how := ReadOptions{Under: s}
	if how.Includes() == nil || len(drafts) == 0 {
		return drafts, nil, nil
	}
	for _, d := range drafts {
		in, err := includes(s, top, d.Path)
		if err != nil {
			return nil, nil, err
		}
		if in || slices.ContainsFunc(named, func(p string) bool { return path.Clean(filepath.ToSlash(p)) == d.Path }) {
			kept = append(kept, d)
		}
	}
	notices = how.LeftOut(len(drafts) - len(kept))
	if len(kept) == 0 {
		return nil, nil, fmt.Errorf("nothing is left to check: %s\nname a contract's directory to check it all the same", notices[0])
	}
	return kept, notices, nil
}

// includes reports whether settings include a directory of the work tree, given relative to the current one.
func includes(s *settings.Settings, top, dir string) (bool, error) {
	whole, err := filepath.Abs(filepath.FromSlash(dir))
	if err != nil {
		return false, err
	}
	below, err := filepath.Rel(top, whole)
	if err != nil || !filepath.IsLocal(below) {
		return true, nil // outside of this repository
	}
	return s.Includes(filepath.ToSlash(below)), nil
}

// WorkTreeDrafts reads the contracts at or under each path of the work tree, each once. A path without a contract is an error.
func WorkTreeDrafts(ctx context.Context, paths []string, how ReadOptions) ([]*compile.Draft, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var all []*compile.Draft
	for _, p := range paths {
		drafts, err := draftsAt(ctx, p, how)
		if err != nil {
			return nil, err
		}
		if len(drafts) == 0 {
			return nil, fmt.Errorf("no contract at or under %s: %s%s", p, beginning, misnamed(p))
		}
		for _, d := range drafts {
			if !slices.ContainsFunc(all, func(e *compile.Draft) bool { return e.Path == d.Path }) {
				all = append(all, d)
			}
		}
	}
	return all, how.Declared(all...)
}

// misnamed says which file at or below a directory is nearly named as one of a contract, if there is one. It looks at few files.
func misnamed(dir string) (hint string) {
	left := 1_000
	_ = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error { // what can't be read has no file to name
		if left--; err != nil || left < 0 {
			return fs.SkipAll
		}
		if e.IsDir() && p != dir && strings.HasPrefix(e.Name(), ".") {
			return fs.SkipDir
		}
		if to := syntax.Rename(e); to != "" {
			hint = fmt.Sprintf("; %s is not read: if it is part of one, rename it to %s", filepath.ToSlash(p), to)
			return fs.SkipAll
		}
		return nil
	})
	return hint
}

// draftsAt reads below the current directory if it can, so that messages name files as the user would. It reads nothing outside the directory
// it opens.
func draftsAt(ctx context.Context, p string, how ReadOptions) ([]*compile.Draft, error) {
	info, err := os.Stat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing(p)
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if _, nets := NetFiles([]string{p}); len(nets) > 0 {
			return nil, fmt.Errorf("%s is a net, and a contract is expected here: 'redline import' makes one of it", p)
		} else if !hclspec.IsContractFile(p) {
			return nil, fmt.Errorf("%s is no contract: name a directory, a file whose name ends in .contract.hcl, or a net whose name ends in .pnml", p)
		}
		p = filepath.Dir(p)
	}
	tree := engine.Tree{Root: path.Clean(filepath.ToSlash(p)), Values: how.Values, Time: how.Time}
	top := "."
	if !filepath.IsLocal(p) {
		top, tree.Shown, tree.Root = p, tree.Root, "."
	}
	work, err := gitfs.WorkTree(top)
	if err != nil {
		return nil, err
	}
	defer func() { _ = work.Close() }() // only read from
	tree.FS = work
	return tree.Drafts(ctx, how.Rule, how.Jobs)
}

// OneDraft reads the one contract at or under a path. It must be well-formed.
func OneDraft(ctx context.Context, args []string, how ReadOptions) (*compile.Draft, error) {
	drafts, err := WorkTreeDrafts(ctx, args, how)
	if err != nil {
		return nil, err
	}
	if len(drafts) > 1 {
		return nil, fmt.Errorf("there are %d contracts here (%s, %s, ...): name one", len(drafts), drafts[0].Path, drafts[1].Path)
	}
	if drafts[0].Spec == nil {
		return nil, errors.New("the contract is ill-formed: 'redline check' says where")
	}
	return drafts[0], nil
}
