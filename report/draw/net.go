package draw

import (
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/hclspec"
)

// Net is one party's view as the Petri net it stands for, before it is composed with the others: each flag is two
// places and each counter one for each value. Of a norm or a clock it is what DrawParty draws.
func Net(d *compile.Draft, p *hclspec.Party) Graph {
	if watchers(d.Net)[p.Name] {
		return Party(d, p)
	}
	g := Graph{Title: titled(p.Name, p.Title), Heads: map[string]string{}}
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

func (g *Graph) net(p *hclspec.Party, cluster string) {
	for _, place := range p.Places {
		n := GraphNode{ID: cluster + " " + place.Name, Label: placeLabel(place), Shape: Circle, Marked: place.Marked, Cluster: cluster}
		if place.Document != "" {
			n.Shape = Square
		}
		g.Nodes = append(g.Nodes, n)
	}
	for _, t := range p.Transitions {
		g.transition(t, cluster, false)
	}
}
