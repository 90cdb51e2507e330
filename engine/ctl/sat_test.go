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

// everything tells the evidence and the remarks on f.
func everything(ctx context.Context, c *ctl.Checker[uint64], g *graph, f *ctl.Formula) (string, error) {
	holds, err := c.Holds(ctx, f)
	if err != nil {
		return "", err
	}
	e, err := c.Explain(ctx, f, g.step)
	if err != nil || !holds {
		return tell(e), err
	}
	remarks, err := c.Vacuous(ctx, f)
	return tell(e) + describe(remarks), err
}

// Whichever call of the algebra fails, its error comes out, and nothing is remembered wrongly.
func TestAnyFailureComesOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, f := graphs(6).Draw(t, "graph"), formulas(3).Draw(t, "formula")
		anyFailure(t, g, f)
	})
	for _, g := range []*graph{explained(), turning(), staying()} {
		for _, text := range []string{"EF q", "AF q", "EG p", "EG true", "E[p W q]", "E[!q W q]", "A[!q U p && q]", "AG (p -> EX q)", "AG p -> EF q"} {
			anyFailure(t, g, must(ctl.Parse(text)))
		}
	}
}

func anyFailure(t interface{ Fatalf(string, ...any) }, g *graph, f *ctl.Formula) {
	g.work, g.last, g.cancel = 0, 0, nil
	want, err := everything(context.Background(), ctl.New(g), g, f)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for total := g.work; total > 0; total-- {
		c := ctl.New(g)
		g.work, g.last = 0, total
		if _, err := everything(context.Background(), c, g, f); !errors.Is(err, errSpent) {
			t.Fatalf("%s: call %d fails, and then: %v", f.CTL(), total, err)
		}
		g.last = 0
		if got, err := everything(context.Background(), c, g, f); got != want || err != nil {
			t.Fatalf("%s: afterwards %s, %v; want %s", f.CTL(), got, err, want)
		}
		// The context ends during that call, and the algebra does not notice.
		ctx, cancel := context.WithCancelCause(context.Background())
		g.work, g.last, g.cancel = 0, total, func() { cancel(errSpent) }
		if got, err := everything(ctx, ctl.New(g), g, f); !errors.Is(err, errSpent) && (got != want || err != nil) {
			t.Fatalf("%s: the context ends at call %d: %s, %v; want %s", f.CTL(), total, got, err, want)
		}
		g.last, g.cancel = 0, nil
	}
}

// Also where nothing was labelled before, a failure in looking for what makes no difference comes out.
func TestAnyFailureOfVacuousComesOut(t *testing.T) {
	for _, text := range []string{"AG (p -> EX q)", "AF (EX p || EX q)", "EF EX (p || q)", "AG (EX party.r-1 -> AF q)"} {
		g, f := &graph{succ: [][]int{{1}, {0}}, marked: []uint64{0b01, 0b11, 0}}, must(ctl.Parse(text))
		remarks, err := ctl.New(g).Vacuous(context.Background(), f)
		if err != nil || len(remarks) == 0 {
			t.Fatalf("%s: %s, %v", text, describe(remarks), err)
		}
		for g.last = g.work; g.last > 0; g.last-- {
			g.work = 0
			if remarks, err = ctl.New(g).Vacuous(context.Background(), f); !errors.Is(err, errSpent) {
				t.Errorf("%s: call %d fails, and then %s, %v", text, g.last, describe(remarks), err)
			}
		}
	}
}

// Whatever number of sets is allowed, what comes out is that it is too small, or the same as with any number.
func TestLimitOfAnyWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, f := graphs(6).Draw(t, "graph"), formulas(3).Draw(t, "formula")
		want, err := everything(context.Background(), ctl.New(g), g, f)
		if err != nil {
			t.Fatal(err)
		}
		for limit := 1; ; limit++ {
			c := ctl.New(g)
			c.LimitSets(limit)
			got, err := everything(context.Background(), c, g, f)
			if err == nil && got == want {
				return
			}
			if !errors.Is(err, ctl.ErrTooManySets) {
				t.Fatalf("%s, limit %d: %s, %v; want %s", f.CTL(), limit, got, err, want)
			}
		}
	})
}

// An error that ends an operation that returns none comes out, and no set is remembered for it.
func TestAnyFailureOfTheAlgebraComesOut(t *testing.T) {
	g := figure10()
	c := ctl.New(g)
	if _, err := c.Sat(context.Background(), must(ctl.Parse("p"))); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"p & EF p", "q", "!p"} {
		g.failed = errSpent
		if _, err := c.Sat(context.Background(), must(ctl.Parse(text))); !errors.Is(err, errSpent) {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := c.Holds(context.Background(), must(ctl.Parse("p"))); !errors.Is(err, errSpent) {
			t.Errorf("p: %v", err)
		}
		g.failed = nil
		if _, err := c.Sat(context.Background(), must(ctl.Parse(text))); err != nil {
			t.Errorf("%s: afterwards %v", text, err)
		}
	}
}
