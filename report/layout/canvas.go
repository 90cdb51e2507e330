package layout

// A canvas is a part being laid out. Along is the direction of the ranks, across that of the layers, so that left to right and top down
// differ only at the end.
type canvas struct {
	g     Graph
	part  part
	local []int // by node of the graph: its vertex
	down  bool

	vertices []vertex
	edges    []link // by edge of the part
	layers   [][]int
	lanes    lanes
	above    [][]int // by vertex: its neighbours in the layer before
	below    [][]int // and after
	starts   []int   // by layer: along
	thick    []int   // by layer
	across   []int   // by vertex: its coordinate
}

// A vertex is a node, a bend, or the label of an edge.
type vertex struct {
	kind          kind
	rank, pos     int
	lane          int
	long          int // extent along
	before, after int // extents across, from where edges go
	loops         int // the part of before that its loops take
	edge          int // of the part, of a bend or a label
}

type kind uint8

const (
	node kind = iota
	bend
	tag    // of an edge
	border // of a lane
)

// A link is an edge of the part, directed along the ranks.
type link struct {
	from, to int // vertices
	turned   bool
	loop     bool
	crowded  bool
	label    Size // along, across
	bends    []int
	tag      int // vertex; -1 where it has none
}

func newCanvas(g Graph, p part) *canvas {
	s := &canvas{g: g, part: p, down: g.Down, local: make([]int, len(g.Nodes))}
	for i, n := range p.nodes {
		s.local[n] = i
		s.vertices = append(s.vertices, s.vertex(g.Nodes[n]))
	}
	for _, e := range p.edges {
		edge := g.Edges[e]
		s.edges = append(s.edges, link{from: s.local[edge.From], to: s.local[edge.To], loop: edge.From == edge.To,
			label: s.turn(bounded(edge.Label)), tag: -1})
	}
	s.reserveLoops()
	return s
}

// turn converts a size to along and across.
func (s *canvas) turn(z Size) Size {
	if s.down {
		return Size{z.Height, z.Width}
	}
	return z
}

// bounded returns the size within limits, and even, so that its half is whole.
func bounded(z Size) Size {
	even := func(n int) int { return (min(max(n, 0), maxExtent) + 1) &^ 1 }
	return Size{even(z.Width), even(z.Height)}
}

// labelGap is between an outline and what is written beside it, in pixels.
const labelGap = 4

func (s *canvas) vertex(n Node) vertex {
	z, l := s.turn(bounded(n.Size)), s.turn(bounded(n.Label))
	v := vertex{kind: node, long: max(z.Width, l.Width), before: (z.Height + 1) / 2, after: (z.Height + 1) / 2, edge: -1}
	if l != (Size{}) {
		v.after += labelGap + l.Height
	}
	return v
}

// lay computes all coordinates with at most so many bends, and returns how many it used.
func (s *canvas) lay(bends int) int {
	s.acyclic()
	s.rank()
	s.laneOrder()
	n := s.bend(bends)
	s.order()
	s.align()
	s.advance()
	return n
}
