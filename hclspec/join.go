package hclspec

import "slices"

// join makes a net that a construct was compiled into take part in an event, by one of the net's
// labels, whichever way the event happens.
func (e *Event) join(net *Party, label string) {
	for i := range e.Ways {
		e.Ways[i] = append(e.Ways[i], Sync{Party: net, Label: label, Range: e.Range})
	}
}

// concerns says whether a net takes part in an event, in any way that it can happen.
func (e *Event) concerns(net *Party) bool {
	return slices.ContainsFunc(e.Ways, func(way []Sync) bool {
		return slices.ContainsFunc(way, func(s Sync) bool { return s.Party == net })
	})
}
