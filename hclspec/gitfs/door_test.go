package gitfs

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestOneDoor: programs are started in one place.
func TestOneDoor(t *testing.T) {
	var places []string
	err := filepath.WalkDir("../..", func(name string, e fs.DirEntry, err error) error {
		kit := strings.HasSuffix(filepath.Dir(name), "test") // which only tests use
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || kit {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, _ := s.X.(*ast.Ident)
			if pkg != nil && (pkg.Name == "exec" && strings.HasPrefix(s.Sel.Name, "Command") || pkg.Name == "os" && s.Sel.Name == "StartProcess" || pkg.Name == "syscall" && strings.HasSuffix(s.Sel.Name, "Exec")) {
				places = append(places, filepath.ToSlash(name))
			}
			return true
		})
		return nil
	})
	if err != nil || !slices.Equal(places, []string{"../../hclspec/gitfs/door.go"}) {
		t.Errorf("programs are started in %v (%v)", places, err)
	}
}

// hostile makes a repository that names a program wherever git would run one. It returns the program's mark, which is there once it has run.
func hostile(t *testing.T, r repo, config string) (mark string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	mark = filepath.Join(t.TempDir(), "mark")
	evil := filepath.Join(t.TempDir(), "evil")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\necho \"$0 $@\" >> "+mark+"\ncat\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	hooks := filepath.Join(t.TempDir(), "hooks")
	if err := os.Mkdir(hooks, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-index-change", "reference-transaction", "fsmonitor-watchman", "post-checkout", "pre-push", "pre-commit"} {
		if err := os.Symlink(evil, filepath.Join(hooks, hook)); err != nil {
			t.Fatal(err)
		}
	}
	for _, kv := range [][2]string{
		{"core.hooksPath", hooks}, {"core.fsmonitor", evil}, {"core.pager", evil}, {"core.editor", evil}, {"core.alternateRefsCommand", evil}, {"diff.external", evil},
		{"filter.evil.clean", evil}, {"filter.evil.smudge", evil}, {"filter.Evil.Two.process", evil}, {"filter.Evil.Two.required", "true"}, {"diff.evil.textconv", evil}, {"diff.evil.command", evil},
		{"pager.log", evil}, {"pager.status", "true"}, {"gpg.program", evil}, {"log.showSignature", "true"}, {"protocol.ext.allow", "always"}, {"alias.status", "!" + evil},
		{"core.askPass", evil}, {"remote.origin.url", "ext::" + evil}, {"remote.origin.promisor", "true"}, {"remote.local.url", filepath.Join(r.Dir, "..", "other.git")}, {"remote.local.uploadpack", evil}, {"remote.local.receivepack", evil},
		{"core.gitProxy", evil}, {"remote.git.url", "git://127.0.0.1:1/x"},
	} {
		r.Git("config", "--file", config, kv[0], kv[1])
	}
	return mark
}

