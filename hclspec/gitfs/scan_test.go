package gitfs

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

func TestEach(t *testing.T) {
	r := newRepo(t)
	r.Commit("a", "one", "b/c", "two\nlines\n", "b/d", "one", "empty", "", "large", strings.Repeat("x", 300_000))
	tree := r.open("HEAD")
	names := []string{"large", "a", "b/d", "b/c", "empty"}
	got := map[string]string{}
	err := tree.Each(t.Context(), names, func(name string, content []byte) error {
		got[name] = string(content)
		return nil
	})
	if err != nil || len(got) != len(names) {
		t.Fatalf("%d of %d files, %v", len(got), len(names), err)
	}
	for _, name := range names {
		if want, err := tree.ReadFile(name); err != nil || got[name] != string(want) {
			t.Errorf("%s: %.20q, want %.20q (%v)", name, got[name], want, err)
		}
	}
	enough := errors.New("enough")
	if err := tree.Each(t.Context(), names, func(string, []byte) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("after an error of visit: %v", err)
	}
	if err := tree.Each(t.Context(), nil, nil); err != nil {
		t.Errorf("of no files: %v", err)
	}
	none := func(name string, _ []byte) error { return fmt.Errorf("%s was read", name) }
	if err := tree.Each(t.Context(), []string{"a", "nowhere"}, none); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	refused(t, tree.Each(t.Context(), []string{"b"}, none), errIsDirectory, "b")
}

// What a partial clone lacks is an error before anything is read, and is not fetched.
func TestEachInPartialClone(t *testing.T) {
	r := newRepo(t)
	r.Commit("a", "one", "b", "two")
	partial := r.clone("--filter=blob:none", "--no-checkout")
	partial.Git("cat-file", "blob", "HEAD:a") // fetches this one
	err := partial.open("HEAD").Each(t.Context(), []string{"a", "b"}, func(name string, _ []byte) error { return fmt.Errorf("%s was read", name) })
	refused(t, err, errMissing, r.Git("rev-parse", "HEAD:b"))
	if left := partial.Git("rev-list", "--objects", "--missing=print", "--no-walk", "HEAD"); strings.Count(left, "?") != 1 {
		t.Errorf("something was fetched: %s", left)
	}
}

func TestIdentical(t *testing.T) {
	r := newRepo(t)
	r.Commit("d/a", "one", "d/b", "two", "d/c", "one")
	first := r.open("HEAD")
	r.Git("update-index", "--add", "--cacheinfo", "120000,"+r.Git("rev-parse", "HEAD:d/c")+",d/c")
	r.Write("d/b", "else")
	r.Git("add", "d/b")
	r.Git("commit", "-q", "-m", "other types and contents")
	second := r.open("HEAD")
	old, err := first.ReadDir("d")
	now, failed := second.ReadDir("d")
	if err != nil || failed != nil || len(old) != 3 || len(now) != 3 {
		t.Fatal(old, now, err, failed)
	}
	var same []bool
	for i := range old {
		same = append(same, Identical(old[i], now[i]))
	}
	if !slices.Equal(same, []bool{true, false, false}) {
		t.Errorf("identical: %v", same)
	}
	work, err := fs.ReadDir(second, "d")
	if err != nil || !Identical(work[0], now[0]) || Identical(nil, now[0]) {
		t.Error("an entry is not identical to itself, or to nothing")
	}
}
