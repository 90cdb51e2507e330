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
	ctx    context.Context
	codes  [2]*symbolic.Coding
	acts   [2][]act
	lone   [2][]int // acts that a side does alone
	forest *dd.Forest
	level  [2][]int

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
	all           *dd.System
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

// newProduct computes the pairs of states. It fails if there are too many steps, or with a limit or the context.
func newProduct(ctx context.Context, codes [2]*symbolic.Coding, l layout, acts [2][]act, meetings []meeting, lone [2][]int, limits dd.Limits) (*product, error) {
	p := &product{ctx: ctx, codes: codes, acts: acts, lone: lone}
	for side, list := range l.level {
		for _, level := range list {
			p.level[side] = append(p.level[side], level+1)
		}
	}
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
		return nil, errTooManySteps
	}
	p.forest = dd.New(append([]int{len(long) + 1}, l.sizes...), limits)
	p.forth, p.back = p.direction(brief, long, pass), p.direction(brief, long, turned)
	p.back.first, p.back.second = p.back.second, p.back.first
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return p, p.explore()
}

// direction returns the steps in the direction of turn. Parts are in order of time. It is incomplete if the context ends.
func (p *product) direction(brief, long []meeting, turn func(dd.Pair) dd.Pair) (c direction) {
	var meet, first, second, either []dd.Relation
	for _, m := range brief {
		for _, i := range m[Base] {
			for _, j := range m[Head] {
				meet = append(meet, p.part(append(p.locals(Base, i, turn), p.locals(Head, j, turn)...), dd.Pair{}))
			}
		}
	}
	for k, m := range long {
		under := uint16(k + 1)
		for _, i := range m[Base] {
			first = append(first, p.part(p.locals(Base, i, turn), turn(dd.Pair{From: 0, To: under})))
		}
		for _, j := range m[Head] {
			second = append(second, p.part(p.locals(Head, j, turn), turn(dd.Pair{From: under, To: 0})))
		}
	}
	c.meet, c.first, c.second = p.forest.System(meet), p.forest.System(first), p.forest.System(second)
	for side, list := range p.lone {
		var alone []dd.Relation
		for _, i := range list {
			alone = append(alone, p.part(p.locals(side, i, turn), dd.Pair{}))
		}
		c.alone[side], either = p.forest.System(alone), append(either, alone...)
	}
	c.either = p.forest.System(either)
	c.all = p.forest.System(slices.Concat(meet, first, second, either))
	return c
}

// locals returns the locals of an act; nil if the context has ended.
func (p *product) locals(side, i int, turn func(dd.Pair) dd.Pair) []dd.Local {
	if p.ctx.Err() != nil {
		return nil
	}
	return p.acts[side][i].at(p.level[side], turn)
}

// part returns the relation of some acts, and of the change to the meeting under way.
func (p *product) part(locals []dd.Local, under dd.Pair) dd.Relation {
	if p.forest.Size(1) == 1 {
		return chain(p.forest, locals)
	}
	return chain(p.forest, append(locals, dd.Local{Level: 1, Pairs: []dd.Pair{under}}))
}

func (p *product) explore() (err error) {
	values := make([]int, p.forest.Levels())
	for side, c := range p.codes {
		for v, level := range p.level[side] {
			values[level-1] = c.Initial(v)
		}
	}
	if p.start, err = p.forest.Tuple(values); err != nil {
		return err
	}
	if p.all, err = p.forest.Reach(p.ctx, p.forth.all, p.start); err != nil {
		return err
	}
	none := p.forest.Chain([]dd.Local{{Level: 1, Pairs: []dd.Pair{{}}}})
	if p.reach, err = p.forest.Lead(p.ctx, none, p.all); err == nil {
		p.nodes = p.forest.Layers(p.reach)
	}
	return err
}

// hides reports whether a side does anything alone.
func (p *product) hides(side int) bool { return len(p.lone[side]) > 0 }

// step returns the pairs within a set that one meeting leads to.
func (p *product) step(c *direction, set, within dd.Node) (dd.Node, error) {
	under, err := p.forest.Image(p.ctx, c.first, set, p.all)
	if err == nil {
		under, err = p.forest.Image(p.ctx, c.second, under, within)
	}
	if err == nil {
		set, err = p.forest.Image(p.ctx, c.meet, set, within)
	}
	if err != nil {
		return dd.Empty, err
	}
	return p.forest.Union(p.ctx, set, under)
}

// drift returns a set with what is reached from it, within some pairs, by moves of one side alone, or of either.
func (p *product) drift(alone *dd.System, set, within dd.Node) (dd.Node, error) {
	if !p.hides(Base) && !p.hides(Head) {
		return set, nil
	}
	return p.forest.ReachWithin(p.ctx, alone, set, within)
}

// after returns the pairs reached from a set by acts of both sides with a label, and by moves alone after them.
func (p *product) after(set dd.Node, label int) (dd.Node, error) {
	for side := range p.acts {
		next := dd.Empty
		for _, a := range p.of(side, label) {
			one, err := p.forest.Lead(p.ctx, chain(p.forest, a.at(p.level[side], pass)), set)
			if err == nil {
				next, err = p.forest.Union(p.ctx, next, one)
			}
			if err != nil {
				return dd.Empty, err
			}
		}
		set = next
	}
	return p.drift(p.forth.either, set, p.reach)
}
