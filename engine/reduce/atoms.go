package reduce

import "github.com/redlinehq/redline/engine/ctl"

// A meaning expresses a place of the original net by the net as it is now: by its own place, by another, or by a constant.
type meaning struct {
	place    int  // marked where this place is; where it is not, if negated
	negated  bool //
	constant bool // always marked; never, if negated
}

// meaningOf returns the meaning of a place. It follows meanings that refer to removed places.
func (r *reduction) meaningOf(p int) meaning {
	m := r.meanings[p]
	if m.constant || m.place == p {
		return m
	}
	deeper := r.meaningOf(m.place)
	deeper.negated = deeper.negated != m.negated
	r.meanings[p] = deeper
	return deeper
}

// rewrite replaces the places of a formula by their meanings, and simplifies it. The result may share parts with f.
func (r *reduction) rewrite(f *ctl.Formula) *ctl.Formula { return Simplify(r.replace(f)) }

func (r *reduction) replace(f *ctl.Formula) *ctl.Formula {
	switch {
	case f == nil || f.Op == ctl.True || f.Op == ctl.False:
		return f
	case f.Op == ctl.Atom && f.Sum != nil:
		return r.sum(f)
	case f.Op == ctl.Atom:
		return r.atom(f)
	}
	g := *f
	g.Left, g.Right = r.replace(f.Left), r.replace(f.Right)
	return &g
}

func (r *reduction) atom(f *ctl.Formula) *ctl.Formula {
	m := r.meaningOf(f.Place)
	if m.constant {
		if m.negated {
			return no
		}
		return yes
	}
	g := &ctl.Formula{Op: ctl.Atom, Name: r.net.of.Places[m.place].String(), Place: m.place}
	if m.negated {
		return negated(g)
	}
	return g
}

// sum returns a sum over the meanings of its places. The weight of a negated place counts where the other is not marked.
func (r *reduction) sum(f *ctl.Formula) *ctl.Formula {
	most := f.Sum.Most
	var list []ctl.Weight
	for _, w := range f.Sum.Weights {
		m := r.meaningOf(w.Place)
		by := w.By
		if m.constant != m.negated { // always marked, or marked unless the other is
			most -= by
			by = -by
		}
		if !m.constant {
			list = append(list, ctl.Weight{Place: m.place, By: by})
		}
	}
	return ctl.AtMost(list, most)
}

// look marks the places that occur in a formula.
func (x *net) look(f *ctl.Formula) {
	clear(x.seen)
	for a := range f.Atoms() {
		if a.Sum == nil {
			x.seen[a.Place] = true
			continue
		}
		for _, w := range a.Sum.Weights {
			x.seen[w.Place] = true
		}
	}
}

// numbered returns a formula with the place numbers of the reduced net in its atoms.
func numbered(f *ctl.Formula, number []int) *ctl.Formula {
	if f == nil {
		return nil
	}
	g := *f
	g.Left, g.Right = numbered(f.Left, number), numbered(f.Right, number)
	switch {
	case f.Op == ctl.Atom && f.Sum != nil:
		list := make([]ctl.Weight, len(f.Sum.Weights))
		for i, w := range f.Sum.Weights {
			list[i] = ctl.Weight{Place: number[w.Place], By: w.By}
		}
		return ctl.AtMost(list, f.Sum.Most)
	case f.Op == ctl.Atom:
		g.Place = number[f.Place]
	}
	return &g
}
