package settings

import (
	"path"
	"slices"
	"strings"
)

// Includes reports whether the contract in a directory is checked: paths match it or are empty, and ignore does not match it. The directory is
// given from the repository's top, with slashes; "." is the top itself.
func (s *Settings) Includes(dir string) bool {
	return (len(s.Paths) == 0 || matchesAny(s.Paths, dir)) && !matchesAny(s.Ignore, dir)
}

func matchesAny(patterns []string, dir string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return match(p, dir) })
}

// match reports whether a pattern matches a directory, or one that contains it. `*` is any text without a slash, `?` one character, `**` any
// number of directories, none too; `.` is the top. The pattern must be one that Parse accepts. Cost: the product of their lengths, for each
// name that has a `*`.
func match(pattern, dir string) bool {
	if pattern == "." {
		return true
	}
	names := strings.Split(dir, "/")
	if dir == "." {
		names = nil
	}
	// ends[n]: the parts of the pattern so far match the first n names. (bmatcuk/doublestar v4.10.4 was tried; there a*/** does not match a.)
	ends := make([]bool, len(names)+1)
	ends[0] = true
	for part := range strings.SplitSeq(pattern, "/") {
		if ends = after(part, ends, names); !slices.Contains(ends, true) {
			return false
		}
	}
	return true
}

// after returns the places where a match may end after one more part of the pattern.
func after(part string, ends []bool, names []string) []bool {
	next := make([]bool, len(ends))
	if part == "**" {
		next[0] = ends[0]
	}
	for n, name := range names {
		if part == "**" {
			next[n+1] = next[n] || ends[n+1]
			continue
		}
		same, err := path.Match(part, name)
		next[n+1] = ends[n] && err == nil && same
	}
	return next
}

// objection returns the mistake in a pattern, and what to write instead; empty if there is none.
func objection(pattern string) (summary, detail string) {
	parts := strings.Split(pattern, "/")
	switch {
	case pattern == "":
		return "A path pattern is empty.", `Write the name of a directory, or "**" for all of them.`
	case len(pattern) > maxLength:
		return "A path pattern is too long.", "It has at most 256 bytes."
	case pattern == ".":
		return "", ""
	case strings.ContainsAny(pattern, `\[]{}`), strings.HasPrefix(pattern, "!"):
		return "A path pattern has a character that means nothing here.", `Only *, ** and ? stand for something else; there is no \, !, [ ] or { }. Directories are separated by /.`
	case parts[0] == "" || parts[len(parts)-1] == "":
		return "A path pattern begins or ends with a slash.", `It begins at the repository's top and takes in what lies below: write "contracts".`
	case slices.Contains(parts, "") || slices.Contains(parts, ".") || slices.Contains(parts, ".."):
		return "A path pattern is not as paths are written.", `It begins at the repository's top: write "contracts/sales", without //, . or ..`
	case slices.ContainsFunc(parts, func(p string) bool { return p != "**" && strings.Contains(p, "**") }):
		return "In a path pattern ** stands for whole directories.", `Write "**/archive" or "contracts/**"; within a name, write *.`
	case path.Ext(pattern) == ".hcl":
		return "A path pattern is of directories, not of files.", `A contract is a directory: write "contracts/sale".`
	}
	return "", ""
}
