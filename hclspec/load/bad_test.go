package load

import (
	"bytes"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/redlinehq/redline/hclspec/diag"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// render writes each diagnostic as its place, code and summary on one line, and its detail on the next.
func render(src *Source) []byte {
	var b bytes.Buffer
	for _, d := range src.Diagnostics {
		r := d.Subject
		fmt.Fprintf(&b, "%s:%d:%d-%d:%d: %s: %s\n", r.Filename, r.Start.Line, r.Start.Column, r.End.Line, r.End.Column, diag.CodeOf(d), d.Summary)
		if d.Detail != "" {
			fmt.Fprintf(&b, "    %s\n", d.Detail)
		}
	}
	return b.Bytes()
}

func archiveFS(a *txtar.Archive) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, ".hcl") {
			fsys["dir/"+f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return fsys
}

// Each archive holds the files of a bad contract and, last, what Load says about it.
func TestBad(t *testing.T) {
	paths, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { bad(t, path) })
	}
}

func bad(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	src, err := Dir(archiveFS(archive), "dir", "sale", nil)
	if err != nil {
		t.Fatal(err)
	}
	if src.Contract != nil || !src.Diagnostics.HasErrors() {
		t.Error("a bad contract was loaded")
	}
	golden(t, path, archive, "messages", render(src))
}
