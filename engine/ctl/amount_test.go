package ctl_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
)

// A tally is the value of an amount, and its text with any brackets that do no harm.
type tally struct {
	value int
	text  string
	bare  bool // it has no counter
}

var counts = map[string]int{"a.x": 3, "b.y": -2, "b.z[1]": 7, "c.w": 0}

// tallies draws amounts with the naive value of each.
func tallies(depth int) *rapid.Generator[tally] {
	return rapid.Custom(func(t *rapid.T) tally {
		shape := rapid.IntRange(0, 6).Draw(t, "shape")
		if depth == 0 {
			shape %= 2
		}
		part := func() tally { return tallies(depth-1).Draw(t, "part") }
		switch shape {
		case 0:
			n := rapid.IntRange(0, 9).Draw(t, "number")
			return tally{n, fmt.Sprint(n), true}
		case 1:
			name := rapid.SampledFrom([]string{"a.x", "b.y", "b.z[1]", "c.w"}).Draw(t, "counter")
			return tally{counts[name], name, false}
		case 2:
			a := part()
			return tally{-a.value, "-(" + a.text + ")", a.bare}
		case 3:
			a := part()
			return tally{a.value, "(" + a.text + ")", a.bare}
		case 4:
			a, n := part(), rapid.IntRange(-9, 9).Draw(t, "factor")
			if rapid.Bool().Draw(t, "left") {
				return tally{n * a.value, fmt.Sprintf("%d * (%s)", n, a.text), a.bare}
			}
			return tally{n * a.value, fmt.Sprintf("(%s)*%d", a.text, n), a.bare}
		case 5:
			a, b := part(), part()
			return tally{a.value + b.value, a.text + " + " + b.text, a.bare && b.bare}
		}
		a, b := part(), part()
		return tally{a.value - b.value, a.text + " - (" + b.text + ")", a.bare && b.bare}
	})
}

// What is read adds up to what it says, and its own text is read as the same.
func TestAmountsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := tallies(3).Draw(t, "left"), tallies(3).Draw(t, "right")
		text := "AG (" + a.text + " <= (" + b.text + "))"
		f, err := ctl.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c := f.Left.Compare
		if value(c.Left) != a.value || value(c.Right) != b.value {
			t.Fatalf("%s: %s, not %d and %d", text, c, a.value, b.value)
		}
		again, err := ctl.Parse(f.CTL())
		if err != nil || again.CTL() != f.CTL() || !ctl.Equal(f, again) {
			t.Fatalf("%s: %v", f.CTL(), err)
		}
		for _, r := range c.Refs() {
			if text[r.From:r.To] != r.Name {
				t.Fatalf("%s at %d", r.Name, r.From)
			}
		}
	})
}

func value(a ctl.Amount) int {
	n := a.Number
	for _, t := range a.Terms {
		n += t.Times * counts[t.Of.Name]
	}
	return n
}
