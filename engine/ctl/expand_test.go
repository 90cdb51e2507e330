package ctl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
)

// quantified puts what only a contract can give a meaning to into a formula: quantifiers before
// some of its parts; calls, comparisons and names with indices for some of its atoms.
func quantified(t *rapid.T, f *ctl.Formula) *ctl.Formula {
	if f == nil {
		return nil
	}
	g := *f
	g.Left, g.Right = quantified(t, f.Left), quantified(t, f.Right)
	if f.Op == ctl.Atom {
		texts := []string{"party.r-1", "p[0].E", "bank[north].P1", "happened(e)", "before(e, GAV[2])", "enabled(GAV[p])", "p.paid >= 2", "x.y[1].z != -3"}
		return unresolved(rapid.SampledFrom(texts).Draw(t, "atom"))
	}
	switch rapid.IntRange(0, 5).Draw(t, "quantifier") {
	case 0:
		return &ctl.Formula{Op: ctl.ForAll, Name: "p", Range: ctl.Ref{Name: "purchaser"}, Left: &g}
	case 1:
		return &ctl.Formula{Op: ctl.ForSome, Name: "q", Range: ctl.Ref{Name: "bank"}, Left: &g}
	}
	return &g
}

// unresolved parses a formula of any names.
func unresolved(text string) *ctl.Formula {
	f, err := ctl.Parse(text)
	if err != nil {
		panic(err)
	}
	return f
}

func instances(of string) ([]string, bool) {
	switch of {
	case "purchaser":
		return []string{"purchaser[0]", "purchaser[1]"}, true
	case "bank":
		return []string{"bank[north]"}, true
	case "nobody":
		return nil, true
	}
	return nil, false
}

func TestExpand(t *testing.T) {
	for text, want := range map[string]string{
		"all p in purchaser: AG (p.P1 -> AF p.P2)":               "AG (purchaser[0].P1 -> AF purchaser[0].P2) && AG (purchaser[1].P1 -> AF purchaser[1].P2)",
		"AG some p in purchaser: p.P1 || seller.S0":              "AG (purchaser[0].P1 || seller.S0 || (purchaser[1].P1 || seller.S0))",
		"all p in nobody: p.P1":                                  "true",
		"some p in nobody: p.P1":                                 "false",
		"some b in bank: b.open && purchaser[0].P1":              "bank[north].open && purchaser[0].P1",
		"all p in purchaser: happened(GAV[p]) -> p.paid >= 2":    "(happened(GAV[0]) -> purchaser[0].paid >= 2) && (happened(GAV[1]) -> purchaser[1].paid >= 2)",
		"some p in bank: all p in purchaser: p.P1":               "purchaser[0].P1 && purchaser[1].P1",
		"all p in purchaser: some q in bank: before(a[p], b[q])": "before(a[0], b[north]) && before(a[1], b[north])",
		"all p in purchaser: p && pp.P1 && seller.p":             "p && pp.P1 && seller.p && (p && pp.P1 && seller.p)",
	} {
		f := unresolved(text)
		g, err := ctl.Expand(f, instances)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if g.CTL() != want {
			t.Errorf("%s\n got %s\nwant %s", text, g.CTL(), want)
		}
		if again := unresolved(text); !ctl.Equal(f, again) {
			t.Errorf("%s has become %s", text, f.CTL())
		}
	}
}

func TestExpandSaysWhy(t *testing.T) {
	_, err := ctl.Expand(unresolved("AG all p in seler: p.P1"), instances)
	var unknown *ctl.RangeError
	if !errors.As(err, &unknown) || unknown.Range != (ctl.Ref{Name: "seler", From: 12, To: 17}) {
		t.Errorf("%v", err)
	}
	many := func(string) ([]string, bool) {
		var all []string
		for i := range 400 {
			all = append(all, fmt.Sprintf("p[%d]", i))
		}
		return all, true
	}
	_, err = ctl.Expand(unresolved(strings.Repeat("all p in party: ", 199)+"p.P1"), many)
	var syntax *ctl.SyntaxError
	if !errors.As(err, &syntax) || !strings.Contains(syntax.Message, "more than 100000 parts") {
		t.Errorf("%v", err)
	}
}

// What is written out by hand is the same formula.
func TestExpandedIsWrittenOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := quantified(t, formulas(4).Draw(t, "formula"))
		g, err := ctl.Expand(f, instances)
		if err != nil {
			t.Skip("too large")
		}
		again, err := ctl.Parse(g.CTL())
		if err != nil || !ctl.Equal(g, again) {
			t.Fatalf("%s: %v", g.CTL(), err)
		}
		if twice, _ := ctl.Expand(g, instances); !ctl.Equal(g, twice) {
			t.Fatalf("%s still has quantifiers", g.CTL())
		}
	})
}
