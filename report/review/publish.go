package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/redlinehq/redline/report/github"
)

const (
	// mostRounds is the number of times that a run looks at the pull request, and mostTries the number of times that it tries one action.
	mostRounds = 8
	mostTries  = 3
	givenUp    = mostTries + 1 // more than all tries: the action was given up
	// settle is the time that GitHub gets to show the result of a request of unknown outcome.
	settle = 2 * time.Second
)

// Publish posts on a pull request: first the summary comment, then remarks at lines. It reads what is there, does what DraftComments plans,
// and reads again until nothing is left to do. So it finds out whether a request of unknown outcome was carried out, and whether another
// run has posted the same in the meantime.
//
// GitHub cannot edit a text on the condition that nobody else has edited it. If two runs edit at the same moment, the text of the earlier
// run may stay until the next run. A concurrency group in the workflow prevents this.
//
// The errors are for the log and should not change the exit status. If the token may not write, one error explains that and where the
// review is.
func Publish(ctx context.Context, hub *github.Client, t *PullReport) []error {
	p := &publisher{hub: hub, report: t, tries: map[string]int{}, there: There{refused: map[string]int{}, made: map[string]bool{}},
		gone: map[int64]bool{}, wrote: "nothing was written"}
	for range mostRounds {
		if err := p.look(ctx); err != nil {
			p.fail("looking at the pull request", err)
			return p.failed
		}
		plan := DraftComments(t, p.there)
		if did := p.carryOut(ctx, plan); !did || p.stop {
			if plan.because != "" {
				p.failed = append(p.failed, fmt.Errorf("%s on the pull request: %s. %s", p.wrote, plan.because, t.where()))
			}
			return p.failed
		}
	}
	p.failed = append(p.failed, fmt.Errorf("the pull request kept changing, so what is written there may not be the last word. %s", t.where()))
	return p.failed
}

// where returns a sentence on where the review can be read in any case.
func (t *PullReport) where() string {
	if t.Run.url == "" {
		return "The job's summary and this log have all of it."
	}
	return "The job's summary has all of it: " + t.Run.url
}

// A publisher carries plans out and remembers what it has done.
type publisher struct {
	hub    *github.Client
	report *PullReport
	there  There
	tries  map[string]int
	failed []error
	wrote  string // "nothing was written", until something was

	// Lists may be older than the last request, so the run remembers its own changes.
	me   string           // the account that GitHub names as author of what was written; empty: not known yet
	made []github.Comment // the summary comments that this run made
	gone map[int64]bool   // comments of either kind that were removed, or that GitHub does not know

	stop     bool // no further request would succeed
	singly   bool // GitHub has refused several remarks in one request
	mayClose bool // unset once the token may not resolve threads
	looked   bool
}

// look reads the pull request and adds this run's own changes. It reads the account and the changed files only once.
func (p *publisher) look(ctx context.Context) error {
	var err error
	n := p.report.Number
	if !p.looked {
		p.mayClose = true
		if p.me, err = p.hub.Author(ctx); err != nil {
			return err
		}
		if p.report.Review != nil && p.report.Talk.Inline && len(charges(p.report.Review)) > 0 {
			if p.there.Files, err = p.hub.Files(ctx, n); err != nil {
				return err
			}
		}
		p.looked = true
	}
	if p.there.comments, err = p.hub.Comments(ctx, n); err != nil {
		return err
	}
	if p.there.remarks, err = p.hub.ReviewComments(ctx, n); err != nil {
		return err
	}
	p.refresh()
	p.there.Pull, err = p.hub.PullRequest(ctx, n) // last, to notice a head that has moved
	return err
}

// refresh removes from the lists what is gone, and adds what this run made.
func (p *publisher) refresh() {
	p.there.comments = slices.DeleteFunc(p.there.comments, func(c github.Comment) bool { return p.gone[c.ID] })
	p.there.remarks = slices.DeleteFunc(p.there.remarks, func(r github.ReviewComment) bool { return p.gone[r.ID] })
	for _, made := range p.made {
		listed := slices.ContainsFunc(p.there.comments, func(c github.Comment) bool { return c.ID == made.ID })
		if !listed && !p.gone[made.ID] {
			p.there.comments = append(p.there.comments, made)
		}
	}
	if p.there.Me = p.me; p.me == "" {
		p.there.Me = p.there.likelyMe()
	}
}

// carryOut carries out a plan. It reports whether there was an action that it had not given up.
func (p *publisher) carryOut(ctx context.Context, c conversation) bool {
	did := p.sticky(ctx, c.Summary)
	did = p.create(ctx, c.Create) || did
	for _, change := range c.change {
		did = p.change(ctx, change) || did
	}
	for _, d := range c.remove {
		did = p.try(ctx, fmt.Sprint("removing remark ", d.id), func() error {
			return p.remove(ctx, d.id, d.of, p.hub.HasReviewComment, func() error {
				if d.answered {
					return p.hub.Minimize(ctx, d.node)
				}
				return p.hub.DeleteReviewComment(ctx, d.id)
			})
		}) || did
	}
	return did
}

