package draw

import (
	"cmp"
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
// begin. Its note is lead, which says whose run it is, and what the run comes to.
func Trace(d *compile.Draft, title, lead string, s *explain.Staged) Graph {
	_, dead, claim := words.DescribeEnd(s.Of)
	t := &traceDrawing{Graph: Graph{Title: title, Note: words.Joined(" ", lead, dead, claim), Down: true}, Draft: d, titles: titlesOf(d.Spec)}
	t.staging(s, t.state(s.Start), 0)
	return t.Graph
}

// A traceDrawing is a run that is being drawn.
type traceDrawing struct {
	Graph
	*compile.Draft
	titles map[string]string
}

// Visited lists the markings of a run and of those that explain it, with repetitions.
func Visited(d *compile.Draft, s *explain.Staged) []petri.Marking {
	list := passed(d, s)
	for _, then := range s.Then {
		list = append(list, Visited(d, then)...)
	}
	return list
}

// passed lists the markings of a run, the first and that after each step, up to a step that can't be done.
func passed(d *compile.Draft, s *explain.Staged) []petri.Marking {
	list := []petri.Marking{s.Start}
	for _, step := range s.Steps {
		after, contact := d.Net.Fire(list[len(list)-1], step)
		if contact >= 0 {
			break
		}
		list = append(list, after)
	}
	return list
}

// staging draws a run from a node that before steps lead to. Ticks in a row are one arc, as in a run that is written.
func (t *traceDrawing) staging(s *explain.Staged, here, before int) {
	markings := passed(t.Draft, s)
	branches := make([]int, len(s.Then)) // after how many steps
	for i, then := range s.Then {
		branches[i] = slices.IndexFunc(markings, func(m petri.Marking) bool { return slices.Equal(m, then.Start) })
	}
	nodes, done := map[int]int{0: here}, 0
	for _, step := range foldedSteps(s, branches) {
		what := stepText(t.Net, t.titles, s.Steps[done])
		if step.ticks > 1 {
			what = step.title
		}
		e := GraphEdge{From: t.Nodes[here].ID, Label: fmt.Sprintf("%d. %s", before+done+1, what), Of: words.Mapped(s.Steps[done], strconv.Itoa)}
		done += step.ticks
		switch {
		case done >= len(markings):
			e.More = append(e.More, "(which can't be done)")
		case s.Loop >= 0 && done == len(s.Steps):
			e.More, here = append(e.More, "(and so on for ever)"), nodes[s.Loop]
		default:
			here = t.state(markings[done])
			nodes[done] = here
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
	for i, then := range s.Then {
		if n, drawn := nodes[branches[i]]; drawn {
			t.staging(then, n, before+branches[i])
		}
	}
}

// A foldedStep is a step of a run, or several ticks in a row.
type foldedStep struct {
	ticks int // the number of steps
	title string
}

// foldedSteps folds the ticks of a run. A row ends where another run branches off.
func foldedSteps(s *explain.Staged, branches []int) (list []foldedStep) {
	var alone []int
	for _, n := range branches {
		if n > 0 && n < len(s.Steps) {
			alone = append(alone, slices.Concat(s.Of.Prefix, s.Of.Loop)[0].Step+n-1)
		}
	}
	for _, part := range [][]finding.Firing{s.Of.Prefix, s.Of.Loop} {
		if len(part) == 0 {
			continue
		}
		all := words.Folded(words.Steps(part), alone...)
		for i, step := range all {
			next := words.LastStep(part) + 1
			if i+1 < len(all) {
				next = all[i+1][0].Step
			}
			list = append(list, foldedStep{next - step[0].Step, words.Caption(step[0])})
		}
	}
	return list
}

// state adds a node for a marking and returns its number.
func (t *traceDrawing) state(m petri.Marking) int {
	t.Nodes = append(t.Nodes, stateNode(t.Draft, len(t.Nodes), m))
	return len(t.Nodes) - 1
}

// setLabel sets the label of a node.
func (n *GraphNode) setLabel(lines []string) {
	n.Label, n.More = "", nil
	if len(lines) > 0 {
		n.Label, n.More = lines[0], lines[1:]
	}
}

// stateLines describes a marking in a line for each party.
func stateLines(d *compile.Draft, m petri.Marking) []string {
	return words.Mapped(explain.PartiesAt(d, m), func(p finding.PartyState) string { return stateLine(p, "nothing") })
}

// stateLine describes the places of one party, with the words for none.
func stateLine(p finding.PartyState, none string) string {
	return cmp.Or(p.Called, p.Party) + ": " + cmp.Or(strings.Join(p.Places, ", "), none)
}
