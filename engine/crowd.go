package engine

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
)

// An amendment can change many contracts alike: they mean the same before it, and the same after it, names apart. The expensive work is
// done once for all of these.

// A Pair is both versions of a contract. Either may be nil, not both.
type Pair struct{ Base, Head *compile.Draft }

// alike returns groups of pairs, by number, whose versions mean the same on both sides, names apart. Groups are in order of their first
// pair. A pair with a version that means nothing has a group of its own.
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

// meaning returns the meanings of both versions, without their names. ok is false if a version exists and means nothing.
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

// Path returns the path of the contract on head, or on base if head has none.
func (p Pair) Path() string {
	if p.Head != nil {
		return p.Head.Path
	}
	return p.Base.Path
}

// sharing returns the pair with copies of its drafts that share a memo.
func (p Pair) sharing(c *compile.Memo) Pair {
	for _, d := range []**compile.Draft{&p.Base, &p.Head} {
		if *d != nil {
			own := **d
			own.Memo = c
			*d = &own
		}
	}
	return p
}

// compareAll reviews pairs and returns review i for pair i, with at most b.Jobs reviews running at once. The first pair of a group is
// reviewed before the others, which reuse its memo. The memo is dropped when its group is done, so there are never more state models in
// memory than contracts under review.
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
