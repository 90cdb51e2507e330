package store

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/report/record"
)

// A repo is a real repository in a temporary directory.
type repo struct {
	testing.TB
	dir string
}

func newRepo(t testing.TB, init ...string) repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_AUTHOR_DATE": "2001-02-03T04:05:06Z",
		"GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.com", "GIT_COMMITTER_DATE": "2001-02-03T04:05:06Z",
	} {
		t.Setenv(name, value)
	}
	r := repo{t, t.TempDir()}
	r.git(append([]string{"init", "-q", "-b", "main"}, init...)...)
	return r
}

func (r repo) git(args ...string) string { r.Helper(); return r.gitIn("", args...) }

func (r repo) gitIn(in string, args ...string) string {
	r.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit writes files given as name, content, name, content, ... and commits everything.
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
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", "draft")
	return r.git("rev-parse", "HEAD")
}

// clone clones r over a real transport, so that --depth and --filter count, records and all.
func (r repo) clone(args ...string) repo {
	r.Helper()
	r.git("config", "uploadpack.allowFilter", "true")
	to := repo{r.TB, r.TempDir()}
	to.git(append(append([]string{"clone", "-q"}, args...), "file://"+filepath.ToSlash(r.dir), ".")...)
	to.git("fetch", "-q", "origin", "refs/redline/*:refs/redline/*", "refs/notes/*:refs/notes/*")
	return to
}

// deal is a contract whose one promise is kept or not. Each n is another draft.
func deal(n int, kept bool) string {
	want := "AG EF p.a"
	if !kept {
		want = "AG p.a"
	}
	return "contract \"deal\" {\n  title = \"Deal " + strings.Repeat("n", n) + `"
}

party "p" {
  state "a" {}
  state "b" {}
` + strings.Repeat("  flag \"f"+strings.Repeat("x", n)+"\" {}\n", min(n, 1)) + `  transition "go" {
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
}
`
}

var noon = time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)

// attestation is of a commit, as the command makes it.
func (r repo) attestation(rev string) *Attestation {
	r.Helper()
	commit := r.git("rev-parse", rev)
	tree, err := gitfs.Open(r.Context(), r.dir, commit)
	if err != nil {
		r.Fatal(err)
	}
	defer tree.Close()
	drafts, err := engine.Tree{FS: tree, Root: "."}.Drafts(r.Context(), nil, 1)
	if err != nil {
		r.Fatal(err)
	}
	b := finding.Budget{Jobs: 1}
	return &Attestation{Repo: At(r.dir), Commit: commit, Drafts: drafts, Results: engine.CheckAll(r.Context(), drafts, b), Tool: "v1", Now: noon,
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
	v := &Verification{Repo: At(r.dir), Tool: "v1", Reading: Reading{Budget: finding.Budget{Jobs: 1}}}
	for _, w := range with {
		w(v)
	}
	commit := r.git("rev-parse", rev)
	found, err := v.Commit(r.Context(), commit, r.dirs(commit))
	if err != nil {
		r.Fatal(err)
	}
	return found
}

// dirs are the contracts of a commit.
func (r repo) dirs(commit string) (list []string) {
	r.Helper()
	seen := map[string]bool{}
	for name := range strings.SplitSeq(r.git("ls-tree", "-r", "--name-only", commit), "\n") {
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
