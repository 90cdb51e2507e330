package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// shell runs a line, as far as pages need a shell. Its status is that of the last command that was run.
func (r *reader) shell(line string) (out string) {
	for command := range strings.SplitSeq(line, "&&") {
		command, into, redirected := strings.Cut(command, " > ")
		said := r.command(wordsIn(command))
		if redirected {
			r.write(strings.TrimSpace(into), said)
			said = ""
		}
		out += said
		if r.status != 0 {
			break
		}
	}
	return out
}

// wordsIn returns the words of a line; those in quotes may have blanks.
func wordsIn(line string) (all []string) {
	for _, m := range regexp.MustCompile(`"([^"]*)"|'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		all = append(all, m[1]+m[2]+m[3])
	}
	return all
}

func (r *reader) command(args []string) string {
	if len(args) > 3 && slices.Equal(args[:3], []string{"go", "run", "./cmd/redline"}) {
		args = append([]string{"redline"}, args[3:]...)
	}
	before := r.status
	r.status = 0
	switch args[0] {
	case "redline":
		var out bytes.Buffer
		r.status = Main(args[1:], streams{strings.NewReader(""), &out, &out})
		return out.String()
	case "git":
		return r.git(args[1:])
	case "cd":
		r.Chdir(args[1])
	case "mkdir":
		if err := os.MkdirAll(args[len(args)-1], 0o777); err != nil {
			r.Fatal(err)
		}
	case "echo":
		return fmt.Sprintln(strings.ReplaceAll(strings.Join(args[1:], " "), "$?", fmt.Sprint(before)))
	case "go":
		r.toolchain(args[1:])
	case "curl", "sha256sum", "install":
		r.release(args)
	default:
		r.Errorf("nobody knows how to run %q", args)
	}
	return ""
}

func (r *reader) git(args []string) string {
	switch args[0] {
	case "commit":
		r.days++
	case "push":
		r.branch = args[len(args)-1]
	case "pull":
		r.merge()
	}
	day := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC).AddDate(0, 0, r.days).Format(time.RFC3339)
	cmd := exec.CommandContext(r.Context(), "git", args...)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+day, "GIT_COMMITTER_DATE="+day)
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		r.status = failed.ExitCode()
	} else if err != nil {
		r.Fatal(err)
	}
	return string(out)
}

// merge is what readers do on GitHub before they fetch it: the branch that was pushed last comes into main.
func (r *reader) merge() {
	clone := r.TempDir()
	r.days++
	for _, args := range [][]string{
		{"clone", "-q", "https://github.com/you/deals.git", clone}, {"-C", clone, "merge", "-q", "--no-ff", "-m", "Merge pull request #1", "origin/" + r.branch}, {"-C", clone, "push", "-q"},
	} {
		if out := r.git(args); r.status != 0 {
			r.Fatalf("git %q: %s", args, out)
		}
	}
}

// toolchain looks whether what Go is to install is there; the tests that it is to run are these.
func (r *reader) toolchain(args []string) {
	if slices.Equal(args, []string{"test", "./..."}) {
		return
	}
	if len(args) == 2 && args[0] == "install" && args[1] == strings.TrimSuffix(module, "/")+"/cmd/redline@latest" {
		return
	}
	r.Errorf("nobody looks whether this runs: go %q", args)
}

// releases is where the files of the latest release are.
const releases = "https://github.com/redlinehq/redline/releases/latest/download/"

// release looks whether a release has what is fetched and installed, and that what is installed was fetched and compared with its checksum.
func (r *reader) release(args []string) {
	if !slices.Contains(r.fetched, args[len(args)-1]) && args[0] == "sha256sum" {
		r.Errorf("%q comes before its file", args)
	}
	switch name, isRelease := strings.CutPrefix(args[len(args)-1], releases); {
	case args[0] == "curl":
		target := strings.Replace(strings.TrimSuffix(strings.TrimPrefix(name, "redline_"), ".exe"), "_", "/", 1)
		build := fileText(r.T, filepath.Join(r.clone, ".github/release/build"))
		if !isRelease || name != "checksums.txt" && !strings.Contains(build, " "+target+" ") {
			r.Errorf("no release has %s", args[len(args)-1])
		}
		r.fetched = append(r.fetched, name)
	case args[0] == "sha256sum":
		r.compared = slices.Clone(r.fetched)
	case args[0] == "install" && !slices.Contains(r.compared, args[2]):
		r.Errorf("%s was not compared with its checksum", args[2])
	}
}
