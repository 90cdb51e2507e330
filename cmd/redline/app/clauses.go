package app

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec/clauses"
)

// mostTouched is the number of contracts that a notice on a clause names.
const mostTouched = 10

// clauseNotices returns a notice for each clause of the repository that the amendment changes: which contracts of head, of those that the settings
// include, have it as it was. Their copies do not change with it, so there is nothing to review of them.
func (v *versions) clauseNotices() (notices []string) {
	touched, in := map[string][]string{}, v.how.Includes()
	for _, dir := range v.here {
		files, _, err := contractFiles(v.head, dir)
		if err != nil || in != nil && !in(dir) {
			continue // reading the contract says it
		}
		for _, file := range files {
			if !strings.HasPrefix(file.Name(), "clause-") {
				continue
			}
			copied := clauseIn(v.head, path.Join(dir, file.Name()))
			if copied == nil || !copied.Untouched() {
				continue
			}
			source, _, _ := strings.Cut(clauses.TextOf(copied.Block, "source"), "@")
			source = path.Clean(source)
			was, is := clauseIn(v.base, source), clauseIn(v.head, source)
			if was != nil && (is == nil || is.Digest() != was.Digest() && is.Digest() != copied.Digest()) {
				touched[source] = append(touched[source], dir)
			}
		}
	}
	for source, dirs := range touched {
		slices.Sort(dirs)
		dirs = slices.Compact(dirs)
		named := strings.Join(dirs[:min(len(dirs), mostTouched)], ", ")
		if more := len(dirs) - mostTouched; more > 0 {
			named += fmt.Sprintf(" and %d more", more)
		}
		copies := "Its copies in " + named + " stay as they are"
		if len(dirs) == 1 {
			copies = "Its copy in " + named + " stays as it is"
		}
		if clauseIn(v.head, source) == nil {
			notices = append(notices, fmt.Sprintf("The clause %s is gone, or none any more. %s.", source, copies))
			continue
		}
		notices = append(notices, fmt.Sprintf("The clause %s is amended. %s until somebody takes it over, as with 'redline vendor %s %s'.", source, copies, source, dirs[0]))
	}
	slices.Sort(notices)
	return notices
}

// clauseIn reads the clause in a file of a tree; nil if there is none.
func clauseIn(tree fs.FS, name string) *clauses.Clause {
	info, err := fs.Stat(tree, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > clauses.MaxBytes {
		return nil
	}
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil
	}
	c, err := clauses.Parse(name, text)
	if err != nil {
		return nil
	}
	return c
}
