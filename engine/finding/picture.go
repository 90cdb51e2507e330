package finding

import "github.com/redlinehq/redline/engine/diff"

// A Picture is the state models of both drafts drawn as one. States are one where the parties and
// nets that both drafts have stand the same; arcs, where they lead the same way by the same step. An
// arc that both drafts have and that leads back to its state is not drawn.
type Picture struct {
	States []PictureState // the start first, then by distance from it on head, then those of base alone
	Arcs   []PictureArc   // in order of their ends
	Extent Extent
	More   int // how many arcs that appeared or vanished are left out
}

// PictureState is a state of either draft.
type PictureState struct {
	Words []PartyState // without what is the same in all states drawn, and flags that are down
	Start bool
	Stuck bool // nothing can happen there any more: a dead end of head, and none of base
	In    diff.Side
}

// PictureArc leads from one of a Picture's states to another, by number.
type PictureArc struct {
	From, To int
	Label    string // the titles, or names, of what happens
	In       diff.Side
}

// Extent says how much of the two models a Picture has.
type Extent uint8

func (e Extent) String() string { return [...]string{"whole", "around", "changes"}[e] }
