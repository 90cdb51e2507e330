package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
)

// A review goes by the commits that it found at first, though a branch moves meanwhile, and starts git no more often than it has to.
func TestReviewAsksGitOnce(t *testing.T) {
	needsGit(t)
	const text = "contract \"c\" {}\nparty \"a\" {\n  state \"S0\" {}\n  state \"S1\" {}\n  transition \"go\" {\n    from = S0\n    to   = S1\n  }\n}\n"
	c := &caseOf{
		base: map[string]string{"one/x.contract.hcl": text, ".github/redline.hcl": "record = false\n"},
		head: map[string]string{"one/x.contract.hcl": text + "requirement \"r\" { ctl = \"EF a.S1\" }\n", ".github/redline.hcl": "record = true\n"},
	}
	revs := c.commit(t, t.TempDir())
	head, err := gitfs.Resolve(t.Context(), revs.Dir, "head")
	if err != nil {
		t.Fatal(err)
	}
	revs.Memo = new(Memo)
	runs := countRuns(t)
	under, _, err := AmendmentSettings(t.Context(), revs)
	if err != nil {
		t.Fatal(err)
	}
	if err := under.Override("record", "true", under.From("")); err != nil {
		t.Fatal(err)
	}
	settled := len(runs())
	gittest.GitIn(t, revs.Dir, "", "branch", "-f", "head", "base")
	work := &ReviewRequest{Revs: revs, How: ReadOptions{Jobs: 1, Under: under}, Budget: finding.Budget{Jobs: 1}}
	f, _, err := work.Run(t.Context())
	if err != nil || f.Head != head || len(f.Review.Contracts) != 1 {
		t.Errorf("reviewed %v, %v; want commit %s", f, err, head)
	}
	if again, _, err := AmendmentSettings(t.Context(), revs); err != nil || again.Record {
		t.Errorf("what the caller made of the settings is kept: %v, %v", again, err)
	}
	all := runs()
	if reviewed := len(all) - settled - 1; settled > 7 || reviewed > 4 { // branch -f is the test's own
		t.Errorf("git ran %d times for the settings and %d times for the review:\n%s", settled, reviewed, strings.Join(all, "\n"))
	}
}

// countRuns puts a program in git's place that keeps what git is run with, and returns how to read that.
func countRuns(t *testing.T) func() []string {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("Windows runs no script in the place of a program")
	}
	dir := t.TempDir()
	kept := filepath.Join(dir, "runs")
	script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >>%q\nexec %q \"$@\"\n", kept, real)
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return func() []string {
		raw, err := os.ReadFile(kept)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(raw)), "\n")
	}
}
