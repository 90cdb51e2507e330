package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report/words"
)

// Composed draws the composed net. The places of each party are grouped, together with the transitions of that party alone. Norms and
// clocks, which only watch, are not drawn: the box of a transition lists those it waits for, and what becomes of them.
func Composed(d *compile.Draft) Graph {
	c := &composition{draft: d, Graph: Graph{Title: titled(d.Spec.Name, d.Spec.Title), Heads: map[string]string{}}, net: d.Net, parties: d.Spec.Parties,
		watch: watchers(d), specs: specs(d.Spec), titles: titlesOf(d.Spec)}
	if len(c.watch) > 0 {
		c.Note = watchNote
	}
	for _, party := range d.Spec.Parties {
		if c.Heads[party.Name] = partyTitle(party); party.Made == "event" {
			c.watch[party.Name] = true
		}
	}
	for i, p := range d.Net.Places {
		c.place(i, p)
	}
	for i := range d.Net.Transitions {
		c.transition(i, &d.Net.Transitions[i])
	}
	return c.Graph
}

// partyTitle returns the name and the title of a party or a norm, and the title of a clock, of which the name is made.
func partyTitle(p *hclspec.Party) string {
	if p.Made == "clock" {
		return p.Title
	}
	return titled(p.Name, p.Title)
}

// watchNote explains how a composed net shows norms and clocks.
const watchNote = "Obligations, powers and deadlines are not drawn: the box of a step lists those it waits for (while), and what becomes of them (→)."

// A composition is a composed net that is being drawn.
type composition struct {
	Graph
	draft   *compile.Draft
	net     *petri.Net
	parties []*hclspec.Party
	watch   map[string]bool                // nets that only watch
	specs   map[petri.Place]*hclspec.Place // as written in the contract
	titles  map[string]string              // of transitions
}

// watchers returns the nets that only watch: norms and clocks.
func watchers(d *compile.Draft) map[string]bool {
	all := map[string]bool{}
	for _, t := range d.Net.Transitions {
		for _, v := range t.Moves {
			if compile.IsWatcher(d.Owners[v.From]) {
				all[d.Owners[v.From].Name] = true
			}
		}
	}
	return all
}

// specs returns the places of the contract by those of the net.
func specs(spec *hclspec.Contract) map[petri.Place]*hclspec.Place {
	all := map[petri.Place]*hclspec.Place{}
	for _, party := range spec.Parties {
		for _, p := range party.Places {
			all[petri.Place{Net: party.Name, Name: p.Name}] = p
		}
	}
	return all
}

// titlesOf returns the titles of a composed net's transitions, by their names.
func titlesOf(spec *hclspec.Contract) map[string]string {
	titles := map[string]string{}
	for _, party := range spec.Parties {
		for _, t := range party.Transitions {
			titles[party.Name+"."+t.Name] = t.Title
		}
	}
	for _, e := range spec.Events {
		titles[e.Name] = e.Title
	}
	return titles
}

// placeID returns the ID of a place's node.
func placeID(i int) string { return fmt.Sprintf("place %d", i) }

// place adds the node of a place, unless it belongs to a norm or a clock.
func (c *composition) place(i int, p petri.Place) {
	if p.Net == "" || c.watch[p.Net] { // places for history move no tokens
		return
	}
	spec := c.specs[p]
	n := GraphNode{ID: placeID(i), Label: placeLabel(spec), Shape: Circle, Marked: slices.Contains(c.net.Initial, i), Cluster: p.Net}
	if spec.Document != "" {
		n.Shape = Square
	}
	c.Nodes = append(c.Nodes, n)
}

// placeLabel returns the label of a place. It distinguishes the two places of a flag, which have the same title.
func placeLabel(p *hclspec.Place) string {
	is := map[hclspec.Kind]string{hclspec.FlagTrue: " (yes)", hclspec.FlagFalse: " (no)"}[p.Kind]
	if p.Title == "" {
		is = ""
	}
	return titled(p.Name, p.Title) + is
}

// transition adds the node and arcs of a transition.
func (c *composition) transition(i int, t *petri.Transition) {
	id := fmt.Sprintf("transition %d", i)
	box := GraphNode{ID: id, Label: titled(t.Name, c.titles[t.Name]) + c.by(t), Shape: Box, Cluster: c.alone(t)}
	for _, p := range t.In {
		if !c.watch[c.net.Places[p].Net] {
			c.Edges = append(c.Edges, GraphEdge{From: placeID(p), To: id})
		}
	}
	if e := explain.Event(c.draft, i); e != nil && e.Due != nil {
		for _, timer := range e.Due.Timers {
			box.More = append(box.More, "by itself once over: "+timer.Title)
		}
	}
	for _, p := range t.Read {
		net := c.net.Places[p].Net
		switch {
		case c.draft.Owners[p].Made == "event": // that nothing is due goes without saying
			continue
		case c.watch[net]:
			box.More = append(box.More, "while "+c.watcher(net)+": "+c.word(p))
			continue
		}
		c.Edges = append(c.Edges, GraphEdge{From: placeID(p), To: id, Label: "tests"})
	}
	for _, p := range t.Out {
		if !c.watch[c.net.Places[p].Net] {
			c.Edges = append(c.Edges, GraphEdge{From: id, To: placeID(p)})
		}
	}
	box.More = append(box.More, c.moves(t.Moves)...)
	c.Nodes = append(c.Nodes, box)
}

