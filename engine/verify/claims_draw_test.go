package verify_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/hclspec/load"
)

// tellingText draws a contract of two parties, three events and, in every other one, clauses, with promises about all of it; with terms, the clauses have
// deadlines, and promises assume something or say on whom they rest.
func tellingText(t *rapid.T, terms bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" {\n  firing = %s\n}\n", rapid.SampledFrom([]string{"one", "one", "all"}).Draw(t, "firing"))
	for _, party := range []string{"a", "b"} {
		fmt.Fprintf(&b, "party %q {\n", party)
		for s := range 3 {
			fmt.Fprintf(&b, "  state \"s%d\" {}\n", s)
		}
		for i := range 4 {
			from, to := rapid.IntRange(0, 2).Draw(t, "from"), rapid.IntRange(0, 2).Draw(t, "to")
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = s%d\n    to = s%d\n  }\n", i, from, to)
		}
		b.WriteString("}\n")
	}
	for i := range 3 {
		sync := rapid.SampledFrom([]string{"a = t%[1]d", "b = t%[1]d", "a = t%[1]d\n    b = t%[1]d"}).Draw(t, "sync")
		fmt.Fprintf(&b, "event \"e%d\" {\n  sync = {\n    "+sync+"\n  }\n}\n", i, i)
	}
	clauses := rapid.Bool().Draw(t, "clauses")
	if clauses {
		ticks := func(name string) string {
			n := 0
			if terms {
				n = rapid.IntRange(0, 2).Draw(t, name)
			}
			return map[bool]string{true: fmt.Sprintf("  %s = %d\n", name, n)}[n > 0]
		}
		b.WriteString("obligation \"o\" {\n  bearer = a\n  when = e0\n  fulfil = e1\n  breach = e2\n" + ticks("within") + "}\nprohibition \"f\" {\n  bearer = b\n  of = e2\n  from = e1\n" + ticks("lasts") + "}\n")
	}
	for i := range 10 {
		text := placeAtom.ReplaceAllStringFunc(drawnPromise(t), func(atom string) string { return drawnAtom(t, atom, clauses) })
		if clauses && !strings.Contains(text, "before(") && rapid.IntRange(0, 3).Draw(t, "ideal") == 0 {
			text += "  over = ideal\n"
		} else if terms {
			text = drawnTerms(t, text, b.String())
		}
		fmt.Fprintf(&b, "requirement \"r%d\" {\n%s}\n", i, text)
	}
	return b.String()
}

// drawnTerms adds to a requirement what it assumes, or makes it one that says on whom it may rest.
func drawnTerms(t *rapid.T, text, contract string) string {
	who := []string{"a", "b", "a, b"}
	if strings.Contains(contract, "within") || strings.Contains(contract, "lasts") {
		who = append(who, "time", "a, time", "a, b, time")
	}
	on := rapid.SampledFrom(who).Draw(t, "who")
	switch rapid.IntRange(0, 3).Draw(t, "terms") {
	case 0:
		return text
	case 1:
		one, other := drawnFormula(t, 0), drawnFormula(t, 0)
		return fmt.Sprintf("  ctl = %q\n  rests_on = [%s]\n", rapid.SampledFrom([]string{"AF " + one, "AG (" + one + " -> AF " + other + ")", "A[" + one + " U " + other + "]"}).Draw(t, "resting"), on)
	}
	return text + "  assuming = progress(" + on + ")\n"
}

// amendedTelling changes a contract's steps, deadlines and promises in one place or two.
func amendedTelling(t *rapid.T, text string) string {
	all := changeable.FindAllStringIndex(text, -1)
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		at := all[rapid.IntRange(0, len(all)-1).Draw(t, "where")][1] - 1
		text = text[:at] + rapid.SampledFrom([]string{"0", "1", "2"}).Draw(t, "now") + text[at+1:]
	}
	return strings.NewReplacer("within = 0", "within = 3", "lasts = 0", "lasts = 3").Replace(text)
}

var changeable = regexp.MustCompile(`(?:from = s|to = s|within = |lasts = |= t|[ab]\.s)\d`)

func telling(t *rapid.T, text string) *compile.Draft {
	src, err := load.Dir(fstest.MapFS{"x/a.contract.hcl": {Data: []byte(text)}}, "x", "x", nil)
	if err != nil || src.Contract == nil {
		t.Fatal(err, src.Diagnostics, text)
	}
	return compile.Compile(src, "x", nil)
}

var placeAtom = regexp.MustCompile(`[ab]\.s\d`)

// drawnAtom puts something else in the place of an atom at times.
func drawnAtom(t *rapid.T, atom string, clauses bool) string {
	list := []string{atom, atom, atom, "happened(e0)", "happened(e1)", "enabled(e0)", "enabled(e1)", "before(e0, e1)"}
	if clauses {
		list = append(list, "o.owed", "o.breached", "f.in_force")
	}
	return rapid.SampledFrom(list).Draw(t, "atom")
}
