package layout

import (
	"cmp"
	"slices"
)

// cycleWork limits the search for the fewest edges to reverse.
const cycleWork = 20_000_000

// acyclic reverses edges until there is no cycle: as few as possible of those that do not lead to later nodes, preferring those that lead
// back farthest. If that takes too much work, it reverses those that close a cycle in a depth-first search.
func (s *canvas) acyclic() {
	var doubtful []int
	out := make([][]int, len(s.vertices))
	for i, e := range s.edges {
		switch {
		case e.loop:
		case s.early(e.from) < s.early(e.to):
			out[e.from] = append(out[e.from], i)
		default:
			doubtful = append(doubtful, i)
		}
	}
	if len(doubtful)*(len(s.vertices)+len(s.edges)) > cycleWork {
		s.depthFirst()
	} else {
		back := func(i int) int { return s.early(s.edges[i].from) - s.early(s.edges[i].to) }
		slices.SortStableFunc(doubtful, func(i, j int) int { return cmp.Compare(back(i), back(j)) })
		for _, i := range doubtful {
			e := &s.edges[i]
			if e.turned = s.leads(e.to, e.from, out); !e.turned {
				out[e.from] = append(out[e.from], i)
			}
		}
	}
	for i := range s.edges {
		if e := &s.edges[i]; e.turned {
			e.from, e.to = e.to, e.from
		}
	}
}

func (s *canvas) early(v int) int { return s.g.Nodes[s.part.nodes[v]].Early }

// leads reports whether there is a path between two vertices.
func (s *canvas) leads(from, to int, out [][]int) bool {
	seen := make([]bool, len(s.vertices))
	seen[from] = true
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			return true
		}
		for _, i := range out[queue[0]] {
			if next := s.edges[i].to; !seen[next] {
				seen[next], queue = true, append(queue, next)
			}
		}
	}
	return false
}

// depthFirst reverses the edges that close a cycle in a search from the earliest nodes.
func (s *canvas) depthFirst() {
	d := &search{canvas: s, out: make([][]int, len(s.vertices)), next: make([]int, len(s.vertices)), state: make([]progress, len(s.vertices))}
	for i, e := range s.edges {
		if !e.loop {
			d.out[e.from] = append(d.out[e.from], i)
		}
	}
	starts := make([]int, len(s.vertices))
	for v := range starts {
		starts[v] = v
	}
	slices.SortStableFunc(starts, func(v, w int) int { return cmp.Compare(s.early(v), s.early(w)) })
	for _, v := range starts {
		d.from(v)
	}
}

// A search is a depth-first search without recursion.
type search struct {
	*canvas
	out   [][]int // edges, by vertex
	next  []int   // of out, by vertex
	state []progress
}

type progress uint8

const (
	unseen progress = iota
	onTheWay
	done
)

func (d *search) from(start int) {
	if d.state[start] != unseen {
		return
	}
	d.state[start] = onTheWay
	for way := []int{start}; len(way) > 0; {
		v := way[len(way)-1]
		if d.next[v] == len(d.out[v]) {
			d.state[v], way = done, way[:len(way)-1]
			continue
		}
		e := &d.edges[d.out[v][d.next[v]]]
		d.next[v]++
		switch d.state[e.to] {
		case unseen:
			d.state[e.to], way = onTheWay, append(way, e.to)
		case onTheWay:
			e.turned = true
		}
	}
}
