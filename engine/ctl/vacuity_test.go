package ctl_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
)

// spot is an occurrence, written down anew: the subformula and how to rebuild the whole around it.
type spot struct {
	sub   *ctl.Formula
	worst bool
	put   func(*ctl.Formula) *ctl.Formula
}

// spots lists the occurrences of pure polarity below f, constants left out.
func spots(f *ctl.Formula, worst bool, put func(*ctl.Formula) *ctl.Formula) []spot {
	if f.Op <= ctl.False {
		return nil
	}
	all := []spot{{f, worst, put}}
	if f.Op == ctl.Iff {
		return all
	}
	if f.Left != nil {
		flips := f.Op == ctl.Not || f.Op == ctl.Implies
		all = append(all, spots(f.Left, worst != flips, func(g *ctl.Formula) *ctl.Formula {
			return put(&ctl.Formula{Op: f.Op, Left: g, Right: f.Right})
		})...)
	}
	if f.Right != nil {
		all = append(all, spots(f.Right, worst, func(g *ctl.Formula) *ctl.Formula {
			return put(&ctl.Formula{Op: f.Op, Left: f.Left, Right: g})
		})...)
	}
	return all
}

func constant(value bool) *ctl.Formula {
	if value {
		return &ctl.Formula{Op: ctl.True}
	}
	return &ctl.Formula{Op: ctl.False}
}

func within(f, sub *ctl.Formula) bool {
	return f != nil && (f == sub || within(f.Left, sub) || within(f.Right, sub))
}

func TestVacuousAgreesWithReplacingEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, f := graphs(8).Draw(t, "graph"), formulas(4).Draw(t, "formula")
		if !naive.Sat(g.naive(), f)[0] {
			f = &ctl.Formula{Op: ctl.Not, Left: f}
		}
		remarks, err := ctl.New(g).Vacuous(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		all := spots(f, false, func(g *ctl.Formula) *ctl.Formula { return g })
		for _, r := range remarks {
			at := slices.IndexFunc(all, func(s spot) bool { return s.sub == r.Sub })
			if at < 1 || !naive.Sat(g.naive(), all[at].put(constant(r.Replacement)))[0] {
				t.Fatalf("%s: %s is no remark", f.CTL(), r.Sub.CTL())
			}
			sat := naive.Sat(g.naive(), r.Sub)
			if r.Never == slices.Contains(sat, true) || r.Always == slices.Contains(sat, false) {
				t.Fatalf("%s: %s never %v always %v", f.CTL(), r.Sub.CTL(), r.Never, r.Always)
			}
		}
		for _, s := range all {
			if naive.Sat(g.naive(), s.put(constant(s.worst)))[0] && varies(s.sub) && !covered(remarks, s.sub) {
				t.Fatalf("%s: no remark on %s", f.CTL(), s.sub.CTL())
			}
		}
	})
}

// varies reports whether f has an atom, without which it is as good as a constant.
func varies(f *ctl.Formula) bool {
	for range f.Atoms() {
		return true
	}
	return false
}

// covered reports whether a remark speaks of sub, of something that holds it or of a neighbour.
func covered(remarks []ctl.Vacuity, sub *ctl.Formula) bool {
	return slices.ContainsFunc(remarks, func(r ctl.Vacuity) bool {
		return within(r.Sub, sub) || r.Never && !r.Replacement || r.Always && r.Replacement
	})
}

func TestVacuous(t *testing.T) {
	// 0 -> 1 -> 0: p in 0, q in both, party.r-1 nowhere.
	g := &graph{succ: [][]int{{1}, {0}}, marked: []uint64{0b01, 0b11, 0}}
	for _, test := range []struct{ text, want string }{
		{"AG (p -> EX q)", "p=true"},
		{"AG (party.r-1 -> EX q)", "party.r-1=false never"},
		{"AG (party.r-1 -> AF (p && EX q))", "party.r-1=false never"},
		{"AG (party.r-1 && p -> q)", "party.r-1 && p=false never"},
		{"AG (p -> EX !p)", ""},
		{"AG EF p", ""},
		{"AG !party.r-1", ""},
		{"A[!party.r-1 W p]", "!party.r-1=true always"},
		{"AG (q || p)", "q=true always"},
		{"AG (p -> EX !p) && AG (party.r-1 -> p) && q", "party.r-1=false never"},
		{"AG (p -> q || EX party.r-1)", "q=true always, p=true"},
		{"AG (party.r-1 -> (p <-> q))", "party.r-1=false never"},
		{"AG (p -> true)", "p=true"},
		{"AG (party.r-1 -> EX true)", "party.r-1=false never"},
		{"AG (p -> EX true)", "p=true"},
		{"AG EX true", ""},
		{"EF (p || party.r-1)", "party.r-1=false never"},
	} {
		f := must(ctl.Parse(test.text))
		c := ctl.New(g)
		if holds, _ := c.Holds(context.Background(), f); !holds {
			t.Fatalf("%s does not hold", test.text)
		}
		remarks, err := c.Vacuous(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		if got := describe(remarks); got != test.want {
			t.Errorf("%s: %s; want %s", test.text, got, test.want)
		}
	}
}

func describe(remarks []ctl.Vacuity) (text string) {
	for i, r := range remarks {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s=%v", r.Sub.CTL(), r.Replacement)
		if r.Never {
			text += " never"
		}
		if r.Always {
			text += " always"
		}
	}
	return text
}
