package certificate

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// A model is a state model used for proofs: its algebra of sets, and how to write a set as a diagram.
type model[S any] struct {
	ctl.Algebra[S]
	order []int // of the places in certificates
	write func(*checker.Forest, S) checker.Node
	fair  fairness[S] // nil: no actor is assumed to make progress
	most  int         // rings of one claim
	steps int         // how often a set is extended by its successors before all states that satisfy the claim are taken
}

// A fairness computes the fair parts of sets, as part of a proof that errors end: see fair.go, fair_drawn.go.
type fairness[S any] interface {
	// core returns where fair paths in a set end up: its dead ends, and parts of it in which fair paths go on for ever.
	core(ctx context.Context, in S) S
	// turns returns the states of the core that a fair path from some of its states needs, and rings for each actor.
	turns(ctx context.Context, core, some S) (whole S, rings [][]S)
	// waits splits a set in which no fair path stays for ever into rings: steps from one lead to earlier ones or out of the set, or it is an
	// actor's turn.
	waits(ctx context.Context, in S) []ring[S]
}

// A ring is a set of states, and the actor whose turn it is; -1: none.
type ring[S any] struct {
	set   S
	actor int
}

// maxRingBytes limits the memory of the rings of one claim.
const maxRingBytes = 512 << 20

// listed returns a model on explicit states.
func listed(g *space.Graph, net *petri.Net) model[space.Set] {
	m := model[space.Set]{Algebra: g.Sets(), order: inOrder(net), steps: maxRounds, most: max(16, maxRingBytes/(g.Len()/8+64))}
	m.write = func(f *checker.Forest, set space.Set) checker.Node { return writeListed(f, g, set) }
	return m
}

// inOrder returns the places in the order of the net: party by party.
func inOrder(net *petri.Net) []int {
	order := make([]int, len(net.Places))
	for i := range order {
		order[i] = i
	}
	return order
}

// chunk is the number of markings converted at a time.
const chunk = 1 << 14

func writeListed(f *checker.Forest, g *space.Graph, set space.Set) checker.Node {
	whole := checker.None
	var some []petri.Marking
	for s := range g.Len() {
		if !space.Has(set, s) {
			continue
		}
		if some = append(some, g.Marking(s)); len(some) == chunk {
			whole, some = f.Union(whole, f.Set(some)), some[:0]
		}
	}
	return f.Union(whole, f.Set(some))
}

// maxDrawn limits the rings of one claim on diagrams.
const maxDrawn = 1 << 16

// drawn returns a model on decision diagrams.
func drawn(ctx context.Context, x *symbolic.Model, net *petri.Net, acts [][]int) model[dd.Node] {
	m := model[dd.Node]{Algebra: x.Sets(ctx), steps: maxRounds, most: maxDrawn}
	if len(acts) > 0 {
		fair := x.Fair(ctx, acts)
		m.Algebra, m.fair = fair, crowd{fair, len(acts)}
	}
	levels := x.Levels()
	levelOf := make([]int, len(net.Places)) // of certificates, by place
	for i := len(levels) - 1; i >= 0; i-- {
		for _, p := range levels[i] {
			levelOf[p] = len(m.order)
			m.order = append(m.order, p)
		}
	}
	known := map[dd.Node]checker.Node{dd.Empty: checker.None, dd.Unit: checker.Blank}
	var write func(*checker.Forest, dd.Node) checker.Node
	write = func(f *checker.Forest, n dd.Node) checker.Node {
		if of, ok := known[n]; ok {
			return of
		}
		level, children := x.Children(n)
		places := levels[level-1]
		of := checker.None
		if len(children) > len(places) { // no place is marked
			of = write(f, children[len(places)])
		}
		for i, p := range slices.Backward(places) {
			of = f.Node(levelOf[p], of, write(f, children[i]))
		}
		known[n] = of
		return of
	}
	m.write = write
	return m
}
