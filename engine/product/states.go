package product

import (
	"context"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
)

// States are the reachable markings of both sides, compared by meaning.
type States struct {
	Count [2]*big.Int // by side, the number of reachable markings
	Alone [2]Novel    // by side, meanings of markings of that side alone
	Dead  [2]Novel    // by side, meanings of dead ends of that side alone
	Fires [2][]bool   // by side and transition: it is enabled in some reachable marking
}

// A Novel has the number of meanings of some markings, and shortest runs to some of them.
type Novel struct {
	Count *big.Int
	Runs  [][]int // transitions; the shortest first, through no other marking of the kind
}

// CompareStates compares the reachable markings by the meanings of their marked places. sense has those as numbers by side and place, -1 for none;
// no two places of a side share a number. It finds runs to at most k markings of a kind. Two dead ends mean the same if their marked places
// do.
//
// It also checks that the nets are free of contact; if not, the error is a *ContactError. Other errors are a *dd.LimitError,
// symbolic.ErrNotSymbolic and the context's cause. If it returns States with an error, both nets are free of contact; missing counts are
// nil, and runs may be missing.
func (v *Versions) CompareStates(ctx context.Context, sense [2][]int, k int, limits Limits) (*States, error) {
	codes, err := v.split(ctx, sense)
	if err != nil {
		return nil, err
	}
	x := &reachability{ctx: ctx, sharedForest: sharedForest{codes: codes}}
	if err := x.fill(ctx, levels(codes, sense), sense, dd.Limits(limits)); err != nil {
		return nil, err
	}
	if err := x.relate(); err != nil {
		return nil, err
	}
	for side := range codes {
		if err := x.reached(side, len(v.nets[side].Transitions)); err != nil {
			return nil, err
		}
	}
	s := &States{}
	return s, x.compare(s, v.nets, k)
}

// compare fills in the results on the reachable markings of both sides.
func (x *reachability) compare(s *States, nets [2]*petri.Net, k int) (err error) {
	for side, n := range nets {
		if s.Count[side], err = x.forest.Cardinality(x.ctx, x.reach[side]); err != nil {
			return err
		}
		if s.Fires[side], err = x.fires(side, len(n.Transitions)); err != nil {
			return err
		}
	}
	var alone, dead [2]dd.Node
	for side := range nets {
		if alone[side], s.Alone[side].Count, err = x.lacking(x.reach[side], x.reach[1-side]); err != nil {
			return err
		}
		if dead[side], s.Dead[side].Count, err = x.lacking(x.dead[side], x.dead[1-side]); err != nil {
			return err
		}
	}
	for side := range nets {
		if s.Alone[side].Runs, err = x.runs(side, x.reach[side], alone[side], k); err != nil {
			return err
		}
		if s.Dead[side].Runs, err = x.runs(side, x.dead[side], dead[side], k); err != nil {
			return err
		}
	}
	return nil
}

// A reachability has the markings of both sides.
type reachability struct {
	sharedForest
	ctx           context.Context
	firings       [2][]dd.Relation // by side, of its firings
	after, before [2]*dd.System
	start         [2]dd.Node
	reach, dead   [2]dd.Node
}

func (x *reachability) relate() (err error) {
	level := x.levels()
	for side, c := range x.codes {
		var back []dd.Relation
		for i := range c.Firings {
			r, err := c.Relation(x.ctx, &x.forest.Relations, level[side], &c.Firings[i])
			if err != nil {
				return err
			}
			r = x.shared(side, r)
			x.firings[side], back = append(x.firings[side], r), append(back, x.forest.Inverse(r))
		}
		x.after[side], x.before[side] = x.forest.System(x.firings[side]), x.forest.System(back)
	}
	return nil
}

// reached computes the reachable markings and dead ends of a side. It returns a *ContactError if the side is not free of contact.
func (x *reachability) reached(side, transitions int) (err error) {
	if x.start[side], err = x.forest.Tuple(x.initial(side)); err != nil {
		return err
	}
	if x.reach[side], err = x.forest.Reach(x.ctx, x.after[side], x.start[side]); err != nil {
		return err
	}
	if err = x.contact(side, transitions); err != nil {
		return err
	}
	if slices.Contains(x.firings[side], dd.Identity) { // always enabled
		return nil
	}
	live, err := x.forest.Image(x.ctx, x.before[side], x.reach[side], x.reach[side])
	if err == nil {
		x.dead[side], err = x.forest.Minus(x.ctx, x.reach[side], live)
	}
	return err
}

// contact looks for a reachable marking in which an enabled transition marks a place that is marked already.
func (x *reachability) contact(side, transitions int) error {
	layers, level := x.forest.Layers(x.reach[side]), x.levels()
	for t := range transitions {
		r, err := x.codes[side].Contact(x.ctx, &x.forest.Relations, level[side], t)
		if err != nil {
			return err
		}
		some, err := x.some(layers, x.shared(side, r))
		if err != nil {
			return err
		}
		if some {
			return &ContactError{side: side, transition: t}
		}
	}
	return nil
}

