package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/redlinehq/redline/hclspec/published"
)

// TestPublished checks each published contract and reviews its amendments, word by word: the first of each always, the others in the nightly tier.
func TestPublished(t *testing.T) {
	if testing.Short() {
		t.Skip("what is printed does not depend on races (-short)")
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/published",
		UpdateScripts: *update,
		Cmds:          scriptCommands,
		Setup:         setUp,
		Condition: func(cond string) (bool, error) {
			if cond != "heavy" {
				return false, fmt.Errorf("unknown condition %s", cond)
			}
			return os.Getenv("REDLINE_HEAVY") != "" || *update, nil
		},
	})
}

// publishedRow is a row of the table of published contracts: name, states, and amendments.
var publishedRow = regexp.MustCompile(`(?m)^\| \[([^\]]+)\]\(([^)]+)\) \|[^|]+\| ([\d,]+) \| ([^|]+) \|$`)

// TestPublishedTable holds the table of published contracts against the contracts and their scripts: each stands in it once, with its states and with three
// amendments, which its script reviews, and what they break.
func TestPublishedTable(t *testing.T) {
	const dir = "../../hclspec/published"
	var listed []string
	for _, row := range publishedRow.FindAllStringSubmatch(fileText(t, filepath.Join(dir, "README.md")), -1) {
		name, link, states, amendments := row[1], row[2], row[3], row[4]
		listed = append(listed, name)
		script := fileText(t, filepath.Join("testdata/published", name+".txtar"))
		if name != link {
			t.Errorf("%s leads to %s", name, link)
		}
		if !strings.Contains(script, "\n  "+states+" states, ") {
			t.Errorf("%s has not %s states", name, states)
		}
		var made []string
		for _, a := range published.Amendments {
			if a.Example != name {
				continue
			}
			var broken []string
			_, report, found := strings.Cut(script, "\n-- "+a.Name+".txt --\n")
			if !found || !strings.Contains(script, "\namend "+a.Name+" "+name+"\n") {
				t.Errorf("the script of %s does not review %s", name, a.Name)
			}
			report, _, _ = strings.Cut(report, "\n-- ")
			for _, m := range newly.FindAllStringSubmatch(report, -1) {
				broken = append(broken, "`"+m[1]+"`")
			}
			slices.Sort(broken)
			made = append(made, a.Title+": "+strings.Join(slices.Compact(broken), ", "))
		}
		if got := strings.Join(made, "; "); len(made) != 3 || strings.ReplaceAll(got, ": ;", ": nothing;") != amendments && strings.TrimSuffix(got, ": ")+": nothing" != amendments {
			t.Errorf("%s: the table has the amendments\n%s\nwant\n%s", name, amendments, got)
		}
	}
	var want []string
	dirs, err := fs.ReadDir(published.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		want = append(want, d.Name())
	}
	if slices.Sort(listed); !slices.Equal(listed, want) {
		t.Errorf("the table has %q, and there are %q", listed, want)
	}
}

// newly matches a promise that a review finds newly broken, without the phase it is made in.
var newly = regexp.MustCompile(`(?m)^  ✗ broken +(?:\S+\.)?(\S+)`)
