package layout_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/redlinehq/redline/report/layout"
)

// apart holds boxes to cover none of each other, and to be inside of the drawing.
func apart(t *testing.T, all []box, whole layout.Size) {
	t.Helper()
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b box) int { return cmp.Compare(a.X, b.X) })
	var open []box // those that a box further to the right may still meet
	for _, b := range all {
		if b.X < 0 || b.Y < 0 || b.X+b.Width > whole.Width || b.Y+b.Height > whole.Height {
			t.Fatalf("%s %v is outside of %v", b.what, b.Rect, whole)
		}
		open = slices.DeleteFunc(open, func(o box) bool { return o.X+o.Width <= b.X })
		for _, o := range open {
			if overlap(o.Rect, b.Rect) {
				t.Fatalf("%s %v covers %s %v", b.what, b.Rect, o.what, o.Rect)
			}
		}
		open = append(open, b)
	}
}

// distance is how far a point is from the outline of a node, in pixels, roughly: exact where it is on it.
func distance(n layout.Node, centre, p layout.Point) float64 {
	x, y := math.Abs(float64(p.X-centre.X)), math.Abs(float64(p.Y-centre.Y))
	w, h := float64(n.Width)/2, float64(n.Height)/2
	if n.Outline == layout.Ellipse {
		return math.Abs(math.Hypot(x/w, y/h)-1) * min(w, h)
	}
	return math.Abs(max(x-w, y-h))
}

// TestEdgesEndOnOutlines: both ends of every edge are on the outlines of its nodes, be they rectangles or ellipses, and the last curve arrives
// straight: an arrowhead there points where the edge leads.
func TestEdgesEndOnOutlines(t *testing.T) {
	met := map[layout.Outline]int{}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 10))
		n := 1 + r.IntN(12)
		g := random(r, n, r.IntN(2*n+1))
		d := layout.Lay(g)
		for i, e := range g.Edges {
			curve := d.Edges[i].Curve
			for node, p := range map[int]layout.Point{e.From: curve[0], e.To: curve[len(curve)-1]} {
				met[g.Nodes[node].Outline]++
				if by := distance(g.Nodes[node], d.Nodes[node].Centre, p); by > 3 {
					t.Fatalf("seed %d: edge %d ends %.1f from the outline of node %d: %v, %+v at %v", seed, i, by, node, p, g.Nodes[node], d.Nodes[node].Centre)
				}
			}
			a, b := curve[len(curve)-2], curve[len(curve)-1]
			if along, across := b.X-a.X, b.Y-a.Y; e.From != e.To && (g.Down && along != 0 || !g.Down && across != 0) {
				t.Fatalf("seed %d: edge %d arrives aslant, from %v to %v", seed, i, a, b)
			}
		}
	}
	if len(met) < 2 {
		t.Errorf("only %v", met)
	}
}

// TestLanesHoldTheirNodes: lanes are beside each other, each as long as the drawing, with its head and all nodes of its group inside.
func TestLanesHoldTheirNodes(t *testing.T) {
	lanes := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 11))
		n := 1 + r.IntN(20)
		g := random(r, n, r.IntN(2*n+1))
		d := layout.Lay(g)
		var all []box
		for k, lane := range d.Groups {
			if lane == (layout.Lane{}) {
				continue // no node is in it
			}
			lanes++
			all = append(all, box{"a lane", lane.Rect})
			within(t, lane.Rect, around("the head", lane.Head, g.Groups[k]))
			for i, n := range g.Nodes {
				if n.Group == k+1 {
					within(t, lane.Rect, around("a node", d.Nodes[i].Centre, n.Size))
				}
			}
		}
		apart(t, all, d.Size)
	}
	if lanes < 100 {
		t.Errorf("only %d lanes", lanes)
	}
}

func within(t *testing.T, r layout.Rect, b box) {
	t.Helper()
	if b.X < r.X || b.Y < r.Y || b.X+b.Width > r.X+r.Width || b.Y+b.Height > r.Y+r.Height {
		t.Fatalf("%s %v is not inside of %v", b.what, b.Rect, r)
	}
}

// TestEdgesLeadOn: where nothing leads back, every edge leads to a later rank: to the right, or down.
func TestEdgesLeadOn(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 12))
		n := 2 + r.IntN(20)
		g := random(r, n, 0)
		for range r.IntN(2 * n) {
			a, b := r.IntN(n), r.IntN(n)
			if a != b {
				g.Edges = append(g.Edges, layout.Edge{From: min(a, b), To: max(a, b)})
			}
		}
		d := layout.Lay(g)
		for i, e := range g.Edges {
			from, to := d.Nodes[e.From].Centre, d.Nodes[e.To].Centre
			if g.Down && from.Y >= to.Y || !g.Down && from.X >= to.X {
				t.Fatalf("seed %d: edge %d leads from %v to %v", seed, i, from, to)
			}
		}
	}
}

// TestTurned: a graph whose ranks go down is laid out as it is from left to right, with widths and heights changed for each other. Labels
// are beside a node there, so there are none.
func TestTurned(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 13))
		n := 1 + r.IntN(12)
		g := random(r, n, 0)
		g.Down, g.Groups = false, nil
		for i := range g.Nodes {
			g.Nodes[i].Outline, g.Nodes[i].Group, g.Nodes[i].Label = layout.Rectangle, 0, layout.Size{}
		}
		for range r.IntN(2 * n) {
			if a, b := r.IntN(n), r.IntN(n); a != b {
				g.Edges = append(g.Edges, layout.Edge{From: a, To: b})
			}
		}
		down := g
		down.Down, down.Nodes = true, slices.Clone(g.Nodes)
		for i := range down.Nodes {
			z := &down.Nodes[i].Size
			z.Width, z.Height = z.Height, z.Width
		}
		if parts := layout.Lay(g); !sameTurned(parts, layout.Lay(down), g) {
			t.Fatalf("seed %d: %+v", seed, g)
		}
	}
}

// sameTurned compares where the nodes of one part are, seen from the first of them: parts are packed otherwise.
func sameTurned(a, b layout.Drawing, g layout.Graph) bool {
	reached := map[int]bool{0: true}
	for range g.Nodes {
		for _, e := range g.Edges {
			if reached[e.From] || reached[e.To] {
				reached[e.From], reached[e.To] = true, true
			}
		}
	}
	for i := range g.Nodes {
		p, q := a.Nodes[i].Centre, b.Nodes[i].Centre
		o, u := a.Nodes[0].Centre, b.Nodes[0].Centre
		if reached[i] && (p.X-o.X != q.Y-u.Y || p.Y-o.Y != q.X-u.X) {
			return false
		}
	}
	return true
}

// TestLayLeavesTheGraph: a graph that is laid out is as it was.
func TestLayLeavesTheGraph(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 14))
	g := random(r, 20, 40)
	was := layout.Graph{Nodes: slices.Clone(g.Nodes), Edges: slices.Clone(g.Edges), Groups: slices.Clone(g.Groups), Down: g.Down}
	if layout.Lay(g); !reflect.DeepEqual(g, was) {
		t.Error("the graph is another one")
	}
}
