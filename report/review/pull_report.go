package review

import (
	"io/fs"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/github"
)

// Talk selects how a review is posted on a pull request. Existing texts are kept up to date in any case.
type Talk struct {
	Summary     bool // one comment that sums up
	Inline      bool // a remark for each new violation, at the line to blame
	Suggestions bool // repairs in remarks, ready to be applied
}

// A PullReport has everything that a run posts on a pull request. It does not depend on what is there already.
type PullReport struct {
	Number  int             // the pull request
	Commit  string          // the head that was reviewed, as a full id; not the merge commit
	Run     Run             // the run that posts
	Review  *finding.Review // nil: there is none, and Failure has the reason
	Failure string          // a Plan's Summary
	On      finding.FailOn  // what the gate objects to
	Talk    Talk
	Notices []string // further notes for the reader, in plain text, not yet escaped

	// Checkpoint is a checkpoint of the repository's log of records, to be kept in the summary comment; empty: none.
	Checkpoint string

	// Merged is the reviewed tree and Head that of the commit, both from the top of the repository. Without them remarks are about files,
	// not lines. Only the contracts' files that the pull request changes are read.
	Merged, Head fs.FS

	Page    bool // the run's artifacts have a page of the review
	Relayed bool // reported by a fork's own run, not computed by this one
	partial bool // Review lacks some contracts
}

// There describes what is on a pull request already.
type There struct {
	Pull     github.PullRequest
	Me       string // the account that the token writes as; the texts of others are not read
	comments []github.Comment
	remarks  []github.ReviewComment
	Files    []github.File

	// refused counts the places that GitHub has refused in this run, by the identity of the remark. The next best place is then used.
	refused map[string]int
	// made has the identities of the remarks that this run has made, listed or not.
	made map[string]bool
}

// A conversation is a plan of what to do on a pull request, in the order of its fields. The zero conversation does nothing.
type conversation struct {
	Summary summaryPlan
	Create  []remarkPlan
	change  []change
	remove  []duplicate // redline's remarks that repeat an older one
	because string      // why nothing is posted; else empty
}

// A summaryPlan is a plan for the summary comment.
type summaryPlan struct {
	id     int64   // of the existing comment; 0: there is none
	Body   string  // the new text; empty: unchanged
	remove []int64 // redline's further summary comments
}

// A remarkPlan is a plan for a new remark at a line.
type remarkPlan struct {
	identity string
	At       github.NewComment
}

// A change is a plan for an existing remark.
type change struct {
	id              int64
	body            string
	thread          string // GraphQL id of the thread; empty: not known
	resolve, reopen bool   // what to do with the thread
}

// A duplicate is a remark that repeats an older one.
type duplicate struct {
	id       int64
	of       int64 // the older one
	node     string
	answered bool // it has replies, so it is folded and not removed
}
