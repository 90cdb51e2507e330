package engine

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
)

// Many contracts, some of which an amendment changes alike: those that mean the same before, and the same after it,
// but for their names. What takes long is done once for all of these.

// A Pair is both versions of a contract; either may be nil, not both.
type Pair struct{ Base, Head *compile.Draft }

// alike groups pairs, by number, of which both versions mean the same: in order, as the first of each comes.
func alike(pairs []Pair) [][]int {
	var groups [][]int
	at := map[[2]string]int{}
	for i, p := range pairs {
		key, one := p.meaning()
		g, known := at[key]
		if !known || !one {
			g = len(groups)
			groups = append(groups, nil)
		}
		if one {
			at[key] = g
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// meaning is what both versions mean but for their names; not ok where one means nothing.
func (p Pair) meaning() (key [2]string, ok bool) {
	for i, d := range []*compile.Draft{p.Base, p.Head} {
		switch {
		case d == nil:
		case blame.Means(d) == "":
			return key, false
		default:
			key[i] = d.Unnamed
		}
	}
	return key, true
}

// Path is where the contract lies, on head if it is there.
func (p Pair) Path() string {
	if p.Head != nil {
		return p.Head.Path
	}
	return p.Base.Path
}

// sharing is a pair whose drafts share what is found out.
func (p Pair) sharing(c *compile.Memo) Pair {
	for _, d := range []**compile.Draft{&p.Base, &p.Head} {
		if *d != nil {
			own := **d
			own.Commons = c
			*d = &own
		}
	}
	return p
}

// compareAll reviews pairs, so many side by side as there are jobs. The first of a group is reviewed before the
// others, which go by what was found out for it; that is forgotten once the group is done, so that there are never
// more state models about than contracts under review.
func compareAll(ctx context.Context, pairs []Pair, b finding.Budget, groups [][]int) []finding.ContractReview {
	reviews := make([]finding.ContractReview, len(pairs))
	jobs := max(b.Jobs, 1)
	seats, turn := make(chan struct{}, jobs), b.Turns(len(pairs))
	review := func(i int, p Pair) {
		seats <- struct{}{}
		defer func() { <-seats }()
		turn(p.Path())
		reviews[i] = blame.Compare(ctx, p.Base, p.Head, b)
	}
	var all errgroup.Group
	all.SetLimit(jobs)
	for _, group := range groups {
		all.Go(func() error {
			if len(group) == 1 {
				review(group[0], pairs[group[0]])
				return nil
			}
			common := compile.NewMemo()
			review(group[0], pairs[group[0]].sharing(common))
			var others sync.WaitGroup
			for _, i := range group[1:] {
				others.Go(func() { review(i, pairs[i].sharing(common)) })
			}
			others.Wait()
			return nil
		})
	}
	_ = all.Wait() // reviews carry their own reasons
	return reviews
}
