package testkit

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// DrawTimed draws a contract of two parties with two to four clocks of at most so many ticks: deadlines of obligations, one of which may follow another, and times of
// events, one of which may fall due.
func DrawTimed(t *rapid.T, most int) string {
	text := DrawParties(t)
	clocks := rapid.IntRange(2, 4).Draw(t, "clocks")
	event := func() string { return fmt.Sprintf("e%d", rapid.IntRange(0, 3).Draw(t, "event")) }
	var b strings.Builder
	timed := map[string]bool{}
	for i := range clocks {
		ticks := rapid.IntRange(1, most).Draw(t, "ticks")
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
	if rapid.IntRange(0, 3).Draw(t, "due") == 0 {
		fmt.Fprintf(&b, "event \"x\" {\n  after = { %s = %d }\n}\n", event(), rapid.IntRange(1, most).Draw(t, "after"))
	}
	return text + b.String()
}

// DrawAnyTimed draws as DrawTimed does, or, one time in four, instalments all of which end when one is not paid, of which diagrams refuse some: see accelerating.
func DrawAnyTimed(t *rapid.T, most int) string {
	if rapid.IntRange(0, 3).Draw(t, "accelerating") == 0 {
		return DrawParties(t) + accelerating(t, most)
	}
	return DrawTimed(t, most)
}

// accelerating draws three instalments, each with a reparation that has a clock of its own. When a reparation is not made the rest is owed, and neither an instalment nor
// a reparation any more. So on the tick on which a reparation would begin, another may be breached, and the net has stays.
func accelerating(t *rapid.T, most int) string {
	parts := rapid.Permutation([]string{"e0", "e1", "e2", "e3"}).Draw(t, "parts")
	ticks := rapid.IntRange(1, most)
	text := fmt.Sprintf("obligation \"o0\" {\n  bearer = p\n  fulfil = %s\n  when = %s\n  times = 3\n  within = %d\n  until = o2.owed\n  reparation = o1\n",
		parts[0], parts[1], ticks.Draw(t, "within"))
	if rapid.Bool().Draw(t, "scheduled") {
		text += fmt.Sprintf("  every = %d\n", ticks.Draw(t, "every"))
	}
	text += fmt.Sprintf("}\nobligation \"o1\" {\n  bearer = p\n  fulfil = %s\n  within = %d\n  until = o2.owed\n}\n", parts[rapid.IntRange(0, 2).Draw(t, "mends")], ticks.Draw(t, "grace"))
	return text + fmt.Sprintf("obligation \"o2\" {\n  bearer = p\n  fulfil = %s\n  when = o1.breached\n}\n", parts[3])
}

// HasStays reports whether some move of a draft leaves the token where it is.
func HasStays(d *compile.Draft) bool {
	return slices.ContainsFunc(d.Net.Transitions, func(t petri.Transition) bool { return slices.ContainsFunc(t.Moves, petri.Move.Stays) })
}

// Predicates are the operators of formulas that ask for one state, and Lasting those that are the same however long a state lasts: all but EX and AX.
var (
	Predicates = []ctl.Op{ctl.Not, ctl.And, ctl.Or, ctl.Iff}
	Lasting    = slices.Concat(Predicates, []ctl.Op{ctl.Implies, ctl.EF, ctl.AF, ctl.EG, ctl.AG, ctl.EF, ctl.AG, ctl.EU, ctl.AU, ctl.EW, ctl.AW})
)

// DrawOver draws a formula with some operators over places of a draft. Values says whether it may ask how many ticks are left.
func DrawOver(t *rapid.T, d *compile.Draft, ops []ctl.Op, values bool, depth int) *ctl.Formula {
	if depth == 0 {
		var some []int
		for i := range d.Net.Places {
			if name := d.Net.Places[i].Name; name != "off" && !strings.HasPrefix(name, "left") || values && rapid.IntRange(0, 5).Draw(t, "clock") == 0 {
				some = append(some, i)
			}
		}
		p := rapid.SampledFrom(some).Draw(t, "place")
		return &ctl.Formula{Op: ctl.Atom, Name: d.Net.Places[p].String(), Place: p}
	}
	f := &ctl.Formula{Op: rapid.SampledFrom(ops).Draw(t, "op"), Left: DrawOver(t, d, ops, values, depth-1)}
	if slices.Contains([]ctl.Op{ctl.And, ctl.Or, ctl.Implies, ctl.Iff, ctl.EU, ctl.AU, ctl.EW, ctl.AW}, f.Op) {
		f.Right = DrawOver(t, d, ops, values, rapid.IntRange(0, depth-1).Draw(t, "right"))
	}
	return f
}
