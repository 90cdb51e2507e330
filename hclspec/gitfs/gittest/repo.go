// Package gittest serves tests only: real repositories, and a contract for their commits to hold.
package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// First is the day before the first commit of a Repo.
var First = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// A Repo is a real repository in a temporary directory, whose commits are a day apart.
type Repo struct {
	testing.TB
	Dir string
	Day *time.Time // of the last commit
}

// New makes a repository with a branch main. Init has further arguments of git init.
func New(t testing.TB, init ...string) Repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TEMPLATE_DIR": "", // no examples of hooks
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.com",
	} {
		t.Setenv(name, value)
	}
	day := First
	r := Repo{t, t.TempDir(), &day}
	r.Git(append([]string{"init", "-q", "-b", "main"}, init...)...)
	return r
}

// Git runs git on the repository's day, and returns what it prints.
func (r Repo) Git(args ...string) string { r.Helper(); return r.GitIn("", args...) }

// GitIn runs git with a text as its standard input.
func (r Repo) GitIn(in string, args ...string) string {
	r.Helper()
	r.Setenv("GIT_AUTHOR_DATE", r.Day.Format(time.RFC3339))
	r.Setenv("GIT_COMMITTER_DATE", r.Day.Format(time.RFC3339))
	return GitIn(r, r.Dir, in, args...)
}

// GitIn runs git in a directory with a text as its standard input, and returns what it prints.
func GitIn(t testing.TB, dir, in string, args ...string) string {
	t.Helper()
	var said strings.Builder
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, strings.NewReader(in), &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, said.String())
	}
	return strings.TrimSpace(string(out))
}

// Write writes a file, and the directories that it needs.
func (r Repo) Write(name, content string) {
	r.Helper()
	full := filepath.Join(r.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o666); err != nil {
		r.Fatal(err)
	}
}

// Commit writes files given as name, content, name, content, ... and commits everything, a day after the commit before. It returns the commit.
func (r Repo) Commit(files ...string) string {
	r.Helper()
	for i := 0; i < len(files); i += 2 {
		r.Write(files[i], files[i+1])
	}
	return r.CommitAs("draft")
}

// CommitAs commits everything like Commit, with a message of its own.
func (r Repo) CommitAs(message string) string {
	r.Helper()
	*r.Day = r.Day.AddDate(0, 0, 1)
	r.Git("add", "-A")
	said := r.Git("-c", "core.abbrev=no", "commit", "--allow-empty", "-m", message) // [main ID] message
	return committed.FindStringSubmatch(said)[1]
}

var committed = regexp.MustCompile(`^\[.*?([0-9a-f]{40,64})\]`)

// In returns the repository seen from another directory.
func (r Repo) In(dir string) Repo { return Repo{r.TB, dir, r.Day} }

// Clone clones r over a real transport, so that --depth and --filter count.
func (r Repo) Clone(args ...string) Repo {
	r.Helper()
	r.Git("config", "uploadpack.allowFilter", "true")
	to := r.In(r.TempDir())
	to.Git(append(append([]string{"clone", "-q"}, args...), "file://"+filepath.ToSlash(r.Dir), ".")...)
	return to
}

// CloneAll clones r with all records and notes, too.
func (r Repo) CloneAll(args ...string) Repo {
	r.Helper()
	to := r.Clone(args...)
	to.Git("fetch", "-q", "origin", "refs/redline/*:refs/redline/*", "refs/notes/*:refs/notes/*")
	return to
}

// Deal returns a contract with one requirement, kept or not. Each n is another draft; waiver is in the requirement, too.
func Deal(n int, kept bool, waiver string) string {
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
` + waiver + `}
`
}
