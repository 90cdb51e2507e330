package action

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/github"
	"github.com/redlinehq/redline/report/review"
)

// approve decides which of the acceptances that an amendment adds count, by the present reviews on GitHub. It calls GitHub only if there is
// such an acceptance. A shard decides nothing: the job that joins the shards does.
func (a *action) approve(ctx context.Context, f *outcome) error {
	if f.file == nil || f.file.Review == nil || a.isShard() {
		return nil
	}
	policy, err := a.acceptance(ctx, f)
	if err != nil {
		return err
	}
	f.file.Review.On = app.Gates[f.file.Terms.FailOn]
	var ask approving
	return f.file.Review.Settle(ctx, policy, func(ctx context.Context, of finding.Acceptance) (finding.Approval, error) {
		if policy.Rule == finding.AcceptBase {
			return app.MergedFirst(ctx, of)
		}
		if ask == nil {
			ask = a.approvals(ctx, f)
		}
		return ask(ctx, of)
	})
}

// acceptance returns the policy for acceptances, by base's settings.
//
// For a repository with acceptances whose settings do not set a policy, this release only warns: an amendment's own acceptances still count,
// and a notice says that they will not in the next.
func (a *action) acceptance(ctx context.Context, f *outcome) (policy finding.AcceptancePolicy, err error) {
	if f.follows() {
		policy.Rule = finding.AcceptanceRules[f.wanted.Acceptance]
		policy.Said = policy.Rule
	} else if policy, err = app.AcceptancePolicy(ctx, f.both(), f.wanted, finding.AcceptApproved); err != nil {
		return policy, err
	} else if f.event.Name == "push" {
		policy.Loosened = nil // what is pushed is judged by its own settings
	}
	if f.wanted.Acceptance == "" && f.file.Review.BaseAccepts() {
		policy.Rule = finding.AcceptAmendment
		f.notice(upgradeNotice)
	}
	return policy, nil
}

// upgradeNotice is for the first release in which acceptances need an approval; the next goes by it.
const upgradeNotice = "This repository accepts violations, and its settings do not say whose acceptance counts. In this release what an amendment accepts for itself still counts; " +
	`from the next on somebody else has to approve it. Write acceptance = "approved" into .github/redline.hcl to have that now, or "base" or "amendment" for another rule.`

type approving = func(context.Context, finding.Acceptance) (finding.Approval, error)

// approvals returns the function that looks up approvals for the event.
func (a *action) approvals(ctx context.Context, f *outcome) approving {
	if f.follows() {
		return a.relayedApprovals(ctx, f)
	}
	hub, err := newHub(f.event)
	if err != nil {
		return unreadable(review.Unread(err))
	}
	p := &review.Approvals{Hub: hub}
	pull, isPull := f.event.PullRequest()
	number, branch, isQueued := f.event.MergeGroup()
	switch {
	case isPull:
		p.Number, p.Head = pull.Number, pull.Head
	case isQueued:
		p.Number, p.Base, p.Same = number, branch, a.sameAt(f)
	case f.event.Name == "push":
		if p.Number, p.Base, err = mergedBy(ctx, hub, f); err != nil {
			return unreadable(review.Unread(err))
		}
		p.Same = a.sameAt(f)
	default:
		return unreadable("Event " + escape.TerminalText(f.event.Name) + " is of no pull request that is known, so nobody can have approved it.")
	}
	return a.asking(ctx, p, f, f.commits.Base)
}

// mergedBy returns the one pull request that a push merged.
func mergedBy(ctx context.Context, hub *github.Client, f *outcome) (number int, branch string, err error) {
	all, err := hub.PullRequestsOf(ctx, f.commits.Head)
	if err != nil {
		return 0, "", err
	}
	for _, p := range all {
		if !p.Merged || "refs/heads/"+p.Base.Ref != f.event.Ref {
			continue
		}
		if number != 0 {
			return 0, "", fmt.Errorf("several pull requests brought commit %.7s", f.commits.Head)
		}
		number, branch = p.Number, p.Base.Ref
	}
	if number == 0 {
		return 0, "", fmt.Errorf("commit %.7s was pushed without a pull request", f.commits.Head)
	}
	return number, branch, nil
}

// relayedApprovals looks up approvals of the pull request of the run that this one follows. It ignores those that the fork's run reports.
func (a *action) relayedApprovals(ctx context.Context, f *outcome) approving {
	run, _ := f.event.WorkflowRun()
	hub, err := newHub(f.event)
	if err != nil {
		return unreadable(review.Unread(err))
	}
	pull, err := pullOf(ctx, hub, run, f.event.Repository)
	if err != nil {
		return unreadable(review.Unread(err))
	}
	return a.asking(ctx, &review.Approvals{Hub: hub, Number: pull.Number, Head: run.SHA}, f, pull.Base.SHA)
}

