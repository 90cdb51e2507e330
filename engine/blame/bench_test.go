package blame_test

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

func compileBench(b *testing.B, files fstest.MapFS) *compile.Draft {
	src, err := load.Dir(files, ".", "x", nil)
	if err != nil || src.Contract == nil {
		b.Fatal(err, src.Diagnostics)
	}
	return compile.Compile(src, "x", nil)
}

// BenchmarkBlameSale is the review of a drafting mistake in the sale, with blame and repairs.
func BenchmarkBlameSale(b *testing.B) {
	base, head := map[string]string{}, map[string]string{}
	for _, name := range []string{"sale", "seller", "purchaser"} {
		text := exampleFile(b, "sale", name+".contract.hcl")
		base[name] = text
		head[name] = strings.Replace(text, "transition \"end\" {", "transition \"withdraw\" {\n from = S2\n to = S0\n set = { GAV = false }\n}\ntransition \"end\" {", 1)
	}
	reviewBench(b, base, head)
}

// BenchmarkBlameLarge is the review of ten changes, one of them a mistake, where each draft has some 100,000
// states: eleven parties, each with three states, most of which wait for nobody.
func BenchmarkBlameLarge(b *testing.B) {
	var base, head strings.Builder
	base.WriteString("contract \"large\" {}\nrequirement \"kept\" { ctl = \"AG !(p0.C && p1.C)\" }\n")
	head.WriteString("contract \"large\" {}\nrequirement \"kept\" { ctl = \"AG !(p0.C && p1.C)\" }\n")
	for i := range 11 {
		party := func(first string) string {
			return fmt.Sprintf("party \"p%d\" {\n state \"A\" {}\n state \"B\" {}\n state \"C\" {}\n flag \"F\" {}\n transition \"go\" {\n  from = A\n  to = B\n }\n transition \"on\" {\n  from = B\n  to = C\n %s }\n transition \"back\" {\n  from = C\n  to = A\n }\n}\n", i, first)
		}
		before, after := "", "when = { F = false }\n"
		switch {
		case i < 1:
			before, after = "when = { F = true }\n", ""
		case i > 9:
			after = ""
		}
		base.WriteString(party(before))
		head.WriteString(party(after))
	}
	reviewBench(b, map[string]string{"large": base.String()}, map[string]string{"large": head.String()})
}

func reviewBench(b *testing.B, base, head map[string]string) {
	files := func(text map[string]string) fstest.MapFS {
		out := fstest.MapFS{}
		for name, t := range text {
			out[name+".contract.hcl"] = &fstest.MapFile{Data: []byte(t)}
		}
		return out
	}
	was, now := compileBench(b, files(base)), compileBench(b, files(head))
	for b.Loop() {
		c := blame.Compare(context.Background(), was, now, finding.Budget{Jobs: 2})
		found := false
		for _, f := range c.Findings {
			found = found || f.Blame != nil && len(f.Blame.Blocks) == 1 && len(f.Repairs) > 0
		}
		if !found {
			b.Fatal("nobody is to blame:\n" + blamed(c))
		}
		b.ReportMetric(float64(c.Head.Model.States.Int64()), "states")
	}
}

func exampleFile(b *testing.B, name, file string) string {
	text, err := fs.ReadFile(examples.FS, path.Join(name, file))
	if err != nil {
		b.Fatal(err)
	}
	return string(text)
}
