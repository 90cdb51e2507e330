package review

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/redlinehq/redline/hclspec/gitfs"
)

// fetchTime is the time limit for fetching one commit.
const fetchTime = 5 * time.Minute

// A Range has the two commits that a run compares, as full ids. The clone has both.
type Range struct {
	Base   string // empty: there is no base, and head is checked by itself
	Head   string // the commit that is checked out
	Notice string // a note for the reader on how base was found; may be empty
}

var (
	commitID = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	noCommit = regexp.MustCompile(`^0+$`) // before the first push
)

// Range finds the commits that the event compares, in the repository around dir, and fetches the base if the clone lacks it. It returns an
// error if the event has a base that cannot be fetched: to check head by itself would let a dropped promise pass.
func (e Event) Range(ctx context.Context, dir string) (Range, error) {
	head, err := gitfs.Resolve(ctx, dir, "HEAD")
	if err != nil {
		return Range{}, err
	}
	r, err := e.choose(ctx, dir, head)
	if err != nil || r.Base == "" {
		return r, err
	}
	if err := EnsureCommit(ctx, dir, r.Base); err != nil {
		return r, fmt.Errorf("the base can't be had (in actions/checkout, 'fetch-depth: 2' brings the base of a pull request, 'fetch-depth: 0' every base): %w", err)
	}
	return r, nil
}

// choose returns the commits that the event names.
func (e Event) choose(ctx context.Context, dir, head string) (Range, error) {
	switch e.Name {
	case "pull_request":
		return e.pullRequest(ctx, dir, head)
	case "pull_request_target":
		return Range{}, errors.New("pull_request_target runs on the base, not on the amendment: let the workflow run on pull_request")
	case "merge_group":
		return e.against(e.payload.MergeGroup.Base, head, "")
	case "push":
		if noCommit.MatchString(e.payload.Before) {
			return e.alone(head, "The branch is new: there is nothing to compare with, so every contract is checked as it is.")
		}
		return e.against(e.payload.Before, head, "")
	}
	return e.alone(head, "")
}

// alone returns a range without a base. It returns an error except on the default branch, where nothing is about to be merged: elsewhere a
// dropped promise would pass.
func (e Event) alone(head, notice string) (Range, error) {
	if !e.OnDefaultBranch() {
		return Range{}, fmt.Errorf("event %s on %s has no base to compare with, and without one a dropped promise would pass: let the workflow run on pull_request, on merge_group, "+
			"and on push to the default branch", e.Name, cmp.Or(e.Ref, "no branch"))
	}
	return Range{Head: head, Notice: notice}, nil
}

// against returns the range from the base in the payload to head. It returns an error if the run is not for head.
func (e Event) against(base, head, notice string) (Range, error) {
	if !commitID.MatchString(base) {
		return Range{}, fmt.Errorf("the payload of event %s names no commit as the base, but %q", e.Name, base)
	}
	if of := e.payload.PullRequest.Head.SHA; head != e.SHA && (head != of || e.Name != "pull_request") {
		return Range{}, e.another(head)
	}
	return Range{base, head, notice}, nil
}

// pullRequest compares the merge commit with its first parent, the present base. The payload's base.sha is the base at the time when the
// pull request last changed: other people's work merged since then would look like part of the amendment.
func (e Event) pullRequest(ctx context.Context, dir, head string) (Range, error) {
	parents, err := parents(ctx, dir, head)
	if err != nil {
		return Range{}, err
	}
	of := e.payload.PullRequest
	if len(parents) == 2 && head != of.Head.SHA && head == e.SHA {
		return Range{Base: parents[0], Head: head}, nil
	}
	return e.against(of.Base.SHA, head, notMerge)
}

// another returns the error for a commit that the run is not for. A commit is not GitHub's merge commit just because its second parent is
// the pull request's head.
func (e Event) another(head string) error {
	return fmt.Errorf("what is checked out, %.7s, is neither the commit that this run is for (GITHUB_SHA, %.7s) nor the pull request's head, so its review would be of something else: "+
		"use actions/checkout without 'ref'", head, cmp.Or(e.SHA, "not set"))
}

const notMerge = "What is checked out is not the merge commit of this pull request, so it is compared with the base that the event names. " +
	"Work merged into the base since then may look like part of the amendment; actions/checkout without 'ref' avoids that."

// parents reads the parents from the commit object itself. In a clone of depth 1 grafts hide them
// from HEAD^1 (git help glossary, "shallow repository").
func parents(ctx context.Context, dir, commit string) ([]string, error) {
	object, err := outputOf(ctx, gitfs.Local(ctx, dir, "cat-file", "commit", commit))
	if err != nil {
		return nil, err
	}
	header, _, _ := strings.Cut(object, "\n\n")
	var ids []string
	for line := range strings.Lines(header) {
		if id, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "parent "); ok {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// EnsureCommit fetches one commit and its tree, without history, unless the clone has them.
func EnsureCommit(ctx context.Context, dir, commit string) error {
	if !commitID.MatchString(commit) {
		return fmt.Errorf("%q is no commit's id", commit)
	}
	if gitfs.Has(ctx, dir, commit) || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	limited, cancel := context.WithTimeoutCause(ctx, fetchTime, fmt.Errorf("it took more than %s", fetchTime))
	defer cancel()
	_, err := outputOf(limited, gitfs.Remote(limited, dir, "fetch", "--quiet", "--no-tags", "--depth=1", "--no-recurse-submodules", "--no-write-fetch-head",
		"--no-auto-maintenance", "origin", commit))
	if err == nil {
		_, err = gitfs.Resolve(ctx, dir, commit)
	}
	if err != nil {
		return fmt.Errorf("commit %s is not in this clone and could not be fetched: %w", commit, err)
	}
	return nil
}

// outputOf runs git and returns its output.
func outputOf(ctx context.Context, cmd *exec.Cmd) (string, error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("git: %w", context.Cause(ctx))
	case err != nil:
		return "", fmt.Errorf("git: %w: %s", err, strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}
