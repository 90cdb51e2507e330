package ctl_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
			checkRemark(t, g, f, r, all[at])
		}
		for _, s := range all {
			if naive.Sat(g.naive(), s.put(constant(s.worst)))[0] && varies(s.sub) && !covered(remarks, s.sub) {
				t.Fatalf("%s: no remark on %s", f.CTL(), s.sub.CTL())
			}
		}
	})
}

// checkRemark holds what a remark says to the definitions: of its part, of the reason, of leaving the part out.
func checkRemark(t *rapid.T, g *graph, f *ctl.Formula, r ctl.Vacuity, at spot) {
	anything := formulas(2).Draw(t, "anything")
	if !naive.Sat(g.naive(), at.put(anything))[0] {
		t.Fatalf("%s does not hold with %s for %s", f.CTL(), anything.CTL(), r.Sub.CTL())
	}
	never, always := values(g, r.Sub)
	if r.Never != never || r.Always != always {
		t.Fatalf("%s: %s never %v always %v", f.CTL(), r.Sub.CTL(), r.Never, r.Always)
	}
	if r.Because != nil {
		if never, always = values(g, r.Because); r.Value && !always || !r.Value && !never {
			t.Fatalf("%s: the value of %s is not %v", f.CTL(), r.Because.CTL(), r.Value)
		}
	}
	if r.In == nil && strings.Count(f.CTL(), r.Sub.CTL()) > 1 && occurrences(f, r.Sub) > 1 || r.In != nil && occurrences(f, r.In) != 1 {
		t.Fatalf("%s: which %s?", f.CTL(), r.Sub.CTL())
	}
	if left := leftOut(f, r.Sub); r.Spare && (left == nil || !naive.Sat(g.naive(), left)[0]) {
		t.Fatalf("%s does not hold without %s", f.CTL(), r.Sub.CTL())
	}
}

func values(g *graph, f *ctl.Formula) (never, always bool) {
	sat := naive.Sat(g.naive(), f)
	return !slices.Contains(sat, true), !slices.Contains(sat, false)
}

func occurrences(f, part *ctl.Formula) int {
	if f == nil {
		return 0
	}
	n := occurrences(f.Left, part) + occurrences(f.Right, part)
	if f.CTL() == part.CTL() {
		n++
	}
	return n
}

// leftOut strikes a part out of what joins two; nil where nothing does.
func leftOut(f, part *ctl.Formula) *ctl.Formula {
	switch {
	case f == nil || f.Left == nil:
		return nil
	case f.Left == part && (f.Op == ctl.And || f.Op == ctl.Or || f.Op == ctl.Implies):
		return f.Right
	case f.Right == part && (f.Op == ctl.And || f.Op == ctl.Or):
		return f.Left
	}
	g := *f
	if g.Left = leftOut(f.Left, part); g.Left != nil {
		return &g
	}
	if g.Left, g.Right = f.Left, leftOut(f.Right, part); g.Right != nil {
		return &g
	}
	return nil
}

// TestRemarksOnPatternsAreTrue: whatever is put in the place of all copies of what makes no difference, the pattern's formula holds.
func TestRemarksOnPatternsAreTrue(t *testing.T) {
	remarks, reasons := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		g := patternGraph(t)
		scope, shape := rapid.SampledFrom(patternScope).Draw(t, "scope"), rapid.SampledFrom(patternShapes).Draw(t, "shape")
		f := patternOf(scope, shape).Formula()
		if !naive.Sat(g.naive(), f)[0] {
			return
		}
		found, err := ctl.New(g).Vacuous(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			remarks++
			for range 4 {
				anything := &ctl.Formula{Op: ctl.Atom, Place: rapid.IntRange(0, 5).Draw(t, "place")}
				if rapid.Bool().Draw(t, "not") {
					anything = &ctl.Formula{Op: ctl.Not, Left: anything}
				}
				if !naive.Sat(g.naive(), everywhere(f, r.Sub.CTL(), anything))[0] {
					t.Fatalf("%s in %v %v: %s makes a difference", f.CTL(), g.succ, g.marked, r.Sub.CTL())
				}
			}
			never, always := values(g, r.Sub)
			if r.Never != never || r.Always != always {
				t.Fatalf("%s: %s never %v always %v", f.CTL(), r.Sub.CTL(), r.Never, r.Always)
			}
			if r.Because == nil {
				continue
			}
			reasons++
			if never, always = values(g, r.Because); r.Value && !always || !r.Value && !never {
				t.Fatalf("%s: the value of %s is not %v", f.CTL(), r.Because.CTL(), r.Value)
			}
		}
	})
	if remarks < 20 || reasons < 10 {
		t.Errorf("only %d remarks, %d with a reason", remarks, reasons)
	}
}

