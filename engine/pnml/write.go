package pnml

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/petri"
)

// A Picture has the centres of a net's places and transitions, by index, in points from the upper left corner.
type Picture struct {
	Places, Transitions []Position
}

// A Position is a point in a picture.
type Position struct{ X, Y int }

// The size of nodes, and the distance from a node down to its name, in points.
const (
	nodeSize   = 40
	nameOffset = 32
)

// Write writes an ordinary net as a place/transition net in PNML (ISO/IEC 15909-2, the grammar of 2009): one page, in the net's order. A read
// becomes an arc each way. Names are the net's own. Ids are the names as far as XML allows, each made unique. Without a
// picture there are no positions. The net must have no moves and no history: see petri.Net.Plain. An error comes from w, or says that the net
// has moves or history.
func Write(w io.Writer, n *petri.Net, title string, at *Picture) error {
	if slices.ContainsFunc(n.Transitions, func(t petri.Transition) bool { return len(t.Moves)+len(t.Marks) > 0 || t.Moving }) {
		return fmt.Errorf("net %q is not written out in ordinary transitions", n.Name)
	}
	out := &writer{Writer: bufio.NewWriter(w), ids: map[string]int{"net": 1, "page": 1}, at: at}
	out.line(0, `<?xml version="1.0" encoding="UTF-8"?>`)
	out.line(0, `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">`)
	out.line(1, `<net id="net" type="http://www.pnml.org/version-2009/grammar/ptnet">`)
	out.line(2, `<name><text>%s</text></name>`, escaped(title))
	out.line(2, `<page id="page">`)
	out.net(n)
	out.line(2, `</page>`)
	out.line(1, `</net>`)
	out.line(0, `</pnml>`)
	return out.Flush()
}

type writer struct {
	*bufio.Writer                // keeps its first error
	ids           map[string]int // those in use, each with the last number that was appended to it, or 1
	at            *Picture
}

func (w *writer) line(depth int, format string, args ...any) {
	fmt.Fprintf(w, strings.Repeat("  ", depth)+format+"\n", args...)
}

func (w *writer) net(n *petri.Net) {
	places, transitions := make([]string, len(n.Places)), make([]string, len(n.Transitions))
	for i, p := range n.Places {
		name := placeName(p)
		places[i] = w.id(name)
		_, marked := slices.BinarySearch(n.Initial, i)
		w.node("place", places[i], name, w.where(i, true), marked)
	}
	for i, t := range n.Transitions {
		transitions[i] = w.id(t.Name)
		w.node("transition", transitions[i], t.Name, w.where(i, false), false)
	}
	arcs := 0
	arc := func(from, to string) {
		arcs++
		w.line(3, `<arc id="%s" source="%s" target="%s"/>`, w.id(fmt.Sprintf("a%d", arcs)), from, to)
	}
	for i, t := range n.Transitions {
		for _, p := range slices.Sorted(slices.Values(slices.Concat(t.In, t.Read))) {
			arc(places[p], transitions[i])
		}
		for _, p := range slices.Sorted(slices.Values(slices.Concat(t.Out, t.Read))) {
			arc(transitions[i], places[p])
		}
	}
}

// placeName returns the name that Write gives a place: party.place, as in formulas, or the name alone of a history place.
func placeName(p petri.Place) string {
	if p.Net == "" {
		return p.Name
	}
	return p.String()
}

func (w *writer) node(kind, id, name string, at *Position, marked bool) {
	w.line(3, `<%s id="%s">`, kind, id)
	if at == nil {
		w.line(4, `<name><text>%s</text></name>`, escaped(name))
	} else {
		w.line(4, `<name><text>%s</text><graphics><offset x="0" y="%d"/></graphics></name>`, escaped(name), nameOffset)
		w.line(4, `<graphics><position x="%d" y="%d"/><dimension x="%d" y="%[3]d"/></graphics>`, at.X, at.Y, nodeSize)
	}
	if marked {
		w.line(4, `<initialMarking><text>1</text></initialMarking>`)
	}
	w.line(3, `</%s>`, kind)
}

func (w *writer) where(i int, place bool) *Position {
	switch {
	case w.at == nil:
		return nil
	case place:
		return &w.at.Places[i]
	}
	return &w.at.Transitions[i]
}

// id returns a unique XML name for a name (Namespaces in XML 1.0, NCName; only ASCII, for the sake of other tools).
func (w *writer) id(name string) string {
	if name = strings.Map(idLetter, name); name == "" || strings.Contains("-.0123456789", name[:1]) {
		name = "_" + name
	}
	id := name
	for w.ids[id] > 0 {
		w.ids[name]++ // the last number tried, which is not tried again
		id = fmt.Sprintf("%s.%d", name, w.ids[name])
	}
	w.ids[id] = 1
	return id
}

func idLetter(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("_-.", r):
		return r
	}
	return '_'
}

// escaped escapes text for XML. Characters that XML cannot have become U+FFFD.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // writing to a builder never fails
	return b.String()
}
