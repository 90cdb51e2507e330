package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/redlinehq/redline/cmd/redline/demo"
)

// A forge makes trees that no work tree could hold.
type forge struct {
	*testing.T
	dir string
}

func newForge(t *testing.T) forge {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	f := forge{t, t.TempDir()}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	f.git(nil, "init", "-q", "-b", "main")
	return f
}

// git runs one command and returns what it prints.
func (f forge) git(stdin io.Reader, args ...string) string {
	f.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Dir, cmd.Stdin = f.dir, stdin
	out, err := cmd.Output()
	if err != nil {
		f.Fatalf("git %q: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

func (f forge) blob(text string) string {
	f.Helper()
	return f.git(strings.NewReader(text), "hash-object", "-w", "--stdin")
}

// entries are a tree's, by name: "100644 blob ID", "120000 blob ID", "160000 commit ID" or "040000 tree ID".
type entries map[string]string

// tree makes one directory. Git takes any name here but those with a slash.
func (f forge) tree(all entries) string {
	f.Helper()
	var b strings.Builder
	for name, what := range all {
		b.WriteString(what + "\t" + name + "\x00")
	}
	return f.git(strings.NewReader(b.String()), "mktree", "-z", "--missing")
}

func (f forge) commit(tree string, parents ...string) string {
	f.Helper()
	args := []string{"commit-tree", tree, "-m", "forged"}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	return f.git(nil, args...)
}

// sale is the example, as entries.
func (f forge) sale() entries {
	f.Helper()
	dir := filepath.Join(f.TempDir(), "sale")
	if err := demo.CopyExample(io.Discard, "sale", dir); err != nil {
		f.Fatal(err)
	}
	all := entries{}
	files, err := os.ReadDir(dir)
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			f.Fatal(err)
		}
		all[file.Name()] = "100644 blob " + f.blob(string(text))
	}
	return all
}

func (e entries) and(name, what string) entries {
	more := maps.Clone(e)
	more[name] = what
	return more
}

// pull is a pull request from one tree to another, as its merge commit.
func (f forge) pull(base, head string) pull {
	f.Helper()
	p := pull{T: f.T, origin: f.dir, base: f.commit(base)}
	p.head = f.commit(head, p.base)
	p.merge = f.commit(head, p.base, p.head)
	f.git(nil, "update-ref", "--no-deref", "HEAD", p.merge)
	return p
}

// told runs the action where the merge commit is HEAD and nothing is checked out, which redline never looks at.
func (p pull) told() told {
	p.Helper()
	files := p.TempDir()
	at := func(name string) string { return filepath.Join(files, name) }
	for name, text := range map[string]string{"event": p.payload(), "summary": "", "output": ""} {
		if err := os.WriteFile(at(name), []byte(text), 0o666); err != nil {
			p.Fatal(err)
		}
	}
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GITHUB_") || strings.HasPrefix(name, "INPUT_") {
			p.Setenv(name, "")
		}
	}
	for name, value := range map[string]string{
		"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": at("event"), "GITHUB_SHA": p.merge,
		"GITHUB_STEP_SUMMARY": at("summary"), "GITHUB_OUTPUT": at("output"),
	} {
		p.Setenv(name, value)
	}
	p.Chdir(p.origin)
	var out, errs bytes.Buffer
	status := Main([]string{"action"}, streams{strings.NewReader(""), &out, &errs})
	return told{status, out.String() + errs.String(), p.read(at("summary")), p.read(at("output"))}
}

// obeyed finds a line of the log that the runner would take for a command of a stranger's.
func obeyed(log string) string {
	quoted := ""
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\r\n")
		token, stops := strings.CutPrefix(line, "::stop-commands::")
		switch {
		case quoted != "" && line == "::"+quoted+"::":
			quoted = ""
		case quoted != "":
		case stops:
			quoted = token
		case strings.HasPrefix(strings.TrimSpace(line), "::") && !strings.HasPrefix(line, "::error ") && !strings.HasPrefix(line, "::warning ") &&
			!strings.HasPrefix(line, "::notice") && !strings.HasPrefix(line, "::error::"):
			return line
		}
		if strings.ContainsAny(line, "\x1b\u202e") || strings.Contains(line, "##[") {
			return line
		}
	}
	return ""
}

