package github

import (
	"context"
	"errors"

	gh "github.com/google/go-github/v60/github"
)

// A Comment is a comment in a pull request's conversation.
type Comment struct {
	ID     int64
	Node   string // its id in GraphQL
	Author string // a bot's name ends in [bot]; empty: the account was deleted
	Body   string
}

// Comments returns a pull request's conversation, oldest first.
func (c *Client) Comments(ctx context.Context, n int) ([]Comment, error) {
	return pages(ctx, "comments", (*gh.IssueComment).GetID, comment, func(o gh.ListOptions) ([]*gh.IssueComment, *gh.Response, error) {
		return c.rest.Issues.ListComments(ctx, c.owner, c.name, n, &gh.IssueListCommentsOptions{ListOptions: o})
	})
}

// HasComment reports whether a comment exists. It requests that comment, since a list may be outdated.
func (c *Client) HasComment(ctx context.Context, id int64) (bool, error) {
	_, _, err := c.rest.Issues.GetComment(ctx, c.owner, c.name, id)
	return exists(ctx, err)
}

// exists converts the error of a request for one item.
func exists(ctx context.Context, err error) (bool, error) {
	if errors.As(err, new(NotFound)) {
		return false, nil
	}
	return err == nil, plain(ctx, err)
}

// CreateComment adds a comment. It is never repeated: see Uncertain.
func (c *Client) CreateComment(ctx context.Context, n int, body string) (Comment, error) {
	if err := fits("the comment", body, CommentLimit); err != nil {
		return Comment{}, err
	}
	fresh, _, err := c.rest.Issues.CreateComment(ctx, c.owner, c.name, n, &gh.IssueComment{Body: &body})
	if err = made(ctx, "the comment", fresh.GetID(), err); err != nil {
		return Comment{}, err
	}
	return comment(fresh), nil
}

// EditComment replaces the text of a comment.
func (c *Client) EditComment(ctx context.Context, id int64, body string) error {
	if err := fits("the comment", body, CommentLimit); err != nil {
		return err
	}
	_, _, err := c.rest.Issues.EditComment(ctx, c.owner, c.name, id, &gh.IssueComment{Body: &body})
	return plain(ctx, err)
}

// DeleteComment removes a comment. If the comment is gone at a second try, the first one removed it.
func (c *Client) DeleteComment(ctx context.Context, id int64) error {
	_, err := c.rest.Issues.DeleteComment(ctx, c.owner, c.name, id)
	return deleted(ctx, err)
}

// deleted converts the error of a request to delete one item.
func deleted(ctx context.Context, err error) error {
	if gone := (NotFound{}); errors.As(err, &gone) && gone.tries > 1 {
		return nil
	}
	return plain(ctx, err)
}

func comment(c *gh.IssueComment) Comment {
	return Comment{c.GetID(), c.GetNodeID(), c.GetUser().GetLogin(), c.GetBody()}
}
