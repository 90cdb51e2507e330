package gitfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
)

// A repo is a repository whose revisions are opened.
type repo struct{ gittest.Repo }

func newRepo(t *testing.T, init ...string) repo { return repo{gittest.New(t, init...)} }

func (r repo) clone(args ...string) repo { return repo{r.Repo.Clone(args...)} }

func (r repo) open(rev string) *tree {
	r.Helper()
	tree, err := Open(r.Context(), r.Dir, rev)
	if err != nil {
		r.Fatalf("Open(%q): %v", rev, err)
	}
	r.Cleanup(func() { tree.Close() })
	return tree
}

var deal = []string{
	"README.md", "deals\n",
	"sale/seller.contract.hcl", "party \"seller\" {}\n",
	"sale/empty.contract.hcl", "",
	"sale/annex/a/b.txt", "b",
	"sale.txt", "sorts between sale and sale/ in git's order",
}

func TestTreeIsAnFS(t *testing.T) {
	for name, init := range map[string][]string{"sha1": nil, "sha256": {"--object-format=sha256"}} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t, init...)
			want := r.Commit(deal...)
			tree := r.open("main")
			if tree.Commit() != want {
				t.Errorf("commit %s", tree.Commit())
			}
			checkFS(t, tree)
		})
	}
}

func TestBareRepositoryAndSubdirectory(t *testing.T) {
	r := newRepo(t)
	r.Commit(deal...)
	checkFS(t, r.clone("--bare").open("HEAD"))
	checkFS(t, repo{r.In(filepath.Join(r.Dir, "sale", "annex"))}.open("HEAD"))
}

func checkFS(t *testing.T, tree *tree) {
	t.Helper()
	var names []string
	for i := 0; i < len(deal); i += 2 {
		names = append(names, deal[i])
		if got, err := tree.ReadFile(deal[i]); err != nil || string(got) != deal[i+1] {
			t.Errorf("%s: %q, %v", deal[i], got, err)
		}
	}
	if err := fstest.TestFS(tree, names...); err != nil {
		t.Error(err)
	}
}

// What lies at one name is all there is, whatever else the revision holds, and from wherever it is asked.
func TestOpenAt(t *testing.T) {
	r := newRepo(t)
	rev := r.Commit(".github/redline.hcl", "x", ".github/workflows/ci.yml", "y", ".githubx/z", "z", "sub/.github/redline.hcl", "w")
	tree, err := Open(t.Context(), filepath.Join(r.Dir, "sub"), rev, ".github")
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if err := fstest.TestFS(tree, ".github/redline.hcl", ".github/workflows/ci.yml"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{".githubx", "sub"} {
		if _, err := tree.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r.Git("rm", "-rq", ".github")
	if err := os.Symlink("sub", filepath.Join(r.Dir, ".github")); err != nil {
		t.Skipf("this system makes no symbolic links: %v", err)
	}
	linked, err := Open(t.Context(), r.Dir, r.Commit(), ".github")
	if err != nil {
		t.Fatal(err)
	}
	defer linked.Close()
	if info, err := linked.Stat(".github"); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("a link: %v, %v", info, err)
	}
	none, err := Open(t.Context(), r.Dir, rev, "no*where")
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	if entries, err := none.ReadDir("."); err != nil || len(entries) > 0 {
		t.Errorf("what does not exist: %v, %v", entries, err)
	}
}
