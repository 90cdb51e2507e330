package layout

import "slices"

// rankSweeps limits how often edges are shortened.
const rankSweeps = 16

// rank gives each vertex the least rank that its edges allow, then moves vertices to shorten their edges.
func (s *canvas) rank() {
	in, out := s.incident()
	order := s.topological(in, out)
	for _, v := range order {
		for _, i := range in[v] {
			e := s.edges[i]
			s.vertices[v].rank = max(s.vertices[v].rank, s.vertices[e.from].rank+e.least())
		}
	}
	for range rankSweeps {
		moved := false
		for _, v := range slices.Backward(order) {
			moved = s.shorten(v, in[v], out[v]) || moved
		}
		if !moved {
			break
		}
	}
	s.fromZero()
}

// least returns the least number of ranks an edge spans: 2 with a label, which needs a rank of its own.
func (e link) least() int {
	if e.label != (Size{}) {
		return 2
	}
	return 1
}

// incident returns the edges to and from each vertex.
func (s *canvas) incident() (in, out [][]int) {
	in, out = make([][]int, len(s.vertices)), make([][]int, len(s.vertices))
	for i, e := range s.edges {
		if !e.loop {
			in[e.to], out[e.from] = append(in[e.to], i), append(out[e.from], i)
		}
	}
	return in, out
}

func (s *canvas) topological(in, out [][]int) []int {
	var order []int
	left := make([]int, len(s.vertices))
	for v := range left {
		if left[v] = len(in[v]); left[v] == 0 {
			order = append(order, v)
		}
	}
	for at := 0; at < len(order); at++ {
		for _, i := range out[order[at]] {
			to := s.edges[i].to
			if left[to]--; left[to] == 0 {
				order = append(order, to)
			}
		}
	}
	return order
}

// shorten moves a vertex towards the side with more edges, as far as these allow.
func (s *canvas) shorten(v int, in, out []int) bool {
	if len(in) >= len(out) {
		return false // it is already as close as possible to its predecessors
	}
	to := 1 << 30
	for _, i := range out {
		e := s.edges[i]
		to = min(to, s.vertices[e.to].rank-e.least())
	}
	moved := to != s.vertices[v].rank
	s.vertices[v].rank = to
	return moved
}

func (s *canvas) fromZero() {
	least := 1 << 30
	for _, v := range s.vertices {
		least = min(least, v.rank)
	}
	for v := range s.vertices {
		s.vertices[v].rank -= least
	}
}
