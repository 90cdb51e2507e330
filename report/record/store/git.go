package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os/exec"
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec/gitfs"
)

// A Repository is a git repository, given by any directory in it. The git program does all reading and writing.
type Repository struct{ dir string }

// At returns the repository around a directory. It does not check that there is one.
func At(dir string) Repository { return Repository{dir} }

// stderrLimit bounds how much of git's error output is kept, in bytes.
const stderrLimit = 8192

// A failure reports a failed run of git.
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

// local returns a git command that uses no network.
func (r Repository) local(ctx context.Context, args ...string) *exec.Cmd {
	return heard(gitfs.Local(ctx, r.dir, args...), args)
}

// heard makes a command keep its error output for explain.
func heard(cmd *exec.Cmd, args []string) *exec.Cmd {
	cmd.Stderr = &head{args: args}
	return cmd
}

// run runs git with the given input and returns its output.
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

// line runs git and returns the one line it prints.
func line(ctx context.Context, cmd *exec.Cmd, in []byte) (string, error) {
	out, err := run(ctx, cmd, in)
	return strings.TrimSuffix(out, "\n"), err
}

// lines runs git and yields its output line by line, and an error last if it failed.
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
				_ = cmd.Process.Kill() // the caller stopped: discard the rest
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
	h := cmd.Stderr.(*head)
	said := strings.TrimSpace(string(h.kept))
	if unusable := gitfs.Unusable(cmd.Dir, said, err); unusable != nil {
		return unusable
	}
	f := &failure{h.args, said, err}
	if _, rest, ok := strings.Cut(said, lostWords); ok {
		id, _, _ := strings.Cut(rest, " ")
		return &lostError{id, f}
	}
	return f
}

// lostWords precede the id of an object missing from a partial clone in git's error output.
const lostWords = "could not fetch "

// A lostError names an object that is not in this clone. It wraps errElsewhere.
type lostError struct {
	object string
	git    *failure
}

func (l *lostError) Error() string {
	return fmt.Sprintf("object %s is %v, which is partial: %s", short(l.object), errElsewhere, fetchIt)
}

func (l *lostError) Unwrap() []error { return []error{errElsewhere, l.git} }

// says reports whether git failed with an error that has one of these phrases.
func says(err error, words ...string) bool {
	var f *failure
	return errors.As(err, &f) && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(f.said, w) })
}

// A head keeps the first stderrLimit bytes written to it, and the arguments of that run of git.
type head struct {
	kept []byte
	args []string
}

func (h *head) Write(p []byte) (int, error) {
	h.kept = append(h.kept, p[:min(len(p), stderrLimit-len(h.kept))]...)
	return len(p), nil
}

// wrapped prefixes a non-nil error with what was being done.
func wrapped(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf(format+": %w", append(args, *err)...)
	}
}
