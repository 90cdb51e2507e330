package gitfs

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

func TestSymlinkAndSubmoduleAreNotContent(t *testing.T) {
	r := newRepo(t)
	r.Commit("sale/a.contract.hcl", "x")
	commit := r.Git("rev-parse", "HEAD")
	link := r.GitIn("../../../etc/passwd", "hash-object", "-w", "--stdin")
	r.Git("update-index", "--add", "--cacheinfo", "120000,"+link+",sale/link.contract.hcl")
	r.Git("update-index", "--add", "--cacheinfo", "160000,"+commit+",sale/module")
	r.Git("update-index", "--chmod=+x", "sale/a.contract.hcl")
	r.Git("commit", "-q", "-m", "odd")
	tree := r.open("HEAD")
	for name, want := range map[string]fs.FileMode{
		"sale": fs.ModeDir | 0o755, "sale/a.contract.hcl": 0o755,
		"sale/link.contract.hcl": fs.ModeSymlink | 0o777, "sale/module": fs.ModeIrregular,
	} {
		info, err := fs.Stat(tree, name)
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v; want mode %v", name, info, err, want)
		}
	}
	for _, name := range []string{"sale/link.contract.hcl", "sale/module"} {
		_, err := tree.ReadFile(name)
		refused(t, err, errNotContent, name)
		_, err = tree.Open(name)
		refused(t, err, errNotContent, name)
	}
	if _, err := tree.Open("sale/link.contract.hcl/x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("below a link: %v", err)
	}
}

func TestOddNames(t *testing.T) {
	r := newRepo(t)
	names := []string{"with \"quotes\"", "line\nend", "tab\there", "dög/ñ.contract.hcl", "-option", " blank ", "~"}
	for _, name := range names {
		r.Commit(name, "in "+name)
	}
	r.Git("config", "core.quotePath", "true")
	tree := r.open("HEAD")
	for _, name := range names {
		if data, err := tree.ReadFile(name); err != nil || string(data) != "in "+name {
			t.Errorf("%q: %q, %v", name, data, err)
		}
	}
	if err := fstest.TestFS(tree, names...); err != nil { // which has its own objection to a backslash
		t.Error(err)
	}
}

func TestNameThatIsNotUTF8(t *testing.T) {
	r := newRepo(t)
	r.tree("100644 blob " + r.blob("x") + "\tsal\xe9.contract.hcl\x00")
	entries, err := r.open("HEAD").ReadDir(".")
	if err != nil || len(entries) != 1 || entries[0].Name() != "sal\xe9.contract.hcl" {
		t.Errorf("%v, %v", entries, err)
	}
}

func (r repo) blob(content string) string {
	r.Helper()
	return r.GitIn(content, "hash-object", "-w", "--stdin")
}

// tree commits a tree of records as git ls-tree -z prints them, which git add would refuse.
func (r repo) tree(records string) {
	r.Helper()
	tree := r.GitIn(records, "mktree", "-z")
	r.Git("update-ref", "HEAD", r.Git("commit-tree", tree, "-m", "crafted"))
}

func TestMalformedTrees(t *testing.T) {
	for _, name := range []string{"..", "."} {
		r := newRepo(t)
		inner := r.GitIn("100644 blob "+r.blob("x")+"\ta\x00", "mktree", "-z")
		r.tree("040000 tree " + inner + "\t" + name + "\x00")
		_, err := Open(t.Context(), r.Dir, "HEAD")
		refused(t, err, errMalformed, "git fsck")
	}
	r := newRepo(t)
	entry := "100644 blob " + r.blob("x") + "\ta\x00"
	r.tree(entry + strings.Replace(entry, r.blob("x"), r.blob("y"), 1))
	_, err := Open(t.Context(), r.Dir, "HEAD")
	refused(t, err, errMalformed, `"a" twice`)
}

// TestNameWithSlash: an entry that is called like a file of a directory beside it is none of that directory's, and nothing is read of such a tree.
func TestNameWithSlash(t *testing.T) {
	r := newRepo(t)
	r.Commit("sale/a.contract.hcl", "x")
	raw := func(mode, name, id string) string {
		b, err := hex.DecodeString(id)
		if err != nil {
			t.Fatal(err)
		}
		return mode + " " + name + "\x00" + string(b)
	}
	records := raw("40000", "sale", r.Git("rev-parse", "HEAD:sale")) + raw("100644", "sale/b.contract.hcl", r.blob("y"))
	tree := r.GitIn(records, "hash-object", "-t", "tree", "-w", "--literally", "--stdin")
	r.Git("update-ref", "HEAD", r.Git("commit-tree", tree, "-m", "crafted"))
	if listed := r.Git("ls-tree", "-r", "--name-only", "HEAD"); listed != "sale/a.contract.hcl\nsale/b.contract.hcl" {
		t.Fatalf("git itself tells the two apart now: %q", listed)
	}
	_, err := Open(t.Context(), r.Dir, "HEAD")
	refused(t, err, errMalformed, `"sale/b.contract.hcl"`)
}

