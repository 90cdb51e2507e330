package delta

import "fmt"

// Limits bound the work of a comparison. The zero Limits bound nothing except what 32-bit numbers can count.
type Limits struct {
	Bytes int64 // approximate memory of a comparison besides the two systems
	Steps int64 // arcs and members of sets visited, in reducing a view and in each search; some ten million a second
}

// A LimitError is the error of a comparison that exceeded one of its Limits: the one that is not 0.
type LimitError Limits

func (e *LimitError) Error() string {
	if e.Bytes > 0 {
		return fmt.Sprintf("the comparison needs more than %d bytes", e.Bytes)
	}
	return fmt.Sprintf("the comparison needs more than %d steps", e.Steps)
}

// An Answer is the relation of head's observed behaviour to base's.
type Answer struct {
	Relation   Relation
	Differ     bool    // they are proved to differ, even if the relation is Unknown
	Possible   []Word  // of head, one for each refused label; the shortest first, then in order of labels
	Impossible []Word  // of base; likewise
	LeftOut    int     // refused labels of both sides without a word
	Choice     *Choice // for Otherwise only
}

// A Word is a run of one side whose last step the other side refuses after everything observed before it. No step of that label is refused
// after fewer observed steps. Of the observations of that length it is the first in order of labels. Its run has the fewest arcs, and of
// these runs it is the first in order of labels.
type Word struct {
	Run     []uint32 // arcs of the side's own System, from state 0, silent ones included; the last is the refused one
	Refused uint32   // the observed label of the refused step
	Instead []uint32 // the observed labels that the other side allows there, sorted
}

// A Choice is a run of one side, whose observations the other side can follow, to a state that has no equal among those the other side can
// be in.
//
// Next and Others are what can be observed next after any silent steps, as sorted labels. Silent among them means that silence can last for
// ever. If some state's Next differs from all Others, the Choice is a shortest run to such a state. Otherwise the difference lies deeper,
// and Next is one of Others.
type Choice struct {
	Run    []uint32 // arcs of the side's own System, from state 0
	Head   bool     // the side is head
	Next   []uint32
	Others [][]uint32 // of the states that the other side can be in, each once, sorted
}
