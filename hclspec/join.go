package hclspec

import "slices"

// Join makes a net take part in every way of an event, by one of the net's labels. The net is one that a construct was compiled to.
func (e *Event) Join(net *Party, label string) {
	for i := range e.Ways {
		e.Ways[i] = append(e.Ways[i], Sync{Party: net, Label: label, Range: e.Range})
	}
}

// Concerns reports whether a net takes part in any way of an event.
func (e *Event) Concerns(net *Party) bool {
	return slices.ContainsFunc(e.Ways, func(way []Sync) bool {
		return slices.ContainsFunc(way, func(s Sync) bool { return s.Party == net })
	})
}
