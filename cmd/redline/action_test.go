package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redlinehq/redline/cmd/redline/demo"
	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
)

// A pull is a pull request on the example sale, in the hands of a runner.
type pull struct {
	*testing.T
	origin            string // directory
	base, head, merge string // commits
	sha, ref          string // what the run is for; empty: what is checked out, and the default branch
}

// open makes a pull request that changes the sale by edit.
func open(t *testing.T, edit func(seller string) error) pull {
	t.Helper()
	return openBeside(t, nil, edit)
}

// openBeside is open in a repository with what others write into base.
func openBeside(t *testing.T, others func(top string) error, edit func(seller string) error) pull {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	p := pull{T: t, origin: t.TempDir()}
	sale := filepath.Join(p.origin, "sale")
	if err := demo.CopyExample(io.Discard, "sale", sale); err != nil {
		t.Fatal(err)
	}
	if others != nil {
		if err := others(p.origin); err != nil {
			t.Fatal(err)
		}
	}
	p.git("init -q -b main", "add .", "commit -q -m sale")
	p.base = p.commit()
	p.git("checkout -q -b amendment")
	if err := edit(filepath.Join(sale, "seller.contract.hcl")); err != nil {
		t.Fatal(err)
	}
	p.merged("commit -q -a -m amendment")
	return p
}

// merged runs commands that commit to the amendment, and merges it.
func (p *pull) merged(commands ...string) {
	p.Helper()
	p.git(append(commands, "checkout -q -B merge main", "merge -q --no-ff -m merge amendment")...)
	both := p.commits("amendment", "merge")
	p.head, p.merge = both[0], both[1]
}

func (p pull) git(commands ...string) {
	p.Helper()
	for _, c := range commands {
		args := append([]string{"-c", "user.name=redline", "-c", "user.email=demo@redline.invalid", "-c", "commit.gpgsign=false"}, strings.Fields(c)...)
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = p.origin, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			p.Fatalf("git %s: %v: %s", c, err, out)
		}
	}
}

func (p pull) commit() string { p.Helper(); return p.commits("HEAD")[0] }

// commits returns the commits with these names.
func (p pull) commits(names ...string) []string {
	p.Helper()
	return strings.Fields(gittest.GitIn(p, p.origin, "", append([]string{"rev-parse"}, names...)...))
}

// A told is what GitHub got to know.
type told struct {
	status               int
	log, summary, output string
}

// checkout returns a directory in which a commit is checked out as actions/checkout does. It is a copy: git makes one for all.
func (p pull) checkout(commit string) string {
	p.Helper()
	first := pull{T: p.T, origin: p.origin + "-" + commit}
	if err := os.Mkdir(first.origin, 0o777); err == nil {
		first.git("init -q", "remote add origin file://"+filepath.ToSlash(p.origin), "fetch -q --depth=1 origin "+commit, "checkout -q --detach "+commit)
	} else if !errors.Is(err, fs.ErrExist) {
		p.Fatal(err)
	}
	clone := p.TempDir()
	if err := os.CopyFS(clone, os.DirFS(first.origin)); err != nil {
		p.Fatal(err)
	}
	return clone
}

// run checks a commit out and runs the action in it.
func (p pull) run(checkout, event, payload string, inputs ...string) told {
	p.Helper()
	clone, files := p.checkout(checkout), p.TempDir()
	for _, kv := range os.Environ() { // of a runner that runs this test
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GITHUB_") || strings.HasPrefix(name, "INPUT_") {
			p.Setenv(name, "")
		}
	}
	at := func(name string) string { return filepath.Join(files, name) }
	if err := os.WriteFile(at("event"), []byte(payload), 0o666); err != nil {
		p.Fatal(err)
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": at("event"), "GITHUB_SHA": cmp.Or(p.sha, checkout), "GITHUB_REF": cmp.Or(p.ref, "refs/heads/main"),
		"GITHUB_STEP_SUMMARY": at("summary"), "GITHUB_OUTPUT": at("output"),
	} {
		p.Setenv(name, value)
	}
	for i := 0; i < len(inputs); i += 2 {
		p.Setenv(inputs[i], inputs[i+1])
	}
	p.Chdir(clone)
	var out, errs bytes.Buffer
	status := Main([]string{"action"}, streams{strings.NewReader(""), &out, &errs})
	if errs.Len() > 0 {
		p.Errorf("standard error: %s", &errs)
	}
	return told{status, out.String(), p.read(at("summary")), p.read(at("output"))}
}

