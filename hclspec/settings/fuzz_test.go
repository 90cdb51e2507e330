package settings

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Parse never panics, points into the text it was given, gives settings exactly when it has nothing to say, and what it gives is
// within the bounds.
func FuzzParse(f *testing.F) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a.Files[0].Data)
	}
	f.Add([]byte(everything))
	f.Fuzz(func(t *testing.T, src []byte) {
		s, diags := Parse(src, File)
		if (s == nil) != (len(diags) > 0) {
			t.Fatalf("settings %v, diagnostics %v", s, diags)
		}
		for _, d := range diags {
			r := d.Subject
			if r.Filename != File || r.Start.Byte > r.End.Byte || r.End.Byte > len(src) || r.Start.Line < 1 || d.Summary == "" {
				t.Fatalf("%v is outside of the file of %d bytes: %s", r, len(src), d.Summary)
			}
		}
		if s != nil {
			bounded(t, s)
		}
	})
}

func bounded(t *testing.T, s *Settings) {
	lines := 0
	for _, list := range [][]string{s.Paths, s.Ignore, s.Observe} {
		if len(list) > maxListed {
			t.Fatalf("%d values", len(list))
		}
	}
	for _, p := range append(s.Paths, s.Ignore...) {
		match(p, "a/b/c")
		if strings.Contains(p, "..") && matchesAny([]string{p}, "..") {
			t.Fatalf("%q leads out", p)
		}
	}
	for _, x := range s.List() {
		lines = max(lines, x.From.Line)
	}
	if s.Limits.States < 0 || s.Limits.jobs < 0 || s.Limits.Timeout < 0 || filepath.IsAbs(s.SARIF) || s.SARIF != "" && !filepath.IsLocal(s.SARIF) {
		t.Fatalf("%+v", s)
	}
	if len(Differ(Default(), s)) > 0 && lines == 0 {
		t.Fatal("something is set and nothing sets it")
	}
}
