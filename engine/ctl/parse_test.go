package ctl_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
)

var update = flag.Bool("update", false, "write the goldens anew")

// Each archive in testdata holds "in", a formula a line, and "out", what becomes of each.
func TestParseGolden(t *testing.T) {
	for file, parse := range map[string]func(string) (*ctl.Formula, error){
		"testdata/ctl.txtar": ctl.Parse, "testdata/table1.txtar": ctl.ParseTable1,
	} {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for line := range strings.Lines(string(archive.Files[0].Data)) {
			account(&out, strings.TrimSuffix(line, "\n"), parse)
		}
		if *update {
			archive.Files = []txtar.File{archive.Files[0], {Name: "out", Data: []byte(out.String())}}
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want := string(archive.Files[1].Data); out.String() != want {
			t.Errorf("%s: got\n%s", file, out.String())
		}
	}
}

func account(out *strings.Builder, text string, parse func(string) (*ctl.Formula, error)) {
	fmt.Fprintf(out, "        %s\n", text)
	f, err := parse(text)
	if err == nil {
		fmt.Fprintf(out, "ctl     %s\ntable1  %s\n\n", f.CTL(), f.Table1())
		return
	}
	e := err.(*ctl.SyntaxError)
	before, at := []rune(text[:e.From]), []rune(text[e.From:e.To])
	fmt.Fprintf(out, "        %s%s\nerror   %s\n", strings.Repeat(" ", len(before)), strings.Repeat("^", max(1, len(at))), e.Message)
	if e.Hint != "" {
		fmt.Fprintf(out, "hint    %s\n", e.Hint)
	}
	out.WriteString("\n")
}

func TestPrintParseIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := quantified(t, formulas(6).Draw(t, "formula"))
		again, err := ctl.Parse(f.CTL())
		if err != nil || !ctl.Equal(again, f) {
			t.Fatalf("%s: %v", f.CTL(), err)
		}
		again, err = ctl.ParseTable1(f.Table1())
		if err != nil || !ctl.Equal(again, lettered(f)) {
			t.Fatalf("%s: %v", f.Table1(), err)
		}
	})
}

// lettered writes EG and AF as Table 1 has to.
func lettered(f *ctl.Formula) *ctl.Formula {
	if f == nil {
		return nil
	}
	g := &ctl.Formula{Op: f.Op, Name: f.Name, Range: f.Range, Left: lettered(f.Left), Right: lettered(f.Right)}
	switch f.Op {
	case ctl.EG:
		g.Op, g.Right = ctl.EW, constant(false)
	case ctl.AF:
		g.Op, g.Left, g.Right = ctl.AU, constant(true), g.Left
	}
	return g
}

// Removing any pair of brackets of a canonical text changes what it means, or breaks it.
func TestPrintsNoIdleBrackets(t *testing.T) {
	for _, notation := range []struct {
		print func(*ctl.Formula) string
		parse func(string) (*ctl.Formula, error)
	}{{(*ctl.Formula).CTL, ctl.Parse}, {(*ctl.Formula).Table1, ctl.ParseTable1}} {
		rapid.Check(t, func(t *rapid.T) {
			text := notation.print(formulas(4).Draw(t, "formula"))
			f, err := notation.parse(text)
			if err != nil {
				t.Fatal(err)
			}
			for from, to := range brackets(text) {
				bare := text[:from] + " " + text[from+1:to] + " " + text[to+1:]
				if g, err := notation.parse(bare); err == nil && ctl.Equal(f, g) {
					t.Fatalf("%s says no more than %s", text, bare)
				}
			}
		})
	}
}

func brackets(text string) map[int]int {
	pairs, opened := map[int]int{}, []int{}
	for i, c := range text {
		switch c {
		case '(':
			opened = append(opened, i)
		case ')':
			pairs[opened[len(opened)-1]] = i
			opened = opened[:len(opened)-1]
		}
	}
	return pairs
}

