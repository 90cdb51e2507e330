package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redlinehq/redline/cmd/redline/demo"
	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
	"github.com/redlinehq/redline/report/record/log"
)

// rounds is how often something random is done: fully only with REDLINE_HEAVY, because it takes minutes.
func rounds(all, few int) int {
	if os.Getenv("REDLINE_HEAVY") != "" {
		return all
	}
	return few
}

// A desk is a clone of the repository of contracts, at which somebody runs redline as a process of its own.
type desk struct {
	testing.TB
	dir string
}

// newOrigin makes a bare repository with two contracts on main, of which desks are clones.
func newOrigin(t *testing.T) desk {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com",
	} {
		t.Setenv(name, value)
	}
	origin := desk{t, t.TempDir()}
	origin.git("init", "-q", "--bare", "-b", "main")
	origin.tidy()
	first := origin.clone()
	for _, dir := range []string{"sale", "other"} {
		if err := demo.CopyExample(&bytes.Buffer{}, "sale", filepath.Join(first.dir, dir)); err != nil {
			t.Fatal(err)
		}
	}
	first.draft("start")
	first.git("push", "-q", "origin", "HEAD:main")
	return origin
}

func (d desk) clone() desk {
	d.Helper()
	c := desk{d.TB, d.TempDir()}
	c.git("clone", "-q", "file://"+filepath.ToSlash(d.dir), ".")
	c.tidy()
	return c
}

// tidy has git's own house-keeping end with the command that began it: left in the background it still removes objects while a test looks at them, and
// writes to directories that are taken away.
func (d desk) tidy() {
	d.Helper()
	name := filepath.Join(d.dir, ".git", "config")
	if _, err := os.Stat(name); err != nil { // it is bare
		name = filepath.Join(d.dir, "config")
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("[gc]\n\tautoDetach = false\n[maintenance]\n\tautoDetach = false\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		d.Fatal(err)
	}
}

func (d desk) git(args ...string) string { d.Helper(); return d.gitIn("", args...) }

// gitIn runs git with a text as its standard input.
func (d desk) gitIn(in string, args ...string) string {
	d.Helper()
	return gittest.GitIn(d, d.dir, in, args...)
}

// draft commits another draft of the sale.
func (d desk) draft(word string) {
	d.Helper()
	for _, dir := range []string{"sale", "other"} {
		name := filepath.Join(d.dir, dir, "note.contract.hcl")
		if err := os.WriteFile(name, fmt.Appendf(nil, "# %s of %s\n", word, dir), 0o666); err != nil {
			d.Fatal(err)
		}
	}
	d.git("add", ".")
	d.git("commit", "-q", "-m", word)
}

// redline is a run of the command at the desk.
func (d desk) redline(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "redline", args...)
	cmd.Dir = d.dir
	return cmd
}

// ran runs it and returns what it printed, which has to be with a status.
func (d desk) ran(status int, args ...string) string {
	d.Helper()
	out, err := d.redline(d.Context(), args...).CombinedOutput()
	got := 0
	if exit, ok := err.(*exec.ExitError); ok {
		got = exit.ExitCode()
	} else if err != nil {
		d.Fatal(err)
	}
	if got != status {
		d.Fatalf("redline %s: exit status %d, want %d\n%s", strings.Join(args, " "), got, status, out)
	}
	return string(out)
}

func (d desk) records() []string {
	d.Helper()
	return slices.DeleteFunc(d.refs(), func(ref string) bool { return strings.HasPrefix(ref, log.Refs) })
}

// refs are those of records and of the log.
func (d desk) refs() []string {
	d.Helper()
	return strings.Fields(d.git("for-each-ref", "--format=%(refname)", "refs/redline"))
}

// logged wants each record in the log once, and no gap.
func (d desk) logged() {
	d.Helper()
	named := map[string]int{}
	entries := slices.DeleteFunc(d.refs(), func(ref string) bool { return !strings.HasPrefix(ref, log.Refs) })
	for line := range strings.Lines(d.gitIn(strings.Join(entries, "\n"), "cat-file", "--batch")) {
		if word, rest, _ := strings.Cut(line, " "); word == "record" || word == "before" {
			name, _, _ := strings.Cut(rest, " ")
			named[name]++
		}
	}
	for at := range entries {
		if ref := fmt.Sprint(log.Refs, at); !slices.Contains(entries, ref) {
			d.Errorf("there is no %s", ref)
		}
	}
	for _, ref := range d.records() {
		if named[ref] != 1 {
			d.Errorf("the log names %s %d times", ref, named[ref])
		}
		delete(named, ref)
	}
	if len(named) > 0 {
		d.Errorf("the log names what is not there: %v", named)
	}
}

