package load

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"unicode/utf8"

	"github.com/redlinehq/redline/hclspec"
)

// Limits of Find.
const (
	maxContracts = 10_000 // names under one root
	maxFindDepth = 64     // of directories below the root
)

// passedOver are directories with files of other programs.
var passedOver = []string{".git", ".terraform", "node_modules"}

// Find returns the contracts at or under root, sorted: every directory with an entry named *.contract.hcl, whatever its file type (Dir reports
// a wrong one). Paths are slash-separated and relative to fsys. It follows no symbolic link, and skips .git, .terraform and node_modules. It
// also skips every other repository below root (a directory with a .git entry), since a revision, too, shows a submodule without its files.
// The error names a directory that cannot be listed or is deeper than 64 below root, or says that there are more than 10,000 contracts.
func Find(fsys fs.FS, root string) ([]string, error) {
	var found []string
	if err := findUnder(fsys, root, 0, &found); err != nil {
		return nil, fmt.Errorf("finding contracts under %s: %w", root, err)
	}
	slices.Sort(found)
	return found, nil
}

func findUnder(fsys fs.FS, dir string, depth int, found *[]string) error {
	if depth > maxFindDepth {
		return fmt.Errorf("%s lies more than %d directories deep: start further down", dir, maxFindDepth)
	}
	if !utf8.ValidString(dir) {
		return fmt.Errorf("the directory name %q is not UTF-8: rename it", dir) // io/fs cannot open it
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return err
	}
	if depth > 0 && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".git" }) {
		return nil
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return hclspec.IsContractFile(e.Name()) }) {
		if *found = append(*found, dir); len(*found) > maxContracts {
			return fmt.Errorf("more than %d contracts: start further down", maxContracts)
		}
	}
	for _, e := range entries {
		if !e.IsDir() || slices.Contains(passedOver, e.Name()) {
			continue
		}
		if err := findUnder(fsys, path.Join(dir, e.Name()), depth+1, found); err != nil {
			return err
		}
	}
	return nil
}
