package main

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fences finds the blocks of a Markdown file: language and text.
var fences = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

func blocksOf(t *testing.T, name string) (blocks [][2]string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range fences.FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, [2]string{m[1], m[2]})
	}
	return blocks
}

func runMain(t *testing.T, args ...string) (out string, status int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = Main(args, streams{strings.NewReader(""), &stdout, &stderr})
	if stderr.Len() > 0 {
		t.Errorf("redline %s: %s", strings.Join(args, " "), stderr.String())
	}
	return stdout.String(), status
}

// TestReadmePrintsWhatItShows runs each console block; what stands there is printed, line by line.
func TestReadmePrintsWhatItShows(t *testing.T) {
	t.Chdir("../..")
	ran := 0
	for _, b := range blocksOf(t, "README.md") {
		if b[0] != "console" {
			continue
		}
		command, want, _ := strings.Cut(b[1], "\n")
		out, _ := runMain(t, strings.Fields(strings.TrimPrefix(command, "$ redline "))...)
		if strings.TrimSpace(want) == "" || !strings.Contains(out, want) {
			t.Errorf("%s does not print what README shows, but\n%s", command, out)
		}
		ran++
	}
	if ran == 0 {
		t.Error("README has no console block")
	}
}

// TestReadmeContract checks the contract README opens with: it holds.
func TestReadmeContract(t *testing.T) {
	blocks := blocksOf(t, "../../README.md")
	i := slices.IndexFunc(blocks, func(b [2]string) bool { return b[0] == "hcl" })
	if i < 0 {
		t.Fatal("README has no contract")
	}
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/x.contract.hcl", []byte(blocks[i][1]), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, status := runMain(t, "check", dir); status != 0 || !strings.Contains(out, "1 requirement holds") {
		t.Errorf("exit status %d\n%s", status, out)
	}
}

// TestReadmeCommands runs the sub-commands of the shell blocks in a directory of their own, in order.
func TestReadmeCommands(t *testing.T) {
	blocks := blocksOf(t, "../../README.md")
	t.Chdir(t.TempDir())
	for _, c := range []string{"init -q -b main", "commit -q --allow-empty -m start"} {
		if err := scratchGit(t.Context(), ".", c); err != nil {
			t.Fatal(err)
		}
	}
	var ran []string
	for _, b := range blocks {
		if b[0] != "sh" {
			continue
		}
		for line := range strings.Lines(b[1]) {
			line, _, _ = strings.Cut(line, "#")
			line = strings.TrimSpace(strings.Replace(line, "go run ./cmd/redline", "redline", 1))
			if args, ok := strings.CutPrefix(line, "redline "); ok {
				if _, status := runMain(t, strings.Fields(args)...); status != 0 {
					t.Errorf("%s: exit status %d", line, status)
				}
				ran = append(ran, line)
			}
			if strings.HasPrefix(line, "git ") {
				if err := scratchGit(t.Context(), ".", "add sale", "commit -q -m sale"); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if len(ran) < 4 {
		t.Errorf("only %q were run", ran)
	}
}

// TestReadmeListsEveryCommand: each has its row.
func TestReadmeListsEveryCommand(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
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
			t.Errorf("README has no row for redline %s", c.Name())
		}
	}
	if seen < 10 {
		t.Errorf("only %d commands were looked for", seen)
	}
}
