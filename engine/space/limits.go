package space

import (
	"fmt"
	"math"
)

// Limits bound an exploration. The zero Limits bound nothing but what 32-bit numbers can count:
// 2^31-1 states, 2^32-1 arcs.
type Limits struct {
	States   int                    // states; 0: no limit
	Bytes    int64                  // memory the graph holds at any one time, growing or grown, sets of states not counted; 0: no limit
	Work     int64                  // steps on decision diagrams, about a hundred million in a second; 0: no limit
	Progress func(states, arcs int) // called now and then by the goroutine that explores; may be nil
}

// A LimitError says that an exploration was given up, and why.
type LimitError struct {
	What     string // "states", "arcs" or "memory"
	Limit    int64  // how many; bytes for memory
	Explored int    // the number of states found until then
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

// Claim reserves n bytes, before they are allocated.
func (b *budget) Claim(n int64) error {
	if b.limit > 0 && b.used+n > b.limit {
		return &LimitError{What: "memory", Limit: b.limit}
	}
	b.used += n
	return nil
}

func (b *budget) Release(n int64) { b.used -= n }
