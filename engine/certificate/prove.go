package certificate

import (
	"context"
	"errors"
	"fmt"

	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/halt"
)

// ErrNone says why there is no certificate of a verdict. It does not mean that the verdict is wrong.
type ErrNone struct{ Why string }

func (e *ErrNone) Error() string { return "no certificate: " + e.Why }

func none(format string, args ...any) error { return &ErrNone{fmt.Sprintf(format, args...)} }

// errFalse reports that the claim does not hold in the initial state: the verdict is wrong, or this package is.
var errFalse = errors.New("the verdict cannot be proved, which is a defect of redline")

// A prover computes the sets of a certificate. First it labels claims, smallest first: sat has the states in which each can be shown. Then
// it goes back from the initial state, largest claim first: need has the states in which each is needed for the claims around it.
type prover[S any] struct {
	model[S]
	claims []checker.Claim
	sat    []S
	rings  [][]ring[S] // by claim: of least fixpoints
	need   []S
	shown  [][]ring[S] // by claim: the rings in the certificate
	shared map[int][]S // by a claim: the ranks of those inevitable while it holds
	empty  S
}

// prove returns the rings of each temporal claim.
func prove[S any](ctx context.Context, m model[S], claims []checker.Claim) (sets [][]ring[S], err error) {
	defer halt.Caught(&err)
	p := &prover[S]{model: m, claims: claims, shared: map[int][]S{}, empty: m.None()}
	p.sat, p.rings = make([]S, len(claims)), make([][]ring[S], len(claims))
	p.need, p.shown = make([]S, len(claims)), make([][]ring[S], len(claims))
	for id := range claims {
		p.need[id] = p.empty
		p.label(ctx, id)
	}
	root := len(claims) - 1
	if p.none(m.Intersect(m.Initial(), p.sat[root])) {
		return nil, errFalse
	}
	p.need[root] = m.Initial()
	for id := root; id >= 0; id-- {
		p.show(ctx, id)
	}
	for id, c := range claims {
		if c.Kind.Temporal() {
			sets = append(sets, p.shown[id])
		}
	}
	return sets, nil
}

func (p *prover[S]) none(a S) bool { return p.Equal(a, p.empty) }

func (p *prover[S]) not(a S) S { return p.Minus(p.All(), a) }

func (p *prover[S]) pre(ctx context.Context, a S) S { return halt.Must(p.Pre(ctx, a)) }

func (p *prover[S]) post(ctx context.Context, a S) S { return halt.Must(p.Post(ctx, a)) }

func (p *prover[S]) until(ctx context.Context, a, b S) S { return halt.Must(p.Until(ctx, a, b)) }

// label computes the states in which a claim can be shown.
func (p *prover[S]) label(ctx context.Context, id int) {
	c := &p.claims[id]
	var left, right S
	if c.Kind >= checker.And {
		left, right = p.sat[c.Left], p.sat[c.Right]
	}
	switch c.Kind {
	case checker.True:
		p.sat[id] = p.All()
	case checker.False:
		p.sat[id] = p.empty
	case checker.Place:
		p.sat[id] = p.Where(c.Place)
	case checker.NotPlace:
		p.sat[id] = p.not(p.Where(c.Place))
	case checker.Sum:
		p.sat[id] = p.Count(c.Sum)
	case checker.NotSum:
		p.sat[id] = p.not(p.Count(c.Sum))
	case checker.And:
		p.sat[id] = p.Intersect(left, right)
	case checker.Or:
		p.sat[id] = p.Union(left, right)
	case checker.EX:
		p.sat[id] = p.pre(ctx, left)
	case checker.AX:
		p.sat[id] = p.not(p.pre(ctx, p.not(left)))
	case checker.AW:
		p.sat[id] = p.not(p.until(ctx, p.not(right), p.not(p.Union(left, right))))
	case checker.EW:
		p.sat[id] = p.weak(ctx, left, right)
	case checker.EU:
		p.rings[id] = p.outwards(ctx, left, right)
		p.sat[id] = p.union(p.rings[id])
	case checker.AU:
		p.inevitable(ctx, id, left, right)
	case checker.Round:
		p.sat[id] = p.fair.core(ctx, left)
	}
}

func (p *prover[S]) union(rings []ring[S]) S {
	u := p.empty
	for _, r := range rings {
		u = p.Union(u, r.set)
	}
	return u
}

func (p *prover[S]) weak(ctx context.Context, left, right S) S {
	return p.Union(p.until(ctx, left, right), halt.Must(p.Always(ctx, left)))
}

// outwards returns the states of left by their distance from right within it, as Clarke, Emerson and Sistla's labelling (1986) finds them.
func (p *prover[S]) outwards(ctx context.Context, left, right S) (rings []ring[S]) {
	seen, last := right, right
	for !p.none(last) {
		if len(rings) == p.most {
			halt.End(none("a shortest run is longer than %d steps", p.most))
		}
		rings = append(rings, ring[S]{last, -1})
		last = p.Minus(p.Intersect(p.pre(ctx, last), left), seen)
		seen = p.Union(seen, last)
	}
	return rings
}
