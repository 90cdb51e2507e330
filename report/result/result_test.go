package result_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
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
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/report/ci"
	"github.com/redlinehq/redline/report/github"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/result"
	"github.com/redlinehq/redline/report/review"
	"github.com/redlinehq/redline/report/text"
)

var budget = finding.Budget{States: 20_000, Jobs: 1, Today: "2026-11-21"}

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

func drafts(t rapid.TB, files fstest.MapFS) []*compile.Draft {
	t.Helper()
	values := expr.Values{"n": {Text: "2", From: "--var"}}
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
func whole(r *finding.Review) *result.File {
	f := &result.File{Format: result.Format, Tool: "v1.2.3", Event: "pull_request", Base: strings.Repeat("b", 40), Shard: 1, Shards: 1, Review: r,
		Terms: result.Terms{States: 20_000, Today: "2026-11-21", Observe: []string{"bank"}}, Notices: []string{"by hand"}}
	for _, c := range r.Contracts {
		f.Plan = append(f.Plan, result.Planned{c.Path, 1})
	}
	return f
}

func written(t rapid.TB, f *result.File) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := result.Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rendered is all that is ever made of a file, by form.
func rendered(t rapid.TB, f *result.File) map[string]string {
	t.Helper()
	all := map[string]string{}
	put := func(form string, write func(io.Writer) error) {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		all[form] = b.String()
	}
	plan := review.Plan{}
	if r := f.Review; r != nil {
		all["markdown"] = markdown.Review(r)
		put("text", func(w io.Writer) error { return text.Review(w, r, text.Style{Width: 80}) })
		put("json", func(w io.Writer) error { return json.WriteReview(w, r, f.Tool) })
		put("sarif", func(w io.Writer) error { return ci.SARIFReview(w, r, finding.FailAny, f.Tool) })
		plan = review.DraftReview(r, finding.FailAny)
		told := review.DraftComments(telling(f), there())
		all["comments"] = fmt.Sprintf("%+v", told)
		all["markdown comment"] = told.Summary.Body
		for i, c := range told.Create {
			all[fmt.Sprint("markdown remark ", i)] = c.At.Body
		}
	} else {
		all["markdown"] = markdown.Results(f.Results)
		put("text", func(w io.Writer) error { return text.Results(w, f.Results, text.Style{Stats: true}) })
		put("json", func(w io.Writer) error { return json.WriteResults(w, f.Results, f.Tool) })
		put("sarif", func(w io.Writer) error { return ci.SARIF(w, f.Results, finding.FailAny, f.Tool) })
		plan = review.DraftCheck(f.Results, finding.FailAny)
	}
	all["log"], all["markdown summary"] = plan.Log, plan.Summary
	all["annotations"] = fmt.Sprintf("%+v %d", plan.Annotations, plan.Status)
	return all
}

const commit = "cccccccccccccccccccccccccccccccccccccccc"

func telling(f *result.File) *review.PullReport {
	return &review.PullReport{Number: 1, Commit: commit, Review: f.Review, On: finding.FailAny, Notices: f.Notices,
		Talk: review.Talk{Summary: true, Inline: true, Suggestions: true}, Relayed: true}
}

func there() review.There {
	pull := github.PullRequest{Number: 1, State: "open"}
	pull.Head.SHA = commit
	var files []github.File
	for _, example := range shipped {
		files = append(files, github.File{Path: path.Join(example, "seller.contract.hcl"), Status: "modified", Patch: "@@ -1,400 +1,400 @@\n a"})
	}
	return review.There{Pull: pull, Me: "github-actions[bot]", Files: files}
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
			if f := a.Type().Field(i); f.Tag.Get("result") != "-" && (f.IsExported() || f.Anonymous) && !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Interface() == b.Interface()
}

// holdsTo writes a file and reads it back.
func holdsTo(t rapid.TB, f *result.File) {
	t.Helper()
	raw := written(t, f)
	back, err := result.Read(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if !same(reflect.ValueOf(f), reflect.ValueOf(back)) {
		t.Fatalf("another file is read back:\n%s\n%s", raw, written(t, back))
	}
	was := rendered(t, f)
	for form, told := range rendered(t, back) {
		if told != was[form] {
			t.Fatalf("as %s it is told otherwise:\n%s\n\n%s", form, was[form], told)
		}
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
		holdsTo(t, whole(&finding.Review{Base: "main", Head: "a\xffb", Contracts: engine.CompareAll(context.Background(), before, after, b)}))
		holdsTo(t, &result.File{Format: result.Format, Shard: 1, Shards: 1, Results: engine.CheckAll(context.Background(), after, b)})
	})
}

func TestEveryExampleIsReadBack(t *testing.T) {
	for _, example := range shipped {
		r := engine.CheckAll(context.Background(), drafts(t, texts(t, example)), budget)
		holdsTo(t, &result.File{Format: result.Format, Tool: "(devel)", Shard: 1, Shards: 1, Results: r})
	}
}
