package space

import (
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// A ContactError says that the net is not one-safe: a transition would put a second token on a place. It has a shortest run to that
// transition, the first in breadth-first order.
type ContactError struct {
	Markings []petri.Marking // from the initial one; Markings[i] -Steps[i]-> Markings[i+1]
	Steps    [][]int         // as many as Markings; the last step cannot be fired
	Place    int             // the place that would get a second token
	Name     petri.Place     // its name
}

func (e *ContactError) Error() string {
	return fmt.Sprintf("contact: place %v would hold two tokens after %d steps", e.Name, len(e.Steps))
}

// contact returns the error for a step in state s. It serves while the graph is being built.
func (g *Graph) contact(s int, step []int, place int) error {
	e := &ContactError{Place: place, Name: g.Net.Places[place]}
	e.Markings, e.Steps = []petri.Marking{g.Marking(s)}, [][]int{step}
	parent := g.parents(s)
	for ; s != 0; s = parent[s] {
		p := parent[s]
		i := slices.Index(g.Succ(p), uint32(s))
		e.Markings, e.Steps = append(e.Markings, g.Marking(p)), append(e.Steps, g.Steps(p)[i])
	}
	slices.Reverse(e.Markings)
	slices.Reverse(e.Steps)
	return e
}

// parents returns, for each state up to s, the first state with an arc to it, which is its breadth-first parent.
func (g *Graph) parents(s int) []int {
	parent := make([]int, s+1)
	found := 1
	for p := 0; found <= s; p++ {
		for _, t := range g.Succ(p) {
			if int(t) == found && found <= s {
				parent[found] = p
				found++
			}
		}
	}
	return parent
}
