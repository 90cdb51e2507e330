package gitfs

import "errors"

// Reasons why a version cannot be read. Every *Error unwraps to one of them.
var (
	errNotInstalled  = errors.New("git is not installed")
	ErrNotRepository = errors.New("not a git repository")
	errOwner         = errors.New("repository owned by another user")
	ErrBare          = errors.New("repository without a work tree")
	errNoCommits     = errors.New("repository without commits")
	errNoRevision    = errors.New("no such revision")
	ErrAmbiguous     = errors.New("ambiguous revision")
	errShallow       = errors.New("shallow clone")
	errUnrelated     = errors.New("no common history")
	errMissing       = errors.New("object not in this clone")
	errTooLarge      = errors.New("too large")
	errMalformed     = errors.New("malformed tree")
	errNotContent    = errors.New("not a file's content")
)

// An Error describes a problem with a repository, a revision or a file, and how to solve it.
type Error struct {
	Kind error  // one of the Err variables of this package
	What string // the problem, naming the object
	Do   string // how to solve it
}

func (e *Error) Error() string {
	if e.Do == "" {
		return e.What
	}
	return e.What + ": " + e.Do
}

// Unwrap returns Kind, so that errors.Is(err, errShallow) and its like work.
func (e *Error) Unwrap() error { return e.Kind }
