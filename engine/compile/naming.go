package compile

import (
	"strings"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// A Naming maps names of base to names on head.
type Naming struct{ Names *diff.Names } // nil: the same

// Of returns the naming for one side: 0 is base, 1 is head. On head every name stays.
func (n Naming) Of(side int) SideNaming { return SideNaming{n, side == 0} }

// A SideNaming maps the names of one side to names on head.
type SideNaming struct {
	Naming
	base bool
}

// Reader returns the name by which readers know a party: without the phase in which it plays a role, and of one of several with its index, which the role lacks.
func (n SideNaming) Reader(p *hclspec.Party) string {
	name := n.Head(diff.Party, p.Name)
	own, index, _ := strings.Cut(name, "[")
	if _, plays, one := strings.Cut(p.Plays, "["); one && index == "" {
		name += "[" + plays
	}
	return name[strings.LastIndexByte(own, '.')+1:]
}

// Event returns the name of an event on head.
func (n SideNaming) Event(name string) string { return n.Head(diff.Event, name) }

// Head returns the name on head of an element. It returns the name itself if the side is head or if head no longer has the element.
func (n SideNaming) Head(e diff.Element, name string) string {
	if !n.base || n.Names == nil {
		return name
	}
	if now, ok := n.Names.Head(e, name); ok {
		return now
	}
	return name // elements with one name on both sides are the same
}

// Part returns the name of a part's transition on head: party.transition. What a party does for an event is called as that, and is in no text.
func (n SideNaming) Part(d *Draft, p petri.Part) string {
	t := d.Part(p)
	if !t.Made {
		return n.Head(diff.Transition, d.Named(p))
	}
	own := SourceName(t)
	event := strings.TrimSuffix(own, "!")
	return n.Head(diff.Party, d.Parties[p.Net].Name) + "." + n.Event(event) + own[len(event):]
}

// Place returns the name of a place on head: net.place.
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
