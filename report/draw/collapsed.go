package draw

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// Limits of a collapsed state model: the number of nodes by one party's view, and the number of states that are shown by themselves.
const (
	mostBlocks = 60
	mostOpened = 30
)

// ErrNoBlocks is returned if no party's view groups the states into few enough nodes to be drawn.
var ErrNoBlocks = errors.New("whatever it is collapsed by, the picture shows nothing to anybody")

// Collapsed draws a state model with one node for all states that agree in the places of one party, or of a phase, given by its name. If
// the name is empty, states are drawn as one that agree in the places of all parties, and so differ in norms and clocks alone. If these
// are too many nodes, it chooses the party or phase with the most nodes that can still be drawn. The states at the markings in open keep
// nodes of their own, up to a limit. It also returns the node of each state. It returns ErrNoBlocks if nothing can be drawn. Cost:
// O(parties·states + arcs).
func Collapsed(ctx context.Context, d *compile.Draft, model *space.Graph, by string, open []petri.Marking) (Graph, []int, error) {
	c := &collapse{Draft: d, model: model, watch: watchers(d), of: make([]int, model.Len())}
	if err := c.choose(ctx, by); err != nil {
		return Graph{}, nil, err
	}
	c.Title, c.Note = titled(d.Spec.Name, d.Spec.Title), c.note(c.open(open))
	if err := c.nodes(ctx); err != nil {
		return Graph{}, nil, err
	}
	if err := c.arcs(ctx); err != nil {
		return Graph{}, nil, err
	}
	return c.Graph, c.of, nil
}

// A collapse is a state model that is drawn with fewer nodes.
type collapse struct {
	Graph
	*compile.Draft
	model  *space.Graph
	by     string // the party or phase in which the states of a node agree; empty: all parties
	watch  map[string]bool
	of     []int  // the node of each state
	blocks []lump // of each node
}

// A lump has the states of one node: the first, their number, and whether the first has this node to itself.
type lump struct {
	first, states int
	opened        bool
}

// note explains the picture, in which some states have nodes of their own.
func (c *collapse) note(opened int) string {
	s := fmt.Sprintf("%d states, drawn as one where they are alike in ", c.model.Len())
	if s += c.by; c.by == "" {
		s += "the states of all parties, and differ in obligations, powers and deadlines alone"
	}
	if opened > 0 {
		s += "; " + counted(opened) + " that a run comes to drawn apart"
	}
	return s + "."
}

// choose groups the states by all parties, or by one or a phase.
func (c *collapse) choose(ctx context.Context, by string) error {
	names := c.choices()
	if by != "" {
		if !slices.Contains(names, by) {
			return fmt.Errorf("there is no party or phase named %q to collapse by: there are %s", by, strings.Join(names, ", "))
		}
		return c.group(ctx, by, len(c.of)+1)
	}
	for i, name := range slices.Concat([]string{""}, names) {
		tried := &collapse{Draft: c.Draft, model: c.model, watch: c.watch, of: make([]int, len(c.of))}
		switch err := tried.group(ctx, name, mostBlocks); {
		case errors.Is(err, ErrNoBlocks):
		case err != nil:
			return err
		case len(tried.blocks) > max(len(c.blocks), 1):
			if *c = *tried; i == 0 {
				return nil
			}
		}
	}
	if len(c.blocks) == 0 {
		return ErrNoBlocks
	}
	return nil
}

// choices lists the parties that have places, and the phases.
func (c *collapse) choices() []string {
	var parties, phases []string
	for _, p := range c.Spec.Parties {
		if len(p.Places) == 0 || c.watch[p.Name] || p.Bookkeeping() {
			continue
		}
		parties = append(parties, p.Name)
		if phase, _, nested := strings.Cut(p.Name, "."); nested && p.Plays != "" && !slices.Contains(phases, phase) {
			phases = append(phases, phase)
		}
	}
	return append(parties, phases...)
}

// group groups the states that agree in the places of a party or a phase. It returns ErrNoBlocks if there are more than most groups.
func (c *collapse) group(ctx context.Context, by string, most int) error {
	c.by = by
	at := map[string]int{}
	for s := range c.of {
		if s%4096 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		key := c.seen(c.model.Marking(s))
		n, met := at[key]
		if !met {
			if n = len(c.blocks); n == most {
				return ErrNoBlocks
			}
			at[key], c.blocks = n, append(c.blocks, lump{first: s})
		}
		c.of[s] = n
		c.blocks[n].states++
	}
	return nil
}

// seen returns a key for the places of a marking that count.
func (c *collapse) seen(m petri.Marking) string {
	var b strings.Builder
	for _, p := range m {
		if c.counts(c.Net.Places[p].Net) {
			fmt.Fprintf(&b, "%d ", p)
		}
	}
	return b.String()
}

