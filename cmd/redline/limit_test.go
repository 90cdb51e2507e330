package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
