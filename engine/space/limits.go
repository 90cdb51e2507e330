package space

import (
	"fmt"
	"math"
)

// Limits bound an exploration. The zero Limits bound only what 32-bit numbers can count: 2^31-1 states, 2^32-1 arcs.
type Limits struct {
	States   int                    // states; 0: no limit
	Bytes    int64                  // most memory of the graph at any time, without sets of states; 0: no limit
	Work     int64                  // steps on decision diagrams, some hundred million a second; 0: no limit
	Reach    int64                  // of these, steps for the reachable states; 0: all of them
	Progress func(states, arcs int) // called at intervals by the exploring goroutine; may be nil
}

// A LimitError says that an exploration stopped at a limit.
type LimitError struct {
	What     string // "states", "arcs" or "memory"
	Limit    int64  // the value of the limit; bytes for memory
	Explored int    // states found until then
}

func (e *LimitError) Error() string {
	unit := e.What
	if e.What == "memory" {
		unit = "bytes of memory"
	}
	return fmt.Sprintf("state model is larger than the limit of %d %s (%d states found)", e.Limit, unit, e.Explored)
}

const (
	maxStates = math.MaxInt32
	maxArcs   = math.MaxUint32
)

// A budget counts bytes allocated against a limit.
type budget struct {
	limit, used int64
}

// Claim counts n bytes, before they are allocated. Its error is a *LimitError; the bytes then do not count.
func (b *budget) Claim(n int64) error {
	if b.limit > 0 && b.used+n > b.limit {
		return &LimitError{What: "memory", Limit: b.limit}
	}
	b.used += n
	return nil
}

// Release takes n bytes off the count.
func (b *budget) Release(n int64) { b.used -= n }
