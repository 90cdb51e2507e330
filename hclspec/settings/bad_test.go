package settings

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/tools/txtar"

	"github.com/redlinehq/redline/hclspec/diag"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// render writes each diagnostic as its place, code and summary on one line, and its detail on the next.
func render(diags hcl.Diagnostics) string {
	var b strings.Builder
	for _, d := range diags {
		r := d.Subject
		fmt.Fprintf(&b, "%d:%d-%d:%d: %s: %s\n    %s\n", r.Start.Line, r.Start.Column, r.End.Line, r.End.Column, diag.CodeOf(d), d.Summary, d.Detail)
	}
	return b.String()
}

// Each archive holds settings and, last, what Parse says of them.
func TestBad(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 5 {
		t.Fatalf("archives: %v, %v", paths, err)
	}
	for _, name := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			s, diags := Parse(a.Files[0].Data, "redline.hcl")
			if s != nil || len(diags) == 0 {
				t.Error("they were taken")
			}
			got := []byte(render(diags))
			if *update {
				a.Files[1].Data = got
				if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(got, a.Files[1].Data) {
				t.Errorf("got\n%s\nwant\n%s", got, a.Files[1].Data)
			}
		})
	}
}