// by returns who does an event without a transition of its own, as " (seller)".
func (c *composition) by(t *petri.Transition) string {
	var list []string
	for _, p := range t.Parts {
		if c.draft.Part(p).Made && !c.draft.Parties[p.Net].Bookkeeping() {
			list = append(list, c.draft.Parties[p.Net].Name)
		}
	}
	if list == nil {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// alone returns the net of a transition that touches no other, and otherwise "".
func (c *composition) alone(t *petri.Transition) string {
	net := ""
	for _, p := range slices.Concat(t.In, t.Out, t.Read) {
		switch of := c.net.Places[p].Net; {
		case c.watch[of]:
		case net != "" && net != of:
			return ""
		default:
			net = of
		}
	}
	return net
}

// mostMoves is the number of norms and clocks that a box lists as moved.
const mostMoves = 4

// moves lists the norms and clocks that a transition moves, with the states that it puts them in.
func (c *composition) moves(moves []petri.Move) []string {
	var nets []string
	to := map[string][]string{}
	for _, v := range moves {
		if v.Stays() {
			continue
		}
		net, word := c.net.Places[v.To].Net, c.word(v.To)
		if kind := c.specs[c.net.Places[v.To]].Kind; kind != hclspec.State && kind != hclspec.Held || slices.Contains(to[net], word) {
			continue
		}
		if to[net] == nil {
			nets = append(nets, net)
		}
		to[net] = append(to[net], word)
	}
	lines := words.Mapped(nets, func(net string) string { return "→ " + c.watcher(net) + ": " + strings.Join(to[net], " or ") })
	if more := len(lines) - mostMoves; more > 1 {
		lines = append(lines[:mostMoves], fmt.Sprintf("→ and %d more", more))
	}
	return lines
}

// watcher returns the name of a norm, or the title of a clock or of the net of an event, of which the name is made.
func (c *composition) watcher(net string) string {
	for _, p := range c.parties {
		if p.Name == net && p.Bookkeeping() && p.Title != "" {
			return p.Title
		}
	}
	return net
}

// word returns the name of a state of a norm or a clock, or by whom a norm is borne.
func (c *composition) word(p int) string {
	if place := c.specs[c.net.Places[p]]; place.Kind == hclspec.Held {
		return compile.Word(place)
	}
	return strings.ReplaceAll(c.net.Places[p].Name, "_", " ")
}

// watch draws the states of a norm or a clock, and the events that lead from one to another.
func (g *Graph) watch(d *compile.Draft, p *hclspec.Party) {
	for _, place := range p.Places {
		if place.Kind == hclspec.State {
			g.Nodes = append(g.Nodes, GraphNode{ID: place.Name, Label: titled(place.Name, place.Title), Shape: rounded, Marked: place.Marked})
		}
	}
	g.follow(d, p, func(place string) string { return place })
}

// follow draws the moves of events between the states of a net, whose nodes have the given IDs, but for those from a state in which the event is
// impossible, since it takes another of the same net (only_while).
func (g *Graph) follow(d *compile.Draft, p *hclspec.Party, id func(place string) string) {
	titles, states := titlesOf(d.Spec), map[int]bool{}
	for i, place := range d.Net.Places {
		states[i] = place.Net == p.Name && slices.ContainsFunc(p.Places, func(q *hclspec.Place) bool { return q.Name == place.Name && q.Kind == hclspec.State })
	}
	for i, t := range d.Net.Transitions {
		for _, v := range t.Moves {
			if v.Stays() {
				continue
			}
			elsewhere := func(place int) bool { return place != v.From && states[place] && states[v.From] }
			if slices.ContainsFunc(slices.Concat(t.In, t.Read, v.If), elsewhere) {
				continue
			}
			if from, to := d.Net.Places[v.From], d.Net.Places[v.To]; from.Net == p.Name && g.has(id(from.Name)) && g.has(id(to.Name)) {
				g.also(id(from.Name), id(to.Name), cmp.Or(titles[t.Name], t.Name), strconv.Itoa(i))
			}
		}
	}
}

// also adds a step from one node to another, to the edge there if there is one.
func (g *Graph) also(from, to, what, of string) {
	at := slices.IndexFunc(g.Edges, func(e GraphEdge) bool { return e.From == from && e.To == to })
	if at < 0 {
		g.Edges = append(g.Edges, GraphEdge{From: from, To: to, Label: what, Of: []string{of}})
		return
	}
	e := &g.Edges[at]
	if !slices.Contains(e.Of, of) {
		e.Of = append(e.Of, of)
	}
	if what != e.Label && !slices.Contains(e.More, "or "+what) {
		e.More = append(e.More, "or "+what)
	}
}

// has reports whether the graph has a node.
func (g *Graph) has(id string) bool {
	return slices.ContainsFunc(g.Nodes, func(n GraphNode) bool { return n.ID == id })
}
