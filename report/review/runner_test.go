package review

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// A command is a workflow command as GitHub's runner understands it.
type command struct {
	name, message string
	properties    map[string]string
}

// obeyed reads a log as the runner does: "::name key=value::message" at the start of a line, blanks
// aside, or "##[name key=value]message" anywhere in it, but nothing between stop-commands and its
// token (actions/runner, ActionCommand.cs and ActionCommandManager.cs).
func obeyed(log string) (all []command, shown []string) {
	token := ""
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\r\n")
		c, ok := parseCommand(line)
		switch {
		case token != "":
			if ok && c.name == token {
				token = ""
			} else {
				shown = append(shown, line)
			}
		case ok && c.name == "stop-commands":
			token = c.message
		case ok:
			all = append(all, c)
		default:
			shown = append(shown, line)
		}
	}
	return all, shown
}

func parseCommand(line string) (command, bool) {
	head, message, ok := "", "", false
	if rest, found := strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::"); found {
		head, message, ok = strings.Cut(rest, "::")
	} else if _, rest, found := strings.Cut(line, "##["); found {
		head, message, ok = strings.Cut(rest, "]")
	}
	name, list, _ := strings.Cut(head, " ")
	c := command{name, decode(message), map[string]string{}}
	for pair := range strings.SplitSeq(list, ",") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			c.properties[strings.TrimSpace(key)] = decode(value)
		}
	}
	return c, ok && name != ""
}

var escapes = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")

func decode(s string) string { return escapes.Replace(s) }

// assigned reads a file of outputs as the runner does (FileCommandManager.cs).
func assigned(t *testing.T, text string) map[string]string {
	t.Helper()
	m := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		name, end, ok := strings.Cut(lines[i], "<<")
		if !ok {
			t.Fatalf("line %d of the outputs: %q", i+1, lines[i])
		}
		stop := slices.Index(lines[i+1:], end)
		if stop < 0 {
			t.Fatalf("output %s has no end", name)
		}
		m[name] = strings.Join(lines[i+1:i+1+stop], "\n")
		i += 1 + stop
	}
	return m
}

// A runner is a fake of GitHub's: what a step writes, and where.
type runner struct {
	log             strings.Builder
	summary, output string // file names
}

func newRunner(t *testing.T) *runner {
	dir := t.TempDir()
	return &runner{summary: filepath.Join(dir, "summary"), output: filepath.Join(dir, "output")}
}

func (r *runner) getenv(name string) string {
	return map[string]string{"GITHUB_STEP_SUMMARY": r.summary, "GITHUB_OUTPUT": r.output}[name]
}

func (r *runner) read(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// toldBy lists the annotations for a person.
func toldBy(all []command) string {
	var b strings.Builder
	for _, c := range all {
		at := ""
		if f := c.properties["file"]; f != "" {
			at = fmt.Sprintf(" at %s:%s:%s-%s:%s", f, c.properties["line"], c.properties["col"], c.properties["endLine"], c.properties["endColumn"])
		}
		fmt.Fprintf(&b, "%s: %s%s\n", c.name, c.properties["title"], at)
		for line := range strings.Lines(c.message) {
			b.WriteString("    " + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	return b.String()
}
