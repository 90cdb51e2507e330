package codeowners

import (
	"slices"
	"strings"
	"testing"
)

// What GitHub's page "About code owners" says of its example, and what gitignore says of patterns.
func TestPatterns(t *testing.T) {
	for pattern, files := range map[string]string{ // files that match, then those that do not
		"*":                "a a/b .github/x | ",
		"*.js":             "a.js x/y/a.js a.js/b | a.jsx js",
		"/build/logs/":     "build/logs/a build/logs/b/c | x/build/logs/a build/logs build/log/a",
		"docs/*":           "docs/a | docs/b/a x/docs/a docs",
		"apps/":            "apps/a x/apps/a/b | apps x/apps app/a",
		"/docs/":           "docs/a docs/b/c | x/docs/a docs",
		"**/logs":          "logs/a build/logs/a x/y/logs logs | logsx/a",
		"/apps/github":     "apps/github apps/github/a | x/apps/github apps/githubx",
		"apps/github":      "apps/github/a apps/github | x/apps/github",
		"a/**/b":           "a/b a/x/b a/x/y/b a/b/c | x/a/b a/bc",
		"a/**":             "a/b a/b/c | a x/a/b",
		"a/**/":            "a/b a/b/c | a",
		"/*":               "a | a/b",
		"/*/":              "a/b a/b/c | a",
		"**":               "a a/b | ",
		"f*":               "foo x/foo foo/a | xfoo",
		"f?o":              "foo x/fäo | fo fooo f/o",
		`f\*o`:             "f*o | foo",
		`my\ contracts/a`:  "| my/contracts/a",
		"Sale/":            "Sale/a | sale/a",
		"sale/**/*.hcl":    "sale/a.hcl sale/x/a.hcl | sale/a.txt x/sale/a.hcl",
		"/sale/*.hcl":      "sale/a.hcl | sale/x/a.hcl",
		"a*a*a*a*a*a*a*ab": "aaaaaaaaaaaaaab | " + strings.Repeat("a", 200),
	} {
		yes, no, _ := strings.Cut(files, "|")
		f := Parse(pattern + " @x\n")
		for _, name := range strings.Fields(yes) {
			if !slices.Equal(f.Owners(name), []string{"@x"}) {
				t.Errorf("%s does not match %s", pattern, name)
			}
		}
		for _, name := range strings.Fields(no) {
			if f.Owners(name) != nil {
				t.Errorf("%s matches %s", pattern, name)
			}
		}
	}
	if Parse(`my\ deals/ @x`).Owners("my deals/a") == nil {
		t.Error("a blank with a backslash before it ends the pattern")
	}
}

func TestLastRuleWins(t *testing.T) {
	f := Parse(strings.Join([]string{
		"# owners", "", "*       @global @acme/all", "*.hcl @ada  ada@acme.example #inline @mallory", "\t/sale/ @acme/legal\r",
		"/sale/drafts", "!/sale/x @no", "/sale/[ab] @no", `\#x @no`, "/rent/ @bad!", "/rent/ nobody", "*** @no", "/ @no", "/lease#comment @mallory", "/end @last", `/end\`,
	}, "\n"))
	for file, want := range map[string]string{
		"README": "@global @acme/all", "x/a.hcl": "@ada ada@acme.example", "sale/a.hcl": "@acme/legal", "sale/drafts/a.hcl": "", "sale/x": "@acme/legal",
		"rent/a": "@global @acme/all", "lease": "", "end": "@last",
	} {
		if got := strings.Join(f.Owners(file), " "); got != want {
			t.Errorf("%s: %q, not %q", file, got, want)
		}
	}
	if want := []int{7, 8, 9, 10, 11, 12, 13, 16}; !slices.Equal(f.skipped, want) {
		t.Errorf("skipped are %v, not %v", f.skipped, want)
	}
	if got := Parse("").Owners("a"); got != nil {
		t.Errorf("an empty file: %v", got)
	}
}

// Any text is read, each line is a rule, skipped or empty, and who owns a file is somebody that the text names.
func FuzzParse(f *testing.F) {
	f.Add("* @a\n/b/ @c/d e@f.g # h\n!x", "b/c")
	f.Add(`a\ b\`+"\n**/*?/ @x\r\n[", "a b/c")
	f.Fuzz(func(t *testing.T, text, file string) {
		got := Parse(text)
		if n := len(got.rules) + len(got.skipped); n > strings.Count(text, "\n")+1 {
			t.Errorf("%d rules and skipped lines", n)
		}
		for _, who := range got.Owners(file) {
			if !strings.Contains(text, who) || !strings.Contains(who, "@") {
				t.Errorf("%q owns %q", who, file)
			}
		}
	})
}
