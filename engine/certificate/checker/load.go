package checker

import (
	"context"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// all checks the claims one by one, smallest first.
func (k *verifier) all(ctx context.Context, c *Certificate) *Refusal {
	if len(c.Order) != len(k.Net.Places) {
		return &Refusal{Why: fmt.Sprintf("it is about %d places, and the contract has %d", len(c.Order), len(k.Net.Places))}
	}
	if refused := k.load(ctx, c); refused != nil {
		return refused
	}
	for id := range k.claims {
		if refused := k.claim(id); refused != nil {
			return refused
		}
		if refused := k.forget(ctx, c); refused != nil {
			return refused
		}
	}
	start := k.Set([]petri.Marking{k.Net.Initial})
	root := len(k.claims) - 1
	if k.within(start, root) == None {
		return k.because(root, start, "is not shown of the initial state")
	}
	return nil
}

// load copies the sets into a new forest.
func (k *verifier) load(ctx context.Context, c *Certificate) *Refusal {
	k.Forest = NewForest(ctx, c.Order, k.limits.Nodes)
	k.system = newFiring(k.Forest, k.Problem)
	if k.Rule != petri.One {
		k.system = newListing(k.Forest, k.Problem, visits(k.limits))
	}
	k.rings, k.sets, k.uses = make([][]Ring, len(k.claims)), map[int]Node{}, map[Node]int{}
	k.known, k.led, k.moving = map[within]Node{}, map[passage]bool{}, map[Node]bool{}
	nodes := []Node{None, Blank}
	for _, n := range c.Nodes {
		nodes = append(nodes, k.Node(n.Level, nodes[n.Low], nodes[n.High]))
	}
	next := 0
	for id, claim := range k.claims {
		if !claim.Kind.Temporal() {
			continue
		}
		if next == len(c.Sets) {
			return &Refusal{Why: "it has sets for fewer parts than the formula has"}
		}
		for _, r := range c.Sets[next] {
			if r.Actor >= len(k.Acts) {
				return &Refusal{Why: "it speaks of a party that is not assumed to make progress"}
			}
			k.rings[id] = append(k.rings[id], Ring{nodes[r.Set], r.Actor})
			k.uses[nodes[r.Set]]++
		}
		next++
	}
	if next < len(c.Sets) {
		return &Refusal{Why: "it has sets for more parts than the formula has"}
	}
	return nil
}

func visits(lim Limits) int {
	if lim.Visits == 0 {
		return 1<<62 - 1
	}
	return lim.Visits
}

// forget loads the sets into a new forest once the old one has many more nodes than they need and half of the limit, because a forest never
// frees nodes. Claims are checked one by one, and need little of what was computed for others. Counts of visits continue.
func (k *verifier) forget(ctx context.Context, c *Certificate) *Refusal {
	if k.Rule != petri.One || k.limits.Nodes == 0 || len(k.nodes) < max(k.limits.Nodes/2, 2*len(c.Nodes)) {
		return nil
	}
	return k.load(ctx, c)
}

// set returns the markings that a claim is about. The first ring is united last, because other claims may share the others.
func (k *verifier) set(id int) Node {
	set, known := k.sets[id]
	if !known {
		for _, r := range slices.Backward(k.rings[id]) {
			set = k.Union(set, r.Set)
		}
		k.sets[id] = set
	}
	return set
}
