package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// A Graph is a picture: a party's net, a composed net, or a state model.
type Graph struct {
	Title string
	Note  string            // explains the picture, as part of it; may be empty
	Down  bool              // from the top down, which suits long labels; else from left to right
	Heads map[string]string // headings of clusters; default: their names
	Nodes []GraphNode
	Edges []GraphEdge
}

// A GraphNode is a place, a transition or a state. Its ID is unique in the graph and not visible.
type GraphNode struct {
	ID, Label string
	More      []string // further lines of the label
	Shape     Shape
	Marked    bool   // holds a token, or is the initial state
	Stuck     bool   // has become a dead end
	Final     bool   // where the contract may end
	Cluster   string // the group that it is drawn in, such as a party; empty: none
	Change    Change
}

// A GraphEdge leads from one node to another, given by their IDs.
type GraphEdge struct {
	ID              string // unique if scripts have to find it; not visible
	From, To, Label string
	More            []string // further lines of the label
	Of              []string // what fires along it: party.transition in a party's view, else numbers of transitions of the composed net; not visible
	Change          Change
}

// A Shape is the shape of a node.
type Shape uint8

const (
	rounded Shape = iota // a state
	Circle               // a place
	Box                  // a transition
	Square               // a document
)

// A Change says how an amendment changed a node or an edge. Both colour and line show it: additions are thick, removals dashed.
type Change uint8

const (
	Unchanged Change = iota
	Appeared
	Gone
)

// Limits of Mermaid as GitHub runs it. It shows an error for larger diagrams.
const (
	MaxEdges     = 500
	maxCharacter = 50_000
)

// ids numbers the nodes, so that foreign text never becomes an identifier.
func (g Graph) ids() map[string]int {
	ids := make(map[string]int, len(g.Nodes))
	for i, n := range g.Nodes {
		ids[n.ID] = i
	}
	return ids
}

// rank returns the direction of the ranks, in the notation of both Mermaid and DOT.
func (g Graph) rank() string {
	if g.Down {
		return "TB"
	}
	return "LR"
}

// clusters returns the names of clusters in order of first use, and the nodes of each. Nodes without a cluster are listed under "".
func (g Graph) clusters() (names []string, members map[string][]int) {
	members = map[string][]int{}
	for i, n := range g.Nodes {
		if members[n.Cluster] == nil {
			names = append(names, n.Cluster)
		}
		members[n.Cluster] = append(members[n.Cluster], i)
	}
	return names, members
}

// captions returns the texts above a picture.
func (g Graph) captions() []string {
	if g.Note == "" {
		return []string{g.Title}
	}
	return []string{g.Title, g.Note}
}

// Head returns the heading of a cluster.
func (g Graph) Head(cluster string) string { return cmp.Or(g.Heads[cluster], cluster) }

// Label returns the label of a node or an edge with the sign of its change, so that a change is not shown by colour alone.
func Label(s string, c Change) string {
	return [...]string{"", "+ ", "− "}[c] + s
}

// Mermaid draws a graph as a Mermaid flowchart, without the code fence. It returns "" if the graph is larger than GitHub draws: more than
// 500 edges or 50,000 characters. Cost: linear.
func Mermaid(g Graph) string {
	g.Edges = oneLoop(g.Edges)
	if len(g.Edges) > MaxEdges {
		return ""
	}
	var b strings.Builder
	b.WriteString("flowchart " + g.rank() + "\n")
	if g.Note != "" {
		fmt.Fprintf(&b, "    caption[%s]\n    style caption fill:none,stroke:none\n", mermaidLabel(wrappedOf(TitleLength, 2*lineWidth, g.Note)))
	}
	names, members := g.clusters()
	for i, name := range names {
		indent := "    "
		if name != "" {
			fmt.Fprintf(&b, "    subgraph c%d[\"%s\"]\n        direction LR\n", i, escape.MermaidText(g.Head(name)))
			indent = "        "
		}
		for _, n := range members[name] {
			fmt.Fprintf(&b, "%sn%d%s\n", indent, n, mermaidNode(g.Nodes[n]))
		}
		if name != "" {
			b.WriteString("    end\n")
		}
	}
	mermaidEdges(&b, g)
	mermaidClasses(&b, g)
	if b.Len() > maxCharacter {
		return ""
	}
	return b.String()
}

// mermaidNode returns a node in Mermaid's notation.
func mermaidNode(n GraphNode) string {
	around := [...][2]string{{"([", "])"}, {"((", "))"}, {"[", "]"}, {"[[", "]]"}}[n.Shape]
	lines := n.Lines()
	if n.Shape == rounded && len(lines) > 2 { // its round ends would cut off the first and the last line
		around = [2]string{"(", ")"}
	}
	return around[0] + mermaidLabel(lines) + around[1]
}

// mermaidLabel joins lines with the only markup in a label.
func mermaidLabel(lines []string) string {
	safe := make([]string, len(lines))
	for i, l := range lines {
		safe[i] = escape.MermaidEntities(l)
	}
	return `"` + strings.Join(safe, "<br/>") + `"`
}

// oneLoop merges the self-loops at each node into one. Mermaid 11 names the parts of a self-loop after its node, so of several at one node
// it draws the label of one only.
func oneLoop(all []GraphEdge) []GraphEdge {
	var some []GraphEdge
	at := map[string]int{}
	for _, e := range all {
		i, met := at[e.From]
		switch {
		case e.From != e.To:
			some = append(some, e)
		case !met:
			at[e.From], some = len(some), append(some, e)
		default:
			some[i].beside(e)
		}
	}
	return some
}

