package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/examples"
)

// BenchmarkReviewTemplate is the whole of "redline review", but for starting the process, where 500 contracts, each with its own name and title,
// have one block in common, and the amendment changes that.
func BenchmarkReviewTemplate(b *testing.B) {
	amendMany(b, func(int) string { return "sale" }, 500, func(int, string) bool { return true })
	for b.Loop() {
		if status := Main([]string{"review", "--base", "HEAD~1"}, streams{strings.NewReader(""), io.Discard, os.Stderr}); status != 1 {
			b.Fatalf("exit status %d", status)
		}
	}
}

// amendMany makes a repository of so many copies of examples, some of them amended, and goes there.
func amendMany(b *testing.B, example func(i int) string, n int, amended func(i int, dir string) bool) {
	b.Chdir(b.TempDir())
	gitRun(b, "init", "-q", "-b", "main", ".")
	gitRun(b, "config", "gc.auto", "0")
	for i := range n {
		writeCopy(b, example(i), i, false)
	}
	gitRun(b, "add", ".")
	gitRun(b, "commit", "-q", "-m", "base")
	for i := range n {
		if amended(i, example(i)) {
			writeCopy(b, example(i), i, true)
		}
	}
	gitRun(b, "commit", "-q", "-a", "-m", "amend")
}

var (
	itsName  = regexp.MustCompile(`(?m)^contract "[^"]*"`)
	itsTitle = regexp.MustCompile(`(?m)^  title( *)= "[^"]*"`)
)

// writeCopy writes an example under another name and title; amended, the seller may withdraw the goods.
func writeCopy(tb testing.TB, example string, number int, amended bool) {
	dir := fmt.Sprintf("c%03d", number)
	entries, err := fs.ReadDir(examples.FS, example)
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	for _, e := range entries {
		src, err := fs.ReadFile(examples.FS, example+"/"+e.Name())
		if err != nil || !strings.HasSuffix(e.Name(), ".contract.hcl") {
			continue // another contract's directory
		}
		text := string(src)
		if itsName.MatchString(text) {
			text = itsName.ReplaceAllString(text, fmt.Sprintf(`contract "number-%d"`, number))
			if at := itsTitle.FindStringIndex(text); at != nil {
				text = text[:at[0]] + fmt.Sprintf("  title = \"Number %d\"", number) + text[at[1]:]
			}
		}
		if amended {
			text = strings.Replace(text, `transition "end" {`, "transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n  transition \"end\" {", 1)
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
}

func gitRun(tb testing.TB, args ...string) {
	tb.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("git %s: %v\n%s", args, err, out)
	}
}
