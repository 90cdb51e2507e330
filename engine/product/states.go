package product

import (
	"context"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
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
func (v *Versions) CompareStates(ctx context.Context, sense [2][]int, k int, limits Limits) (s *States, err error) {
	defer halt.Caught(&err)
	codes := v.split(ctx, sense)
	x := &reachability{ctx: ctx, sharedForest: sharedForest{codes: codes}}
	x.fill(ctx, levels(codes, sense), sense, dd.Limits(limits))
	x.relate()
	for side := range codes {
		x.reached(side, len(v.nets[side].Transitions))
	}
	s = &States{}
	x.compare(s, v.nets, k)
	return s, nil
}

// compare fills in the results on the reachable markings of both sides.
func (x *reachability) compare(s *States, nets [2]*petri.Net, k int) {
	for side, n := range nets {
		s.Count[side] = x.forest.Cardinality(x.reach[side])
		s.Fires[side] = x.fires(side, len(n.Transitions))
	}
	var alone, dead [2]dd.Node
	for side := range nets {
		alone[side], s.Alone[side].Count = x.lacking(x.reach[side], x.reach[1-side])
		dead[side], s.Dead[side].Count = x.lacking(x.dead[side], x.dead[1-side])
	}
	for side := range nets {
		x.runs(side, x.reach[side], alone[side], k, &s.Alone[side].Runs)
		x.runs(side, x.dead[side], dead[side], k, &s.Dead[side].Runs)
	}
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

func (x *reachability) relate() {
	level := x.levels()
	for side, c := range x.codes {
		var back []dd.Relation
		for i := range c.Firings {
			r := x.shared(side, halt.Must(c.Relation(x.ctx, &x.forest.Relations, level[side], &c.Firings[i])))
			x.firings[side], back = append(x.firings[side], r), append(back, x.forest.Inverse(r))
		}
		x.after[side], x.before[side] = x.forest.System(x.firings[side]), x.forest.System(back)
	}
}

// reached computes the reachable markings and dead ends of a side. It ends with a *ContactError if the side is not free of contact.
func (x *reachability) reached(side, transitions int) {
	x.start[side] = x.forest.Tuple(x.initial(side))
	x.reach[side] = x.forest.Reach(x.after[side], x.start[side])
	x.contact(side, transitions)
	if !slices.Contains(x.firings[side], dd.Identity) { // always enabled
		x.dead[side] = x.forest.Minus(x.reach[side], x.forest.Image(x.before[side], x.reach[side], x.reach[side]))
	}
}

// contact ends with an error if in a reachable marking an enabled transition marks a place that is marked already.
func (x *reachability) contact(side, transitions int) {
	layers, level := x.forest.Layers(x.reach[side]), x.levels()
	for t := range transitions {
		r := halt.Must(x.codes[side].Contact(x.ctx, &x.forest.Relations, level[side], t))
		if x.some(layers, x.shared(side, r)) {
			halt.End(&ContactError{side: side, transition: t})
		}
	}
}

// some reports whether a relation leads somewhere from a marking of a set, given by its layers.
func (x *reachability) some(layers [][]dd.Node, r dd.Relation) bool {
	if r <= dd.Identity {
		return r == dd.Identity
	}
	test := x.forest.Domain(r)
	return slices.ContainsFunc(layers[x.forest.Highest(test)], func(n dd.Node) bool { return x.forest.Lead(test, n) != dd.Empty })
}

// fires returns which transitions are enabled in some reachable marking.
func (x *reachability) fires(side, transitions int) []bool {
	fires := make([]bool, transitions)
	layers := x.forest.Layers(x.reach[side])
	for i, d := range x.codes[side].Firings {
		fires[d.Transition] = x.some(layers, x.firings[side][i])
	}
	return fires
}

// lacking returns the markings of mine whose meaning theirs lacks, and the number of these meanings.
func (x *reachability) lacking(mine, theirs dd.Node) (dd.Node, *big.Int) {
	set := x.forest.Minus(x.forest.Forget(mine, x.one), x.forest.Forget(theirs, x.one))
	var once []dd.Local // one of the values that mean nothing
	for level, means := range x.means[1:] {
		l := dd.Local{Level: level + 1}
		for value := range means + 1 {
			l.Pairs = append(l.Pairs, dd.Pair{From: uint16(value), To: uint16(value)})
		}
		once = append(once, l)
	}
	return set, x.forest.Cardinality(x.forest.Lead(x.forest.Chain(once), set))
}

// runs collects shortest runs to goals with a new meaning, at most k, each to another meaning and through no other goal.
func (x *reachability) runs(side int, goals, meaning dd.Node, k int, runs *[][]int) {
	if goals = x.forest.Intersect(goals, meaning); goals == dd.Empty {
		return
	}
	var layers []dd.Node
	seen, open := x.start[side], goals
	for last := seen; last != dd.Empty && len(*runs) < k; seen = x.forest.Union(seen, last) {
		layers = append(layers, last)
		for met := x.forest.Intersect(last, open); met != dd.Empty && len(*runs) < k; met = x.forest.Intersect(met, open) {
			run, means := x.met(side, layers, met)
			*runs, open = append(*runs, run), x.forest.Minus(open, means)
		}
		last = x.forest.Minus(last, goals)
		layers[len(layers)-1] = last
		last = x.forest.Minus(x.forest.Image(x.after[side], last, x.reach[side]), seen)
	}
}

// met returns a run to a marking that was met in the last layer, the first by the order of transitions, and all markings of its meaning.
func (x *reachability) met(side int, layers []dd.Node, met dd.Node) (run []int, means dd.Node) {
	ways := slices.Clone(layers) // in each layer the markings that lead to met
	last := len(ways) - 1
	ways[last] = met
	for i := last; i > 0; i-- {
		ways[i-1] = x.forest.Image(x.before[side], ways[i], ways[i-1])
	}
	run, at := make([]int, last), ways[0]
	for i, way := range ways[1:] {
		run[i], at = x.next(side, at, way)
	}
	return run, x.forest.Forget(at, x.one)
}

// next returns the first transition that leads from the only marking of one set to one of another, and that one.
func (x *reachability) next(side int, from, way dd.Node) (transition int, to dd.Node) {
	values := x.forest.Support(from)
	for i, d := range x.codes[side].Firings {
		if !x.forest.Occurs(x.firings[side][i], values) {
			continue
		}
		if to := x.forest.Intersect(x.forest.Lead(x.firings[side][i], from), way); to != dd.Empty {
			return d.Transition, to
		}
	}
	panic("product: a step that no transition makes")
}
