package github

import (
	"context"
	"errors"
	"slices"

	gh "github.com/google/go-github/v60/github"
)

// A Side is one side of a pull request: a commit of a branch of a repository.
type Side struct {
	SHA, Ref   string
	Repository string // owner/name; empty: it was deleted
}

// A PullRequest is a pull request in its present state.
type PullRequest struct {
	Number     int
	State      string // open or closed
	Draft      bool
	Merged     bool
	Head, Base Side
}

// A File is a file that a pull request changes.
type File struct {
	Path     string
	Previous string // its former name; empty unless renamed
	Status   string // added, removed, modified, renamed, copied, changed, unchanged
	Patch    string // its hunks; empty if GitHub leaves them out, as for a large file
}

// PullRequest returns a pull request.
func (c *Client) PullRequest(ctx context.Context, n int) (PullRequest, error) {
	p, _, err := c.rest.PullRequests.Get(ctx, c.owner, c.name, n)
	if err != nil {
		return PullRequest{}, plain(ctx, err)
	}
	return pullRequest(p), nil
}

// PullRequestsFrom returns the pull requests, open or closed, newest first, whose head is this branch
// of that owner's repository.
func (c *Client) PullRequestsFrom(ctx context.Context, owner, branch string) ([]PullRequest, error) {
	if owner == "" || branch == "" {
		return nil, errors.New("a branch needs an owner and a name: without them every pull request would be listed")
	}
	list, err := pages(ctx, "pull requests", (*gh.PullRequest).GetNumber, pullRequest, func(o gh.ListOptions) ([]*gh.PullRequest, *gh.Response, error) {
		return c.rest.PullRequests.List(ctx, c.owner, c.name,
			&gh.PullRequestListOptions{State: "all", Head: owner + ":" + branch, Sort: "created", Direction: "desc", ListOptions: o})
	})
	return slices.DeleteFunc(list, func(p PullRequest) bool { return p.Head.Ref != branch }), err
}

// PullRequestsOf returns the pull requests that brought a commit into the repository.
func (c *Client) PullRequestsOf(ctx context.Context, commit string) ([]PullRequest, error) {
	return pages(ctx, "pull requests", (*gh.PullRequest).GetNumber, pullRequest, func(o gh.ListOptions) ([]*gh.PullRequest, *gh.Response, error) {
		return c.rest.PullRequests.ListPullRequestsWithCommit(ctx, c.owner, c.name, commit, &o)
	})
}

// Files returns the files that a pull request changes, at most 3,000, which is all that GitHub lists (docs.github.com, REST,
// "List pull requests files").
func (c *Client) Files(ctx context.Context, n int) ([]File, error) {
	return pages(ctx, "files", (*gh.CommitFile).GetFilename, file, func(o gh.ListOptions) ([]*gh.CommitFile, *gh.Response, error) {
		return c.rest.PullRequests.ListFiles(ctx, c.owner, c.name, n, &o)
	})
}

func file(f *gh.CommitFile) File {
	return File{f.GetFilename(), f.GetPreviousFilename(), f.GetStatus(), f.GetPatch()}
}

func pullRequest(p *gh.PullRequest) PullRequest {
	return PullRequest{
		Number: p.GetNumber(), State: p.GetState(), Draft: p.GetDraft(), Merged: p.GetMerged() || p.MergedAt != nil,
		Head: side(p.GetHead()), Base: side(p.GetBase()),
	}
}

func side(b *gh.PullRequestBranch) Side {
	return Side{b.GetSHA(), b.GetRef(), b.GetRepo().GetFullName()}
}
