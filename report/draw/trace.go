package draw

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/report/words"
)

// Trace draws a run: a node for the state after each step, and an arc back where it repeats. Runs that explain it branch off where they
// begin.
func Trace(d *compile.Draft, title string, s *explain.Staged) Graph {
	t := &tracing{Graph: Graph{Title: title, Down: true}, Draft: d, titles: titlesOf(d.Spec)}
	t.staging(s, t.state(s.Start), 0)
	return t.Graph
}

// A tracing is a run that is being drawn.
type tracing struct {
	Graph
	*compile.Draft
	titles map[string]string
}

// Visited lists the markings of a run and of those that explain it, with repetitions.
func Visited(d *compile.Draft, s *explain.Staged) []petri.Marking {
	list := []petri.Marking{s.Start}
	for _, step := range s.Steps {
		after, contact := d.Net.Fire(list[len(list)-1], step)
		if contact >= 0 {
			break
		}
		list = append(list, after)
	}
	for _, then := range s.Then {
		list = append(list, Visited(d, then)...)
	}
	return list
}

// staging draws a run from a node that before steps lead to.
func (t *tracing) staging(s *explain.Staged, here, before int) {
	at, nodes := s.Start, []int{here}
	markings := []petri.Marking{at}
	for i, fired := range s.Steps {
		after, contact := t.Net.Fire(at, fired)
		e := GraphEdge{From: t.Nodes[here].ID, Label: fmt.Sprintf("%d. %s", before+i+1, stepText(t.Net, t.titles, fired)), Of: words.Mapped(fired, strconv.Itoa)}
		switch {
		case contact >= 0:
			e.More = append(e.More, "(which can't be done)")
		case s.Loop >= 0 && i == len(s.Steps)-1:
			e.More, here = append(e.More, "(and so on for ever)"), nodes[s.Loop]
		default:
			at, here = after, t.state(after)
			nodes, markings = append(nodes, here), append(markings, at)
		}
		e.To = t.Nodes[here].ID
		t.Edges = append(t.Edges, e)
	}
	if s.Of.DeadEnd {
		t.Nodes[here].Stuck = true
		t.Nodes[here].More = append(t.Nodes[here].More, "nothing can happen any more")
	}
	if s.Of.Stops {
		t.Nodes[here].More = append(t.Nodes[here].More, "nothing need happen any more")
	}
	for _, then := range s.Then {
		n := slices.IndexFunc(markings, func(m petri.Marking) bool { return slices.Equal(m, then.Start) })
		if n >= 0 {
			t.staging(then, nodes[n], before+n)
		}
	}
}

// state adds a node for a marking and returns its number.
func (t *tracing) state(m petri.Marking) int {
	n := GraphNode{ID: StateID(len(t.Nodes)), Shape: rounded, Marked: len(t.Nodes) == 0}
	n.setLabel(stateLines(t.Draft, m))
	t.Nodes = append(t.Nodes, n)
	return len(t.Nodes) - 1
}

// say sets the label of a node.
func (n *GraphNode) setLabel(lines []string) {
	n.Label, n.More = "", nil
	if len(lines) > 0 {
		n.Label, n.More = lines[0], lines[1:]
	}
}

// stateLines describes a marking in a line for each party.
func stateLines(d *compile.Draft, m petri.Marking) []string {
	var lines []string
	for _, p := range explain.PartiesAt(d, m) {
		lines = append(lines, stateLine(p))
	}
	return lines
}

// stateLine describes the places of one party.
func stateLine(p finding.PartyState) string {
	name := p.Party
	if p.Called != "" {
		name = p.Called
	}
	if len(p.Places) == 0 {
		return name + ": nothing"
	}
	return name + ": " + strings.Join(p.Places, ", ")
}
