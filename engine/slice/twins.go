package slice

import (
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// A twin is one of several transitions that differ only by what they read, such as the ways to meet a condition of one event.
type twin struct {
	first, last int // its acts, the first of them without moves
	reads       []int
}

// twinsOf returns the transitions that have twins, together with these.
func twinsOf(n *petri.Net) (list [][]twin) {
	alike := map[string][]int{} // by what they change without moves
	acts, keys := make([]int, len(n.Transitions)+1), []string{}
	for i := range n.Transitions {
		t := &n.Transitions[i]
		acts[i+1] = acts[i] + 1 + len(t.Moves)
		key := fmt.Sprint(t.In, t.Out, t.Marks, t.Moving, len(t.Moves))
		if alike[key] == nil {
			keys = append(keys, key)
		}
		alike[key] = append(alike[key], i)
	}
	for _, key := range keys {
		for left := alike[key]; len(left) > 1; {
			var same []twin
			var others []int
			for _, i := range left {
				if !sameMoves(n.Transitions[i].Moves, n.Transitions[left[0]].Moves) {
					others = append(others, i)
					continue
				}
				same = append(same, twin{acts[i], acts[i+1], n.Transitions[i].Read})
			}
			if left = others; len(same) > 1 {
				list = append(list, same)
			}
		}
	}
	return list
}

func sameMoves(a, b []petri.Move) bool {
	return len(a) > 0 && &a[0] == &b[0] || slices.EqualFunc(a, b, func(v, w petri.Move) bool {
		return v.From == w.From && v.To == w.To && slices.Equal(v.If, w.If)
	})
}

// single takes from the acts that can happen those of transitions for which a twin does, given what is marked for good.
func (s *Slicer) single(can []bool, stays []uint64) {
	for _, twins := range s.twins {
		for i, x := range twins {
			needs := slices.DeleteFunc(slices.Clone(x.reads), func(p int) bool { return space.Has(stays, p) })
			if !can[x.first] || len(needs) == len(x.reads) {
				continue
			}
			for k, y := range twins {
				if k != i && can[y.first] && !slices.ContainsFunc(needs, func(p int) bool { return !slices.Contains(y.reads, p) }) {
					clear(can[y.first:y.last])
				}
			}
		}
	}
}
