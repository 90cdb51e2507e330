package slice_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/slice"
	"github.com/redlinehq/redline/engine/space"
)

// TestSlicesAgreeWithDefinitions: any formula without X has the value in its slice that a naive interpreter finds in all states, on contracts with norms
// and clocks that overlap, and the run that shows it is one of the contract.
func TestSlicesAgreeWithDefinitions(t *testing.T) {
	draws.SkipForRaces(t)
	verdicts, smaller := map[bool]int{}, 0
	many(t, func(t *rapid.T) {
		text := drawTimed(t)
		d := testkit.DraftOf(t, text)
		if d.Spec == nil {
			t.Fatal(text)
		}
		g, safe := testkit.ExploreNaively(d)
		if !safe || len(g.Succ) > 3000 {
			t.Skip("contact, or too large for the naive interpreter")
		}
		for range 5 {
			f := drawFormula(t, d, rapid.IntRange(1, 4).Draw(t, "depth"))
			x, holds := agrees(t, d.Net, d.ClockPlaces(), g, f)
			verdicts[holds]++
			if x.Len() < len(g.Succ)/2 {
				smaller++
			}
		}
	})
	if verdicts[true] < 50 || verdicts[false] < 50 || smaller < 50 {
		t.Errorf("%v verdicts, %d slices of less than half the states", verdicts, smaller)
	}
}

// TestNoCommonDivisor: two deadlines of n ticks, the second of which begins while the first runs. One may be missed while the other is still owed unless n is 1, so
// durations can't be divided by what they have in common.
func TestNoCommonDivisor(t *testing.T) {
	for n, want := range map[int]bool{1: false, 2: true, 3: true, 30: true} {
		text := `contract "c" {}
party "p" {}
event "b" { by = p }
event "c" {
  by         = p
  only_while = ob.owed
}
event "d" { by = p }
`
		for _, o := range []string{"b", "c"} {
			text += fmt.Sprintf("obligation \"o%s\" {\n  bearer = p\n  when = %s\n  fulfil = d\n  within = %d\n}\n", o, o, n)
		}
		d := testkit.DraftOf(t, text+"requirement \"r\" { ctl = \"EF (ob.breached && oc.owed)\" }\n")
		g, _ := testkit.ExploreNaively(d)
		if _, holds := agrees(t, d.Net, d.ClockPlaces(), g, d.Formulas[0]); holds != want {
			t.Errorf("within %d: %t", n, holds)
		}
	}
}

// TestSlicesOfNetsAgreeWithDefinitions: the same of any net in which transitions move tokens, some of them nothing else.
func TestSlicesOfNetsAgreeWithDefinitions(t *testing.T) {
	draws.SkipForRaces(t)
	verdicts := map[bool]int{}
	many(t, func(t *rapid.T) {
		n := testnets.AnyNet(t)
		for range rapid.IntRange(0, 2).Draw(t, "silent") {
			n.Transitions = append(n.Transitions, petri.Transition{Event: -1})
		}
		testnets.Watch(t, n)
		d := &compile.Draft{Net: n}
		g, safe := testkit.ExploreNaively(d)
		if n.Sane() != nil || !safe || len(g.Succ) > 500 {
			t.Skip("contact, or too large for the naive interpreter")
		}
		group := make([]int, rapid.IntRange(0, len(n.Places)).Draw(t, "group"))
		for i := range group {
			group[i] = i
		}
		for range 5 {
			_, holds := agrees(t, n, [][]int{group}, g, drawFormula(t, d, rapid.IntRange(1, 4).Draw(t, "depth")))
			verdicts[holds]++
		}
	})
	if verdicts[true] < 50 || verdicts[false] < 50 {
		t.Error(verdicts)
	}
}

// many tries a law with many random inputs, a hundred where not all are wanted.
func many(t *testing.T, law func(t *rapid.T)) {
	rounds := 1
	if draws.All() {
		rounds = 30
	}
	for range rounds {
		rapid.Check(t, law)
	}
}

