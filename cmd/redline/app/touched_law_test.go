package app

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/gitfs/gittest"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/json"
)

// A caseOf is an amendment of a repository, and what the review is asked for.
type caseOf struct {
	base, head map[string]string // contents by path
	observe    []string          // given for this run
	asked      bool              // whether variable n has a value
	worktree   bool
}

// drawn draws one of a few things, the first of them most often.
func drawn[T any](t *rapid.T, all ...T) T {
	return all[max(0, rapid.IntRange(-1, len(all)-1).Draw(t, "which"))]
}

// steps are the digests of the runs in which a party leaves S0.
var steps = map[string]string{
	"seller": "sha256:f41b92ae991e2f6c0629e727186653a88af7ff97501ec9ded8e2569f8d3d546e",
	"buyer":  "sha256:6fc8f3a62c678758784baef31d442183b2355aaa4f12266ca88cea90ad8790eb",
}

// drawText draws a contract. Some are ill-formed, some speak of waivers and have none, some write a letter as an escape.
func drawText(t *rapid.T) string {
	var b strings.Builder
	party := drawn(t, "seller", "seller", "buyer")
	fmt.Fprintf(&b, "contract %s {\n  title = %s\n}\n", drawn(t, `"x"`, `"y"`, `"z"`, `"\u0078"`), drawn(t, `"T"`, `"waiver { or not"`))
	fmt.Fprintf(&b, "party %q {\n  state \"S0\" {}\n  state \"S1\" {}\n  transition \"go\" {\n    from = S0\n    to = S1\n  }\n", party)
	b.WriteString(drawn(t, "", "", "  transition \"back\" {\n    from = S1\n    to = S0\n  }\n") + "}\n")
	waiver := drawn(t, "", "", "  waiver {", "  waiver /* one\n*/ {")
	if waiver != "" {
		waiver += "\n    reason = \"r\"\n    approver = \"a\"\n    run = \"" + steps[party] + "\"\n    expires = \"" + drawn(t, "2030-01-01", "2020-01-01") + "\"\n  }\n"
	}
	fmt.Fprintf(&b, "requirement %q {\n  ctl = \"%s %s.S0\"\n%s}\n", drawn(t, "stays", "waiver"), drawn(t, "AG", "EF", "AF"), party, waiver)
	b.WriteString(drawn(t, "", "", "variable \"n\" {\n  default = 1\n}\n", "party {\n"))
	return b.String()
}

// drawSettings draws settings.
func drawSettings(t *rapid.T) string {
	return drawn(t, "", `ignore = ["b"]`, `paths = ["a", "d"]`, `observe = ["buyer", "nobody"]`) + "\n" + drawn(t, "", `acceptance = "base"`) + "\n"
}

var places = []string{"a", "b", "c/d", "d", "."}

// drawCase draws a repository and some steps that amend it.
func drawCase(t *rapid.T) *caseOf {
	c := &caseOf{base: map[string]string{}, observe: drawn(t, nil, nil, []string{"buyer"}, []string{"nobody"}), asked: drawn(t, false, true), worktree: drawn(t, false, true)}
	for _, dir := range places[:rapid.IntRange(1, len(places)).Draw(t, "contracts")] {
		c.base[path.Join(dir, "x.contract.hcl")] = drawText(t)
	}
	c.base[settings.File] = drawSettings(t)
	if c.observe != nil {
		c.base[settings.File] = "\n"
	}
	c.head = maps.Clone(c.base)
	for range rapid.IntRange(0, 3).Draw(t, "steps") {
		from, to := path.Join(drawn(t, places...), "x.contract.hcl"), path.Join(drawn(t, append(places, "e")...), "x.contract.hcl")
		text, was := c.head[from]
		switch drawn(t, "edit", "comment", "move", "copy", "delete", "settings", "file", "other") {
		case "edit":
			c.head[from] = drawText(t)
		case "comment":
			c.head[from] = text + "# a comment\n"
		case "move":
			if delete(c.head, from); was {
				c.head[to] = text
			}
		case "copy":
			if was {
				c.head[to] = text
			}
		case "delete":
			delete(c.head, from)
		case "settings":
			c.head[settings.File] = drawSettings(t)
		case "file":
			c.head[path.Join(path.Dir(from), "more.contract.hcl")] = "# more\n"
		case "other":
			c.head[path.Join(path.Dir(from), "more.hcl")] = "more\n"
		}
	}
	return c
}

