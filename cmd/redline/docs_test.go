package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/cmd/redline/demo"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/settings"
)

// Pages for people are executed from top to bottom, as a reader would. What stands after the language of a block says how:
//
//	sh                commands, each of which succeeds, or has the status that its comment gives: "# exit status 1"
//	console           commands after "$ ", and below each what it prints; -update writes that anew
//	console part      the same, of which a part is shown
//	console clone     commands at the top of this repository
//	hcl file=F        F is to have this text; with before='LINE', too: F is to have it, and a blank line, before the line that has LINE in it
//	hcl end=F         F is to have it at its end, after a blank line
//	hcl in=F          F has these lines; F is here, or in this repository
//	diff file=F       F has the lines that begin with - or a blank, once, and is to have those that begin with + or a blank in their place
//	hcl settings      settings
//	hcl, hcl error=C  a contract or a part of one, as hclspec/README.md has them: without a mistake, or with that one
//	yaml              a workflow that README.md or a page of workflowPages gives, where it is run; with file=F it is written there, and with in=F a command has written it
//	csv               likewise: file=F, or in=F
//	go                a program: engine/readme_test.go runs it
//	json, lua         not executed
//
// A picture is what a command of the page wrote into a file of that name.
//
// A page is a directory of its own, a git repository without contracts, and has a GitHub repository to push to.

// A block is one of a page, with where its text begins and ends in that.
type block struct {
	info, text string
	from, to   int
}

var fences = regexp.MustCompile("(?ms)^```([^\n`]*)\n(.*?)^```$")

func blocksOf(t *testing.T, name string) (blocks []block) {
	t.Helper()
	text := fileText(t, name)
	for _, m := range fences.FindAllStringSubmatchIndex(text, -1) {
		blocks = append(blocks, block{text[m[2]:m[3]], text[m[4]:m[5]], m[4], m[5]})
	}
	if 2*len(blocks) != len(regexp.MustCompile("(?m)^```").FindAllString(text, -1)) {
		t.Fatalf("%s has a block that does not begin or end as others do", name)
	}
	return blocks
}

func (b block) language() string { word, _, _ := strings.Cut(b.info, " "); return word }

