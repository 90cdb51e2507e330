package format

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/hclspec/diag"
)

var updateFormat = flag.Bool("update-format", false, "rewrite the goldens of Format")

// Each archive is a file "in" and the file "out" that Format makes of it. A ~ at a line's end
// stands for blanks, and ^M for a carriage return: editors would mend them.
func TestFormatGoldens(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			golden, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			in := strings.NewReplacer("~\n", " \t \n", "^M", "\r").Replace(string(golden.Files[0].Data))
			got := lawful(t, []byte(in))
			if shown := strings.NewReplacer(" \t \n", "~\n", "\r", "^M").Replace(string(got)); *updateFormat {
				golden.Files = append(golden.Files[:1], txtar.File{Name: "out", Data: []byte(shown)})
				if err := os.WriteFile(path, txtar.Format(golden), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if want := string(golden.Files[1].Data); shown != want {
				t.Errorf("got:\n%s\nwant:\n%s", shown, want)
			}
		})
	}
}

func TestFormatEnds(t *testing.T) {
	for in, want := range map[string]string{
		"":                "",
		"\n\n \n":         "",
		"# end":           "# end\n",
		"/* end */":       "/* end */\n",
		"a = 1":           "a = 1\n",
		"a = 1 # end":     "a = 1 # end\n",
		"a = 1\r\n\r\n":   "a = 1\n",
		"\xef\xbb\xbfa=1": "a = 1\n",
		"\ta\t=\t1\t\n":   "a = 1\n",
		"a = b.0 .1\nc=1": "a = b.0 .1\nc=1", // as it was: b.0.1 is another expression
	} {
		if got := lawful(t, []byte(in)); string(got) != want {
			t.Errorf("Format(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFormatReportsSyntaxErrors(t *testing.T) {
	src := []byte("party  \"seller\" {\n")
	out, diags := File(src, "sale/seller.contract.hcl")
	if !diags.HasErrors() || diags[0].Subject.Filename != "sale/seller.contract.hcl" {
		t.Errorf("diagnostics: %v", diags)
	}
	if diag.CodeOf(diags[0]) != diag.Syntax {
		t.Errorf("code: %s", diag.CodeOf(diags[0]))
	}
	if !bytes.Equal(out, src) {
		t.Errorf("source changed to %q", out)
	}
}

func TestFormatRefusesWhatWouldOverflow(t *testing.T) {
	src := []byte("a = " + strings.Repeat("[", 100_000))
	out, diags := File(src, "x.contract.hcl")
	if len(diags) != 1 || diag.CodeOf(diags[0]) != diag.NestedTooDeep || !bytes.Equal(out, src) {
		t.Errorf("%d diagnostics, %v", len(diags), diags)
	}
}

// reporter is what *testing.T and *rapid.T have in common here.
type reporter interface {
	Helper()
	Fatalf(string, ...any)
}

// lawful formats src and holds the laws: no text changes but blanks and line ends, formatting
// twice is formatting once, and every line of code is as the layout says.
func lawful(t reporter, src []byte) []byte {
	t.Helper()
	out, diags := File(src, "x.contract.hcl")
	if diags.HasErrors() {
		if !bytes.Equal(out, src) {
			t.Fatalf("changed despite %v", diags)
		}
		return out
	}
	if before, after := substance(src), substance(out); before != after {
		t.Fatalf("Format changed\n%s\nto\n%s", before, after)
	}
	again, diags := File(out, "x.contract.hcl")
	if diags.HasErrors() {
		t.Fatalf("formatted source does not parse: %v\n%s", diags, out)
	}
	if !bytes.Equal(again, out) {
		t.Fatalf("from\n%q\nonce\n%q\ntwice\n%q", src, out, again)
	}
	return out
}

// substance is everything but blanks and line ends outside texts, and blanks at the end of a
// comment's lines.
func substance(src []byte) string {
	var b strings.Builder
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	for _, t := range tokens {
		text := string(t.Bytes)
		switch t.Type {
		case hclsyntax.TokenNewline:
			continue
		case hclsyntax.TokenComment:
			text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }), " ")
		case hclsyntax.TokenOHeredoc:
			text = strings.TrimRight(text, "\r\n")
		}
		b.WriteString(t.Type.String() + " " + text + "\n")
	}
	return b.String()
}

func TestFormatIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { lawful(t, []byte(strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), ""))) })
}

// piece draws lines of a body and blank ones; most sequences of them parse.
var piece = rapid.SampledFrom([]string{
	"\n", "\n\n\n", "  \t\n", "\r\n", "# remark  \n", "  // remark\r\n", "/* a \n\n b */\n", "/* c */ x1 = 1\n",
	"a=1\n", "long_name  =   [ 1,2 , # two\n\n\n 3 ]\n", "o = {\n\n a=1\n b  = \"x ${ y  }\" # z\n\n}\n",
	"h = <<EOT\n  kept   \n\n\n${ x  }\nEOT\n", "h2=<<-EOT\r\n  kept\t\r\n    EOT\r\n", "f = g (1,<<A\nx\nA\n)\n",
	"state \"S0\" {}\n", "state \"S1\" { title=\"x\" }  # y\n", "flag   F {}\n", "party \"p\" {\n\n", "party p {  # opens\n",
	"party \"q\" {\n\na = 1\n\n}\n", "}\n", "}\n", "} # closes\n", "empty \"e\" {\n}\n", "m { a = [\n1] }\n", "n=-1 - -x\n", "d = a.0 .1\n",
})

func FuzzFormat(f *testing.F) {
	f.Add([]byte("contract \"sale\" {\n\n\n  title=\"x\"\n}\nparty p {\n}\n"))
	f.Add([]byte("a = <<-EOT\r\n  x ${ y }\r\n  EOT\r\n# end"))
	f.Add([]byte("\xef\xbb\xbfa = [ 1,\n\n # c\n 2 ]\nb { c = \"${ d }\" }"))
	f.Add([]byte("x = a.0 .1\ny = f (1) ? !b : [ for x in [1] : x ]"))
	page, err := os.ReadFile("../README.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, example := range regexp.MustCompile("(?ms)^```hcl[^\n]*\n(.*?)^```$").FindAllSubmatch(page, -1) {
		f.Add(example[1])
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) <= 4096 {
			lawful(t, src)
		}
	})
}
