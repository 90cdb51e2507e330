package delta

// A System is a labelled transition system. Its states are numbered from 0, the initial one. The arcs from state s are First[s] up to
// First[s+1]. Labels mean the same in all systems that are compared.
type System struct {
	First  []uint32 // by state; one more at the end
	Label  []uint32 // by arc
	Target []uint32 // by arc
}

// Silent is the label of an arc that is not observed.
const Silent uint32 = 0

// Dropped is the label to which a view maps arcs that its observer ignores.
const Dropped = ^uint32(0)

// Len returns the number of states.
func (s *System) Len() int { return len(s.First) - 1 }

// Relation is how the behaviour of head relates to that of base.
type Relation uint8

const (
	Unknown   Relation = iota // a limit was reached before it was decided
	Same                      // bisimilar: no observer can distinguish them
	More                      // every sequence of base, and more
	Less                      // no new sequence, and not all of base's
	Both                      // some sequences are new, and some are gone
	Otherwise                 // the same sequences, but different choices after one of them
)

func (r Relation) String() string {
	return [...]string{"unknown", "same", "more", "less", "more and less", "otherwise"}[r]
}

// Mirror returns the relation with base and head exchanged.
func (r Relation) Mirror() Relation {
	switch r {
	case More:
		return Less
	case Less:
		return More
	}
	return r
}
