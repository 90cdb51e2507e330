package load

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/hclspec"
)

const formulaSource = `contract "c" {
  final = local.whole
}
locals {
  whole = "p.S0"
  atom  = "p.S0"
  one   = 1
}
party "p" {
  state "S0" {}
}
requirement "plain" {
  ctl = "AG p.S0"
}
requirement "escapes" {
  ctl = "a\tb\"c\u00e9d $${e} é|f"
}
requirement "templates" {
  ctl = "AG ${local.atom} && ${local.one}x"
}
requirement "wrapped" {
  ctl = "${local.atom}"
}
requirement "called" {
  ctl = upper("ag p.S0")
}
requirement "heredoc" {
  table1 = <<E
G(p.S0 &
  ${local.atom})
E
}
requirement "flush" {
  table1 = <<-E
    G(
      é $${x} p.S0
    )
  E
}
requirement "empty" {
  ctl = ""
}
`

// Each case names a part of a formula's text and says where it stands, line:column.
func TestFormulaSource(t *testing.T) {
	src := loadText(t, formulaSource)
	if src.Contract == nil {
		t.Fatal(src.Diagnostics)
	}
	formulas := map[string]*hclspec.Formula{"final": src.Contract.Final}
	for _, r := range src.Contract.Requirements {
		formulas[r.Name] = r.Formula
	}
	for _, c := range []struct{ name, part, want string }{
		{"final", "S0", "2:11-2:22"},
		{"plain", "AG", "13:10-13:12"},
		{"plain", "p.S0", "13:13-13:17"},
		{"plain", "AG p.S0", "13:10-13:17"},
		{"escapes", "a", "16:10-16:11"},
		{"escapes", "\t", "16:11-16:13"},
		{"escapes", "b", "16:13-16:14"},
		{"escapes", "\"c", "16:14-16:17"},
		{"escapes", "éd", "16:17-16:24"},
		{"escapes", "${e", "16:25-16:29"},
		{"escapes", "f", "16:33-16:34"},
		{"templates", "AG", "19:10-19:12"},
		{"templates", "p.S0", "19:15-19:25"},
		{"templates", "&&", "19:27-19:29"},
		{"templates", "1x", "19:32-19:43"},
		{"wrapped", "S0", "22:9-22:24"},
		{"called", "P.S", "25:9-25:25"},
		{"heredoc", "p.S0 &", "29:3-29:9"},
		{"heredoc", "S0)", "30:5-30:17"},
		{"flush", "G(", "35:5-35:7"},
		{"flush", "p.S0", "36:15-36:19"},
		{"flush", "${x}", "36:9-36:14"},
		{"flush", ")", "37:5-37:6"},
	} {
		f := formulas[c.name]
		at := strings.Index(f.Text, c.part)
		if at < 0 {
			t.Errorf("%s is %q, without %q", c.name, f.Text, c.part)
			continue
		}
		r := f.Source(at, at+len(c.part))
		if got := fmt.Sprintf("%d:%d-%d:%d", r.Start.Line, r.Start.Column, r.End.Line, r.End.Column); got != c.want || r.Filename != "x/c.contract.hcl" {
			t.Errorf("%s %q: %s:%s, want %s", c.name, c.part, r.Filename, got, c.want)
		}
	}
}

func TestFormulaSourceEnds(t *testing.T) {
	src := loadText(t, formulaSource)
	for _, r := range src.Contract.Requirements {
		f, n := r.Formula, len(r.Formula.Text)
		for _, at := range [][2]int{{n, n}, {n, n + 5}, {-3, 0}, {0, 0}, {5, 2}} {
			got := f.Source(at[0], at[1])
			if got.Start.Byte < f.Range.Start.Byte || got.End.Byte > f.Range.End.Byte || got.End.Byte < got.Start.Byte {
				t.Errorf("%s %v: %v is outside of %v", r.Name, at, got, f.Range)
			}
		}
	}
	if got := (&hclspec.Formula{Text: "p"}).Source(0, 1); got != (&hclspec.Formula{}).Range {
		t.Errorf("a formula without a source has %v", got)
	}
}

// pieces are bits of text and how they are written in quotes.
var pieces = map[string]string{"a": "a", "G": "G", " ": " ", "é": "é", "$.": "$.", "%.": "%.", "\t": `\t`, "\n": `\n`, `"`: `\"`,
	`\`: `\\`, "${": "$${", "%{": "%%{", "ü": `\u00fc`, "😀": `\U0001F600`, "{": "{"}

// Whatever mixture of characters and escapes a text is written in, each leads back to the bytes it came from.
func TestFormulaSourceLaw(t *testing.T) {
	var alphabet []string
	for p := range pieces {
		alphabet = append(alphabet, p)
	}
	slices.Sort(alphabet)
	begin := strings.Index(lawSource, "@")
	rapid.Check(t, func(rt *rapid.T) {
		var text, written strings.Builder
		var at, source []int
		for _, p := range rapid.SliceOf(rapid.SampledFrom(alphabet)).Draw(rt, "pieces") {
			at, source = append(at, text.Len()), append(source, begin+written.Len())
			text.WriteString(p)
			written.WriteString(pieces[p])
		}
		src := loadText(t, strings.Replace(lawSource, "@", written.String(), 1))
		if src.Contract == nil {
			rt.Fatal(src.Diagnostics)
		}
		f := src.Contract.Final
		if f.Text != text.String() {
			rt.Fatalf("text %q, want %q", f.Text, text.String())
		}
		for i := range at {
			if got := f.Source(at[i], at[i]+1).Start.Byte; got != source[i] {
				rt.Fatalf("%q: byte %d comes from %d, want %d", f.Text, at[i], got, source[i])
			}
		}
	})
}

const lawSource = `contract "c" { final = "@" }
party "p" {
  state "S0" {}
}
`
