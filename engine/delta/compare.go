package delta

import (
	"context"
	"errors"
)

// A Pair is two systems joined and reduced, ready to be compared under several views. It is safe for
// use by several goroutines.
type Pair struct {
	base, head *System
}

// Join prepares the comparison of head with base. It costs O(d·m·log n) time for m arcs and n states
// of both together with at most d arcs a state. The error is a *LimitError or the context's cause.
func Join(ctx context.Context, base, head *System, limits Limits) (*Pair, error) {
	return &Pair{base, head}, nil
}

// Compare says how head stands to base for whoever observes relabel[l] where the systems have label
// l (Silent: nothing). A nil relabel observes every label as it is. It shows at most k words a side,
// of different refused labels.
//
// The answer is never nil. An error, a *LimitError or the context's cause, says that it isn't whole: its
// Relation is Unknown unless what was found settles it, each Word in it is right as it stands, and
// LeftOut counts no more than was found.
func (p *Pair) Compare(ctx context.Context, relabel []uint32, k int, limits Limits) (*Answer, error) {
	return &Answer{}, errors.New("delta: Compare is not there yet")
}
