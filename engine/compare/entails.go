package compare

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// entails reports whether every state of a draft that satisfies f satisfies g: as their atoms are called, or as the draft means them. False may
// also mean that it is unknown.
func entails(d *compile.Draft, f, g *ctl.Formula) bool {
	return ctl.Entails(f, g, atomName) || ctl.Entails(meant(d, f), meant(d, g), atomName)
}

// meant returns a formula with what its atoms mean in their place. What is always so of a counter is put in terms in which it can't be
// otherwise: that it has one value, as binary digits, and a sum at most a bound, or more, as one atom or its negation.
func meant(d *compile.Draft, f *ctl.Formula) *ctl.Formula {
	switch {
	case f == nil:
		return nil
	case f.Means != nil:
		return meant(d, f.Means)
	case f.Sum != nil:
		return oneWay(d, f)
	case f.Op == ctl.Atom && f.Place >= 0 && f.Place < len(d.AllPlaces) && d.AllPlaces[f.Place].Kind == hclspec.CounterValue:
		return digits(d, f)
	}
	whole := *f
	whole.Left, whole.Right = meant(d, f.Left), meant(d, f.Right)
	return &whole
}

// maxDigits bounds the digits of a counter. A tableau takes no more atoms.
const maxDigits = 10

// digits returns the formula over the binary digits of a counter that it has the value of an atom. The greatest value has all numbers from its
// own on, so that any digits are one value.
func digits(d *compile.Draft, atom *ctl.Formula) *ctl.Formula {
	values := d.Counters[counterOf(d, atom.Place)]
	n := bits.Len(uint(len(values) - 1))
	if n > maxDigits {
		return atom
	}
	is := func(k int) *ctl.Formula {
		var all []*ctl.Formula
		for b := range n {
			digit := &ctl.Formula{Op: ctl.Atom, Name: fmt.Sprintf("digit %d of place %d", b, values[0]), Place: -1}
			if k>>b&1 == 0 {
				digit = &ctl.Formula{Op: ctl.Not, Left: digit}
			}
			all = append(all, digit)
		}
		if n == 0 {
			return &ctl.Formula{Op: ctl.True}
		}
		return compile.Join(ctl.And, all)
	}
	k := slices.Index(values, atom.Place)
	if k < len(values)-1 {
		return is(k)
	}
	var greatest []*ctl.Formula
	for ; k < 1<<n; k++ {
		greatest = append(greatest, is(k))
	}
	return compile.Join(ctl.Or, greatest)
}

// counterOf returns the name by which a draft has the counter of a place: party.counter.
func counterOf(d *compile.Draft, place int) string {
	return d.Net.Places[place].Net + "." + d.AllPlaces[place].Counter
}

// oneWay returns a bound on a sum of counters, in lowest terms, or the negation of the opposite bound: always the same one of the two. It
// returns sums of other places as they are.
func oneWay(d *compile.Draft, f *ctl.Formula) *ctl.Formula {
	by, divisor := map[string]map[int]int{}, 0
	for _, w := range f.Sum.Weights {
		if d.AllPlaces[w.Place].Kind != hclspec.CounterValue {
			return f
		}
		name := counterOf(d, w.Place)
		if by[name] == nil {
			by[name] = map[int]int{}
		}
		by[name][w.Place] = w.By
		divisor = gcd(divisor, w.By)
	}
	var own, opposite []ctl.Weight
	greatest := 0
	for name, weights := range by {
		most := 0
		for _, i := range d.Counters[name] {
			most = max(most, weights[i])
		}
		for _, i := range d.Counters[name] {
			own, opposite = append(own, ctl.Weight{Place: i, By: weights[i] / divisor}), append(opposite, ctl.Weight{Place: i, By: (most - weights[i]) / divisor})
		}
		greatest += most / divisor
	}
	bound := f.Sum.Most / divisor // neither is negative: see AtMost
	low, high := ctl.AtMost(own, bound), ctl.AtMost(opposite, greatest-bound-1)
	if low.Sum == nil || high.Sum == nil || low.Name <= high.Name {
		return low
	}
	return &ctl.Formula{Op: ctl.Not, Left: high}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// atomName returns a key for an atom in formulas of one draft. Two names of one place, or of one sum, have the same key.
func atomName(atom *ctl.Formula) string {
	switch {
	case atom.Means == nil && atom.Sum == nil && atom.Place >= 0:
		return fmt.Sprintf("place %d", atom.Place)
	case atom.Sum != nil:
		return atom.Sum.String()
	}
	return atom.Name
}
