package ctl_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
)

func TestSatAgreesWithNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, f := graphs(8).Draw(t, "graph"), formulas(5).Draw(t, "formula")
		sat, err := ctl.New(g).Sat(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := bools(sat, len(g.succ)), naive.Sat(g.naive(), f); !slices.Equal(got, want) {
			t.Fatalf("%s\ngot  %v\nwant %v", f.CTL(), got, want)
		}
	})
}

// Every operator on every graph alike, so that no operator is left to chance.
func TestEveryOperatorAgreesWithNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := graphs(8).Draw(t, "graph")
		c := ctl.New(g)
		for op := ctl.EX; op <= ctl.AW; op++ {
			f := &ctl.Formula{Op: op, Left: &ctl.Formula{Op: ctl.Atom, Place: 0}}
			if op >= ctl.EU {
				f.Right = &ctl.Formula{Op: ctl.Atom, Place: 1}
			}
			sat, _ := c.Sat(context.Background(), f)
			if got, want := bools(sat, len(g.succ)), naive.Sat(g.naive(), f); !slices.Equal(got, want) {
				t.Fatalf("operator %d\ngot  %v\nwant %v", op, got, want)
			}
		}
	})
}

var dualities = [][2]string{
	{"AX p", "!EX !p"}, {"AG p", "!EF !p"}, {"AF p", "!EG !p"},
	{"EF p", "E[true U p]"}, {"AF p", "A[true U p]"},
	{"EG p", "E[p W false]"}, {"AG p", "A[p W false]"},
	{"A[p W q]", "!E[!q U !p && !q]"}, {"A[p U q]", "!E[!q W !p && !q]"},
	{"E[p W q]", "E[p U q] || EG p"}, {"A[p U q]", "A[p W q] && AF q"},
	{"E[p U q]", "q || p && EX E[p U q]"}, {"A[p W q]", "q || p && AX A[p W q]"},
	{"EG p", "p && (AX false || EX EG p)"}, {"AF p", "p || EX true && AX AF p"},
	{"EX (p || q)", "EX p || EX q"}, {"p -> q -> p", "true"}, {"p <-> q", "(p -> q) && (q -> p)"},
}

func TestDualities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := graphs(20).Draw(t, "graph")
		c := ctl.New(g)
		for _, pair := range dualities {
			a, _ := c.Sat(context.Background(), must(ctl.Parse(pair[0])))
			b, _ := c.Sat(context.Background(), must(ctl.Parse(pair[1])))
			if a != b {
				t.Fatalf("%s is %b, %s is %b", pair[0], a, pair[1], b)
			}
		}
	})
}

// figure10 is the paper's: A, B, C are states 0, 1, 2; q in A and B, r in C (here place p).
func figure10() *graph {
	return &graph{succ: [][]int{{1, 2}, {1, 2}, {}}, marked: []uint64{0b100, 0b011, 0}}
}

func TestFigure10(t *testing.T) {
	c := ctl.New(figure10())
	for text, want := range map[string]bool{
		"q Au p": true, "q AU p": false, "q EU p": true, "q Eu p": true,
		"F A false": true, "true AU p": false, "q Eu false": true, "G(q | p)": true,
	} {
		got, err := c.Holds(context.Background(), must(ctl.ParseTable1(text)))
		if got != want || err != nil {
			t.Errorf("A |= %s: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestDeadEnd(t *testing.T) {
	c := ctl.New(&graph{succ: [][]int{{}}, marked: []uint64{1, 0, 0}})
	for text, want := range map[string]bool{
		"AX false": true, "EX true": false, "AF p": true, "AF q": false, "A[p U q]": false, "A[p U p]": true,
		"EG p": true, "EG q": false, "A[p W q]": true, "E[p W q]": true, "E[p U q]": false, "AG p": true,
	} {
		if got, _ := c.Holds(context.Background(), must(ctl.Parse(text))); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestSharedSubformulasAreLabelledOnce(t *testing.T) {
	g := figure10()
	c := ctl.New(g)
	if _, err := c.Sat(context.Background(), must(ctl.Parse("AG EF p && q"))); err != nil {
		t.Fatal(err)
	}
	before := g.work
	if _, err := c.Sat(context.Background(), must(ctl.Parse("!(AG EF p) || EF p"))); err != nil {
		t.Fatal(err)
	}
	if g.work != before {
		t.Errorf("%d more calls of Pre", g.work-before)
	}
}

func TestCancelledCheckGivesTheCauseAndRecovers(t *testing.T) {
	why := errors.New("out of time")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(why)
	c := ctl.New(figure10())
	f := must(ctl.Parse("AG EF p"))
	if _, err := c.Holds(ctx, f); !errors.Is(err, why) {
		t.Errorf("Holds: %v", err)
	}
	if _, err := c.Explain(ctx, f, nil); !errors.Is(err, why) {
		t.Errorf("Explain: %v", err)
	}
	if got, err := c.Holds(context.Background(), f); !got || err != nil {
		t.Errorf("afterwards: %v, %v", got, err)
	}
}

// Whichever call of the algebra fails, its error comes out, and nothing is remembered wrongly.
func TestAnyFailureComesOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, f := graphs(6).Draw(t, "graph"), formulas(3).Draw(t, "formula")
		all := func(c *ctl.Checker[uint64]) (string, error) {
			holds, err := c.Holds(context.Background(), f)
			if err != nil {
				return "", err
			}
			e, err := c.Explain(context.Background(), f, g.step)
			if err != nil || !holds {
				return tell(e), err
			}
			remarks, err := c.Vacuous(context.Background(), f)
			return tell(e) + describe(remarks), err
		}
		want, err := all(ctl.New(g))
		if err != nil {
			t.Fatal(err)
		}
		for total := g.work; total > 0; total-- {
			c := ctl.New(g)
			g.work, g.last = 0, total
			if _, err := all(c); !errors.Is(err, errSpent) {
				t.Fatalf("%s: call %d fails, and then: %v", f.CTL(), total, err)
			}
			g.last = 0
			if got, err := all(c); got != want || err != nil {
				t.Fatalf("%s: afterwards %s, %v; want %s", f.CTL(), got, err, want)
			}
		}
	})
}
