package layout

// acyclic turns the edges that close a cycle of a depth-first search, which begins at the first node, then where no edge
// leads to. What the caller lists first is thus drawn first.
func (s *sheet) acyclic() {
	d := &search{sheet: s, out: make([][]int, len(s.vertices)), next: make([]int, len(s.vertices)), state: make([]progress, len(s.vertices))}
	in := make([]int, len(s.vertices))
	for i, e := range s.edges {
		if !e.loop {
			d.out[e.from] = append(d.out[e.from], i)
			in[e.to]++
		}
	}
	for v := range s.vertices {
		if v == 0 || in[v] == 0 {
			d.from(v)
		}
	}
	for v := range s.vertices {
		d.from(v)
	}
	for i := range s.edges {
		if e := &s.edges[i]; e.turned {
			e.from, e.to = e.to, e.from
		}
	}
}

// A search is depth-first, without recursion.
type search struct {
	*sheet
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
