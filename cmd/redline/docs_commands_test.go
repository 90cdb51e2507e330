package main

import (
	"bytes"
	"fmt"
	"os"
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
	root := command(streams{strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}})
	root.InitDefaultCompletionCmd("completion")
	var b strings.Builder
	b.WriteString("# Commands\n\nWhat `redline help COMMAND` says.\n\n" + marked(root.Long) + "\n\n| command | what it does |\n|---|---|\n")
	for _, c := range shownCommands(root) {
		fmt.Fprintf(&b, "| [`redline %s`](#redline-%s) | %s |\n", c.Name(), c.Name(), marked(c.Short))
	}
	for _, c := range shownCommands(root) {
		aboutCommand(&b, c)
	}
	return b.String()
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
	c.InitDefaultHelpFlag()
	head := "\n| flag | meaning | default |\n|---|---|---|\n"
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
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