// Sixteen trees of sixteen names each, one inside the other, name 10^19 files (a "git bomb").
func TestTreeTooLarge(t *testing.T) {
	r := newRepo(t)
	record := "100644 blob " + r.blob("x")
	for range 16 {
		var all strings.Builder
		for i := range 16 {
			fmt.Fprintf(&all, "%s\t%x\x00", record, i)
		}
		record = "040000 tree " + r.GitIn(all.String(), "mktree", "-z")
	}
	r.tree(record + "\ta\x00")
	_, err := Open(t.Context(), r.Dir, "HEAD")
	refused(t, err, errTooLarge, "1000000 files")
}

func TestPathTooLongOrDeep(t *testing.T) {
	r := newRepo(t)
	r.tree("100644 blob " + r.blob("x") + "\t" + strings.Repeat("a", maxPath) + "\x00")
	_, err := Open(t.Context(), r.Dir, "HEAD")
	refused(t, err, errTooLarge, "longer than")
	r.GitIn("commit refs/heads/deep\ncommitter C <c@example.com> 0 +0000\ndata 0\nM 100644 inline "+strings.Repeat("a/", maxDepth+1)+"a\ndata 1\nx\n", "fast-import", "--quiet")
	_, err = Open(t.Context(), r.Dir, "deep")
	refused(t, err, errTooLarge, "deeper than")
}

func TestBlobTooLarge(t *testing.T) {
	r := newRepo(t)
	big := filepath.Join(r.Dir, "big")
	if err := errors.Join(os.WriteFile(big, nil, 0o644), os.Truncate(big, maxBlob+1)); err != nil {
		t.Fatal(err)
	}
	r.Commit("small", "x")
	tree := r.open("HEAD")
	if info, err := tree.Stat("big"); err != nil || info.Size() != maxBlob+1 {
		t.Errorf("size: %v, %v", info, err)
	}
	_, err := tree.ReadFile("big")
	refused(t, err, errTooLarge, "67108865")
	w := work(t, r.Dir)
	_, err = w.ReadFile("big")
	refused(t, err, errTooLarge, "67108865")
}

func TestConcurrentReadsAndClose(t *testing.T) {
	r := newRepo(t)
	var names []string
	for i := range 50 {
		names = append(names, fmt.Sprintf("f%02d", i))
		r.Write(names[i], strings.Repeat(names[i], 1000*i))
	}
	r.Commit()
	tree := r.open("HEAD")
	var all sync.WaitGroup
	for i, name := range slices.Concat(names, names) {
		all.Go(func() {
			data, err := tree.ReadFile(name)
			if err != nil || string(data) != strings.Repeat(name, 1000*(i%50)) {
				t.Errorf("%s: %d bytes, %v", name, len(data), err)
			}
		})
	}
	all.Wait()
	half, err := tree.Open("f07")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := tree.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	if _, err := io.ReadAll(half); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("reading after Close: %v", err)
	}
}

func TestTreeIsFixedAtOpen(t *testing.T) {
	r := newRepo(t)
	r.Commit("a", "1")
	tree := r.open("main")
	r.Commit("a", "2")
	r.Write("a", "3")
	if data, err := tree.ReadFile("a"); err != nil || string(data) != "1" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestReplacedObjectsAreNotFollowed(t *testing.T) {
	r := newRepo(t)
	r.Commit("a", "1")
	r.Git("replace", r.blob("1"), r.blob("2"))
	if data, err := r.open("HEAD").ReadFile("a"); err != nil || string(data) != "1" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestManyFiles(t *testing.T) {
	r := newRepo(t)
	blob := r.blob("x")
	var inner strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&inner, "100644 blob %s\tf%d\x00", blob, i)
	}
	sub := r.GitIn(inner.String(), "mktree", "-z")
	var outer strings.Builder
	for i := range 100 {
		fmt.Fprintf(&outer, "040000 tree %s\td%d\x00", sub, i)
	}
	r.tree(outer.String())
	tree := r.open("HEAD")
	if entries, err := tree.ReadDir("d42"); err != nil || len(entries) != 1000 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	if data, err := tree.ReadFile("d99/f999"); err != nil || string(data) != "x" {
		t.Errorf("%q, %v", data, err)
	}
}
