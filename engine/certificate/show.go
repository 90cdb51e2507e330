package certificate

import (
	"context"

	"github.com/redlinehq/redline/engine/certificate/checker"
)

// maxRounds limits how often a set is extended by its successors before all states that satisfy the claim are taken, and how long a run is
// followed.
const maxRounds = 200

// show selects the sets of a claim from the states where it is needed, and adds what they need to the claims it is made of.
func (p *prover[S]) show(ctx context.Context, id int) error {
	c, need := &p.claims[id], p.need[id]
	if p.none(need) {
		return nil
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
		return p.next(ctx, id)
	case checker.EU:
		return p.eventually(ctx, id)
	case checker.AU:
		return p.inevitably(ctx, id)
	case checker.AW:
		return p.always(ctx, id)
	case checker.EW:
		return p.forever(ctx, id)
	case checker.Round:
		return p.round(ctx, id)
	}
	return nil
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
func (p *prover[S]) some(ctx context.Context, of, within S) (S, error) {
	after, err := p.Post(ctx, of)
	if err != nil {
		return p.empty, err
	}
	after = p.Intersect(after, within)
	if p.single(of) && !p.none(after) {
		after, _ = p.Pick(after)
	}
	return after, nil
}

func (p *prover[S]) next(ctx context.Context, id int) (err error) {
	c, need := &p.claims[id], p.need[id]
	p.keep(id, need, -1)
	var after S
	if c.Kind == checker.EX {
		after, err = p.some(ctx, need, p.sat[c.Left])
	} else {
		after, err = p.Post(ctx, need)
	}
	p.ask(c.Left, after)
	return err
}

// eventually proceeds inwards, ring by ring.
func (p *prover[S]) eventually(ctx context.Context, id int) error {
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
		var err error
		if came, err = p.some(ctx, shown[i], rings[i-1].set); err != nil {
			return err
		}
	}
	p.ask(c.Right, shown[0])
	p.rings[id] = nil
	for i, last := 0, p.last(shown); i <= last; i++ {
		p.keep(id, shown[i], -1)
	}
	return nil
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
func (p *prover[S]) closed(ctx context.Context, id int) (S, error) {
	c := &p.claims[id]
	set, fresh := p.need[id], p.need[id]
	for range p.steps {
		if p.none(fresh) {
			return set, nil
		}
		after, err := p.Post(ctx, p.Minus(fresh, p.sat[c.Right]))
		if err != nil {
			return set, err
		}
		fresh = p.Minus(p.Intersect(after, p.sat[id]), set)
		set = p.Union(set, fresh)
	}
	return p.sat[id], nil
}

// always shows an invariant: all successors, up to where Right holds.
func (p *prover[S]) always(ctx context.Context, id int) error {
	set, err := p.closed(ctx, id)
	p.keep(id, set, -1)
	p.owed(&p.claims[id], set)
	return err
}

// forever shows a run from a single state if it is not too long, otherwise all states that satisfy the claim.
func (p *prover[S]) forever(ctx context.Context, id int) error {
	set, found, err := p.lasso(ctx, id)
	if err == nil && !found {
		set, err = p.closed(ctx, id)
	}
	p.keep(id, set, -1)
	p.owed(&p.claims[id], set)
	return err
}

// lasso returns a run from a single state to where Right holds, or to a dead end, or otherwise until it meets itself.
func (p *prover[S]) lasso(ctx context.Context, id int) (run S, found bool, err error) {
	c, at := &p.claims[id], p.need[id]
	if !p.single(at) {
		return p.empty, false, nil
	}
	left, right := p.sat[c.Left], p.sat[c.Right]
	rings, err := p.outwards(ctx, left, p.Union(right, p.Intersect(left, p.Dead())))
	if err != nil {
		return p.empty, false, err
	}
	run = at
	for i := len(rings) - 1; i >= 0; i-- {
		if p.none(p.Intersect(at, rings[i].set)) {
			continue
		}
		if i == 0 {
			return run, true, nil
		}
		if at, err = p.some(ctx, at, rings[i-1].set); err != nil {
			return run, false, err
		}
		run = p.Union(run, at)
	}
	for range maxRounds {
		if at, err = p.some(ctx, at, p.sat[id]); err != nil {
			return run, false, err
		}
		if !p.none(p.Intersect(at, run)) {
			return run, true, nil
		}
		run = p.Union(run, at)
	}
	return run, false, nil
}

// round shows where fair paths go on for ever.
func (p *prover[S]) round(ctx context.Context, id int) error {
	whole, turns, err := p.fair.turns(ctx, p.sat[id], p.need[id])
	if err != nil {
		return err
	}
	p.keep(id, whole, -1)
	p.ask(p.claims[id].Left, whole)
	for actor, rings := range turns {
		for _, set := range rings {
			p.keep(id, set, actor)
		}
	}
	return nil
}
