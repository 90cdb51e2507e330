package hclspec

// join makes a net that a construct was compiled into take part in an event, by one of the net's
// labels, whichever way the event happens.
func (e *Event) join(net *Party, label string) {
	for i := range e.Ways {
		e.Ways[i] = append(e.Ways[i], Sync{Party: net, Label: label, Range: e.Range})
	}
}
