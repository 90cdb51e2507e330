package load

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples"
)

// TestIndexOfExamples: each reference is a name in the text that leads to an element of that name, or to
// a transition that has it for a label; and the index is the same each time.
func TestIndexOfExamples(t *testing.T) {
	dirs, err := Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		src, err := Dir(examples.FS, dir, dir, nil)
		if err != nil || src.Contract == nil {
			t.Fatalf("%s: %v %v", dir, err, src.Diagnostics)
		}
		if len(src.Index.References) == 0 && len(src.Contract.Events) > 0 {
			t.Errorf("%s: no references", dir)
		}
		for _, r := range src.Index.References {
			name := string(r.At.SliceBytes(src.Files[r.At.Filename]))
			e := element(src.Index, r)
			if e == nil {
				t.Errorf("%v: %q leads to no element", r.At, name)
			} else if e.Name != name && e.Kind != "transition" && !strings.HasPrefix(name, e.Name) && !strings.HasSuffix(name, "."+e.Name) {
				t.Errorf("%v: %q leads to %s %q", r.At, name, e.Kind, e.Name)
			}
		}
		again, err := Dir(examples.FS, dir, dir, nil)
		if err != nil || len(again.Index.References) != len(src.Index.References) {
			t.Fatalf("%s: %d references, then %d", dir, len(src.Index.References), len(again.Index.References))
		}
		for i, r := range src.Index.References {
			if r != again.Index.References[i] {
				t.Errorf("%s: %v, then %v", dir, r, again.Index.References[i])
			}
		}
	}
}

func element(x *hclspec.Index, r hclspec.Reference) *hclspec.Element {
	for _, e := range x.Elements {
		if r.To == e.At || r.To == e.Named {
			return e
		}
	}
	return nil
}

// TestIndexOfMistakes: what is declared is known however wrong the text is.
func TestIndexOfMistakes(t *testing.T) {
	fsys := fstest.MapFS{"c.contract.hcl": {Data: []byte(`contract "c" {}
party "p" {
  title = "The party"
  state "a" { title = "at first" }
  state "b" {}
  transition "t" {
    from = a
    to   = nowhere
  }
}
`)}}
	src, err := Dir(fsys, ".", ".", nil)
	if err != nil || src.Contract != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range src.Index.Elements {
		within := ""
		if e.Within != nil {
			within = e.Within.Name + "."
		}
		got = append(got, e.Kind+" "+within+e.Name+" "+e.Title)
	}
	want := "contract c |party p The party|state p.a at first|state p.b |transition p.t "
	if strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
	if refs := src.Index.References; len(refs) != 1 || refs[0].At.Start.Line != 7 || element(src.Index, refs[0]).Name != "a" {
		t.Errorf("got %v", refs)
	}
	fsys["c.contract.hcl"] = &fstest.MapFile{Data: []byte("party \"p\" {\n  state \"a\" {}\n")}
	if src, err = Dir(fsys, ".", ".", nil); err != nil || len(src.Index.Elements) == 0 {
		t.Errorf("%v: what stands before a syntax error is known; got %v", err, src.Index.Elements)
	}
}