// counts reports whether the places of a net count.
func (c *collapse) counts(net string) bool {
	if c.by == "" {
		return net != "" && !c.watch[net]
	}
	return net == c.by || strings.HasPrefix(net, c.by+".")
}

// open gives the states at some markings nodes of their own, and returns how many.
func (c *collapse) open(markings []petri.Marking) int {
	opened := 0
	for _, m := range markings {
		s, ok := c.model.Find(c.Present(m))
		if !ok || c.blocks[c.of[s]].opened || opened == mostOpened {
			continue
		}
		c.blocks[c.of[s]].states--
		c.of[s] = len(c.blocks)
		c.blocks = append(c.blocks, lump{first: s, states: 1, opened: true})
		opened++
	}
	return opened
}

// nodes adds the nodes that have states. A node is marked as final if all its states are.
func (c *collapse) nodes(ctx context.Context) error {
	start, open := c.of[0], make([]bool, len(c.blocks))
	final, err := finals(ctx, c.Draft, c.model)
	if err != nil {
		return err
	}
	for s, n := range c.of {
		open[n] = open[n] || !final(s)
	}
	for i, b := range c.blocks {
		n := GraphNode{ID: fmt.Sprintf("block %d", i), Shape: rounded, Marked: i == start, Final: !open[i]}
		if b.opened {
			n.ID = StateID(b.first)
			n.setLabel(stateLines(c.Draft, c.model.Marking(b.first)))
		} else {
			n.setLabel(append(c.alike(b.first), counted(b.states)))
		}
		if b.states > 0 {
			c.Nodes = append(c.Nodes, n)
		}
	}
	return nil
}

// alike returns what the states of a node have in common, a line for each party.
func (c *collapse) alike(s int) []string {
	var lines []string
	for _, p := range explain.PartiesAt(c.Draft, c.model.Marking(s)) {
		if c.counts(p.Party) {
			lines = append(lines, stateLine(p, "nothing"))
		}
	}
	return lines
}

// counted returns a number of states in words.
func counted(n int) string {
	if n == 1 {
		return "1 state"
	}
	return fmt.Sprintf("%d states", n)
}

// arcs adds one arc for all that lead from one node to another.
func (c *collapse) arcs(ctx context.Context) error {
	titles := titlesOf(c.Spec)
	all := map[[2]int]*bundle{}
	for s := range c.model.Len() {
		if s%4096 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var steps [][]int
		for i, to := range c.model.Succ(s) {
			key := [2]int{c.of[s], c.of[to]}
			if key[0] == key[1] {
				continue
			}
			if steps == nil {
				steps = c.model.Steps(s)
			}
			if all[key] == nil {
				all[key] = &bundle{}
			}
			all[key].add(stepText(c.Net, titles, steps[i]))
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(all), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		c.Edges = append(c.Edges, all[key].edge(c.id(key[0]), c.id(key[1])))
	}
	return nil
}

// id returns the ID of a node.
func (c *collapse) id(n int) string {
	if b := c.blocks[n]; b.opened {
		return StateID(b.first)
	}
	return fmt.Sprintf("block %d", n)
}

// mostNamed is the number of different steps that are named at an arc.
const mostNamed = 2

// A bundle has the steps from one node to another.
type bundle struct {
	names map[string]bool
	first []string // in order of appearance
	more  int      // number of further names
}

// add adds a step by its name.
func (b *bundle) add(name string) {
	if b.names == nil {
		b.names = map[string]bool{}
	}
	switch {
	case b.names[name]:
		return
	case len(b.first) < mostNamed:
		b.first = append(b.first, name)
	default:
		b.more++
	}
	b.names[name] = true
}

// edge returns the bundle as an edge.
func (b *bundle) edge(from, to string) GraphEdge {
	e := GraphEdge{From: from, To: to, Label: b.first[0]}
	for _, also := range b.first[1:] {
		e.More = append(e.More, "or "+also)
	}
	if b.more > 0 {
		e.More = append(e.More, fmt.Sprintf("or %d others", b.more))
	}
	return e
}

// finals returns a function that reports whether the contract may end in a state, as far as the state alone determines that.
func finals(ctx context.Context, d *compile.Draft, model *space.Graph) (func(int) bool, error) {
	final := d.FinalNow()
	if final == nil {
		return func(int) bool { return false }, nil
	}
	set, err := ctl.New(model.Sets()).Sat(ctx, final)
	if err != nil {
		return nil, err
	}
	return func(s int) bool { return space.Has(set, s) }, nil
}
