package layout

import (
	"cmp"
	"slices"
)

// maxBends limits the bends and labels of a drawing: an edge has a bend in each rank that it passes.
const maxBends = 60_000

// Extents of bends and of what labels add, in pixels.
const (
	bendHalf = 3
	tagGap   = 3
)

// bend inserts bends and labels into the ranks that edges pass, shortest edges first, up to most. The remaining edges are crowded. It makes
// the layers, and returns the number of bends.
func (s *canvas) bend(most int) int {
	order := make([]int, len(s.edges))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.span(a), s.span(b)) })
	left := most
	for _, i := range order {
		e := &s.edges[i]
		if e.loop {
			continue
		}
		if need := s.span(i) - 1; need > left {
			e.crowded = true
		} else {
			left -= need
		}
	}
	s.above, s.below = make([][]int, len(s.vertices)), make([][]int, len(s.vertices))
	for i := range s.edges {
		if e := &s.edges[i]; !e.loop && !e.crowded {
			s.chain(i)
		}
	}
	return most - left
}

// span returns how many ranks an edge goes down; 0 for a loop.
func (s *canvas) span(i int) int {
	e := s.edges[i]
	return s.vertices[e.to].rank - s.vertices[e.from].rank
}

// chain inserts an edge's bends, with its label in the middle.
func (s *canvas) chain(i int) {
	e := &s.edges[i]
	lane, last := s.bendLane(*e), e.from
	from, to := s.vertices[e.from].rank, s.vertices[e.to].rank
	for r := from + 1; r < to; r++ {
		v := vertex{kind: bend, rank: r, lane: lane, before: bendHalf, after: bendHalf, edge: i}
		if r == (from+to)/2 && e.label != (Size{}) {
			v.kind, v.long = tag, e.label.Width+2*tagGap
			e.tag = len(s.vertices)
			if s.down { // beside the line
				v.after = e.label.Height + 2*tagGap
			} else { // above it
				v.before = e.label.Height + tagGap
			}
		}
		n := len(s.vertices)
		s.vertices = append(s.vertices, v)
		s.above, s.below = append(s.above, nil), append(s.below, nil)
		e.bends = append(e.bends, n)
		s.connect(last, n)
		last = n
	}
	s.connect(last, e.to)
}

func (s *canvas) connect(v, w int) {
	s.below[v], s.above[w] = append(s.below[v], w), append(s.above[w], v)
}
