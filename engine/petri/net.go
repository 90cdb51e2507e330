// Package petri holds one-safe Petri nets: places, transitions, markings, firing, and the
// event-synchronised composition of several nets into one.
package petri

// A Place holds one token or none.
type Place struct {
	Net  string // the party whose place it is
	Name string
}

func (p Place) String() string { return p.Net + "." + p.Name }

// A Transition of a net. In (consumed), Out (produced) and Read (tested: consumed and produced at
// once) are sorted indices of places and pairwise disjoint.
type Transition struct {
	Name          string // a component's own name; in a composed net the event's, or party.name
	Label         string // in a component net, what events call it; empty: not to be synchronised
	In, Out, Read []int
	Marks         []int  // in a composed net, history places, sorted: firing leaves them marked, as they may be already
	Moves         []Move // in a composed net, what watches it; see moves.go
	Moving        bool   // fireable only where some move applies
	Event         int    // in a composed net, index of the event; -1 when carried over
	Parts         []Part // in a composed net, the component transitions it was made of, by net
}

// A Part names one transition of one component net, by indices.
type Part struct{ Net, Transition int }

// A Net is a one-safe Petri net. The order of places and transitions is the order of every
// numbering, trace and picture made from it.
type Net struct {
	Name        string
	Places      []Place
	Transitions []Transition
	Initial     []int // the marked places, sorted
}

// Rule says how many fireable transitions fire in one step.
type Rule uint8

const (
	One Rule = iota // interleaving
	All             // step: a maximal set of transitions that do not compete for a token
)

func (r Rule) String() string {
	if r == All {
		return "all"
	}
	return "one"
}

// A Marking is the sorted list of marked places. It is the form in which markings leave an engine.
type Marking []int
