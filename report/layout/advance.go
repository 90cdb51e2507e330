package layout

// Distances along, in pixels.
const (
	rankGap  = 22 // between layers, where edges lead straight on
	steepGap = 48 // that is added at most where they are steep
	headRoom = 9  // on either side of a layer, for the heads of arrows
)

// advance gives each layer its coordinates along: farther from the next one where edges between them are steep.
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
			s.thick[r] += 2 * headRoom
		}
		s.starts[r] = at
		at += s.thick[r] + rankGap + min(steep/6, steepGap)
	}
}

// headLong is how much the heads of lanes take along.
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
