package history

import (
	"os"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
)

// places are how the entries of a history belong to the branch, the latest first.
func places(t testing.TB, h *History) string {
	t.Helper()
	var list []string
	for _, e := range entries(t, h) {
		list = append(list, e.place.String())
	}
	return strings.Join(list, ", ")
}

func TestSquash(t *testing.T) {
	r := newRepo(t)
	r.Commit("README", "one")
	r.Git("switch", "-q", "-c", "topic")
	r.drafts(3)
	r.Git("switch", "-q", "main")
	r.Git("merge", "-q", "--squash", "topic")
	squashed := r.Commit()
	r.Git("branch", "-D", "topic")
	h := r.find(r.query(""))
	if got := places(r, h); got != "by content, before, before" {
		t.Error(got)
	}
	r.says(r.told("text", h, nil), "This branch has the draft at another commit", "a record of this branch follows it", "3 recorded drafts")
	a, text := r.asked("a", false)
	r.says(text, "Commit "+short(squashed)+" ("+day(r)+", Ada) broke stays")
	if a.checked != 0 {
		t.Error("a draft that has a record was checked")
	}
}

func day(r repo) string { return r.Day.Format(dayForm) }

func TestRebase(t *testing.T) {
	r := newRepo(t)
	r.Commit("README", "one")
	r.drafts(3)
	r.Git("-c", "core.editor=true", "rebase", "-q", "--root", "--exec", "git commit -q --amend --no-edit --date=2002-02-02T02:02:02Z")
	if got := places(r, r.find(r.query(""))); got != "by content, by content, by content" {
		t.Error(got)
	}
	a, text := r.asked("", false)
	if a.turned.commit != r.Git("rev-parse", "HEAD") || a.before.commit != r.Git("rev-parse", "HEAD~1") || a.checked != 0 {
		t.Error(text)
	}
}

func TestRename(t *testing.T) {
	r := newRepo(t)
	r.drafts(2)
	r.Git("mv", "a", "moved")
	moved := r.Commit()
	for _, name := range []string{"moved", "a", "deal"} { // where it is, where it was, what it calls itself
		if got := places(r, r.find(r.query(name))); got != "on the branch, on the branch" {
			t.Errorf("%s: %s", name, got)
		}
	}
	r.attest(nil, nil)
	h := r.find(r.query("moved"))
	if got := places(r, h); got != "on the branch, on the branch, on the branch" || entries(r, h)[0].commit != moved || entries(r, h)[2].path != "a" {
		t.Error(got)
	}
	if a, text := r.asked("moved", true); a.turned == nil || a.before != nil || !strings.Contains(text, "since the first draft") {
		t.Error(text)
	}
}

func TestSHA256(t *testing.T) {
	r := newRepo(t, "--object-format=sha256")
	r.drafts(3)
	h := r.find(r.query(""))
	if got := places(r, h); got != "on the branch, on the branch, on the branch" || len(entries(r, h)[0].commit) != 64 {
		t.Error(got)
	}
	if a, text := r.asked("", false); a.turned == nil || a.turned.commit != entries(r, h)[0].commit {
		t.Error(text)
	}
	valid(t, r.told("json", h, nil))
}

func TestShallowClone(t *testing.T) {
	r := newRepo(t)
	r.drafts(3)
	r.Commit("README", "new")
	shallow := r.clone("--depth=1")
	shallow.says(shallow.text(""), "3 recorded drafts", "This clone is shallow: of commits before its own it has the records only. 'git fetch --unshallow' brings them.")
	_, text := shallow.asked("a", false)
	shallow.says(text, "broke stays", "This clone is shallow")
}

// TestPartialClone: records are told in a clone without files or directories. Nothing is fetched; what is missing is named.
func TestPartialClone(t *testing.T) {
	r := newRepo(t)
	r.drafts(2)
	r.Commit(deed, gittest.Deal(2, false, "")) // which has no record
	r.Commit(deed, gittest.Deal(3, false, ""))
	r.attest(nil, nil)
	want := r.text("")
	for _, filter := range []string{"blob:none", "tree:0"} {
		partial := r.clone("--filter="+filter, "--no-checkout")
		have := partial.objects()
		if got := partial.text(""); got != want {
			t.Errorf("%s:\n%s\nnot:\n%s", filter, got, want)
		}
		partial.says(partial.refused(), "is not in this clone", "git fetch --refetch --no-filter")
		if now := partial.objects(); now != have {
			t.Errorf("%s: something was fetched", filter)
		}
		if err := os.Rename(r.Dir, r.Dir+".away"); err != nil {
			t.Fatal(err)
		}
		if got := partial.text("a"); !strings.Contains(got, "3 recorded drafts") {
			t.Errorf("%s, without its origin: %s", filter, got)
		}
		if err := os.Rename(r.Dir+".away", r.Dir); err != nil {
			t.Fatal(err)
		}
	}
}

// refused is why a question has no answer.
func (r repo) refused() string {
	r.Helper()
	q := r.query("a")
	q.Filter.Requirement = "stays"
	h := r.find(q)
	a, err := h.Ask(r.Context(), "stays", false)
	if err != nil {
		return err.Error()
	}
	if a.Definite() {
		r.Error("it has an answer")
	}
	return r.told("text", h, a)
}

// objects are those that a clone has.
func (r repo) objects() string {
	r.Helper()
	return r.Git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
}
