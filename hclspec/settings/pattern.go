package settings

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Includes says whether the contract in a directory is looked at: paths take it in, or there are none, and ignore does not.
// The directory is given from the repository's top, with slashes; "." is the top itself.
func (s *Settings) Includes(dir string) bool {
	return (len(s.Paths) == 0 || matchesAny(s.Paths, dir)) && !matchesAny(s.Ignore, dir)
}

func matchesAny(patterns []string, dir string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return Match(p, dir) })
}

// Match says whether a pattern takes a directory in: it matches the directory itself, or one that the directory lies in.
// `*` is any text without a slash, `?` one character, `**` any number of directories, none too. The pattern is one that Parse accepts.
func Match(pattern, dir string) bool {
	pattern = below(pattern)
	if dir == "." {
		return pattern == "**"
	}
	return doublestar.MatchUnvalidated(pattern, dir)
}

// below makes a pattern take in what lies in a directory that it matches.
func below(pattern string) string {
	if pattern == "." {
		return "**"
	}
	parts := append(strings.Split(pattern, "/"), "**")
	// The library takes one ** at the end for no directory, but not two.
	parts = slices.CompactFunc(parts, func(a, b string) bool { return a == "**" && b == "**" })
	return strings.Join(parts, "/")
}

// objection says what is wrong with a pattern, and what to write; empty when nothing is.
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