// whole wants so many records, all in order, and nothing that git objects to.
func (d desk) whole(records int) {
	d.Helper()
	if n := len(d.records()); n != records {
		d.Errorf("%d records, want %d", n, records)
	}
	if out := d.git("fsck", "--strict", "--no-dangling", "--no-progress"); out != "" {
		d.Errorf("git fsck: %s", out)
	}
	if locks, _ := filepath.Glob(filepath.Join(d.dir, "*", "*", "*.lock")); locks != nil {
		d.Errorf("%v", locks)
	}
}

// TestManyAtOnce: sixteen processes (in ordinary runs eight), each at its own desk, record at the same time and push to one bare repository. In every second round they
// record the same commit.
func TestManyAtOnce(t *testing.T) {
	origin := newOrigin(t)
	desks := make([]desk, rounds(16, 8))
	for i := range desks {
		desks[i] = origin.clone()
	}
	want := 0
	for round := range rounds(50, 3) {
		if round%2 == 0 {
			desks[0].git("checkout", "-q", "-B", fmt.Sprintf("round-%d", round), "origin/main")
			desks[0].draft(fmt.Sprintf("round %d", round))
			desks[0].git("push", "-q", "origin", fmt.Sprintf("HEAD:refs/heads/round-%d", round))
		}
		done := make(chan string, len(desks))
		for i, d := range desks {
			if round%2 == 0 {
				d.git("fetch", "-q", "origin")
				d.git("checkout", "-q", "--detach", fmt.Sprintf("origin/round-%d", round))
			} else {
				d.draft(fmt.Sprintf("round %d, desk %d", round, i))
				d.git("push", "-q", "origin", fmt.Sprintf("HEAD:refs/heads/round-%d-desk-%d", round, i))
			}
			go func() {
				out, err := d.redline(t.Context(), "attest", "--push", "origin").CombinedOutput()
				if err != nil || strings.Contains(string(out), "redline: ") {
					done <- fmt.Sprintf("round %d, desk %d: %v\n%s", round, i, err, out)
					return
				}
				done <- ""
			}()
		}
		for range desks {
			if said := <-done; said != "" {
				t.Error(said)
			}
		}
		if want += 2; round%2 == 1 {
			want += 2 * (len(desks) - 1)
		}
		origin.logged()
		if origin.whole(want); t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	fresh := origin.clone()
	fresh.git("fetch", "-q", "origin", "refs/redline/*:refs/redline/*")
	fresh.git("checkout", "-q", "origin/round-0")
	if out := fresh.ran(0, "verify"); !strings.Contains(out, fmt.Sprintf("%d records, all in order", want)) {
		t.Error(out)
	}
}

// TestKilled: whenever a run is killed, the next one completes the records, and doubles none.
func TestKilled(t *testing.T) {
	origin := newOrigin(t)
	d := origin.clone()
	begun := time.Now()
	d.ran(0, "attest", "--push", "origin")
	took := time.Since(begun)
	rnd := rand.New(rand.NewPCG(1, 2))
	killed := 0
	for round := range rounds(200, 6) {
		d.draft(fmt.Sprintf("round %d", round))
		args := []string{"attest", "--push", "origin"}
		if round%2 == 1 {
			args = args[:1] // where the whole group is killed: what serves a remote is not in it
		}
		cmd := d.redline(t.Context(), args...)
		group(cmd)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rnd.Int64N(int64(took))))
		kill(cmd, round%2 == 1)
		if cmd.Wait() != nil {
			killed++
		}
		d.ran(0, "attest", "--push", "origin")
		d.ran(0, "verify")
		for _, at := range []desk{d, origin} {
			at.logged()
			if at.whole(2 * (round + 2)); t.Failed() {
				t.Fatalf("in round %d", round)
			}
		}
	}
	if killed == 0 {
		t.Error("no run was killed before its end")
	}
	t.Logf("%d were killed before their end", killed)
}

// TestFileSizeLimit: a run that can't write all that it should writes nothing that counts, and says why.
func TestFileSizeLimit(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs sh")
	}
	origin := newOrigin(t)
	d := origin.clone()
	failed := 0
	for _, limit := range []string{"0", "1", "2", "4", "8"} {
		d.draft("limit " + limit)
		cmd := exec.Command("sh", "-c", "ulimit -f "+limit+"; exec redline attest --push origin")
		cmd.Dir = d.dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			failed++
			if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 || !strings.Contains(string(out), "redline: recording the drafts") {
				t.Errorf("limit %s: %v\n%s", limit, err, out)
			}
		}
		d.ran(0, "attest", "--push", "origin")
		d.ran(0, "verify")
	}
	if failed == 0 {
		t.Error("no limit was too low")
	}
	d.whole(10)
	origin.whole(10)
}
