package githubtest

import (
	"fmt"
)

// A Side of a pull request.
type Side struct {
	SHA, Ref   string
	Repository string // owner/name; empty: it was deleted
}

// A File that a pull request changes.
type File struct {
	Path, Previous, Status string // an empty Status is modified
	Patch                  string // hunks; empty: GitHub leaves them out
}

// A Pull is a pull request.
type Pull struct {
	Number       int
	Title, State string // an empty State is open
	Author       string // who opened it; empty: the account was deleted
	Draft        bool
	Merged       bool
	MergedAs     string // the commit that it became
	locked       bool   // only accounts with write access may comment
	Head, Base   Side
	Files        []File
}

type pull struct {
	Pull
	commits []string          // of the branch, the last one is its head
	files   map[string][]File // by commit
}

// A Comment in a pull request's conversation.
type Comment struct {
	ID           int64
	Node         string
	pull         int
	Author, Body string
	Minimized    bool
	EditedBy     []string // once for each time
}

// A ReviewComment at a line.
type ReviewComment struct {
	Comment
	Path            string
	startLine, Line int    // as of now; 0: at the file, or outdated
	Side            string // LEFT or RIGHT; empty: at the file
	Commit          string // for which it was made
	InReplyTo       int64
	review          int64 // with which it came
	Outdated        bool
	Resolved        bool   // its thread
	Thread          string // GraphQL's id of it
	text            string // of the commented line
}

// A review is a review of a pull request.
type review struct {
	ID                          int64
	pull                        int
	author, body, Event, Commit string // Event: APPROVE, REQUEST_CHANGES or COMMENT
	dismissed                   bool
}

// A checkRun is a check run on a commit.
type checkRun struct {
	ID                         int64
	name, head, External       string
	Status, Conclusion, author string
	Title, Summary, text       string
	Annotations                []Annotation
}

// An Annotation of a check run.
type Annotation struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Level     string `json:"annotation_level"`
	Title     string `json:"title"`
	Message   string `json:"message"`
}

// A Status of a commit.
type Status struct {
	ID                                             int64
	SHA, Context, State, Description, URL, Creator string
}

// Open adds a pull request, or puts it in the place of the one with its number.
func (h *Hub) Open(p Pull) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p.State == "" {
		p.State = "open"
	}
	p.Base.Repository = h.Repository
	h.pulls[p.Number] = &pull{Pull: p, commits: []string{p.Head.SHA}, files: map[string][]File{p.Head.SHA: p.Files}}
}

// Push puts a commit on top of the pull request's branch, whose files it now has.
func (h *Hub) Push(n int, sha string, files []File) { h.push(n, sha, files, false) }

// ForcePush puts a commit in the place of all of the branch.
func (h *Hub) ForcePush(n int, sha string, files []File) { h.push(n, sha, files, true) }

func (h *Hub) push(n int, sha string, files []File, force bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.pulls[n]
	if force {
		p.commits, p.files = nil, map[string][]File{}
	}
	p.commits, p.files[sha] = append(p.commits, sha), files
	p.Head.SHA, p.Files = sha, files
	for _, c := range h.inline {
		if c.pull == n {
			c.follow(files)
		}
	}
}

// Close closes a pull request.
func (h *Hub) Close(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pulls[n].State = "closed"
}

// Say adds a comment to a pull request's conversation.
func (h *Hub) Say(n int, author, body string) Comment {
	h.mu.Lock()
	defer h.mu.Unlock()
	return *h.say(n, author, body)
}

func (h *Hub) say(n int, author, body string) *Comment {
	c := &Comment{ID: h.id(), pull: n, Author: author, Body: body}
	c.Node = fmt.Sprintf("IC_%d", c.ID)
	h.comments = append(h.comments, c)
	return c
}

// SayAt adds a review comment at any line of head.
func (h *Hub) SayAt(n int, author, path string, line int, body string) ReviewComment {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.pulls[n]
	a := anchor{Path: path, Line: line, Side: right}
	return *h.sayAt(p, author, p.Head.SHA, h.id(), a, body)
}

// Reply adds a reply to a review comment.
func (h *Hub) Reply(to int64, author, body string) ReviewComment {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := h.inlineBy(to)
	r := *first
	r.Comment = Comment{ID: h.id(), pull: first.pull, Author: author, Body: body}
	r.Node, r.InReplyTo, r.review = fmt.Sprintf("PRRC_%d", r.ID), first.ID, h.id()
	h.inline = append(h.inline, &r)
	return r
}

// Comments are a pull request's conversation, oldest first.
func (h *Hub) Comments(n int) []Comment {
	h.mu.Lock()
	defer h.mu.Unlock()
	return copies(h.comments, func(c Comment) bool { return c.pull == n })
}

// ReviewComments are all of a pull request's, oldest first.
func (h *Hub) ReviewComments(n int) []ReviewComment {
	h.mu.Lock()
	defer h.mu.Unlock()
	return copies(h.inline, func(c ReviewComment) bool { return c.pull == n })
}

// Reviews are all of a pull request's, oldest first.
func (h *Hub) Reviews(n int) []review {
	h.mu.Lock()
	defer h.mu.Unlock()
	return copies(h.reviews, func(r review) bool { return r.pull == n })
}

// CheckRuns are all of a commit's, oldest first.
func (h *Hub) CheckRuns(sha string) []checkRun {
	h.mu.Lock()
	defer h.mu.Unlock()
	return copies(h.checks, func(r checkRun) bool { return r.head == sha })
}

// Statuses are all that were set on a commit, oldest first; the last one of a context counts.
func (h *Hub) Statuses(sha string) []Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	return copies(h.statuses, func(s Status) bool { return s.SHA == sha })
}

func copies[T any](all []*T, which func(T) bool) []T {
	var some []T
	for _, one := range all {
		if which(*one) {
			some = append(some, *one)
		}
	}
	return some
}

func (h *Hub) id() int64 {
	h.lastID++
	return h.lastID
}

func (h *Hub) inlineBy(id int64) *ReviewComment {
	for _, c := range h.inline {
		if c.ID == id {
			return c
		}
	}
	return nil
}
