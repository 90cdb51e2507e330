package layout_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/redlinehq/redline/report/layout"
)

// random draws a graph: sizes, loops, parallel edges, cycles, labels, groups, and nodes that hang together with nothing.
func random(r *rand.Rand, nodes, edges int) layout.Graph {
	g := layout.Graph{Down: r.IntN(2) == 0}
	for range r.IntN(5) * r.IntN(2) {
		g.Groups = append(g.Groups, size(r, 90, 40))
	}
	for range nodes {
		n := layout.Node{Size: layout.Size{Width: 20 + r.IntN(140), Height: 20 + r.IntN(60)}, Outline: layout.Outline(r.IntN(2)), Group: r.IntN(len(g.Groups) + 1), Early: r.IntN(5)}
		if r.IntN(2) == 0 {
			n.Label = size(r, 120, 40)
		}
		g.Nodes = append(g.Nodes, n)
	}
	for range edges {
		e := layout.Edge{From: r.IntN(nodes), To: r.IntN(nodes)}
		if r.IntN(2) == 0 {
			e.Label = size(r, 140, 50)
		}
		g.Edges = append(g.Edges, e)
	}
	return g
}

func size(r *rand.Rand, width, height int) layout.Size {
	return layout.Size{Width: 1 + r.IntN(width), Height: 1 + r.IntN(height)}
}

// A box is what takes room in a drawing.
type box struct {
	what string
	layout.Rect
}

func around(what string, c layout.Point, z layout.Size) box {
	return box{what, layout.Rect{Point: layout.Point{X: c.X - z.Width/2, Y: c.Y - z.Height/2}, Size: z}}
}

func boxes(g layout.Graph, d layout.Drawing) []box {
	var all []box
	for i, n := range g.Nodes {
		all = append(all, around(fmt.Sprint("node ", i), d.Nodes[i].Centre, n.Size))
		if n.Label != (layout.Size{}) {
			all = append(all, around(fmt.Sprint("what is beside node ", i), d.Nodes[i].Label, n.Label))
		}
	}
	for i, e := range g.Edges {
		if e.Label != (layout.Size{}) && !d.Edges[i].Crowded {
			all = append(all, around(fmt.Sprint("the label of edge ", i), d.Edges[i].Label, e.Label))
		}
	}
	return all
}

func overlap(a, b layout.Rect) bool {
	return a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height
}

// judge holds a drawing to what is promised of it.
func judge(t *testing.T, g layout.Graph, d layout.Drawing) {
	t.Helper()
	all := boxes(g, d)
	for i, a := range all {
		for _, b := range all[:i] {
			if overlap(a.Rect, b.Rect) {
				t.Fatalf("%s %v covers %s %v", a.what, a.Rect, b.what, b.Rect)
			}
		}
		if a.X < 0 || a.Y < 0 || a.X+a.Width > d.Width || a.Y+a.Height > d.Height {
			t.Fatalf("%s %v is outside of %v", a.what, a.Rect, d.Size)
		}
		for k, lane := range d.Groups {
			if inside := overlap(a.Rect, lane.Rect); inside != belongs(g, i, k, all) {
				if !inside || a.what[0] == 'n' {
					t.Fatalf("%s %v and lane %d %v: inside is %t", a.what, a.Rect, k, lane.Rect, inside)
				}
			}
		}
	}
	for i, e := range d.Edges {
		if len(e.Curve) < 4 || len(e.Curve)%3 != 1 {
			t.Fatalf("edge %d has %d points", i, len(e.Curve))
		}
		near(t, g, d, i, g.Edges[i].From, e.Curve[0])
		near(t, g, d, i, g.Edges[i].To, e.Curve[len(e.Curve)-1])
		if !e.Crowded {
			passes(t, g, d, i)
		}
	}
}

// belongs says whether a box is one of a node of a group.
func belongs(g layout.Graph, box, group int, all []box) bool {
	var node int
	if _, err := fmt.Sscanf(all[box].what, "node %d", &node); err != nil {
		return false
	}
	return g.Nodes[node].Group == group+1
}

// near holds the end of an edge to its node.
func near(t *testing.T, g layout.Graph, d layout.Drawing, edge, node int, p layout.Point) {
	t.Helper()
	r := around("", d.Nodes[node].Centre, g.Nodes[node].Size).Rect
	if p.X < r.X-2 || p.X > r.X+r.Width+2 || p.Y < r.Y-2 || p.Y > r.Y+r.Height+2 {
		t.Fatalf("edge %d ends at %v, which is not at node %d, %v", edge, p, node, r)
	}
}

// passes looks whether an edge passes over a node, or over another's label.
func passes(t *testing.T, g layout.Graph, d layout.Drawing, edge int) {
	t.Helper()
	e := g.Edges[edge]
	for _, p := range points(d.Edges[edge].Curve) {
		for i, n := range g.Nodes {
			r := around("", d.Nodes[i].Centre, n.Size).Rect
			if i != e.From && i != e.To && inside(p, r) {
				t.Fatalf("edge %d from %d to %d passes %v, over node %d %v", edge, e.From, e.To, p, i, r)
			}
		}
		for i, o := range g.Edges {
			r := around("", d.Edges[i].Label, o.Label).Rect
			if o.Label != (layout.Size{}) && !d.Edges[i].Crowded && inside(p, r) {
				t.Fatalf("edge %d passes %v, over the label of edge %d %v", edge, p, i, r)
			}
		}
	}
}

