package load

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/redlinehq/redline/hclspec"
)

// Load never panics, points into the file it was given, and gives a contract exactly when it has no errors.
func FuzzLoad(f *testing.F) {
	paths, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	layouts, err := filepath.Glob("../format/testdata/*.txtar")
	if err != nil || len(layouts) == 0 {
		f.Fatalf("no layouts: %v", err)
	}
	for _, path := range append(paths, layouts...) {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(file.Data)
		}
	}
	page, err := os.ReadFile("../README.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, example := range fence.FindAllSubmatch(page, -1) {
		f.Add([]byte(complete(string(example[2]))))
	}
	f.Add([]byte(formulaSource))
	f.Add([]byte("\"\"\n\"\"\"\n0")) // the quote that opens the text stands after a whole one
	f.Fuzz(func(t *testing.T, data []byte) {
		src, err := Dir(fstest.MapFS{"a.contract.hcl": {Data: data}}, ".", "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		if (src.Contract == nil) != src.Diagnostics.HasErrors() {
			t.Fatalf("contract %v, diagnostics %v", src.Contract, src.Diagnostics)
		}
		for _, d := range src.Diagnostics {
			r := d.Subject
			if r.Filename != "x/a.contract.hcl" || r.Start.Byte > r.End.Byte || r.End.Byte > len(data) || r.Start.Line < 1 || r.Start.Column < 1 {
				t.Fatalf("%v is outside of the file of %d bytes: %s", r, len(data), d.Summary)
			}
		}
		if src.Contract != nil {
			formulasInside(t, src.Contract)
		}
	})
}

func formulasInside(t *testing.T, c *hclspec.Contract) {
	for _, r := range c.Requirements {
		for i := range len(r.Formula.Text) {
			got, whole := r.Formula.Source(i, i+1), r.Formula.Range
			if got.Start.Byte < whole.Start.Byte || got.End.Byte > whole.End.Byte {
				t.Fatalf("byte %d of %q is at %v, outside of %v", i, r.Formula.Text, got, whole)
			}
		}
	}
}

// BenchmarkLoad reads a party with 10,000 places.
func BenchmarkLoad(b *testing.B) {
	var text strings.Builder
	text.WriteString("contract \"c\" {}\nparty \"p\" {\n")
	for i := range 10_000 {
		fmt.Fprintf(&text, "  place \"p%d\" { title = \"place %d\" }\n", i, i)
		fmt.Fprintf(&text, "  transition \"t%d\" { consume = [p%d] }\n", i, i)
	}
	text.WriteString("}\n")
	fsys := fstest.MapFS{"a.contract.hcl": {Data: []byte(text.String())}}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if src, err := Dir(fsys, ".", "x", nil); err != nil || src.Contract == nil {
			b.Fatal(err, src.Diagnostics)
		}
	}
}
