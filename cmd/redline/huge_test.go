package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// hugeRepositories are written in git's own stream, so that making one takes a second.
var hugeRepositories = map[string]struct {
	write    func(w io.Writer)
	commands [][]string
}{
	"diff": { // 3,000 contracts and a text of 100,000 lines, all of which change
		func(w io.Writer) {
			for commit := range 2 {
				hugeCommit(w, commit+1)
				for i := range 3000 {
					hugeFile(w, fmt.Sprintf("c/%d/x.contract.hcl", i), hugeContract(i, commit))
				}
				hugeFile(w, "notes.txt", string(bytes.Repeat([]byte{'x' + byte(commit), '\n'}, 100_000)))
			}
		},
		[][]string{{"review", "--base", "HEAD~1"}, {"plan", "--base", "HEAD~1"}, {"check"}, {"report", "--base", "HEAD~1", "-o", os.DevNull}},
	},
	"history": { // 30,000 commits of one contract
		func(w io.Writer) {
			for i := range 30_000 {
				hugeCommit(w, i+1)
				hugeFile(w, "c/x.contract.hcl", hugeContract(0, i))
			}
		},
		[][]string{{"history"}, {"verify"}, {"review", "--base", "HEAD~29000"}},
	},
}

func hugeCommit(w io.Writer, n int) {
	fmt.Fprintf(w, "commit refs/heads/main\nmark :%d\ncommitter a <a@example.com> %d +0000\ndata 1\nn\n", n, 1_700_000_000+n)
}

func hugeFile(w io.Writer, name, text string) {
	fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
}

func hugeContract(name, version int) string {
	return fmt.Sprintf("contract \"c%d\" {}\nparty \"p\" {\n  state \"a\" {}\n  state \"b\" {}\n  state \"z%d\" {}\n  transition \"t\" {\n    from = a\n    to   = b\n  }\n}\n"+
		"event \"e\" {\n  sync = { p = t }\n}\nrequirement \"r\" {\n  ctl = \"AG !(p.a && p.b)\"\n}\n", name, version)
}

// TestHugeRepositoriesEndOnSignal: a signal ends each command within two seconds, however much has changed and however long the history is.
func TestHugeRepositoriesEndOnSignal(t *testing.T) {
	if os.Getenv("REDLINE_HEAVY") == "" {
		t.Skip("REDLINE_HEAVY is not set")
	}
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGTERM")
	}
	for name, huge := range hugeRepositories {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			git := func(in io.Reader, args ...string) {
				cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
				cmd.Stdin = in
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			var stream bytes.Buffer
			huge.write(&stream)
			git(nil, "init", "-q", "-b", "main")
			git(&stream, "fast-import", "--quiet")
			git(nil, "reset", "-q", "--hard")
			for _, args := range huge.commands {
				for _, wait := range []time.Duration{200 * time.Millisecond, time.Second, 4 * time.Second} {
					cmd := exec.Command("redline", args...)
					cmd.Dir = dir
					if err := cmd.Start(); err != nil {
						t.Fatal(err)
					}
					ended := make(chan struct{})
					go func() { _ = cmd.Wait(); close(ended) }()
					select {
					case <-ended:
					case <-time.After(wait):
					}
					begun := time.Now()
					_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
					<-ended
					if took := time.Since(begun); took > 2*time.Second {
						t.Errorf("redline %v ended %v after the signal", args, took)
					} else {
						t.Logf("redline %v: %v after %v", args, took, wait)
					}
				}
			}
		})
	}
}