// everywhere replaces a text in all places of a formula.
func everywhere(f *ctl.Formula, text string, by *ctl.Formula) *ctl.Formula {
	if f == nil {
		return nil
	}
	if f.CTL() == text {
		return by
	}
	g := *f
	g.Left, g.Right = everywhere(f.Left, text, by), everywhere(f.Right, text, by)
	return &g
}

// varies reports whether f has an atom, without which it is as good as a constant.
func varies(f *ctl.Formula) bool {
	for range f.Atoms() {
		return true
	}
	return false
}

// covered reports whether a remark speaks of sub, of of something that holds it, as a part or a reason.
func covered(remarks []ctl.Vacuity, sub *ctl.Formula) bool {
	return slices.ContainsFunc(remarks, func(r ctl.Vacuity) bool {
		return within(r.Sub, sub) || r.Because != nil && within(r.Because, sub)
	})
}

func TestVacuous(t *testing.T) {
	// 0 -> 1 -> 0: p in 0, q in both, party.r-1 nowhere.
	g := &graph{succ: [][]int{{1}, {0}}, marked: []uint64{0b01, 0b11, 0}}
	for _, test := range []struct{ text, want string }{
		{"AG (p -> EX q)", "p=true spare since EX q=true"},
		{"AG (party.r-1 -> EX q)", "EX q=false always since party.r-1=false"},
		{"AG (party.r-1 -> AF (p && EX q))", "AF (p && EX q)=false always since party.r-1=false"},
		{"AG (party.r-1 && p -> q)", "q=false always since party.r-1 && p=false"},
		{"AG (p -> EX !p)", ""},
		{"AG EF p", ""},
		{"AG !party.r-1", ""},
		{"A[!party.r-1 W p]", "p=false since !party.r-1=true"},
		{"AG (q || p)", "p=false spare since q=true"},
		{"AG (p -> EX !p) && AG (party.r-1 -> p) && q", "p=false since party.r-1=false in party.r-1 -> p"},
		{"AG (p -> q || EX party.r-1)", "p=true spare since q || EX party.r-1=true, EX party.r-1=false spare never since q=true"},
		{"AG (party.r-1 -> (p <-> q))", "p <-> q=false since party.r-1=false"},
		{"AG (p -> true)", "p=true spare"},
		{"AG (party.r-1 -> EX true)", "EX true=false always since party.r-1=false"},
		{"AG (p -> EX true)", "p=true spare since EX true=true"},
		{"AG EX true", ""},
		{"AF (p || party.r-1)", "party.r-1=false spare never"},
		{"EF (p || party.r-1)", "party.r-1=false spare never"},
		{"EF (p || q)", "p=false spare since q=true"},
		{"AG !(p && party.r-1)", "p=true spare since party.r-1=false"},
		{"A[p U q]", "p=false since q=true"},
		// What is known of all states comes first, the rest follows, each in source order.
		{"(p || EX !p) && AG (party.r-1 -> p)", "p=false since party.r-1=false in party.r-1 -> p, p=false spare in (p || EX !p) && AG (party.r-1 -> p) number 1, EX !p=false spare"},
		{"(p || EX !p) && EF (EX p || party.r-1)", "party.r-1=false spare never, p=false spare in (p || EX !p) && EF (EX p || party.r-1) number 1, EX !p=false spare"},
		{"(p || EX !p) && A[q U EX !p]", "q=false always, p=false spare in (p || EX !p) && A[q U EX !p] number 1, EX !p=false spare in (p || EX !p) && A[q U EX !p] number 1"},
		{"AG (p -> EX q) && AG (party.r-1 -> EX p)", "p=true spare since EX q=true in p -> EX q, EX p=false since party.r-1=false"},
		{"AG (p -> EX q) && AG (p -> EX q)", "p=true spare since EX q=true in AG (p -> EX q) && AG (p -> EX q) number 1, p=true spare since EX q=true in AG (p -> EX q) && AG (p -> EX q) number 2"},
		// Where several are alike, they are numbered in source order.
		{"(p || EX !p) && (p || EX !p)", "p=false spare in (p || EX !p) && (p || EX !p) number 1, EX !p=false spare in (p || EX !p) && (p || EX !p) number 1, p=false spare in (p || EX !p) && (p || EX !p) number 3, EX !p=false spare in (p || EX !p) && (p || EX !p) number 2"},
		// A value is a reason only if it is the one that leaves the part no say.
		{"AG !A[p U party.r-1]", "p=true"},
		// Constants are no remark, and no reason.
		{"AG (p -> EX !p || true && false)", ""},
		{"AG !(p && false)", "p=true spare"},
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

// TestVacuousOfMany: nothing is said of a conjunct with too many parts to try. Constants are none; an operator of constants is one, and so is what stands within <->.
func TestVacuousOfMany(t *testing.T) {
	const most = 256
	for _, test := range []struct {
		part string
		n    int
		more string
		want bool
	}{
		{"q", most, "", true}, {"q", most + 1, "", false},
		{"EX true", most, "", true}, {"EX true", most + 1, "", false},
		{"(q <-> q)", most, "", true}, {"(q <-> q)", most + 1, "", false},
		{"q", most, " || true && false", true},
	} {
		g := &graph{succ: [][]int{{1}, {0}}, marked: []uint64{0b01, 0b11, 0}}
		f := must(ctl.Parse("AG (" + strings.Repeat(test.part+" || ", test.n-1) + test.part + test.more + ")"))
		remarks, err := ctl.New(g).Vacuous(context.Background(), f)
		if err != nil || len(remarks) > 0 != test.want {
			t.Errorf("%d times %s%s: %d remarks, %v", test.n, test.part, test.more, len(remarks), err)
		}
	}
}

func describe(remarks []ctl.Vacuity) (text string) {
	for i, r := range remarks {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s=%v", r.Sub.CTL(), r.Replacement)
		if r.Spare {
			text += " spare"
		}
		if r.Never {
			text += " never"
		}
		if r.Always {
			text += " always"
		}
		if r.Because != nil {
			text += fmt.Sprintf(" since %s=%v", r.Because.CTL(), r.Value)
		}
		if r.In != nil {
			text += " in " + r.In.CTL()
		}
		if r.Nth > 0 {
			text += fmt.Sprint(" number ", r.Nth)
		}
	}
	return text
}

// operand parses what stands in a pattern; its parts know which attribute they are of.
func operand(role, text string) *ctl.Formula {
	if text == "" {
		return nil
	}
	f := must(ctl.Parse(text))
	var mark func(f *ctl.Formula)
	mark = func(f *ctl.Formula) {
		if f != nil {
			f.Role = role
			mark(f.Left)
			mark(f.Right)
		}
	}
	mark(f)
	return f
}

// TestVacuousPatterns: a part of an operand is replaced in all its copies at once; the largest are said, and what is so of all states as the reason.
func TestVacuousPatterns(t *testing.T) {
	for _, test := range []struct {
		kind                 ctl.Kind
		of, by, after, until string
		must                 bool
		want                 string
	}{
		{ctl.Universality, "q", "", "", "", false, ""},
		{ctl.Universality, "q || p", "", "", "", false, "p=false since q=true"},
		{ctl.Universality, "q || true", "", "", "", false, "q=false always"},
		{ctl.Universality, "q || false", "", "", "", false, ""},
		{ctl.Universality, "q || (p <-> q)", "", "", "", false, "p <-> q=false since q=true"},
		{ctl.Absence, "party.r-1", "", "", "", false, ""},
		{ctl.Absence, "party.r-1", "", "p", "!p", false, "p=true since party.r-1=false, !p=false since party.r-1=false, p of after"},
		{ctl.Absence, "party.r-1 && p", "", "p", "!p", true, "p=true since party.r-1 && p=false, !p=false since party.r-1 && p=false, p=true since party.r-1=false, p of after, p of of"},
		{ctl.Existence, "p || party.r-1", "", "", "", false, "party.r-1=false never"},
		{ctl.Response, "p", "!p", "", "", false, "p=true, p of of"},
		{ctl.Response, "p && q", "!p", "", "", false, "p && q=true"},
		{ctl.Response, "party.r-1", "!p", "", "", false, "!p=false since party.r-1=false"},
		{ctl.Response, "party.r-1", "p && !p", "q", "p", true, "q=true always since party.r-1=false, p=false since party.r-1=false, p && !p=false never since party.r-1=false, p of end"},
		{ctl.Response, "p", "p", "", "", false, "p=true, p of of"},
		{ctl.Precedence, "!p", "p", "", "", false, "!p=true"},
		{ctl.Precedence, "party.r-1", "p", "q", "", false, "p=false since party.r-1=false"},
		{ctl.Existence, "p", "", "party.r-1", "p", true, "p=false since party.r-1=false, p=false since party.r-1=false, p of end, p of of"},
		{ctl.Existence, strings.Repeat("q || ", 127) + "!party.r-1", "", "", "", false, "q || q"},
		{ctl.Existence, strings.Repeat("q || ", 126) + "!party.r-1 || !party.r-1", "", "", "", false, ""}, // too many parts
	} {
		g := &graph{succ: [][]int{{1}, {0}}, marked: []uint64{0b01, 0b11, 0}}
		p := &ctl.Pattern{Kind: test.kind, Of: []*ctl.Formula{operand("of", test.of)}, After: operand("after", test.after), End: operand("end", test.until), Must: test.must}
		if test.by != "" {
			p.By = []*ctl.Formula{operand("by", test.by)}
		}
		f := p.Formula()
		if holds, err := ctl.New(g).Holds(context.Background(), f); !holds || err != nil {
			t.Fatalf("%+v does not hold: %v", test, err)
		}
		remarks, err := ctl.New(g).Vacuous(context.Background(), f)
		text := describe(remarks)
		for _, r := range remarks {
			if r.Role != "" {
				text += fmt.Sprintf(", %s of %s", r.Sub.CTL(), r.Role)
			}
		}
		if len(test.of) > 100 {
			text = text[:min(len(text), 6)]
		}
		if text != test.want || err != nil {
			t.Errorf("%v %.20s %s after %s until %s must %v: %s, %v; want %s", test.kind, test.of, test.by, test.after, test.until, test.must, text, err, test.want)
		}
		for g.last = g.work; g.last > 0 && len(test.of) < 100; g.last-- {
			g.work = 0
			if _, err := ctl.New(g).Vacuous(context.Background(), f); !errors.Is(err, errSpent) && g.work >= g.last {
				t.Errorf("%v %s: call %d fails, and then %v", test.kind, test.of, g.last, err)
			}
			var ctx context.Context // ends during that call, and the algebra does not notice
			ctx, g.cancel = context.WithCancel(context.Background())
			g.work = 0
			if got, err := ctl.New(g).Vacuous(ctx, f); !errors.Is(err, context.Canceled) && (err != nil || describe(got) != describe(remarks)) {
				t.Errorf("%v %s: the context ends at call %d: %s, %v", test.kind, test.of, g.last, describe(got), err)
			}
			g.cancel = nil
		}
	}
}
