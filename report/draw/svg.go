package draw

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/layout"
	"github.com/redlinehq/redline/report/words"
)

// SVG draws a graph as a complete picture with its style: light or dark by the reader's preference, and light on paper. It refers to
// nothing outside: no script, no link, no font. Cost: that of layout.Lay.
func SVG(g Graph) string {
	s := NewScene(g, "g")
	s.caption(g.captions()...)
	return s.draw(SVGStyle())
}

// SVGFragment draws a graph without style, for a page that contains SVGStyle. The prefix, of letters and digits, keeps the identifiers of
// several pictures apart. Nodes are <g class="node KIND" id="PREFIX-n-NUMBER" data-node="ID">, where KIND is state, place, transition
// or document, followed by marked, final, stuck, appeared or gone. Edges are <g class="edge" id="PREFIX-e-NUMBER" data-edge="ID"
// data-from="ID" data-to="ID">. Each NUMBER is an index in g's lists. Each ID is GraphNode.ID or GraphEdge.ID, or for an edge without one
// its number. The note is part of the picture; the title is left to the page.
func SVGFragment(g Graph, prefix string) string {
	s := NewScene(g, prefix)
	if g.Note != "" {
		s.caption(g.Note)
	}
	return s.draw("")
}

// SVGPair is SVGFragment for two versions of a graph, laid out alike: what both have is at one place, so that one can be laid over the
// other. Both list the same nodes and edges. The first drawing, with prefix+"b", leaves out what appeared, the second what is gone.
func SVGPair(before, now Graph, prefix string) (string, string) {
	s := NewScene(now, prefix)
	if now.Note != "" {
		s.caption(now.Note)
	}
	was := *s // nothing is written to it yet
	was.Graph, was.prefix, was.hidden = before, prefix+"b", Appeared
	was.texts = words.Mapped(before.Nodes, GraphNode.Fitted)
	s.hidden = Gone
	return was.draw(""), s.draw("")
}

// A scene is a graph with its texts and its layout.
type scene struct {
	strings.Builder
	Graph
	hidden Change // nodes and edges that are not drawn; Unchanged: none
	prefix string
	ids    map[string]int // of nodes
	texts  [][]string     // of nodes, in lines
	Labels [][]string     // of edges
	names  []string       // of clusters
	heads  [][]string
	in     layout.Graph
	layout.Drawing
	captions []string // the lines above the drawing
}

// maxWorded is the number of edges beyond which labels show their first line only, since the picture would consist of labels. The whole
// label is then shown when the reader points at it.
const maxWorded = 400

// NewScene lays a graph out. The prefix keeps the identifiers of several pictures apart.
func NewScene(g Graph, prefix string) *scene {
	s := &scene{Graph: g, prefix: prefix, ids: g.ids()}
	groups := map[string]int{}
	for _, n := range g.Nodes {
		if n.Cluster != "" && groups[n.Cluster] == 0 {
			lines := fitted(escape.LabelLength, roundWidth, g.Head(n.Cluster))
			s.names, s.heads = append(s.names, n.Cluster), append(s.heads, lines)
			s.in.Groups = append(s.in.Groups, boldSize(lines))
			groups[n.Cluster] = len(s.names)
		}
		s.texts = append(s.texts, n.Fitted())
		s.in.Nodes = append(s.in.Nodes, layout.Node{Group: groups[n.Cluster]})
	}
	for _, e := range g.Edges {
		lines := e.fitted()
		if len(lines) > 1 && len(g.Edges) > maxWorded {
			lines = []string{lines[0] + " …"}
		}
		s.Labels = append(s.Labels, lines)
		s.in.Edges = append(s.in.Edges, layout.Edge{From: s.Index(e.From), To: s.Index(e.To), Label: textSize(lines)})
	}
	for i, early := range s.flow(s.in.Edges) {
		s.in.Nodes[i].Early = early
	}
	s.readable()
	return s
}

// Size in pixels of what a reader sees without scrolling, and the maximum size of a graph that is laid out a second time.
const (
	sheetWidth  = 1200
	sheetHeight = 1600
	maxTwice    = 3_000
)

// readable lays the graph out in the requested direction. If that would have to be made much smaller to be seen whole, it uses the other
// direction.
func (s *scene) readable() {
	s.lay(s.Down)
	if s.in.Down || shrunk(s.Drawing) <= 100 || len(s.in.Nodes)+len(s.in.Edges) > maxTwice {
		return
	}
	across := s.Drawing
	if s.lay(true); shrunk(s.Drawing)*5 >= shrunk(across)*4 {
		s.size(false)
		s.Drawing = across
	}
}

// shrunk returns the size of a drawing in percent of what a reader sees.
func shrunk(d layout.Drawing) int { return max(d.Width*100/sheetWidth, d.Height*100/sheetHeight) }

