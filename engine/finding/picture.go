package finding

import (
	"slices"

	"github.com/redlinehq/redline/engine/diff"
)

// A Picture is the state models of both drafts drawn as one. States are merged if the parties and nets that both drafts have are marked
// alike; arcs are merged if they have the same ends and the same step. Self-loops that both drafts have are not drawn.
type Picture struct {
	States []PictureState // the start first, then by distance from it on head, then those of base alone
	Arcs   []PictureArc   // in order of their ends
	Extent Extent
	More   int // number of new or removed arcs left out
}

// First returns the picture with the first arcs alone, and the states at their ends. It returns the picture itself if it has no more.
func (p *Picture) First(arcs int) *Picture {
	if len(p.Arcs) <= arcs {
		return p
	}
	some := &Picture{Arcs: slices.Clone(p.Arcs[:arcs]), Extent: p.Extent, More: p.More + len(p.Arcs) - arcs}
	at := slices.Repeat([]int{-1}, len(p.States))
	for _, a := range some.Arcs {
		at[a.From], at[a.To] = 0, 0
	}
	for s, used := range at {
		if used == 0 {
			at[s], some.States = len(some.States), append(some.States, p.States[s])
		}
	}
	for i, a := range some.Arcs {
		some.Arcs[i].From, some.Arcs[i].To = at[a.From], at[a.To]
	}
	return some
}

// PictureState is a state of either draft.
type PictureState struct {
	Words []PartyState // without what all states drawn have in common, and flags that are down
	Start bool
	Stuck bool // a dead end of head, and none of base
	In    diff.Side
}

// PictureArc leads from one of a Picture's states to another, by number.
type PictureArc struct {
	From, To int
	Label    string // the titles, or names, of what happens
	In       diff.Side
}

// Extent is how much of the two models a Picture shows.
type Extent uint8

const (
	WholeModels Extent = iota // all of both models
	AroundIt                  // the changes, and shortest ways to them from the start
	ChangesOnly               // the changes alone, up to the limit
)

func (e Extent) String() string { return [...]string{"whole", "around", "changes"}[e] }
