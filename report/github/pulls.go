package github

import (
	"context"
	"errors"

	gh "github.com/google/go-github/v60/github"
)

// A Side of a pull request is a commit of a branch of a repository.
type Side struct {
	SHA, Ref   string
	Repository string // owner/name; empty: it was deleted
}

// A PullRequest is as it is now.
type PullRequest struct {
	Number     int
	State      string // open or closed
	Draft      bool
	Merged     bool
	Head, Base Side
}

// A File is one that a pull request changes.
type File struct {
	Path     string
	Previous string // what it was called before; empty unless renamed
	Status   string // added, removed, modified, renamed, copied, changed, unchanged
	Patch    string // its hunks; empty where GitHub leaves them out, as for a large file
}

// MostFiles is how many files of a pull request GitHub lists (docs.github.com, REST, "List pull
// requests files"). There may be more.
const MostFiles = 3000

// PullRequest reads one.
func (c *Client) PullRequest(ctx context.Context, n int) (PullRequest, error) {
	p, _, err := c.rest.PullRequests.Get(ctx, c.owner, c.name, n)
	if err != nil {
		return PullRequest{}, plain(ctx, err)
	}
	return pullRequest(p), nil
}

// PullRequestsFrom lists the pull requests, open or closed, newest first, whose head is this branch
// of that owner's repository.
func (c *Client) PullRequestsFrom(ctx context.Context, owner, branch string) ([]PullRequest, error) {
	if owner == "" || branch == "" {
		return nil, errors.New("a branch needs an owner and a name: without them every pull request would be listed")
	}
	found, err := pages(ctx, "pull requests", (*gh.PullRequest).GetNumber, func(o gh.ListOptions) ([]*gh.PullRequest, *gh.Response, error) {
		return c.rest.PullRequests.List(ctx, c.owner, c.name,
			&gh.PullRequestListOptions{State: "all", Head: owner + ":" + branch, Sort: "created", Direction: "desc", ListOptions: o})
	})
	var list []PullRequest
	for _, p := range found {
		if p.GetHead().GetRef() == branch {
			list = append(list, pullRequest(p))
		}
	}
	return list, err
}

// PullRequestsOf lists the pull requests that brought a commit into the repository.
func (c *Client) PullRequestsOf(ctx context.Context, commit string) ([]PullRequest, error) {
	found, err := pages(ctx, "pull requests", (*gh.PullRequest).GetNumber, func(o gh.ListOptions) ([]*gh.PullRequest, *gh.Response, error) {
		return c.rest.PullRequests.ListPullRequestsWithCommit(ctx, c.owner, c.name, commit, &o)
	})
	var list []PullRequest
	for _, p := range found {
		list = append(list, pullRequest(p))
	}
	return list, err
}

// Files lists what the pull request changes, as far as GitHub tells: MostFiles.
func (c *Client) Files(ctx context.Context, n int) ([]File, error) {
	found, err := pages(ctx, "files", (*gh.CommitFile).GetFilename, func(o gh.ListOptions) ([]*gh.CommitFile, *gh.Response, error) {
		return c.rest.PullRequests.ListFiles(ctx, c.owner, c.name, n, &o)
	})
	var list []File
	for _, f := range found {
		list = append(list, File{f.GetFilename(), f.GetPreviousFilename(), f.GetStatus(), f.GetPatch()})
	}
	return list, err
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
