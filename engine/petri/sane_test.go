package petri

import (
	"strings"
	"testing"
)

func TestSane(t *testing.T) {
	if err := figure3.Sane(); err != nil {
		t.Error(err)
	}
	for want, n := range map[string]*Net{
		"initial marking: no place 1":    {Places: make([]Place, 1), Initial: []int{1}},
		"no place -1":                    {Places: make([]Place, 1), Initial: []int{-1}},
		"[1 0] are not strictly":         {Places: make([]Place, 2), Initial: []int{1, 0}},
		"[0 0] are not strictly":         {Places: make([]Place, 2), Initial: []int{0, 0}},
		"transition 0 (t): no place 2":   {Places: make([]Place, 2), Transitions: []Transition{{Name: "t", Out: []int{2}}}},
		"reads together":                 {Places: make([]Place, 2), Transitions: []Transition{{In: []int{0}, Out: []int{0}}}},
		"[{1 0} {0 0}] are not sorted":   {Transitions: []Transition{{Parts: []Part{{1, 0}, {0, 0}}}}},
		"and reads together: places [1 ": {Places: make([]Place, 2), Transitions: []Transition{{Read: []int{1}, Out: []int{1}}}},
	} {
		if err := n.Sane(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("have %v, expected %q", err, want)
		}
	}
}