func (p pull) read(name string) string {
	p.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		p.Fatal(err)
	}
	return string(raw)
}

func (p pull) payload() string {
	return fmt.Sprintf(`{"pull_request": {"base": {"sha": %q}, "head": {"sha": %q}}, "repository": {"default_branch": "main"}}`, p.base, p.head)
}

func TestActionOnPullRequest(t *testing.T) {
	p := open(t, addWithdrawal)
	for name, c := range map[string]struct {
		checkout string
		inputs   []string
		status   int
	}{
		"the merge commit":   {checkout: p.merge, status: 1},
		"head":               {checkout: p.head, status: 1},
		"never":              {checkout: p.merge, inputs: []string{"INPUT_FAIL_ON", "never"}, status: 0},
		"any, empty, blanks": {checkout: p.merge, inputs: []string{"INPUT_FAIL_ON", " any ", "INPUT_MAX_STATES", ""}, status: 1},
		"few states":         {checkout: p.merge, inputs: []string{"INPUT_MAX_STATES", "2", "INPUT_FIRING", "all"}, status: 3},
	} {
		t.Run(name, func(t *testing.T) {
			p := p
			p.T = t
			got := p.run(c.checkout, "pull_request", p.payload(), c.inputs...)
			if got.status != c.status {
				t.Errorf("exit status %d, want %d", got.status, c.status)
			}
			broken := c.status == 1 || name == "never"
			for _, c := range []struct{ in, text string }{
				{got.log, "title=Broken%3A goods-not-withdrawn::"},
				{got.summary, "| **broken** |"}, {got.output, "new<<_GitHubActionsFileCommandDelimeter_\n2\n"},
			} {
				if found := strings.Contains(c.in, c.text); found != broken {
					t.Errorf("%q is there: %t, in\n%s", c.text, found, c.in)
				}
			}
			if fetched := strings.Contains(got.log, "not the merge commit"); fetched != (name == "head") {
				t.Errorf("a notice of the base: %t", fetched)
			}
		})
	}
}

// byMain is the part of a payload that makes main the default branch.
const byMain = `"repository": {"default_branch": "main"}`

func TestActionOnOtherEvents(t *testing.T) {
	p := open(t, addWithdrawal)
	none := strings.Repeat("0", 40)
	for name, c := range map[string]struct {
		checkout, event, payload string
		status                   int
		says                     string
	}{
		"merge queue":      {p.merge, "merge_group", `{"merge_group": {"base_sha": "` + p.base + `"}}`, 1, "title=Broken%3A goods-not-withdrawn"},
		"push":             {p.merge, "push", `{"before": "` + p.base + `"}`, 1, "title=Broken%3A goods-not-withdrawn"},
		"push of the same": {p.base, "push", `{"before": "` + p.base + `"}`, 0, "changes nothing that the contracts mean"},
		"first push":       {p.base, "push", `{"before": "` + none + `", ` + byMain + `}`, 0, "The branch is new"},
		"another branch":   {p.base, "push", `{"before": "` + none + `"}`, 2, "a dropped promise would pass"},
		"by hand, sound":   {p.base, "workflow_dispatch", `{` + byMain + `}`, 0, "hold"},
		"by hand, broken":  {p.merge, "workflow_dispatch", `{` + byMain + `}`, 1, "title=Violated%3A goods-not-withdrawn"},
		"by hand, branch":  {p.merge, "workflow_dispatch", `{"repository": {"default_branch": "trunk"}}`, 2, "a dropped promise would pass"},
		"unknown base":     {p.merge, "push", `{"before": "` + strings.Repeat("ab", 20) + `"}`, 2, "could not be fetched"},
		"target":           {p.base, "pull_request_target", p.payload(), 2, "let the workflow run on pull_request"},
	} {
		t.Run(name, func(t *testing.T) {
			p := p
			p.T = t
			got := p.run(c.checkout, c.event, c.payload)
			if got.status != c.status || !strings.Contains(got.log, c.says) {
				t.Errorf("exit status %d, want %d and %q in\n%s", got.status, c.status, c.says, got.log)
			}
			if got.summary == "" || got.output == "" {
				t.Error("no summary, or no outputs")
			}
		})
	}
}

