package result

import (
	"bytes"
	"context"
	"io/fs"
	"math/big"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/report"
)

var budget = engine.Budget{States: 20_000, Jobs: 1, Today: "2026-11-21"}

// texts are the files of an example, by name.
func texts(t rapid.TB, example string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	entries, err := fs.ReadDir(examples.FS, example)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".hcl") {
			continue
		}
		name := path.Join(example, e.Name())
		src, err := fs.ReadFile(examples.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: src}
	}
	return files
}

func drafts(t rapid.TB, files fstest.MapFS) []*engine.Draft {
	t.Helper()
	values := hclspec.Values{"n": {Text: "2", From: "--var"}}
	all, err := engine.Tree{FS: files, Root: ".", Values: values}.Drafts(context.Background(), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var block = regexp.MustCompile(`(?ms)^  (?:transition|event|requirement|obligation|accept|state|flag) "?[^\n]*\{(?:[^\n]*\}$|.*?^  \})`)

// amended draws an amendment of texts: a block is left out, twice there, or says something else; or a line is spoiled.
func amended(t *rapid.T, base fstest.MapFS) fstest.MapFS {
	head := fstest.MapFS{}
	for name, f := range base {
		head[name] = &fstest.MapFile{Data: slices.Clone(f.Data)}
	}
	names := make([]string, 0, len(head))
	for name := range head {
		names = append(names, name)
	}
	slices.Sort(names)
	for range rapid.IntRange(1, 3).Draw(t, "edits") {
		f := head[rapid.SampledFrom(names).Draw(t, "file")]
		blocks := block.FindAllIndex(f.Data, -1)
		if len(blocks) == 0 {
			continue
		}
		at := blocks[rapid.IntRange(0, len(blocks)-1).Draw(t, "block")]
		old := string(f.Data[at[0]:at[1]])
		said := rapid.SampledFrom([]string{
			"", "  # gone", old + "\n" + old,
			strings.Replace(old, `" {`, `-too" {`, 1),
			old + "\n" + regexp.MustCompile(`"([a-zA-Z0-9-]+)" \{`).ReplaceAllString(old, `"$1-too" {`),
			regexp.MustCompile(`(?m)^ *(set|require|title|clause|by|within) .*\n`).ReplaceAllString(old, ""),
			strings.NewReplacer("S0", "S1", "S1", "S2", "true", "false").Replace(old),
			"  \xff\xfe",
		}).Draw(t, "said")
		f.Data = slices.Concat(f.Data[:at[0]], []byte(said), f.Data[at[1]:])
	}
	return head
}

var shipped = []string{"sale", "sale-in-two-phases", "purchasers", "letter-of-credit", "gas-supply", "meat-sale", "nets/figure-3", "nets/figure-10"}

// whole is a review as a file.
func whole(r *engine.Review) *File {
	f := &File{Format: Format, Tool: "v1.2.3", Event: "pull_request", Base: strings.Repeat("b", 40), Shard: 1, Shards: 1, Review: r,
		Terms: Terms{States: 20_000, Today: "2026-11-21", Observe: []string{"bank"}}, Notices: []string{"by hand"}}
	for _, c := range r.Contracts {
		f.Plan = append(f.Plan, Planned{c.Path, 1})
	}
	return f
}

func written(t rapid.TB, f *File) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rendered is all that is ever made of a review.
func rendered(t rapid.TB, f *File) string {
	t.Helper()
	var b strings.Builder
	var err error
	if r := f.Review; r != nil {
		b.WriteString(report.MarkdownReview(r))
		err = report.TextReview(&b, r, report.Style{Width: 80})
		if err == nil {
			err = report.JSONReview(&b, r, f.Tool)
		}
	} else {
		b.WriteString(report.Markdown(f.Results))
		err = report.Text(&b, f.Results, report.Style{Stats: true})
		if err == nil {
			err = report.JSON(&b, f.Results, f.Tool)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// same reports whether values are the same, but for what is not exported, and where pointers lead to one thing.
func same(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		if n, ok := a.Interface().(*big.Int); ok {
			return n.Cmp(b.Interface().(*big.Int)) == 0
		}
		return same(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			if (a.Type().Field(i).IsExported() || a.Type().Field(i).Anonymous) && !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Interface() == b.Interface()
}

// holdsTo writes a file and reads it back.
func holdsTo(t rapid.TB, f *File) {
	t.Helper()
	raw := written(t, f)
	back, err := Read(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if !same(reflect.ValueOf(f), reflect.ValueOf(back)) {
		t.Fatalf("another file is read back:\n%s\n%s", raw, written(t, back))
	}
	if a, b := rendered(t, f), rendered(t, back); a != b {
		t.Fatalf("it is told otherwise:\n%s\n\n%s", a, b)
	}
}

func TestWhatIsReadBackIsWhatWasFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := texts(t, rapid.SampledFrom(shipped).Draw(t, "example"))
		before, after := drafts(t, base), drafts(t, amended(t, base))
		switch rapid.IntRange(0, 9).Draw(t, "sides") {
		case 0:
			before = nil
		case 1:
			after = nil
		}
		b := budget
		b.States = rapid.SampledFrom([]int{20_000, 20_000, 20_000, 10}).Draw(t, "states")
		holdsTo(t, whole(&engine.Review{Base: "main", Head: "a\xffb", Contracts: engine.CompareAll(context.Background(), before, after, b)}))
		holdsTo(t, &File{Format: Format, Shard: 1, Shards: 1, Results: engine.CheckAll(context.Background(), after, b)})
	})
}

func TestEveryExampleIsReadBack(t *testing.T) {
	for _, example := range shipped {
		r := engine.CheckAll(context.Background(), drafts(t, texts(t, example)), budget)
		holdsTo(t, &File{Format: Format, Tool: "(devel)", Shard: 1, Shards: 1, Results: r})
	}
}
