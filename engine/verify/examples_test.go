package verify_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// exampleRow is a row of the examples' table: name, states, what breaks, script.
var exampleRow = regexp.MustCompile(`(?m)^\| \[([^\]]+)\]\(([^)]+)\) \|[^|]+\| (\d+) \| ([^|]+) \| \[[^\]]+\]\(([^)]+)\) \|$`)

// TestExamplesTable holds the table of the examples against the examples: each stands in it once, with the states
// it has under rule one; and the script named makes its amendment and sees what is said to break, and no more.
func TestExamplesTable(t *testing.T) {
	const dir = "../../hclspec/examples"
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range exampleRow.FindAllStringSubmatch(string(text), -1) {
		name, link, states, breaks, script := row[1], row[2], row[3], row[4], row[5]
		got = append(got, name)
		if name != link {
			t.Errorf("%s leads to %s", name, link)
		}
		if n := testkit.Check(t, testkit.Example(t, name), petri.One).Model.States.String(); n != states {
			t.Errorf("%s has %s states, and %s in the table", name, n, states)
		}
		exampleScript(t, name, breaks, filepath.Join(dir, script))
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("the table has %q, and there are %q", got, want)
	}
}

var (
	quoted       = regexp.MustCompile("`([^`]+)`")
	newViolation = regexp.MustCompile(`(?m)^  ✗ (?:broken|fails) +(\S+)`)
)

func exampleScript(t *testing.T, name, breaks, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if !strings.Contains(string(text), "redline init --example "+name+" ") && !strings.Contains(string(text), "redline init --example "+name+"\n") {
		t.Errorf("%s does not begin with %s", path, name)
	}
	said, found := firsts(quoted, breaks), firsts(newViolation, string(text))
	if !slices.Equal(said, found) {
		t.Errorf("%s: the table says that %q break, %s that %q do", name, said, path, found)
	}
	if len(said) == 0 && breaks != "no amendment" {
		t.Errorf("%s: %q names no requirement", name, breaks)
	}
}

// firsts are the sorted first groups of all matches, each once.
func firsts(re *regexp.Regexp, text string) []string {
	var all []string
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	slices.Sort(all)
	return slices.Compact(all)
}
