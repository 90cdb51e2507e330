package compare

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/phrase"
)

// entails reports whether every state of a draft that satisfies f satisfies g, whatever the contract says of the names in them: once the wording of f
// has taken the place of g, a later amendment can change that. So the bounds of a counter are left out, and enabled(e) is not what e takes today.
// False may also mean that it is unknown.
func entails(d *compile.Draft, f, g *ctl.Formula) bool {
	name := func(atom *ctl.Formula) string { return atomName(d, atom) }
	if ctl.Entails(f, g, name) {
		return true
	}
	in := intervals{}
	in.collect(f)
	in.collect(g)
	if in.digits() > ctl.MostElementary { // no tableau decides that, and by their form the digits say no more than the names
		return false
	}
	return ctl.Entails(in.meant(f), in.meant(g), name)
}

// intervals has the numbers with which formulas compare a sum of counters, ascending, by the sum. They cut the integers into intervals, of which the
// sum lies in exactly one.
type intervals map[string][]int

// digits returns how many binary digits number all intervals.
func (in intervals) digits() (n int) {
	for _, bounds := range in {
		n += bits.Len(uint(len(bounds)))
	}
	return n
}

// collect adds the numbers of a formula.
func (in intervals) collect(f *ctl.Formula) {
	if f == nil {
		return
	}
	if c := linearOf(f); c != nil {
		most, less := c.bounds()
		for _, n := range []int{most, less} {
			if at, known := slices.BinarySearch(in[c.sum], n); !known {
				in[c.sum] = slices.Insert(in[c.sum], at, n)
			}
		}
		return
	}
	for _, part := range []*ctl.Formula{written(f), f.Left, f.Right} {
		in.collect(part)
	}
}

// meant returns a formula with what the language says of its atoms in their place: of a comparison in which interval its sum lies, in binary digits.
func (in intervals) meant(f *ctl.Formula) *ctl.Formula {
	switch c := linearOf(f); {
	case f == nil:
		return nil
	case c != nil:
		return in.compared(c)
	case written(f) != nil:
		return in.meant(written(f))
	}
	whole := *f
	whole.Left, whole.Right = in.meant(f.Left), in.meant(f.Right)
	return &whole
}

// written returns what an atom is short for by the language alone, or nil.
func written(f *ctl.Formula) *ctl.Formula {
	if f.Call != nil && f.Call.Function == "before" {
		return f.Means
	}
	return nil
}

// A linear is a comparison of a sum of counters in lowest terms with a number: factor * sum SIGN number. The factor is positive.
type linear struct {
	sum            string
	factor, number int
	sign           string
}

// turned has each sign as it reads from the other side.
var turned = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}

// linearOf returns the comparison that an atom is, or nil. Without a counter its sum is empty.
func linearOf(f *ctl.Formula) *linear {
	if f == nil || f.Compare == nil {
		return nil
	}
	c := &linear{number: f.Compare.Right.Number - f.Compare.Left.Number, sign: f.Compare.Sign}
	times := map[string]int{}
	for i, side := range []ctl.Amount{f.Compare.Left, f.Compare.Right} {
		for _, t := range side.Terms {
			times[t.Of.Name] += t.Times * (1 - 2*i)
		}
	}
	maps.DeleteFunc(times, func(_ string, by int) bool { return by == 0 })
	for _, by := range times {
		c.factor = gcd(c.factor, by)
	}
	var b strings.Builder
	for i, name := range slices.Sorted(maps.Keys(times)) {
		if i == 0 && times[name] < 0 { // a sum and its opposite are one
			c.factor = -c.factor
		}
		fmt.Fprintf(&b, "%+d*%s", times[name]/c.factor, name)
	}
	switch c.sum = b.String(); {
	case c.factor < 0:
		c.factor, c.number, c.sign = -c.factor, -c.number, turned[c.sign]
	case c.factor == 0:
		c.factor = 1
	}
	return c
}

// bounds returns the greatest sum that is at most the number, and the greatest one that is less.
func (c *linear) bounds() (most, less int) {
	floor := func(n int) int {
		return (n - ((n%c.factor)+c.factor)%c.factor) / c.factor
	}
	return floor(c.number), floor(c.number - 1)
}

// compared returns a comparison over the digits of the interval in which its sum lies.
func (in intervals) compared(c *linear) *ctl.Formula {
	n, l := c.bounds()
	most, less := in.upTo(c.sum, n), in.upTo(c.sum, l)
	switch c.sign {
	case "<=":
		return most
	case "<":
		return less
	case ">":
		return not(most)
	case ">=":
		return not(less)
	case "!=":
		return not(&ctl.Formula{Op: ctl.And, Left: most, Right: not(less)})
	}
	return &ctl.Formula{Op: ctl.And, Left: most, Right: not(less)}
}

// upTo returns the formula that a sum is at most one of the numbers it is compared with: it lies in the interval that ends there, or in one below.
// Digits for which there is no interval stand for the last one.
func (in intervals) upTo(sum string, most int) *ctl.Formula {
	if sum == "" && most >= 0 {
		return &ctl.Formula{Op: ctl.True}
	} else if sum == "" {
		return &ctl.Formula{Op: ctl.False}
	}
	k, _ := slices.BinarySearch(in[sum], most)
	f := &ctl.Formula{Op: ctl.True}
	for b := range bits.Len(uint(len(in[sum]))) { // from the least digit on
		digit := &ctl.Formula{Op: ctl.Atom, Name: fmt.Sprintf("digit %d of %s", b, sum), Place: -1}
		if k>>b&1 == 0 {
			f = &ctl.Formula{Op: ctl.And, Left: not(digit), Right: f}
		} else {
			f = &ctl.Formula{Op: ctl.Or, Left: not(digit), Right: f}
		}
	}
	return f
}

func not(f *ctl.Formula) *ctl.Formula { return &ctl.Formula{Op: ctl.Not, Left: f} }

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// atomName returns a key for an atom in formulas of one draft. Two names of one place have the same key, and so have two roles of one person who is in
// breach.
func atomName(d *compile.Draft, atom *ctl.Formula) string {
	switch {
	case atom.Means == nil && atom.Place >= 0:
		return fmt.Sprintf("place %d", atom.Place)
	case atom.Call != nil && atom.Call.Function == phrase.InBreach:
		for _, p := range d.Spec.Parties {
			if p.Name == atom.Call.Args[0].Name {
				return phrase.InBreach + " " + p.Person()
			}
		}
	}
	return atom.Name
}
