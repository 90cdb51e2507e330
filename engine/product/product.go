package product

import (
	"context"
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/symbolic"
)

// maxSteps bounds the relations of a product.
const maxSteps = 1 << 17

var errTooManySteps = errors.New("too many transitions are observed alike")

// A meeting is acts of base and of head, any two of which can happen together.
type meeting [2][]int

// A product is the set of pairs of states that both sides can be in after the same meetings and what each does alone.
//
// A meeting of many acts takes two steps, so that there are as many relations as acts, not as pairs of them. Base does its part, and a
// variable of its own, the lowest, keeps the number of the meeting until head has done its part. Its value 0 means that none is under way.
type product struct {
	ctx       context.Context
	codes     [2]*symbolic.Coding
	acts      [2][]act
	lone      [2][]int         // acts that a side does alone
	relations [2][]dd.Relation // of acts
	forest    dd.Session
	level     [2][]int

	forth, back direction
	start       dd.Node
	all         dd.Node // pairs, including those during a meeting
	reach       dd.Node
	nodes       [][]dd.Node // of reach, by level
}

// A direction has all steps in one direction of time.
type direction struct {
	meet          *dd.System // both parts in one step
	first, second *dd.System // one part, then the other
	alone         [2]*dd.System
	either        *dd.System // alone, of both sides
}

// synchronised returns the meetings of acts with the same label. Each side does hidden acts alone. Glances are left out.
func synchronised(acts [2][]act) (meetings []meeting, lone [2][]int) {
	by := map[int]int{}
	for side, list := range acts {
		for i, a := range list {
			if a.glance {
				continue
			}
			if a.label == Hidden {
				lone[side] = append(lone[side], i)
				continue
			}
			at, known := by[a.label]
			if !known {
				at = len(meetings)
				by[a.label], meetings = at, append(meetings, meeting{})
			}
			meetings[at][side] = append(meetings[at][side], i)
		}
	}
	return meetings, lone
}

// newProduct computes the pairs of states. It returns nil if there are too many steps.
func (q *query) newProduct(l layout, acts [2][]act, meetings []meeting, lone [2][]int) *product {
	p := &product{ctx: q.ctx, acts: acts, lone: lone}
	var brief, long []meeting
	steps := len(lone[Base]) + len(lone[Head])
	for _, m := range meetings {
		a, b := len(m[Base]), len(m[Head])
		if a*b <= a+b {
			brief, steps = append(brief, m), steps+a*b
		} else {
			long, steps = append(long, m), steps+a+b
		}
	}
	if steps > maxSteps || len(long) >= 1<<16 {
		return nil
	}
	p.forest = dd.New(append([]int{len(long) + 1}, l.sizes...), q.limits).With(q.ctx)
	for side, of := range l.of {
		p.codes[side] = q.codes[of]
		for _, level := range l.level[side] {
			p.level[side] = append(p.level[side], level+1)
		}
		p.relations[side] = q.placed(p, side, of)
	}
	p.relate(brief, long)
	return p
}

// placed returns the relations of the acts of a side over the levels of a product. of is the side that they are of.
func (q *query) placed(p *product, side, of int) []dd.Relation {
	level := make([]int, len(q.layout.sizes)+1)
	for v, at := range q.layout.level[of] {
		level[at] = p.level[side][v]
	}
	list, c := make([]dd.Relation, len(p.acts[side])), dd.NewCopier(&q.store, &p.forest.Relations, level)
	for i, a := range p.acts[side] {
		list[i] = c.Copy(a.relation)
	}
	return list
}

// relate makes the steps in both directions of time, and explores the pairs of states.
func (p *product) relate(brief, long []meeting) {
	var meet, first, second, either []dd.Relation
	under := func(from, to int) dd.Relation {
		return p.forest.Chain([]dd.Local{{Level: 1, Pairs: []dd.Pair{{From: uint16(from), To: uint16(to)}}}})
	}
	none := dd.Identity
	if len(long) > 0 {
		none = under(0, 0)
	}
	for _, m := range brief {
		for _, i := range m[Base] {
			mine := p.forest.Join(p.relations[Base][i], none)
			for _, j := range m[Head] {
				meet = append(meet, p.forest.Join(mine, p.relations[Head][j]))
			}
		}
	}
	for k, m := range long {
		for side, list := range m {
			to, part := under(0, k+1), &first
			if side == Head {
				to, part = under(k+1, 0), &second
			}
			for _, i := range list {
				*part = append(*part, p.forest.Join(p.relations[side][i], to))
			}
		}
	}
	var alone [2][]dd.Relation
	for side, list := range p.lone {
		for _, i := range list {
			alone[side] = append(alone[side], p.forest.Join(p.relations[side][i], none))
		}
		either = append(either, alone[side]...)
	}
	turned := func(list []dd.Relation) *dd.System { return p.forest.System(p.inverses(list)) }
	p.forth = direction{meet: p.forest.System(meet), first: p.forest.System(first), second: p.forest.System(second), either: p.forest.System(either)}
	p.back = direction{meet: turned(meet), first: turned(second), second: turned(first), either: turned(either)}
	for side := range alone {
		p.forth.alone[side], p.back.alone[side] = p.forest.System(alone[side]), turned(alone[side])
	}
	p.explore(p.forest.System(slices.Concat(meet, first, second, either)))
}

// inverses returns the inverse of each relation.
func (p *product) inverses(list []dd.Relation) []dd.Relation {
	all := make([]dd.Relation, len(list))
	for i, r := range list {
		all[i] = p.forest.Inverse(r)
	}
	return all
}

func (p *product) explore(all *dd.System) {
	values := make([]int, p.forest.Levels())
	for side, c := range p.codes {
		for v, level := range p.level[side] {
			values[level-1] = c.Initial(v)
		}
	}
	p.start = p.forest.Tuple(values)
	p.all = p.forest.Reach(all, p.start)
	p.reach = p.forest.Lead(p.forest.Chain([]dd.Local{{Level: 1, Pairs: []dd.Pair{{}}}}), p.all) // no meeting is under way
	p.nodes = p.forest.Layers(p.reach)
}

// hides reports whether a side does anything alone.
func (p *product) hides(side int) bool { return len(p.lone[side]) > 0 }

// step returns the pairs within a set that one meeting leads to.
func (p *product) step(c *direction, set, within dd.Node) dd.Node {
	under := p.forest.Image(c.second, p.forest.Image(c.first, set, p.all), within)
	return p.forest.Union(p.forest.Image(c.meet, set, within), under)
}

// drift returns a set with what is reached from it, within some pairs, by moves of one side alone, or of either.
func (p *product) drift(alone *dd.System, set, within dd.Node) dd.Node {
	if !p.hides(Base) && !p.hides(Head) {
		return set
	}
	return p.forest.ReachWithin(alone, set, within)
}

// after returns the pairs reached from a set by acts of both sides with a label, and by moves alone after them.
func (p *product) after(set dd.Node, label int) dd.Node {
	for side := range p.acts {
		next := dd.Empty
		for _, i := range p.of(side, label) {
			next = p.forest.Union(next, p.forest.Lead(p.relations[side][i], set))
		}
		set = next
	}
	return p.drift(p.forth.either, set, p.reach)
}
