package testkit

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
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
