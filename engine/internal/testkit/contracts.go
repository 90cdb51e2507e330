package testkit

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/load"
)

func CompileSpec(c *hclspec.Contract) *compile.Draft {
	text := fmt.Appendf(nil, "%p", c) // as little the same as the texts of two versions
	return compile.Compile(&load.Source{Contract: c, Files: map[string][]byte{"a": text}, Index: &hclspec.Index{}}, "x", nil)
}

func ChangesSaid(list []diff.Change) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%s %s %s", c.Action, c.Element, c.Name)
		if c.Was != "" {
			fmt.Fprintf(&b, " (was %s)", c.Was)
		}
		for _, t := range c.Terms {
			fmt.Fprintf(&b, "; %s was %q, now %q", t.Word, t.Was, t.Now)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Rings is a contract of n parties, each of which goes round k states by itself, but for a handshake of
// neighbours: k^n states, about n arcs each. The change is put into the first party.
func Rings(n, k int, change string) string {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	for i := range n {
		fmt.Fprintf(&b, "party \"p%d\" {\n", i)
		for j := range k {
			fmt.Fprintf(&b, "  state \"S%d\" {}\n", j)
		}
		for j := range k {
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = S%d\n    to = S%d\n  }\n", j, j, (j+1)%k)
		}
		if i == 0 {
			b.WriteString(change)
		}
		b.WriteString("}\n")
	}
	for i := range n - 1 {
		fmt.Fprintf(&b, "event \"e%d\" {\n  sync = {\n    p%d = t0\n    p%d = t0\n  }\n}\n", i, i, i+1)
	}
	return b.String()
}

// Value evaluates a formula of atoms, !, && and ||.
func Value(f *ctl.Formula, m petri.Marking) bool {
	switch {
	case f.Means != nil:
		return Value(f.Means, m)
	case f.Sum != nil:
		return f.Sum.Holds(m.Has)
	case f.Op == ctl.Atom:
		return m.Has(f.Place)
	case f.Op == ctl.Not:
		return !Value(f.Left, m)
	case f.Op == ctl.And:
		return Value(f.Left, m) && Value(f.Right, m)
	case f.Op == ctl.Or:
		return Value(f.Left, m) || Value(f.Right, m)
	case f.Op == ctl.Implies:
		return !Value(f.Left, m) || Value(f.Right, m)
	case f.Op == ctl.Iff:
		return Value(f.Left, m) == Value(f.Right, m)
	}
	return f.Op == ctl.True
}

func CheckText(t *testing.T, text string) *finding.Result {
	t.Helper()
	return CheckWithin(t, text, finding.Budget{Jobs: 1})
}

func CheckWithin(t *testing.T, text string, b finding.Budget) *finding.Result {
	t.Helper()
	src, err := load.Dir(fstest.MapFS{"a.contract.hcl": {Data: []byte(text)}}, ".", ".", nil)
	if err != nil {
		t.Fatal(err)
	}
	return verify.Check(context.Background(), compile.Compile(src, ".", nil), b)
}

func Before(file, place, text string) []Edit { return []Edit{{file, place, text + place}} }

// Reread is a draft with another text.
func Reread(d *compile.Draft, text map[string][]byte) *compile.Draft {
	return compile.Compile(d.Source.Reread(text), "x", nil)
}

// DraftOf reads and composes a contract given as text.
func DraftOf(t interface{ Fatalf(string, ...any) }, text string) *compile.Draft {
	src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, ".", "x", expr.Values{})
	if err != nil || src.Contract == nil {
		t.Fatalf("%v %v\n%s", err, src.Diagnostics, text)
	}
	return compile.Compile(src, "x", nil)
}

// Edit changes one file of an example, which must contain the old text exactly once.
type Edit struct{ File, Old, New string }

