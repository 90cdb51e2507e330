package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

var (
	contractName = regexp.MustCompile(`(?m)^contract "[^"]*"`)
	someWords    = regexp.MustCompile(`(?m)\b(title|description|clause)(\s*)= "([^"]*)"`)
)

// tellings are ways to write a text so that it means the same but for the contract's name, which copies have none in
// common.
var tellings = []func(src []byte, copy int) []byte{
	func(src []byte, copy int) []byte { return src },
	func(src []byte, copy int) []byte { // other words
		return someWords.ReplaceAll(src, fmt.Appendf(nil, `$1$2= "$3 (%d)"`, copy))
	},
	func(src []byte, copy int) []byte { // words that tell nothing apart
		return someWords.ReplaceAll(src, []byte(`$1$2= "the same"`))
	},
	func(src []byte, copy int) []byte { // none
		return someWords.ReplaceAll(src, []byte(""))
	},
	func(src []byte, copy int) []byte { // other layout
		return bytes.ReplaceAll(src, []byte("\n"), fmt.Appendf(nil, " # copy %d\n\n", copy))
	},
	func(src []byte, copy int) []byte { // another order
		f, _ := hclsyntax.ParseConfig(src, "", hcl.InitialPos)
		var parts [][]byte
		for _, b := range f.Body.(*hclsyntax.Body).Blocks {
			parts = append(parts, b.Range().SliceBytes(src))
			parts[len(parts)-1] = src[b.TypeRange.Start.Byte:b.CloseBraceRange.End.Byte]
		}
		slices.Reverse(parts)
		return append(bytes.Join(parts, []byte("\n")), '\n')
	},
}

// written is a text in one of the tellings, in a directory of its own.
func written(files fstest.MapFS, text map[string][]byte, wording, copy int) {
	for name, src := range text {
		src = contractName.ReplaceAll(src, fmt.Appendf(nil, `contract "copy-%d"`, copy))
		files[path.Join(fmt.Sprintf("copy%d", copy), name)] = &fstest.MapFile{Data: tellings[wording](src, copy)}
	}
}

func draftsOf(t interface{ Fatal(...any) }, files fstest.MapFS) []*compile.Draft {
	drafts, err := engine.Tree{FS: files, Root: "."}.Drafts(context.Background(), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	return drafts
}

// An amended example is one with a mistake made.
type amended struct{ base, head map[string][]byte }

func amendedExamples(t *testing.T, names ...string) []amended {
	var list []amended
	for _, name := range names {
		base := testkit.ExampleText(t, name)
		for _, m := range testkit.MutantsOf(t, base) {
			list = append(list, amended{base, m.Made(base)})
		}
	}
	return list
}

// TestAloneAndAmongOthers: what a review says of a contract does not depend on which others it is reviewed with,
// whether these mean the same in other words, layout and order, or something else.
func TestAloneAndAmongOthers(t *testing.T) {
	draws.Only(t, 25)
	all := amendedExamples(t, "sale", "letter-of-credit", "sale-in-two-phases", "gas-supply")
	b := finding.Budget{Jobs: 2, States: 100_000, Memory: 1 << 30}
	rapid.Check(t, func(t *rapid.T) {
		base, head := fstest.MapFS{}, fstest.MapFS{}
		some := all[rapid.IntRange(0, len(all)-1).Draw(t, "mistake")]
		for copy := range rapid.IntRange(2, 3).Draw(t, "copies") {
			this := some
			if rapid.IntRange(0, 5).Draw(t, "other") == 0 {
				this = all[rapid.IntRange(0, len(all)-1).Draw(t, "other mistake")]
			}
			wording := rapid.IntRange(0, len(tellings)-1).Draw(t, "wording")
			written(base, this.base, wording, copy)
			written(head, this.head, wording, copy)
		}
		before, after := draftsOf(t, base), draftsOf(t, head)
		var turns sync.Map
		b.Turn = func(path string, begun, of int) { turns.Store(begun, of == len(after)) }
		for i, got := range engine.CompareAll(context.Background(), before, after, b) {
			if told, _ := turns.Load(i + 1); told != true {
				t.Fatalf("turn %d of %d was not told", i+1, len(after))
			}
			want := blame.Compare(context.Background(), before[i], after[i], b)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: %s", got.Path, apart(told(got), told(want)))
			}
		}
	})
}

