package smv_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/smv"
)

// TestRandomContracts: nets that may not be one-safe, state diagrams, norms with deadlines, questions about the past, both firing rules, and progress.
func TestRandomContracts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		agree(t, compiled(t, drawContract(t)), 5_000)
	})
}

// drawContract draws a contract of two parties, and what it promises.
func drawContract(t *rapid.T) string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" {\n  firing = %s\n  final = %q\n}\n", rapid.SampledFrom([]string{"one", "one", "all"}).Draw(t, "firing"), drawFormula(t, 1, nil))
	for _, party := range []string{"p", "q"} {
		fmt.Fprintf(&b, "party %q {\n", party)
		if rapid.Bool().Draw(t, "net") {
			drawNet(t, &b)
		} else {
			drawDiagram(t, &b)
		}
		b.WriteString("}\n")
	}
	for i := range 2 {
		fmt.Fprintf(&b, "event \"e%d\" {\n  sync = {\n    %s\n  }\n}\n", i,
			fmt.Sprintf(rapid.SampledFrom([]string{"p = t%[1]d", "q = t%[1]d", "p = t%[1]d\n    q = t%[1]d"}).Draw(t, "who"), i))
	}
	counts := rapid.IntRange(0, 2).Draw(t, "counter") == 0 // one that events change, and conditions that ask what has happened
	if counts {
		fmt.Fprintf(&b, "party \"k\" {\n  counter \"n\" {\n    to = 2\n    changes = {\n      e0 = %s\n      e2 = n + 1\n    }\n  }\n}\n", rapid.SampledFrom([]string{"0", "min(n + 1, 2)", "2 - n"}).Draw(t, "to"))
		fmt.Fprintf(&b, "event \"e2\" {\n  by = k\n  repeats = true\n  only_while = [k.n < 2, any(%s)]\n}\n", rapid.SampledFrom([]string{"happened(e0)", "!happened(e1), happened(e0)", "!happened(e2), k.n >= 1"}).Draw(t, "while"))
	}
	norms := rapid.Bool().Draw(t, "norms")
	if norms {
		fmt.Fprintf(&b, "obligation \"o\" {\n  bearer = p\n  when = e0\n  fulfil = e1\n  within = %d\n}\nprohibition \"f\" {\n  bearer = q\n  of = e0\n  from = e1\n  until = [o.breached]\n}\n",
			rapid.IntRange(1, 2).Draw(t, "within"))
	}
	extra := []string{"happened(e0)", "enabled(e1)", "before(e0, e1)"}
	if norms {
		extra = append(extra, "o.owed", "f.breached")
	}
	if counts {
		extra = append(extra, "k.n >= 1", "happened(e2)")
	}
	for i := range 4 {
		progress := ""
		if rapid.IntRange(0, 3).Draw(t, "progress") == 0 {
			progress = "  assuming = progress(" + rapid.SampledFrom([]string{"p", "p, q"}).Draw(t, "of") + ")\n"
		}
		fmt.Fprintf(&b, "requirement \"r%d\" {\n  ctl = %q\n%s}\n", i, drawFormula(t, 3, extra), progress)
	}
	return b.String()
}

func drawDiagram(t *rapid.T, b *strings.Builder) {
	b.WriteString("  state \"s0\" {}\n  state \"s1\" {}\n  state \"s2\" {}\n")
	for i := range 3 {
		fmt.Fprintf(b, "  transition \"t%d\" {\n    from = s%d\n    to = s%d\n  }\n", i, rapid.IntRange(0, 2).Draw(t, "from"), rapid.IntRange(0, 2).Draw(t, "to"))
	}
}

func drawNet(t *rapid.T, b *strings.Builder) {
	for i := range 3 {
		fmt.Fprintf(b, "  place \"s%d\" { marked = %t }\n", i, rapid.Bool().Draw(t, "marked"))
	}
	for i := range 4 {
		var lists [4][]string
		for p := range 3 {
			kind := rapid.IntRange(0, 3).Draw(t, "arc")
			lists[kind] = append(lists[kind], fmt.Sprint("s", p))
		}
		if len(lists[3]) == 3 {
			lists[0] = []string{"s0"}
		}
		fmt.Fprintf(b, "  transition \"u%d\" {\n    label = t%d\n    consume = [%s]\n    produce = [%s]\n    read = [%s]\n  }\n", i, i%3,
			strings.Join(lists[0], ", "), strings.Join(lists[1], ", "), strings.Join(lists[2], ", "))
	}
}

func drawFormula(t *rapid.T, depth int, extra []string) string {
	if depth == 0 {
		return rapid.SampledFrom(append([]string{"p.s0", "p.s1", "q.s0", "q.s2", "true"}, extra...)).Draw(t, "atom")
	}
	p, q := drawFormula(t, depth-1, extra), drawFormula(t, depth-1, extra)
	if len(extra) == 0 {
		return "(" + p + " || !" + q + ")"
	}
	return fmt.Sprintf(rapid.SampledFrom([]string{"!%[1]s", "(%[1]s && %[2]s)", "(%[1]s -> %[2]s)", "(%[1]s <-> %[2]s)", "EX %[1]s", "AX %[1]s", "EF %[1]s", "AF %[1]s", "EG %[1]s", "AG %[1]s",
		"E[%[1]s U %[2]s]", "A[%[1]s U %[2]s]", "E[%[1]s W %[2]s]", "A[%[1]s W %[2]s]"}).Draw(t, "op"), p, q)
}

// TestNamesAreInjective: whatever things are called, no two have one identifier, and each is one.
func TestNamesAreInjective(t *testing.T) {
	words := []string{"event", "local", "requirement", "a", "a.b", "b", "_", "_a", "$", "#", "a#b", "[0]", "a[0]", "a]0[", "=", "$e", "e", "é", "1", "a$can", "E", "next", "-", ".", "happened(a)", "", "$u5f_", "$$", "can"}
	name := rapid.OneOf(rapid.SampledFrom(words), rapid.StringOfN(rapid.SampledFrom([]rune("a.$#_[]=-1é(")), 0, 4, -1))
	rapid.Check(t, func(t *rapid.T) {
		n := &petri.Net{}
		seen := map[petri.Place]bool{}
		for range rapid.IntRange(1, 6).Draw(t, "places") {
			p := petri.Place{Net: name.Draw(t, "net"), Name: name.Draw(t, "name")}
			if !seen[p] {
				seen[p] = true
				n.Places = append(n.Places, p)
			}
		}
		for i := range rapid.IntRange(1, 5).Draw(t, "transitions") {
			n.Transitions = append(n.Transitions, petri.Transition{Name: name.Draw(t, "transition"), Event: i%2 - 1, Read: []int{0}})
		}
		m := &smv.Model{Net: n, Title: name.Draw(t, "title"), Actors: []smv.Actor{{Name: name.Draw(t, "actor")}}}
		var b strings.Builder
		if err := smv.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		if _, err := readSMV(b.String()); err != nil { // declares each name once
			t.Fatalf("%v\n%s", err, b.String())
		}
		specs := map[string]string{}
		for _, a := range words {
			if b := smv.SpecID(a); specs[b] != "" || slices.Contains(reserved, b) {
				t.Fatalf("%q and %q are both %s", a, specs[b], b)
			} else {
				specs[b] = a + " "
			}
		}
	})
}
