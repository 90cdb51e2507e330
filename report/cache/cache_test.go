package cache

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/result"
)

const (
	text = `contract "NAME" {}
party "p" {
  state "at" {}
  state "gone" {}
  transition "leave" {
    from = at
    to   = gone
  }
EXTRA}
requirement "never" { ctl = "AG !p.lost" 
WAIVER}
`
	lost   = "  state \"lost\" {}\n"
	slip   = "  transition \"slip\" {\n    from = gone\n    to   = lost\n  }\n"
	stray  = "  transition \"stray\" {\n    from = at\n    to   = lost\n  }\n"
	waiver = "  waiver {\n    reason = \"r\"\n    approver = \"a\"\n    run = \"sha256:" + "0000000000000000000000000000000000000000000000000000000000000000\"\n  }\n"
)

var budget = finding.Budget{States: 1000, Jobs: 2}

// draft is a version of a contract in a directory.
func draft(dir, name, extra, waived string, values expr.Values) *compile.Draft {
	src := strings.NewReplacer("NAME", name, "EXTRA", lost+extra, "{ ctl", "{\n  ctl", "WAIVER", waived).Replace(text)
	return compile.Compile(load.Text(map[string][]byte{dir + "/a.contract.hcl": []byte(src)}, dir, values), dir, nil)
}

func amended(dir, extra string) engine.Pair {
	return engine.Pair{Base: draft(dir, "x", "", "", nil), Head: draft(dir, "x", extra, "", nil)}
}

func open(t rapid.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir, "sha256:program")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compared reviews with a cache, and says which reviews are from there.
func compared(t rapid.TB, s *Store, pairs []engine.Pair, b finding.Budget) (reviews []finding.ContractReview, cached []bool) {
	t.Helper()
	reviews, err := s.Compare(context.Background(), pairs, result.TermsOf(b), b)
	if err != nil {
		t.Fatal(err)
	}
	for i := range reviews {
		cached = append(cached, reviews[i].Cached)
		reviews[i].Cached = false
	}
	return reviews, cached
}

// told is a review as a file, which has all of it.
func told(t rapid.TB, r finding.ContractReview) string {
	t.Helper()
	return asFile(t, &result.File{Plan: []result.Planned{{Path: r.Path, Shard: 1}}, Review: &finding.Review{Contracts: []finding.ContractReview{r}}})
}

func toldAlone(t rapid.TB, r *finding.Result) string {
	t.Helper()
	return asFile(t, &result.File{Results: []*finding.Result{r}})
}

func asFile(t rapid.TB, f *result.File) string {
	t.Helper()
	var b bytes.Buffer
	f.Format, f.Shard, f.Shards = result.Format, 1, 1
	if err := result.Write(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestAWarmCacheTellsTheSame: whatever is cached already, and whatever else is reviewed, alike contracts among it.
func TestAWarmCacheTellsTheSame(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		s := open(t, filepath.Join(dir, fmt.Sprint(n)))
		var pairs []engine.Pair
		for i := range rapid.IntRange(1, 5).Draw(t, "contracts") {
			at := fmt.Sprintf("c%d", i)
			p := amended(at, rapid.SampledFrom([]string{"", slip, stray, slip + stray, slip + "  nonsense\n"}).Draw(t, "extra"))
			switch rapid.IntRange(0, 5).Draw(t, "sides") {
			case 0:
				p.Base = nil
			case 1:
				p.Head = nil
			case 2:
				p = engine.Pair{Base: draft(at, "x", "", waiver, nil), Head: draft(at, "x", slip, waiver, nil)}
			}
			pairs = append(pairs, p)
		}
		fresh := engine.ComparePairs(context.Background(), pairs, budget)
		some := pairs[:rapid.IntRange(0, len(pairs)).Draw(t, "warm")]
		compared(t, s, some, budget)
		for range 2 {
			reviews, cached := compared(t, s, pairs, budget)
			for i, r := range reviews {
				if told(t, r) != told(t, fresh[i]) {
					t.Fatalf("cached %t:\n%s\n%s", cached[i], told(t, r), told(t, fresh[i]))
				}
				if i < len(some) && cached[i] != (!pairs[i].NothingToReview() && !ill(pairs[i].Base) && !ill(pairs[i].Head)) {
					t.Fatalf("cached %t: %s", cached[i], pairs[i].Path())
				}
			}
			some = pairs
		}
	})
}

