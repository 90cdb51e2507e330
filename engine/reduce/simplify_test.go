package reduce

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
)

var all = []ctl.Op{ctl.Not, ctl.And, ctl.Or, ctl.Implies, ctl.Iff, ctl.EX, ctl.AX, ctl.EF, ctl.AF, ctl.EG, ctl.AG, ctl.EU, ctl.AU, ctl.EW, ctl.AW}

func anyFormula(t *rapid.T, depth int) *ctl.Formula {
	if depth == 0 || rapid.IntRange(0, 5).Draw(t, "leaf") == 0 {
		op := rapid.SampledFrom([]ctl.Op{ctl.Atom, ctl.Atom, ctl.True, ctl.False}).Draw(t, "op")
		return &ctl.Formula{Op: op, Name: "p", Place: rapid.IntRange(0, 1).Draw(t, "place")}
	}
	f := &ctl.Formula{Op: rapid.SampledFrom(all).Draw(t, "op"), Left: anyFormula(t, depth-1)}
	if slices.Contains([]ctl.Op{ctl.And, ctl.Or, ctl.Implies, ctl.Iff, ctl.EU, ctl.AU, ctl.EW, ctl.AW}, f.Op) {
		f.Right = anyFormula(t, depth-1)
	}
	return f
}

// TestSimplifiedFormulasAgree in every state of random graphs.
func TestSimplifiedFormulasAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "states")
		g := naive.Graph{Succ: make([][]int, n)}
		marked := [2][]bool{}
		for s := range g.Succ {
			g.Succ[s] = rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, min(n, 3), rapid.ID).Draw(t, "successors")
		}
		for p := range marked {
			marked[p] = rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "marked")
		}
		g.Holds = func(s, p int) bool { return marked[p][s] }
		f := anyFormula(t, 4)
		text := f.CTL()
		short := Simplify(f)
		if f.CTL() != text {
			t.Fatalf("%s was changed", text)
		}
		if have, want := naive.Sat(g, short), naive.Sat(g, f); !slices.Equal(have, want) {
			t.Fatalf("%s is not %s: %v, expected %v", short.CTL(), text, have, want)
		}
		for rule := range rules {
			if breaks := about[rule].breaks; breaks&needs(f) == 0 && breaks&needs(short) != 0 {
				t.Fatalf("%s does not allow %v, %s does", short.CTL(), rule, text)
			}
		}
		if again := Simplify(short); again.CTL() != short.CTL() {
			t.Fatalf("%s becomes %s", short.CTL(), again.CTL())
		}
	})
}

func parse(t *testing.T, text string) *ctl.Formula {
	f, err := ctl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSimplify(t *testing.T) {
	for text, want := range map[string]string{
		"EF EF p": "EF p", "EF AF p": "EF p", "AF EF p": "EF p", "AG EG p": "AG p", "EG AG p": "AG p", "AF AF p": "AF p", "EG EG p": "EG p",
		"EF E[p U q]": "EF q", "EF A[p U q]": "EF q", "A[p U EF q]": "EF q", "EF (p || EF q)": "EF p || EF q", "EF (p || q)": "EF (p || q)",
		"AG (p && AG q)": "AG p && AG q", "EF AG p": "EF AG p", "AG EF p": "AG EF p", "!!p": "p", "p -> false": "!p", "true <-> p": "p",
		"E[true U p]": "EF p", "A[p W false]": "AG p", "A[false U p]": "p", "E[p W true]": "true", "EX true": "EX true", "AX false": "AX false",
		"EF (p || EX q)": "EF (p || EX q)", "EF (p || (q || AF r))": "EF p || (EF q || EF r)",
		"EX false": "false", "AX true": "true", "EF (EX false || p)": "EF p", "AG AX true": "true",
	} {
		if have := Simplify(parse(t, text)).CTL(); have != parse(t, want).CTL() {
			t.Errorf("%s becomes %s, expected %s", text, have, want)
		}
	}
}

func TestNeeds(t *testing.T) {
	for text, want := range map[string]string{
		"p": "reach", "EF p && AG !q": "reach", "E[p U q] || A[p W q]": "reach", "EG p": "forever", "AF p -> EF q": "forever", "E[p W q]": "forever",
		"AG EF p": "nested", "AG (p -> AF q)": "nested+forever", "E[EF p U q]": "nested", "EX p": "next", "AG AX p": "next+nested",
		"EF !EX true": "dead", "EF (p && AX false)": "dead", "AG EX true": "dead", "AG (!EX true -> p)": "dead", "EF !(p -> EX true)": "dead",
		"AG EF !EX true": "nested+dead", "EF EX true": "next+nested", "AG !EX true": "next+nested", "AG (p <-> EX true)": "next+nested",
		"!EX true": "next", "EG !EX true": "next+nested+forever", "E[p U !EX true]": "next+nested",
	} {
		if have := needs(parse(t, text)).String(); have != want {
			t.Errorf("%s needs %s, expected %s", text, have, want)
		}
	}
}
