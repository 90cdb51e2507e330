package diff

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/hclspec"
)

// Changes returns the differences between two versions of a contract, in the order of Elements and then of names, and the mapping between
// the names of both. Order, layout and prose are no difference. An element that is added or removed with its party or net is not listed by
// itself, but Names has it.
func Changes(base, head *hclspec.Contract) ([]Change, *Names) {
	p := pair(take(base, playing(base, head)), take(head, playing(head, base)))
	var list []Change
	for i, t := range p.base.things {
		switch {
		case t.element >= instance:
		case p.toHead[i] >= 0:
			list = append(list, p.changed(i, p.toHead[i])...)
		case p.base.alone(i, p.toHead):
			list = append(list, Change{Action: Removed, Element: t.element, Scenario: t.scenario(), Name: p.base.full(i), Base: t.at, Terms: mirrored(p.base.content(i))})
		}
	}
	for i, t := range p.head.things {
		if t.element < instance && p.toBase[i] < 0 && p.head.alone(i, p.toBase) {
			list = append(list, Change{Action: Added, Element: t.element, Scenario: t.scenario(), Name: p.head.full(i), Head: t.at, Terms: p.head.content(i)})
		}
	}
	for i := range list {
		list[i].Fingerprint = list[i].fingerprint()
	}
	slices.SortFunc(list, inOrder)
	return list, &Names{pairing: p}
}

func inOrder(a, b Change) int {
	return cmp.Or(cmp.Compare(a.Element, b.Element), hclspec.Natural(a.Name, b.Name), hclspec.Natural(a.Was, b.Was), cmp.Compare(a.Action, b.Action),
		cmp.Compare(a.Fingerprint, b.Fingerprint))
}

// alone reports whether a thing is listed by itself, and not with its party or net.
func (in *inventory) alone(i int, to []int) bool {
	parent := in.things[i].parent
	if parent < 0 || to[parent] >= 0 {
		return true
	}
	e := in.things[parent].element
	return e != Party && e != Net
}

// changed returns the changes of a thing that both sides have: a rename, a rewiring, both, or none.
func (p *pairing) changed(base, head int) []Change {
	var list []Change
	was, now := p.base.things[base], p.head.things[head]
	c := Change{Element: now.element, Scenario: now.scenario(), Name: p.head.full(head), Base: was.at, Head: now.at}
	if name := p.base.full(base); name != c.Name {
		c.Was = name
	}
	if was.name != now.name && now.element != Acceptance {
		c.Action = Renamed
		list = append(list, c)
	}
	if terms := p.terms(base, head); len(terms) > 0 {
		c.Action, c.Terms = Rewired, terms
		list = append(list, c)
	}
	return list
}

// scenario reports whether a thing is a scenario, which is a requirement otherwise.
func (t *thing) scenario() bool {
	return t.element == Requirement && slices.ContainsFunc(t.clauses, func(c clause) bool { return c.word == "scenario" })
}

// content returns the attributes of an added thing. Those of a party or net include the number of its elements of each kind.
func (in *inventory) content(i int) []Term {
	var list []Term
	t := in.things[i]
	for _, c := range t.written() {
		if own := c.word == "label" && in.text(c.value) == t.name; !own && t.element != Acceptance && !(c.word == "set" && t.counts != nil) {
			list = append(list, Term{Word: c.word, Now: in.wording(c)})
		}
	}
	if t.counts != nil {
		list = append(list, Term{Word: "set", Now: in.sets(clauseOf(t.clauses, "set"), t.counts)}, Term{Word: "require", Now: in.requires(t.counts)})
	}
	for _, e := range ownElements {
		n := 0
		for _, part := range in.partsOf(i) {
			if in.things[part].element == e {
				n++
			}
		}
		if n > 0 {
			list = append(list, Term{Word: plurals[e], Now: fmt.Sprint(n)})
		}
	}
	slices.SortStableFunc(list, inWordOrder)
	return slices.DeleteFunc(list, func(t Term) bool { return t.Now == "" })
}

var plurals = map[Element]string{State: "states", flag: "flags", Counter: "counters", Place: "places", Transition: "transitions"}

// mirrored exchanges the sides of terms in place.
func mirrored(list []Term) []Term {
	for i, t := range list {
		list[i].Was, list[i].Now = t.Now, t.Was
	}
	return list
}

// Mirror returns the change with base and head exchanged.
func (c Change) Mirror() Change {
	c.Action = c.Action.opposite()
	if c.Was != "" {
		c.Name, c.Was = c.Was, c.Name
	}
	c.Terms = mirrored(slices.Clone(c.Terms))
	c.Base, c.Head = c.Head, c.Base
	c.Fingerprint = c.fingerprint()
	return c
}
