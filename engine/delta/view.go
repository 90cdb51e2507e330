package delta

import "slices"

// A view is both systems as one observer sees them, reduced to one state for each class of states that the observer cannot distinguish.
// Silent arcs lead to states with lower numbers.
type view struct {
	sys        *System
	class      []uint32 // by state of the pair: its state in the view
	endless    []bool   // by state: endless silence is possible; nil: nothing is silent
	base, head uint32   // the initial states
}

// view reduces the pair for the observer of relabel. There is nothing to reduce if relabel keeps all labels apart.
func (p *Pair) view(m *stepBudget, relabel []uint32) (*view, error) {
	s := &System{First: p.sys.First, Label: observed(p.sys.Label, relabel), Target: p.sys.Target}
	if err := m.claim(4 * len(s.Label)); err != nil {
		return nil, err
	}
	apart, silent := kept(p.sys.Label, s.Label)
	if slices.Contains(s.Label, Dropped) {
		s, apart = without(s), false
		if err := m.claim(4*s.Len() + 8*len(s.Label)); err != nil {
			return nil, err
		}
	}
	v := &view{sys: s}
	var err error
	switch {
	case silent:
		err = v.branching(m)
	case !apart:
		err = v.strong(m)
	default:
		v.class = identity(s.Len())
	}
	if err == nil {
		v.base, v.head = v.class[p.base.start], v.class[p.head.start]
	}
	return v, err
}

func observed(labels, relabel []uint32) []uint32 {
	if relabel == nil {
		return labels
	}
	seen := make([]uint32, len(labels))
	for a, l := range labels {
		seen[a] = relabel[l]
	}
	return seen
}

// kept reports whether different labels have different observations, and whether some arc is silent.
func kept(labels, observed []uint32) (apart, silent bool) {
	was := map[uint32]uint32{}
	apart = true
	for a, o := range observed {
		silent = silent || o == Silent
		if l, ok := was[o]; !ok {
			was[o] = labels[a]
		} else if l != labels[a] {
			apart = false
		}
	}
	return apart, silent
}

// without returns the system without dropped arcs.
func without(s *System) *System {
	w := &System{First: make([]uint32, 1, len(s.First))}
	for state := range s.Len() {
		for a := s.First[state]; a < s.First[state+1]; a++ {
			if s.Label[a] != Dropped {
				w.Label, w.Target = append(w.Label, s.Label[a]), append(w.Target, s.Target[a])
			}
		}
		w.First = append(w.First, uint32(len(w.Target)))
	}
	return w
}

func identity(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}

func (v *view) strong(m *stepBudget) error {
	p, err := refine(m, v.sys, nil)
	if err != nil {
		return err
	}
	class, least := p.classes()
	v.sys, v.class = quotient(v.sys, class, least), class
	return nil
}

// branching reduces by branching bisimilarity with explicit divergence. The least state of a class has no silent step within it, so its
// arcs are those of its whole class.
func (v *view) branching(m *stepBudget) error {
	c, at, endless, err := collapse(m, v.sys)
	if err != nil {
		return err
	}
	p, err := refine(m, c, endless)
	if err != nil {
		return err
	}
	class, least := p.classes()
	v.sys = quotient(c, class, least)
	v.class = at
	for i, s := range at {
		v.class[i] = class[s]
	}
	v.endless = make([]bool, len(least))
	for i, s := range least {
		v.endless[i] = endless[s]
	}
	return nil
}
