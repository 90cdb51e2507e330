package draw

import (
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/hclspec"
)

// Net draws one party's view as the Petri net that it means, before it is composed with the others: each flag is two places, and each
// counter has a place for each value. A norm or a clock is drawn as Party does.
func Net(d *compile.Draft, p *hclspec.Party) Graph {
	if watchers(d)[p.Name] {
		return Party(d, p)
	}
	g := Graph{Title: titled(p.Name, p.Title), Heads: map[string]string{}, Note: ownNote(d, p)}
	if len(p.Places) > 0 {
		g.net(p, "")
		return g
	}
	for _, role := range d.Spec.Parties {
		if role.Plays == p.Name {
			g.Heads[role.Name] = titled(role.Name, role.Title)
			g.net(role, role.Name)
		}
	}
	return g
}

// net draws the places and transitions of a party, inside a cluster unless that is "".
func (g *Graph) net(p *hclspec.Party, cluster string) {
	for _, place := range p.Places {
		n := GraphNode{ID: cluster + " " + place.Name, Label: placeLabel(place), Shape: Circle, Marked: place.Marked, Cluster: cluster}
		if place.Document != "" {
			n.Shape = Square
		}
		g.Nodes = append(g.Nodes, n)
	}
	for _, t := range p.Transitions {
		if !t.Made {
			g.transition(t, cluster, false)
		}
	}
}
