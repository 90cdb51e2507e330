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

// local is a run of git without a network.
func (r Repository) local(ctx context.Context, args ...string) *exec.Cmd {
	return heard(gitfs.Local(ctx, r.dir, args...), args)
}

// heard keeps what git says of a failure.
func heard(cmd *exec.Cmd, args []string) *exec.Cmd {
	cmd.Stderr = &head{args: args}
	return cmd
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
	h := cmd.Stderr.(*head)
	said := strings.TrimSpace(string(h.kept))
	f := &failure{h.args, said, err}
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

// A head keeps the first stderrLimit bytes written to it, and of which run of git.
type head struct {
	kept []byte
	args []string
}

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
