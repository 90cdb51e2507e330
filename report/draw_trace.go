package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/petri"
)

// DrawTrace is a run: each state it comes to once, and a numbered step from each to the next, so that what is done over and
// over is a circle. Runs that explain it leave it where they begin.
func DrawTrace(d *engine.Draft, title string, s *engine.Staging) Graph {
	t := &tracing{Graph: Graph{Title: title, Down: true}, Draft: d, titles: titlesOf(d.Spec), at: map[string]int{}}
	t.staging(s, 0)
	return t.Graph
}

// A tracing is a run being drawn.
type tracing struct {
	Graph
	*engine.Draft
	titles map[string]string
	at     map[string]int // states that are drawn, by marking
}

// Visited lists the markings that a run and those that explain it come to; one that comes again is listed again.
func Visited(d *engine.Draft, s *engine.Staging) []petri.Marking {
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

func (t *tracing) staging(s *engine.Staging, step int) {
	at := s.Start
	here := t.state(at)
	for i, fired := range s.Steps {
		after, contact := t.Net.Fire(at, fired)
		e := GraphEdge{From: t.Nodes[here].ID, Label: fmt.Sprintf("%d. %s", step+i+1, stepText(t.Net, t.titles, fired)), Of: mapped(fired, strconv.Itoa)}
		if i == s.Loop {
			e.More = append(e.More, "(from here on over and over)")
		}
		if contact < 0 {
			here, at = t.state(after), after
		} else {
			e.More = append(e.More, "(which can't be done)")
		}
		e.To = t.Nodes[here].ID
		t.Edges = append(t.Edges, e)
	}
	if s.Of.DeadEnd {
		t.Nodes[here].Stuck = true
		t.Nodes[here].More = append(t.Nodes[here].More, "nothing can happen any more")
	}
	for _, then := range s.Then {
		t.staging(then, t.count(s, then.Start))
	}
}

// count is after how many steps a run comes to a marking.
func (t *tracing) count(s *engine.Staging, to petri.Marking) int {
	at := s.Start
	for i, fired := range s.Steps {
		if slices.Equal(at, to) {
			return i
		}
		at, _ = t.Net.Fire(at, fired)
	}
	return len(s.Steps)
}

// state finds or draws a state.
func (t *tracing) state(m petri.Marking) int {
	key := fmt.Sprint(m)
	if i, met := t.at[key]; met {
		return i
	}
	n := GraphNode{ID: stateID(len(t.Nodes)), Shape: Rounded, Marked: len(t.Nodes) == 0}
	n.say(standing(t.Draft, m))
	t.at[key] = len(t.Nodes)
	t.Nodes = append(t.Nodes, n)
	return len(t.Nodes) - 1
}

// say has a node say lines.
func (n *GraphNode) say(lines []string) {
	n.Label, n.More = "", nil
	if len(lines) > 0 {
		n.Label, n.More = lines[0], lines[1:]
	}
}

// standing tells a marking in a line for each party.
func standing(d *engine.Draft, m petri.Marking) []string {
	var lines []string
	for _, p := range d.Standing(m) {
		lines = append(lines, standingLine(p))
	}
	return lines
}

func standingLine(p engine.PartyState) string {
	name := p.Party
	if p.Called != "" {
		name = p.Called
	}
	if len(p.Places) == 0 {
		return name + ": nothing"
	}
	return name + ": " + strings.Join(p.Places, ", ")
}
