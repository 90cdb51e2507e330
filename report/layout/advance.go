package layout

// Distances along, in pixels.
const (
	rankGap   = 22 // between layers joined by straight edges
	steepGap  = 48 // added at most for steep edges
	headSpace = 9  // on either side of a layer, for the heads of arrows
)

// advance computes the coordinate of each layer along the ranks. Layers joined by steep edges are farther apart.
func (s *canvas) advance() {
	at := s.headLong()
	s.starts, s.thick = make([]int, len(s.layers)), make([]int, len(s.layers))
	for r, l := range s.layers {
		steep, nodes := 0, false
		for _, v := range l {
			s.thick[r] = max(s.thick[r], s.vertices[v].long)
			nodes = nodes || s.vertices[v].kind == node
			for _, w := range s.below[v] {
				steep = max(steep, s.across[v]-s.across[w], s.across[w]-s.across[v])
			}
		}
		if nodes {
			s.thick[r] += 2 * headSpace
		}
		s.starts[r] = at
		at += s.thick[r] + rankGap + min(steep/6, steepGap)
	}
}

// headLong returns the extent of the lanes' heads along the ranks.
func (s *canvas) headLong() int {
	long := 0
	for _, g := range s.lanes.order {
		long = max(long, s.turn(bounded(s.g.Groups[g])).Width+lanePad)
	}
	return long
}

func (s *canvas) end() int {
	last := len(s.layers) - 1
	return s.starts[last] + s.thick[last]
}
