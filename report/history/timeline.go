package history

import (
	"context"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/record/store"
)

// placeGone is the verdict of a draft that lacks the requirement, or of a commit without the contract.
const placeGone = "gone"

// A point is one draft in a requirement's history.
type point struct {
	commit    string
	committed string // RFC 3339
	author    string
	verdict   string // of the requirement, waived or placeGone; empty: not known yet
	why       string // why the verdict can't be known
	record    string // the record with the verdict; empty: none
	checked   bool   // checked now, because there is no record

	dir string
}

// A timeline is the history of one requirement along the drafts of a branch, oldest first.
type timeline struct {
	*History
	requirement string
	points      []*point
	checked     int // drafts

	trees, commits index           // of records
	there          map[string]bool // the trees that the branch has
	elsewhere      map[int32]bool  // rows that are points although the branch does not have them
}

// timeline looks up the records of each draft that the branch has had.
func (h *History) timeline(ctx context.Context, requirement string) (*timeline, error) {
	c := &timeline{History: h, requirement: requirement, there: map[string]bool{}, elsewhere: map[int32]bool{}}
	var steps []store.Step
	err := h.repo.Trail(ctx, h.commit, h.dirs, func(s store.Step) error {
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

// lookUp indexes the records that count. In each index the latest comes first, because it overrides the others.
func (c *timeline) lookUp() error {
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

// step adds a draft of the branch, and the recorded drafts before it that the branch lacks.
func (c *timeline) step(s store.Step) error {
	known, err := c.recorded(s)
	if err != nil {
		return err
	}
	before, err := c.away(known)
	c.points = append(append(c.points, before...), pointOf(s, known))
	return err
}

// recorded returns the record of a draft, found by its commit or else by its content, or nil.
func (c *timeline) recorded(s store.Step) (*entry, error) {
	tree, commit := idOf(s.Tree), idOf(s.Commit)
	found, err := c.latest(c.commits, commit, func(r row) bool { return r.same(commitAt, commit) && r.same(treeAt, tree) })
	if found == nil && err == nil {
		found, err = c.latest(c.trees, tree, func(r row) bool { return r.same(treeAt, tree) })
	}
	return found, err
}

// latest returns the latest record that an index leads to and that satisfies is, or nil.
func (c *timeline) latest(x index, id []byte, is func(row) bool) (*entry, error) {
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

// away returns the drafts before a record that no commit of the branch has, oldest first: they were squashed away, or came with a merge.
// Each is returned once.
func (c *timeline) away(e *entry) (list []*point, err error) {
	r := make(row, rowSize)
	for e != nil && e.prior != none && !c.elsewhere[e.prior] {
		at := e.prior
		if err := c.rows.at(at, r); err != nil {
			return nil, err
		}
		if e = c.rows.unpack(r); !c.aside(e) {
			break
		}
		c.elsewhere[at] = true
		list = append(list, pointAside(e))
	}
	slices.Reverse(list)
	return list, nil
}

// aside reports whether a record counts, its commit precedes a record of the branch or is missing here, and the branch lacks its content.
func (c *timeline) aside(e *entry) bool {
	return e.counts && (e.place == placeBefore || e.place == placeAbsent) && !c.there[e.tree]
}

func pointAside(e *entry) *point {
	return &point{commit: e.commit, committed: e.when.Format(timeForm), author: e.author, record: e.Ref, verdict: orGone(e.asked)}
}

func pointOf(s store.Step, known *entry) *point {
	p := &point{commit: s.Commit, committed: s.Committed, author: s.Author, dir: s.Dir}
	switch {
	case s.Wrong != nil:
		p.why = s.Wrong.Error()
	case s.Tree == "":
		p.verdict = placeGone
	case known != nil:
		p.record, p.verdict = known.Ref, orGone(known.asked)
	}
	return p
}

func orGone(verdict string) string {
	if verdict == "" {
		return placeGone
	}
	return verdict
}

// earlier returns the recorded drafts from before the oldest commits of a shallow clone.
func (c *timeline) earlier(ctx context.Context) (list []*point, err error) {
	if !c.repo.Shallow(ctx) {
		return nil, nil
	}
	err = c.rows.each(func(i int32, r row) error {
		if e := c.rows.unpack(r); c.aside(e) && !c.elsewhere[i] {
			list = append(list, pointAside(e))
		}
		return nil
	})
	slices.Reverse(list)
	return list, err
}

// verdict returns the requirement's verdict in a draft, from its record or else by checking it now. It returns false if the draft can't be
// checked.
func (c *timeline) verdict(ctx context.Context, i int) (string, bool, error) {
	p := c.points[i]
	if p.verdict == "" && p.why == "" {
		p.checked = true
		r, err := c.check(ctx, p.commit, p.dir)
		switch {
		case ctx.Err() != nil:
			return "", false, context.Cause(ctx)
		case err != nil:
			p.why = fmt.Sprintf("it has no record, and could not be checked: %v", err)
		default:
			c.checked++
			p.verdict = verdictIn(r, c.requirement)
		}
		if p.verdict == finding.Unknown.String() {
			p.why = "it has no record, and checking it came to no verdict within the limits"
		}
	}
	if p.why == "" && p.verdict == finding.Unknown.String() {
		p.why = "its record says that it is unknown"
	}
	return p.verdict, p.why == "", nil
}

// verdictIn returns a requirement's verdict in a result.
func verdictIn(r *finding.Result, name string) string {
	if r.Name == "" && len(r.Requirements) == 0 {
		return finding.IllFormed.String()
	}
	for i := range r.Requirements {
		q := &r.Requirements[i]
		switch {
		case q.Name != name:
		case q.Verdict == finding.Violated && q.Waiver != nil && q.Waiver.State.String() == "in force":
			return waived
		default:
			return q.Verdict.String()
		}
	}
	return placeGone
}