func inside(p layout.Point, r layout.Rect) bool {
	return p.X > r.X+1 && p.X < r.X+r.Width-1 && p.Y > r.Y+1 && p.Y < r.Y+r.Height-1
}

// points are some on a curve.
func points(curve []layout.Point) []layout.Point {
	var all []layout.Point
	for i := 0; i+3 < len(curve); i += 3 {
		a, b, c, d := curve[i], curve[i+1], curve[i+2], curve[i+3]
		for k := range 17 {
			at := func(a, b, c, d int) int {
				u := 16 - k
				return (a*u*u*u + 3*b*u*u*k + 3*c*u*k*k + d*k*k*k) / 4096
			}
			all = append(all, layout.Point{X: at(a.X, b.X, c.X, d.X), Y: at(a.Y, b.Y, c.Y, d.Y)})
		}
	}
	return all
}

func TestRandomGraphs(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 8))
		n := 1 + r.IntN(24)
		g := random(r, n, r.IntN(2*n+1))
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			d := layout.Lay(g)
			judge(t, g, d)
			if !reflect.DeepEqual(d, layout.Lay(g)) {
				t.Error("the same graph is laid out in two ways")
			}
		})
	}
}

func FuzzLay(f *testing.F) {
	f.Add(uint64(1), uint8(7), uint8(9))
	f.Fuzz(func(t *testing.T, seed uint64, nodes, edges uint8) {
		r := rand.New(rand.NewPCG(seed, 9))
		g := random(r, int(nodes%40)+1, int(edges))
		judge(t, g, layout.Lay(g))
	})
}

func TestNothingAndOne(t *testing.T) {
	if d := layout.Lay(layout.Graph{}); d.Width <= 0 || d.Height <= 0 {
		t.Errorf("nothing is %v", d.Size)
	}
	g := layout.Graph{Nodes: []layout.Node{{Size: layout.Size{Width: -5, Height: 1 << 62}}}, Groups: []layout.Size{{Width: 3, Height: 3}}, Edges: []layout.Edge{{}, {}}}
	if d := layout.Lay(g); len(d.Edges[0].Curve) == 0 || d.Groups[0] != (layout.Lane{}) {
		t.Errorf("one node with loops, of no group: %+v", d)
	}
}

// TestLargeGraphs: a state model and a net as large as a page shows. Nothing covers anything, and every edge is at its nodes.
func TestLargeGraphs(t *testing.T) {
	for _, size := range []struct{ nodes, edges int }{{600, 1500}, {5000, 12000}} {
		r := rand.New(rand.NewPCG(3, uint64(size.nodes)))
		g := layout.Graph{Edges: make([]layout.Edge, size.edges)}
		for range size.nodes {
			g.Nodes = append(g.Nodes, layout.Node{Size: layout.Size{Width: 120, Height: 40}})
		}
		for i := range g.Edges {
			from := r.IntN(size.nodes)
			g.Edges[i] = layout.Edge{From: from, To: min(max(from+r.IntN(60)-10, 0), size.nodes-1), Label: layout.Size{Width: 80, Height: 15}}
		}
		d := layout.Lay(g)
		apart(t, boxes(g, d), d.Size)
		for i, e := range g.Edges {
			curve := d.Edges[i].Curve
			near(t, g, d, i, e.From, curve[0])
			near(t, g, d, i, e.To, curve[len(curve)-1])
		}
	}
}

// TestLargeNet: 300 places and 300 transitions of six parties.
func TestLargeNet(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	g := layout.Graph{Groups: make([]layout.Size, 6)}
	for i := range 600 {
		g.Nodes = append(g.Nodes, layout.Node{Size: layout.Size{Width: 100, Height: 40}, Group: (1 + i%6) * (1 - i%2), Early: i / 6})
	}
	for i := range 300 {
		for range 2 {
			g.Edges = append(g.Edges, layout.Edge{From: min(2*i+2*r.IntN(9), 598), To: 2*i + 1}, layout.Edge{From: 2*i + 1, To: max(2*i-2*r.IntN(9)+8, 0) % 600})
		}
	}
	d := layout.Lay(g)
	apart(t, boxes(g, d), d.Size)
}

// TestLongWaysBack: more bends than there may be. Nodes and labels are still apart, and edges that are led across say so.
func TestLongWaysBack(t *testing.T) {
	g := layout.Graph{Down: true}
	for i := range 600 {
		g.Nodes = append(g.Nodes, layout.Node{Size: layout.Size{Width: 100, Height: 40}, Early: i})
		g.Edges = append(g.Edges, layout.Edge{From: i, To: min(i+1, 599)}, layout.Edge{From: i, Label: layout.Size{Width: 50, Height: 15}})
	}
	crowded := 0
	for i, e := range layout.Lay(g).Edges {
		if e.Crowded {
			crowded++
			if i%2 == 0 {
				t.Fatalf("edge %d of one rank is led across others", i)
			}
		}
	}
	if crowded == 0 || crowded > 590 {
		t.Errorf("%d edges are led across", crowded)
	}
}
