package history

import (
	"context"
	"errors"
	"fmt"

	"github.com/redlinehq/redline/engine/finding"
)

// An Answer to a question about a requirement.
type Answer struct {
	Requirement string
	Holds       bool     // since when it holds was asked; else which commit broke it
	Now         *Point   // the last draft
	Turned      *Point   // the draft that turned it, or the first there is; nil: none did, or it can't be told
	Before      *Point   // the draft before that one, which is otherwise; nil: there is none
	Mended      *Point   // broke only: the draft that mended it since; nil: it is still broken, or nobody knows
	Unsettled   []*Point // drafts that might have turned it, and can't be told of
	Unchecked   int      // drafts without a record that were taken for what those around them are
	Checked     int      // drafts without a record that were checked for this answer
}

// Told reports whether the question has an answer.
func (a *Answer) Told() bool { return len(a.Unsettled) == 0 && a.Now != nil }

// Ask answers since when a requirement holds, or which commit broke it.
func (h *History) Ask(ctx context.Context, requirement string, holds bool) (*Answer, error) {
	if !h.single && h.Contract == "" {
		return nil, errors.New("name the contract that is asked about: there are records of several, or of none")
	}
	c, err := h.course(ctx, requirement)
	if err != nil {
		return nil, err
	}
	if len(c.points) == 0 {
		return nil, fmt.Errorf("there is no draft of %s on this branch", h.Contract)
	}
	a := &Answer{Requirement: requirement, Holds: holds}
	if holds {
		err = c.since(ctx, a)
	} else {
		err = c.broken(ctx, a)
	}
	a.Checked = c.checked
	if err == nil && !c.knows() {
		return nil, fmt.Errorf("no draft of the contract has a requirement %s", requirement)
	}
	return a, err
}

// knows reports whether any draft that was looked at has the requirement.
func (c *course) knows() bool {
	for _, p := range c.points {
		if p.Verdict != "" && p.Verdict != Gone || p.Why != "" {
			return true
		}
	}
	return false
}

// is sorts verdicts into two kinds.
type is func(verdict string) bool

func holding(v string) bool { return v == finding.Holds.String() }

// breaking is of drafts that have the requirement and do not keep it.
func breaking(v string) bool { return !holding(v) && v != Gone }

// since finds the draft from which on it holds.
func (c *course) since(ctx context.Context, a *Answer) error {
	last := len(c.points) - 1
	a.Now = c.points[last]
	v, told, err := c.verdict(ctx, last)
	if err != nil || !told {
		a.Unsettled = append(a.Unsettled, unless(told, c.points[last])...)
		return err
	}
	if !holding(v) {
		return nil
	}
	return c.turn(ctx, a, last, holding)
}

// broken finds the draft that broke it the last time.
func (c *course) broken(ctx context.Context, a *Answer) error {
	last := len(c.points) - 1
	a.Now = c.points[last]
	v, told, err := c.verdict(ctx, last)
	if err != nil || !told {
		a.Unsettled = append(a.Unsettled, unless(told, c.points[last])...)
		return err
	}
	at := last
	if !breaking(v) {
		for at--; at >= 0 && !(c.known(at) && breaking(c.points[at].Verdict)); at-- {
		}
		if at < 0 {
			a.Unchecked = c.unknown(0, last)
			return nil
		}
		mended := &Answer{}
		if err := c.turn(ctx, mended, last, func(v string) bool { return !breaking(v) }); err != nil {
			return err
		}
		a.Mended, a.Unsettled = mended.Turned, mended.Unsettled
	}
	return c.turn(ctx, a, at, breaking)
}

func unless(told bool, p *Point) []*Point {
	if told {
		return nil
	}
	return []*Point{p}
}

// known reports whether a record, or an earlier check, tells of a draft.
func (c *course) known(i int) bool {
	p := c.points[i]
	return p.Verdict != "" && p.Verdict != finding.Unknown.String() && p.Why == ""
}

// unknown counts drafts between two, of which nothing is known.
func (c *course) unknown(from, to int) (n int) {
	for i := from; i < to; i++ {
		if !c.known(i) {
			n++
		}
	}
	return n
}

// turn finds the draft since which all are of one kind, up to one that is. Records tell of most drafts; where two that differ have drafts without
// records between them, these are halved and checked, as git bisect does.
func (c *course) turn(ctx context.Context, a *Answer, last int, kind is) error {
	low := last - 1
	for low >= 0 && !(c.known(low) && !kind(c.points[low].Verdict)) {
		low--
	}
	high := last
	for i := last - 1; i > low; i-- {
		if c.known(i) {
			high = i
		}
	}
	if low < 0 && high > 0 {
		v, told, err := c.verdict(ctx, 0)
		switch {
		case err != nil:
			return err
		case told && kind(v):
			high = 0
		case told:
			low = 0
		}
	}
	before := c.unknown(high, last)
	low, high, err := c.halve(ctx, low, high, kind)
	if err != nil {
		return err
	}
	a.Unchecked += before
	for i := low + 1; i < high; i++ {
		a.Unsettled = append(a.Unsettled, c.points[i])
	}
	a.Turned = c.points[high]
	if low >= 0 {
		a.Before = c.points[low]
	}
	return nil
}

// halve narrows down two drafts of different kinds until nothing can be told of those between them. Low may be -1: there is nothing before.
func (c *course) halve(ctx context.Context, low, high int, kind is) (int, int, error) {
	for {
		i, v, err := c.middle(ctx, low, high)
		switch {
		case err != nil || i < 0:
			return low, high, err
		case kind(v):
			high = i
		default:
			low = i
		}
	}
}

// middle is a draft between two that can be told of, the one in the middle if possible; -1: there is none.
func (c *course) middle(ctx context.Context, low, high int) (int, string, error) {
	mid := (low + high) / 2
	for off := 0; off <= high-low; off++ {
		for _, i := range []int{mid - off, mid + off} {
			if i <= low || i >= high || off == 0 && i != mid {
				continue
			}
			v, told, err := c.verdict(ctx, i)
			if err != nil {
				return -1, "", err
			}
			if told {
				return i, v, nil
			}
		}
	}
	return -1, "", nil
}
