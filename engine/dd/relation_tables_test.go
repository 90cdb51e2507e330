package dd_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/dd"
)

// A step is a relation on the eight tuples of three variables: by tuple, the set of those that it leads to.
type step [8]table

// after is what a step leads to from a set in one go.
func (s step) after(a table) (b table) {
	for i := range 8 {
		if a.has(i) {
			b |= s[i]
		}
	}
	return b
}

func (s step) turned() (back step) {
	for i := range 8 {
		for k := range 8 {
			if s[i].has(k) {
				back[k] |= 1 << i
			}
		}
	}
	return back
}

// within is what a step leads to in any number of goes, each ending in c.
func (s step) within(a, c table) table {
	for range 8 {
		a |= s.after(a) & c
	}
	return a
}

// stay is the greatest part of a with a successor in itself.
func (s step) stay(a table) table {
	back := s.turned()
	for range 8 {
		a &= back.after(a)
	}
	return a
}

// chains are some relations: one variable, two with one between, all; a choice, a test, a swap.
func chains() [][]dd.Local {
	up, down, flip, keep, any := []dd.Pair{{From: 0, To: 1}}, []dd.Pair{{From: 1, To: 0}}, []dd.Pair{{From: 0, To: 1}, {From: 1, To: 0}},
		[]dd.Pair{{From: 1, To: 1}}, []dd.Pair{{From: 0, To: 0}, {From: 0, To: 1}}
	return [][]dd.Local{
		{{Level: 1, Pairs: up}}, {{Level: 3, Pairs: down}}, {{Level: 1, Pairs: down}, {Level: 3, Pairs: up}},
		{{Level: 1, Pairs: keep}, {Level: 2, Pairs: any}}, {{Level: 1, Pairs: up}, {Level: 2, Pairs: down}, {Level: 3, Pairs: flip}},
		{{Level: 2, Pairs: keep}}, {{Level: 2, Pairs: nil}, {Level: 3, Pairs: up}},
	}
}

// stepOf reads a chain.
func stepOf(chain []dd.Local) (s step) {
	for i := range 8 {
		for k := range 8 {
			if leads(chain, tuple(i), tuple(k)) {
				s[i] |= 1 << k
			}
		}
	}
	return s
}

// TestRelationTables: what relations do to all functions of three variables, within all others.
func TestRelationTables(t *testing.T) {
	f := dd.New([]int{2, 2, 2}, dd.Limits{})
	all, list := functions(t, f), chains()
	var relations []dd.Relation
	for _, chain := range list {
		r, s := f.Chain(chain), stepOf(chain)
		relations = append(relations, r)
		for i, a := range all {
			if must(t)(f.Lead(ctx, r, a)) != all[s.after(table(i))] {
				t.Fatalf("%v leads from %08b elsewhere than to %08b", chain, i, s.after(table(i)))
			}
		}
	}
	for some := range 1 << len(list) { // systems of one relation, of two and of all
		var those []dd.Relation
		var s step
		for k, chain := range list {
			if some>>k&1 == 1 {
				those = append(those, relations[k])
				for i, to := range stepOf(chain) {
					s[i] |= to
				}
			}
		}
		if len(those) <= 1 || some%37 == 0 || len(those) == len(list) {
			systemTables(t, f, all, f.System(those), s)
		}
	}
}

func systemTables(t *testing.T, f *dd.Forest, all []dd.Node, system *dd.System, s step) {
	for i, a := range all {
		if must(t)(f.Reach(ctx, system, a)) != all[s.within(table(i), 255)] {
			t.Fatalf("%v reaches from %08b not what it should", s, i)
		}
		if must(t)(stay(f, system, a, 8)) != all[s.turned().stay(table(i))] {
			t.Fatalf("what stays under %v of %08b is not what should", s.turned(), i)
		}
		for k, c := range all {
			if must(t)(f.Image(ctx, system, a, c)) != all[s.after(table(i))&table(k)] {
				t.Fatalf("the image of %08b in %08b under %v is not what it should be", i, k, s)
			}
			if must(t)(f.ReachWithin(ctx, system, a, c)) != all[s.within(table(i), table(k))] {
				t.Fatalf("%v reaches from %08b in %08b not what it should", s, i, k)
			}
		}
	}
}