func TestOffsets(t *testing.T) {
	text := "AG ( (a.p) -> A[ q U  !r ] )"
	f, err := ctl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	until := f.Left.Right
	for want, g := range map[string]*ctl.Formula{
		text: f, "(a.p) -> A[ q U  !r ]": f.Left, "a.p": f.Left.Left,
		"A[ q U  !r ]": until, "!r": until.Right, "r": until.Right.Left,
	} {
		if got := text[g.From:g.To]; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAtomsInSourceOrder(t *testing.T) {
	f, err := ctl.Parse("E[b.x U a.y && !b.x] -> c -> true <-> EX d")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for a := range f.Atoms() {
		got = append(got, a.Name)
	}
	if want := []string{"b.x", "a.y", "b.x", "c", "d"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	for a := range f.Atoms() {
		a.Name = "seen"
		break
	}
	if f.CTL() != "E[seen U a.y && !b.x] -> c -> true <-> EX d" {
		t.Errorf("stopping early: %s", f.CTL())
	}
}

func TestHostileTextIsRefusedOrRead(t *testing.T) {
	for name, test := range map[string]struct {
		text, message string
	}{
		"brackets":      {strings.Repeat("(", 60_000), "nests more than 200 levels"},
		"closed":        {strings.Repeat("(", 30_000) + "p" + strings.Repeat(")", 30_000), "nests more than 200 levels"},
		"negations":     {strings.Repeat("!", 60_000) + "p", "nests more than 200 levels"},
		"implications":  {strings.Repeat("p->", 20_000) + "p", "nests more than 200 levels"},
		"operators":     {strings.Repeat("EX ", 20_000) + "p", "nests more than 200 levels"},
		"untils":        {strings.Repeat("E[", 30_000) + "p", "nests more than 200 levels"},
		"long":          {strings.Repeat("(", 100_000), "longer than 65536 bytes"},
		"conjuncts":     {strings.Repeat("p&", 10_000) + "p", ""},
		"disjuncts":     {strings.Repeat("p|", 30_000) + "p", ""},
		"equivalences":  {strings.Repeat("p<->", 15_000) + "p", ""},
		"just":          {strings.Repeat("(", 200) + "p" + strings.Repeat(")", 200), ""},
		"just too deep": {strings.Repeat("(", 201) + "p" + strings.Repeat(")", 201), "nests more than 200 levels"},
	} {
		f, err := ctl.Parse(test.text)
		switch {
		case test.message == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case test.message == "" && len(f.CTL()) == 0:
			t.Errorf("%s: prints nothing", name)
		case test.message != "" && (err == nil || !strings.Contains(err.Error(), test.message)):
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	fuzz(f, "testdata/ctl.txtar", ctl.Parse, (*ctl.Formula).CTL)
}

func FuzzParseTable1(f *testing.F) {
	fuzz(f, "testdata/table1.txtar", ctl.ParseTable1, (*ctl.Formula).Table1)
}

func fuzz(f *testing.F, seeds string, parse func(string) (*ctl.Formula, error), print func(*ctl.Formula) string) {
	archive, err := txtar.ParseFile(seeds)
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(archive.Files[0].Data)) {
		f.Add(strings.TrimSpace(line))
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := parse(text)
		if err != nil {
			e := err.(*ctl.SyntaxError)
			if e.From < 0 || e.From > e.To || e.To > len(text) || e.Message == "" {
				t.Fatalf("%q: %+v", text, e)
			}
			return
		}
		offsets(t, tree, 0, len(text))
		canonical := print(tree)
		if len(canonical) > 64<<10 {
			return
		}
		again, err := parse(canonical)
		if err != nil || !ctl.Equal(again, tree) || print(again) != canonical {
			t.Fatalf("%q prints as %q: %v", text, canonical, err)
		}
	})
}

// offsets checks that each subformula stands within the one around it.
func offsets(t *testing.T, f *ctl.Formula, from, to int) {
	if f.From < from || f.From >= f.To || f.To > to {
		t.Fatalf("offsets %d to %d, within %d to %d", f.From, f.To, from, to)
	}
	for _, g := range []*ctl.Formula{f.Left, f.Right} {
		if g != nil {
			offsets(t, g, f.From, f.To)
		}
	}
}
