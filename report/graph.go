package report

import (
	"fmt"
	"strings"
)

// A Graph is a picture to be drawn: a party's net, a composed net, or a state model.
type Graph struct {
	Title string
	Down  bool // drawn from the top down, which suits long labels, instead of from left to right
	Nodes []GraphNode
	Edges []GraphEdge
}

// A GraphNode is a place, a transition or a state. ID is unique in the graph and shown to nobody.
type GraphNode struct {
	ID, Label string
	Lines     []string // in place of Label: a label of several lines
	Shape     Shape
	Marked    bool   // holds a token, or is the initial state
	Stuck     bool   // has become a dead end
	Cluster   string // what it is drawn inside of, such as a party; empty: nothing
	Change    Change
}

// A GraphEdge leads from one node to another, both given by ID.
type GraphEdge struct {
	From, To, Label string
	Lines           []string // in place of Label: a label of several lines
	Change          Change
}

// Shape says what a node looks like.
type Shape uint8

const (
	Rounded Shape = iota // a state
	Circle               // a place
	Box                  // a transition
	Square               // a document
)

// Change says what an amendment did to a node or an edge. It is drawn by colour and by line: thick
// for what appeared, dashed for what is gone.
type Change uint8

const (
	Unchanged Change = iota
	Appeared
	Gone
)

// What Mermaid, as GitHub runs it, draws at most; above it shows an error.
const (
	maxEdges     = 500
	maxCharacter = 50_000
)

// ids numbers the nodes: what a stranger calls them never becomes an identifier.
func (g Graph) ids() map[string]string {
	ids := make(map[string]string, len(g.Nodes))
	for i, n := range g.Nodes {
		ids[n.ID] = fmt.Sprintf("n%d", i)
	}
	return ids
}

// rank is the direction of the ranks, in both languages.
func (g Graph) rank() string {
	if g.Down {
		return "TB"
	}
	return "LR"
}

// clusters lists the names nodes are grouped under, in order of first use; "" is among them when a
// node stands by itself.
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

// label is what a node or edge shows: what has changed says so in a sign, not by colour alone.
func label(s string, c Change) string {
	return [...]string{"", "+ ", "− "}[c] + s
}

// labels are the lines that a node or an edge shows, in a language that quotes each and joins them.
func labels(s string, lines []string, c Change, quote func(string) string, end string) string {
	if len(lines) == 0 {
		return quote(label(s, c))
	}
	said := []string{quote(label(lines[0], c))}
	for _, l := range lines[1:min(len(lines), mostLines)] {
		said = append(said, quote(l))
	}
	if len(lines) > mostLines {
		said = append(said, "...")
	}
	return strings.Join(said, end)
}

// mostLines is how many lines a label has at most.
const mostLines = 8