func TestActionRefusesInputs(t *testing.T) {
	p := open(t, addWithdrawal)
	for input, value := range map[string]string{
		"INPUT_FAIL_ON": "sometimes\n::error::no", "INPUT_MAX_STATES": "many", "INPUT_MAX_MEMORY": "1 TB",
		"INPUT_TIMEOUT": "soon", "INPUT_JOBS": "$(id)", "INPUT_FIRING": "two", "INPUT_TODAY": "$(date)",
	} {
		t.Run(input, func(t *testing.T) {
			p := p
			p.T = t
			got := p.run(p.merge, "pull_request", p.payload(), input, value)
			name := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(input, "INPUT_"), "_", "-"))
			if got.status != 2 || !strings.Contains(got.log, "::error title=redline could not run::input "+name) {
				t.Errorf("exit status %d:\n%s", got.status, got.log)
			}
			if !strings.Contains(got.output, "status<<_GitHubActionsFileCommandDelimeter_\nfailed\n") {
				t.Errorf("outputs %q", got.output)
			}
		})
	}
}

// What cannot be told changes no verdict.
func TestActionWithoutSummary(t *testing.T) {
	p := open(t, addWithdrawal)
	p.run(p.merge, "pull_request", p.payload()) // sets the environment and the directory
	t.Setenv("GITHUB_STEP_SUMMARY", t.TempDir())
	t.Setenv("GITHUB_OUTPUT", "")
	var out, errs bytes.Buffer
	if status := Main([]string{"action"}, streams{strings.NewReader(""), &out, &errs}); status != 1 {
		t.Errorf("exit status %d", status)
	}
	for _, want := range []string{"::notice title=The verdict stands", "writing the job summary", "writing the outputs"} {
		if !strings.Contains(out.String(), want) || errs.Len() > 0 {
			t.Errorf("the log lacks %q: %s\n%s", want, &out, &errs)
		}
	}
}

// The titles of a contract are commands to nobody, whether hclspec lets them through or quotes them
// in a refusal.
func TestActionOnHostileContract(t *testing.T) {
	const evil = `\n::add-mask::s\n::error::pwned\r\n##[error]pwned @octocat %0A::set-output name=status::clean`
	for text, status := range map[string]int{evil: 1, evil + ` \u202e \u001b[31m`: 2, "\u202e " + evil: 2} {
		p := open(t, func(seller string) error { return retitle(seller, text) })
		got := p.run(p.merge, "pull_request", p.payload())
		if got.status != status || !strings.Contains(got.log, "pwned") || !strings.Contains(got.summary, "pwned") {
			t.Errorf("the titles are not shown; exit status %d\n%s", got.status, got.log)
		}
		for where, text := range map[string]string{"log": got.log, "summary": got.summary} {
			if strings.ContainsAny(text, "\x1b\r\u202e") || strings.Contains(text, "\n::add-mask") || strings.Contains(text, "##[") {
				t.Errorf("the %s obeys a stranger: %q", where, text)
			}
		}
		if status == 1 && strings.Contains(got.summary, "@octocat") { // a refusal quotes the line in a code block
			t.Error("the summary mentions somebody")
		}
		for line := range strings.Lines(got.log) {
			if strings.HasPrefix(line, "::error") && !strings.HasPrefix(line, "::error col=") {
				t.Errorf("annotation %q", line)
			}
		}
	}
}

// retitle amends the seller's view so that its titles are text.
func retitle(seller, text string) error {
	if err := addWithdrawal(seller); err != nil {
		return err
	}
	raw, err := os.ReadFile(seller)
	if err != nil {
		return err
	}
	titles := strings.NewReplacer("goods available", text, "withdraws the goods", text)
	return os.WriteFile(seller, []byte(titles.Replace(string(raw))), 0o666)
}

// addWithdrawal lets the seller of the example sale withdraw: it adds the clause before the closing brace of the party, whose file this is.
func addWithdrawal(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	body := strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(string(text)), "}"), "\n")
	return os.WriteFile(name, []byte(body+`

  transition "withdraw" {
    title  = "the seller withdraws the goods"
    clause = "4.2 (new)"
    from   = S2
    to     = S0
    set    = { GAV = false }
  }
}
`), 0o666)
}
