package certificate

import (
	"context"

	"github.com/redlinehq/redline/engine/certificate/checker"
)

// inevitable labels A[left U right]: it excludes the states where something else goes on for ever, or comes first (Clarke, Emerson, Sistla,
// 1986). The number of steps is computed when the claim is shown, for the states that need it.
func (p *prover[S]) inevitable(ctx context.Context, id int, left, right S) (err error) {
	if p.fair != nil {
		p.rings[id], err = p.fairly(ctx, []ring[S]{{right, -1}}, left, right)
		p.sat[id] = p.union(p.rings[id])
		return err
	}
	waiting := p.not(right)
	p.sat[id], err = p.weak(ctx, waiting, p.Minus(waiting, left))
	p.sat[id] = p.not(p.sat[id])
	return err
}

// fairly returns the states of left from which right is inevitable on fair paths.
func (p *prover[S]) fairly(ctx context.Context, rings []ring[S], left, right S) ([]ring[S], error) {
	waiting := p.not(right)
	core, err := p.fair.core(ctx, waiting)
	if err != nil {
		return nil, err
	}
	bad, err := p.Until(ctx, waiting, p.Union(core, p.Minus(waiting, left)))
	if err != nil {
		return nil, err
	}
	more, err := p.fair.waits(ctx, p.Minus(waiting, bad))
	return append(rings, more...), err
}

// inevitably proves that something comes, by ranks that every step lowers.
func (p *prover[S]) inevitably(ctx context.Context, id int) error {
	ranks, err := p.ranks(ctx, p.claims[id].Left)
	switch {
	case err != nil:
		return err
	case ranks != nil:
		p.together(id, ranks)
		return nil
	}
	if p.rings[id] == nil {
		if p.rings[id], err = p.inwards(ctx, p.sat[id], p.sat[p.claims[id].Right]); err != nil {
			return err
		}
	}
	return p.alone(ctx, id)
}

// alone follows all successors inwards.
func (p *prover[S]) alone(ctx context.Context, id int) error {
	c, todo := &p.claims[id], p.need[id]
	rings := p.rings[id]
	shown := make([]S, len(rings))
	for i := len(rings) - 1; i >= 0; i-- {
		shown[i] = p.empty
		fresh := p.Intersect(todo, rings[i].set)
		for i > 0 && !p.none(fresh) { // where it is an actor's turn some steps stay in the ring
			after, err := p.Post(ctx, fresh)
			if err != nil {
				return err
			}
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
	return nil
}

// inwards returns the states of left from which right is inevitable, by the most steps it may take.
func (p *prover[S]) inwards(ctx context.Context, left, right S) ([]ring[S], error) {
	rings := []ring[S]{{right, -1}}
	left = p.Minus(left, p.Dead())
	seen, last := right, right
	for {
		if len(rings) == p.most {
			return nil, none("something may take more than %d steps to come", p.most)
		}
		before, err := p.Pre(ctx, last)
		if err != nil {
			return nil, err
		}
		some := p.Minus(p.Intersect(before, left), seen)
		out, err := p.leaving(ctx, some, seen)
		if err != nil {
			return nil, err
		}
		if last = p.Minus(some, out); p.none(last) {
			return rings, p.Err()
		}
		rings, seen = append(rings, ring[S]{last, -1}), p.Union(seen, last)
	}
}

// leaving returns the states with a step out of some and into into. It may return more, but none in some.
func (p *prover[S]) leaving(ctx context.Context, some, into S) (S, error) {
	after, err := p.Post(ctx, some)
	if err != nil {
		return p.empty, err
	}
	return p.Pre(ctx, p.Minus(after, into))
}

// ranks returns the states in which any of the claims A[Left U ...] with the same Left waits, by the most steps until none of them does. So
// a claim for each of many parties takes the sets of one. It returns nil if there are not several such claims, or if they might keep each
// other waiting for ever.
func (p *prover[S]) ranks(ctx context.Context, left int) (ranks []S, err error) {
	if ranks, known := p.shared[left]; known || p.fair != nil {
		return ranks, nil
	}
	waiting, several := p.empty, 0
	for id, c := range p.claims {
		if c.Kind == checker.AU && c.Left == left {
			waiting = p.Union(waiting, p.Minus(p.sat[id], p.sat[c.Right]))
			several++
		}
	}
	if several > 1 {
		ranks, err = p.descending(ctx, waiting)
	}
	p.shared[left] = ranks
	return ranks, err
}

// descending returns the states of a set by the most steps that can stay in it, or nil if that is unlimited.
func (p *prover[S]) descending(ctx context.Context, set S) (ranks []S, err error) {
	rings, err := p.inwards(ctx, set, p.not(set))
	if err != nil || !p.Equal(p.union(rings), p.All()) {
		return nil, err
	}
	for _, r := range rings[1:] {
		ranks = append(ranks, r.set)
	}
	return ranks, nil
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
