package history

import (
	"context"
	"errors"
	"fmt"

	"github.com/redlinehq/redline/engine/finding"
)

// An Answer answers a question about a requirement: since when it holds, or which commit broke it.
type Answer struct {
	requirement string
	holds       bool     // asked since when it holds; otherwise which commit broke it
	now         *point   // the last draft
	turned      *point   // the draft that changed the verdict, or the first one; nil: none did, or unknown
	before      *point   // the draft before that one; nil: there is none
	repaired    *point   // broke only: the draft that repaired it since; nil: still violated, or unknown
	unsettled   []*point // drafts that might have changed it, and can't be checked
	unchecked   int      // drafts without a record that were assumed to be like their neighbours
	checked     int      // drafts without a record that were checked for this answer
}

// ErrSeveral reports a question about a history that is not of a single contract.
var ErrSeveral = errors.New("name one contract: the records are of several contracts, or of none")

// Definite reports whether the question has a definite answer.
func (a *Answer) Definite() bool { return len(a.unsettled) == 0 && a.now != nil }

// Ask answers since when a requirement holds, or, with holds false, which commit broke it. It checks drafts without a record where the
// answer depends on them. It returns an error if the history is not of a single contract.
func (h *History) Ask(ctx context.Context, requirement string, holds bool) (*Answer, error) {
	if !h.single && h.contract == "" {
		return nil, ErrSeveral
	}
	c, err := h.timeline(ctx, requirement)
	if err != nil {
		return nil, err
	}
	if len(c.points) == 0 {
		return nil, fmt.Errorf("there is no draft of %s on this branch", h.contract)
	}
	a := &Answer{requirement: requirement, holds: holds}
	if holds {
		err = c.since(ctx, a)
	} else {
		err = c.broken(ctx, a)
	}
	a.checked = c.checked
	if err == nil && !c.knows() {
		return nil, fmt.Errorf("no draft of the contract has a requirement %s", requirement)
	}
	return a, err
}

// knows reports whether any draft examined so far has the requirement.
func (c *timeline) knows() bool {
	for _, p := range c.points {
		if p.verdict != "" && p.verdict != placeGone || p.why != "" {
			return true
		}
	}
	return false
}

// is reports whether a verdict is of one of two kinds.
type is func(verdict string) bool

func holding(v string) bool { return v == finding.Holds.String() }

// breaking reports whether the requirement exists and does not hold.
func breaking(v string) bool { return !holding(v) && v != placeGone }

// since finds the draft since which the requirement holds.
func (c *timeline) since(ctx context.Context, a *Answer) error {
	last := len(c.points) - 1
	a.now = c.points[last]
	v, told, err := c.verdict(ctx, last)
	if err != nil || !told {
		a.unsettled = append(a.unsettled, unless(told, c.points[last])...)
		return err
	}
	if !holding(v) {
		return nil
	}
	return c.turn(ctx, a, last, holding)
}

// broken finds the draft that last broke the requirement.
func (c *timeline) broken(ctx context.Context, a *Answer) error {
	last := len(c.points) - 1
	a.now = c.points[last]
	v, told, err := c.verdict(ctx, last)
	if err != nil || !told {
		a.unsettled = append(a.unsettled, unless(told, c.points[last])...)
		return err
	}
	at := last
	if !breaking(v) {
		for at--; at >= 0 && !(c.known(at) && breaking(c.points[at].verdict)); at-- {
		}
		if at < 0 {
			a.unchecked = c.unknown(0, last)
			return nil
		}
		mended := &Answer{}
		if err := c.turn(ctx, mended, last, func(v string) bool { return !breaking(v) }); err != nil {
			return err
		}
		a.repaired, a.unsettled = mended.turned, mended.unsettled
	}
	return c.turn(ctx, a, at, breaking)
}

func unless(told bool, p *point) []*point {
	if told {
		return nil
	}
	return []*point{p}
}

// known reports whether a record, or an earlier check, has decided the draft.
func (c *timeline) known(i int) bool {
	p := c.points[i]
	return p.verdict != "" && p.verdict != finding.Unknown.String() && p.why == ""
}

// unknown counts the undecided drafts from one to before another.
func (c *timeline) unknown(from, to int) (n int) {
	for i := from; i < to; i++ {
		if !c.known(i) {
			n++
		}
	}
	return n
}

// turn finds the first draft of the last stretch whose verdicts are all of one kind. Records decide most drafts. Where drafts without a
// record lie between two that differ, it checks them by halving, as git bisect does.
func (c *timeline) turn(ctx context.Context, a *Answer, last int, kind is) error {
	low := last - 1
	for low >= 0 && !(c.known(low) && !kind(c.points[low].verdict)) {
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
	a.unchecked += before
	for i := low + 1; i < high; i++ {
		a.unsettled = append(a.unsettled, c.points[i])
	}
	a.turned = c.points[high]
	if low >= 0 {
		a.before = c.points[low]
	}
	return nil
}

// halve narrows two drafts of different kinds down until no draft between them can be decided. low may be -1, for before the first draft.
func (c *timeline) halve(ctx context.Context, low, high int, kind is) (int, int, error) {
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

// middle returns the decidable draft nearest to the middle between two, and its verdict, or -1 if there is none.
func (c *timeline) middle(ctx context.Context, low, high int) (int, string, error) {
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
