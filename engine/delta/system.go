package delta

// A System is a labelled transition system. Its states are numbered from 0, the initial one; the arcs
// that leave state s are First[s] up to First[s+1]. Labels mean the same in every system they are
// compared with.
type System struct {
	First  []uint32 // by state; one more at the end
	Label  []uint32 // by arc
	Target []uint32 // by arc
}

// Silent is the label of an arc that nobody observes.
const Silent uint32 = 0

// Dropped is what a view relabels an arc with that is not there for its observer.
const Dropped = ^uint32(0)

// Len is the number of states.
func (s *System) Len() int { return len(s.First) - 1 }

// Relation says how the behaviour of head stands to that of base.
type Relation uint8

const (
	Unknown   Relation = iota // a budget ran out before it was settled
	Same                      // bisimilar: no observer can tell them apart
	More                      // every sequence of base, and others
	Less                      // no sequence that base has not, and not all of those
	Both                      // some sequences are new, and some are gone
	Otherwise                 // the same sequences, but after one of them other choices are left open
)

func (r Relation) String() string {
	return [...]string{"unknown", "same", "more", "less", "more and less", "otherwise"}[r]
}

// Mirror is what base is to head where head is r to base.
func (r Relation) Mirror() Relation {
	switch r {
	case More:
		return Less
	case Less:
		return More
	}
	return r
}
