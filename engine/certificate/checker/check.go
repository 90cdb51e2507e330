// Package checker accepts or refuses certificates of verdicts. It is small enough to be read, and of the engines it uses only nets
// (engine/petri) and formulas (engine/ctl: the type, not the labelling). Package certificate documents what a certificate is, and why none
// of a wrong verdict is accepted.
//
//	claims.go       what is to be shown: a formula without negations
//	forest.go       sets of markings, as diagrams
//	system.go       firing, on diagrams; listing.go: marking by marking, where transitions fire together
//	certificate.go  the file
//	load.go         its sets, and what is kept of them
//	check.go        the conditions
//	refusal.go      why not
package checker

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// Limits of a check; 0 means no limit.
type Limits struct {
	Nodes  int // of diagrams
	Visits int // markings and steps that are visited if transitions fire together
}

// Check returns nil if the certificate proves its verdict of the formula, whose atoms must be resolved to places of the net. It returns a
// *Refusal with the first reason if it does not, and ErrTooLarge or the context's cause if the check could not be completed. The caller has
// to compare the certificate's contract and formula with its own.
func Check(ctx context.Context, c *Certificate, p Problem, f *ctl.Formula, lim Limits) error {
	k := &verifier{Problem: p, claims: Claims(f, c.Holds, len(p.Acts) > 0), limits: lim}
	var refused *Refusal
	err := Guard(func() { refused = k.all(ctx, c) })
	if err == nil && refused != nil {
		return refused
	}
	return err
}

// A verifier is the state of a check.
type verifier struct {
	Problem
	*Forest
	system
	claims []Claim
	limits Limits

	rings  [][]Ring        // by claim
	sets   map[int]Node    // by claim, the union of its rings
	uses   map[Node]int    // by ring set, the number of claims that use it
	known  map[within]Node // results of within
	led    map[passage]bool
	moving map[Node]bool
}

type within struct {
	set   Node
	claim int
}

// within returns the markings of a set for which a claim is shown.
func (k *verifier) within(x Node, id int) Node {
	c := &k.claims[id]
	switch {
	case x == None || c.Kind == False:
		return None
	case c.Kind == True:
		return x
	case c.Kind == Place || c.Kind == NotPlace:
		return k.marked(x, c.Place, c.Kind == Place)
	case c.Kind.Temporal():
		return k.Intersect(x, k.set(id))
	}
	key := within{x, id}
	if n, ok := k.known[key]; ok {
		return n
	}
	n := k.combined(x, c)
	k.known[key] = n
	return n
}

func (k *verifier) combined(x Node, c *Claim) Node {
	switch c.Kind {
	case And:
		return k.within(k.within(x, c.Left), c.Right)
	case Or:
		left := k.within(x, c.Left)
		return k.Union(left, k.within(k.Minus(x, left), c.Right))
	}
	var list []petri.Marking
	k.eachMarking(x, func(m petri.Marking) bool {
		if len(list) == k.limits.Visits && k.limits.Visits > 0 {
			panic(stop{ErrTooLarge})
		}
		if c.Sum.Holds(m.Has) == (c.Kind == Sum) {
			list = append(list, slices.Clone(m))
		}
		return true
	})
	return k.Set(list)
}

// claim checks the sets of one claim, provided that those of its parts are correct.
func (k *verifier) claim(id int) *Refusal {
	c := &k.claims[id]
	if !c.Kind.Temporal() {
		return nil
	}
	rings := k.rings[id]
	if c.Kind != EU && c.Kind != AU && c.Kind != Round && len(rings) > 1 {
		return k.because(id, None, "has more sets than it can have")
	}
	switch c.Kind {
	case EX:
		return k.some(id, k.set(id), k.within(k.post(k.set(id), anybody), c.Left))
	case AX:
		return k.next(id, k.set(id), func(y Node) Node { return k.within(y, c.Left) })
	case AW:
		return k.always(id)
	case EW:
		return k.forever(id)
	case EU:
		return k.eventually(id)
	case AU:
		return k.inevitably(id)
	}
	return k.round(id)
}

// waiting returns the markings of a set for which Right is not shown. It refuses the claim unless Left is shown for them.
func (k *verifier) waiting(id int, set Node) (d Node, refused *Refusal) {
	c := &k.claims[id]
	d = k.Minus(set, k.within(set, c.Right))
	if lost := k.Minus(d, k.within(d, c.Left)); lost != None {
		return d, k.because(id, lost, "is claimed of a state in which none of its parts is shown")
	}
	return d, nil
}

// some checks that each marking of d has a step into a set.
func (k *verifier) some(id int, d, into Node) *Refusal {
	if lost := k.Minus(d, k.pre(d, into, anybody)); lost != None {
		return k.because(id, lost, "is claimed of a state from which no step leads where it must")
	}
	return nil
}

// next checks that no step from d ends in contact, and that all successors pass shown.
func (k *verifier) next(id int, d Node, shown func(Node) Node) *Refusal {
	if at, place := k.contact(d); at != None {
		r := k.because(id, at, "is claimed of a state in which a step would put a second token on "+k.Net.Places[place].String())
		return r
	}
	lost := None
	k.apart(d, func(after Node) { lost = k.Union(lost, k.Minus(after, shown(after))) })
	if lost != None {
		return k.stepping(id, d, lost, anybody)
	}
	return nil
}

