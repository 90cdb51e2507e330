package draw

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report/words"
)

// Party draws one party's view as it is written: as a state diagram, with each transition that moves between states as an edge, or as a net
// if it has plain places. A party that only plays roles in phases is drawn in those phases. Of a norm or a clock it draws the states and
// the events between them.
func Party(d *compile.Draft, p *hclspec.Party) Graph {
	g := Graph{Title: partyTitle(p), Heads: map[string]string{}}
	switch {
	case watchers(d)[p.Name]:
		g.watch(d, p)
	case len(p.Places) == 0:
		for _, role := range d.Spec.Parties {
			if role.Plays == p.Name {
				g.Heads[role.Name] = titled(role.Name, role.Title)
				g.view(d, role, role.Name)
			}
		}
	default:
		g.view(d, p, "")
	}
	g.Note = ownNote(d, p)
	return g
}

// ownNote says that the steps of a party may have to wait for what its picture does not show: for a net that takes no part in one, as only_while, a
// duration or a document has it. It returns "" if none does, or if the party is a norm or a clock.
func ownNote(d *compile.Draft, p *hclspec.Party) string {
	if compile.IsWatcher(p) {
		return ""
	}
	own := func(q *hclspec.Party) bool { return q == p || q.Plays == p.Name }
	for _, t := range d.Net.Transitions {
		acts := func(q *hclspec.Party) bool {
			return slices.ContainsFunc(t.Parts, func(part petri.Part) bool { return d.Parties[part.Net] == q })
		}
		if !slices.ContainsFunc(t.Parts, func(part petri.Part) bool { return own(d.Parties[part.Net]) }) &&
			!slices.ContainsFunc(t.Moves, func(v petri.Move) bool { return own(d.Owners[v.From]) }) {
			continue
		}
		if slices.ContainsFunc(slices.Concat(t.In, t.Read), func(place int) bool {
			q := d.Owners[place]
			return q.Made != "event" && !own(q) && !acts(q)
		}) {
			return "The steps of its own text. What else some of them wait for is not drawn."
		}
	}
	return ""
}

// view draws the places and transitions of a party, inside a cluster unless that is "".
func (g *Graph) view(d *compile.Draft, p *hclspec.Party, cluster string) {
	p = written(p)
	id := func(place string) string { return cluster + " " + place }
	diagram := !slices.ContainsFunc(p.Places, func(q *hclspec.Place) bool { return q.Kind == hclspec.Plain })
	for _, place := range p.Places {
		if !diagram || place.Kind == hclspec.State {
			g.Nodes = append(g.Nodes, GraphNode{ID: id(place.Name), Label: titled(place.Name, place.Title), Shape: shapeOf(place),
				Marked: place.Marked, Cluster: cluster})
		}
	}
	for _, t := range p.Transitions {
		if from, to, ok := move(t); diagram && ok {
			g.Edges = append(g.Edges, GraphEdge{From: id(from), To: id(to), Label: titled(cmp.Or(t.Of, t.Name), t.Title) + conditions(t),
				Of: []string{p.Name + "." + cmp.Or(t.Of, t.Name)}})
			continue
		}
		if !t.Made {
			g.transition(t, cluster, diagram)
		}
	}
	g.follow(d, p, id)
}

// shapeOf returns the shape of a place.
func shapeOf(p *hclspec.Place) Shape {
	switch {
	case p.Kind == hclspec.State:
		return rounded
	case p.Document != "":
		return Square
	}
	return Circle
}

// titled returns a name and a title, or the title alone if it says the same: out_of_pocket, out of pocket.
func titled(name, title string) string {
	switch {
	case title == "":
		return name
	case strings.EqualFold(spoken.Replace(name), strings.TrimPrefix(spoken.Replace(title), "the ")):
		return title
	}
	return name + ": " + title
}

var spoken = strings.NewReplacer("_", " ", "-", " ")

// move returns the states between which a transition of a state diagram moves. It reports false if there are none.
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

// conditions returns the flags and counters that a transition tests and changes, as in "[not GAV] / GAV".
func conditions(t *hclspec.Transition) string {
	text := ""
	for _, p := range t.Read {
		if p.Flag != "" || p.Counter != "" {
			text += " [" + condition(p) + "]"
		}
	}
	for _, p := range t.Produce {
		if p.Flag != "" || p.Counter != "" {
			text += " / " + condition(p)
		}
	}
	return text
}

// condition returns a flag or counter as text.
func condition(p *hclspec.Place) string {
	switch p.Kind {
	case hclspec.FlagTrue:
		return p.Flag
	case hclspec.FlagFalse:
		return "not " + p.Flag
	}
	return p.Name
}

// transition draws a box with its arcs. In a diagram, which has no nodes for flags, it draws no arcs but adds the conditions.
func (g *Graph) transition(t *hclspec.Transition, cluster string, diagram bool) {
	id := "transition " + cluster + " " + t.Name
	box := GraphNode{ID: id, Label: titled(cmp.Or(t.Of, t.Name), t.Title), Shape: Box, Cluster: cluster}
	if diagram {
		box.Label += conditions(t)
	}
	g.Nodes = append(g.Nodes, box)
	if diagram {
		return
	}
	for _, p := range t.Consume {
		g.Edges = append(g.Edges, GraphEdge{From: cluster + " " + p.Name, To: id})
	}
	for _, p := range t.Read {
		g.Edges = append(g.Edges, GraphEdge{From: cluster + " " + p.Name, To: id, Label: "tests"})
	}
	for _, p := range t.Produce {
		g.Edges = append(g.Edges, GraphEdge{From: id, To: cluster + " " + p.Name})
	}
}

// States draws the state model: a node for each reachable marking, with a line for each party, and an arc for each firing.
func States(d *compile.Draft, model *space.Graph) Graph {
	g := Graph{Title: titled(d.Spec.Name, d.Spec.Title), Note: finalsNote(d)}
	titles := titlesOf(d.Spec)
	final, _ := finals(context.Background(), d, model) // the background context is never cancelled
	for s := range model.Len() {
		n := stateNode(d, s, model.Marking(s))
		n.Final = final(s)
		g.Nodes = append(g.Nodes, n)
		steps := model.Steps(s)
		for i, to := range model.Succ(s) {
			g.Edges = append(g.Edges, GraphEdge{From: StateID(s), To: StateID(int(to)), Label: stepText(d.Net, titles, steps[i]), Of: words.Mapped(steps[i], strconv.Itoa)})
		}
	}
	return g
}

// finalsNote explains why no final state is marked. It returns "" if they are, or if there are none.
func finalsNote(d *compile.Draft) string {
	if d.Final == nil || d.FinalNow() != nil {
		return ""
	}
	return "Final states are not marked, since which ones are depends on what has happened."
}

// stateNode returns the node of a state with a number and a marking. State 0 is the initial one.
func stateNode(d *compile.Draft, s int, m petri.Marking) GraphNode {
	n := GraphNode{ID: StateID(s), Shape: rounded, Marked: s == 0}
	n.setLabel(stateLines(d, m))
	return n
}

// StateID returns the ID of the node of a state.
func StateID(s int) string { return fmt.Sprintf("state %d", s) }

// stepText names the transitions of a step.
func stepText(n *petri.Net, titles map[string]string, step []int) string {
	var names []string
	for _, t := range step {
		name := n.Transitions[t].Name
		names = append(names, cmp.Or(titles[name], name))
	}
	return strings.Join(names, " + ")
}