// lay lays the graph out in one direction.
func (s *scene) lay(down bool) {
	s.size(down)
	s.Drawing = layout.Lay(s.in)
}

// Index returns the index of a node. It panics if the graph does not have it.
func (s *scene) Index(id string) int {
	return known(s.ids, id)
}

// Sizes in pixels.
const (
	roundSize  = 30 // of a place or a document
	insetX     = 10 // between a text and what it is in
	insetY     = 7
	tokenSize  = 6 // radius
	doubleLine = 3 // between the two lines around a final state
	headLength = 9 // of an arrow
	headWidth  = 7
)

// size sets the size of each node: large enough for its text, and long enough for the edges at each side.
func (s *scene) size(down bool) {
	s.in.Down = down
	in, out := make([]int, len(s.in.Nodes)), make([]int, len(s.in.Nodes))
	for _, e := range s.in.Edges {
		in[e.To]++
		out[e.From]++
	}
	for i := range s.in.Nodes {
		n := &s.in.Nodes[i]
		shape, z := s.Graph.Nodes[i].Shape, textSize(s.texts[i])
		if beside(shape) {
			n.Size, n.Label = layout.Size{Width: roundSize, Height: roundSize}, z
			if shape == Circle {
				n.Outline = layout.Ellipse
			}
			continue
		}
		z.Width, z.Height = max(z.Width+2*insetX, roundSize), z.Height+2*insetY
		side := &z.Height
		if down {
			side = &z.Width
		}
		*side = max(*side, min(max(in[i], out[i], (in[i]+out[i])*2/3), mostPorts)*portSize+2*insetY)
		n.Size = z
	}
}

// Room for the edges at one side of a node, in pixels, and the number of edges beyond which they are closer.
const (
	portSize  = 9
	mostPorts = 24
)

// beside reports whether the text of a node is beside it.
func beside(s Shape) bool { return s == Circle || s == Square }

// draw returns the drawing, with a style unless that is "".
func (s *scene) draw(style string) string {
	above := 0
	if n := len(s.captions); n > 0 {
		above = n*lineHeight + insetY
	}
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg" class="redline-graph" role="img" aria-labelledby="%[1]s-title" viewBox="0 0 %[2]d %[3]d" width="%[2]d" height="%[3]d">`+"\n",
		s.prefix, s.Width, s.Height+above)
	fmt.Fprintf(s, "<title id=\"%s-title\">%s</title>\n", s.prefix, svgText(escape.Visible(s.Title, TitleLength)))
	if style != "" {
		fmt.Fprintf(s, "<style>%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n", style)
	}
	if above > 0 {
		s.text("caption beside", s.captions, layout.Point{X: captionInset, Y: insetY + len(s.captions)*lineHeight/2})
		fmt.Fprintf(s, "\n<g transform=\"translate(0 %d)\">\n", above)
	}
	for i := range s.names {
		s.drawLane(i)
	}
	for i, e := range s.Graph.Edges {
		if e.Change == Unchanged || e.Change != s.hidden {
			s.drawEdge(i)
		}
	}
	for i, n := range s.Graph.Nodes {
		if n.Change == Unchanged || n.Change != s.hidden {
			s.drawNode(i)
		}
	}
	if above > 0 {
		s.WriteString("</g>\n")
	}
	s.WriteString("</svg>\n")
	return s.String()
}

// captionInset is the space on both sides of a caption, in pixels.
const captionInset = 12

// caption adds texts above the drawing, in lines about as wide as it is.
func (s *scene) caption(texts ...string) {
	for _, t := range texts {
		s.captions = append(s.captions, fitted(TitleLength, min(max(s.Width/7, 40), 140), t)...)
	}
	s.Width = max(s.Width, boldSize(s.captions).Width+2*captionInset)
}

// drawLane draws a cluster.
func (s *scene) drawLane(i int) {
	l := s.Groups[i]
	fmt.Fprintf(s, `<g class="lane" data-lane="%s"><rect x="%d" y="%d" width="%d" height="%d" rx="8"/>`, svgText(escape.Visible(s.names[i], TitleLength)), l.X, l.Y, l.Width, l.Height)
	s.text("head", s.heads[i], l.Head)
	s.WriteString("</g>\n")
}

// drawNode draws a node.
func (s *scene) drawNode(i int) {
	n, at := s.Graph.Nodes[i], s.Drawing.Nodes[i]
	fmt.Fprintf(s, `<g class="node%s" id="%s-n-%d" data-node="%s"><title>%s</title>`, classes(n), s.prefix, i, svgText(n.ID), svgText(n.oneLine()))
	z := s.in.Nodes[i].Size
	switch n.Shape {
	case Circle:
		fmt.Fprintf(s, `<circle cx="%d" cy="%d" r="%d"/>`, at.Centre.X, at.Centre.Y, roundSize/2)
	default:
		s.box(n.Shape, at.Centre, z, 0)
	}
	if n.Final {
		s.box(n.Shape, at.Centre, z, doubleLine)
	}
	if n.Marked && beside(n.Shape) {
		fmt.Fprintf(s, `<circle class="token" cx="%d" cy="%d" r="%d"/>`, at.Centre.X, at.Centre.Y, tokenSize)
	}
	if s.in.Down && beside(n.Shape) {
		s.text("name beside", s.texts[i], leftOf(at.Label, s.texts[i]))
	} else {
		s.text("name", s.texts[i], at.Label)
	}
	s.WriteString("</g>\n")
}