// option is the value of NAME=VALUE or NAME='VALUE' after the language.
func (b block) option(name string) string {
	m := regexp.MustCompile(` ` + name + `=(?:'([^']*)'|(\S+))`).FindStringSubmatch(b.info)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

// has reports whether a word stands after the language.
func (b block) has(word string) bool { return slices.Contains(strings.Fields(b.info)[1:], word) }

// A reader is at work on a page.
type reader struct {
	*testing.T
	status int    // of the last command
	branch string // the last one pushed
	days   int    // that have passed: each commit is made on another
	ran    map[string]int
	clone  string // this repository
	// of a release: what was fetched, and compared with its checksum
	fetched, compared []string
}

// read executes a page in the working directory. Clone is this repository.
func read(t *testing.T, page, clone string) *reader {
	t.Helper()
	r := &reader{T: t, ran: map[string]int{}, clone: clone}
	text, at := fileText(t, page), 0
	work, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	r.settle()
	var anew strings.Builder
	for _, b := range blocksOf(t, page) {
		anew.WriteString(text[at:b.from])
		at = b.to
		if b.language() == "console" && b.has("clone") {
			t.Chdir(clone)
			anew.WriteString(r.session(b))
			t.Chdir(work)
			continue
		}
		anew.WriteString(r.block(b))
	}
	anew.WriteString(text[at:])
	r.pictures(page, text)
	if *update && anew.String() != text {
		if err := os.WriteFile(page, []byte(anew.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// pictures compares those that the page shows with those that its commands have drawn.
func (r *reader) pictures(page, text string) {
	for _, m := range regexp.MustCompile(`!\[[^\]]+\]\(([^\s:]+\.svg)\)`).FindAllStringSubmatch(text, -1) {
		drawn, shown := fileText(r.T, m[1]), filepath.Join(filepath.Dir(page), m[1])
		if *update {
			r.write(shown, drawn)
		}
		if fileText(r.T, shown) != drawn {
			r.Errorf("%s is not what is drawn (go test ./cmd/redline -run %s -update)", m[1], r.Name())
		}
	}
}

// settle gives git a name, a repository here, and one that stands for the one on GitHub.
func (r *reader) settle() {
	github := filepath.Join(r.TempDir(), "deals.git")
	if err := demo.IsolatedGit(r.Context(), ".", "init -q --bare -b main "+github, "init -q -b main", "commit -q --allow-empty -m start"); err != nil {
		r.Fatal(err)
	}
	for _, kv := range [][2]string{
		{"GIT_CONFIG_GLOBAL", os.DevNull}, {"GIT_CONFIG_NOSYSTEM", "1"}, {"NO_COLOR", "1"}, {"GIT_CONFIG_COUNT", "3"},
		{"GIT_CONFIG_KEY_0", "url." + github + ".insteadOf"}, {"GIT_CONFIG_VALUE_0", "https://github.com/you/deals.git"},
		{"GIT_CONFIG_KEY_1", "user.name"}, {"GIT_CONFIG_VALUE_1", "A. Drafter"},
		{"GIT_CONFIG_KEY_2", "user.email"}, {"GIT_CONFIG_VALUE_2", "drafter@example.com"},
	} {
		r.Setenv(kv[0], kv[1])
	}
}

// block executes one, and returns it as it should be.
func (r *reader) block(b block) string {
	switch b.language() {
	case "sh":
		for line := range strings.Lines(b.text) {
			r.typed(line)
		}
	case "console":
		return r.session(b)
	case "hcl":
		r.hcl(b)
	case "yaml":
		r.workflow(b)
	case "csv":
		if !r.file(b) {
			r.Errorf("nobody knows which file this is: %s", b.text)
		}
	case "diff":
		r.diff(b)
	case "json", "lua", "go":
	default:
		r.Errorf("nobody knows what to do with a block of %q:\n%s", b.info, b.text)
	}
	r.ran[b.language()]++
	return b.text
}

// typed runs a line of a shell block.
func (r *reader) typed(line string) {
	command, comment, _ := strings.Cut(line, "#")
	if strings.TrimSpace(command) == "" {
		return
	}
	out := r.shell(command)
	want := 0
	if m := regexp.MustCompile(`exit status (\d)`).FindStringSubmatch(comment); m != nil {
		want = int(m[1][0] - '0')
	}
	if r.status != want {
		r.Errorf("%s: exit status %d, want %d\n%s", strings.TrimSpace(line), r.status, want, out)
	}
}

// session runs what stands after each "$ ", and returns the block with what is printed.
func (r *reader) session(b block) string {
	r.ran["console"]++
	var anew strings.Builder
	for _, part := range strings.Split("\n"+b.text, "\n$ ")[1:] {
		command, shown, _ := strings.Cut(strings.TrimSuffix(part, "\n")+"\n", "\n")
		out := r.shell(command)
		part := b.has("part")
		switch {
		case part && (strings.TrimSpace(shown) == "" || !strings.Contains(out, shown)):
			r.Errorf("%s does not print what the page shows, but\n%s", command, out)
		case !part && out != shown && !*update:
			r.Errorf("%s does not print what the page shows (go test ./cmd/redline -run %s -update writes it anew), but\n%s", command, r.Name(), out)
		}
		if part {
			out = shown
		}
		fmt.Fprintf(&anew, "$ %s\n%s", command, out)
	}
	return anew.String()
}

// file does what a block says of a file, and tells whether it says anything.
func (r *reader) file(b block) bool {
	if file := b.option("file"); file != "" {
		r.put(file, b.option("before"), b.text)
		return true
	}
	if file := b.option("end"); file != "" {
		r.write(file, fileText(r.T, file)+"\n"+b.text)
		return true
	}
	file := b.option("in")
	if _, err := os.Stat(file); err != nil && file != "" {
		file = filepath.Join(r.clone, file)
	}
	if file != "" && !strings.Contains(fileText(r.T, file), b.text) {
		r.Errorf("%s does not have\n%s", file, b.text)
	}
	return file != ""
}

// diff replaces lines of a file.
func (r *reader) diff(b block) {
	var before, after strings.Builder
	for line := range strings.Lines(b.text) {
		if line[0] != '+' {
			before.WriteString(line[1:])
		}
		if line[0] != '-' {
			after.WriteString(line[1:])
		}
	}
	file := b.option("file")
	text := fileText(r.T, file)
	if strings.Count(text, before.String()) != 1 {
		r.Fatalf("%s has not once\n%s", file, before.String())
	}
	r.write(file, strings.Replace(text, before.String(), after.String(), 1))
}

func (r *reader) hcl(b block) {
	if r.file(b) {
		return
	}
	if strings.HasSuffix(b.info, " settings") {
		if _, diags := settings.Parse([]byte(b.text), settings.File); diags != nil {
			r.Errorf("%s\n%v", b.text, diags)
		}
		return
	}
	dir := r.TempDir()
	r.write(filepath.Join(dir, "c.contract.hcl"), complete(b.text))
	var out bytes.Buffer
	status := Main([]string{"check", dir}, streams{strings.NewReader(""), &out, &out})
	if mistake := b.option("error"); mistake != "" {
		if status != 2 || !strings.Contains(out.String(), "["+mistake+"]") {
			r.Errorf("%s\nis not the mistake %s:\n%s", b.text, mistake, out.String())
		}
	} else if status != 0 {
		r.Errorf("%s\nexit status %d:\n%s", b.text, status, out.String())
	}
}

// complete adds what a fragment lacks to be a contract.
func complete(fragment string) string {
	if !regexp.MustCompile(`(?m)^contract `).MatchString(fragment) {
		fragment += "\ncontract \"c\" {}\n"
	}
	if !regexp.MustCompile(`(?m)^(party|net) `).MatchString(fragment) {
		fragment += "\nparty \"seller\" {\n  state \"S0\" {}\n}\n"
	}
	return fragment
}

// put writes a text into a file, or adds it before the one line that has something in it.
func (r *reader) put(file, before, text string) {
	if before == "" {
		r.write(file, text)
		return
	}
	lines := slices.Collect(strings.Lines(fileText(r.T, file)))
	is := func(line string) bool { return strings.Contains(line, before) }
	at := slices.IndexFunc(lines, is)
	if at < 0 || slices.IndexFunc(lines[at+1:], is) >= 0 {
		r.Fatalf("%s has not one line with %q", file, before)
	}
	r.write(file, strings.Join(slices.Insert(lines, at, text, "\n"), ""))
}

func (r *reader) write(file, text string) {
	r.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		r.Fatal(err)
	}
}

// workflow looks whether it is one of workflows, which are run on a GitHub for tests (act_test.go).
func (r *reader) workflow(b block) {
	if !slices.ContainsFunc(pageWorkflows, func(w block) bool { return w.text == b.text }) {
		r.Errorf("this workflow is not one of those that are run:\n%s", b.text)
	}
	r.file(b)
}

// workflowPages are those that give workflows.
var workflowPages = []string{"README.md", ".github/docs/github.md", ".github/docs/runners.md", ".github/docs/records.md"}

// workflows returns those that the pages give, each once.
func workflows(t *testing.T) (all []block) {
	t.Helper()
	for _, page := range workflowPages {
		for _, b := range blocksOf(t, filepath.Join("../..", page)) {
			if b.language() == "yaml" && !slices.ContainsFunc(all, func(w block) bool { return w.text == b.text }) {
				all = append(all, b)
			}
		}
	}
	return all
}

// pageWorkflows is filled before anything changes the working directory.
var pageWorkflows []block

// TestPagesAreExecuted: what they tell their readers to do can be done, and prints what they show.
func TestPagesAreExecuted(t *testing.T) {
	pageWorkflows = workflows(t)
	top, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(top, ".github/docs/*.md"))
	if err != nil || len(pages) < 14 {
		t.Fatal(pages, err)
	}
	for _, page := range append(pages, filepath.Join(top, "README.md")) {
		if filepath.Base(page) == filepath.Base(commandsPage) { // which has a test of its own
			continue
		}
		name, err := filepath.Rel(top, page)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if ran := read(t, page, top).ran; name == "README.md" && (ran["sh"] < 3 || ran["console"] < 1 || ran["yaml"] != 1) {
				t.Errorf("only %v were run", ran)
			}
		})
	}
}

// TestQuotesForCounsel: what that page sets off are words of the review that 'redline demo --format markdown' prints.
func TestQuotesForCounsel(t *testing.T) {
	page := fileText(t, "../../.github/docs/counsel.md")
	review, _ := runMain(t, "demo", "--format", "markdown")
	quotes := regexp.MustCompile(`(?m)^ *> (.*)$`).FindAllStringSubmatch(page, -1)
	for _, q := range quotes {
		if !strings.Contains(review, q[1]) {
			t.Errorf("no review says %q", q[1])
		}
	}
	if len(quotes) < 4 || strings.Contains(page, "`") {
		t.Errorf("%d quotes, on a page that is to have no code", len(quotes))
	}
}

// TestWorkflowsForReaders: actionlint has nothing to say of those that pages give. REDLINE_ACTIONLINT is where it is, as in .ci/run.
func TestWorkflowsForReaders(t *testing.T) {
	actionlint := os.Getenv("REDLINE_ACTIONLINT")
	if actionlint == "" {
		t.Skip("REDLINE_ACTIONLINT is not set")
	}
	dir := t.TempDir()
	var names []string
	for i, b := range workflows(t) {
		names = append(names, filepath.Join(dir, fmt.Sprintf("%d.yml", i)))
		if err := os.WriteFile(names[i], []byte(b.text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), actionlint, names...).CombinedOutput(); err != nil || len(names) < 4 {
		t.Errorf("%d workflows: %v\n%s", len(names), err, out)
	}
}

// TestCodesAsExplained: of each page of a code with two examples, the first draws it and the second does not.
func TestCodesAsExplained(t *testing.T) {
	r := &reader{T: t}
	for _, c := range codes.All() {
		page, _ := codes.Lookup(c)
		examples := fences.FindAllStringSubmatch(page.Text, -1)
		if len(examples) != 2 {
			continue
		}
		if _, diags := settings.Parse([]byte(examples[1][2]), settings.File); diags == nil { // hclspec/settings reads those
			continue
		}
		for i, draws := range []bool{true, false} {
			dir := t.TempDir()
			text := examples[i][2]
			if c != "empty-contract" || !draws {
				text = complete(text)
			}
			r.write(filepath.Join(dir, "c.contract.hcl"), text)
			var out bytes.Buffer
			Main([]string{"check", dir}, streams{strings.NewReader(""), &out, &out})
			if strings.Contains(out.String(), "["+string(c)+"]") != draws {
				t.Errorf("%s: example %d\n%s\n%s", c, i+1, text, out.String())
			}
			r.status++
		}
	}
	if r.status < 60 {
		t.Errorf("only %d examples", r.status)
	}
}