// asking completes p with the owners that base names.
func (a *action) asking(ctx context.Context, p *review.Approvals, f *outcome, base string) approving {
	owners, err := f.owners(ctx, base)
	if err != nil {
		return unreadable(review.Unread(err))
	}
	p.Owners = owners
	return p.Approve
}

// owners reads the owners that base names, and fetches base if necessary.
func (f *outcome) owners(ctx context.Context, base string) (review.Owners, error) {
	if err := review.EnsureCommit(ctx, ".", base); err != nil {
		return review.Owners{}, err
	}
	tree, err := gitfs.Open(ctx, ".", base)
	if err != nil {
		return review.Owners{}, err
	}
	defer func() { _ = tree.Close() }() // only read from
	return review.ReadOwners(tree, f.wanted)
}

func unreadable(why string) approving {
	return func(ctx context.Context, _ finding.Acceptance) (finding.Approval, error) {
		return finding.Approval{State: finding.Unreadable, Why: why}, context.Cause(ctx)
	}
}

// sameAt returns a function that compares the meaning of a contract at an approved commit with that in the review.
func (a *action) sameAt(f *outcome) func(context.Context, string, finding.Acceptance) (bool, error) {
	digests := map[[2]string]string{} // by commit and contract; empty: it has no such contract, or one that means nothing
	return func(ctx context.Context, commit string, of finding.Acceptance) (bool, error) {
		key := [2]string{commit, of.Contract}
		if _, read := digests[key]; !read {
			if err := review.EnsureCommit(ctx, ".", commit); err != nil {
				return false, err
			}
			d, err := app.RevisionDraft(ctx, ".", commit, of.Contract, a.how(f))
			if err != nil {
				return false, err
			}
			if digests[key] = ""; d != nil {
				digests[key] = d.Digest
			}
		}
		return digests[key] == of.Digest, nil
	}
}

// moved adds a notice, in a repeated run, if the base has moved on: GitHub repeats the run for the same merge commit.
func (a *action) moved(ctx context.Context, f *outcome) {
	pull, _ := f.event.PullRequest()
	if f.event.Run.Attempt < 2 || pull.BaseBranch == "" {
		return
	}
	hub, err := newHub(f.event)
	now, says := "", ""
	if err == nil {
		now, err = hub.Branch(ctx, pull.BaseBranch)
	}
	switch branch := escape.TerminalText(pull.BaseBranch); {
	case err != nil:
		says = fmt.Sprintf("This run is repeated, so it compares with commit %.7s again; whether %s has moved on since could not be read (%v).", f.commits.Base, branch, err)
	case now != f.commits.Base:
		says = fmt.Sprintf("This run is repeated, so it compares with commit %.7s again, and %s is at %.7s now. Bring the branch up to date to have it compared with that.",
			f.commits.Base, branch, now)
	}
	if says != "" {
		f.notice(says)
	}
}

// again repeats the run of a pull request's head after a review, so that the gate reads the reviews anew. It is no gate itself.
func (a *action) again(ctx context.Context, f *outcome, pull github.PullRequest) error {
	if !fileName.MatchString(a.workflow) {
		return fmt.Errorf("input workflow: %q is not the file name of a workflow", a.workflow)
	}
	hub, err := newHub(f.event)
	if err == nil {
		f.log, err = review.Rerun(ctx, hub, a.workflow, pull)
	}
	if errors.As(err, new(github.Forbidden)) {
		return fmt.Errorf("%w: the job needs 'permissions: actions: write'", err)
	}
	return err
}

var fileName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_. -]*\.ya?ml$`)

// reviewed handles a review of a pull request. The run of a fork may not repeat the gate; the workflow that follows it does.
func (a *action) reviewed(ctx context.Context, f *outcome) error {
	pull, changes := f.event.Reviewed()
	switch {
	case !changes:
		f.log = "redline: this review approves nothing and asks for no changes, or is a bot's, so there is nothing to do."
		return nil
	case pull.Fork:
		f.log = "redline: the pull request comes from another repository, so this run may not repeat the one that has the gate. A workflow on workflow_run does: see https://github.com/redlinehq/redline/blob/main/.github/docs/github.md#forks"
		return nil
	}
	return a.again(ctx, f, github.PullRequest{Number: pull.Number, Head: github.Side{SHA: pull.Head, Ref: pull.HeadBranch, Repository: pull.HeadRepository}})
}

// relayReviewed handles a review of a fork's pull request, in the workflow that follows.
func (a *action) relayReviewed(ctx context.Context, f *outcome, run review.WorkflowRun) error {
	hub, err := newHub(f.event)
	if err != nil {
		return err
	}
	pull, err := pullOf(ctx, hub, run, f.event.Repository)
	if err != nil {
		return err
	}
	return a.again(ctx, f, pull)
}
