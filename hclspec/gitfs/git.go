package gitfs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// stderrLimit bounds what is kept of git's own words, in bytes.
const stderrLimit = 4096

// guard stands before every sub-command. The environment says the same to git's children.
var guard = []string{"--no-pager", "-c", "protocol.allow=never", "-c", "core.warnAmbiguousRefs=true"}

// A command is one run of git in a directory.
type command struct {
	*exec.Cmd
	ctx    context.Context // of this run alone: it tells a cancelled run from a failed one
	dir    string          // as the caller wrote it
	stderr *head
}

func git(ctx context.Context, dir string, args ...string) *command {
	cmd := exec.CommandContext(ctx, "git", slices.Concat(guard, args)...)
	cmd.Dir = dir
	cmd.Env = environment(os.Environ())
	cmd.WaitDelay = 2 * time.Second // a child of git may keep the pipes open after a kill
	stderr := new(head)
	cmd.Stderr = stderr
	return &command{Cmd: cmd, ctx: ctx, dir: dir, stderr: stderr}
}

// output runs git and returns what it printed.
func output(ctx context.Context, dir string, args ...string) (string, error) {
	c := git(ctx, dir, args...)
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Run(); err != nil {
		return "", c.explain(err)
	}
	return out.String(), nil
}

// line runs git and returns the one line it printed; a name in it may hold line ends.
func line(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := output(ctx, dir, args...)
	return strings.TrimSuffix(out, "\n"), err
}

// elsewhere are the variables by which a surrounding git (a hook, an alias) points to its own
// repository. The directory we were given decides instead. Object directories stay: a receiving
// hook sees the new objects through them only.
var elsewhere = []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_PREFIX",
	"GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_LITERAL_PATHSPECS"}

func environment(from []string) []string {
	env := slices.DeleteFunc(slices.Clone(from), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(elsewhere, name)
	})
	return append(env,
		"LC_ALL=C", "LANGUAGE=C", // explain reads git's messages
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_NO_LAZY_FETCH=1",     // since git 2.45
		"GIT_ALLOW_PROTOCOL=none", // before 2.45 a lazy fetch starts, and fails here
		"GIT_PAGER=cat",
	)
}

// lost are git's words for an object that it knows of and does not have.
var lost = regexp.MustCompile(`(?i)(?:could not (?:fetch|read)|unable to read(?: tree| sha1 file of)?|bad object|bad tree object) \(?([0-9a-f]{40,64})`)

// explain turns a failed run into an error for the drafter.
func (c *command) explain(err error) error {
	said := c.stderr.String()
	switch {
	case c.ctx.Err() != nil:
		return fmt.Errorf("reading the repository at %s: %w", place(c.dir), context.Cause(c.ctx))
	case errors.Is(err, exec.ErrNotFound):
		return &Error{ErrNotInstalled, "the git program was not found", "install git, or put it on the PATH"}
	case strings.Contains(said, "not a git repository"):
		return &Error{ErrNotRepository, place(c.dir) + " is not in a git repository",
			"run redline in a clone of the contracts' repository, or create one with `git init`"}
	case strings.Contains(said, "dubious ownership"):
		return &Error{ErrOwner, "the repository at " + place(c.dir) + " belongs to another user, so git refuses to read it",
			"if you trust it, run `git config --global --add safe.directory DIRECTORY`"}
	case strings.Contains(said, "must be run in a work tree"):
		return &Error{ErrBare, "the repository at " + place(c.dir) + " is bare: it has no work tree", "name the revision to read"}
	case lost.MatchString(said):
		return missing(lost.FindStringSubmatch(said)[1])
	case strings.Contains(said, "not a tree object"):
		return &Error{ErrMissing, "the list of this commit's files is not in this clone", cloneAgain}
	}
	if said = strings.TrimSpace(said); said == "" {
		return fmt.Errorf("git in %s: %w", place(c.dir), err)
	}
	return fmt.Errorf("git in %s: %w: %s", place(c.dir), err, said)
}

const cloneAgain = "the clone is partial or damaged; clone again without --filter, or run `git fetch --refetch --no-filter`"

func missing(object string) error {
	return &Error{ErrMissing, "object " + object + " is not in this clone", cloneAgain}
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
