package engine

import (
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// A state is ideal when nothing has been breached in it. A breach is remembered, so a run is ideal
// when all its states are. An ideal run is a maximal path like any other: one that cannot go on but by a
// breach does not end there, and is none.

const idealName = "ideal"

// ideal gives the atom its meaning: no obligation or prohibition has been breached.
func (d *Draft) ideal() {
	var broken []*ctl.Formula
	for _, n := range d.Spec.Norms {
		if p := n.Breached(); p != nil {
			broken = append(broken, d.marked(d.placeOf[n.Name+"."+p.Name]))
		}
	}
	d.mean(idealName, &ctl.Formula{Op: ctl.Not, Left: either(broken)})
}

// overIdeal is the formula that says of ideal runs what f says of all: its path quantifiers range over
// the maximal paths that satisfy G ideal. As breaches are remembered, such a path is one in ideal states, and
// the states it may go through are those of EG ideal; so, with i for ideal:
//
//	EX p      EX(p && EG i)                  AX p      !EX(!p && EG i)
//	EF p      E[i U p && EG i]               AG p      !E[i U !p && EG i]
//	EG p      EG(p && i)                     AF p      !EG(!p && i)
//	E[p U q]  E[p && i U q && EG i]          A[p W q]  !E[!q && i U !p && !q && EG i]
//	E[p W q]  that, or EG(p && i)            A[p U q]  that, and !EG(!q && i)
//
// Where EG i does not hold there is no ideal run: every A holds there, and no E.
func overIdeal(f *ctl.Formula) *ctl.Formula {
	if f == nil || f.Op == ctl.Atom {
		return f
	}
	g := *f
	g.Left, g.Right = overIdeal(f.Left), overIdeal(f.Right)
	if f.Op < ctl.EX {
		return &g
	}
	r := idealRuns{f}
	p, q := g.Left, g.Right
	switch f.Op {
	case ctl.EX:
		return r.make(ctl.EX, r.and(p, r.forever()), nil)
	case ctl.AX:
		return r.not(r.make(ctl.EX, r.and(r.not(p), r.forever()), nil))
	case ctl.EF:
		return r.until(r.make(ctl.True, nil, nil), p)
	case ctl.AG:
		return r.not(r.until(r.make(ctl.True, nil, nil), r.not(p)))
	case ctl.EG:
		return r.always(p)
	case ctl.AF:
		return r.not(r.always(r.not(p)))
	case ctl.EU:
		return r.until(p, q)
	case ctl.EW:
		return r.make(ctl.Or, r.until(p, q), r.always(p))
	case ctl.AW:
		return r.not(r.until(r.not(q), r.and(r.not(p), r.not(q))))
	}
	return r.and(r.not(r.until(r.not(q), r.and(r.not(p), r.not(q)))), r.not(r.always(r.not(q)))) // AU
}

// idealRuns makes formulas that stand where f stood in its text.
type idealRuns struct{ f *ctl.Formula }

func (r idealRuns) make(op ctl.Op, left, right *ctl.Formula) *ctl.Formula {
	return &ctl.Formula{Op: op, Left: left, Right: right, From: r.f.From, To: r.f.To}
}

func (r idealRuns) ideal() *ctl.Formula {
	g := r.make(ctl.Atom, nil, nil)
	g.Name = idealName
	return g
}

func (r idealRuns) not(p *ctl.Formula) *ctl.Formula {
	if p.Op == ctl.Not {
		return p.Left
	}
	return r.make(ctl.Not, p, nil)
}

// and leaves out what is true anyway.
func (r idealRuns) and(p, q *ctl.Formula) *ctl.Formula {
	if p.Op == ctl.True {
		return q
	}
	return r.make(ctl.And, p, q)
}

func (r idealRuns) always(p *ctl.Formula) *ctl.Formula {
	return r.make(ctl.EG, r.and(p, r.ideal()), nil)
}

func (r idealRuns) forever() *ctl.Formula { return r.make(ctl.EG, r.ideal(), nil) }

func (r idealRuns) until(p, q *ctl.Formula) *ctl.Formula {
	return r.make(ctl.EU, r.and(p, r.ideal()), r.and(q, r.forever()))
}

// overRuns restricts a formula to ideal runs where its text asks for them.
func overRuns(f *ctl.Formula, text *hclspec.Formula) *ctl.Formula {
	if text.Ideal {
		return overIdeal(f)
	}
	return f
}

// meanIdeal resolves the atom ideal where overIdeal has put it.
func (d *Draft) meanIdeal(f *ctl.Formula) *ctl.Formula {
	for atom := range f.Atoms() {
		if atom.Name == idealName {
			atom.Means = d.meant[idealName]
		}
	}
	return f
}
