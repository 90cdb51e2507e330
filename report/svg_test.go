package report

import (
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/report/draw"
)

// An element of a picture, with what is in it.
type element struct {
	name  string
	attrs map[string]string
	text  string // without that of elements in it but tspan
	below []*element
}

// parsed reads a picture as XML, strictly.
func parsed(t *testing.T, svg string) *element {
	t.Helper()
	root := &element{}
	way := []*element{root}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return root.below[0]
		}
		if err != nil {
			t.Fatalf("%v\n%.2000s", err, svg)
		}
		here := way[len(way)-1]
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			here.below, way = append(here.below, e), append(way, e)
		case xml.EndElement:
			if way = way[:len(way)-1]; here.name == "tspan" {
				way[len(way)-1].text += " " + here.text
			}
		case xml.CharData:
			here.text += string(token)
		}
	}
}

func (e *element) all(yield func(*element) bool) bool {
	return yield(e) && !slices.ContainsFunc(e.below, func(b *element) bool { return !b.all(yield) })
}

func (e *element) has(class string) bool {
	return slices.Contains(strings.Fields(e.attrs["class"]), class)
}

// allowed are the elements a picture has: none that runs, loads or leads anywhere.
var allowed = []string{"svg", "title", "style", "g", "rect", "circle", "path", "text", "tspan"}

var allowedAttributes = []string{"xmlns", "class", "role", "aria-labelledby", "viewBox", "width", "height", "id", "x", "y", "cx", "cy", "r", "rx", "d",
	"transform", "data-node", "data-edge", "data-from", "data-to", "data-lane"}

// faithful holds a picture to its graph: every node and edge once, its words in it, and nothing that could do anything.
func faithful(t *testing.T, g draw.Graph) {
	t.Helper()
	svg, labels := draw.SVG(g), draw.NewScene(g, "g").Labels
	if draw.SVG(g) != svg {
		t.Error("the same graph is drawn in two ways")
	}
	nodes, edges, ids := map[string]string{}, 0, map[string]bool{}
	parsed(t, svg).all(func(e *element) bool {
		if !slices.Contains(allowed, e.name) {
			t.Errorf("the picture has an element %s", e.name)
		}
		for a, v := range e.attrs {
			if !slices.Contains(allowedAttributes, a) {
				t.Errorf("an element has an attribute %s=%q", a, v)
			}
			if a == "id" && (ids[v] || strings.ContainsFunc(v, func(r rune) bool { return r > 'z' || r <= ' ' })) {
				t.Errorf("the identifier %q is not one, or not the only one", v)
			}
		}
		ids[e.attrs["id"]] = true
		switch {
		case e.name == "g" && e.has("node"):
			nodes[e.attrs["data-node"]] = wordsIn(e, "name")
		case e.name == "g" && e.has("edge"):
			if e.attrs["data-from"] != g.Edges[edges].From || e.attrs["data-to"] != g.Edges[edges].To {
				t.Errorf("edge %d leads elsewhere", edges)
			}
			if want := unspaced(strings.Join(labels[edges], "")); wordsIn(e, "label") != want {
				t.Errorf("edge %d says %q, not %q", edges, wordsIn(e, "label"), want)
			}
			edges++
		}
		return true
	})
	if edges != len(g.Edges) || len(nodes) != len(g.Nodes) {
		t.Errorf("%d nodes and %d edges are drawn, of %d and %d", len(nodes), edges, len(g.Nodes), len(g.Edges))
	}
	for _, n := range g.Nodes {
		if want := unspaced(strings.Join(n.Fitted(), "")); nodes[n.ID] != want {
			t.Errorf("node %q says %q, not %q", n.ID, nodes[n.ID], want)
		}
	}
}

// wordsIn are the text of the class right in an element, without blanks.
func wordsIn(e *element, class string) string {
	text := ""
	for _, b := range e.below {
		if b.name == "text" && b.has(class) {
			text += b.text
		}
	}
	return unspaced(text)
}

