package history

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

// A repo is a repository whose drafts are recorded.
type repo struct{ gittest.Repo }

func newRepo(t testing.TB, init ...string) repo { return repo{gittest.New(t, init...)} }

func (r repo) clone(args ...string) repo { return repo{r.Repo.CloneAll(args...)} }

const deed = "a/x.contract.hcl"

// attest records the drafts of HEAD as they are judged on its day.
func (r repo) attest(by *record.Key, keys record.Keys) []store.Kept {
	r.Helper()
	commit := r.Git("rev-parse", "HEAD")
	tree, err := gitfs.Open(r.Context(), r.Dir, commit)
	if err != nil {
		r.Fatal(err)
	}
	defer tree.Close()
	drafts, err := engine.Tree{FS: tree, Root: "."}.Drafts(r.Context(), nil, 1)
	if err != nil {
		r.Fatal(err)
	}
	b := finding.Budget{Jobs: 1, Today: finding.Date(r.Day.Format(time.DateOnly))}
	a := &store.Attestation{Repo: store.At(r.Dir), Commit: commit, Drafts: drafts, Results: engine.CheckAll(r.Context(), drafts, b), Tool: "v1", Now: *r.Day,
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
		r.Commit(deed, gittest.Deal(i, i < 2, ""))
		r.attest(nil, nil)
	}
}

func (r repo) query(contract string) *Query {
	return &Query{Repo: store.At(r.Dir), Commit: r.Git("rev-parse", "HEAD"), Contract: contract, Here: ".", Check: r.check}
}

// check checks a draft, as the command does.
func (r repo) check(ctx context.Context, commit, dir string) (*finding.Result, error) {
	tree, err := gitfs.Open(ctx, r.Dir, commit)
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
