package engine

import (
	"strings"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// naming says what the names of base are on head.
type naming struct{ names *delta.Names } // nil: the same

// of is the naming of one side's own names.
func (n naming) of(side int) sideNaming { return sideNaming{n, side == 0} }

type sideNaming struct {
	naming
	base bool
}

// reader is the party that a reader knows: one that plays a role in a phase is itself.
func (n sideNaming) reader(p *hclspec.Party) string {
	name := n.head(delta.Party, p.Name)
	own, _, _ := strings.Cut(name, "[")
	return name[strings.LastIndexByte(own, '.')+1:]
}

// deed is what a composed transition does.
func (n sideNaming) deed(d *Draft, t int) deed {
	tr := d.Net.Transitions[t]
	switch {
	case tr.Moving:
		return deed{kind: timeDeed, name: d.events[tr.Event].Name}
	case tr.Event >= 0:
		return deed{eventDeed, n.event(d.events[tr.Event].Name)}
	}
	return deed{transitionDeed, n.part(d, tr.Parts[0])}
}

func (n sideNaming) event(name string) string { return n.head(delta.Event, name) }

// head is the name on head of an element that base has under a name; the name itself where head has it
// no more, or the side is head.
func (n sideNaming) head(e delta.Element, name string) string {
	if !n.base || n.names == nil {
		return name
	}
	if now, ok := n.names.Head(e, name); ok {
		return now
	}
	return name // nothing on head has it: what has one name on both sides is one
}

// part is a transition: party.transition.
func (n sideNaming) part(d *Draft, p petri.Part) string { return n.head(delta.Transition, d.named(p)) }

// place is a place: net.place.
func (n sideNaming) place(d *Draft, i int) string {
	name := d.Net.Places[i].String()
	if !n.base || n.names == nil {
		return name
	}
	if renamed, ok := n.names.HeadPlace(name); ok {
		return renamed
	}
	return name
}