// sticky carries out the plan for the summary comment. It reports whether an action was tried.
func (p *publisher) sticky(ctx context.Context, s summaryPlan) bool {
	did := false
	switch {
	case s.Body == "":
	case s.id == 0:
		did = p.try(ctx, "writing the summary comment", func() error {
			made, err := p.hub.CreateComment(ctx, p.report.Number, s.Body)
			if err == nil {
				p.made, p.me = append(p.made, made), made.Author
			}
			return err
		})
	default:
		did = p.try(ctx, "editing the summary comment", func() error {
			return p.unlessGone(s.id, p.hub.EditComment(ctx, s.id, s.Body))
		})
	}
	for _, id := range s.remove {
		did = p.try(ctx, fmt.Sprint("removing summary comment ", id), func() error {
			return p.remove(ctx, id, s.id, p.hub.HasComment, func() error { return p.hub.DeleteComment(ctx, id) })
		}) || did
	}
	return did
}

// remove removes a comment that duplicates the one to keep, unless the latter is gone, which a list may not show yet. So the last copy is
// never removed.
func (p *publisher) remove(ctx context.Context, id, keep int64, has func(context.Context, int64) (bool, error), do func() error) error {
	kept, err := has(ctx, keep)
	switch {
	case err != nil:
		return err
	case !kept:
		p.gone[keep] = true
		return nil
	}
	if err = p.unlessGone(id, do()); err == nil {
		p.gone[id] = true
	}
	return err
}

// unlessGone treats a comment that GitHub does not know as gone, which is no failure. A comment that this run made may be too new to be
// known, so for it the error stays.
func (p *publisher) unlessGone(id int64, err error) error {
	young := slices.ContainsFunc(p.made, func(c github.Comment) bool { return c.ID == id })
	if errors.As(err, new(github.NotFound)) && !young {
		p.gone[id] = true
		return nil
	}
	return err
}

// create posts remarks at lines. It posts them in one request, which sends one notification, unless GitHub has refused that.
func (p *publisher) create(ctx context.Context, all []remarkPlan) bool {
	var lines []github.NewComment
	for _, r := range all {
		if r.At.Line > 0 {
			lines = append(lines, r.At)
		}
	}
	n, commit, did := p.report.Number, p.report.Commit, false
	if len(lines) > 1 && !p.singly {
		did = p.try(ctx, "writing the remarks", func() error {
			err := p.hub.CreateReview(ctx, n, commit, lines)
			if errors.As(err, new(github.Unprocessable)) { // one of them is refused, and the answer does not say which
				p.singly, err = true, nil
			} else if err == nil {
				for _, r := range all {
					p.there.made[r.identity] = p.there.made[r.identity] || r.At.Line > 0
				}
			}
			return err
		})
		if did {
			return true // after the next look the rest follows
		}
	}
	for _, r := range all {
		did = p.try(ctx, "writing the remark on "+r.identity, func() error {
			made, err := p.hub.CreateReviewComment(ctx, n, commit, r.At)
			if err == nil {
				p.there.made[r.identity], p.me = true, made.Author
			}
			if errors.As(err, new(github.Unprocessable)) {
				p.there.refused[r.identity]++
				p.tries["writing the remark on "+r.identity] = 0
				err = nil
			}
			return err
		}) || did
	}
	return did
}

// change changes a remark. It resolves or reopens the thread before it edits the text, since the next run would not repeat it afterwards.
func (p *publisher) change(ctx context.Context, c change) bool {
	return p.try(ctx, fmt.Sprint("editing remark ", c.id), func() error {
		var err error
		switch {
		case c.thread == "" || !p.mayClose:
		case c.resolve:
			err = p.hub.Resolve(ctx, c.thread)
		case c.reopen:
			err = p.hub.Unresolve(ctx, c.thread)
		}
		if err != nil { // the text shows the state, too
			p.mayClose = false
		}
		return p.unlessGone(c.id, p.hub.EditReviewComment(ctx, c.id, c.body))
	})
}

// try does an action unless it was given up, which is reported once. It reports whether the action was tried.
func (p *publisher) try(ctx context.Context, what string, do func() error) bool {
	if p.stop || p.tries[what] == givenUp {
		return false
	}
	if p.tries[what] == mostTries {
		p.fail(what, fmt.Errorf("given up: GitHub has taken it %d times and does not show it. %s", mostTries, p.report.where()))
		p.tries[what] = givenUp
		return false
	}
	p.tries[what]++
	err := do()
	switch {
	case err == nil:
		p.wrote = "nothing more was written"
	case errors.As(err, new(github.Uncertain)) && p.tries[what] < mostTries:
		switch waited, no := p.hub.Pause(ctx, settle); {
		case no != nil:
			p.fail(what, no)
		case !waited: // an immediate look would show nothing, and another try might do it twice
			p.fail(what, err)
			p.stop = true
		}
	case errors.As(err, new(github.NotFound)) && p.tries[what] < mostTries: // it was removed: the next look shows that
	default:
		p.fail(what, err)
		p.tries[what] = givenUp
	}
	return true
}

// fail records an error, and stops if no further request would succeed.
func (p *publisher) fail(what string, err error) {
	switch {
	case errors.As(err, new(github.Forbidden)):
		p.stop = true
		err = fmt.Errorf("comments can't be written on the pull request (%w): the job's token needs 'permissions: pull-requests: write', which it never has for a pull request from a fork. %s", err, p.report.where())
	case errors.As(err, new(github.RateLimited)), errors.As(err, new(github.Unavailable)), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		p.stop = true
		err = fmt.Errorf("%s: %w. %s", what, err, p.report.where())
	default:
		err = fmt.Errorf("%s: %w", what, err)
	}
	p.failed = append(p.failed, err)
}
