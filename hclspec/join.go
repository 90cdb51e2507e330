package hclspec

import "slices"

// Join makes a net that a construct was compiled into take part in an event, by one of the net's
// labels, whichever way the event happens.
func (e *Event) Join(net *Party, label string) {
	for i := range e.Ways {
		e.Ways[i] = append(e.Ways[i], Sync{Party: net, Label: label, Range: e.Range})
	}
}

// Concerns says whether a net takes part in an event, in any way that it can happen.
func (e *Event) Concerns(net *Party) bool {
	return slices.ContainsFunc(e.Ways, func(way []Sync) bool {
		return slices.ContainsFunc(way, func(s Sync) bool { return s.Party == net })
	})
}