// commit writes both versions as the branches base and head of a repository in dir, and head, or base, into its work tree.
func (c *caseOf) commit(t *testing.T, dir string) Revisions {
	var in strings.Builder
	for i, side := range []map[string]string{c.base, c.head} {
		fmt.Fprintf(&in, "commit refs/heads/%s\nmark :%d\ncommitter A <a@example.org> 1000000000 +0000\ndata 0\n", []string{"base", "head"}[i], i+1)
		if i > 0 {
			in.WriteString("from :1\ndeleteall\n")
		}
		for _, name := range slices.Sorted(maps.Keys(side)) {
			fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", name, len(side[name]), side[name])
		}
	}
	gittest.GitIn(t, dir, "", "init", "-q", "-b", "base")
	gittest.GitIn(t, dir, in.String(), "fast-import", "--quiet")
	revs := Revisions{Dir: dir, Base: "base", Head: "head"}
	if c.worktree {
		revs.Head = ""
		for name, text := range c.head {
			full := filepath.Join(dir, filepath.FromSlash(name))
			if err := errorsOf(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return revs
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// readWhole reads an amendment from all contracts of both versions but those that the settings leave out on both. Of the contracts that have the
// same files, it drops those without a waiver.
func (c *caseOf) readWhole(ctx context.Context, revs Revisions, how ReadOptions, observe []string) (*amendment, error) {
	stays, err := revs.staying(ctx, revs.Base, how.Includes())
	if err != nil {
		return nil, err
	}
	before, err := RevisionDrafts(ctx, revs.Dir, revs.Base, how)
	if err != nil {
		return nil, err
	}
	after, err := revs.HeadDrafts(ctx, how)
	if err != nil {
		return nil, err
	}
	passed := 0
	if in := how.Includes(); in != nil {
		there, here := compare.ByPath(before), compare.ByPath(after)
		out := func(d *compile.Draft) bool { return !in(d.Path) && there[d.Path] != nil && here[d.Path] != nil }
		all := len(before)
		before, after = slices.DeleteFunc(before, out), slices.DeleteFunc(after, out)
		passed = all - len(before)
	}
	if err := how.Declared(slices.Concat(before, after)...); err != nil {
		return nil, err
	}
	before, sides, left := engine.Within(how.Includes(), before, after)
	notices, err := how.observable(observe, slices.Concat(before, sides[0])...)
	a := &amendment{notices: slices.Concat(how.LeftOut(passed+left), NoneYet(passed+left+len(before)+len(sides[0])), notices)}
	pairs, outside := engine.DropUnreviewed(engine.Pairs(before, sides[0]), stays)
	for _, p := range pairs {
		if p.Base != nil && p.Head != nil && p.Base.Path == p.Head.Path && reflect.DeepEqual(files(c.base, p.Path()), files(c.head, p.Path())) && !compare.Waives(p.Head) {
			a.unchanged = append(a.unchanged, p.Path())
		} else {
			a.pairs = append(a.pairs, p)
		}
	}
	a.outside = outside
	return a, err
}

// files returns the files of the contract in dir, and those that could be meant as such, without their content.
func files(side map[string]string, dir string) map[string]string {
	all := map[string]string{}
	for name, text := range side {
		if path.Dir(name) == dir && hclspec.IsContractFile(name) {
			all[name] = text
		} else if path.Dir(name) == dir && path.Ext(name) == ".hcl" {
			all[name] = ""
		}
	}
	return all
}

// shown returns all that a review shows, or its error. What is said of the settings' own names to observe is left out.
func shown(t *testing.T, revs Revisions, how ReadOptions, b finding.Budget, a *amendment, err error) string {
	if err != nil {
		return err.Error()
	}
	ask := &ReviewRequest{Revs: revs, How: how, Budget: b}
	plan, parts := engine.Shards(a.pairs, 4)
	of, _, err := ask.review(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := json.WriteReview(&out, of, ""); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(&out, a.unchanged, plan, parts, a.outside, of.Gate(finding.FailNew), of.Gate(finding.FailAny))
	for _, n := range a.notices {
		if !strings.Contains(n, "to observe") {
			fmt.Fprintln(&out, n)
		}
	}
	return out.String()
}

// compare returns the amendment of a case and what its review shows, and compares that with the review from reading all.
func (c *caseOf) compare(t *testing.T) (a *amendment, got string) {
	t.Helper()
	dir := t.TempDir()
	revs := c.commit(t, dir)
	how := ReadOptions{Jobs: 1}
	if c.asked {
		how.Asked, how.Values = []string{"n"}, expr.Values{"n": {Text: "2", From: "--var"}}
	}
	b := finding.Budget{States: 1000, Jobs: 1, Today: "2025-01-01"}
	under, err := RevisionSettings(t.Context(), dir, "base", "base")
	if err != nil {
		t.Fatal(err)
	}
	how.Under, b.Observe = under, slices.Concat(c.observe, under.Observe)
	a, err = amended(t.Context(), revs, how, b.Observe)
	got = shown(t, revs, how, b, a, err)
	all, err := c.readWhole(t.Context(), revs, how, b.Observe)
	if want := shown(t, revs, how, b, all, err); got != want {
		t.Fatalf("base %q\nhead %q\n%+v\ngot %s\nwant %s", c.base, c.head, c, got, want)
	}
	return a, got
}

// needsGit skips a test without git, and keeps the user's own configuration away.
func needsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
}

// TestTouchedIsWhole: the review of what an amendment touches is the review from reading all contracts.
func TestTouchedIsWhole(t *testing.T) {
	needsGit(t)
	draws := 8
	if os.Getenv("REDLINE_HEAVY") != "" {
		draws = 500
	}
	var unchanged, pairs, waived, refused int
	for seed := range draws {
		if a, got := rapid.Custom(drawCase).Example(seed).compare(t); a == nil {
			refused++
		} else {
			unchanged, pairs, waived = unchanged+len(a.unchanged), pairs+len(a.pairs), waived+strings.Count(got, `"waived`)
		}
	}
	t.Logf("%d contracts unchanged, %d reviewed, %d waivers, %d refusals", unchanged, pairs, waived, refused)
	if unchanged*pairs == 0 || draws > 8 && waived*refused == 0 {
		t.Error("the law was not tried with all of these")
	}
}

// contractText is a contract of a name and a party.
func contractText(name, party, more string) string {
	return fmt.Sprintf("contract %s {}\nparty %q {\n  state \"S0\" {}\n%s}\n", name, party, more)
}

// Contracts that an amendment does not touch and that its review depends on: one with the name of a new contract, which is then no heir of the
// changed one; also where a letter is an escape.
func TestNamesOfUnchanged(t *testing.T) {
	needsGit(t)
	for _, name := range []string{`"x"`, `"\u0078"`, `"y"`} {
		text := contractText(`"x"`, "seller", "  state \"S1\" {}\n")
		c := &caseOf{base: map[string]string{settings.File: "\n", "b/x.contract.hcl": contractText(name, "buyer", ""), "a/x.contract.hcl": text}}
		c.head = maps.Clone(c.base)
		c.head["a/x.contract.hcl"], c.head["c/x.contract.hcl"] = contractText(`"x"`, "seller", ""), contractText(`"x"`, "else", "")
		if a, _ := c.compare(t); len(a.pairs) != 2 || len(a.unchanged) != 1 || (a.pairs[1].Base == nil) != (name != `"y"`) {
			t.Errorf("%s: %d pairs, unchanged %q, the new contract has the base %v", name, len(a.pairs), a.unchanged, a.pairs[1].Base)
		}
	}
}

// TestUnchangedIsNotRead: of contracts that an amendment does not touch, only those with a waiver are read. Reading one of these takes
// tens of allocations for each of its states.
func TestUnchangedIsNotRead(t *testing.T) {
	needsGit(t)
	c := &caseOf{base: map[string]string{settings.File: "\n"}}
	const contracts, states = 5, 2000
	for i := range contracts {
		var text strings.Builder
		for k := range states {
			fmt.Fprintf(&text, "  state \"T%d\" {}\n", k)
		}
		c.base[fmt.Sprintf("c%d/x.contract.hcl", i)] = contractText(fmt.Sprintf(`"x%d"`, i), "seller", text.String())
	}
	c.head = maps.Clone(c.base)
	c.head["README.md"] = "else\n"
	read := func(unchanged int) bool {
		t.Helper()
		revs := c.commit(t, t.TempDir())
		n := testing.AllocsPerRun(1, func() {
			if a, err := amended(t.Context(), revs, ReadOptions{Jobs: 1}, nil); err != nil || len(a.unchanged) != unchanged {
				t.Errorf("%d unchanged, %v", len(a.unchanged), err)
			}
		})
		t.Log(n, "allocations")
		return n > 10*states
	}
	if read(contracts) {
		t.Error("contracts that are not touched were read")
	}
	c.worktree = true
	if read(contracts) {
		t.Error("contracts that are not touched were read, in the work tree")
	}
	c.head["c1/x.contract.hcl"] += "# changed\n"
	if !read(contracts - 1) {
		t.Error("a contract that is touched was not read")
	}
	c.head["c1/x.contract.hcl"] = c.base["c1/x.contract.hcl"]
	waiving := c.base["c2/x.contract.hcl"] + "# waiver {\n"
	c.base["c2/x.contract.hcl"], c.head["c2/x.contract.hcl"] = waiving, waiving
	if !read(contracts) {
		t.Error("a contract that may have a waiver was not read")
	}
}
