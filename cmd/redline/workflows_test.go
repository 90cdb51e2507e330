package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	yaml "github.com/oasdiff/yaml3"

	"github.com/redlinehq/redline/cmd/redline/demo"
)

// rights are all that any job of ours may do beyond reading the repository, and why: who wants more has to say so here.
var rights = map[string]string{
	"matrix.yml gate pull-requests: write":       "the comments",
	"redline.yml review pull-requests: write":    "the comments",
	"redline-approval.yml again actions: write":  "repeating the run that has the gate",
	"redline-fork.yml again actions: write":      "repeating the run that has the gate",
	"redline-fork.yml again pull-requests: read": "which one was reviewed",
	"redline-fork.yml tell actions: read":        "the artifact of the fork's run",
	"redline-fork.yml tell pull-requests: write": "the comments",
	"release.yml publish contents: write":        "the release",
	"release.yml publish id-token: write":        "as whom provenance is signed",
	"release.yml publish attestations: write":    "where it is kept",
	"site.yml publish pages: write":              "the site",
	"site.yml publish id-token: write":           "as which repository it is published",
}

func ourWorkflows(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("../../.github/workflows/*")
	if err != nil || len(names) < 5 {
		t.Fatalf("workflows %v, %v", names, err)
	}
	return names
}

// A value with a colon and a space in it is another mapping, and no workflow any more.
func TestWorkflowsAreYAML(t *testing.T) {
	for _, name := range append(ourWorkflows(t), "../../action.yml") {
		var v map[string]any
		if err := yaml.Unmarshal([]byte(fileText(t, name)), &v); err != nil || v["name"] == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func fileText(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Who else's action we run is a commit, which nobody can move, with its version beside it.
func TestActionsArePinned(t *testing.T) {
	other := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$`)
	versions := map[string]string{}
	for _, name := range append(ourWorkflows(t), "../../action.yml") {
		for line := range strings.Lines(fileText(t, name)) {
			uses, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(line), "- "), "uses: ")
			if !ok || uses == "./" || uses == "$/.github/action/here" {
				continue
			}
			if !other.MatchString(uses) {
				t.Errorf("%s: %q names no commit with its version", name, uses)
			}
			action, version, _ := strings.Cut(uses, "@")
			if was := versions[action]; was != "" && was != version {
				t.Errorf("%s: %s is %s elsewhere", name, uses, was)
			}
			versions[action] = version
		}
	}
	if len(versions) < 6 {
		t.Errorf("only %v were looked at", versions)
	}
}

// The action is there twice: at the root, where others call it, and below it, where our own workflow can name it by "$/".
func TestTheActionHere(t *testing.T) {
	const name = "../../.github/action/here/action.yml"
	want := "# Made from ../../../action.yml: go test ./cmd/redline -run TestTheActionHere -update\n\n" +
		strings.ReplaceAll(fileText(t, "../../action.yml"), "$GITHUB_ACTION_PATH", "$GITHUB_ACTION_PATH/../../..")
	if *update {
		put(t, name, want)
	}
	if got := fileText(t, name); got != want || strings.Count(got, "$GITHUB_ACTION_PATH/../../..") < 4 {
		t.Errorf("%s is not action.yml, two directories lower. Run this test with -update.", name)
	}
}

// What 'redline init --github' writes is what the pages show. README leads with a commit, which a reader has to look up; what is written runs as it is.
func TestWrittenWorkflowsAreOnPages(t *testing.T) {
	dir := t.TempDir()
	if err := demo.WriteWorkflows(io.Discard, dir); err != nil {
		t.Fatal(err)
	}
	pinned := strings.NewReplacer("redline@v1 # or its commit:", "redline@COMMIT # of v1:")
	for page, names := range map[string][]string{"../../README.md": {"redline.yml"}, "../../.github/docs/github.md": {"redline.yml", "redline-approval.yml"}} {
		for _, name := range names {
			block := "```yaml\n" + fileText(t, filepath.Join(dir, ".github/workflows", name)) + "```"
			if page == "../../README.md" {
				block = pinned.Replace(block)
			}
			if !strings.Contains(fileText(t, page), block) {
				t.Errorf("%s does not show %s as it is written", page, name)
			}
		}
	}
	if page := "../../.github/docs/github.md"; !strings.Contains(fileText(t, page), strings.ReplaceAll(strings.TrimSuffix(demo.GateSteps, "\n"), "\n", "\n    ")) {
		t.Errorf("%s does not say what to click as 'redline init --github' does", page)
	}
}

// Each workflow says what its token may do, and each job of it no more than rights has.
func TestWorkflowsMayDoLittle(t *testing.T) {
	top := regexp.MustCompile(`(?m)^permissions:( \{\}$|\n  contents: read$)`)
	used := map[string]bool{}
	for _, name := range ourWorkflows(t) {
		text := fileText(t, name)
		if !top.MatchString(text) {
			t.Errorf("%s does not say at its top that its token may at most read", name)
		}
		if strings.Contains(text, "pull_request_target") || regexp.MustCompile(`(?m)^    (branches|tags)-ignore:|^    paths`).MatchString(text) {
			t.Errorf("%s has an event or a filter that it should not have", name)
		}
		for _, right := range jobRights(text) {
			right = filepath.Base(name) + " " + right
			if rights[right] == "" {
				t.Errorf("%s: no reason is known for it", right)
			}
			used[right] = true
		}
	}
	for right := range rights {
		if !used[right] {
			t.Errorf("%s is not needed any more", right)
		}
	}
}

// jobRights lists "job scope: level" of all that is not reading the contents.
func jobRights(workflow string) []string {
	var all []string
	job, inside := "", false
	for line := range strings.Lines(workflow) {
		line = strings.TrimRight(strings.SplitN(line, " #", 2)[0], " \n")
		depth := len(line) - len(strings.TrimLeft(line, " "))
		switch word := strings.TrimSpace(line); {
		case depth == 2 && strings.HasSuffix(word, ":"):
			job, inside = strings.TrimSuffix(word, ":"), false
		case strings.HasPrefix(word, "permissions:") && depth > 0:
			inside = true
			if word != "permissions:" {
				all = append(all, job+" "+word)
			}
		case inside && depth == 6:
			if word != "contents: read" {
				all = append(all, job+" "+word)
			}
		default:
			inside = inside && depth > 4
		}
	}
	return all
}

func TestJobRights(t *testing.T) {
	const text = "jobs:\n  a:\n    permissions:\n      contents: read\n      issues: write # why\n    steps:\n      - run: x: y\n  b:\n    permissions: write-all\n"
	if got := jobRights(text); !slices.Equal(got, []string{"a issues: write", "b permissions: write-all"}) {
		t.Errorf("%q", got)
	}
}

// Text from outside reaches scripts through the environment only, where it can't become a command.
func TestScriptsHaveNoExpressions(t *testing.T) {
	for _, name := range append(ourWorkflows(t), "../../action.yml") {
		for line := range strings.Lines(fileText(t, name)) {
			if _, run, ok := strings.Cut(line, "run: "); ok && strings.Contains(run, "${{") {
				t.Errorf("%s: %s", name, line)
			}
			if strings.HasSuffix(strings.TrimSpace(line), "run: |") {
				t.Errorf("%s has a script of several lines, which nobody looks through here", name)
			}
		}
	}
}

// Every input reaches redline, and every output comes from it.
func TestActionHandsOver(t *testing.T) {
	text := fileText(t, "../../action.yml")
	inputs := keysUnder(text, "inputs")
	for _, name := range inputs {
		if !strings.Contains(text, "inputs."+name) {
			t.Errorf("input %s is used nowhere", name)
		}
	}
	for _, name := range keysUnder(text, "outputs") {
		if !strings.Contains(text, "value: ${{ steps.review.outputs."+name+" }}") {
			t.Errorf("output %s comes from nowhere", name)
		}
	}
	cmd := actionCommand(streams{})
	for _, m := range regexp.MustCompile(`(?m)^        INPUT_([A-Z_]+): `).FindAllStringSubmatch(text, -1) {
		flag := strings.ToLower(strings.ReplaceAll(m[1], "_", "-"))
		if cmd.Flags().Lookup(flag) == nil && flag != "token" {
			t.Errorf("the action hands over %s, and redline knows no --%s", m[0], flag)
		}
	}
	if len(inputs) < 15 {
		t.Errorf("only inputs %v were looked at", inputs)
	}
}

func keysUnder(text, block string) []string {
	_, rest, _ := strings.Cut(text, "\n"+block+":\n")
	var keys []string
	for line := range strings.Lines(rest) {
		if line[0] != ' ' && line != "\n" {
			break
		}
		if key, ok := strings.CutSuffix(strings.TrimRight(line, "\n"), ":"); ok && strings.HasPrefix(key, "  ") && key[2] != ' ' {
			keys = append(keys, key[2:])
		}
	}
	return keys
}
