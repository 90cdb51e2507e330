package history

import (
	"context"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/report/record"
)

// Gone is what stands for a verdict where a draft has no such requirement, or where there is no contract.
const Gone = "gone"

// A Point is a draft on a course.
type Point struct {
	Commit    string
	Committed string // RFC 3339
	Author    string
	Verdict   string // of the requirement, Waived or Gone; empty: nobody knows yet
	Why       string // why nobody can know
	Record    string // the record that says so; empty: none does
	Checked   bool   // now, for there is no record

	dir string
}

// A course is a requirement along the drafts of a branch, the oldest first.
type course struct {
	*History
	requirement string
	points      []*Point
	checked     int // drafts
}

// course looks up what records say of each draft that the branch has had.
func (h *History) course(ctx context.Context, requirement string) (*course, error) {
	c := &course{History: h, requirement: requirement}
	steps, err := h.repo.Trail(ctx, h.Commit, h.dirs)
	if err != nil {
		return nil, err
	}
	byTree := map[string]*Entry{}
	for _, e := range slices.Backward(h.contract) { // the latest has the last word
		if e.Counts {
			byTree[e.tree] = e
		}
	}
	byCommit := map[[2]string]*Entry{}
	for _, e := range slices.Backward(h.contract) {
		if e.Counts {
			byCommit[[2]string{e.Commit, e.tree}] = e
		}
	}
	there := map[string]bool{}
	for _, s := range steps {
		there[s.Tree] = true
	}
	told := map[*Entry]bool{}
	for _, s := range steps {
		known := byCommit[[2]string{s.Commit, s.Tree}]
		if known == nil {
			known = byTree[s.Tree]
		}
		c.points = append(c.points, away(known, there, told)...)
		c.points = append(c.points, pointOf(s, known))
	}
	c.points = append(c.earlier(ctx, there, told), c.points...)
	return c, nil
}

// away are the drafts before a record, as far back as commits of the branch have none of them: they were squashed away, or came with a
// merge. The oldest is the first; each is told once.
func away(e *Entry, there map[string]bool, told map[*Entry]bool) (list []*Point) {
	for e != nil {
		if e = e.prior; e == nil || told[e] || there[e.tree] || !aside(e) {
			break
		}
		told[e] = true
		list = append(list, pointAside(e))
	}
	slices.Reverse(list)
	return list
}

// aside is of records that tell of drafts whose commits are not on the branch.
func aside(e *Entry) bool { return e.Counts && (e.Place == Before || e.Place == Absent) }

func pointAside(e *Entry) *Point {
	return &Point{Commit: e.Commit, Committed: e.When.Format(timeForm), Author: e.Author, Record: e.Ref, Verdict: orGone(e.asked)}
}

func pointOf(s record.Step, known *Entry) *Point {
	p := &Point{Commit: s.Commit, Committed: s.Committed, Author: s.Author, dir: s.Dir}
	switch {
	case s.Wrong != nil:
		p.Why = s.Wrong.Error()
	case s.Tree == "":
		p.Verdict = Gone
	case known != nil:
		p.Record, p.Verdict = known.Ref, orGone(known.asked)
	}
	return p
}

func orGone(verdict string) string {
	if verdict == "" {
		return Gone
	}
	return verdict
}

// earlier are the drafts from before a shallow clone's own commits, as far as records tell.
func (c *course) earlier(ctx context.Context, there map[string]bool, told map[*Entry]bool) (list []*Point) {
	if !c.repo.Shallow(ctx) {
		return nil
	}
	for _, e := range slices.Backward(c.contract) {
		if aside(e) && !there[e.tree] && !told[e] {
			list = append(list, pointAside(e))
		}
	}
	return list
}

// verdict is what the requirement comes to in a draft: what its record says, or else what checking it says now. False: it can't be told.
func (c *course) verdict(ctx context.Context, i int) (string, bool, error) {
	p := c.points[i]
	if p.Verdict == "" && p.Why == "" {
		p.Checked = true
		r, err := c.check(ctx, p.Commit, p.dir)
		switch {
		case ctx.Err() != nil:
			return "", false, context.Cause(ctx)
		case err != nil:
			p.Why = fmt.Sprintf("it has no record, and could not be checked: %v", err)
		default:
			c.checked++
			p.Verdict = found(r, c.requirement)
		}
		if p.Verdict == engine.Unknown.String() {
			p.Why = "it has no record, and checking it came to no verdict within the limits"
		}
	}
	if p.Why == "" && p.Verdict == engine.Unknown.String() {
		p.Why = "its record says that it is unknown"
	}
	return p.Verdict, p.Why == "", nil
}

// found is a requirement's verdict in a result.
func found(r *engine.Result, name string) string {
	if r.Name == "" && len(r.Requirements) == 0 {
		return engine.IllFormed.String()
	}
	for i := range r.Requirements {
		q := &r.Requirements[i]
		switch {
		case q.Name != name:
		case q.Verdict == engine.Violated && q.Waiver != nil && q.Waiver.State.String() == "in force":
			return Waived
		default:
			return q.Verdict.String()
		}
	}
	return Gone
}
