package checker

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// A listing is a system in which transitions fire together, in maximal sets without competition. It visits markings one by one, and fires
// with package petri.
type listing struct {
	*Forest
	net     *petri.Net
	rule    petri.Rule
	acts    [][]int
	compete []map[int]bool // by transition, filled on demand
	most    int            // markings and steps it may still visit
}

func newListing(f *Forest, p Problem, most int) *listing {
	return &listing{Forest: f, net: p.Net, rule: p.Rule, acts: p.Acts, compete: make([]map[int]bool, len(p.Net.Transitions)), most: most}
}

// look counts one marking or step.
func (x *listing) look() {
	if x.most--; x.most < 0 {
		panic(stop{ErrTooLarge})
	}
	if x.most%1024 == 0 && x.ctx.Err() != nil {
		panic(stop{context.Cause(x.ctx)})
	}
}

func (x *listing) competes(t, u int) bool {
	if x.compete[t] == nil {
		x.compete[t] = map[int]bool{}
	}
	is, known := x.compete[t][u]
	if !known {
		is = x.net.Compete(t, u)
		x.compete[t][u] = is
	}
	return is
}

// steps calls visit with the steps of a marking until it returns false.
func (x *listing) steps(m petri.Marking, visit func(step []int) bool) {
	x.look()
	var fireable []int
	for t := range x.net.Transitions {
		if x.net.Fireable(m, t) {
			fireable = append(fireable, t)
		}
	}
	if x.rule == petri.One {
		for _, t := range fireable {
			if !visit([]int{t}) {
				return
			}
		}
		return
	}
	if len(fireable) > 0 {
		x.maximal(fireable, nil, visit)
	}
}

// maximal visits the maximal steps that extend one by some of the remaining transitions.
func (x *listing) maximal(left, step []int, visit func([]int) bool) bool {
	x.look()
	return x.extend(left, nil, step, visit)
}

// extend includes or excludes the first remaining transition. Excluded ones have to compete with an included one in the end.
func (x *listing) extend(left, without, step []int, visit func([]int) bool) bool {
	x.look()
	if len(left) == 0 {
		if len(without) > 0 {
			return true
		}
		return visit(step)
	}
	t, rest := left[0], left[1:]
	free := func(u int) bool { return u != t && !x.competes(t, u) }
	if !x.extend(filter(rest, free), filter(without, free), append(slices.Clip(step), t), visit) {
		return false
	}
	if !slices.ContainsFunc(rest, func(u int) bool { return x.competes(t, u) }) {
		return true // nothing that is left keeps t out
	}
	return x.extend(rest, append(slices.Clip(without), t), step, visit)
}

func filter(list []int, keep func(int) bool) []int {
	var kept []int
	for _, t := range list {
		if keep(t) {
			kept = append(kept, t)
		}
	}
	return kept
}

// by reports whether an actor acts in a step.
func (x *listing) by(actor int, m petri.Marking, step []int) bool {
	return actor == anybody || slices.ContainsFunc(step, func(t int) bool {
		of := &x.net.Transitions[t]
		return slices.Contains(x.acts[actor], t) && (len(of.In)+len(of.Out) > 0 || len(x.net.Moved(m, t)) > 0)
	})
}

// chunk is the number of markings collected at a time.
const chunk = 1 << 14

// collect returns the set of the markings that visit adds for each marking of d.
func (x *listing) collect(d Node, visit func(m petri.Marking, add func(petri.Marking))) Node {
	set, some := None, []petri.Marking(nil)
	add := func(m petri.Marking) {
		if some = append(some, m); len(some) == chunk {
			set, some = x.Union(set, x.Set(some)), some[:0]
		}
	}
	x.eachMarking(d, func(m petri.Marking) bool {
		visit(m, add)
		return true
	})
	return x.Union(set, x.Set(some))
}

func (x *listing) apart(d Node, visit func(after Node)) { visit(x.post(d, anybody)) }

func (x *listing) post(d Node, actor int) Node {
	return x.collect(d, func(m petri.Marking, add func(petri.Marking)) {
		x.steps(m, func(step []int) bool {
			if after, contact := x.net.Fire(m, step); contact < 0 && x.by(actor, m, step) {
				add(after)
			}
			return true
		})
	})
}

// where returns the markings of d with a step that satisfies a condition.
func (x *listing) where(d Node, is func(m petri.Marking, step []int) bool) Node {
	return x.collect(d, func(m petri.Marking, add func(petri.Marking)) {
		x.steps(m, func(step []int) bool {
			found := is(m, step)
			if found {
				add(m)
			}
			return !found
		})
	})
}

func (x *listing) pre(d, y Node, actor int) Node {
	return x.where(d, func(m petri.Marking, step []int) bool {
		after, contact := x.net.Fire(m, step)
		return contact < 0 && x.by(actor, m, step) && x.has(y, after)
	})
}

// able considers transitions instead of steps: an actor whose act loses to another in a step could have acted.
func (x *listing) able(d Node, actor int) Node {
	return x.collect(d, func(m petri.Marking, add func(petri.Marking)) {
		x.look()
		for t := range x.net.Transitions {
			if x.net.Fireable(m, t) && x.by(actor, m, []int{t}) {
				add(m)
				return
			}
		}
	})
}

func (x *listing) contact(d Node) (m Node, place int) {
	x.eachMarking(d, func(at petri.Marking) bool {
		x.steps(at, func(step []int) bool {
			if _, p := x.net.Fire(at, step); p >= 0 {
				m, place = x.Set([]petri.Marking{at}), p
			}
			return m == None
		})
		return m == None
	})
	return m, place
}
