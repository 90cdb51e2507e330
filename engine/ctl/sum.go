package ctl

import (
	"fmt"
	"slices"
	"strings"
)

// A Sum is the meaning of an Atom that counts tokens: the weights of the marked places add up to at most Most.
type Sum struct {
	Weights []Weight // by place, ascending, each place once
	Most    int
}

// A Weight is the number that a place adds when it is marked.
type Weight struct{ Place, By int }

// AtMost returns the atom that the weights of the marked places add up to at most a number. A place may occur several times; its weights are
// added. If every marking, or none, satisfies the bound, it returns the constant true or false.
func AtMost(weights []Weight, most int) *Formula {
	by := map[int]int{}
	for _, w := range weights {
		by[w.Place] += w.By
	}
	s := &Sum{Most: most}
	least, greatest := 0, 0
	for place, n := range by {
		if n != 0 {
			s.Weights = append(s.Weights, Weight{place, n})
		}
		least, greatest = least+min(n, 0), greatest+max(n, 0)
	}
	switch {
	case greatest <= most:
		return &Formula{Op: True}
	case least > most:
		return &Formula{Op: False}
	}
	slices.SortFunc(s.Weights, func(a, b Weight) int { return a.Place - b.Place })
	return &Formula{Op: Atom, Name: s.String(), Sum: s}
}

func (s *Sum) String() string {
	var b strings.Builder
	for _, w := range s.Weights {
		fmt.Fprintf(&b, "%+d*#%d", w.By, w.Place)
	}
	return fmt.Sprintf("%s<=%d", b.String(), s.Most)
}

// Holds reports whether the sum is at most Most in a marking, of which has reports the marked places.
func (s *Sum) Holds(has func(place int) bool) bool {
	sum := 0
	for _, w := range s.Weights {
		if has(w.Place) {
			sum += w.By
		}
	}
	return sum <= s.Most
}