// TestWhatVerdictsDependOn: another one of it, and there is nothing in the cache.
func TestWhatVerdictsDependOn(t *testing.T) {
	dir := t.TempDir()
	base := func(dir string) *compile.Draft { return draft(dir, "x", "", waiver, nil) }
	head := func(dir string) *compile.Draft { return draft(dir, "x", slip, waiver, nil) }
	terms := result.TermsOf(budget)
	terms.Today = "2026-11-21"
	ask := func(program string, p engine.Pair, terms result.Terms) bool {
		s, err := Open(dir, program)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Compare(context.Background(), []engine.Pair{p}, terms, budget)
		if err != nil {
			t.Fatal(err)
		}
		return r[0].Cached
	}
	usual := engine.Pair{Base: base("d"), Head: head("d")}
	if ask("p", usual, terms) || !ask("p", usual, terms) {
		t.Fatal("it is not cached")
	}
	one := petri.One
	for name, other := range map[string]func(program *string, p *engine.Pair, terms *result.Terms){
		"program":   func(s *string, _ *engine.Pair, _ *result.Terms) { *s = "q" },
		"path":      func(_ *string, p *engine.Pair, _ *result.Terms) { *p = engine.Pair{Base: base("e"), Head: head("e")} },
		"moved":     func(_ *string, p *engine.Pair, _ *result.Terms) { p.Head = head("e") },
		"base":      func(_ *string, p *engine.Pair, _ *result.Terms) { p.Base = draft("d", "x", stray, waiver, nil) },
		"head":      func(_ *string, p *engine.Pair, _ *result.Terms) { p.Head = draft("d", "x", slip+"\n", waiver, nil) },
		"new":       func(_ *string, p *engine.Pair, _ *result.Terms) { p.Base = nil },
		"exchanged": func(_ *string, p *engine.Pair, _ *result.Terms) { p.Base, p.Head = p.Head, p.Base },
		"states":    func(_ *string, _ *engine.Pair, t *result.Terms) { t.States++ },
		"memory":    func(_ *string, _ *engine.Pair, t *result.Terms) { t.Memory++ },
		"time":      func(_ *string, _ *engine.Pair, t *result.Terms) { t.Time++ },
		"engine":    func(_ *string, _ *engine.Pair, t *result.Terms) { t.Engine = "explicit" },
		"firing":    func(_ *string, _ *engine.Pair, t *result.Terms) { t.Firing = one.String() },
		"today":     func(_ *string, _ *engine.Pair, t *result.Terms) { t.Today = "2026-11-22" },
		"observe":   func(_ *string, _ *engine.Pair, t *result.Terms) { t.Observe = []string{"p"} },
		"values":    func(_ *string, _ *engine.Pair, t *result.Terms) { t.Values = expr.Values{"n": {Text: "1"}}.Digest() },
	} {
		program, p, terms := "p", usual, terms
		other(&program, &p, &terms)
		if ask(program, p, terms) {
			t.Errorf("%s: a verdict on something else", name)
		}
	}
	for name, same := range map[string]func(terms *result.Terms){
		"what fails": func(t *result.Terms) { t.FailOn = "any" },
		"settings":   func(t *result.Terms) { t.Settings = expr.Values{"n": {Text: "1"}}.Digest() },
	} {
		terms := terms
		same(&terms)
		if !ask("p", usual, terms) {
			t.Errorf("%s: no verdict depends on that", name)
		}
	}
	undated := engine.Pair{Base: draft("f", "x", "", "", nil), Head: draft("f", "x", slip, "", nil)}
	ask("p", undated, terms)
	if terms.Today = "2026-11-23"; !ask("p", undated, terms) {
		t.Error("without a waiver it does not matter what day it is")
	}
}

// entries are the files of a cache.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "??", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestWhatIsDamagedIsFoundOutAnew(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	p := []engine.Pair{amended("d", slip)}
	want, _ := compared(t, s, p, budget)
	name := entries(t, dir)[0]
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	compared(t, s, []engine.Pair{amended("d", stray)}, budget)
	var other []byte // of another key
	for _, n := range entries(t, dir) {
		if n != name {
			if other, err = os.ReadFile(n); err != nil {
				t.Fatal(err)
			}
		}
	}
	head, body, _ := strings.Cut(string(good), "\n")
	forged := strings.Replace(body, `"Verdict":2`, `"Verdict":1`, 1)
	key := filepath.Base(filepath.Dir(name)) + filepath.Base(name)
	bad := map[string][]byte{
		"empty": nil, "cut short": good[:len(good)/2], "foreign": other, "changed": []byte(head + "\n" + forged), "no header": []byte(body),
		"longer": append(bytes.Clone(good), ' '), "header alone": []byte(head + "\n"),
		"consistent, and no result": []byte(header(key, []byte("{}\n")) + "{}\n"),
	}
	for i := range 40 { // a byte anywhere
		flipped := bytes.Clone(good)
		flipped[i*len(good)/40] ^= 1
		bad[fmt.Sprint("byte ", i)] = flipped
	}
	for what, raw := range bad {
		if err := os.WriteFile(name, raw, 0o666); err != nil {
			t.Fatal(err)
		}
		got, cached := compared(t, s, p, budget)
		if cached[0] || told(t, got[0]) != told(t, want[0]) {
			t.Errorf("%s: it was believed", what)
		}
		if now, err := os.ReadFile(name); err != nil || !bytes.Equal(now, good) {
			t.Errorf("%s: it was not written anew: %v", what, err)
		}
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(name, 0o777); err != nil { // nothing can be written there
		t.Fatal(err)
	}
	r, err := s.Compare(context.Background(), p, result.TermsOf(budget), budget)
	if err == nil || told(t, r[0]) != told(t, want[0]) {
		t.Errorf("a verdict was lost, or that it could not be kept: %v", err)
	}
}

