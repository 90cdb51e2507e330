// Package codeowners reads the file in which a GitHub repository says who owns which files (docs.github.com, "About code owners").
package codeowners

import (
	"regexp"
	"slices"
	"strings"
)

// Locations are the places of the file, from the repository's top. The first that exists counts.
var Locations = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"}

// MaxSize is the size from which on GitHub does not load the file, in bytes.
const MaxSize = 3 << 20

// A File is a list of rules.
type File struct {
	rules   []rule
	skipped []int // lines that GitHub skips because their syntax is invalid, from 1
}

type rule struct {
	pattern []string // names with * and ?; ** is any number of names
	below   bool     // what lies below a match matches too
	owners  []string
}

// Parse reads a CODEOWNERS file. As on GitHub, a line that is not valid is skipped.
func Parse(text string) *File {
	f := &File{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		r, ok, empty := parseLine(strings.TrimSpace(line))
		switch {
		case empty:
		case ok:
			f.rules = append(f.rules, r)
		default:
			f.skipped = append(f.skipped, n)
		}
	}
	return f
}

// Owners returns the owners of a file, as @login, @organisation/team or an address: those of the last rule that matches it. The rule
// may have none.
func (f *File) Owners(file string) []string {
	names := strings.Split(file, "/")
	for _, r := range slices.Backward(f.rules) {
		if r.matches(names) {
			return slices.Clone(r.owners)
		}
	}
	return nil
}

var owner = regexp.MustCompile(`^(@[A-Za-z0-9_-]+(/[A-Za-z0-9._-]+)?|[^@\s]+@[^@\s]+)$`)

func parseLine(line string) (r rule, ok, empty bool) {
	if line == "" || line[0] == '#' {
		return r, false, true
	}
	pattern, rest := cutPattern(line)
	if r.pattern, r.below, ok = parsePattern(pattern); !ok {
		return r, false, false
	}
	rest, _, _ = strings.Cut(rest, "#")
	for _, who := range strings.Fields(rest) {
		if !owner.MatchString(who) {
			return r, false, false
		}
		r.owners = append(r.owners, who)
	}
	return r, true, false
}

// cutPattern cuts a line at the first blank that has no backslash before it.
func cutPattern(line string) (pattern, rest string) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case ' ', '\t':
			return line[:i], line[i:]
		case '#': // a comment needs no blank before it
			return line[:i], ""
		}
	}
	return line, ""
}

// parsePattern splits a pattern into names. It follows gitignore, but for what GitHub leaves out: !, [ ] and \#.
func parsePattern(pattern string) (names []string, below, ok bool) {
	if strings.HasPrefix(pattern, "!") || strings.ContainsAny(pattern, "[]") || strings.HasPrefix(pattern, `\#`) || strings.Contains(pattern, "***") ||
		strings.Trim(pattern, "/") == "" || strings.HasSuffix(pattern, `\`) {
		return nil, false, false
	}
	anchored := strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	names = strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	if !anchored {
		names = append([]string{"**"}, names...)
	}
	last := len(names) - 1
	if names[last] == "" { // a directory: what lies below it
		names[last] = "**"
	}
	if names[last] == "**" { // at least one name
		return append(names, "*"), true, true
	}
	return names, names[last] != "*", true
}

// matches reports whether a rule matches a file. Cost: the product of both lengths, and of name and pattern where there is a *.
func (r rule) matches(file []string) bool {
	ends := make([]bool, len(file)+1) // ends[n]: the pattern so far matches the first n names
	ends[0] = true
	for _, part := range r.pattern {
		next := make([]bool, len(file)+1)
		for n := range ends {
			switch {
			case part == "**":
				next[n] = ends[n] || n > 0 && next[n-1]
			case n > 0:
				next[n] = ends[n-1] && matchName(part, file[n-1])
			}
		}
		ends = next
	}
	return ends[len(file)] || r.below && slices.Contains(ends, true)
}

// matchName matches one name: * is any text, ? one character, a backslash takes the next character as it is.
func matchName(pattern, name string) bool {
	p, s := []rune(pattern), []rune(name)
	ends := make([]bool, len(s)+1)
	ends[0] = true
	for i := 0; i < len(p); i++ {
		next := make([]bool, len(s)+1)
		star, any := p[i] == '*', p[i] == '?'
		if p[i] == '\\' && i+1 < len(p) {
			i++
		}
		for n := range ends {
			switch {
			case star:
				next[n] = ends[n] || n > 0 && next[n-1]
			case n > 0:
				next[n] = ends[n-1] && (any || p[i] == s[n-1])
			}
		}
		ends = next
	}
	return ends[len(s)]
}
