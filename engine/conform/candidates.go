package conform

import (
	"encoding/binary"
	"fmt"
)

// candidates is the set of markings that are possible after a line.
type candidates struct {
	*holder
	list []*candidate
	at   map[string]*candidate
}

func (h *holder) newCandidates() *candidates {
	return &candidates{holder: h, at: map[string]*candidate{}}
}

// add adds a candidate, unless the set has it. The error is a LimitError.
func (x *candidates) add(s *candidate) error {
	key := s.key()
	if same := x.at[key]; same != nil {
		same.how.several = true
		return nil
	}
	if x.kept++; len(x.list) == x.limits.Possible || x.kept > x.limits.Kept {
		return LimitError{fmt.Sprintf("the log can be understood in too many ways: %d markings are possible at once, %d in all; the limits are %d and %d. Name transitions, steps or parties in it",
			len(x.list)+1, x.kept, x.limits.Possible, x.limits.Kept)}
	}
	x.at[key] = s
	x.list = append(x.list, s)
	return nil
}

func (s *candidate) key() string {
	key := make([]byte, 0, 4*(len(s.marking)+len(s.chosen)+1))
	for _, p := range s.marking {
		key = binary.BigEndian.AppendUint32(key, uint32(p))
	}
	key = binary.BigEndian.AppendUint32(key, 1<<31) // no place has this number
	for _, t := range s.chosen {
		key = binary.BigEndian.AppendUint32(key, uint32(t))
	}
	for _, t := range s.since {
		for _, n := range []int64{t.at.Unix(), int64(t.at.Nanosecond()), t.stopped.Unix(), int64(t.stopped.Nanosecond()), int64(t.left), int64(t.stood.length), int64(t.stood.days)} {
			key = binary.BigEndian.AppendUint64(key, uint64(n))
		}
	}
	return string(key)
}