func TestWhatWasInterruptedIsNotKept(t *testing.T) {
	for name, b := range map[string]finding.Budget{"time": {Jobs: 1, Time: 1}, "memory": {Jobs: 1, Memory: 1, Engine: finding.Explicit}} {
		dir := t.TempDir()
		compared(t, open(t, dir), []engine.Pair{amended("d", slip)}, b)
		if kept := entries(t, dir); kept != nil {
			t.Errorf("%s: %s", name, kept)
		}
		if _, err := open(t, dir).Check(context.Background(), []*compile.Draft{amended("d", slip).Head}, result.TermsOf(b), b); err != nil {
			t.Error(err)
		}
		if kept := entries(t, dir); kept != nil {
			t.Errorf("%s, of a check: %s", name, kept)
		}
	}
	dir, b := t.TempDir(), finding.Budget{Jobs: 1, States: 1, Engine: finding.Explicit}
	compared(t, open(t, dir), []engine.Pair{amended("d", slip)}, b)
	if kept := entries(t, dir); len(kept) != 1 {
		t.Errorf("a limit of states is the same everywhere, so what it leaves open may be kept: %s", kept)
	}
}

func TestChecksAreKept(t *testing.T) {
	s := open(t, t.TempDir())
	drafts := []*compile.Draft{draft("d", "x", slip, "", nil), draft("e", "y", "", "", nil), draft("f", "z", "nonsense", "", nil)}
	want := engine.CheckAll(context.Background(), drafts, budget)
	for range 2 {
		got, err := s.Check(context.Background(), drafts, result.TermsOf(budget), budget)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range got {
			if r.Cached = false; toldAlone(t, r) != toldAlone(t, want[i]) {
				t.Errorf("%s\n%s", toldAlone(t, r), toldAlone(t, want[i]))
			}
		}
	}
	got, err := s.Check(context.Background(), drafts, result.TermsOf(budget), budget)
	if err != nil || !got[0].Cached || !got[1].Cached || got[2].Cached {
		t.Error(err, got[0].Cached, got[1].Cached, got[2].Cached)
	}
	if _, cached := compared(t, s, []engine.Pair{{Head: drafts[0]}}, budget); cached[0] {
		t.Error("a check is taken for a review")
	}
}

// TestRoomIsMade: what has not been used for longest goes, and nothing of anybody else's.
func TestRoomIsMade(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	foreign := []string{filepath.Join(dir, "readme"), filepath.Join(dir, "ab", "mine"), filepath.Join(dir, "abc", strings.Repeat("a", 62))}
	for _, name := range foreign {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, make([]byte, 1<<20), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pairs := []engine.Pair{amended("a", slip), amended("b", slip), amended("c", slip)}
	for i, p := range pairs {
		compared(t, s, []engine.Pair{p}, budget)
		for _, name := range entries(t, dir) { // as if hours lay between
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if time.Since(info.ModTime()) < time.Minute {
				old := time.Now().Add(time.Duration(i-10) * time.Hour)
				if err := os.Chtimes(name, old, old); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	size := int64(0)
	all, err := s.all()
	if err != nil || len(all) != 3 {
		t.Fatal(all, err)
	}
	for _, k := range all {
		size += k.size
	}
	if _, cached := compared(t, s, pairs[:1], budget); !cached[0] { // the first is used, so the second is the oldest
		t.Fatal("the first is not there")
	}
	s.most = size - 1
	if err := s.trim(); err != nil {
		t.Fatal(err)
	}
	s.most = mostBytes
	if _, cached := compared(t, s, pairs, budget); !reflect.DeepEqual(cached, []bool{true, false, true}) {
		t.Error(cached)
	}
	for _, name := range foreign {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}

// TestManyAtOnce: several processes use one cache, which is too small for them.
func TestManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	var pairs []engine.Pair
	for i := range 6 {
		pairs = append(pairs, amended(fmt.Sprintf("c%d", i), slip))
	}
	want := engine.ComparePairs(context.Background(), pairs, budget)
	var all sync.WaitGroup
	for range 8 {
		s := open(t, dir)
		s.most = 60_000
		all.Go(func() {
			for range 3 {
				reviews, err := s.Compare(context.Background(), pairs, result.TermsOf(budget), budget)
				if err != nil {
					t.Error(err)
				}
				for i, r := range reviews {
					if r.Cached = false; told(t, r) != told(t, want[i]) {
						t.Errorf("%s is told otherwise", r.Path)
					}
				}
			}
		})
	}
	all.Wait()
	if left, err := filepath.Glob(filepath.Join(dir, "??", ".redline*")); err != nil || left != nil {
		t.Errorf("left behind: %s %v", left, err)
	}
}
