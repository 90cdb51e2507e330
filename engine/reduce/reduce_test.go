package reduce_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/reduce"
)

// kinds of formulas, by what they need.
var kinds = []string{"reach", "dead", "linear", "nested", "branching", "any"}

// anyFormula draws a formula of a kind.
func anyFormula(t *rapid.T, n *petri.Net, kind string) *ctl.Formula {
	b := &formulas{nets{t, n}}
	op := func(ops ...ctl.Op) ctl.Op { return rapid.SampledFrom(ops).Draw(t, "op") }
	safe := []ctl.Op{ctl.EF, ctl.AG, ctl.EF, ctl.AG, ctl.EU, ctl.AW}
	maximal := []ctl.Op{ctl.EG, ctl.AF, ctl.AU, ctl.EW}
	switch kind {
	case "reach":
		return b.boolean(1, func() *ctl.Formula { return b.path(op(safe...), b.predicate) })
	case "dead":
		return b.boolean(1, func() *ctl.Formula { return b.path(op(ctl.EF, ctl.AG), b.deadly) })
	case "linear":
		return b.boolean(1, func() *ctl.Formula { return b.path(op(maximal...), b.predicate) })
	case "nested":
		return b.deep(3, safe)
	case "branching":
		return b.deep(3, append(maximal, safe...))
	}
	return b.deep(3, append(slices.Concat(maximal, safe), ctl.EX, ctl.AX))
}

type formulas struct{ nets }

func (b *formulas) atom() *ctl.Formula {
	places := len(b.n.Places)
	if b.chance(4) {
		var list []ctl.Weight
		for range b.int(1, 3) {
			list = append(list, ctl.Weight{Place: b.int(0, places-1), By: b.int(-2, 2)})
		}
		return ctl.AtMost(list, b.int(-2, 2))
	}
	p := b.int(0, places-1)
	return &ctl.Formula{Op: ctl.Atom, Name: b.n.Places[p].String(), Place: p}
}

// boolean combines what leaf draws, as deep as depth at most.
func (b *formulas) boolean(depth int, leaf func() *ctl.Formula) *ctl.Formula {
	if depth == 0 || b.chance(3) {
		return leaf()
	}
	f := &ctl.Formula{Op: rapid.SampledFrom([]ctl.Op{ctl.And, ctl.Or, ctl.Not, ctl.Implies, ctl.Iff}).Draw(b.T, "boolean")}
	f.Left = b.boolean(depth-1, leaf)
	if f.Op != ctl.Not {
		f.Right = b.boolean(depth-1, leaf)
	}
	return f
}

func (b *formulas) predicate() *ctl.Formula { return b.boolean(1, b.atom) }

func (b *formulas) deadly() *ctl.Formula {
	return b.boolean(2, func() *ctl.Formula {
		if b.chance(2) {
			return b.atom()
		}
		return &ctl.Formula{Op: ctl.Not, Left: &ctl.Formula{Op: ctl.EX, Left: &ctl.Formula{Op: ctl.True}}}
	})
}

func (b *formulas) path(op ctl.Op, operand func() *ctl.Formula) *ctl.Formula {
	f := &ctl.Formula{Op: op, Left: operand()}
	if op >= ctl.EU {
		f.Right = operand()
	}
	return f
}

// deep nests path operators and Boolean ones.
func (b *formulas) deep(depth int, ops []ctl.Op) *ctl.Formula {
	if depth == 0 {
		return b.predicate()
	}
	deeper := func() *ctl.Formula { return b.deep(depth-1, ops) }
	switch b.int(0, 5) {
	case 0:
		return b.boolean(1, deeper)
	case 1:
		return b.predicate()
	}
	return b.path(rapid.SampledFrom(ops).Draw(b.T, "op"), deeper)
}

func TestReducedNetsAgree(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { agree(t, kind) })
		})
	}
}

// agree checks that the verdict is that of the original, and the same of what the model says.
func agree(t *rapid.T, kind string) {
	n := anyNet(t)
	x := explore(n)
	if x == nil {
		return
	}
	f := anyFormula(t, n, kind)
	want := x.sat(f)[0]
	text, before := f.CTL(), fmt.Sprint(*n)
	r, err := reduce.Reduce(context.Background(), n, f)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(*n) != before || f.CTL() != text {
		t.Fatal("the original was changed")
	}
	if err := r.Net.Sane(); err != nil {
		t.Fatalf("%v\n%s", err, show(n, f, r))
	}
	y := explore(r.Net)
	if y == nil {
		t.Fatalf("the reduced net is not one-safe or has more states\n%s", show(n, f, r))
	}
	if have := y.sat(r.Formula)[0]; have != want {
		t.Fatalf("reduced %v, expected %v\n%s", have, want, show(n, f, r))
	}
	if len(y.marks) > len(x.marks) {
		t.Fatalf("%d states, before %d\n%s", len(y.marks), len(x.marks), show(n, f, r))
	}
}

func show(n *petri.Net, f *ctl.Formula, r *reduce.Reduced) string {
	var b strings.Builder
	for _, n := range []*petri.Net{n, r.Net} {
		fmt.Fprintln(&b, "initial", n.Initial, "places", n.Places)
		for _, t := range n.Transitions {
			fmt.Fprintf(&b, "  %v ?%v -> %v moves %v marks %v\n", t.In, t.Read, t.Out, t.Moves, t.Marks)
		}
	}
	return fmt.Sprintf("%s%s\n%s\n%v %v", b.String(), places(f), places(r.Formula), r.Needs, r.Applied)
}

func places(f *ctl.Formula) string {
	g := clone(f)
	for a := range g.Atoms() {
		if a.Sum == nil {
			a.Name = fmt.Sprint("#", a.Place)
		}
	}
	return g.CTL()
}

func clone(f *ctl.Formula) *ctl.Formula {
	if f == nil {
		return nil
	}
	g := *f
	g.Left, g.Right = clone(f.Left), clone(f.Right)
	return &g
}