// agrees asks a formula of its slice and of all states, replays the run that shows the verdict, and returns slice and verdict.
func agrees(t interface{ Fatalf(string, ...any) }, n *petri.Net, groups [][]int, all naive.Graph, f *ctl.Formula) (*space.Graph, bool) {
	g, ok, err := slice.Explore(context.Background(), n, groups, f, space.Limits{})
	if !ok || err != nil {
		t.Fatalf("%s: %t %v", f.CTL(), ok, err)
	}
	checker := ctl.New(g.Sets())
	holds, err := checker.Holds(context.Background(), f)
	if err != nil || holds != naive.Sat(all, f)[0] {
		t.Fatalf("%s: %t in the slice, %v\n%+v", f.CTL(), holds, err, n)
	}
	e, err := checker.Explain(context.Background(), f, g.Between)
	if err == nil && e != nil {
		if e, err = slice.Lift(n, e); err == nil {
			err = explain.Replay(n, petri.One, nil, false, e)
		}
	}
	if err != nil {
		t.Fatalf("%s: %v: %+v\n%+v", f.CTL(), err, e, n)
	}
	return g, holds
}

// drawTimed draws a contract of two parties with two to four clocks: deadlines of obligations and times of events, one of which may follow another.
func drawTimed(t *rapid.T) string {
	text := testkit.DrawParties(t)
	clocks := rapid.IntRange(2, 4).Draw(t, "clocks")
	event := func() string { return fmt.Sprintf("e%d", rapid.IntRange(0, 3).Draw(t, "event")) }
	var b strings.Builder
	timed := map[string]bool{}
	for i := range clocks {
		ticks := rapid.IntRange(1, 4).Draw(t, "ticks")
		if on, by := event(), event(); rapid.IntRange(0, 2).Draw(t, "timer") == 0 && on != by && !timed[on] {
			timed[on] = true
			word := rapid.SampledFrom([]string{"within", "not_before"}).Draw(t, "word")
			text = strings.Replace(text, fmt.Sprintf("event %q {\n", on), fmt.Sprintf("event %q {\n  %s = { %s = %d }\n", on, word, by, ticks), 1)
			continue
		}
		parts := rapid.Permutation([]string{"e0", "e1", "e2", "e3"}).Draw(t, "parts")
		fmt.Fprintf(&b, "obligation \"o%d\" {\n  bearer = p\n  fulfil = %s\n  within = %d\n", i, parts[0], ticks)
		switch rapid.IntRange(0, 3).Draw(t, "when") {
		case 0, 1:
			fmt.Fprintf(&b, "  when = %s\n", parts[1])
		case 2:
			if i > 0 && strings.Contains(b.String(), fmt.Sprintf("\"o%d\"", i-1)) {
				fmt.Fprintf(&b, "  when = o%d.%s\n", i-1, rapid.SampledFrom([]string{"breached", "fulfilled"}).Draw(t, "fate"))
			}
		}
		if rapid.IntRange(0, 5).Draw(t, "ends") == 0 {
			b.WriteString("  ends_contract = true\n")
		}
		b.WriteString("}\n")
		if on := event(); rapid.IntRange(0, 3).Draw(t, "only") == 0 {
			text = strings.Replace(text, fmt.Sprintf("event %q {\n  sync", on), fmt.Sprintf("event %q {\n  only_while = o%d.%s\n  sync", on, i, rapid.SampledFrom([]string{"owed", "breached"}).Draw(t, "state")), 1)
		}
	}
	return text + b.String()
}

// drawFormula draws a formula without X over places of a draft, clocks' and norms' more often than others.
func drawFormula(t *rapid.T, d *compile.Draft, depth int) *ctl.Formula {
	if depth == 0 {
		var some []int
		for i := range d.Net.Places {
			if name := d.Net.Places[i].Name; name != "off" && !strings.HasPrefix(name, "left") || rapid.IntRange(0, 5).Draw(t, "clock") == 0 {
				some = append(some, i)
			}
		}
		p := rapid.SampledFrom(some).Draw(t, "place")
		return &ctl.Formula{Op: ctl.Atom, Name: d.Net.Places[p].String(), Place: p}
	}
	op := rapid.SampledFrom([]ctl.Op{ctl.Not, ctl.And, ctl.Or, ctl.Implies, ctl.EF, ctl.AF, ctl.EG, ctl.AG, ctl.EF, ctl.AG, ctl.EU, ctl.AU, ctl.EW, ctl.AW}).Draw(t, "op")
	f := &ctl.Formula{Op: op, Left: drawFormula(t, d, depth-1)}
	if slices.Contains([]ctl.Op{ctl.And, ctl.Or, ctl.Implies, ctl.EU, ctl.AU, ctl.EW, ctl.AW}, op) {
		f.Right = drawFormula(t, d, rapid.IntRange(0, depth-1).Draw(t, "right"))
	}
	return f
}
