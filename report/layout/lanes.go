package layout

import "slices"

// Lanes are bands across: one for each group, and one before, between and after these for nodes without a group. Lane 2i+1 belongs to
// order[i]; even lanes are in between.
type lanes struct {
	order []int // groups, as they lie beside each other
	of    []int // by group: its lane
}

func (l lanes) count() int { return 2*len(l.order) + 1 }

// laneOrder orders the groups so that connected ones are close, and assigns each vertex a lane.
func (s *canvas) laneOrder() {
	s.lanes.of = make([]int, len(s.g.Groups))
	near := s.neighbours()
	s.lanes.order = s.beside(near)
	for i, g := range s.lanes.order {
		s.lanes.of[g] = 2*i + 1
	}
	for v, n := range s.part.nodes {
		if g := s.g.Nodes[n].Group; g > 0 {
			s.vertices[v].lane = s.lanes.of[g-1]
		}
	}
	if len(s.lanes.order) > 0 {
		s.between(near)
	}
}

// neighbours returns the neighbours of each vertex by edges in either direction.
func (s *canvas) neighbours() [][]int {
	near := make([][]int, len(s.vertices))
	for _, e := range s.edges {
		if !e.loop {
			near[e.from], near[e.to] = append(near[e.from], e.to), append(near[e.to], e.from)
		}
	}
	return near
}

func (s *canvas) group(v int) int { return s.g.Nodes[s.part.nodes[v]].Group - 1 }

// beside orders the groups: it exchanges two as long as that shortens the bonds, a bounded number of times.
func (s *canvas) beside(near [][]int) []int {
	order := slices.Clone(s.part.grouped)
	n := len(order)
	if n < 3 {
		return order
	}
	weight := s.bonds(near)
	at := make([]int, len(s.g.Groups))
	length := func() int {
		for i, g := range order {
			at[g] = i
		}
		sum := 0
		for _, b := range weight {
			sum += b.weight * max(at[b.a]-at[b.b], at[b.b]-at[b.a])
		}
		return sum
	}
	best := length()
	for budget, better := 20_000_000/(len(weight)+n+1), true; better; {
		better = false
		for i := range order {
			for j := range i {
				if budget--; budget < 0 {
					return order
				}
				order[i], order[j] = order[j], order[i]
				if now := length(); now < best {
					best, better = now, true
				} else {
					order[i], order[j] = order[j], order[i]
				}
			}
		}
	}
	return order
}

// A bond is the strength of the connection of two groups.
type bond struct{ a, b, weight int }

// bonds returns the bonds of groups: their edges, and nodes without a group that touch both. A node that touches many groups counts for the
// first and last few only.
func (s *canvas) bonds(near [][]int) []bond {
	at := map[[2]int]int{}
	var all []bond
	add := func(a, b int) {
		a, b = min(a, b), max(a, b)
		i, met := at[[2]int{a, b}]
		if !met {
			i = len(all)
			at[[2]int{a, b}], all = i, append(all, bond{a, b, 0})
		}
		all[i].weight++
	}
	for v := range near {
		touched := s.touched(v, near[v])
		touched = touched[:min(len(touched), 8)]
		for i, a := range touched {
			for _, b := range touched[:i] {
				add(a, b)
			}
		}
	}
	return all
}

// touched returns the groups at a vertex and its neighbours, ascending.
func (s *canvas) touched(v int, near []int) []int {
	var list []int
	for _, w := range append([]int{v}, near...) {
		if g := s.group(w); g >= 0 {
			list = append(list, g)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// between puts each node without a group in the middle lane of those it touches.
func (s *canvas) between(near [][]int) {
	var rest []int
	for v := range near {
		var at []int
		for _, g := range s.touched(v, near[v]) {
			at = append(at, s.lanes.of[g])
		}
		slices.Sort(at)
		switch {
		case s.group(v) >= 0:
		case len(at) == 0:
			rest = append(rest, v)
		default:
			s.vertices[v].lane = at[(len(at)-1)/2] + 1
		}
	}
	for _, v := range rest {
		var at []int
		for _, w := range near[v] {
			at = append(at, s.vertices[w].lane)
		}
		slices.Sort(at)
		if len(at) > 0 {
			s.vertices[v].lane = at[(len(at)-1)/2] &^ 1
		}
	}
}

// bendLane returns the lane of an edge's bends.
func (s *canvas) bendLane(e link) int {
	a, b := s.vertices[e.from].lane, s.vertices[e.to].lane
	switch {
	case a == b || a%2 == 0:
		return a
	case b%2 == 0:
		return b
	case a < b:
		return a + 1
	}
	return a - 1
}