// What a tree of git can hold and a work tree can't, or should not.
func TestHostileTrees(t *testing.T) {
	const wrong = "party \"x\" {\n"
	const bad = "bad\n::error::pwned\u202e@octocat"
	for name, c := range map[string]struct {
		head   func(forge, entries) entries // the top of head, from the files of the sale
		status int
		says   string
	}{
		"a link out of the tree": {func(f forge, sale entries) entries {
			return entries{"sale": "040000 tree " + f.tree(sale.and("x.contract.hcl", "120000 blob "+f.blob("../../../../etc/passwd")))}
		}, 2, "not a regular file"},
		"a link for a directory": {func(f forge, sale entries) entries {
			return entries{"sale": "040000 tree " + f.tree(sale), "alias": "120000 blob " + f.blob("sale")}
		}, 0, "changes nothing that the contracts mean"},
		"a link in place of a contract": {func(f forge, sale entries) entries {
			return entries{"sale": "120000 blob " + f.blob("elsewhere"), "elsewhere": "040000 tree " + f.tree(sale)}
		}, 0, "changes nothing that the contracts mean"},
		"a submodule": {func(f forge, sale entries) entries {
			return entries{"sale": "040000 tree " + f.tree(sale), "module": "160000 commit " + strings.Repeat("12", 20)}
		}, 0, "changes nothing that the contracts mean"},
		"a submodule for a file": {func(f forge, sale entries) entries {
			return entries{"sale": "040000 tree " + f.tree(sale.and("x.contract.hcl", "160000 commit "+strings.Repeat("12", 20)))}
		}, 2, "not a regular file"},
		"a way up": {func(f forge, sale entries) entries {
			return entries{"sale": "040000 tree " + f.tree(sale), "..": "040000 tree " + f.tree(sale)}
		}, 2, "impossible name"},
		"git's own directory": {func(f forge, sale entries) entries {
			return entries{"sale": "040000 tree " + f.tree(sale), ".git": "040000 tree " + f.tree(entries{"x.contract.hcl": "100644 blob " + f.blob(wrong)})}
		}, 0, "changes nothing that the contracts mean"},
		"a file's name of two lines": {func(f forge, sale entries) entries {
			return entries{"sale": "040000 tree " + f.tree(sale.and(bad+".contract.hcl", "100644 blob "+f.blob(wrong)))}
		}, 2, "syntax"},
		"a directory's name of two lines": {func(f forge, sale entries) entries {
			return entries{"sale": "040000 tree " + f.tree(sale), bad: "040000 tree " + f.tree(entries{"x.contract.hcl": "100644 blob " + f.blob(wrong)})}
		}, 2, "syntax"},
		"names that differ in case": {func(f forge, sale entries) entries {
			return entries{"sale": "040000 tree " + f.tree(sale), "Sale": "040000 tree " + f.tree(sale), "SALE": "040000 tree " + f.tree(sale)}
		}, 0, "2 added"},
		"files that differ in case": {func(f forge, sale entries) entries {
			return entries{"sale": "040000 tree " + f.tree(sale.and("SELLER.contract.hcl", sale["seller.contract.hcl"]))}
		}, 2, "duplicate"},
		"settings that are a link": {func(f forge, sale entries) entries {
			return entries{"sale": "040000 tree " + f.tree(sale), ".github": "040000 tree " + f.tree(entries{"redline.hcl": "120000 blob " + f.blob("/etc/passwd")})}
		}, 2, "not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newForge(t)
			sale := f.sale()
			p := f.pull(f.tree(entries{"sale": "040000 tree " + f.tree(sale)}), f.tree(c.head(f, sale)))
			got := p.told()
			if got.status != c.status || !strings.Contains(got.log, c.says) {
				t.Errorf("exit status %d, want %d and %q in\n%s", got.status, c.status, c.says, got.log)
			}
			if line := obeyed(got.log); line != "" {
				t.Errorf("the log obeys a stranger: %q", line)
			}
			for _, text := range []string{got.log, got.summary} {
				if strings.Contains(text, "root:") || strings.Contains(got.summary, "\n::error") || strings.Contains(text, "\u202e") {
					t.Errorf("more is shown than should be:\n%s", text)
				}
			}
			t.Chdir(p.origin)
			found := filepath.Join(t.TempDir(), "found.json") // reviewed once, and then told in each other format
			for _, args := range [][]string{
				{"review", "--base", p.base, "--head", p.head, "--result", found},
				{"merge", found, "--format", "markdown"}, {"merge", found, "--format", "json"}, {"merge", found, "--format", "sarif"}, {"merge", found, "--format", "junit"},
			} {
				var out, errs bytes.Buffer
				status := Main(args, streams{strings.NewReader(""), &out, &errs})
				if status != c.status || strings.Contains(out.String()+errs.String(), "\u202e") {
					t.Errorf("%v: exit status %d: %s", args, status, errs.String())
				}
			}
		})
	}
}