// TestPicturesAreFaithful: every view of every example.
func TestPicturesAreFaithful(t *testing.T) {
	for _, d := range drafts(t, examples.FS) {
		for _, p := range d.Spec.Parties {
			faithful(t, draw.Party(d, p))
			faithful(t, draw.Net(d, p))
		}
		faithful(t, draw.Composed(d))
		model, err := verify.Explore(t.Context(), d, finding.Budget{States: 300})
		if err != nil {
			continue // too many states
		}
		faithful(t, draw.States(d, model))
		g, of, err := draw.Collapsed(t.Context(), d, model, "", nil)
		if err != nil {
			t.Errorf("%s: %v", d.Path, err)
			continue
		}
		faithful(t, g)
		if len(of) != model.Len() || !strings.Contains(draw.SVG(g), "drawn as one") {
			t.Errorf("%s: the collapsed picture does not say what it is", d.Path)
		}
	}
}

// TestHostilePicturesAreFaithful: what strangers write stays text.
func TestHostilePicturesAreFaithful(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	all := []string{"<script>alert(1)</script>", `" onload="alert(1)`, "javascript:alert(1)", "]]>", "&lt;", "\x00\x1b[31m", "\u202eabc", "\ufffe", "\xff\xfe", strings.Repeat("a", 1<<20),
		strings.Repeat("W ", 1<<19), strings.Repeat("e\u0301\u0302\u0303", 1000), "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", "--><!--", "</style><script>"}
	for _, s := range all {
		g := draw.Graph{Title: s, Note: s, Heads: map[string]string{"c": s}}
		for i := range 8 {
			g.Nodes = append(g.Nodes, draw.GraphNode{ID: s[:min(len(s), 40)] + string(rune('a'+i)), Label: s, More: []string{s}, Shape: draw.Shape(i % 4), Marked: i%2 == 0, Final: i%3 == 0,
				Stuck: i%4 == 0, Change: draw.Change(i % 3), Cluster: []string{"", "c", s}[i%3]})
		}
		for range 12 {
			g.Edges = append(g.Edges, draw.GraphEdge{From: g.Nodes[r.IntN(8)].ID, To: g.Nodes[r.IntN(8)].ID, Label: s, ID: s[:min(len(s), 40)], Change: draw.Change(r.IntN(3))})
		}
		svg := draw.SVG(g)
		if len(svg) > 4<<20 {
			t.Errorf("%.20q makes a picture of %d bytes", s, len(svg))
		}
		parsed(t, svg)
		if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == '\ufffe' || r == '\u202e' }) && len(s) < 100 && s != "\xff\xfe" {
			faithful(t, g)
		}
	}
}

// TestTimeGoesOneWay: what is first come to is first, and only what leads back to it is drawn backwards.
func TestTimeGoesOneWay(t *testing.T) {
	for _, down := range []bool{false, true} {
		g := draw.Graph{Down: down, Nodes: []draw.GraphNode{{ID: "end"}, {ID: "start", Marked: true}, {ID: "middle"}},
			Edges: []draw.GraphEdge{{From: "end", To: "start"}, {From: "middle", To: "end"}, {From: "start", To: "middle"}, {From: "start", To: "end"}}}
		s := draw.NewScene(g, "g")
		var at []int
		for _, id := range []string{"start", "middle", "end"} {
			c := s.Drawing.Nodes[s.Index(id)].Centre
			at = append(at, map[bool]int{false: c.X, true: c.Y}[down])
		}
		if !slices.IsSorted(at) {
			t.Errorf("down %t: start, middle and end are at %v", down, at)
		}
	}
}

// TestLongGraphsGoDown: what would be many times as wide as a page is drawn from the top down.
func TestLongGraphsGoDown(t *testing.T) {
	var g draw.Graph
	for i := range 30 {
		g.Nodes = append(g.Nodes, draw.GraphNode{ID: draw.StateID(i), Label: "one of many states"})
		if i > 0 {
			g.Edges = append(g.Edges, draw.GraphEdge{From: draw.StateID(i - 1), To: draw.StateID(i), Label: "goes on"})
		}
	}
	if s := draw.NewScene(g, "g"); s.Width > s.Height {
		t.Errorf("a long chain is %d wide and %d high", s.Width, s.Height)
	}
}