// some reports whether a relation leads somewhere from a marking of a set, given by its layers.
func (x *reachability) some(layers [][]dd.Node, r dd.Relation) (bool, error) {
	if r <= dd.Identity {
		return r == dd.Identity, nil
	}
	test := x.forest.Domain(r)
	for _, n := range layers[x.forest.Highest(test)] {
		if m, err := x.forest.Lead(x.ctx, test, n); m != dd.Empty || err != nil {
			return m != dd.Empty, err
		}
	}
	return false, nil
}

// fires returns which transitions are enabled in some reachable marking.
func (x *reachability) fires(side, transitions int) ([]bool, error) {
	fires := make([]bool, transitions)
	layers := x.forest.Layers(x.reach[side])
	for i, d := range x.codes[side].Firings {
		some, err := x.some(layers, x.firings[side][i])
		if err != nil {
			return nil, err
		}
		fires[d.Transition] = some
	}
	return fires, nil
}

// lacking returns the markings of mine whose meaning theirs lacks, and the number of these meanings.
func (x *reachability) lacking(mine, theirs dd.Node) (dd.Node, *big.Int, error) {
	a, err := x.forest.Forget(x.ctx, mine, x.one)
	if err != nil {
		return dd.Empty, nil, err
	}
	b, err := x.forest.Forget(x.ctx, theirs, x.one)
	if err != nil {
		return dd.Empty, nil, err
	}
	set, err := x.forest.Minus(x.ctx, a, b)
	if err != nil {
		return dd.Empty, nil, err
	}
	var once []dd.Local // one of the values that mean nothing
	for level, means := range x.means[1:] {
		l := dd.Local{Level: level + 1}
		for value := range means + 1 {
			l.Pairs = append(l.Pairs, dd.Pair{From: uint16(value), To: uint16(value)})
		}
		once = append(once, l)
	}
	meanings, err := x.forest.Lead(x.ctx, x.forest.Chain(once), set)
	if err != nil {
		return dd.Empty, nil, err
	}
	n, err := x.forest.Cardinality(x.ctx, meanings)
	return set, n, err
}

// runs returns shortest runs to goals with a new meaning, at most k, each to another meaning and through no other goal.
func (x *reachability) runs(side int, goals, meaning dd.Node, k int) (runs [][]int, err error) {
	if goals, err = x.forest.Intersect(x.ctx, goals, meaning); err != nil || goals == dd.Empty {
		return nil, err
	}
	layers := []dd.Node{x.start[side]}
	seen, open := x.start[side], goals
	for last := seen; last != dd.Empty && len(runs) < k; layers = append(layers, last) {
		met, err := x.forest.Intersect(x.ctx, last, open)
		for met != dd.Empty && err == nil && len(runs) < k {
			var run []int
			var means dd.Node
			if run, means, err = x.met(side, layers, met); err == nil {
				runs = append(runs, run)
				open, err = x.forest.Minus(x.ctx, open, means)
			}
			if err == nil {
				met, err = x.forest.Intersect(x.ctx, met, open)
			}
		}
		if err == nil {
			last, err = x.forest.Minus(x.ctx, last, goals)
			layers[len(layers)-1] = last
		}
		if err == nil {
			last, err = x.forest.Image(x.ctx, x.after[side], last, x.reach[side])
		}
		if err == nil {
			last, err = x.forest.Minus(x.ctx, last, seen)
		}
		if err == nil {
			seen, err = x.forest.Union(x.ctx, seen, last)
		}
		if err != nil {
			return runs, err
		}
	}
	return runs, nil
}

// met returns a run to a marking that was met in the last layer, the first by the order of transitions, and all markings of its meaning.
func (x *reachability) met(side int, layers []dd.Node, met dd.Node) (run []int, means dd.Node, err error) {
	ways := slices.Clone(layers) // in each layer the markings that lead to met
	last := len(ways) - 1
	ways[last] = met
	for i := last; i > 0; i-- {
		if ways[i-1], err = x.forest.Image(x.ctx, x.before[side], ways[i], ways[i-1]); err != nil {
			return nil, dd.Empty, err
		}
	}
	run, at := make([]int, last), ways[0]
	for i, way := range ways[1:] {
		if run[i], at, err = x.next(side, at, way); err != nil {
			return nil, dd.Empty, err
		}
	}
	means, err = x.forest.Forget(x.ctx, at, x.one)
	return run, means, err
}

// next returns the first transition that leads from the only marking of one set to one of another, and that one.
func (x *reachability) next(side int, from, way dd.Node) (transition int, to dd.Node, err error) {
	values, err := x.forest.Support(x.ctx, from)
	if err != nil {
		return 0, dd.Empty, err
	}
	for i, d := range x.codes[side].Firings {
		if !x.forest.Occurs(x.firings[side][i], values) {
			continue
		}
		to, err := x.forest.Lead(x.ctx, x.firings[side][i], from)
		if err == nil {
			to, err = x.forest.Intersect(x.ctx, to, way)
		}
		if to != dd.Empty || err != nil {
			return d.Transition, to, err
		}
	}
	panic("product: a step that no transition makes")
}
