package delta

import "fmt"

// Limits bound the work of a comparison. The zero Limits bound nothing but what 32-bit numbers can count.
type Limits struct {
	Bytes int64 // of what a comparison keeps besides the two systems, roughly
	Steps int64 // arcs and members of sets looked at, in reducing a view and in each search; some ten million a second
}

// A LimitError says that a comparison was given up because it needs more than one of its Limits, the
// one that isn't 0.
type LimitError Limits

func (e *LimitError) Error() string {
	if e.Bytes > 0 {
		return fmt.Sprintf("the comparison needs more than %d bytes", e.Bytes)
	}
	return fmt.Sprintf("the comparison needs more than %d steps", e.Steps)
}

// An Answer says how the behaviour of head stands to that of base, as it is observed.
type Answer struct {
	Relation   Relation
	Differ     bool    // they are proved not to be the same, even where the relation is Unknown
	Possible   []Word  // of head, each of another refused label; the shortest first, then in order of labels
	Impossible []Word  // of base; likewise
	LeftOut    int     // words of other refused labels, of both sides together, that are not shown
	Choice     *Choice // of Otherwise only
}

// A Word is a run of one side up to and with a step that the other side refuses after all that was
// observed before it. No step of that label is refused after fewer observed steps; of what can be observed
// as short as that, it is the first in order of labels, and its run is one of the fewest arcs, of
// these again the first in order of their labels.
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
