package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

func runMain(t *testing.T, args ...string) (out string, status int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = Main(args, streams{strings.NewReader(""), &stdout, &stderr})
	if stderr.Len() > 0 {
		t.Errorf("redline %s: %s", strings.Join(args, " "), stderr.String())
	}
	return stdout.String(), status
}

// TestManualListsEveryCommand: each has its row.
func TestManualListsEveryCommand(t *testing.T) {
	text, err := os.ReadFile("../../.github/docs/manual.md")
	if err != nil {
		t.Fatal(err)
	}
	root := command(streams{strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}})
	root.InitDefaultCompletionCmd("completion")
	seen := 0
	for _, c := range root.Commands() {
		if !c.IsAvailableCommand() || c.Name() == "help" {
			continue
		}
		seen++
		if !regexp.MustCompile("(?m)^\\| `redline " + c.Name() + "[ `]").Match(text) {
			t.Errorf("the manual has no row for redline %s", c.Name())
		}
	}
	if seen < 10 {
		t.Errorf("only %d commands were looked for", seen)
	}
}

// TestReadmeIsShort: README leads to pages, and stays under 150 lines.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n >= 150 {
		t.Errorf("README.md has %d lines", n)
	}
}
