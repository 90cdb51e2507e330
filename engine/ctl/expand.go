package ctl

import (
	"fmt"
	"strings"
)

// maxExpanded limits the operators and atoms of a formula without quantifiers, whose size grows with the product of nested ranges.
const maxExpanded = 100_000

// A RangeError reports that a quantifier ranges over something without instances.
type RangeError struct{ Range Ref }

func (e *RangeError) Error() string { return fmt.Sprintf("there are no instances of %q", e.Range.Name) }

// Expand returns a copy of f without quantifiers: all becomes the conjunction over the instances of a party, in their order, and some the
// disjunction; without instances, true and false. In each copy, the variable p of p.P1 becomes the instance, purchaser[0], and that of
// GAV[p] its index, 0. An inner variable hides an outer one of the same name.
//
// It returns a *RangeError if instances does not know the party, and a *SyntaxError if the result would be too large. Offsets remain those
// of the source text.
func Expand(f *Formula, instances func(of string) ([]string, bool)) (*Formula, error) {
	x := &expander{instances: instances}
	g := x.expand(f, nil)
	if x.err != nil {
		return nil, x.err
	}
	return g, nil
}

// Bind returns a copy of f in which a variable is an instance, as Expand makes one. An inner variable of the same name hides it.
func Bind(f *Formula, variable, instance string) *Formula {
	if f == nil || (f.Op == ForAll || f.Op == ForSome) && f.Name == variable {
		return f
	}
	g := *f
	if f.Op == Atom {
		(&binding{variable, instance, nil}).atom(&g)
	}
	g.Left, g.Right = Bind(f.Left, variable, instance), Bind(f.Right, variable, instance)
	return &g
}

type expander struct {
	instances func(of string) ([]string, bool)
	nodes     int
	err       error // the first one
}

// A binding gives the instance of a variable; the innermost one comes first.
type binding struct {
	variable, instance string
	outer              *binding
}

func (x *expander) expand(f *Formula, b *binding) *Formula {
	if f == nil || x.err != nil {
		return nil
	}
	if x.nodes++; x.nodes > maxExpanded {
		x.err = &SyntaxError{f.From, f.To, fmt.Sprintf("written out for every instance, the formula has more than %d parts", maxExpanded), ""}
		return nil
	}
	if f.Op == ForAll || f.Op == ForSome {
		return x.quantifier(f, b)
	}
	g := *f
	if f.Op == Atom {
		b.atom(&g)
	}
	g.Left, g.Right = x.expand(f.Left, b), x.expand(f.Right, b)
	return &g
}

func (x *expander) quantifier(f *Formula, b *binding) *Formula {
	over, ok := x.instances(f.Range.Name)
	if !ok {
		x.err = &RangeError{f.Range}
		return nil
	}
	op, none := And, True
	if f.Op == ForSome {
		op, none = Or, False
	}
	var all *Formula
	for _, instance := range over {
		one := x.expand(f.Left, &binding{f.Name, instance, b})
		if all == nil {
			all = one
			continue
		}
		all = &Formula{Op: op, Left: all, Right: one, From: f.From, To: f.To}
	}
	if all == nil {
		return &Formula{Op: none, From: f.From, To: f.To}
	}
	return all
}

// atom replaces variables by instances.
func (b *binding) atom(f *Formula) {
	switch {
	case f.Call != nil:
		c := &Call{Function: f.Call.Function}
		for _, a := range f.Call.Args {
			c.Args = append(c.Args, Ref{b.name(a.Name), a.From, a.To})
		}
		f.Call, f.Name = c, c.String()
	case f.Compare != nil:
		f.Compare = f.Compare.Renamed(b.name)
		f.Name = f.Compare.String()
	default:
		f.Name = b.name(f.Name)
	}
}

// name replaces the variables in a name: its first word, and indices.
func (b *binding) name(text string) string {
	if b == nil {
		return text
	}
	words := strings.Split(text, ".")
	if v := b.of(words[0]); v != nil && len(words) > 1 {
		words[0] = v.instance
	}
	for i, w := range words {
		at := strings.IndexByte(w, '[')
		if at < 0 {
			continue
		}
		if v := b.of(strings.TrimSuffix(w[at+1:], "]")); v != nil {
			words[i] = w[:at] + v.index()
		}
	}
	return strings.Join(words, ".")
}

// of returns the innermost binding of a variable, or nil.
func (b *binding) of(variable string) *binding {
	for ; b != nil; b = b.outer {
		if b.variable == variable {
			return b
		}
	}
	return nil
}

// index returns the index in the instance's name, with its brackets, or "".
func (b *binding) index() string {
	if at := strings.IndexByte(b.instance, '['); at >= 0 {
		return b.instance[at:]
	}
	return ""
}
