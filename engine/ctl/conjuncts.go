package ctl

import "context"

// Up to few conjuncts are labelled one by one, more of them together: a marking as a formula has a conjunct for each place, and the set of
// each may be large although their intersection is one state.
const few = 3

// together appends the operands of a conjunction, those of nested conjunctions included.
func together(f *Formula, list []*Formula) []*Formula {
	for f.Means != nil {
		f = f.Means
	}
	if f.Op != And {
		return append(list, f)
	}
	return together(f.Right, together(f.Left, list))
}

// labelAll returns the id of a conjunction. It combines the operands that are sums into one.
func (c *Checker[S]) labelAll(ctx context.Context, all []*Formula) int {
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
	id := c.label(ctx, AtMost(weights, most))
	for _, f := range rest {
		id = c.labelled(ctx, shape{op: And, left: id, right: c.label(ctx, f)})
	}
	return id
}

// least returns the sum that a formula states, if its least possible value is its bound. Such sums hold together if and only if their total
// is at most the total of their bounds. It returns nil for any other formula.
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
