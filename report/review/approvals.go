package review

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/codeowners"
	"github.com/redlinehq/redline/report/github"
)

// Approvals reads from GitHub who has approved what a pull request accepts. It sends no request before the first acceptance is decided.
type Approvals struct {
	Hub    *github.Client
	Number int
	Head   string // the commit that has to be approved; empty: the present head of the pull request
	Base   string // the branch that the pull request must be for, in a merge queue; else empty
	Owners Owners
	// Same reports whether a contract means the same at the approved commit as in the reviewed text. Nil: the approved commit is the
	// reviewed one.
	Same func(ctx context.Context, commit string, a finding.Acceptance) (bool, error)

	now  *circumstances
	fail string // why GitHub could not be asked
}

// Approve decides whether an acceptance is approved. It serves finding.Review.Settle. If GitHub cannot be read, that is no error: the
// approval is then unreadable, and has the reason.
func (p *Approvals) Approve(ctx context.Context, a finding.Acceptance) (finding.Approval, error) {
	files := p.Owners.named(a)
	if p.now == nil && p.fail == "" {
		if err := p.read(ctx); err != nil {
			p.fail = missing(err)
		}
	}
	if err := ctx.Err(); err != nil {
		return finding.Approval{}, context.Cause(ctx)
	}
	if p.fail == "" {
		if err := p.readTeams(ctx, files); err != nil {
			return finding.Approval{}, err
		}
	}
	if p.fail != "" {
		who, _ := needs(files)
		return finding.Approval{State: finding.Unreadable, Needs: who, Commit: p.Head, Why: p.fail}, nil
	}
	answer := p.now.approval(files)
	if answer.State == finding.ByApproval && p.Same != nil {
		same, err := p.Same(ctx, p.now.head, a)
		if err != nil {
			return answer, err
		}
		if !same {
			answer.State, answer.By = finding.Pending, nil
			answer.Why = fmt.Sprintf("What was approved, commit %.7s, means something else than what is to be merged: bring the branch up to date, and have it approved again.", p.now.head)
		}
	}
	return answer, nil
}

// read reads everything except teams.
func (p *Approvals) read(ctx context.Context) error {
	pull, err := p.Hub.PullRequest(ctx, p.Number)
	if err != nil {
		return err
	}
	made, err := p.Hub.Authorship(ctx, p.Number)
	if err != nil {
		return err
	}
	if p.Head == "" {
		p.Head = pull.Head.SHA
	}
	if pull.State != "open" && !pull.Merged || p.Base != "" && pull.Base.Ref != p.Base {
		return fmt.Errorf("pull request %d is %s, for branch %s, so it is not the one that is to be merged", p.Number, pull.State, pull.Base.Ref)
	}
	if made.Head != p.Head || pull.Head.SHA != p.Head {
		return fmt.Errorf("the pull request has moved on from commit %.7s, and the run of its head decides", p.Head)
	}
	now := &circumstances{head: p.Head, author: made.Author, commits: made.Commits, writes: map[string]bool{}, teams: map[membership]member{}}
	if now.reviews, err = p.Hub.Reviews(ctx, p.Number); err != nil {
		return err
	}
	for _, r := range now.latest() {
		if err := p.confirm(ctx, now, r); err != nil {
			return err
		}
	}
	p.now = now
	return nil
}

// confirm reads a review that may count once more, since the list may be out of date, and whether its author may write.
func (p *Approvals) confirm(ctx context.Context, now *circumstances, listed github.Review) error {
	if !listed.Person || listed.State == approved && listed.Commit != now.head {
		return nil
	}
	fresh, err := p.Hub.Review(ctx, p.Number, listed.ID)
	if errors.As(err, new(github.NotFound)) {
		fresh, err = github.Review{ID: listed.ID, Author: listed.Author, State: "DISMISSED"}, nil
	}
	if err != nil {
		return err
	}
	for i := range now.reviews {
		if now.reviews[i].ID == fresh.ID {
			now.reviews[i] = fresh
		}
	}
	may, err := p.Hub.MayWrite(ctx, listed.Author)
	now.writes[strings.ToLower(listed.Author)] = may
	return err
}

// readTeams reads which reviewers belong to the named teams. A membership that the token may not read stays unknown.
func (p *Approvals) readTeams(ctx context.Context, files []fileApprovers) error {
	for _, f := range files {
		for _, who := range f.who {
			organisation, team, isTeam := strings.Cut(strings.TrimPrefix(who, "@"), "/")
			if !isTeam {
				continue
			}
			for _, r := range p.now.latest() {
				at := membership{strings.ToLower(who), strings.ToLower(r.Author)}
				if _, asked := p.now.teams[at]; asked || !p.now.writes[at.login] {
					continue
				}
				in, err := p.Hub.InTeam(ctx, organisation, team, r.Author)
				switch {
				case ctx.Err() != nil:
					return context.Cause(ctx)
				case err != nil:
					p.now.teams[at] = unknownMember
				case in:
					p.now.teams[at] = isMember
				default:
					p.now.teams[at] = noMember
				}
			}
		}
	}
	return nil
}

// missing explains why GitHub could not be read.
func missing(err error) string {
	if errors.As(err, new(github.Forbidden)) {
		return fmt.Sprintf("The token may not read who has approved (%v): the job needs 'permissions: contents: read, pull-requests: read'.", err)
	}
	return Unread(err)
}

// Unread returns the sentence for approvals that could not be read.
func Unread(err error) string { return fmt.Sprintf("Who has approved could not be read: %v.", err) }

// Owners has the sources in base that name approvers.
type Owners struct {
	settings   *settings.Settings
	codeOwners *codeowners.File // nil: base has none
}

// ReadOwners reads base's CODEOWNERS. If it is not a regular file, or too large for GitHub to load, it names no owner.
func ReadOwners(base fs.FS, s *settings.Settings) (Owners, error) {
	for _, name := range codeowners.Locations {
		info, err := fs.Stat(base, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return Owners{}, fmt.Errorf("reading %s of base: %w", name, err)
		}
		if !info.Mode().IsRegular() || info.Size() >= codeowners.MaxSize {
			return Owners{s, codeowners.Parse("")}, nil
		}
		text, err := fs.ReadFile(base, name)
		if err != nil {
			return Owners{}, fmt.Errorf("reading %s of base: %w", name, err)
		}
		return Owners{s, codeowners.Parse(string(text))}, nil
	}
	return Owners{settings: s}, nil
}

// EligibleApprovers returns who could approve an acceptance. It does not look for approvals.
func (o Owners) EligibleApprovers(a finding.Acceptance) finding.Approval {
	return (&circumstances{}).approval(o.named(a))
}

// named returns who may approve an acceptance: for the file in head that contains it, and for the file in base that it concerns.
func (o Owners) named(a finding.Acceptance) []fileApprovers {
	all := []fileApprovers{o.of(a.File)}
	if a.BaseFile != "" && a.BaseFile != a.File {
		all = append(all, o.of(a.BaseFile))
	}
	return all
}

// of returns who may approve changes of a file: the approvers in the settings, or else the owners in CODEOWNERS. Without a CODEOWNERS,
// every account with write access may, unless the settings name approvers for other files.
func (o Owners) of(file string) fileApprovers {
	if who, ok := o.settings.MayApprove(file); ok {
		return fileApprovers{file: file, who: who}
	}
	if o.codeOwners != nil {
		return fileApprovers{file: file, who: o.codeOwners.Owners(file)}
	}
	return fileApprovers{file: file, anyone: len(o.settings.Approvers) == 0}
}
