package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

// DrawDifference is both state models as one: what the amendment adds and what it takes away is
// marked as such. Arcs that lead the same way are drawn as one where the amendment did the same to them.
func DrawDifference(title string, p *engine.Picture) Graph {
	g := Graph{Title: title, Down: true}
	for i, s := range p.States {
		lines := wordLines(s.Words)
		if s.Stuck {
			lines = append(lines, stuckLine)
		}
		g.Nodes = append(g.Nodes, GraphNode{ID: stateID(i), Label: lines[0], More: lines[1:], Shape: Rounded, Marked: s.Start, Stuck: s.Stuck, Change: changeOf(s.In)})
	}
	for _, a := range p.Arcs {
		e := GraphEdge{From: stateID(a.From), To: stateID(a.To), Change: changeOf(a.In)}
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

// stuckLine is said in a state that has become a dead end.
const stuckLine = "now a dead end"

// wordLines tells a state in a line for each party.
func wordLines(words []engine.PartyState) []string {
	var lines []string
	for _, w := range words {
		places := strings.Join(w.Places, ", ")
		if places == "" {
			places = "nothing marked"
		}
		lines = append(lines, cmp.Or(w.Called, w.Party)+": "+places)
	}
	return lines
}

func changeOf(in delta.Side) Change {
	return map[delta.Side]Change{delta.InBoth: Unchanged, delta.InHead: Appeared, delta.InBase: Gone}[in]
}

// moved reports whether a picture shows any change.
func moved(p *engine.Picture) bool {
	return p != nil && (slices.ContainsFunc(p.Arcs, func(a engine.PictureArc) bool { return a.In != delta.InBoth }) ||
		slices.ContainsFunc(p.States, func(s engine.PictureState) bool { return s.Stuck || s.In != delta.InBoth }))
}

// maxPictureText is how many bytes of a comment a picture of the difference may take.
const maxPictureText = CommentLimit / 3

// differencePicture shows a picture as Mermaid, or as a table where it would be too large to read.
func differencePicture(p *engine.Picture) string {
	if !moved(p) {
		return ""
	}
	if p.Extent != engine.ChangesOnly {
		if drawn := Mermaid(DrawDifference("", p)); drawn != "" && len(drawn) <= maxPictureText {
			return "\n" + legend(p) + "\n\n```mermaid\n" + drawn + "```\n"
		}
	}
	return "\n" + pictureTable(p)
}

func legend(p *engine.Picture) string {
	said := "The states of the contract and the steps between them: + (green, thick) is new, − (red, dashed) is gone."
	if slices.ContainsFunc(p.States, func(s engine.PictureState) bool { return s.Stuck }) {
		said += " What has become a dead end is orange."
	}
	if p.Extent == engine.AroundIt {
		said += " Only what is around the change is drawn."
	}
	return said
}

// pictureTable lists the steps that are new or gone.
func pictureTable(p *engine.Picture) string {
	var b strings.Builder
	b.WriteString("The difference is too large to draw. Steps that are new (+) or gone (−):\n\n| | in the state | step | leads to |\n|---|---|---|---|\n")
	rows, left := 0, p.More
	for _, a := range p.Arcs {
		switch {
		case a.In == delta.InBoth:
		case rows == mostRows || b.Len() > maxPictureText:
			left++
		default:
			rows++
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", strings.TrimSpace(label("", changeOf(a.In))),
				state(p.States[a.From].Words, cell), cell.prose(a.Label), state(p.States[a.To].Words, cell))
		}
	}
	return b.String() + andMore(left, "step")
}
