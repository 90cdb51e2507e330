package review

import (
	"io/fs"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/github"
)

// Talk says how a review is told on a pull request. What stands there already is kept true either way.
type Talk struct {
	Summary     bool // one comment that sums up
	Inline      bool // a remark for each new violation, at the line to blame
	Suggestions bool // in remarks, repairs that can be applied there
}

// A Telling is all that a run has to tell on a pull request, whatever is there already.
type Telling struct {
	Number  int             // the pull request
	Commit  string          // its head that was reviewed, as a full id; not the merge commit
	Run     Run             // which run tells it
	Review  *finding.Review // nil: there is none, and Failure says why
	Failure string          // a Plan's Summary
	On      finding.FailOn  // what the gate objects to
	Talk    Talk
	Notices []string // what a reader has to know besides, in plain text of anybody's

	// Merged is what was reviewed, Head the commit, both from the repository's top. Without them remarks are about files,
	// not lines. Contracts' files are read from them, and only those that the pull request changes.
	Merged, Head fs.FS

	Relayed bool // it is what a fork's own run has reported, and was not computed by this one
	Partial bool // contracts are missing in Review
}

// There is what is on a pull request already.
type There struct {
	Pull     github.PullRequest
	Me       string // as whom we write; nobody else's text is looked into
	Comments []github.Comment
	Remarks  []github.ReviewComment
	Files    []github.File

	// Refused counts how many places GitHub has refused in this run for a remark, by identity: the next best one is taken.
	Refused map[string]int
	// Made are the identities of which this run has made a remark, be it listed yet or not.
	Made map[string]bool
}

// A Conversation is what is to be done on a pull request, in this order. The zero Conversation is nothing.
type Conversation struct {
	Summary Sticky
	Create  []Remark
	Change  []Change
	Remove  []Duplicate // remarks of ours that say what an older one says
	Because string      // why nothing is told; empty where it is
}

// Idle reports whether nothing is to be done.
func (c Conversation) Idle() bool {
	return c.Summary.Body == "" && len(c.Summary.Remove)+len(c.Create)+len(c.Change)+len(c.Remove) == 0
}

// A Sticky is the one comment that sums up.
type Sticky struct {
	ID     int64   // of the comment that is there; 0: none is
	Body   string  // what it is to say; empty: it stays as it is
	Remove []int64 // comments of ours that say the same
}

// A Remark is to be put at a line.
type Remark struct {
	Identity string
	At       github.NewComment
}

// A Change is to be made to a remark that is there.
type Change struct {
	ID              int64
	Body            string
	Thread          string // as GraphQL knows it; empty: not known
	Resolve, Reopen bool   // what is to become of the thread
}

// A Duplicate is a remark that is there twice.
type Duplicate struct {
	ID       int64
	Of       int64 // the older one
	Node     string
	Answered bool // somebody has replied, so it is folded and not removed
}
