package certificate

import (
	"context"

	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/halt"
)

// inevitable labels A[left U right]: it excludes the states where something else goes on for ever, or comes first (Clarke, Emerson, Sistla,
// 1986). The number of steps is computed when the claim is shown, for the states that need it.
func (p *prover[S]) inevitable(ctx context.Context, id int, left, right S) {
	if p.fair != nil {
		p.rings[id] = p.fairly(ctx, []ring[S]{{right, -1}}, left, right)
		p.sat[id] = p.union(p.rings[id])
		return
	}
	waiting := p.not(right)
	p.sat[id] = p.not(p.weak(ctx, waiting, p.Minus(waiting, left)))
}

// fairly returns the states of left from which right is inevitable on fair paths.
func (p *prover[S]) fairly(ctx context.Context, rings []ring[S], left, right S) []ring[S] {
	waiting := p.not(right)
	bad := p.until(ctx, waiting, p.Union(p.fair.core(ctx, waiting), p.Minus(waiting, left)))
	return append(rings, p.fair.waits(ctx, p.Minus(waiting, bad))...)
}

// inevitably proves that something comes, by ranks that every step lowers.
func (p *prover[S]) inevitably(ctx context.Context, id int) {
	if ranks := p.ranks(ctx, p.claims[id].Left); ranks != nil {
		p.together(id, ranks)
		return
	}
	if p.rings[id] == nil {
		p.rings[id] = p.inwards(ctx, p.sat[id], p.sat[p.claims[id].Right])
	}
	p.alone(ctx, id)
}

// alone follows all successors inwards.
func (p *prover[S]) alone(ctx context.Context, id int) {
	c, todo := &p.claims[id], p.need[id]
	rings := p.rings[id]
	shown := make([]S, len(rings))
	for i := len(rings) - 1; i >= 0; i-- {
		shown[i] = p.empty
		fresh := p.Intersect(todo, rings[i].set)
		for i > 0 && !p.none(fresh) { // where it is an actor's turn some steps stay in the ring
			after := p.post(ctx, fresh)
			shown[i], todo = p.Union(shown[i], fresh), p.Union(todo, after)
			fresh = p.Minus(p.Intersect(after, rings[i].set), shown[i])
		}
		if i > 0 {
			p.ask(c.Left, shown[i])
		}
	}
	shown[0] = p.Intersect(todo, rings[0].set)
	p.ask(c.Right, shown[0])
	for i, last := 0, p.last(shown); i <= last; i++ {
		p.keep(id, shown[i], rings[i].actor)
	}
	p.rings[id] = nil
}

// inwards returns the states of left from which right is inevitable, by the most steps it may take.
func (p *prover[S]) inwards(ctx context.Context, left, right S) []ring[S] {
	rings := []ring[S]{{right, -1}}
	left = p.Minus(left, p.Dead())
	seen, last := right, right
	for {
		if len(rings) == p.most {
			halt.End(none("something may take more than %d steps to come", p.most))
		}
		some := p.Minus(p.Intersect(p.pre(ctx, last), left), seen)
		if last = p.Minus(some, p.leaving(ctx, some, seen)); p.none(last) {
			return rings
		}
		rings, seen = append(rings, ring[S]{last, -1}), p.Union(seen, last)
	}
}

// leaving returns the states with a step out of some and into into. It may return more, but none in some.
func (p *prover[S]) leaving(ctx context.Context, some, into S) S {
	return p.pre(ctx, p.Minus(p.post(ctx, some), into))
}

// ranks returns the states in which any of the claims A[Left U ...] with the same Left waits, by the most steps until none of them does. So
// a claim for each of many parties takes the sets of one. It returns nil if there are not several such claims, or if they might keep each
// other waiting for ever.
func (p *prover[S]) ranks(ctx context.Context, left int) (ranks []S) {
	if ranks, known := p.shared[left]; known || p.fair != nil {
		return ranks
	}
	waiting, several := p.empty, 0
	for id, c := range p.claims {
		if c.Kind == checker.AU && c.Left == left {
			waiting = p.Union(waiting, p.Minus(p.sat[id], p.sat[c.Right]))
			several++
		}
	}
	if several > 1 {
		ranks = p.descending(ctx, waiting)
	}
	p.shared[left] = ranks
	return ranks
}

// descending returns the states of a set by the most steps that can stay in it, or nil if that is unlimited.
func (p *prover[S]) descending(ctx context.Context, set S) (ranks []S) {
	rings := p.inwards(ctx, set, p.not(set))
	if !p.Equal(p.union(rings), p.All()) {
		return nil
	}
	for _, r := range rings[1:] {
		ranks = append(ranks, r.set)
	}
	return ranks
}

// together shows a claim by ranks that it shares with others. States that wait in one rank wait in lower ones afterwards, or no longer.
func (p *prover[S]) together(id int, ranks []S) {
	c := &p.claims[id]
	right := p.sat[c.Right]
	p.ask(c.Right, right)
	shown := []S{right}
	for _, r := range ranks {
		r = p.Intersect(r, p.sat[id])
		p.ask(c.Left, p.Minus(r, right))
		shown = append(shown, r)
	}
	for _, set := range shown[:p.last(shown)+1] {
		p.keep(id, set, -1)
	}
}
