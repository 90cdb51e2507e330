package record

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A Repository is a git repository, by any directory of it. Git's own program reads and writes it.
type Repository struct{ dir string }

// At is the repository around a directory.
func At(dir string) Repository { return Repository{dir} }

// stderrLimit bounds what is kept of git's own words, in bytes.
const stderrLimit = 8192

// A failure is a run of git that failed.
type failure struct {
	args []string
	said string
	err  error
}

func (f *failure) Error() string {
	what := "git " + f.args[0]
	if f.said == "" {
		return what + ": " + f.err.Error()
	}
	return what + ": " + f.said
}

func (f *failure) Unwrap() error { return f.err }

// local is git without a network, hooks, or replaced objects, as gitfs runs it.
func (r Repository) local(ctx context.Context, args ...string) *exec.Cmd {
	return r.command(ctx, []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}, args...)
}

// guard stands before every sub-command: nothing of git's own house-keeping in between, and no logs of refs that never move.
var guard = []string{"--no-pager", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.logAllRefUpdates=false"}

func (r Repository) command(ctx context.Context, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(guard[:len(guard):len(guard)], args...)...)
	cmd.Dir = r.dir
	cmd.Env = slices.Concat(environment(os.Environ()), env)
	cmd.WaitDelay = 2 * time.Second // a child of git may keep the pipes open after a kill
	cmd.Stderr = &head{}
	return cmd
}

// elsewhere are the variables by which a surrounding git (a hook, an alias) points to its own repository, as in gitfs.
var elsewhere = []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_PREFIX",
	"GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_LITERAL_PATHSPECS", "GIT_NOTES_REF", "GIT_NOTES_DISPLAY_REF"}

func environment(from []string) []string {
	env := slices.DeleteFunc(slices.Clone(from), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(elsewhere, name)
	})
	return append(env, "LC_ALL=C", "LANGUAGE=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1", "GIT_PAGER=cat")
}

// run runs git with something on its input and returns what it printed.
func run(ctx context.Context, cmd *exec.Cmd, in []byte) (string, error) {
	var out bytes.Buffer
	cmd.Stdout = &out
	if in != nil {
		cmd.Stdin = bytes.NewReader(in)
	}
	if err := cmd.Run(); err != nil {
		return out.String(), explain(ctx, cmd, err)
	}
	return out.String(), nil
}

// line is run where git prints one line.
func line(ctx context.Context, cmd *exec.Cmd, in []byte) (string, error) {
	out, err := run(ctx, cmd, in)
	return strings.TrimSuffix(out, "\n"), err
}

// lines runs git and hands over what it prints, line by line, and at last why it failed, where it has.
func lines(ctx context.Context, cmd *exec.Cmd) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			yield("", explain(ctx, cmd, err))
			return
		}
		from := bufio.NewReader(out)
		for one, err := from.ReadString('\n'); err == nil; one, err = from.ReadString('\n') {
			if !yield(one[:len(one)-1], nil) {
				_ = cmd.Process.Kill() // nobody wants the rest, nor what git says of that
				_ = cmd.Wait()
				return
			}
		}
		if err := cmd.Wait(); err != nil {
			yield("", explain(ctx, cmd, err))
		}
	}
}

func explain(ctx context.Context, cmd *exec.Cmd, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("the git program was not found: install git, or put it on the PATH")
	}
	said := ""
	if h, ok := cmd.Stderr.(*head); ok {
		said = strings.TrimSpace(string(h.kept))
	}
	f := &failure{cmd.Args[1+len(guard):], said, err}
	if _, rest, ok := strings.Cut(said, lostWords); ok {
		id, _, _ := strings.Cut(rest, " ")
		return &lostError{id, f}
	}
	return f
}

// lostWords are git's before the id of an object of a partial clone that is elsewhere.
const lostWords = "could not fetch "

// A lostError says which object is not in this clone. It is errElsewhere.
type lostError struct {
	object string
	git    *failure
}

func (l *lostError) Error() string {
	return fmt.Sprintf("object %s is %v, which is partial: %s", short(l.object), errElsewhere, fetchIt)
}

func (l *lostError) Unwrap() []error { return []error{errElsewhere, l.git} }

// says reports whether git failed with one of these words.
func says(err error, words ...string) bool {
	var f *failure
	return errors.As(err, &f) && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(f.said, w) })
}

// A head keeps the first stderrLimit bytes written to it.
type head struct{ kept []byte }

func (h *head) Write(p []byte) (int, error) {
	h.kept = append(h.kept, p[:min(len(p), stderrLimit-len(h.kept))]...)
	return len(p), nil
}

// wrapped names what was being done.
func wrapped(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf(format+": %w", append(args, *err)...)
	}
}