func Example(t *testing.T, name string, edits ...Edit) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	entries, err := fs.ReadDir(examples.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := fs.ReadFile(examples.FS, path.Join(name, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = &fstest.MapFile{Data: text}
	}
	for _, e := range edits {
		text := string(files[e.File].Data)
		if strings.Count(text, e.Old) != 1 {
			t.Fatalf("%s: %q stands there %d times", e.File, e.Old, strings.Count(text, e.Old))
		}
		files[e.File] = &fstest.MapFile{Data: []byte(strings.Replace(text, e.Old, e.New, 1))}
	}
	return files
}

func Draft(t *testing.T, files fs.FS, rule petri.Rule) *compile.Draft {
	t.Helper()
	src, err := load.Dir(files, ".", "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if src.Contract == nil {
		t.Fatal(src.Diagnostics)
	}
	return compile.Compile(src, "x", &rule)
}

func Check(t *testing.T, files fs.FS, rule petri.Rule) *finding.Result {
	t.Helper()
	return verify.Check(context.Background(), Draft(t, files, rule), finding.Budget{Jobs: 2})
}

// Fails lists the requirements that are not kept, and the built-in checks that object.
func Fails(r *finding.Result) string {
	var names []string
	for _, q := range r.Requirements {
		if q.Verdict != finding.Holds {
			names = append(names, fmt.Sprintf("%s %s", q.Name, q.Verdict))
		}
	}
	return strings.Join(names, ", ")
}

// Size returns the numbers of states, arcs and dead ends in words.
func Size(r *finding.Result) string {
	return fmt.Sprintf("%d states, %d arcs, %d dead ends", r.Model.States, r.Model.Arcs, r.Model.DeadEnds)
}

// Requirement returns the requirement of that name in a result, and fails the test if there is none.
func Requirement(t *testing.T, r *finding.Result, name string) *finding.Requirement {
	t.Helper()
	for i := range r.Requirements {
		if r.Requirements[i].Name == name {
			return &r.Requirements[i]
		}
	}
	t.Fatalf("there is no requirement %q", name)
	return nil
}

// PaymentFirst is the mistake of figure 11: bank and seller both let payment come before documents.
var PaymentFirst = []Edit{
	{"seller.contract.hcl", `    consume = [dispatch_cert, title]
    produce = [awaiting_pay]`, `    consume = [paid0, title]
    produce = [paid]`},
	{"seller.contract.hcl", `    consume = [awaiting_pay]
    produce = [paid]`, `    consume = [dispatch_cert]
    produce = [paid0]`},
	{"seller.contract.hcl", "place \"awaiting_pay\" {\n    title   = \"awaiting payment\"\n    exposed = true\n  }", `place "paid0" { title = "paid, documents still to be presented" }`},
	{"bank.contract.hcl", `consume = [open]`, `consume = [open2]`},
	{"bank.contract.hcl", `    consume = [docs]
    produce = [out_of_pocket]`, `    consume = [open]
    produce = [out_of_pocket, open2]`},
	{"bank.contract.hcl", `place "docs"`, `place "open2" { title = "paid, awaiting documents" }
  place "docs"`},
}

func Checked(d *compile.Draft) *finding.Result {
	return verify.Check(context.Background(), d, finding.Budget{Jobs: 1})
}

// checkText checks one contract given as text, on a day.
func CheckOn(t *testing.T, text string, today finding.Date) *finding.Result {
	t.Helper()
	src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, ".", "x", nil)
	if err != nil || src.Contract == nil {
		t.Fatalf("%v %v", err, src.Diagnostics)
	}
	return verify.Check(context.Background(), compile.Compile(src, "x", nil), finding.Budget{Jobs: 1, Today: today})
}

// Lamp has nothing to do with the trade.
const Lamp = `
  flag "LIGHT" {}
  transition "on" { set = { LIGHT = true } }
  transition "off" { set = { LIGHT = false } }`

// Purchasers loads the example with several purchasers for n of them, and with more text.
func Purchasers(t testing.TB, n int, rule petri.Rule, more string) *compile.Draft {
	t.Helper()
	return PurchasersOf(t, n, rule, "more.contract.hcl", func(string) string { return more })
}

// PurchasersOf loads the example for n purchasers, with one file rewritten.
func PurchasersOf(t testing.TB, n int, rule petri.Rule, file string, rewrite func(string) string) *compile.Draft {
	t.Helper()
	files := fstest.MapFS{file: {}}
	entries, err := fs.ReadDir(examples.FS, "purchasers")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := fs.ReadFile(examples.FS, path.Join("purchasers", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = &fstest.MapFile{Data: text}
	}
	files[file].Data = []byte(rewrite(string(files[file].Data)))
	src, err := load.Dir(files, ".", "x", expr.Values{"n": {Text: fmt.Sprint(n), From: "the test"}})
	if err != nil || src.Contract == nil {
		t.Fatal(err, src.Diagnostics)
	}
	return compile.Compile(src, "x", &rule)
}

const Light = "party \"light\" {\n  state \"off\" {}\n  state \"on\" {}\n  transition \"on\" {\n    from = off\n    to   = on\n  }\n" +
	"  transition \"off\" {\n    from = on\n    to   = off\n  }\n}\n"
