package verify_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/load"
	says "github.com/redlinehq/redline/report/words"
)

// What notes say, as they are printed.
var noteForms = []struct {
	form  *regexp.Regexp
	spare bool
}{
	{regexp.MustCompile(`^Holds, but (?P<because>.*) is (?P<value>never|always) true: (?P<part>.*) makes no difference\.$`), false},
	{regexp.MustCompile(`^Holds, but (?P<because>.*) is (?P<value>never|always) true: (?P<part>.*) makes no difference and may be left out if the rest stays\.$`), true},
	{regexp.MustCompile(`^Holds without (?P<part>.*), too: that part is not needed and may be left out if the rest stays\.$`), true},
	{regexp.MustCompile(`^Holds without (?P<part>.*), which is (?P<own>never|always) true: that part is not needed and may be left out if the rest stays\.$`), true},
	{regexp.MustCompile(`^Holds whatever (?P<part>.*) is: that part makes no difference\.$`), false},
	{regexp.MustCompile(`^Holds whatever (?P<part>.*) is, and it is (?P<own>never|always) true: that part makes no difference\.$`), false},
}

// TestNotesAreTrue reads the notes on promises that hold as a reader would, and holds each claim to a naive evaluation.
func TestNotesAreTrue(t *testing.T) {
	draws.SkipForRaces(t)
	kinds, patterns := map[string]int{}, 0
	rapid.Check(t, func(t *rapid.T) {
		d := drawnPromises(t)
		g, ok := testkit.ExploreNaively(d)
		if !ok {
			return
		}
		for i, q := range verify.Check(t.Context(), d, finding.Budget{Jobs: 1}).Requirements {
			for _, v := range q.Vacuous {
				n := &note{t, d, g, parsed(t, d, q.Formula), q.Pattern != ""}
				if n.pattern {
					n.whole = d.Formulas[i] // whose operands have roles
				}
				kinds[n.check(says.Vacuities([]finding.Vacuity{v}, says.Terminal)[0], d.Formulas[i])]++
				if n.pattern {
					patterns++
				}
			}
		}
	})
	t.Log(kinds, patterns)
	if len(kinds) < 8 || patterns < 20 {
		t.Errorf("kinds of notes: %v; on patterns %d", kinds, patterns)
	}
}

// A note is read against a promise of which there is a graph.
type note struct {
	t       *rapid.T
	d       *compile.Draft
	g       naive.Graph
	whole   *ctl.Formula
	pattern bool
}

// check holds a sentence to the graph; it returns which kind of sentence it is.
func (n *note) check(sentence string, meant *ctl.Formula) string {
	if !naive.Sat(n.g, n.whole)[0] || !naive.Sat(n.g, meant)[0] {
		n.t.Fatalf("%s does not hold", n.whole.CTL())
	}
	for i, f := range slices.Backward(noteForms) {
		m := f.form.FindStringSubmatch(sentence)
		if m == nil {
			continue
		}
		said := func(name string) string {
			if at := f.form.SubexpIndex(name); at >= 0 {
				return m[at]
			}
			return ""
		}
		part := n.partOf(said("part"))
		n.value(said("because"), said("value"), sentence)
		n.value(part.text, said("own"), sentence)
		for range 3 {
			anything := drawnFormula(n.t, 2)
			if whole := n.with(part, parsed(n.t, n.d, anything)); !naive.Sat(n.g, whole)[0] {
				n.t.Fatalf("%s: %s; and yet not with %s", n.whole.CTL(), sentence, anything)
			}
		}
		if f.spare {
			left := struck(n.whole, part.node)
			if left == nil || !naive.Sat(n.g, left)[0] {
				n.t.Fatalf("%s: %s; and yet it does not hold without", n.whole.CTL(), sentence)
			}
		}
		return fmt.Sprint(i, said("value"), said("own"))
	}
	n.t.Fatalf("what does %q say?", sentence)
	return ""
}

// value checks that a formula has one value in all states.
func (n *note) value(text, value, sentence string) {
	if value == "" {
		return
	}
	if slices.Contains(naive.Sat(n.g, parsed(n.t, n.d, text)), value == "never") {
		n.t.Fatalf("%s: %s; and yet %s is not %s true", n.whole.CTL(), sentence, text, value)
	}
}

// A pointedAt is the part of a formula that a sentence speaks of.
type pointedAt struct {
	node *ctl.Formula
	text string
	role string // the operand of a pattern that has it; empty: any
}

var ofItsLike = regexp.MustCompile(`^the (\d+)(?:st|nd|rd|th) (.*)$`)

// partOf finds the part that a sentence names: the one of that text, in what it stands in, which is there once.
func (n *note) partOf(said string) pointedAt {
	nth := 0
	if m := ofItsLike.FindStringSubmatch(said); m != nil {
		said = m[2]
		nth, _ = strconv.Atoi(m[1])
	}
	text, in, inside := strings.Cut(said, " in ")
	around := []*ctl.Formula{n.whole}
	if n.pattern {
		for _, f := range like(n.whole, text, nil) {
			if f.Role != "" && (!inside || f.Role == in) {
				return pointedAt{f, text, in}
			}
		}
		n.t.Fatalf("%s: which %s?", n.whole.CTL(), said)
	}
	if inside {
		around = like(n.whole, in, nil)
	}
	if len(around) != 1 {
		n.t.Fatalf("%s: which %s?", n.whole.CTL(), in)
	}
	all := like(around[0], text, nil)
	if len(all) == 0 || (nth == 0) != (len(all) == 1) || nth > len(all) {
		n.t.Fatalf("%s: which %s in %s?", n.whole.CTL(), text, around[0].CTL())
	}
	return pointedAt{all[max(nth-1, 0)], text, ""}
}

