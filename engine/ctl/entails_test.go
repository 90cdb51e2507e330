package ctl_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
)

func named(atom *ctl.Formula) string { return atom.Name }

// What is said to entail does in every graph, by the naive labelling; and many of the pairs drawn do.
func TestEntailsIsSound(t *testing.T) {
	entailed := 0
	rapid.Check(t, func(t *rapid.T) {
		f := formulas(3).Draw(t, "f")
		g := rapid.OneOf(formulas(3), rapid.Just(f), rapid.Custom(func(t *rapid.T) *ctl.Formula { // often weaker than f
			return &ctl.Formula{Op: rapid.SampledFrom([]ctl.Op{ctl.Or, ctl.EF, ctl.EW, ctl.AW}).Draw(t, "op"), Left: formulas(1).Draw(t, "l"), Right: f}
		})).Draw(t, "g")
		if !ctl.Entails(f, g, named) {
			return
		}
		entailed++
		for range 10 {
			m := graphs(6).Draw(t, "graph")
			was, now := naive.Sat(m.naive(), f), naive.Sat(m.naive(), g)
			for s := range was {
				if was[s] && !now[s] {
					t.Fatalf("%s is said to entail %s, and does not in state %d", f.CTL(), g.CTL(), s)
				}
			}
		}
	})
	if entailed < 10 {
		t.Errorf("only %d pairs were entailed", entailed)
	}
}

// What entails is found where both are small, and what does not is not.
func TestEntails(t *testing.T) {
	for _, c := range []struct {
		f, g string
		want bool
	}{
		{"AG (p -> AF q)", "AG (p && party.r-1 -> AF q)", true},
		{"AG (p && party.r-1 -> AF q)", "AG (p -> AF q)", false},
		{"AG (p -> AX q)", "AG (p -> AF q)", false}, // p may be where it ends
		{"AG (p -> EX true && AX q)", "AG (p -> AF q)", true},
		{"AG p", "AG AG p", true}, {"AG AG p", "AG p", true},
		{"AG EF p", "EF p", true}, {"EF p", "AG EF p", false},
		{"AF AG p", "AG AF p", true}, {"AG AF p", "AF AG p", false},
		{"A[p U q]", "AF q", true}, {"AF q", "A[p U q]", false}, {"A[p W q]", "AF q", false},
		{"A[p W q] && AF q", "A[p U q]", true}, {"EG p", "EF p", true}, {"AG p", "EG p", true},
		{"AG p", "p", true}, {"p", "EF p", true}, {"AF p", "EF p", true}, {"false", "q", true}, {"p", "true", true},
		{"AG (p && q)", "AG p && AG q", true}, {"AG p && AG q", "AG (p && q)", true},
		{"EF (p && q)", "EF p && EF q", true}, {"EF p && EF q", "EF (p && q)", false},
		{"AX false", "AF (p || !p)", true}, {"EX true && AX p", "EX p", true}, {"AX p", "EX p", false},
		{"A[p W q]", "!E[!q U !p && !q]", true}, {"!E[!q U !p && !q]", "A[p W q]", true},
		{"AG (p -> EF q) && AF p", "EF q", true},
		{"EG (p && AF q)", "EF q", true},
	} {
		if got := ctl.Entails(parsed(t, c.f), parsed(t, c.g), named); got != c.want {
			t.Errorf("%s entails %s: %t", c.f, c.g, got)
		}
	}
}

// What is too large for the tableau is still known by its form.
func TestEntailsLarge(t *testing.T) {
	const wide = "p0 && p1 && p2 && p3 && p4 && p5 && p6 && p7 && p8 && p9 && p10"
	f, g := parsed(t, "AG (q -> AF ("+wide+"))"), parsed(t, "AG (q && p11 -> AF p3)")
	if !ctl.Entails(f, g, named) || ctl.Entails(g, f, named) {
		t.Error("the form alone does not tell")
	}
}

func parsed(t *testing.T, text string) *ctl.Formula {
	f, err := ctl.Parse(text)
	if err != nil {
		t.Fatal(text, err)
	}
	return f
}

// The dualities that hold of every graph are entailed both ways.
func TestEntailsDualities(t *testing.T) {
	for _, pair := range dualities {
		f, g := parsed(t, pair[0]), parsed(t, pair[1])
		if !ctl.Entails(f, g, named) || !ctl.Entails(g, f, named) {
			t.Errorf("%s and %s", pair[0], pair[1])
		}
	}
	if len(slices.Compact(dualities)) < 15 {
		t.Error("few dualities")
	}
}
