package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
)

// DrawParty is one party's view as its drafter wrote it: a state diagram when the transition moves
// between states, a net elsewhere.
func DrawParty(p *hclspec.Party) Graph {
	p = written(p)
	g := Graph{Title: titled(p.Name, p.Title)}
	diagram := !slices.ContainsFunc(p.Places, func(q *hclspec.Place) bool { return q.Kind == hclspec.Plain })
	for _, place := range p.Places {
		if !diagram || place.Kind == hclspec.State {
			g.Nodes = append(g.Nodes, GraphNode{ID: place.Name, Label: titled(place.Name, place.Title), Shape: shapeOf(place), Marked: place.Marked})
		}
	}
	for _, t := range p.Transitions {
		if from, to, ok := move(t); diagram && ok {
			g.Edges = append(g.Edges, GraphEdge{From: from, To: to, Label: t.Name + conditions(t)})
			continue
		}
		g.transition(t, diagram)
	}
	return g
}

func shapeOf(p *hclspec.Place) Shape {
	switch {
	case p.Kind == hclspec.State:
		return Rounded
	case p.Document != "":
		return Square
	}
	return Circle
}

func titled(name, title string) string {
	if title == "" {
		return name
	}
	return name + ": " + title
}

// move says between which states a transition of a state diagram moves.
func move(t *hclspec.Transition) (from, to string, ok bool) {
	for _, p := range t.Read {
		if p.Kind == hclspec.State {
			from, to = p.Name, p.Name
		}
	}
	for _, p := range t.Consume {
		if p.Kind == hclspec.State {
			from = p.Name
		}
	}
	for _, p := range t.Produce {
		if p.Kind == hclspec.State {
			to = p.Name
		}
	}
	return from, to, from != "" && to != ""
}

// conditions are the flags and counters a transition tests and changes, as in "[GAV_F] / GAV_T".
func conditions(t *hclspec.Transition) string {
	text := ""
	for _, p := range t.Read {
		if p.Flag != "" || p.Counter != "" {
			text += " [" + p.Name + "]"
		}
	}
	for _, p := range t.Produce {
		if p.Flag != "" || p.Counter != "" {
			text += " / " + p.Name
		}
	}
	return text
}

// transition draws a box with its arcs; in a diagram, where flags are not drawn, with its conditions.
func (g *Graph) transition(t *hclspec.Transition, diagram bool) {
	id := "transition " + t.Name
	box := GraphNode{ID: id, Label: cmp.Or(t.Of, t.Name), Shape: Box}
	g.Nodes = append(g.Nodes, box)
	if diagram {
		g.Nodes[len(g.Nodes)-1].Label += conditions(t)
		return
	}
	for _, p := range t.Consume {
		g.Edges = append(g.Edges, GraphEdge{From: p.Name, To: id})
	}
	for _, p := range t.Read {
		g.Edges = append(g.Edges, GraphEdge{From: p.Name, To: id, Label: "tests"})
	}
	for _, p := range t.Produce {
		g.Edges = append(g.Edges, GraphEdge{From: id, To: p.Name})
	}
}

// DrawComposed is the composed net, the places of each party together.
func DrawComposed(d *engine.Draft) Graph {
	g := Graph{Title: titled(d.Spec.Name, d.Spec.Title)}
	shapes := composedShapes(d.Spec)
	for i, p := range d.Net.Places {
		if p.Net == "" {
			continue // history, which moves nothing
		}
		g.Nodes = append(g.Nodes, GraphNode{ID: placeID(i), Label: p.Name, Shape: shapes[p],
			Marked: slices.Contains(d.Net.Initial, i), Cluster: p.Net})
	}
	for i, t := range d.Net.Transitions {
		id := fmt.Sprintf("transition %d", i)
		g.Nodes = append(g.Nodes, GraphNode{ID: id, Label: t.Name, Shape: Box})
		for _, p := range t.In {
			g.Edges = append(g.Edges, GraphEdge{From: placeID(p), To: id})
		}
		for _, p := range t.Read {
			g.Edges = append(g.Edges, GraphEdge{From: placeID(p), To: id, Label: "tests"})
		}
		for _, p := range t.Out {
			g.Edges = append(g.Edges, GraphEdge{From: id, To: placeID(p)})
		}
		g.moves(id, t.Moves)
	}
	return g
}

// moves draws what a transition does to the nets that watch it.
func (g *Graph) moves(id string, moves []petri.Move) {
	drawn := map[[2]int]bool{}
	for _, v := range moves {
		if way := [2]int{v.From, v.To}; !drawn[way] {
			drawn[way] = true
			g.Edges = append(g.Edges, GraphEdge{From: placeID(v.From), To: id, Label: "moves"}, GraphEdge{From: id, To: placeID(v.To), Label: "moves"})
		}
	}
}

// composedShapes are the shapes of places in a composed net: states are places like others there.
func composedShapes(spec *hclspec.Contract) map[petri.Place]Shape {
	shapes := map[petri.Place]Shape{}
	for _, party := range spec.Parties {
		for _, p := range party.Places {
			shapes[petri.Place{Net: party.Name, Name: p.Name}] = Circle
			if p.Document != "" {
				shapes[petri.Place{Net: party.Name, Name: p.Name}] = Square
			}
		}
	}
	return shapes
}

func placeID(i int) string { return fmt.Sprintf("place %d", i) }

// DrawStates is the state model: a node for each reachable marking, an arc for each firing.
func DrawStates(d *engine.Draft, model *space.Graph) Graph {
	g := Graph{Title: titled(d.Spec.Name, d.Spec.Title)}
	names := placeNames(d.Net)
	for s := range model.Len() {
		g.Nodes = append(g.Nodes, GraphNode{ID: stateID(s), Label: markingText(names, model.Marking(s)), Shape: Rounded, Marked: s == 0})
		steps := model.Steps(s)
		for i, to := range model.Succ(s) {
			g.Edges = append(g.Edges, GraphEdge{From: stateID(s), To: stateID(int(to)), Label: stepText(d.Net, steps[i])})
		}
	}
	return g
}

func stateID(s int) string { return fmt.Sprintf("state %d", s) }

// placeNames are short where no other place has the name: of several purchasers each has a P0.
func placeNames(n *petri.Net) []string {
	count := map[string]int{}
	for _, p := range n.Places {
		count[p.Name]++
	}
	var names []string
	for _, p := range n.Places {
		if count[p.Name] > 1 {
			names = append(names, p.String())
		} else {
			names = append(names, p.Name)
		}
	}
	return names
}

func markingText(names []string, m petri.Marking) string {
	var marked []string
	for _, p := range m {
		marked = append(marked, names[p])
	}
	return strings.Join(marked, ", ")
}

func stepText(n *petri.Net, step []int) string {
	var names []string
	for _, t := range step {
		names = append(names, n.Transitions[t].Name)
	}
	return strings.Join(names, " + ")
}
