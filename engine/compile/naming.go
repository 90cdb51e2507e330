package compile

import (
	"strings"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// Naming says what the names of base are on head.
type Naming struct{ Names *diff.Names } // nil: the same

// Of is the naming of one side's own names.
func (n Naming) Of(side int) SideNaming { return SideNaming{n, side == 0} }

type SideNaming struct {
	Naming
	base bool
}

// Reader is the party that a reader knows: one that plays a role in a phase is itself.
func (n SideNaming) Reader(p *hclspec.Party) string {
	name := n.Head(diff.Party, p.Name)
	own, _, _ := strings.Cut(name, "[")
	return name[strings.LastIndexByte(own, '.')+1:]
}

func (n SideNaming) Event(name string) string { return n.Head(diff.Event, name) }

// Head is the name on head of an element that base has under a name; the name itself where head has it
// no more, or the side is head.
func (n SideNaming) Head(e diff.Element, name string) string {
	if !n.base || n.Names == nil {
		return name
	}
	if now, ok := n.Names.Head(e, name); ok {
		return now
	}
	return name // nothing on head has it: what has one name on both sides is one
}

// Part is a transition: party.transition.
func (n SideNaming) Part(d *Draft, p petri.Part) string { return n.Head(diff.Transition, d.Named(p)) }

// Place is a place: net.place.
func (n SideNaming) Place(d *Draft, i int) string {
	name := d.Net.Places[i].String()
	if !n.base || n.Names == nil {
		return name
	}
	if renamed, ok := n.Names.HeadPlace(name); ok {
		return renamed
	}
	return name
}