// TestNothingOfARepositoryRuns goes through all that redline asks of a repository that names a program wherever it can.
func TestNothingOfARepositoryRuns(t *testing.T) {
	r := newRepo(t)
	commit := r.Commit(deal...)
	r.Write(".gitattributes", "*.hcl filter=evil diff=evil\n*.txt filter=Evil.Two\n* diff=evil\n")
	r.Write("sale.contract.hcl", "contract \"sale\" {}\n")
	r.Write("x.txt", "x\n")
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "attributes")
	r.Git("clone", "-q", "--bare", ".", filepath.Join(r.Dir, "..", "other.git"))
	mark := hostile(t, r, filepath.Join(r.Dir, ".git", "config"))
	r.Write("sale.contract.hcl", "contract \"sole\" {}\n") // of the same length: git has to read it
	r.Write("x.txt", "y\n")
	t.Setenv("GIT_EXTERNAL_DIFF", "false")
	if files, err := Uncommitted(t.Context(), r.Dir, "*.hcl"); err != nil || len(files) != 1 {
		t.Errorf("changed: %q, %v", files, err)
	}
	if files, err := Uncommitted(t.Context(), r.Dir, "*.txt"); err != nil || len(files) != 1 {
		t.Errorf("changed: %q, %v", files, err)
	}
	if _, err := Resolve(t.Context(), r.Dir, "main"); err != nil {
		t.Error(err)
	}
	if _, err := Resolve(t.Context(), r.Dir, strings.Repeat("1", len(commit))); err == nil {
		t.Error("an object that is nowhere is found")
	}
	if _, err := Open(t.Context(), r.Dir, "main"); err != nil {
		t.Error(err)
	}
	if _, err := MergeBase(t.Context(), r.Dir, [2]string{commit, commit}, [2]string{"main", commit}); err != nil {
		t.Error(err)
	}
	for _, args := range [][]string{{"log", "--no-patch", "main"}, {"update-ref", "refs/x/y", commit}} {
		if out, err := Local(t.Context(), r.Dir, args...).CombinedOutput(); err != nil {
			t.Errorf("git %v: %v: %s", args, err, out)
		}
	}
	for _, remote := range []string{"origin", "git", "ext::sh -c touch% " + mark} {
		if out, err := Remote(t.Context(), r.Dir, "fetch", "--quiet", remote, commit).CombinedOutput(); err == nil {
			t.Errorf("fetched from %s: %s", remote, out)
		}
	}
	if out, err := Remote(t.Context(), r.Dir, "fetch", "--quiet", "local", "main").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := Remote(t.Context(), r.Dir, "push", "--quiet", "local", commit+":refs/x/z").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if said, err := os.ReadFile(mark); err == nil {
		t.Errorf("a program of the repository ran:\n%s", said)
	}
}

// TestBareInsideOfAWorkTree: a commit can hold a bare repository with a configuration of its own. Neither it nor what it names is used.
func TestBareInsideOfAWorkTree(t *testing.T) {
	r := newRepo(t)
	r.Commit(deal...)
	inner := filepath.Join(r.Dir, "contracts")
	r.Git("clone", "-q", "--bare", r.Dir, inner)
	mark := hostile(t, r, filepath.Join(inner, "config"))
	r.Git("config", "--file", filepath.Join(inner, "config"), "core.bare", "false")
	r.Git("config", "--file", filepath.Join(inner, "config"), "core.worktree", inner)
	for _, dir := range []string{inner, filepath.Join(inner, "refs")} {
		if _, err := Resolve(t.Context(), dir, "main"); !errors.Is(err, ErrNotRepository) {
			t.Errorf("%s: %v", dir, err)
		}
		if _, err := Uncommitted(t.Context(), dir, "*.hcl"); !errors.Is(err, ErrNotRepository) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if said, err := os.ReadFile(mark); err == nil {
		t.Errorf("a program of the repository ran:\n%s", said)
	}
}

// TestBareClone: a bare clone in no work tree is read as any other.
func TestBareClone(t *testing.T) {
	r := newRepo(t)
	commit := r.Commit(deal...)
	bare := filepath.Join(t.TempDir(), "sale.git")
	r.Git("clone", "-q", "--bare", r.Dir, bare)
	if got, err := Resolve(t.Context(), bare, "main"); err != nil || got != commit {
		t.Errorf("%s, %v", got, err)
	}
}

// TestEnvironment: git gets what is kept, and only a run that reaches a remote knows whom to ask.
func TestEnvironment(t *testing.T) {
	for _, name := range []string{"GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_TRACE", "LD_PRELOAD", "GIT_DIR", "SSH_AUTH_SOCK", "https_proxy", "SECRET"} {
		t.Setenv(name, "x")
	}
	has := func(cmd *exec.Cmd, name string) bool {
		return slices.ContainsFunc(cmd.Env, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
	}
	local, remote := Local(t.Context(), "."), Remote(t.Context(), ".")
	for name, where := range map[string]int{"PATH": 2, "GIT_EXTERNAL_DIFF": 0, "GIT_CONFIG_PARAMETERS": 0, "GIT_CONFIG_COUNT": 0, "GIT_TRACE": 0, "LD_PRELOAD": 0, "GIT_DIR": 0, "SECRET": 0,
		"GIT_SSH_COMMAND": 1, "GIT_ASKPASS": 1, "SSH_AUTH_SOCK": 1, "https_proxy": 1} {
		if has(local, name) != (where == 2) || has(remote, name) != (where >= 1) {
			t.Errorf("%s: local %t, remote %t", name, has(local, name), has(remote, name))
		}
	}
}
