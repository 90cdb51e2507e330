package delta

import "fmt"

// Limits bound the work of a comparison. The zero Limits bound nothing but what 32-bit numbers can count.
type Limits struct {
	Bytes int64 // of what a comparison keeps besides the two systems, roughly
}

// A LimitError says that a comparison was given up because it needs more than Limits.Bytes.
type LimitError struct{ Bytes int64 }

func (e *LimitError) Error() string {
	return fmt.Sprintf("the comparison needs more than %d bytes", e.Bytes)
}

// An Answer says how the behaviour of head stands to that of base, as it is observed.
type Answer struct {
	Relation   Relation
	Possible   []Word  // of head; the shortest first, then in order of what is refused
	Impossible []Word  // of base; likewise
	LeftOut    int     // words of other refused labels, of both sides together, that are not shown
	Choice     *Choice // of Otherwise only
}

// A Word is a run of one side up to and with a step that the other side refuses after all that was
// observed before it. No shorter run has a step of that label refused: none with fewer observed steps, and
// of these none with fewer arcs. Of several the one whose labels come first is chosen.
type Word struct {
	Run     []uint32 // arcs of the side's own System, from state 0; silent ones, too; the last is the refused one
	Refused uint32   // its label, as it is observed
	Instead []uint32 // the observed labels that the other side can do next there, sorted; empty: none
}

// A Choice is a run of one side, all of which the other side can follow as far as it is observed, to
// a state that has no equal among those the other may be in by then.
//
// Next and Others are what can be observed next, silent steps being free, as sorted labels; Silent
// among them means that silence can go on for ever there. If there is a state whose Next differs
// from all Others, the Choice is such a one, and a shortest; if there is none (the difference lies
// deeper), Next is one of Others.
type Choice struct {
	Run    []uint32 // arcs of the side's own System, from state 0
	Head   bool     // the side is head
	Next   []uint32
	Others [][]uint32 // of the states that the other side may be in, each once, sorted
}
