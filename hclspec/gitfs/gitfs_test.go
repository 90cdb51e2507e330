package gitfs

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// A repo is a real repository in a temporary directory.
type repo struct {
	*testing.T
	dir string
}

func newRepo(t *testing.T, init ...string) repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	isolate(t)
	r := repo{t, t.TempDir()}
	r.git(append([]string{"init", "-q", "-b", "main"}, init...)...)
	return r
}

// isolate keeps the machine's own configuration and clock out.
func isolate(t *testing.T) {
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_AUTHOR_DATE": "2001-02-03T04:05:06Z",
		"GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.com", "GIT_COMMITTER_DATE": "2001-02-03T04:05:06Z",
	} {
		t.Setenv(name, value)
	}
}

func (r repo) git(args ...string) string { return r.gitIn("", args...) }

// gitIn runs git with something on its standard input and returns its output's line.
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

func (r repo) write(name, content string) {
	r.Helper()
	full := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		r.Fatal(err)
	}
}

// commit writes files given as name, content, name, content, ... and commits everything.
func (r repo) commit(files ...string) string {
	r.Helper()
	for i := 0; i < len(files); i += 2 {
		r.write(files[i], files[i+1])
	}
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", "draft")
	return r.git("rev-parse", "HEAD")
}

// clone clones r over a real transport, so that --depth and --filter count.
func (r repo) clone(args ...string) repo {
	r.Helper()
	r.git("config", "uploadpack.allowFilter", "true")
	to := repo{r.T, r.TempDir()}
	to.git(append(append([]string{"clone", "-q"}, args...), "file://"+filepath.ToSlash(r.dir), ".")...)
	return to
}

func (r repo) open(rev string) *tree {
	r.Helper()
	tree, err := Open(r.Context(), r.dir, rev)
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
			want := r.commit(deal...)
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
	r.commit(deal...)
	checkFS(t, r.clone("--bare").open("HEAD"))
	checkFS(t, repo{t, filepath.Join(r.dir, "sale", "annex")}.open("HEAD"))
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
	rev := r.commit(".github/redline.hcl", "x", ".github/workflows/ci.yml", "y", ".githubx/z", "z", "sub/.github/redline.hcl", "w")
	tree, err := Open(t.Context(), filepath.Join(r.dir, "sub"), rev, ".github")
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
	r.git("rm", "-rq", ".github")
	if err := os.Symlink("sub", filepath.Join(r.dir, ".github")); err != nil {
		t.Skipf("this system makes no symbolic links: %v", err)
	}
	linked, err := Open(t.Context(), r.dir, r.commit(), ".github")
	if err != nil {
		t.Fatal(err)
	}
	defer linked.Close()
	if info, err := linked.Stat(".github"); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("a link: %v, %v", info, err)
	}
	none, err := Open(t.Context(), r.dir, rev, "no*where")
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	if entries, err := none.ReadDir("."); err != nil || len(entries) > 0 {
		t.Errorf("what does not exist: %v, %v", entries, err)
	}
}