// box draws a rectangle that is smaller by less on each side.
func (s *scene) box(shape Shape, c layout.Point, z layout.Size, less int) {
	round := ""
	if shape == rounded {
		round = fmt.Sprintf(` rx="%d"`, 12-less)
	}
	fmt.Fprintf(s, `<rect x="%d" y="%d" width="%d" height="%d"%s/>`, c.X-z.Width/2+less, c.Y-z.Height/2+less, z.Width-2*less, z.Height-2*less, round)
}

// classes returns the CSS classes of a node.
func classes(n GraphNode) string {
	text := " " + [...]string{"state", "place", "transition", "document"}[n.Shape]
	for _, c := range []struct {
		is   bool
		name string
	}{{n.Marked, " marked"}, {n.Final, " final"}, {n.Stuck, " stuck"}, {n.Change == Appeared, " appeared"}, {n.Change == Gone, " gone"}} {
		if c.is {
			text += c.name
		}
	}
	return text
}

// drawEdge draws an edge.
func (s *scene) drawEdge(i int) {
	e, r := s.Graph.Edges[i], s.Drawing.Edges[i]
	fmt.Fprintf(s, `<g class="edge%s" id="%s-e-%d" data-edge="%s" data-from="%s" data-to="%s">`, [...]string{"", " appeared", " gone"}[e.Change], s.prefix, i,
		svgText(cmp.Or(e.ID, fmt.Sprint(i))), svgText(e.From), svgText(e.To))
	if title := e.oneLine(); title != "" {
		fmt.Fprintf(s, "<title>%s</title>", svgText(title))
	}
	s.curve(r.Curve)
	switch {
	case r.Crowded:
	case s.in.Down && e.From != e.To:
		s.text("label beside", s.Labels[i], leftOf(r.Label, s.Labels[i]))
	default:
		s.text("label", s.Labels[i], r.Label)
	}
	s.WriteString("</g>\n")
}

// curve draws the line of an edge and its arrow.
func (s *scene) curve(p []layout.Point) {
	tip, before := p[len(p)-1], p[len(p)-2]
	x, y := cmp.Compare(tip.X, before.X), cmp.Compare(tip.Y, before.Y) // an edge arrives horizontally or vertically, so one of the two is 0
	if x != 0 {
		y = 0
	}
	last := layout.Point{X: tip.X - x*(headLength-2), Y: tip.Y - y*(headLength-2)}
	fmt.Fprintf(s, `<path class="line" d="M%d %d`, p[0].X, p[0].Y)
	for i := 1; i+2 < len(p); i += 3 {
		c, d, end := p[i], p[i+1], p[i+2]
		if i+3 == len(p) {
			end = last
		}
		if c.X == p[i-1].X && d.X == c.X && end.X == c.X || c.Y == p[i-1].Y && d.Y == c.Y && end.Y == c.Y {
			fmt.Fprintf(s, "L%d %d", end.X, end.Y)
		} else {
			fmt.Fprintf(s, "C%d %d %d %d %d %d", c.X, c.Y, d.X, d.Y, end.X, end.Y)
		}
	}
	back := layout.Point{X: tip.X - x*headLength, Y: tip.Y - y*headLength}
	fmt.Fprintf(s, `"/><path class="arrow" d="M%d %dL%d %dL%d %dZ"/>`, tip.X, tip.Y, back.X-y*headWidth/2, back.Y-x*headWidth/2, back.X+y*headWidth/2, back.Y+x*headWidth/2)
}

// leftOf returns the left end of lines that are centred at a point.
func leftOf(at layout.Point, lines []string) layout.Point {
	return layout.Point{X: at.X - textSize(lines).Width/2, Y: at.Y}
}

// text writes lines around a point, or to the right of it, as its class says.
func (s *scene) text(class string, lines []string, at layout.Point) {
	if len(lines) == 0 {
		return
	}
	y := at.Y - len(lines)*lineHeight/2 + baseline
	fmt.Fprintf(s, `<text class="%s" x="%d" y="%d">`, class, at.X, y)
	for i, l := range lines {
		if i == 0 {
			s.WriteString(svgText(l))
			continue
		}
		fmt.Fprintf(s, `<tspan x="%d" y="%d">%s</tspan>`, at.X, y+i*lineHeight, svgText(l))
	}
	s.WriteString("</text>")
}