// always checks A[Left W Right]: one set, closed under steps.
func (k *verifier) always(id int) *Refusal {
	if set := k.set(id); k.plain(id, set, set) {
		return nil
	}
	d, refused := k.waiting(id, k.set(id))
	if refused != nil {
		return refused
	}
	return k.next(id, d, func(y Node) Node { return k.Intersect(y, k.set(id)) })
}

// forever checks E[Left W Right]: one set, in which each marking except dead ends has a step that stays in it.
func (k *verifier) forever(id int) *Refusal {
	d, refused := k.waiting(id, k.set(id))
	if refused != nil {
		return refused
	}
	return k.some(id, k.able(d, anybody), k.set(id))
}

// eventually checks E[Left U Right]: rings, where each marking of a ring has a step to the one before.
func (k *verifier) eventually(id int) *Refusal {
	before := None
	for _, r := range k.rings[id] {
		d, refused := k.waiting(id, r.Set)
		if refused == nil {
			refused = k.some(id, d, before)
		}
		if refused != nil {
			return refused
		}
		before = r.Set
	}
	return nil
}

// inevitably checks A[Left U Right]: rings, where all steps lead to earlier ones. If it is an actor's turn, steps may also stay in the ring,
// but not those in which the actor acts, and the actor must always be able to act.
func (k *verifier) inevitably(id int) *Refusal {
	rings := k.rings[id]
	before, united := None, 0 // the union of so many rings
	for i, r := range rings {
		if i > 0 && k.plain(id, r.Set, rings[i-1].Set) && k.moves(r.Set) {
			continue
		}
		for ; united < i; united++ {
			before = k.Union(before, rings[united].Set)
		}
		d, refused := k.waiting(id, r.Set)
		if refused == nil {
			refused = k.inevitable(id, d, before, r)
		}
		if refused != nil {
			return refused
		}
	}
	return nil
}

// plain reports whether all of a set that several claims have leads to another, whether it waits or not, and whoever's turn it is, and Left is shown
// of all of it. Where it leads is found out once, so a claim for each of many parties is checked almost at the price of one.
func (k *verifier) plain(id int, set, into Node) bool {
	return k.uses[set] > 1 && k.leads(set, into) && k.within(set, k.claims[id].Left) == set
}

// A passage asks whether all steps from one set lead into another.
type passage struct{ from, into Node }

// leads reports whether all steps from a set lead into another, and none ends in contact. It caches the answer.
func (k *verifier) leads(from, into Node) bool {
	key := passage{from, into}
	is, known := k.led[key]
	if !known {
		is = true
		k.apart(from, func(after Node) { is = is && k.Minus(after, into) == None })
		if is {
			at, _ := k.contact(from)
			is = at == None
		}
		k.led[key] = is
	}
	return is
}

// moves reports whether something can fire in each marking of a set. It caches the answer.
func (k *verifier) moves(set Node) bool {
	is, known := k.moving[set]
	if !known {
		is = k.able(set, anybody) == set
		k.moving[set] = is
	}
	return is
}

func (k *verifier) inevitable(id int, d, before Node, r Ring) *Refusal {
	if lost := k.Minus(d, k.able(d, r.Actor)); lost != None {
		return k.because(id, lost, "is claimed to come, of a state in which nothing need happen for it to come")
	}
	into := before
	if r.Actor != anybody {
		acted := k.post(d, r.Actor)
		if lost := k.Minus(acted, before); lost != None {
			return k.stepping(id, d, lost, r.Actor)
		}
		into = k.Union(before, r.Set)
	}
	return k.next(id, d, func(y Node) Node { return k.Intersect(y, into) })
}

// round checks Left for ever on a fair path. The first set is the whole; then, for each actor, rings: in the first of its
// rings the actor can't act and some step stays in the whole, or it acts and stays; from each other some step leads to the ring before.
// Each marking of the whole is in a ring of each actor, or a dead end.
func (k *verifier) round(id int) *Refusal {
	rings := k.rings[id]
	if len(rings) == 0 {
		return nil
	}
	if rings[0].Actor != anybody {
		return k.because(id, None, "does not begin with its whole set")
	}
	whole := rings[0].Set
	if lost := k.Minus(whole, k.within(whole, k.claims[id].Left)); lost != None {
		return k.because(id, lost, "is claimed of a state in which none of its parts is shown")
	}
	for actor := range k.Acts {
		covered, before := None, None
		for _, r := range rings[1:] {
			if r.Actor != actor {
				continue
			}
			if refused := k.turn(id, r, whole, before, covered == None); refused != nil {
				return refused
			}
			before, covered = r.Set, k.Union(covered, r.Set)
		}
		rest := k.Minus(whole, covered)
		if lost := k.able(rest, anybody); lost != None {
			return k.because(id, lost, "is claimed of a state from which no path is shown on which everybody has a turn who is assumed to")
		}
	}
	if set := k.set(id); set != whole {
		return k.because(id, k.Minus(set, whole), "has rings outside its whole set")
	}
	return nil
}

// turn checks one ring of an actor.
func (k *verifier) turn(id int, r Ring, whole, before Node, first bool) *Refusal {
	if !first {
		return k.some(id, r.Set, before)
	}
	idle := k.Minus(r.Set, k.pre(r.Set, whole, r.Actor))
	if lost := k.able(idle, r.Actor); lost != None {
		return k.because(id, lost, "is claimed of a state in which somebody can act, and is not seen to")
	}
	return k.some(id, idle, whole)
}
