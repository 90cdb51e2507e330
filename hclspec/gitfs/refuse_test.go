package gitfs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// refused checks an error's kind, that it is never "no such file", and that it says the words.
func refused(t *testing.T, err, kind error, words ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("got %v, want %v", err, kind)
	}
	if errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v reads as a missing file", err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	r := newRepo(t)
	commit := r.Commit(deal...)
	r.Git("branch", "amendment")
	r.Git("branch", "both")
	r.Git("tag", "both")
	r.Git("update-ref", "refs/remotes/origin/trunk", commit)
	unknown := strings.Repeat("0", len(commit)-1) + "1"
	for rev, want := range map[string]struct {
		kind  error
		words string
	}{
		"":                  {errNoRevision, "empty"},
		"-x":                {errNoRevision, "hyphen"},
		"--upload-pack=x":   {errNoRevision, "hyphen"},
		"main\n":            {errNoRevision, "control characters"},
		"main\x00":          {errNoRevision, "control characters"},
		"^main":             {errNoRevision, "not one revision"},
		"main..HEAD":        {errNoRevision, "exist"},
		"HEAD^5":            {errNoRevision, "git branch --all"},
		"main:sale.txt":     {errNoRevision, "names a blob"},
		":/draft":           {errNoRevision, "is a search"},
		"amendmnt":          {errNoRevision, `did you mean "amendment"?`},
		"trunk":             {errNoRevision, `did you mean "origin/trunk"?`},
		"entirely-else":     {errNoRevision, "git branch --all"},
		unknown:             {errNoRevision, "git fetch origin " + unknown},
		"both":              {ErrAmbiguous, "refs/heads/NAME"},
		"x; rm -rf $(echo)": {errNoRevision, "exist"},
	} {
		_, err := Resolve(t.Context(), r.Dir, rev)
		refused(t, err, want.kind, want.words)
		if _, err := Open(t.Context(), r.Dir, rev); !errors.Is(err, want.kind) {
			t.Errorf("Open(%q): %v", rev, err)
		}
	}
	for _, rev := range []string{"HEAD", "main", "refs/tags/both", commit, commit[:8], "HEAD^0", "@"} {
		if got, err := Resolve(t.Context(), r.Dir, rev); err != nil || got != commit {
			t.Errorf("Resolve(%q) = %q, %v", rev, got, err)
		}
	}
}

func TestNoRepository(t *testing.T) {
	newRepo(t)
	nowhere := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(nowhere))
	_, err := Open(t.Context(), nowhere, "HEAD")
	refused(t, err, ErrNotRepository, "git init")
	_, err = Top(t.Context(), nowhere)
	refused(t, err, ErrNotRepository)
	if _, err = Open(t.Context(), filepath.Join(nowhere, "none"), "HEAD"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("directory that does not exist: %v", err)
	}
}

func TestNoCommits(t *testing.T) {
	r := newRepo(t)
	for _, rev := range []string{"HEAD", "main", "other"} {
		_, err := Open(t.Context(), r.Dir, rev)
		refused(t, err, errNoCommits, "no commits yet")
	}
}

func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Open(t.Context(), t.TempDir(), "HEAD")
	refused(t, err, errNotInstalled, "install git")
}

func TestTop(t *testing.T) {
	r := newRepo(t)
	r.Commit(deal...)
	top, err := Top(t.Context(), filepath.Join(r.Dir, "sale"))
	if want, _ := filepath.EvalSymlinks(r.Dir); err != nil || filepath.FromSlash(top) != want {
		t.Errorf("Top = %q, %v; want %q", top, err, want)
	}
	_, err = Top(t.Context(), r.clone("--bare").Dir)
	refused(t, err, ErrBare, "revision")
}

// A hook's environment names the repository that runs the hook.
func TestEnvironmentOfAHook(t *testing.T) {
	r := newRepo(t)
	want := r.Commit("a", "1")
	other := newRepo(t)
	other.Commit("a", "2")
	t.Setenv("GIT_DIR", filepath.Join(other.Dir, ".git"))
	t.Setenv("GIT_WORK_TREE", other.Dir)
	if got, err := Resolve(t.Context(), r.Dir, "HEAD"); err != nil || got != want {
		t.Errorf("Resolve = %q, %v; want %q", got, err, want)
	}
}

func (r repo) mergeBase(a, b string) (string, error) {
	return MergeBase(r.Context(), r.Dir, [2]string{r.Git("rev-parse", a), r.Git("rev-parse", b)}, [2]string{a, b})
}

func TestMergeBase(t *testing.T) {
	r := newRepo(t)
	base := r.Commit("a", "1")
	r.Git("branch", "amendment")
	r.Commit("a", "2")
	r.Git("checkout", "-q", "amendment")
	r.Commit("a", "3")
	if got, err := r.mergeBase("main", "amendment"); err != nil || got != base {
		t.Errorf("MergeBase = %q, %v; want %q", got, err, base)
	}
	r.Git("checkout", "-q", "--orphan", "other")
	r.Commit("b", "1")
	_, err := r.mergeBase("main", "other")
	refused(t, err, errUnrelated, "no common history")
}

