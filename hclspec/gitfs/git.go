package gitfs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

// stderrLimit bounds how much of git's error output is kept, in bytes.
const stderrLimit = 4096

// A command is one run of git in a directory.
type command struct {
	*exec.Cmd
	ctx    context.Context // of this run alone, to distinguish a cancelled run from a failed one
	dir    string          // as the caller wrote it
	stderr *head
}

func git(ctx context.Context, dir string, args ...string) *command {
	cmd := Local(ctx, dir, args...)
	stderr := new(head)
	cmd.Stderr = stderr
	return &command{Cmd: cmd, ctx: ctx, dir: dir, stderr: stderr}
}

// output runs git and returns its output.
func output(ctx context.Context, dir string, args ...string) (string, error) {
	c := git(ctx, dir, args...)
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Run(); err != nil {
		return "", c.explain(err)
	}
	return out.String(), nil
}

// line runs git and returns the one line of its output; a name in it may hold line ends.
func line(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := output(ctx, dir, args...)
	return strings.TrimSuffix(out, "\n"), err
}

// lost matches git's messages about an object that it knows of and does not have.
var lost = regexp.MustCompile(`(?i)(?:could not (?:fetch|read)|unable to read(?: tree| sha1 file of)?|bad object|bad tree object) \(?([0-9a-f]{40,64})`)

// explain turns a failed run into an error for the drafter.
func (c *command) explain(err error) error {
	said := c.stderr.String()
	if c.ctx.Err() != nil {
		return fmt.Errorf("reading the repository at %s: %w", place(c.dir), context.Cause(c.ctx))
	}
	if known := Unusable(c.dir, said, err); known != nil {
		return known
	}
	if object := lost.FindStringSubmatch(said); object != nil {
		return missing(object[1])
	}
	if said = strings.TrimSpace(said); said == "" {
		return fmt.Errorf("git in %s: %w", place(c.dir), err)
	}
	return fmt.Errorf("git in %s: %w: %s", place(c.dir), err, said)
}

// Unusable returns why git can't be used in a directory at all, from the error and the error output of a failed run; nil for other failures.
func Unusable(dir, said string, err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return &problem{errNotInstalled, "the git program was not found", "install git, or put it on the PATH"}
	case strings.Contains(said, "not a git repository"):
		return &problem{ErrNotRepository, place(dir) + " is not in a git repository",
			"run redline in a clone of the contracts' repository, or create one with `git init`"}
	case strings.Contains(said, "dubious ownership"):
		return &problem{errOwner, "the repository at " + place(dir) + " belongs to another user, so git refuses to read it",
			"if you trust it, run `git config --global --add safe.directory DIRECTORY`"}
	case strings.Contains(said, "cannot use bare repository"):
		return &problem{ErrNotRepository, place(dir) + " is in a bare repository that lies in a work tree; such a one is not used, since a commit can hold it",
			"run redline where the work tree is"}
	case strings.Contains(said, "must be run in a work tree"):
		return &problem{ErrBare, "the repository at " + place(dir) + " is bare: it has no work tree", "run redline in a clone of it, or name the revision to read"}
	}
	return nil
}

const cloneAgain = "the clone is partial or damaged; clone again without --filter, or run `git fetch --refetch --no-filter`"

func missing(object string) error {
	return &problem{errMissing, "object " + object + " is not in this clone", cloneAgain}
}

func place(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// A head keeps the first stderrLimit bytes written to it.
type head struct{ kept []byte }

func (h *head) Write(p []byte) (int, error) {
	h.kept = append(h.kept, p[:min(len(p), stderrLimit-len(h.kept))]...)
	return len(p), nil
}

func (h *head) String() string { return string(h.kept) }
