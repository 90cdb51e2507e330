package gitfs

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/agext/levenshtein"
)

// maxRefs bounds the number of names compared for a suggestion.
const maxRefs = 10_000

var fullID = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// Top returns the top directory of the work tree around dir, as an absolute path. The error is
// ErrBare in a bare repository.
func Top(ctx context.Context, dir string) (string, error) {
	return line(ctx, dir, "rev-parse", "--show-toplevel")
}

// Resolve returns the full id of the commit that rev (a branch, a tag, an id, HEAD~2, ...) names in the repository around dir. An ambiguous
// name is an error (ErrAmbiguous).
func Resolve(ctx context.Context, dir, rev string) (string, error) {
	if err := speakable(rev); err != nil {
		return "", err
	}
	c := git(ctx, dir, "rev-parse", "--verify", "--end-of-options", rev+"^{commit}")
	out, err := c.Output()
	said := c.stderr.String()
	if strings.Contains(said, "is ambiguous") {
		return "", &problem{ErrAmbiguous, fmt.Sprintf("revision %q names more than one thing", rev),
			"write refs/heads/NAME for a branch, refs/tags/NAME for a tag, or the full commit id"}
	}
	if err != nil {
		return "", absent(ctx, c, rev, err)
	}
	commit := strings.TrimSpace(string(out))
	if !fullID.MatchString(commit) {
		return "", &problem{errNoRevision, fmt.Sprintf("%q is not one revision", rev), "name a single branch, tag or commit"}
	}
	return commit, nil
}

// Has reports whether the commit with a full id is in the repository around dir. It is false on any error.
func Has(ctx context.Context, dir, id string) bool {
	return fullID.MatchString(id) && git(ctx, dir, "cat-file", "-e", id+"^{commit}").Run() == nil
}

// speakable returns an error for a revision that git would read as an option, or that cannot exist.
func speakable(rev string) error {
	switch {
	case rev == "":
		return &problem{errNoRevision, "the revision is empty", "name a branch, tag or commit"}
	case strings.HasPrefix(rev, "-"):
		return &problem{errNoRevision, fmt.Sprintf("revision %q begins with a hyphen", rev), "name a branch, tag or commit"}
	case strings.ContainsFunc(rev, unicode.IsControl):
		return &problem{errNoRevision, fmt.Sprintf("revision %q holds control characters", rev), "name a branch, tag or commit"}
	}
	return nil
}

// defaultBranch returns the branch that a clone was made of, or else main or master, whichever is among the names. It returns "" for none.
func defaultBranch(ctx context.Context, dir string, names []string) string {
	if head, err := line(ctx, dir, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"); err == nil && head != "" {
		return head
	}
	for _, name := range []string{"main", "master"} {
		if slices.Contains(names, name) {
			return name
		}
	}
	return ""
}

