package workflow

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// Ends are the source and the sinks of a workflow net.
type Ends struct {
	Source int
	Sinks  []int // ascending; at least one
}

// A flaw is a reason why a net is not a workflow net.
type flaw uint8

const (
	NoSource    flaw = iota // something produces every place
	ManySources             // Places that nothing produces
	NoSink                  // something consumes every place
	Apart                   // Places and Transitions on no path from a source to a sink
	Start                   // Places that are marked initially: not the source alone
)

// A Lack is a flaw, with the places and transitions that have it.
type Lack struct {
	Flaw                flaw
	Places, Transitions []int // ascending
}

// Recognize returns the source and sinks of a workflow net, or what the net lacks to be one. A read counts as an arc each way.
// A net in which nothing is marked is treated as if its source were. Cost: linear in the arcs.
func Recognize(n *petri.Net) (Ends, []Lack) {
	g := newArcs(n)
	sources, sinks := g.without(g.into), g.without(g.from)
	var lacks []Lack
	switch len(sources) {
	case 0:
		lacks = append(lacks, Lack{Flaw: NoSource})
	case 1:
	default:
		lacks = append(lacks, Lack{Flaw: ManySources, Places: sources})
	}
	if len(sinks) == 0 {
		lacks = append(lacks, Lack{Flaw: NoSink})
	}
	if apart := g.apart(sources, sinks); len(sources) > 0 && len(sinks) > 0 && len(apart.Places)+len(apart.Transitions) > 0 {
		lacks = append(lacks, apart)
	}
	if len(sources) == 1 && len(n.Initial) > 0 && !slices.Equal(n.Initial, sources) {
		lacks = append(lacks, Lack{Flaw: Start, Places: n.Initial})
	}
	if len(lacks) > 0 {
		return Ends{}, lacks
	}
	return Ends{sources[0], sinks}, nil
}

// arcs is a net as a graph. Its nodes are the places and, after them, the transitions.
type arcs struct {
	places     int
	from, into [][]int // by node
}

func newArcs(n *petri.Net) *arcs {
	nodes := len(n.Places) + len(n.Transitions)
	g := &arcs{places: len(n.Places), from: make([][]int, nodes), into: make([][]int, nodes)}
	for i := range n.Transitions {
		t := &n.Transitions[i]
		node := len(n.Places) + i
		for _, list := range [][]int{t.In, t.Read} {
			for _, p := range list {
				g.add(p, node)
			}
		}
		for _, list := range [][]int{t.Out, t.Read} {
			for _, p := range list {
				g.add(node, p)
			}
		}
	}
	return g
}

func (g *arcs) add(from, to int) {
	g.from[from] = append(g.from[from], to)
	g.into[to] = append(g.into[to], from)
}

// without returns the places that have no arc of a kind.
func (g *arcs) without(kind [][]int) []int {
	var list []int
	for p := range g.places {
		if len(kind[p]) == 0 {
			list = append(list, p)
		}
	}
	return list
}

// apart returns the nodes on no path from a source to a sink.
func (g *arcs) apart(sources, sinks []int) Lack {
	after, before := reach(g.from, sources), reach(g.into, sinks)
	lack := Lack{Flaw: Apart}
	for node := range after {
		switch {
		case after[node] && before[node]:
		case node < g.places:
			lack.Places = append(lack.Places, node)
		default:
			lack.Transitions = append(lack.Transitions, node-g.places)
		}
	}
	return lack
}

// reach marks the nodes that can be reached from some, these included.
func reach(next [][]int, some []int) []bool {
	seen := make([]bool, len(next))
	todo := slices.Clone(some)
	for _, node := range some {
		seen[node] = true
	}
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, other := range next[node] {
			if !seen[other] {
				seen[other] = true
				todo = append(todo, other)
			}
		}
	}
	return seen
}
