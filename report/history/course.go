package history

import (
	"context"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/record/store"
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

	trees, commits index           // of records
	there          map[string]bool // the trees that the branch has
	told           map[int32]bool  // the rows that are points though it has not
}

// course looks up what records say of each draft that the branch has had.
func (h *History) course(ctx context.Context, requirement string) (*course, error) {
	c := &course{History: h, requirement: requirement, there: map[string]bool{}, told: map[int32]bool{}}
	var steps []store.Step
	err := h.repo.Trail(ctx, h.Commit, h.dirs, func(s store.Step) error {
		steps = append(steps, s)
		c.there[s.Tree] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := c.lookUp(); err != nil {
		return nil, err
	}
	for _, s := range steps {
		if err := c.step(s); err != nil {
			return nil, err
		}
	}
	before, err := c.earlier(ctx)
	c.points = append(before, c.points...)
	return c, err
}

// lookUp makes indexes of the records that count: in each the latest comes first, for it has the last word.
func (c *course) lookUp() error {
	err := c.rows.each(func(i int32, r row) error {
		if r.flags().has(isCounted) {
			c.trees.add(r[treeAt+1:], i)
			c.commits.add(r[commitAt+1:], i)
		}
		return nil
	})
	slices.Sort(c.trees)
	slices.Sort(c.commits)
	return err
}

// step adds a draft of the branch, and those before it that the branch has not.
func (c *course) step(s store.Step) error {
	known, err := c.recorded(s)
	if err != nil {
		return err
	}
	before, err := c.away(known)
	c.points = append(append(c.points, before...), pointOf(s, known))
	return err
}

// recorded is the record of a draft: the one of its commit, or else of its content; nil: there is none.
func (c *course) recorded(s store.Step) (*Entry, error) {
	tree, commit := idOf(s.Tree), idOf(s.Commit)
	found, err := c.latest(c.commits, commit, func(r row) bool { return r.same(commitAt, commit) && r.same(treeAt, tree) })
	if found == nil && err == nil {
		found, err = c.latest(c.trees, tree, func(r row) bool { return r.same(treeAt, tree) })
	}
	return found, err
}

// latest is the latest record that an index leads to and that is so; nil: there is none.
func (c *course) latest(x index, id []byte, is func(row) bool) (*Entry, error) {
	r := make(row, rowSize)
	for i := range x.of(id[1:]) {
		if err := c.rows.at(i, r); err != nil {
			return nil, err
		}
		if is(r) {
			return c.rows.unpack(r), nil
		}
	}
	return nil, nil
}

// away are the drafts before a record, as far back as commits of the branch have none of them: they were squashed away, or came with a
// merge. The oldest is the first; each is told once.
func (c *course) away(e *Entry) (list []*Point, err error) {
	r := make(row, rowSize)
	for e != nil && e.prior != none && !c.told[e.prior] {
		at := e.prior
		if err := c.rows.at(at, r); err != nil {
			return nil, err
		}
		if e = c.rows.unpack(r); !c.aside(e) {
			break
		}
		c.told[at] = true
		list = append(list, pointAside(e))
	}
	slices.Reverse(list)
	return list, nil
}

// aside is of records that tell of drafts whose commits are not on the branch, nor their content.
func (c *course) aside(e *Entry) bool {
	return e.Counts && (e.Place == Before || e.Place == Absent) && !c.there[e.tree]
}

func pointAside(e *Entry) *Point {
	return &Point{Commit: e.Commit, Committed: e.When.Format(timeForm), Author: e.Author, Record: e.Ref, Verdict: orGone(e.asked)}
}

func pointOf(s store.Step, known *Entry) *Point {
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
func (c *course) earlier(ctx context.Context) (list []*Point, err error) {
	if !c.repo.Shallow(ctx) {
		return nil, nil
	}
	err = c.rows.each(func(i int32, r row) error {
		if e := c.rows.unpack(r); c.aside(e) && !c.told[i] {
			list = append(list, pointAside(e))
		}
		return nil
	})
	slices.Reverse(list)
	return list, err
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
		if p.Verdict == finding.Unknown.String() {
			p.Why = "it has no record, and checking it came to no verdict within the limits"
		}
	}
	if p.Why == "" && p.Verdict == finding.Unknown.String() {
		p.Why = "its record says that it is unknown"
	}
	return p.Verdict, p.Why == "", nil
}

// found is a requirement's verdict in a result.
func found(r *finding.Result, name string) string {
	if r.Name == "" && len(r.Requirements) == 0 {
		return finding.IllFormed.String()
	}
	for i := range r.Requirements {
		q := &r.Requirements[i]
		switch {
		case q.Name != name:
		case q.Verdict == finding.Violated && q.Waiver != nil && q.Waiver.State.String() == "in force":
			return Waived
		default:
			return q.Verdict.String()
		}
	}
	return Gone
}