func TestShallowClone(t *testing.T) {
	r := newRepo(t)
	base := r.Commit("a", "1")
	r.Git("branch", "amendment")
	r.Commit("a", "2")
	r.Git("checkout", "-q", "amendment")
	r.Commit("a", "3")
	shallow := r.clone("--depth=1", "--no-single-branch")
	for _, rev := range []string{base, "HEAD^1", "HEAD~7"} {
		_, err := Open(t.Context(), shallow.Dir, rev)
		refused(t, err, errShallow, "shallow", "fetch-depth", "--unshallow")
	}
	_, err := Resolve(t.Context(), shallow.Dir, base)
	refused(t, err, errShallow, "git fetch --depth=1 origin "+base)
	_, err = shallow.mergeBase("HEAD", "origin/main")
	refused(t, err, errShallow, "merge base", "fetch-depth")
	if data, err := shallow.open("origin/main").ReadFile("a"); err != nil || string(data) != "2" {
		t.Errorf("what is there: %q, %v", data, err)
	}
}

func TestPartialClone(t *testing.T) {
	r := newRepo(t)
	r.Commit("sale/a.contract.hcl", "one", "b", "two", "sale/c", "three")
	partial := r.clone("--filter=blob:none", "--no-checkout")
	partial.Git("cat-file", "blob", "HEAD:b") // fetches this one
	tree := partial.open("HEAD")
	if data, err := tree.ReadFile("b"); err != nil || string(data) != "two" {
		t.Errorf("present blob: %q, %v", data, err)
	}
	id := r.Git("rev-parse", "HEAD:sale/a.contract.hcl")
	_, err := tree.ReadFile("sale/a.contract.hcl")
	refused(t, err, errMissing, "sale/a.contract.hcl", id, "--filter")
	_, err = tree.Open("sale/a.contract.hcl")
	refused(t, err, errMissing, id)
	_, err = fs.Stat(tree, "sale/a.contract.hcl")
	refused(t, err, errMissing, id)
	entries, err := tree.ReadDir("sale")
	if err != nil || len(entries) != 2 || !entries[0].Type().IsRegular() {
		t.Fatalf("entries %v, %v", entries, err)
	}
	_, err = entries[0].Info()
	refused(t, err, errMissing, id)
	if left := partial.Git("rev-list", "--objects", "--missing=print", "--no-walk", "HEAD"); strings.Count(left, "?") != 2 {
		t.Errorf("something was fetched: %s", left)
	}
}

func TestPartialCloneWithoutTrees(t *testing.T) {
	r := newRepo(t)
	r.Commit(deal...)
	partial := r.clone("--filter=tree:0", "--no-checkout")
	_, err := Open(t.Context(), partial.Dir, "HEAD")
	refused(t, err, errMissing, r.Git("rev-parse", "HEAD^{tree}"))
}

func TestDamagedClone(t *testing.T) {
	for _, lost := range []string{"HEAD:b", "HEAD:sale", "HEAD^{tree}", "HEAD"} {
		r := newRepo(t)
		r.Commit("b", "two", "sale/c", "three")
		id := r.Git("rev-parse", lost)
		if err := os.Remove(filepath.Join(r.Dir, ".git", "objects", id[:2], id[2:])); err != nil {
			t.Fatal(err)
		}
		tree, err := Open(t.Context(), r.Dir, "HEAD")
		if err == nil {
			_, err = tree.ReadFile("b")
			tree.Close()
		}
		refused(t, err, errMissing, "object "+id)
	}
}

func TestCancelled(t *testing.T) {
	r := newRepo(t)
	r.Commit(deal...)
	why := errors.New("the job was called off")
	ctx, cancel := context.WithCancelCause(t.Context())
	tree, err := Open(ctx, r.Dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	cancel(why)
	if _, err := Open(ctx, r.Dir, "HEAD"); !errors.Is(err, why) {
		t.Errorf("Open: %v", err)
	}
	for range 2 {
		if _, err := tree.ReadFile("README.md"); !errors.Is(err, why) {
			t.Errorf("ReadFile: %v", err)
		}
	}
	if err := tree.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

func TestOwnedByAnotherUser(t *testing.T) {
	r := newRepo(t)
	r.Commit("a", "1")
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1") // git's own tests use it
	_, err := Open(t.Context(), r.Dir, "HEAD")
	refused(t, err, errOwner, "safe.directory")
}

// Among a thousand commits two share their first four digits; the dates are fixed, so always the same two.
func TestShortIDOfTwoCommits(t *testing.T) {
	r := newRepo(t)
	var stream strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter C <c@example.com> %d +0000\ndata 0\n\n", i)
	}
	r.GitIn(stream.String(), "fast-import", "--quiet")
	seen := map[string]bool{}
	for id := range strings.FieldsSeq(r.Git("rev-list", "main")) {
		short := id[:4]
		if seen[short] {
			_, err := Resolve(t.Context(), r.Dir, short)
			refused(t, err, ErrAmbiguous, short)
			return
		}
		seen[short] = true
	}
	t.Fatal("no two commits share four digits")
}
