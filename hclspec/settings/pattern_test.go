package settings

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{"contracts", []string{"contracts", "contracts/a", "contracts/a/b"}, []string{".", "contract", "contracts2", "x/contracts"}},
		{"contracts/**", []string{"contracts", "contracts/a", "contracts/a/b"}, []string{".", "x/contracts"}},
		{"contracts/**/**", []string{"contracts", "contracts/a"}, []string{"x"}},
		{"contracts/*", []string{"contracts/a", "contracts/a/b"}, []string{"contracts", "."}},
		{"contracts/*/b", []string{"contracts/a/b", "contracts/a/b/c"}, []string{"contracts/b", "contracts/a/c/b"}},
		{"**/archive", []string{"archive", "x/archive", "x/y/archive/z"}, []string{".", "x", "xarchive", "x/archives"}},
		{"a/**/b", []string{"a/b", "a/x/b", "a/x/y/b/c"}, []string{"a", "b", "a/x"}},
		{"*", []string{"a", "a/b"}, []string{"."}},
		{"?", []string{"a", "é", "a/b"}, []string{".", "ab"}},
		{"s?le*", []string{"sale", "sales-2024", "sole/x"}, []string{"sle", "sal/e"}},
		{"**", []string{".", "a", "a/b"}, nil},
		{".", []string{".", "a", "a/b"}, nil},
		{"**/**", []string{".", "a", "a/b"}, nil},
		{"A", []string{"A"}, []string{"a"}},
	} {
		if summary, _ := objection(c.pattern); summary != "" {
			t.Errorf("%s is refused: %s", c.pattern, summary)
		}
		for _, dir := range c.yes {
			if !match(c.pattern, dir) {
				t.Errorf("%s does not take in %s", c.pattern, dir)
			}
		}
		for _, dir := range c.no {
			if match(c.pattern, dir) {
				t.Errorf("%s takes in %s", c.pattern, dir)
			}
		}
	}
}

// matchNaive is match as its documentation says it, by trying everything.
func matchNaive(pattern, dir string) bool {
	if pattern == "." {
		return true
	}
	var names []string
	if dir != "." {
		names = strings.Split(dir, "/")
	}
	for n := range len(names) + 1 {
		if matchNames(strings.Split(pattern, "/"), names[:n]) {
			return true
		}
	}
	return false
}

func matchNames(pattern, names []string) bool {
	switch {
	case len(pattern) == 0:
		return len(names) == 0
	case pattern[0] == "**":
		return matchNames(pattern[1:], names) || len(names) > 0 && matchNames(pattern, names[1:])
	}
	return len(names) > 0 && matchName([]rune(pattern[0]), []rune(names[0])) && matchNames(pattern[1:], names[1:])
}

func matchName(pattern, name []rune) bool {
	switch {
	case len(pattern) == 0:
		return len(name) == 0
	case pattern[0] == '*':
		return matchName(pattern[1:], name) || len(name) > 0 && matchName(pattern, name[1:])
	}
	return len(name) > 0 && (pattern[0] == '?' || pattern[0] == name[0]) && matchName(pattern[1:], name[1:])
}

// Every pattern that is not refused means what the documentation says.
func TestMatchIsNaive(t *testing.T) {
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOfN(rapid.RuneFrom([]rune("abé")), 1, 4, -1)
		part := rapid.OneOf(name, rapid.Just("**"), rapid.StringOfN(rapid.RuneFrom([]rune("ab*?é")), 1, 5, -1))
		pattern := strings.Join(rapid.SliceOfN(part, 1, 5).Draw(t, "pattern"), "/")
		dir := strings.Join(rapid.SliceOfN(name, 0, 5).Draw(t, "dir"), "/")
		if dir == "" {
			dir = "."
		}
		if summary, _ := objection(pattern); summary != "" {
			return
		}
		if got, want := match(pattern, dir), matchNaive(pattern, dir); got != want {
			t.Fatalf("%s takes in %s: %t, want %t", pattern, dir, got, want)
		} else if want {
			taken++
		}
	})
	if taken < 10 {
		t.Errorf("only %d were taken in", taken)
	}
}

func TestIncludes(t *testing.T) {
	s := Default()
	if !s.Includes(".") || !s.Includes("a") {
		t.Error("by default something is left out")
	}
	s.Paths, s.Ignore = []string{"a", "b/**"}, []string{"**/old"}
	for dir, want := range map[string]bool{".": false, "a": true, "a/x": true, "a/old": false, "b/x/old/y": false, "c": false} {
		if s.Includes(dir) != want {
			t.Errorf("%s is included: %t", dir, !want)
		}
	}
}

// A pattern and a directory made for it to backtrack are still quick.
func TestMatchIsAffordable(t *testing.T) {
	pattern := strings.Repeat("**/*a*/", 36) + "b"
	if summary, _ := objection(pattern); summary != "" {
		t.Fatal(summary)
	}
	dir := strings.TrimSuffix(strings.Repeat(strings.Repeat("a", 60)+"/", 64), "/")
	if match(pattern, dir) || !match(pattern, dir+"/b") {
		t.Error("it does not mean what it says")
	}
}
