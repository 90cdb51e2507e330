package history

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

// A repo is a real repository in a temporary directory, whose commits are a day apart.
type repo struct {
	testing.TB
	dir string
	day *time.Time
}

func newRepo(t testing.TB, init ...string) repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.com",
	} {
		t.Setenv(name, value)
	}
	r := repo{t, t.TempDir(), &[]time.Time{first}[0]}
	r.git(append([]string{"init", "-q", "-b", "main"}, init...)...)
	return r
}

func (r repo) git(args ...string) string {
	r.Helper()
	r.Setenv("GIT_AUTHOR_DATE", r.day.Format(time.RFC3339))
	r.Setenv("GIT_COMMITTER_DATE", r.day.Format(time.RFC3339))
	return gitIn(r, r.dir, "", args...)
}

// commit writes files given as name, content, name, content, ... and commits everything, a day after the commit before.
func (r repo) commit(files ...string) string {
	r.Helper()
	for i := 0; i < len(files); i += 2 {
		full := filepath.Join(r.dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			r.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(files[i+1]), 0o666); err != nil {
			r.Fatal(err)
		}
	}
	*r.day = r.day.AddDate(0, 0, 1)
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", "draft")
	return r.git("rev-parse", "HEAD")
}

// clone clones r over a real transport, so that --depth and --filter count, with all records.
func (r repo) clone(args ...string) repo {
	r.Helper()
	r.git("config", "uploadpack.allowFilter", "true")
	to := repo{r.TB, r.TempDir(), r.day}
	to.git(append(append([]string{"clone", "-q"}, args...), "file://"+filepath.ToSlash(r.dir), ".")...)
	to.git("fetch", "-q", "origin", "refs/redline/*:refs/redline/*")
	return to
}

// deal is a contract with one requirement, kept or not. Each n is another draft; waiver is what stands in the requirement besides.
func deal(n int, kept bool, waiver string) string {
	want := "AG EF p.a"
	if !kept {
		want = "AG p.a"
	}
	return "contract \"deal\" {\n  title = \"Deal " + strings.Repeat("n", n) + `"
}

party "p" {
  state "a" {}
  state "b" {}
  transition "go" {
    from = a
    to   = b
  }
  transition "back" {
    from = b
    to   = a
  }
}

requirement "stays" {
  ctl = "` + want + `"
` + waiver + `}
`
}

const deed = "a/x.contract.hcl"

// attest records the drafts of HEAD as they are judged on its day.
func (r repo) attest(by *record.Key, keys record.Keys) []store.Kept {
	r.Helper()
	commit := r.git("rev-parse", "HEAD")
	tree, err := gitfs.Open(r.Context(), r.dir, commit)
	if err != nil {
		r.Fatal(err)
	}
	defer tree.Close()
	drafts, err := engine.Tree{FS: tree, Root: "."}.Drafts(r.Context(), nil, 1)
	if err != nil {
		r.Fatal(err)
	}
	b := finding.Budget{Jobs: 1, Today: finding.Date(r.day.Format(time.DateOnly))}
	a := &store.Attestation{Repo: store.At(r.dir), Commit: commit, Drafts: drafts, Results: engine.CheckAll(r.Context(), drafts, b), Tool: "v1", Now: *r.day,
		Reading: store.Reading{Budget: b}, Key: by, Keys: keys}
	kept, notices, err := a.Keep(r.Context())
	if err != nil || notices != nil {
		r.Fatalf("attest: %v %v", notices, err)
	}
	return kept
}

// drafts commits and records so many drafts: kept, broken from the third on.
func (r repo) drafts(n int) {
	r.Helper()
	for i := range n {
		r.commit(deed, deal(i, i < 2, ""))
		r.attest(nil, nil)
	}
}

func (r repo) query(contract string) *Query {
	return &Query{Repo: store.At(r.dir), Commit: r.git("rev-parse", "HEAD"), Contract: contract, Here: ".", Check: r.check}
}

// check checks a draft, as the command does.
func (r repo) check(ctx context.Context, commit, dir string) (*finding.Result, error) {
	tree, err := gitfs.Open(ctx, r.dir, commit)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	src, err := load.Dir(tree, dir, dir, expr.Values{})
	if err != nil {
		return nil, err
	}
	return verify.Check(ctx, compile.Compile(src, dir, nil), finding.Budget{Jobs: 1}), nil
}

func (r repo) find(q *Query) *History {
	r.Helper()
	h, err := q.Find(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { closed(r, h) })
	return h
}

// entries are what is kept of the drafts, the latest first.
func entries(t testing.TB, h *History) (all []*entry) {
	t.Helper()
	for e, err := range h.entries() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// formats are the ways to tell a history.
var formats = map[string]func(context.Context, io.Writer, *History, *Answer) error{
	"text": Text, "markdown": Markdown, "html": HTML,
	"json": func(ctx context.Context, to io.Writer, h *History, a *Answer) error { return JSON(ctx, to, h, a, "v1") },
}

func (r repo) told(format string, h *History, a *Answer) string {
	r.Helper()
	var b bytes.Buffer
	if err := formats[format](r.Context(), &b, h, a); err != nil {
		r.Fatal(err)
	}
	return b.String()
}

// text is what the command prints.
func (r repo) text(contract string) string {
	r.Helper()
	return r.told("text", r.find(r.query(contract)), nil)
}

// asked is the answer to a question about the requirement.
func (r repo) asked(contract string, holds bool) (*Answer, string) {
	r.Helper()
	q := r.query(contract)
	q.Filter.Requirement = "stays"
	h := r.find(q)
	a, err := h.Ask(r.Context(), "stays", holds)
	if err != nil {
		r.Fatal(err)
	}
	return a, r.told("text", h, a)
}

// says wants each part to be in a text.
func (r repo) says(text string, parts ...string) {
	r.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			r.Errorf("%q is not in:\n%s", p, text)
		}
	}
}
