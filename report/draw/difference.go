package draw

import (
	"slices"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// Difference draws both state models as one, with additions and removals marked. Arcs between the same states are one edge if they have the
// same change.
func Difference(title string, p *finding.Picture) Graph {
	g := Graph{Title: title, Down: true}
	for i, s := range p.States {
		lines := words.Mapped(s.Words, func(p finding.PartyState) string { return stateLine(p, "nothing marked") })
		if s.Stuck {
			lines = append(lines, stuckLine)
		}
		n := GraphNode{ID: StateID(i), Shape: rounded, Marked: s.Start, Stuck: s.Stuck, Change: changeOf(s.In)}
		n.setLabel(lines) // of parties without states there are none
		g.Nodes = append(g.Nodes, n)
	}
	for _, a := range p.Arcs {
		e := GraphEdge{From: StateID(a.From), To: StateID(a.To), Change: changeOf(a.In)}
		same := func(o GraphEdge) bool { return o.From == e.From && o.To == e.To && o.Change == e.Change }
		if i := slices.IndexFunc(g.Edges, same); i >= 0 {
			g.Edges[i].More = append(g.Edges[i].More, a.Label)
			continue
		}
		e.Label = a.Label
		g.Edges = append(g.Edges, e)
	}
	return g
}

// stuckLine is the label of a state that has become a dead end.
const stuckLine = "now a dead end"

// changeOf returns the change of an element that is in one version or both.
func changeOf(in diff.Side) Change {
	return map[diff.Side]Change{diff.InBoth: Unchanged, diff.InHead: Appeared, diff.InBase: Gone}[in]
}
