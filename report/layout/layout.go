package layout

// A Size is a width and a height, in pixels.
type Size struct{ Width, Height int }

// A Point is a place in a drawing, in pixels from its left upper corner.
type Point struct{ X, Y int }

// A Rect is a rectangle, X and Y its left upper corner.
type Rect struct {
	Point
	Size
}

// A Graph is the input of Lay. Negative sizes count as zero, and those above maxExtent as maxExtent.
type Graph struct {
	Nodes  []Node
	Edges  []Edge
	Groups []Size // the size of each group's head
	Down   bool   // ranks from the top down, and not from left to right
}

// A Node is an outline and a label outside it: below, or beside it where ranks go down. Nodes with loops need at least 20 pixels.
type Node struct {
	Size
	Outline Outline
	Label   Size // zero: none, or inside
	Group   int  // from 1 on, an index into Groups plus 1; 0: none
	Early   int  // of the edges in a cycle, those that lead to a lower value are drawn backwards
}

// An Edge connects two nodes, given by index. Loops and several edges between the same nodes are allowed.
type Edge struct {
	From, To int
	Label    Size // zero: none
}

// An Outline determines where edges meet a node.
type Outline uint8

const (
	Rectangle Outline = iota
	Ellipse
)

// A Drawing is a graph with coordinates, by the indexes of the Graph.
type Drawing struct {
	Size
	Nodes  []spot
	Edges  []route
	Groups []Lane
}

// A spot is the position of a node: the centres of its outline and of its label.
type spot struct{ Centre, Label Point }

// A route is the curve of an edge: a start, then three points for each cubic Bézier segment. Its ends are on the outlines of its nodes, and
// its last segment arrives straight. Label is the centre of its label. If Crowded, there is no room for a label, and the edge may pass over
// nodes.
type route struct {
	Curve   []Point
	Label   Point
	Crowded bool
}

// A Lane is the rectangle of a group, and the centre of its head. A group without nodes has none.
type Lane struct {
	Rect
	Head Point
}

// maxExtent limits widths and heights, so that sums do not overflow.
const maxExtent = 1 << 20

// margin is the free space around a drawing, in pixels.
const margin = 12

// Lay computes the layout of a graph. It panics if an edge names a node that does not exist, because the code that made the graph is at
// fault. Cost: O(sweeps·(V+E)·log(V+E)), where V and E include bends, of which there are at most maxBends.
func Lay(g Graph) Drawing {
	d := Drawing{Nodes: make([]spot, len(g.Nodes)), Edges: make([]route, len(g.Edges)), Groups: make([]Lane, len(g.Groups))}
	parts := g.parts()
	sizes := make([]Size, len(parts))
	bends := maxBends
	for i, p := range parts {
		s := newCanvas(g, p)
		bends -= s.lay(bends)
		sizes[i] = s.write(&d)
	}
	corners, all := packed(sizes)
	for i, p := range parts {
		p.shift(&d, corners[i])
	}
	d.Size = Size{all.Width + 2*margin, all.Height + 2*margin}
	return d
}

// A part is a connected component: the numbers of its nodes and edges, ascending, and its groups.
type part struct {
	nodes, edges []int
	grouped      []int
}

// parts returns the connected components. All groups are in one of them, because lanes lie side by side.
func (g Graph) parts() []part {
	of := newUnion(len(g.Nodes))
	for _, e := range g.Edges {
		of.join(e.From, e.To)
	}
	first := -1
	for i, n := range g.Nodes {
		if n.Group > 0 && first < 0 {
			first = i
		}
		if n.Group > 0 {
			of.join(first, i)
		}
	}
	at := map[int]int{}
	var parts []part
	for i := range g.Nodes {
		root := of.find(i)
		n, met := at[root]
		if !met {
			n = len(parts)
			at[root], parts = n, append(parts, part{})
		}
		parts[n].nodes = append(parts[n].nodes, i)
	}
	for i, e := range g.Edges {
		p := &parts[at[of.find(e.From)]]
		p.edges = append(p.edges, i)
	}
	if first >= 0 {
		p := &parts[at[of.find(first)]]
		p.grouped = g.groupsUsed()
	}
	return parts
}

// groupsUsed returns the groups that have nodes, ascending.
func (g Graph) groupsUsed() []int {
	has := make([]bool, len(g.Groups))
	for _, n := range g.Nodes {
		if n.Group > 0 {
			has[n.Group-1] = true
		}
	}
	var list []int
	for i, h := range has {
		if h {
			list = append(list, i)
		}
	}
	return list
}

func (p part) shift(d *Drawing, by Point) {
	by = Point{by.X + margin, by.Y + margin}
	for _, n := range p.nodes {
		d.Nodes[n].Centre.add(by)
		d.Nodes[n].Label.add(by)
	}
	for _, e := range p.edges {
		r := &d.Edges[e]
		r.Label.add(by)
		for i := range r.Curve {
			r.Curve[i].add(by)
		}
	}
	for _, i := range p.grouped {
		d.Groups[i].Point.add(by)
		d.Groups[i].Head.add(by)
	}
}

func (p *Point) add(q Point) { p.X, p.Y = p.X+q.X, p.Y+q.Y }

// A union is a union-find structure on numbers.
type union []int

func newUnion(n int) union {
	u := make(union, n)
	for i := range u {
		u[i] = i
	}
	return u
}

func (u union) find(i int) int {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

// join keeps the smaller number as the root.
func (u union) join(i, j int) {
	if i, j = u.find(i), u.find(j); i < j {
		u[j] = i
	} else {
		u[i] = j
	}
}
