package hclspec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// A step is one part of a reference: a name, or an index in brackets.
type step struct {
	text  string
	index bool
	at    hcl.Range // without dot and brackets
}

// steps takes a reference apart: purchaser[0].P1, bank[north].pay, event.GAV[0]. HCL reads an index that is a
// number as part of a traversal, and one that is a name as an expression.
func steps(e hclsyntax.Expression) ([]step, bool) {
	switch e := e.(type) {
	case *hclsyntax.ObjectConsKeyExpr:
		return steps(e.Wrapped)
	case *hclsyntax.ScopeTraversalExpr:
		return traversal(nil, e.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		before, ok := steps(e.Source)
		if !ok {
			return nil, false
		}
		return traversal(before, e.Traversal)
	case *hclsyntax.IndexExpr:
		before, ok := steps(e.Collection)
		key, known := e.Key.(*hclsyntax.ScopeTraversalExpr)
		if !ok || !known || len(key.Traversal) != 1 {
			return nil, false
		}
		return append(before, step{key.Traversal.RootName(), true, key.SrcRange}), true
	}
	return nil, false
}

func traversal(all []step, t hcl.Traversal) ([]step, bool) {
	for _, part := range t {
		switch part := part.(type) {
		case hcl.TraverseRoot:
			all = append(all, step{part.Name, false, part.SrcRange})
		case hcl.TraverseAttr:
			all = append(all, step{part.Name, false, afterDot(part.SrcRange)})
		case hcl.TraverseIndex:
			if part.Key.Type() != cty.Number || !part.Key.AsBigFloat().IsInt() {
				return nil, false
			}
			all = append(all, step{part.Key.AsBigFloat().Text('f', 0), true, part.SrcRange})
		default:
			return nil, false
		}
	}
	return all, true
}

// A partyRef is a party as a reference names it: all of a name, or the one with an index.
type partyRef struct {
	name, index string
	indexed     bool
	at          hcl.Range
}

func (r partyRef) String() string {
	if r.indexed {
		return r.name + "[" + r.index + "]"
	}
	return r.name
}

// partyRef reads a party's name, with an index where there are several: seller, purchaser[0], bank[north]. The names of
// a phase's things have dots, which any other name has not.
func (l *loader) partyRef(e hclsyntax.Expression, what string) (partyRef, bool) {
	if ref, ok := dotted(e); ok {
		_, event := l.events[ref.name]
		if !strings.Contains(ref.name, ".") || event || l.families[ref.name] != nil {
			return ref, true
		}
	}
	name, at, ok := l.reference(e, what)
	return partyRef{name: name, at: at}, ok
}

// dotted is a reference of several steps, of which the last alone may be an index: goods.delivered[0].
func dotted(e hclsyntax.Expression) (partyRef, bool) {
	all, ok := steps(e)
	if !ok || len(all) < 2 || slices.ContainsFunc(all[:len(all)-1], func(s step) bool { return s.index }) {
		return partyRef{}, false
	}
	ref := joined(all)
	ref.at = e.Range()
	return ref, true
}

// eventsAt finds the events a reference means: the event of that name, every one that each(...) made of it, or the
// one with the index. It reports what there is not, and then returns none.
func (l *loader) eventsAt(e hclsyntax.Expression) []*Event {
	ref, ok := dotted(e)
	if !ok {
		ref, ok = l.partyRef(e, "an event")
	}
	if !ok {
		return nil
	}
	found := l.eventsOf(ref)
	if found == nil {
		l.unknown(ref.at, fmt.Sprintf("There is no event %q.", ref), ref.String(), func() []string { return keys([]names{l.events}) })
	}
	return found
}

// eventsOf returns the events of a name, or the one with the index.
func (l *loader) eventsOf(ref partyRef) []*Event {
	l.found.grow(l.spec)
	all := l.found.events[ref.name]
	if !ref.indexed {
		return all
	}
	i := slices.IndexFunc(all, func(e *Event) bool { return e.Name == ref.String() })
	if i < 0 {
		return nil
	}
	return all[i : i+1]
}

// found has the parties and events declared so far by what references call them.
type found struct {
	parties                map[string][]*Party // by name, and by the name of the block that made several
	events                 map[string][]*Event // by the name of the block
	partiesSeen, eventSeen int                 // how many of each are entered
}

// grow enters what was declared since.
func (f *found) grow(c *Contract) {
	if f.parties == nil {
		f.parties, f.events = map[string][]*Party{}, map[string][]*Event{}
	}
	for ; f.partiesSeen < len(c.Parties); f.partiesSeen++ {
		p := c.Parties[f.partiesSeen]
		f.parties[p.Name] = append(f.parties[p.Name], p)
		if p.Of != p.Name {
			f.parties[p.Of] = append(f.parties[p.Of], p)
		}
	}
	for ; f.eventSeen < len(c.Events); f.eventSeen++ {
		e := c.Events[f.eventSeen]
		f.events[e.Of] = append(f.events[e.Of], e)
	}
}
