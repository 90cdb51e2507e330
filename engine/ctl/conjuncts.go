package ctl

import "context"

// few conjuncts are labelled one by one, and more of them together: a marking written out as a formula has one for each place, and
// the set of each place may be large where their intersection is one state.
const few = 3

// together appends to a list the operands of a conjunction, and of those of them that are conjunctions.
func together(f *Formula, list []*Formula) []*Formula {
	for f.Means != nil {
		f = f.Means
	}
	if f.Op != And {
		return append(list, f)
	}
	return together(f.Right, together(f.Left, list))
}

// labelAll returns the id of a conjunction, in which what can be said by one sum is.
func (c *Checker[S]) labelAll(ctx context.Context, all []*Formula) (int, error) {
	var weights []Weight
	var rest []*Formula
	most := 0
	for _, f := range all {
		if s := least(f); s != nil {
			weights, most = append(weights, s.Weights...), most+s.Most
		} else {
			rest = append(rest, f)
		}
	}
	id, err := c.label(ctx, AtMost(weights, most))
	for _, f := range rest {
		if err != nil {
			return 0, err
		}
		key := shape{op: And, left: id}
		if key.right, err = c.label(ctx, f); err == nil {
			id, err = c.labelled(ctx, key)
		}
	}
	return id, err
}

// least is the sum that says what f says, if it can be no less than it may be at most: such sums hold together if and only if
// what they add up to is at most what they all may be. Nil: f says something else.
func least(f *Formula) *Sum {
	switch {
	case f.Op == True:
		return &Sum{}
	case f.Op == Not && f.Left.Op == Atom && f.Left.Means == nil && f.Left.Sum == nil:
		return &Sum{[]Weight{{f.Left.Place, 1}}, 0}
	case f.Op != Atom:
		return nil
	case f.Sum == nil:
		return &Sum{[]Weight{{f.Place, -1}}, -1}
	}
	low := 0
	for _, w := range f.Sum.Weights {
		low += min(w.By, 0)
	}
	if f.Sum.Most != low {
		return nil
	}
	return f.Sum
}