// zeros are so many of them; git keeps them in little room.
type zeros struct{ left int }

func (z *zeros) Read(p []byte) (int, error) {
	if z.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), z.left)
	clear(p[:n])
	z.left -= n
	return n, nil
}

// A file of 200 MB is never read, in a contract, beside one, or as settings; and it ends nobody else's review.
func TestVastFiles(t *testing.T) {
	f := newForge(t)
	sale := f.sale()
	vast := "100644 blob " + f.git(&zeros{200_000_000}, "hash-object", "-w", "--stdin")
	amended := sale.and("seller.contract.hcl", "100644 blob "+f.blob("party \"seller\" {\n"))
	base := f.tree(entries{"sale": "040000 tree " + f.tree(sale), "other": "040000 tree " + f.tree(sale)})
	for name, c := range map[string]struct {
		head   string
		status int
		says   []string
	}{
		"in a contract": {f.tree(entries{"sale": "040000 tree " + f.tree(sale.and("x.contract.hcl", vast)), "other": "040000 tree " + f.tree(amended)}), 2, []string{"file-too-large", "other/seller.contract.hcl:1"}},
		"beside one":    {f.tree(entries{"sale": "040000 tree " + f.tree(sale.and("x.bin", vast)), "other": "040000 tree " + f.tree(sale)}), 0, []string{"changes nothing that the contracts mean"}},
		"as settings": {f.tree(entries{"sale": "040000 tree " + f.tree(sale), "other": "040000 tree " + f.tree(sale),
			".github": "040000 tree " + f.tree(entries{"redline.hcl": vast})}), 2, []string{"file-too-large"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := forge{t, f.dir}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := f.pull(base, c.head).told()
			runtime.ReadMemStats(&after)
			if got.status != c.status {
				t.Errorf("exit status %d, want %d", got.status, c.status)
			}
			for _, says := range c.says {
				if !strings.Contains(got.log, says) {
					t.Errorf("%q is not in\n%s", says, got.log)
				}
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Errorf("%d MiB were used", used>>20)
			}
		})
	}
}

// Five thousand contracts of which one is amended; with REDLINE_HEAVY set, of which all are.
func TestManyContracts(t *testing.T) {
	text := func(i int, more string) string {
		return fmt.Sprintf("contract \"c%d\" {\n  title = \"@octocat #%d\"\n}\nparty \"p\" {\n  state \"a\" {}\n  state \"b\" {}\n  transition \"go\" {\n    from = a\n    to   = b\n  }\n%s}\nrequirement \"arrives\" { ctl = \"AF p.b\" }\n", i, i, more)
	}
	const leave = "  state \"c\" {}\n  transition \"leave\" {\n    from = a\n    to   = c\n  }\n"
	for name, amended := range map[string]int{"one amended": 1, "all amended": 5000} {
		t.Run(name, func(t *testing.T) {
			if amended > 1 && os.Getenv("REDLINE_HEAVY") == "" {
				t.Skip("REDLINE_HEAVY is not set")
			}
			f := newForge(t)
			var b strings.Builder
			commit := func(mark int, from string, n int, more string) {
				fmt.Fprintf(&b, "commit refs/heads/main\nmark :%d\ncommitter a <a@example.com> 0 +0000\ndata 1\nx\n%s", mark, from)
				for i := range n {
					s := text(i, more)
					fmt.Fprintf(&b, "M 100644 inline contracts/c%d/c.contract.hcl\ndata %d\n%s\n", i, len(s), s)
				}
			}
			commit(1, "", 5000, "")
			commit(2, "from :1\n", amended, leave)
			f.git(strings.NewReader(b.String()), "fast-import", "--quiet")
			p := f.pull(f.git(nil, "rev-parse", "main~1^{tree}"), f.git(nil, "rev-parse", "main^{tree}"))
			got := p.told()
			if got.status != 1 || !strings.Contains(got.output, fmt.Sprintf("\n%d\n", amended)) {
				t.Errorf("exit status %d, outputs %s", got.status, got.output)
			}
			if len(got.summary) > 1<<20 || strings.Contains(got.summary, "@octocat") {
				t.Errorf("a summary of %d bytes", len(got.summary))
			}
			if n := strings.Count(got.log, "\n::error "); n > 10 {
				t.Errorf("%d errors as annotations", n)
			}
			if line := obeyed(got.log); line != "" {
				t.Errorf("the log obeys a stranger: %q", line)
			}
		})
	}
}
