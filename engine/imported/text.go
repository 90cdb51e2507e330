package imported

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/workflow"
	"github.com/redlinehq/redline/hclspec/spell"
)

// Contract returns the net as the text of a contract of one party, with the net's places, transitions and state model. Ids become names if
// possible; the net's names become titles. Notes are remarks for readers. The error is the reason why there is no such contract, such as
// Check's finding on a net that cannot be read.
func (n *Imported) Contract() (text []byte, notes []string, err error) {
	if n.broken != nil {
		return nil, nil, n.broken
	}
	net := n.doc.Net
	if len(net.Places)+len(net.Transitions) == 0 {
		return nil, nil, fmt.Errorf("the net has neither places nor transitions, and no contract is empty")
	}
	w := &contractText{Imported: n, net: net, places: spell.Names{}, party: spell.Names{}.Fresh(net.Name, "net")}
	w.start()
	w.write()
	if note := n.leftOut(); note != "" {
		w.notes = append(w.notes, fmt.Sprintf("%s:%d:%d: %s [net-left-out]", n.Path, n.doc.Tools.Line, n.doc.Tools.Column, note))
	}
	text, err = w.Text.Contract()
	return text, w.notes, err
}

// Net returns the net as it was read, and its title. The error is Check's finding on a net that cannot be read.
func (n *Imported) Net() (net *petri.Net, title string, err error) {
	if n.broken != nil {
		return nil, "", n.broken
	}
	return n.doc.Net, cmp.Or(n.doc.Title, n.doc.Net.Name), nil
}

// A contractText is the text of a contract that is being written.
type contractText struct {
	spell.Text
	*Imported
	net    *petri.Net
	party  string
	places spell.Names
	names  []string // by place
	idle   string   // the place that transitions without arcs read; empty: there are none
	notes  []string
}

// start marks the source of a workflow net in which nothing is marked, as Check does.
func (w *contractText) start() {
	if len(w.net.Initial) > 0 {
		return
	}
	if ends, lacks := workflow.Recognize(w.net); lacks == nil {
		started := *w.net
		started.Initial = []int{ends.Source}
		w.net = &started
		w.notes = append(w.notes, fmt.Sprintf("no place is marked at the start; the contract starts with a token on the source, %s", w.doc.Places[ends.Source].Called(w.net.Places[ends.Source].Name)))
	}
}

func (w *contractText) write() {
	for i, p := range w.net.Places {
		w.names = append(w.names, w.places.Fresh(p.Name, cmp.Or(w.doc.Places[i].Title, p.Name), "place"))
	}
	w.Open("contract", w.party)
	w.Title(w.party, cmp.Or(w.doc.Title, w.net.Name))
	w.final()
	w.Close()
	w.Open("party", w.party)
	for i, p := range w.net.Places {
		_, marked := slices.BinarySearch(w.net.Initial, i)
		w.Place(w.names[i], cmp.Or(w.doc.Places[i].Title, p.Name), marked)
	}
	w.bare()
	taken := spell.Names{}
	for i := range w.net.Transitions {
		w.transition(taken, i)
	}
	w.Close()
}

// maxFinal bounds the length of the formula of the final states. The language allows 64 KiB.
const maxFinal = 60_000

// final writes the final states of a workflow net: those in which only sinks are marked. Without them no check would find a contract that
// can never end.
func (w *contractText) final() {
	ends, lacks := workflow.Recognize(w.net)
	if lacks != nil {
		return
	}
	var sinks, others []string
	for i, name := range w.names {
		if _, sink := slices.BinarySearch(ends.Sinks, i); sink {
			sinks = append(sinks, w.party+"."+name)
		} else {
			others = append(others, w.party+"."+name)
		}
	}
	text := strings.Join(sinks, " || ")
	if len(sinks) > 1 {
		text = "(" + text + ")"
	}
	if len(others) > 0 {
		text += " && !(" + strings.Join(others, " || ") + ")"
	}
	if len(text) > maxFinal {
		w.notes = append(w.notes, "the net is a workflow net, which ends where sinks alone are marked; the contract has too many places to say so in final")
		return
	}
	w.Set("final", `"`+text+`"`)
}

// bare gives each transition without arcs a place to read that is always marked, since the language has no such transitions.
func (w *contractText) bare() {
	if slices.ContainsFunc(w.net.Transitions, func(t petri.Transition) bool { return len(t.In)+len(t.Out)+len(t.Read) == 0 }) {
		w.idle = w.places.Fresh("always", "marked always", "place")
		w.Place(w.idle, "marked always", true)
		w.notes = append(w.notes, fmt.Sprintf("the net has transitions without arcs; in the contract they read a place %q, which is marked always", w.idle))
	}
}

func (w *contractText) transition(taken spell.Names, i int) {
	t := &w.net.Transitions[i]
	title := cmp.Or(w.doc.Transitions[i].Title, t.Name)
	name := taken.Fresh(t.Name, title, "transition")
	w.Open("transition", name)
	w.Title(name, title)
	w.List("consume", w.named(t.In))
	w.List("produce", w.named(t.Out))
	w.List("read", w.named(t.Read))
	if len(t.In)+len(t.Out)+len(t.Read) == 0 {
		w.List("read", []string{w.idle})
	}
	w.Close()
}

func (w *contractText) named(places []int) []string {
	var names []string
	for _, p := range places {
		names = append(names, w.names[p])
	}
	return names
}
