package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
)

// TestEveryCommandHasALimit: a command has a --timeout, or reads nothing that takes long.
func TestEveryCommandHasALimit(t *testing.T) {
	without := map[string]string{
		"completion": "it reads nothing",
		"demo":       "it checks a contract of ours",
		"explain":    "it reads nothing",
		"init":       "it writes a contract of ours",
		"keygen":     "it reads nothing",
		"simulate":   "somebody plays; reading the contract is bounded",
		"version":    "it reads nothing",
	}
	for _, cmd := range command(streams{nil, io.Discard, io.Discard}).Commands() {
		_, excused := without[cmd.Name()]
		if has := cmd.Flags().Lookup("timeout") != nil; has == excused {
			t.Errorf("redline %s: a limit: %v, a reason for none: %v", cmd.Name(), has, excused)
		}
		delete(without, cmd.Name())
	}
	for name := range without {
		t.Errorf("there is no command %s", name)
	}
}

// TestWholeLimits: a command that has a limit for all that it does ends then with exit status 3, and says why.
func TestWholeLimits(t *testing.T) {
	dir := slowContract(t, party(repeat(2_000, labelled)))
	t.Chdir(dir)
	for _, args := range [][]string{{"fmt", "--check"}, {"graph"}, {"export"}, {"replay", os.DevNull}} {
		var said strings.Builder
		status := Main(append(args, "--timeout", "1ns"), streams{nil, io.Discard, &said})
		if status != 3 || said.String() != "redline: the time limit of 1ns ran out (--timeout)\n" {
			t.Errorf("%v: exit status %d, %s", args, status, said.String())
		}
	}
	if got, err := os.ReadDir(dir); err != nil || len(got) != 1 || filepath.Ext(got[0].Name()) != ".hcl" {
		t.Error(got, err)
	}
}

// limited are commands in a repository with one contract that is amended, each with what becomes of it where a limit is met at once: its exit status, and what
// it says.
var limited = map[string]struct {
	args   []string
	status int
	says   string
}{
	"attest":     {[]string{"attest"}, 0, `c recorded \(warned\)`}, // that nothing was decided is recorded
	"check":      {[]string{"check"}, 3, "the limit|the time limit"},
	"checkpoint": {[]string{"checkpoint"}, 3, "^redline: the time limit"},
	"compare":    {[]string{"compare", "HEAD~1", "HEAD", "HEAD~1"}, 3, "Not decided"},
	"config":     {[]string{"config"}, 0, `limits\.\w+ += "(1ns|100B)"`},
	"import":     {[]string{"import", "n.pnml"}, 3, "^redline: the time limit"},
	"mcc":        {[]string{"mcc", "StateSpace", "."}, 0, "CANNOT_COMPUTE"},
	"merge":      {[]string{"merge", "one.json"}, 3, "^redline: the time limit"},
	"plan":       {[]string{"plan", "--base", "HEAD~1"}, 3, "^redline: the time limit"},
	"report":     {[]string{"report", "--base", "HEAD~1", "-o", "page.html"}, 3, `^\? Whether every promise is kept could not be decided within the limits\.`},
	"review":     {[]string{"review", "--base", "HEAD~1"}, 3, "the limit|the time limit"},
	"vendor":     {[]string{"vendor", "escrow"}, 3, "^redline: the time limit"},
	"verify":     {[]string{"verify"}, 3, "^redline: the time limit"},
}

// amendedContract makes a repository with one contract that is amended, and a net, and works in it.
func amendedContract(t *testing.T) {
	t.Helper()
	repo := gittest.New(t)
	text := party("  state \"there\" {}\n  transition \"go\" {\n    from = here\n    to   = there\n  }\n") + "requirement \"r\" { ctl = \"AG (p.here || p.there)\" }\n"
	repo.Write("c/a.contract.hcl", text)
	repo.Commit()
	repo.Write("c/a.contract.hcl", strings.Replace(text, "from = here", "from = there", 1))
	repo.Write("n.pnml", "<pnml><net id=\"n\"><place id=\"p\"><initialMarking><text>1</text></initialMarking></place><transition id=\"t\"/><arc source=\"p\" target=\"t\"/></net></pnml>\n")
	repo.Commit()
	repo.Git("mv", "n.pnml", "model.pnml")
	t.Chdir(repo.Dir)
}

// TestLimitsOfEachCommand: every command that has --timeout or --max-memory ends where they are met, and says so by its exit status and in its words.
func TestLimitsOfEachCommand(t *testing.T) {
	elsewhere := map[string]string{ // those that TestWholeLimits tries, and
		"export": "", "fmt": "", "graph": "", "replay": "",
		"action":             "its tests try the limits of settings and inputs",
		"history":            "what it checks again is what was never recorded",
		"lsp":                "it serves until its editor leaves",
		"verify-certificate": "what is small is accepted before its limit is looked at",
	}
	amendedContract(t)
	for _, cmd := range command(streams{nil, io.Discard, io.Discard}).Commands() {
		_, excused := elsewhere[cmd.Name()]
		for flag, value := range map[string]string{"timeout": "1ns", "max-memory": "100B"} {
			c, listed := limited[cmd.Name()]
			if has := cmd.Flags().Lookup(flag) != nil; !has || excused {
				continue
			} else if !listed {
				t.Errorf("redline %s has --%s, and nothing tries it", cmd.Name(), flag)
				continue
			}
			var said strings.Builder
			status := Main(append(slices.Clone(c.args), "--"+flag, value), streams{nil, &said, &said})
			if status != c.status || !regexp.MustCompile("(?m)"+c.says).MatchString(said.String()) {
				t.Errorf("%v --%s %s: exit status %d, want %d\n%s", c.args, flag, value, status, c.status, said.String())
			}
		}
	}
}

// TestEachCommandEndsOnSignal: whatever runs git ends soon after a signal, though git does not answer.
func TestEachCommandEndsOnSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGTERM")
	}
	amendedContract(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\nkill -TERM $PPID\nexec sleep 60\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, args := range [][]string{{"attest"}, {"checkpoint"}, {"compare", "HEAD~1", "HEAD", "HEAD~1"}, {"history"}, {"plan", "--base", "HEAD~1"}, {"report", "--base", "HEAD~1"}, {"review", "--base", "HEAD~1"}, {"verify"}} {
		begun, cmd := time.Now(), exec.Command("redline", args...)
		out, err := cmd.CombinedOutput()
		exit := (*exec.ExitError)(nil)
		if took := time.Since(begun); !errors.As(err, &exit) || exit.ExitCode() != 3 || took > 30*time.Second {
			t.Errorf("%v: %v after %v: %s", args, err, took, out)
		}
	}
}

// TestEndAnyhow: what does not look at its context is ended a while after its limit, with the same words.
func TestEndAnyhow(t *testing.T) {
	in, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer feed.Close() // not before the end: nothing is ever written
	cmd := exec.Command("redline", "fmt", "-", "--timeout", "10ms")
	cmd.Stdin = in
	out, err := cmd.CombinedOutput()
	exit := (*exec.ExitError)(nil)
	if !errors.As(err, &exit) || exit.ExitCode() != 3 || string(out) != "redline: the time limit of 10ms ran out (--timeout)\n" {
		t.Errorf("%v: %s", err, out)
	}
}