// beside adds the label of another edge to e. If their changes differ, signs in the label show them.
func (e *GraphEdge) beside(o GraphEdge) {
	if e.Change != o.Change {
		e.sign()
		o.sign()
	}
	all := slices.Concat([]string{e.Label}, e.More, []string{o.Label}, o.More)
	if all = slices.DeleteFunc(all, func(s string) bool { return s == "" }); len(all) > 0 {
		e.Label, e.More = all[0], all[1:]
	}
}

// sign replaces the change of an edge by signs in its labels.
func (e *GraphEdge) sign() {
	signed := func(s string) string { return Label(s, e.Change) }
	e.Label, e.More, e.Change = signed(e.Label), words.Mapped(e.More, signed), Unchanged
}

// mermaidEdges writes the edges.
func mermaidEdges(b *strings.Builder, g Graph) {
	ids := g.ids()
	for _, e := range g.Edges {
		text := ""
		if lines := e.lines(); len(lines) > 0 {
			text = "|" + mermaidLabel(lines) + "|"
		}
		fmt.Fprintf(b, "    n%d %s%s n%d\n", known(ids, e.From), [...]string{"-->", "==>", "-.->"}[e.Change], text, known(ids, e.To))
	}
}

// known returns a node's number. It panics if the graph does not have the node.
func known(ids map[string]int, id string) int {
	n, ok := ids[id]
	if !ok {
		panic(fmt.Sprintf("report: an edge names the node %q, which the graph does not have", id))
	}
	return n
}

// mermaidClasses writes the styles of changed and stuck nodes and edges.
func mermaidClasses(b *strings.Builder, g Graph) {
	for _, c := range []struct {
		change      Change
		name, style string
		line        string
	}{
		{Appeared, "appeared", "fill:#dafbe1,stroke:#1a7f37,stroke-width:3px,color:#1f2328", "stroke:#2c974b,stroke-width:3px"},
		{Gone, "gone", "fill:#ffebe9,stroke:#cf222e,stroke-dasharray:5 3,color:#1f2328", "stroke:#d1434b,stroke-width:2px,stroke-dasharray:5 4"},
	} {
		if lines := numbers("", g.Edges, func(e GraphEdge) bool { return e.Change == c.change }); lines != "" {
			fmt.Fprintf(b, "    linkStyle %s %s\n", lines, c.line)
		}
		mermaidClass(b, c.name, c.style, numbers("n", g.Nodes, func(n GraphNode) bool { return n.Change == c.change }))
	}
	mermaidClass(b, "stuck", "fill:#fff8c5,stroke:#9a6700,stroke-width:4px,color:#1f2328", numbers("n", g.Nodes, func(n GraphNode) bool { return n.Stuck }))
}

// numbers returns the numbers of the elements for which is holds, each after a prefix.
func numbers[T any](prefix string, all []T, is func(T) bool) string {
	var list []string
	for i, x := range all {
		if is(x) {
			list = append(list, fmt.Sprint(prefix, i))
		}
	}
	return strings.Join(list, ",")
}

// mermaidClass writes a style and its nodes.
func mermaidClass(b *strings.Builder, name, style, nodes string) {
	if nodes != "" {
		fmt.Fprintf(b, "    classDef %s %s\n    class %s %s\n", name, style, nodes, name)
	}
}

// DOT draws a graph in the language of Graphviz. It has no size limit. Cost: linear.
func DOT(g Graph) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph {\n  label=%s\n  rankdir=%s\n  newrank=true\n", escape.DotText(wrappedOf(TitleLength, 3*lineWidth, g.captions()...)...), g.rank()) // without newrank each cluster is one column
	b.WriteString("  fontname=\"Helvetica\"\n  node [fontname=\"Helvetica\" fontsize=12 margin=\"0.08\"]\n  edge [fontname=\"Helvetica\" fontsize=11]\n")
	names, members := g.clusters()
	for i, name := range names {
		indent := "  "
		if name != "" {
			fmt.Fprintf(&b, "  subgraph cluster%d {\n    label=%s\n", i, escape.DotText(g.Head(name)))
			indent = "    "
		}
		for _, n := range members[name] {
			fmt.Fprintf(&b, "%sn%d [%s]\n", indent, n, dotNode(g.Nodes[n]))
		}
		if name != "" {
			b.WriteString("  }\n")
		}
	}
	ids := g.ids()
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  n%d -> n%d [label=%s%s%s]\n", known(ids, e.From), known(ids, e.To), escape.DotText(e.lines()...), dotColor(e.Change),
			[...]string{"", "", " style=dashed"}[e.Change])
	}
	b.WriteString("}\n")
	return b.String()
}

// dotNode returns the attributes of a node.
func dotNode(n GraphNode) string {
	s := "label=" + escape.DotText(n.Lines()...) + " shape=" + [...]string{"box", "circle", "box", "square"}[n.Shape]
	var style []string
	switch n.Shape {
	case rounded:
		style = append(style, "rounded")
	case Box: // filled, to look different from a document
		style = append(style, "filled")
		s += ` fillcolor="#eeeeee"`
	}
	switch n.Change {
	case Appeared:
		style = append(style, "bold")
	case Gone:
		style = append(style, "dashed")
	}
	if len(style) > 0 {
		s += ` style="` + strings.Join(style, ",") + `"`
	}
	if n.Stuck {
		return s + ` color="#9a6700" penwidth=4`
	}
	return s + dotColor(n.Change)
}

// dotColor returns the colour for a change.
func dotColor(c Change) string {
	return [...]string{"", ` color="#1a7f37" penwidth=3`, ` color="#cf222e"`}[c]
}