// like lists the parts with a text, in order.
func like(f *ctl.Formula, text string, list []*ctl.Formula) []*ctl.Formula {
	if f == nil {
		return list
	}
	if f.CTL() == text {
		list = append(list, f)
	}
	return like(f.Right, text, like(f.Left, text, list))
}

// with puts something else in the place of a part; of a pattern, wherever it has that part.
func (n *note) with(part pointedAt, by *ctl.Formula) *ctl.Formula {
	var put func(f *ctl.Formula) *ctl.Formula
	put = func(f *ctl.Formula) *ctl.Formula {
		switch {
		case f == nil:
			return nil
		case f == part.node || n.pattern && f.Role != "" && f.CTL() == part.text && (part.role == "" || part.role == f.Role):
			return by
		}
		g := *f
		g.Left, g.Right = put(f.Left), put(f.Right)
		return &g
	}
	return put(n.whole)
}

// struck leaves a part out of what joins two; nil where nothing does.
func struck(f, part *ctl.Formula) *ctl.Formula {
	switch {
	case f == nil || f.Left == nil:
		return nil
	case f.Left == part && (f.Op == ctl.And || f.Op == ctl.Or || f.Op == ctl.Implies):
		return f.Right
	case f.Right == part && (f.Op == ctl.And || f.Op == ctl.Or):
		return f.Left
	}
	g := *f
	if g.Left = struck(f.Left, part); g.Left != nil {
		return &g
	}
	if g.Left, g.Right = f.Left, struck(f.Right, part); g.Right != nil {
		return &g
	}
	return nil
}

// parsed reads a formula whose atoms are places.
func parsed(t *rapid.T, d *compile.Draft, text string) *ctl.Formula {
	f, err := ctl.Parse(text)
	if err != nil {
		t.Fatal(text, err)
	}
	for atom := range f.Atoms() {
		atom.Place = slices.IndexFunc(d.Net.Places, func(p petri.Place) bool { return p.String() == atom.Name })
		if atom.Place < 0 {
			t.Fatal(text, atom.Name)
		}
	}
	return f
}

// drawnPromises draws a contract of two parties with some promises.
func drawnPromises(t *rapid.T) *compile.Draft {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	for _, party := range []string{"a", "b"} {
		fmt.Fprintf(&b, "party %q {\n", party)
		for s := range 3 {
			fmt.Fprintf(&b, "  state \"s%d\" {}\n", s)
		}
		for i := range rapid.IntRange(1, 3).Draw(t, "transitions") {
			from, to := rapid.IntRange(0, 2).Draw(t, "from"), rapid.IntRange(0, 2).Draw(t, "to")
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = s%d\n    to = s%d\n  }\n", i, from, to)
		}
		b.WriteString("}\n")
	}
	for i := range 12 {
		fmt.Fprintf(&b, "requirement \"r%d\" {\n%s}\n", i, drawnPromise(t))
	}
	src, err := load.Dir(fstest.MapFS{"x/a.contract.hcl": {Data: []byte(b.String())}}, "x", "x", nil)
	if err != nil || src.Contract == nil {
		t.Fatal(err, b.String())
	}
	return compile.Compile(src, "x", nil)
}

func drawnPromise(t *rapid.T) string {
	some := func() string { return drawnFormula(t, 1) }
	plain := func() string { return drawnFormula(t, 0) }
	switch rapid.IntRange(0, 7).Draw(t, "promise") {
	case 0:
		return fmt.Sprintf("  whenever = %q\n  follows = %q\n", plain(), plain())
	case 1:
		return fmt.Sprintf("  no = [%q, %q]\n  without = %q\n", plain(), plain(), plain())
	case 2:
		return fmt.Sprintf("  sometime = %q\n  after = %q\n  until = %q\n", plain(), plain(), plain())
	case 3:
		return fmt.Sprintf("  never = %q\n  after = %q\n", plain(), plain())
	case 4:
		return fmt.Sprintf("  ctl = \"AG (%s -> %s || %s)\"\n", plain(), some(), some())
	case 5:
		return fmt.Sprintf("  ctl = \"A[%s W %s]\"\n", some(), some())
	case 6:
		return fmt.Sprintf("  ctl = \"AF (%s || %s)\"\n", some(), some())
	}
	return fmt.Sprintf("  ctl = %q\n", drawnFormula(t, 3))
}

// drawnFormula draws a formula over the parties' states.
func drawnFormula(t *rapid.T, depth int) string {
	if depth == 0 {
		atom := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "party") + rapid.SampledFrom([]string{".s0", ".s1", ".s2"}).Draw(t, "state")
		return rapid.SampledFrom([]string{"", "", "!"}).Draw(t, "not") + atom
	}
	one := func() string { return drawnFormula(t, depth-1) }
	switch op := rapid.SampledFrom([]string{"&&", "||", "->", "<->", "EX", "AX", "EF", "AF", "EG", "AG", "EU", "AU", "EW", "AW", "!"}).Draw(t, "op"); op {
	case "&&", "||", "->", "<->":
		return "(" + one() + " " + op + " " + one() + ")"
	case "EU", "AU", "EW", "AW":
		return op[:1] + "[" + one() + " " + op[1:] + " " + one() + "]"
	case "!":
		return "!(" + one() + ")"
	default:
		return op + " (" + one() + ")"
	}
}