// apart shows where two texts begin to differ.
func apart(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-12)
	return fmt.Sprintf("among others\n%s\nalone\n%s", strings.Join(a[from:min(len(a), i+4)], "\n"), strings.Join(b[from:min(len(b), i+4)], "\n"))
}

func told(c finding.ContractReview) string {
	text, _ := json.MarshalIndent(c, "", " ")
	return string(text)
}

// TestEachMeaningOnce counts the state models that are built. However many contracts an amendment changes alike, in
// whatever words and layout, there are as many as for one, and as many more of those that mean something else.
// Where blocks stand in another order, other texts in between may be tried.
func TestEachMeaningOnce(t *testing.T) {
	text := testkit.ExampleText(t, "sale")
	head := maps.Clone(text)
	head["seller.contract.hcl"] = bytes.Replace(text["seller.contract.hcl"], []byte(`transition "end" {`),
		[]byte("transition \"withdraw\" {\n from = S2\n to = S0\n set = { GAV = false }\n}\ntransition \"end\" {"), 1)
	explored := func(copies, kinds int, other bool) int {
		before, after := fstest.MapFS{}, fstest.MapFS{}
		for copy := range copies {
			written(before, text, copy%kinds, copy)
			written(after, head, copy%kinds, copy)
		}
		if other {
			before["copy0/more.contract.hcl"] = &fstest.MapFile{Data: []byte("party \"other\" {\n  state \"S\" {}\n}\n")}
			after["copy0/more.contract.hcl"] = before["copy0/more.contract.hcl"]
		}
		var begun atomic.Int64
		b := finding.Budget{Jobs: 2, Progress: func(states, arcs int) {
			if states == 1 && arcs == 0 {
				begun.Add(1)
			}
		}}
		for _, c := range engine.CompareAll(context.Background(), draftsOf(t, before), draftsOf(t, after), b) {
			if !slices.ContainsFunc(c.Findings, func(f finding.Finding) bool { return f.Blame != nil && len(f.Blame.Blocks) == 1 && len(f.Repairs) > 0 }) {
				t.Errorf("%s: nothing is to blame, or mends it", c.Path)
			}
		}
		return int(begun.Load())
	}
	one := explored(1, 1, false)
	if one < 3 {
		t.Fatalf("%d state models of one contract", one)
	}
	if many := explored(24, 5, false); many != one {
		t.Errorf("%d state models of 24 contracts of one meaning, and %d of one", many, one)
	}
	if ordered := explored(24, len(tellings), false); ordered >= 2*one {
		t.Errorf("%d state models of 24 contracts of one meaning, some in another order, and %d of one", ordered, one)
	}
	if two, other := explored(24, 5, true), explored(1, 1, true); two != one+other {
		t.Errorf("%d state models of contracts of two meanings, and %d and %d of one of each", two, one, other)
	}
}

// TestEndsOfOneTitle: two states are not one because they are called the same.
func TestEndsOfOneTitle(t *testing.T) {
	const text = `
contract "c" {
  final = "p.done"
}
party "p" {
  state "start" {}
  state "done" {}
  state "lost" { title = "ONE" }
  state "dead" { title = "OTHER" }
  transition "finish" {
    from = start
    to   = done
  }
  transition "lose" {
    from = start
    to   = lost
  }
  transition "die" {
    from = lost
    to   = dead
  }
}
`
	codes := func(titles ...string) (list []string) {
		for _, d := range testkit.CheckText(t, strings.NewReplacer(titles...).Replace(text)).Diagnostics {
			list = append(list, string(d.Code))
		}
		return list
	}
	if apart, alike := codes(), codes("ONE", "the same", "OTHER", "the same"); !slices.Equal(apart, alike) || len(apart) != 2 {
		t.Errorf("%q with two titles, %q with one", apart, alike)
	}
}