// absent explains why rev did not resolve, from the most general reason to the most specific.
func absent(ctx context.Context, c *command, rev string, err error) error {
	if !strings.Contains(c.stderr.String(), "Needed a single revision") || ctx.Err() != nil {
		return c.explain(err)
	}
	if id, err := line(ctx, c.dir, "rev-parse", "--verify", "--quiet", "--end-of-options", rev); err == nil && id != rev && fullID.MatchString(id) {
		return noCommit(ctx, c.dir, rev, id)
	}
	names, err := Refs(ctx, c.dir)
	if err != nil {
		return err
	}
	shallow, err := isShallow(ctx, c.dir)
	if err != nil {
		return err
	}
	_, headErr := line(ctx, c.dir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	what := fmt.Sprintf("revision %q does not exist here", rev)
	switch near := nearest(rev, names); {
	case len(names) == 0 && headErr != nil:
		return &problem{errNoCommits, "the repository at " + place(c.dir) + " has no commits yet", "commit the contracts first"}
	case near != "":
		return &problem{errNoRevision, what, fmt.Sprintf("did you mean %q?", near)}
	case shallow:
		return &problem{errShallow, fmt.Sprintf("revision %q is not in this clone, which is shallow", rev), deepen(rev)}
	case (rev == "main" || rev == "master") && defaultBranch(ctx, c.dir, names) != "":
		return &problem{errNoRevision, what, fmt.Sprintf("the default branch is %q", defaultBranch(ctx, c.dir, names))}
	case fullID.MatchString(rev):
		return &problem{errNoRevision, what, "run `git fetch origin " + rev + "`"}
	}
	return &problem{errNoRevision, what, "`git branch --all` and `git tag` list the names that do"}
}

// noCommit explains why the object that rev names is not a commit: it is of another type, or not here.
func noCommit(ctx context.Context, dir, rev, id string) error {
	kind, err := line(ctx, dir, "cat-file", "-t", id)
	if ctx.Err() == nil && err != nil {
		return missing(id)
	}
	if err != nil {
		return err
	}
	if kind == "commit" { // as :/TEXT does, which includes any text after it
		return &problem{errNoRevision, fmt.Sprintf("%q is a search, not a name", rev), "name a branch, tag or commit"}
	}
	return &problem{errNoRevision, fmt.Sprintf("%q names a %s, not a commit", rev, kind), "name a branch, tag or commit"}
}

// deepen returns the way to get rev into a shallow clone. The command names rev only if no shell could read it as anything else.
func deepen(rev string) string {
	if !regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._/-]*$`).MatchString(rev) {
		return "set fetch-depth: 0 in actions/checkout, or run `git fetch --unshallow`"
	}
	return "set fetch-depth: 0 in actions/checkout, or run `git fetch --unshallow` or `git fetch --depth=1 origin " + rev + "`"
}

func isShallow(ctx context.Context, dir string) (bool, error) {
	out, err := line(ctx, dir, "rev-parse", "--is-shallow-repository")
	return out == "true", err
}

// Refs returns branch, tag and remote branch names, sorted by git, maxRefs at most.
func Refs(ctx context.Context, dir string) ([]string, error) {
	out, err := output(ctx, dir, "for-each-ref", fmt.Sprintf("--count=%d", maxRefs),
		"--format=%(refname:lstrip=2)", "refs/heads", "refs/tags", "refs/remotes")
	return strings.Fields(out), err // a ref's name holds no blank (git-check-ref-format)
}

// nearest returns the name that rev most likely meant, or "". A remote branch also matches by its own name: main for origin/main, which is all
// that Actions checks out.
func nearest(rev string, names []string) string {
	best, limit := "", len(rev)/3+2
	for _, name := range names {
		d := levenshtein.Distance(rev, name, nil)
		if strings.HasSuffix(name, "/"+rev) {
			d = 0
		}
		if d < limit {
			best, limit = name, d
		}
	}
	return best
}

// MergeBase returns the best common ancestor of two commits: the version that a branch would replace. In a shallow clone it may be missing
// (errShallow). Messages have the names that were given for them.
func MergeBase(ctx context.Context, dir string, commits, names [2]string) (string, error) {
	c := git(ctx, dir, "merge-base", commits[0], commits[1])
	out, err := c.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		return "", apart(ctx, dir, names[0], names[1])
	}
	if err != nil {
		return "", c.explain(err)
	}
	return strings.TrimSpace(string(out)), nil
}

// apart explains why two commits have no common ancestor.
func apart(ctx context.Context, dir, a, b string) error {
	shallow, err := isShallow(ctx, dir)
	if err != nil {
		return err
	}
	if shallow {
		return &problem{errShallow, fmt.Sprintf("the merge base of %q and %q is not in this clone, which is shallow", a, b),
			"set fetch-depth: 0 in actions/checkout, or run `git fetch --unshallow`"}
	}
	return &problem{errUnrelated, fmt.Sprintf("%q and %q have no common history", a, b), "name the base revision itself"}
}
