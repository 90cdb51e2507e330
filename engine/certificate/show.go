package certificate

import (
	"context"

	"github.com/redlinehq/redline/engine/certificate/checker"
)

// maxRounds limits how often a set is extended by its successors before all states that satisfy the claim are taken, and how long a run is
// followed.
const maxRounds = 200

// show selects the sets of a claim from the states where it is needed, and adds what they need to the claims it is made of.
func (p *prover[S]) show(ctx context.Context, id int) {
	c, need := &p.claims[id], p.need[id]
	if p.none(need) {
		return
	}
	switch c.Kind {
	case checker.And:
		p.ask(c.Left, need)
		p.ask(c.Right, need)
	case checker.Or:
		first, second := c.Left, c.Right
		if p.temporal(second) < p.temporal(first) {
			first, second = second, first
		}
		p.ask(first, p.Intersect(need, p.sat[first]))
		p.ask(second, p.Minus(need, p.sat[first]))
	case checker.EX, checker.AX:
		p.next(ctx, id)
	case checker.EU:
		p.eventually(ctx, id)
	case checker.AU:
		p.inevitably(ctx, id)
	case checker.AW:
		p.always(ctx, id)
	case checker.EW:
		p.forever(ctx, id)
	case checker.Round:
		p.round(ctx, id)
	}
}

func (p *prover[S]) ask(id int, of S) { p.need[id] = p.Union(p.need[id], of) }

// temporal returns the number of the last temporal claim within a claim, counted from 1, or 0 without any: a rough measure of its depth.
func (p *prover[S]) temporal(id int) int {
	c := &p.claims[id]
	switch {
	case c.Kind.Temporal():
		return id + 1 // later claims contain more
	case c.Kind >= checker.And:
		return max(p.temporal(c.Left), p.temporal(c.Right))
	}
	return 0
}

func (p *prover[S]) keep(id int, set S, actor int) {
	p.shown[id] = append(p.shown[id], ring[S]{set, actor})
}

// single reports whether a set has exactly one state.
func (p *prover[S]) single(a S) bool {
	if p.none(a) {
		return false
	}
	one, _ := p.Pick(a)
	return p.Equal(one, a)
}

// some returns the successors of a set within another. For one state it returns one, so that the proof is a run.
func (p *prover[S]) some(ctx context.Context, of, within S) S {
	after := p.Intersect(p.post(ctx, of), within)
	if p.single(of) && !p.none(after) {
		after, _ = p.Pick(after)
	}
	return after
}

func (p *prover[S]) next(ctx context.Context, id int) {
	c, need := &p.claims[id], p.need[id]
	p.keep(id, need, -1)
	if c.Kind == checker.EX {
		p.ask(c.Left, p.some(ctx, need, p.sat[c.Left]))
	} else {
		p.ask(c.Left, p.post(ctx, need))
	}
}

// eventually proceeds inwards, ring by ring.
func (p *prover[S]) eventually(ctx context.Context, id int) {
	c, todo := &p.claims[id], p.need[id]
	rings := p.rings[id]
	shown := make([]S, len(rings))
	came := p.empty
	for i := len(rings) - 1; i >= 0; i-- {
		shown[i] = p.Union(p.Intersect(todo, rings[i].set), came)
		if i == 0 || p.none(shown[i]) {
			came = p.empty
			continue
		}
		p.ask(c.Left, shown[i])
		came = p.some(ctx, shown[i], rings[i-1].set)
	}
	p.ask(c.Right, shown[0])
	p.rings[id] = nil
	for i, last := 0, p.last(shown); i <= last; i++ {
		p.keep(id, shown[i], -1)
	}
}

// last returns the index of the last set that is not empty.
func (p *prover[S]) last(sets []S) int {
	last := len(sets) - 1
	for last > 0 && p.none(sets[last]) {
		last--
	}
	return last
}

// owed returns the states of a set in which Right does not hold yet, and asks for Left in them, and for Right in the others.
func (p *prover[S]) owed(c *checker.Claim, set S) (going S) {
	p.ask(c.Right, p.Intersect(set, p.sat[c.Right]))
	going = p.Minus(set, p.sat[c.Right])
	p.ask(c.Left, going)
	return going
}

// closed returns the set extended by successors until it is closed, or, after some rounds, all states that satisfy the claim.
func (p *prover[S]) closed(ctx context.Context, id int) S {
	c := &p.claims[id]
	set, fresh := p.need[id], p.need[id]
	for range p.steps {
		if p.none(fresh) {
			return set
		}
		after := p.post(ctx, p.Minus(fresh, p.sat[c.Right]))
		fresh = p.Minus(p.Intersect(after, p.sat[id]), set)
		set = p.Union(set, fresh)
	}
	return p.sat[id]
}

// always shows an invariant: all successors, up to where Right holds.
func (p *prover[S]) always(ctx context.Context, id int) {
	set := p.closed(ctx, id)
	p.keep(id, set, -1)
	p.owed(&p.claims[id], set)
}

// forever shows a run from a single state if it is not too long, otherwise all states that satisfy the claim.
func (p *prover[S]) forever(ctx context.Context, id int) {
	set, found := p.lasso(ctx, id)
	if !found {
		set = p.closed(ctx, id)
	}
	p.keep(id, set, -1)
	p.owed(&p.claims[id], set)
}

// lasso returns a run from a single state to where Right holds, or to a dead end, or otherwise until it meets itself.
func (p *prover[S]) lasso(ctx context.Context, id int) (run S, found bool) {
	c, at := &p.claims[id], p.need[id]
	if !p.single(at) {
		return p.empty, false
	}
	left, right := p.sat[c.Left], p.sat[c.Right]
	rings := p.outwards(ctx, left, p.Union(right, p.Intersect(left, p.Dead())))
	run = at
	for i := len(rings) - 1; i >= 0; i-- {
		if p.none(p.Intersect(at, rings[i].set)) {
			continue
		}
		if i == 0 {
			return run, true
		}
		at = p.some(ctx, at, rings[i-1].set)
		run = p.Union(run, at)
	}
	for range maxRounds {
		at = p.some(ctx, at, p.sat[id])
		if !p.none(p.Intersect(at, run)) {
			return run, true
		}
		run = p.Union(run, at)
	}
	return run, false
}

// round shows where fair paths go on for ever.
func (p *prover[S]) round(ctx context.Context, id int) {
	whole, turns := p.fair.turns(ctx, p.sat[id], p.need[id])
	p.keep(id, whole, -1)
	p.ask(p.claims[id].Left, whole)
	for actor, rings := range turns {
		for _, set := range rings {
			p.keep(id, set, actor)
		}
	}
}
