package engine

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
)

// maxWaits bounds how many assumptions are tried on one violated requirement.
const maxWaits = 64

// waits remarks on a requirement that fails on a run without end: whose waiting it fails for, and
// whether it holds when what is promised need not come. What the budget does not reach is not said.
func (c *checked[S]) waits(ctx context.Context, f *ctl.Formula, req *Requirement) {
	if !goesOn(req.Trace) {
		return
	}
	if weak := weakened(f, true); weak != nil {
		holds, err := c.checker(c.actsOf(req.Assuming)).Holds(ctx, weak)
		req.Weakly = err == nil && holds
	}
	tries := 0
	for _, group := range c.candidates(req.Assuming) {
		for _, names := range group {
			if tries++; tries > maxWaits {
				return
			}
			holds, err := c.checker(c.actsOf(slices.Concat(req.Assuming, names))).Holds(ctx, f)
			if err != nil {
				return
			}
			if holds {
				req.Waits = append(req.Waits, names)
			}
		}
		if req.Waits != nil {
			return
		}
	}
}

func (c *checked[S]) actsOf(names []string) [][]int {
	actors, _ := c.actors(names)
	return c.acts(actors)
}

// goesOn says whether a run without end shows it.
func goesOn(t *Trace) bool {
	return t != nil && (len(t.Loop) > 0 || slices.ContainsFunc(t.Then, goesOn))
}

// candidates lists whose waiting may be to blame, the fewest first: each party, with all its parts in phases; each
// part, and all of a kind; all.
func (c *checked[S]) candidates(assumed []string) [][][]string {
	var single, kinds [][]string
	var all []string
	for _, p := range c.parties {
		if p.Made != "" && !(p.Made == "clock" && p.Name == "time") || slices.Contains(assumed, p.Name) || slices.Contains(assumed, p.Of) {
			continue
		}
		all = append(all, p.Name)
		if p.Plays != "" {
			kinds = append(kinds, []string{p.Name})
		} else {
			single = append(single, []string{p.Name})
		}
		if p.Of != p.Name && p.Of != "" && !slices.ContainsFunc(kinds, func(k []string) bool { return k[0] == p.Of }) {
			kinds = append(kinds, []string{p.Of})
		}
	}
	if len(all) < 2 {
		return [][][]string{single}
	}
	return [][][]string{single, kinds, {all}}
}

// weakened is f with every AU that counts for it made an AW, whose right side need not come; nil when
// there is none. Positive says whether f itself counts for. (AF q is A[true U q]: made weak it says
// nothing, so it is left.)
func weakened(f *ctl.Formula, positive bool) *ctl.Formula {
	if f == nil {
		return nil
	}
	if f.Means != nil {
		return weakened(f.Means, positive)
	}
	flips := f.Op == ctl.Not || f.Op == ctl.Implies
	left, right := weakened(f.Left, positive != flips), weakened(f.Right, positive)
	own := positive && f.Op == ctl.AU
	if left == nil && right == nil && !own || f.Op == ctl.Iff {
		return nil
	}
	g := *f
	if left != nil {
		g.Left = left
	}
	if right != nil {
		g.Right = right
	}
	if own {
		g.Op = ctl.AW
	}
	return &g
}
