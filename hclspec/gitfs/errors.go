package gitfs

import "errors"

// Reasons why a version cannot be read. Every error that describes one unwraps to one of them.
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

// A problem is the error that a repository, a revision or a file cannot be read, with how to solve that.
type problem struct {
	kind error  // one of the Err variables of this package
	what string // the problem, naming the object
	do   string // how to solve it
}

func (e *problem) Error() string {
	if e.do == "" {
		return e.what
	}
	return e.what + ": " + e.do
}

// Unwrap returns the kind, so that errors.Is(err, errShallow) and its like work.
func (e *problem) Unwrap() error { return e.kind }
