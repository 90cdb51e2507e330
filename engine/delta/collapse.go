package delta

// collapse merges the states of each cycle of silent arcs, which branching bisimilarity with explicit divergence does not distinguish. It
// returns a system whose silent arcs lead to lower numbers and whose arcs are sorted by label, the new number of each state, and the states
// that can be silent for ever.
func collapse(m *stepBudget, s *System) (c *System, at []uint32, endless []bool, err error) {
	if err := m.claim(20*s.Len() + 8*len(s.Label)); err != nil {
		return nil, nil, nil, err
	}
	at, members, err := circles(m, s)
	if err != nil {
		return nil, nil, nil, err
	}
	c = &System{First: make([]uint32, 1, members.Len()+1)}
	endless = make([]bool, members.Len())
	var keys []uint64
	for n := range uint32(members.Len()) {
		keys = keys[:0]
		for _, from := range members.Target[members.First[n]:members.First[n+1]] {
			for a := s.First[from]; a < s.First[from+1]; a++ {
				if s.Label[a] == Silent && at[s.Target[a]] == n {
					endless[n] = true
				} else {
					keys = append(keys, key(s.Label[a], at[s.Target[a]]))
				}
			}
		}
		c.append(sorted(keys))
	}
	return c, at, endless, nil
}

// append adds a state with the arcs of keys.
func (s *System) append(keys []uint64) {
	for _, k := range keys {
		s.Label, s.Target = append(s.Label, uint32(k>>32)), append(s.Target, uint32(k))
	}
	s.First = append(s.First, uint32(len(s.Label)))
}

// circles returns the strongly connected components of the silent arcs, successors first, and the states of each as targets (R. Tarjan
// 1972, Depth-first search and linear graph algorithms).
func circles(m *stepBudget, s *System) (at []uint32, members *System, err error) {
	n := s.Len()
	w := &walk{sys: s, at: make([]uint32, n), low: make([]uint32, n), members: &System{First: []uint32{0}}}
	for root := range uint32(n) {
		if w.low[root] == 0 {
			w.enter(root)
		}
		for len(w.path) > 0 {
			if err := m.tick(1); err != nil {
				return nil, nil, err
			}
			w.step()
		}
	}
	return w.at, w.members, nil
}

// A walk is Tarjan's depth-first search over silent arcs.
type walk struct {
	sys     *System
	at      []uint32 // by state: its component, once complete
	low     []uint32 // by state: one more than the earliest open state it is known to reach, in order of entering; 0: not entered
	entered uint32
	open    []uint32 // states whose component is not complete
	path    []visit
	members *System
}

// A visit is a state on the path, its next arc, and its number in order of entering.
type visit struct{ state, arc, turn uint32 }

const closed = ^uint32(0)

func (w *walk) enter(s uint32) {
	w.entered++
	w.low[s] = w.entered
	w.open = append(w.open, s)
	w.path = append(w.path, visit{s, w.sys.First[s], w.entered})
}

// step follows one arc of the last state of the path, or leaves it.
func (w *walk) step() {
	v := &w.path[len(w.path)-1]
	if v.arc == w.sys.First[v.state+1] {
		w.leave(*v)
		return
	}
	a := v.arc
	v.arc++
	if w.sys.Label[a] != Silent {
		return
	}
	if t := w.sys.Target[a]; w.low[t] == 0 {
		w.enter(t)
	} else {
		w.low[v.state] = min(w.low[v.state], w.low[t]) // a closed one is the greatest
	}
}

func (w *walk) leave(v visit) {
	w.path = w.path[:len(w.path)-1]
	if low := w.low[v.state]; low < v.turn {
		above := w.path[len(w.path)-1].state
		w.low[above] = min(w.low[above], low)
		return
	}
	i := len(w.open) - 1
	for w.open[i] != v.state {
		i--
	}
	for _, s := range w.open[i:] {
		w.low[s] = closed
		w.at[s] = uint32(w.members.Len())
	}
	w.members.Target = append(w.members.Target, w.open[i:]...)
	w.members.First = append(w.members.First, uint32(len(w.members.Target)))
	w.open = w.open[:i]
}
