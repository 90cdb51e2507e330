package github

import (
	"context"
	"fmt"

	gh "github.com/google/go-github/v60/github"
)

// A ReviewComment is a comment at a line of a file that the pull request changes, or an answer to one.
type ReviewComment struct {
	ID        int64
	Node      string // its id in GraphQL
	Author    string // a bot's name ends in [bot]; empty: the account was deleted
	Body      string
	Path      string
	Line      int    // in head's file; 0: at the file as a whole, or Outdated
	Outdated  bool   // its line is no longer in the diff
	InReplyTo int64  // the first comment of its thread; 0: it is the first
	Thread    string // the thread's id in GraphQL; empty: not known
	Resolved  bool   // the thread is; false if not known
}

// A NewComment is a comment to create, at a line of head's file or at lines up to it.
type NewComment struct {
	Path      string
	StartLine int // 0: there is only Line; else it is before Line and in the same hunk
	Line      int // 0: at the file as a whole, which a review cannot have
	Body      string
}

// ReviewComments returns a pull request's review comments, oldest first. If the token may not use GraphQL, they have no threads.
func (c *Client) ReviewComments(ctx context.Context, n int) ([]ReviewComment, error) {
	list, err := pages(ctx, "review comments", (*gh.PullRequestComment).GetID, reviewComment, func(o gh.ListOptions) ([]*gh.PullRequestComment, *gh.Response, error) {
		return c.rest.PullRequests.ListComments(ctx, c.owner, c.name, n, &gh.PullRequestListCommentsOptions{ListOptions: o})
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	threads, err := c.threads(ctx, n)
	if err != nil && may(err) {
		threads, err = nil, nil
	}
	inThreads(list, threads)
	return list, err
}

// inThreads sets the thread of each comment, by the thread's first comment.
func inThreads(list []ReviewComment, threads map[string]thread) {
	of := map[int64]thread{}
	for _, r := range list {
		if t, ok := threads[r.Node]; ok {
			of[r.ID] = t
		}
	}
	for i := range list {
		first := list[i].InReplyTo
		if first == 0 {
			first = list[i].ID
		}
		if t, ok := of[first]; ok {
			list[i].Thread, list[i].Resolved, list[i].Outdated = t.ID, t.IsResolved, t.IsOutdated
		}
	}
}

// HasReviewComment reports whether a review comment exists, as HasComment does.
func (c *Client) HasReviewComment(ctx context.Context, id int64) (bool, error) {
	_, _, err := c.rest.PullRequests.GetComment(ctx, c.owner, c.name, id)
	return exists(ctx, err)
}

// CreateReview adds comments at lines in one request, all or none. GitHub refuses all of them (Unprocessable) for
// one line outside the diff, and does not name it. The review neither approves nor requests changes. It is
// never repeated: see Uncertain.
func (c *Client) CreateReview(ctx context.Context, n int, commit string, comments []NewComment) error {
	review := &gh.PullRequestReviewRequest{CommitID: &commit, Event: gh.String("COMMENT")}
	for _, n := range comments {
		if n.Line == 0 {
			return fmt.Errorf("a review can't hold a comment at a file as a whole (%q)", n.Path)
		}
		if err := fits("a review comment", n.Body, CommentLimit); err != nil {
			return err
		}
		draft := &gh.DraftReviewComment{Path: &n.Path, Body: &n.Body, Line: &n.Line, Side: gh.String("RIGHT")}
		if n.StartLine != 0 {
			draft.StartLine, draft.StartSide = &n.StartLine, gh.String("RIGHT")
		}
		review.Comments = append(review.Comments, draft)
	}
	fresh, _, err := c.rest.PullRequests.CreateReview(ctx, c.owner, c.name, n, review)
	return made(ctx, "the review", fresh.GetID(), err)
}

// CreateReviewComment adds one comment, at a line or at a file as a whole. It is never repeated: see
// Uncertain.
func (c *Client) CreateReviewComment(ctx context.Context, n int, commit string, at NewComment) (ReviewComment, error) {
	if err := fits("the review comment", at.Body, CommentLimit); err != nil {
		return ReviewComment{}, err
	}
	fresh, _, err := c.rest.PullRequests.CreateComment(ctx, c.owner, c.name, n, alone(commit, at))
	if err = made(ctx, "the review comment", fresh.GetID(), err); err != nil {
		return ReviewComment{}, err
	}
	return reviewComment(fresh), nil
}

func alone(commit string, at NewComment) *gh.PullRequestComment {
	r := &gh.PullRequestComment{Body: &at.Body, Path: &at.Path, CommitID: &commit}
	if at.Line == 0 {
		r.SubjectType = gh.String("file")
		return r
	}
	r.Line, r.Side = &at.Line, gh.String("RIGHT")
	if at.StartLine != 0 {
		r.StartLine, r.StartSide = &at.StartLine, gh.String("RIGHT")
	}
	return r
}

// EditReviewComment replaces the text of a review comment.
func (c *Client) EditReviewComment(ctx context.Context, id int64, body string) error {
	if err := fits("the review comment", body, CommentLimit); err != nil {
		return err
	}
	_, _, err := c.rest.PullRequests.EditComment(ctx, c.owner, c.name, id, &gh.PullRequestComment{Body: &body})
	return plain(ctx, err)
}

func reviewComment(r *gh.PullRequestComment) ReviewComment {
	return ReviewComment{
		ID: r.GetID(), Node: r.GetNodeID(), Author: r.GetUser().GetLogin(), Body: r.GetBody(), Path: r.GetPath(), Line: r.GetLine(),
		Outdated: r.Line == nil && r.GetSubjectType() != "file", InReplyTo: r.GetInReplyTo(),
	}
}