// Mermaid draws a graph as a Mermaid flowchart, without the code fence. It is empty when the graph
// is larger than GitHub draws: more than 500 edges or 50,000 characters. Cost: linear.
func Mermaid(g Graph) string {
	if len(g.Edges) > maxEdges {
		return ""
	}
	var b strings.Builder
	b.WriteString("flowchart " + g.rank() + "\n")
	names, members := g.clusters()
	for i, name := range names {
		indent := "    "
		if name != "" {
			fmt.Fprintf(&b, "    subgraph c%d[\"%s\"]\n", i, MermaidText(name))
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

func mermaidNode(n GraphNode) string {
	around := [...][2]string{{"([", "])"}, {"((", "))"}, {"[", "]"}, {"[[", "]]"}}[n.Shape]
	if len(n.Lines) > 0 && n.Shape == Rounded {
		around = [2]string{"(", ")"} // the round ends of the other leave no room for lines
	}
	text := labels(n.Label, n.Lines, n.Change, MermaidText, "<br/>")
	if n.Marked {
		text = "#9679; " + text // ●, a token
	}
	return around[0] + `"` + text + `"` + around[1]
}

func mermaidEdges(b *strings.Builder, g Graph) {
	ids := g.ids()
	for _, e := range g.Edges {
		text := ""
		if e.Label != "" || len(e.Lines) > 0 || e.Change != Unchanged {
			text = `|"` + labels(e.Label, e.Lines, e.Change, MermaidText, "<br/>") + `"|`
		}
		fmt.Fprintf(b, "    %s %s%s %s\n", known(ids, e.From), [...]string{"-->", "==>", "-.->"}[e.Change], text, known(ids, e.To))
	}
}

// known finds a node's number. An edge without its node is a fault of the code that made the graph.
func known(ids map[string]string, id string) string {
	n, ok := ids[id]
	if !ok {
		panic(fmt.Sprintf("report: an edge names the node %q, which the graph does not have", id))
	}
	return n
}

// mermaidClasses colours what has changed. Nodes bring the ground that their words stand on; lines are
// of tones that show on a light ground and on a dark one (contrast above 3 to 1, WCAG 2.1, 1.4.11).
func mermaidClasses(b *strings.Builder, g Graph) {
	for _, c := range []struct {
		change      Change
		name, style string
		line        string
	}{
		{Appeared, "appeared", "fill:#dafbe1,stroke:#1a7f37,stroke-width:3px,color:#1f2328", "stroke:#2c974b,stroke-width:3px"},
		{Gone, "gone", "fill:#ffebe9,stroke:#cf222e,stroke-dasharray:5 3,color:#1f2328", "stroke:#d1434b,stroke-width:2px,stroke-dasharray:5 4"},
	} {
		var lines []string
		for i, e := range g.Edges {
			if e.Change == c.change {
				lines = append(lines, fmt.Sprint(i))
			}
		}
		if len(lines) > 0 {
			fmt.Fprintf(b, "    linkStyle %s %s\n", strings.Join(lines, ","), c.line)
		}
		var nodes []string
		for i, n := range g.Nodes {
			if n.Change == c.change {
				nodes = append(nodes, fmt.Sprintf("n%d", i))
			}
		}
		mermaidClass(b, c.name, c.style, nodes)
	}
	var stuck []string
	for i, n := range g.Nodes {
		if n.Stuck {
			stuck = append(stuck, fmt.Sprintf("n%d", i))
		}
	}
	mermaidClass(b, "stuck", "fill:#ffd8b5,stroke:#bc4c00,stroke-width:4px,color:#1f2328", stuck)
}

func mermaidClass(b *strings.Builder, name, style string, nodes []string) {
	if len(nodes) > 0 {
		fmt.Fprintf(b, "    classDef %s %s\n    class %s %s\n", name, style, strings.Join(nodes, ","), name)
	}
}

// DOT draws a graph in the language of Graphviz. Cost: linear, without a limit.
func DOT(g Graph) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph {\n  label=%s\n  rankdir=%s\n", dotText(g.Title), g.rank())
	names, members := g.clusters()
	for i, name := range names {
		indent := "  "
		if name != "" {
			fmt.Fprintf(&b, "  subgraph cluster%d {\n    label=%s\n", i, dotText(name))
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
		fmt.Fprintf(&b, "  %s -> %s [label=%s%s]\n", known(ids, e.From), known(ids, e.To), dotLines(e.Label, e.Lines, e.Change), dotChange(e.Change))
	}
	b.WriteString("}\n")
	return b.String()
}

func dotNode(n GraphNode) string {
	s := "label=" + dotLines(n.Label, n.Lines, n.Change) + " shape=" + [...]string{"box", "circle", "box", "square"}[n.Shape]
	if n.Marked {
		s += " peripheries=2"
	}
	if n.Shape == Rounded {
		s += ` style="` + [...]string{"rounded", "rounded,bold", "rounded,dashed"}[n.Change] + `"`
	} else if n.Change == Gone {
		s += " style=dashed"
	}
	if n.Stuck {
		return s + ` color="#bc4c00" penwidth=4`
	}
	return s + dotColor(n.Change)
}

// dotLines quotes a label of one line or several.
func dotLines(s string, lines []string, c Change) string {
	return `"` + labels(s, lines, c, dotInner, `\n`) + `"`
}

func dotColor(c Change) string {
	return [...]string{"", ` color="#1a7f37" penwidth=3`, ` color="#cf222e"`}[c]
}

func dotChange(c Change) string {
	return dotColor(c) + [...]string{"", "", " style=dashed"}[c]
}
