package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const commandsPage = "../../.github/docs/commands.md"

// TestCommandsPage: the page says of each command what its help says; -update writes it anew.
func TestCommandsPage(t *testing.T) {
	want := pageOfCommands()
	if *update {
		if err := os.WriteFile(commandsPage, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if fileText(t, commandsPage) != want {
		t.Error("the page of the commands is not what they say: go test ./cmd/redline -run TestCommandsPage -update")
	}
}

func pageOfCommands() string {
	look := &look{}
	root := command(streams{strings.NewReader(""), screen{&bytes.Buffer{}, look}, screen{&bytes.Buffer{}, look}})
	root.InitDefaultCompletionCmd("completion")
	var b strings.Builder
	b.WriteString("# Commands\n\nWhat `redline help COMMAND` says.\n\n" + marked(root.Long) + "\n")
	all := shownCommands(root)
	groups := append(root.Groups(), &cobra.Group{Title: "And:"})
	for _, g := range groups {
		fmt.Fprintf(&b, "\n| %s | |\n|---|---|\n", strings.TrimSuffix(g.Title, ":"))
		for _, c := range all {
			if c.GroupID == g.ID {
				fmt.Fprintf(&b, "| [`redline %s`](#redline-%s) | %s |\n", c.Name(), c.Name(), marked(c.Short))
			}
		}
	}
	b.WriteString("\nEvery command has these flags, too:\n")
	flagTable(&b, root.PersistentFlags())
	b.WriteString("\nThe examples are of a repository with a contract in the directory `sale`, its branches `main` and `amendment`, a log `log.csv` and a key `redline.key`.\n")
	for _, g := range groups {
		for _, c := range all {
			if c.GroupID == g.ID {
				aboutCommand(&b, c)
			}
		}
	}
	return b.String()
}

// examplesOf returns the worked examples of a command, a line each.
func examplesOf(c *cobra.Command) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(c.Example, "\n") + "\n") {
		b.WriteString(strings.TrimPrefix(line, "  "))
	}
	return strings.TrimLeft(b.String(), "\n")
}

// TestExamplesOfCommands: each command has examples, which do what the command is for in the repository that the page describes.
func TestExamplesOfCommands(t *testing.T) {
	made := t.TempDir()
	for _, line := range []string{
		"git init -q -b main", "redline init sale", "git add sale", "git commit -q -m sale", "git checkout -q -b amendment",
		"sed -i.old s/used/second-hand/ sale/car-sale.contract.hcl && rm sale/*.old", "git commit -q -a -m amendment", "echo event > log.csv && echo order >> log.csv",
		"redline keygen redline.key", "redline export sale -o sale.pnml", "mkdir examination && cp sale.pnml examination/model.pnml", "redline attest main",
	} {
		if exampleStatus(t, made, line) != 0 {
			t.FailNow()
		}
	}
	drawn, err := os.ReadFile("../../hclspec/bpmn/testdata/sale.bpmn")
	if err != nil || os.WriteFile(filepath.Join(made, "order.bpmn"), drawn, 0o666) != nil {
		t.Fatal(err)
	}
	for _, c := range shownCommands(command(streams{strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}})) {
		t.Run(c.Name(), func(t *testing.T) {
			t.Parallel()
			if examplesOf(c) == "" {
				t.Fatal("it has no example")
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(examplesOf(c)) {
				line, comment, _ := strings.Cut(strings.TrimSpace(line), " # ")
				want := 0
				if status, ok := strings.CutPrefix(comment, "exit status "); ok {
					want = int(status[0] - '0')
				}
				if got := exampleStatus(t, dir, line); got != want {
					t.Errorf("%s: exit status %d, want %d", line, got, want)
				}
			}
		})
	}
}

// exampleStatus runs a line of a shell in a directory, and returns its exit status.
func exampleStatus(t *testing.T, dir, line string) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(line, err)
	}
	if err != nil {
		t.Logf("%s:\n%s", line, out)
	}
	return cmd.ProcessState.ExitCode()
}

func shownCommands(root *cobra.Command) (all []*cobra.Command) {
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			all = append(all, c)
		}
	}
	return all
}

func aboutCommand(b *strings.Builder, c *cobra.Command) {
	fmt.Fprintf(b, "\n## redline %s\n\n`redline %s`\n", c.Name(), c.Use)
	told := c.Long
	if told == "" || c.HasSubCommands() { // completion's own text is about each shell
		told = c.Short + "."
	}
	fmt.Fprintf(b, "\n%s\n", marked(told))
	if text := examplesOf(c); text != "" {
		fmt.Fprintf(b, "\n```sh\n%s```\n", text)
	}
	c.InitDefaultHelpFlag()
	flagTable(b, c.LocalNonPersistentFlags())
}

func flagTable(b *strings.Builder, flags *pflag.FlagSet) {
	head := "\n| flag | meaning | default |\n|---|---|---|\n"
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		if kind != "" {
			kind = " " + kind
		}
		fmt.Fprintf(b, "%s| `--%s%s` | %s | %s |\n", head, f.Name, strings.ReplaceAll(kind, "|", `\|`), marked(usage), defaultOf(f))
		head = ""
	})
}

func defaultOf(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "[]", "false":
		return ""
	}
	return "`" + f.DefValue + "`"
}

// marked is plain text as Markdown that says the same. Lines in columns stay as they are.
func marked(text string) string {
	var all []string
	for _, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if strings.Contains(p, "   ") {
			p = "```text\n" + p + "\n```"
		} else {
			p = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "|", `\|`, "`", "\\`").Replace(p)
		}
		all = append(all, p)
	}
	return strings.Join(all, "\n\n")
}
