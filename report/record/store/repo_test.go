package store

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/record"
)

// A repo is a repository whose drafts are attested and verified.
type repo struct{ gittest.Repo }

func newRepo(t testing.TB, init ...string) repo { return repo{gittest.New(t, init...)} }

func (r repo) clone(args ...string) repo { return repo{r.Repo.CloneAll(args...)} }

// deal is a contract whose one promise is kept or not. Each n is another draft.
func deal(n int, kept bool) string { return gittest.Deal(n, kept, "") }

var noon = time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)

// attestation is of a commit, as the command makes it.
func (r repo) attestation(rev string) *Attestation {
	r.Helper()
	commit := r.Git("rev-parse", rev)
	tree, err := gitfs.Open(r.Context(), r.Dir, commit)
	if err != nil {
		r.Fatal(err)
	}
	defer tree.Close()
	drafts, err := engine.Tree{FS: tree, Root: "."}.Drafts(r.Context(), nil, 1)
	if err != nil {
		r.Fatal(err)
	}
	b := finding.Budget{Jobs: 1}
	return &Attestation{Repo: At(r.Dir), Commit: commit, Drafts: drafts, Results: engine.CheckAll(r.Context(), drafts, b), Tool: "v1", Now: noon,
		Reading: Reading{Budget: b}}
}

// attest records a commit.
func (r repo) attest(rev string, with ...func(*Attestation)) []Kept {
	r.Helper()
	a := r.attestation(rev)
	for _, w := range with {
		w(a)
	}
	kept, notices, err := a.Keep(r.Context())
	if err != nil || notices != nil {
		r.Fatalf("attest %s: %v %v", rev, notices, err)
	}
	return kept
}

func signedBy(k *record.Key) func(*Attestation) { return func(a *Attestation) { a.Key = k } }

// verify verifies a commit and its contracts.
func (r repo) verify(rev string, with ...func(*Verification)) *Report {
	r.Helper()
	v := &Verification{Repo: At(r.Dir), Tool: "v1", Reading: Reading{Budget: finding.Budget{Jobs: 1}}}
	for _, w := range with {
		w(v)
	}
	commit := r.Git("rev-parse", rev)
	var paths []string
	paths, v.LeftOut = r.within(commit)
	found, err := v.Commit(r.Context(), commit, paths)
	if err != nil {
		r.Fatal(err)
	}
	return found
}

// within returns the contracts of a commit, those that its settings include and those that they leave out.
func (r repo) within(commit string) (in, out []string) {
	r.Helper()
	wanted := settings.Default()
	if text := r.Git("ls-tree", "-r", commit, settings.File); text != "" {
		var wrong hcl.Diagnostics
		if wanted, wrong = settings.Parse([]byte(r.Git("show", commit+":"+settings.File)), settings.File); wrong.HasErrors() {
			r.Fatal(wrong)
		}
	}
	for _, dir := range r.dirs(commit) {
		if wanted.Includes(dir) {
			in = append(in, dir)
		} else {
			out = append(out, dir)
		}
	}
	return in, out
}

// dirs are the contracts of a commit.
func (r repo) dirs(commit string) (list []string) {
	r.Helper()
	seen := map[string]bool{}
	for name := range strings.SplitSeq(r.Git("ls-tree", "-r", "--name-only", commit), "\n") {
		if strings.HasSuffix(name, contractSuffix) && !seen[record.DirOf(name)] {
			seen[record.DirOf(name)] = true
			list = append(list, record.DirOf(name))
		}
	}
	return list
}

// fine wants nothing to be wrong.
func (r repo) fine(found *Report) *Report {
	r.Helper()
	if len(found.Problems) > 0 {
		r.Fatalf("%d records, and %+v", found.Records, found.Problems)
	}
	return found
}
