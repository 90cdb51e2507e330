package compare_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec"
)

// A waivedCase is an amendment whose promise is violated, and the runs that its waiver names.
type waivedCase struct {
	base, head pairText
	formula    string
	runs       []string   // fingerprints
	words      [][]string // of each run, what happens in each step
}

func (c *waivedCase) review(t *rapid.T) *finding.ContractReview {
	head := c.head
	if len(c.runs) > 0 {
		head.rest += fmt.Sprintf("  waiver {\n    reason   = \"why\"\n    approver = \"who\"\n    run      = %q\n  }\n", strings.Join(c.runs, " "))
	}
	r := blame.Compare(context.Background(), testkit.DraftOf(t, c.base.text(c.formula)), testkit.DraftOf(t, head.text(c.formula)), finding.Budget{Jobs: 1})
	return &r
}

// wordOf is what happens in each step of a run.
func wordOf(run []finding.Firing) (word []string) {
	for i, f := range run {
		name := testkit.FiringName(f)
		if i > 0 && run[i-1].Step == f.Step {
			both := append(strings.Fields(word[len(word)-1]), name)
			slices.Sort(both)
			word[len(word)-1] = strings.Join(both, " ")
			continue
		}
		word = append(word, name)
	}
	return word
}

// names reports whether a way is as a run that is named: that run's steps, in their order, its last one last.
func (c *waivedCase) names(way []string) bool {
	return slices.ContainsFunc(c.words, func(word []string) bool {
		if len(way) == 0 || len(word) == 0 {
			return len(way) == len(word)
		}
		k := 0
		for _, step := range way[:len(way)-1] {
			if k < len(word)-1 && step == word[k] {
				k++
			}
		}
		return k == len(word)-1 && way[len(way)-1] == word[len(word)-1]
	})
}

// unnamed looks for a way of head, of at most seven steps, that no named run is as: all of them count where base kept the promise, else the new ones.
func (c *waivedCase) unnamed(t *rapid.T, r *finding.ContractReview) (way []string) {
	was, now := testkit.DraftOf(t, c.base.text(c.formula)), testkit.DraftOf(t, c.head.text(c.formula))
	called := calledOtherwise(r)
	x := &definition{head: walkableOf(c.head, now, nil), base: walkableOf(c.base, was, called), same: map[string]bool{}, labels: map[*ctl.Formula][]bool{}, keeping: map[*ctl.Formula][]bool{}}
	for t := range was.Net.Transitions {
		x.same[c.base.key(was.Net.Transitions[t].Name, called)] = true
	}
	f := now.Formulas[0]
	bad, done := &ctl.Formula{Op: ctl.Not, Left: f.Left}, &ctl.Formula{Op: ctl.False}
	if f.Op == ctl.AW {
		done = f.Right
	}
	held := x.base.sat(was.Formulas[0])[0]
	x.some(func(p *course) bool {
		last := len(p.head) - 1
		if p.loop >= 0 || !x.sat(bad, p.head[last]) || slices.ContainsFunc(p.head, func(s int) bool { return x.sat(done, s) }) ||
			slices.ContainsFunc(p.head[:last], func(s int) bool { return x.sat(bad, s) }) || !held && !x.isNew(f, p, 0) {
			return false
		}
		word := x.word(p)
		if c.names(word) {
			return false
		}
		way = word
		return true
	}, 7)
	return way
}

func (x *definition) word(p *course) []string {
	word := []string{}
	for k, arc := range p.arcs {
		var names []string
		for _, key := range x.head.keys[p.head[k]][arc] {
			name, _, _ := strings.Cut(key, " ")
			names = append(names, name)
		}
		slices.Sort(names)
		word = append(word, strings.Join(names, " "))
	}
	return word
}

// TestWaiversNameWays: what is waived, or violated as before, is violated in no way that counts and that the waiver does not name; and where a way is shown instead, the waiver names
// it not. Each fingerprint that is shown is added to the waiver, until it is waived; then one is taken out again.
func TestWaiversNameWays(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 15)
	counts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			c := drawWaived(t)
			if c == nil {
				continue
			}
			for range 6 {
				if c.step(t, counts) {
					break
				}
			}
			if n := len(c.runs); n > 0 {
				k := rapid.IntRange(0, n-1).Draw(t, "taken out")
				c.runs, c.words = slices.Delete(slices.Clone(c.runs), k, k+1), slices.Delete(slices.Clone(c.words), k, k+1)
				c.step(t, counts)
			}
		}
	})
	t.Log(counts)
	counts["violated before"] = counts["waived, violated"] + counts["standing, violated"]
	for _, k := range []string{"waived, held", "violated before", "not named", "of several"} {
		if counts[k] == 0 {
			t.Errorf("%s: none", k)
		}
	}
}

// waivedFormulas are asked of the cases: of each case one that head violates, if there is any.
var waivedFormulas = []string{"AG !(a.s3 && b.s1)", "AG !a.s3", "AG !a.s2", "A[!a.s3 W a.s1]", "AG !b.s1"}

// drawWaived draws a text, amended, and a formula that the amended one violates; often one that the other keeps. It returns nil where it violates none.
func drawWaived(t *rapid.T) *waivedCase {
	base := drawPairText(t)
	base.rest = ""
	c := &waivedCase{base: base, head: base.amended(t).amended(t)}
	var list []string
	was, now := testkit.DraftOf(t, base.text(waivedFormulas[0])), testkit.DraftOf(t, c.head.text(waivedFormulas[0]))
	b, h := walkableOf(base, was, nil), walkableOf(c.head, now, nil)
	for _, text := range waivedFormulas {
		if !holdsIn(t, h, now, text) {
			list = append(list, text)
			if holdsIn(t, b, was, text) {
				list = append(list, text, text, text)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	c.formula = rapid.SampledFrom(list).Draw(t, "formula")
	return c
}

// holdsIn reports whether a formula holds in a draft, by the definitions.
func holdsIn(t *rapid.T, w *walkable, d *compile.Draft, text string) bool {
	f, diags := d.Resolve(&hclspec.Formula{Text: text})
	if f == nil {
		t.Fatal(diags)
	}
	return w.sat(f)[0]
}

// step reviews, holds the finding against the definition, and adds the run that is shown to the waiver. It reports whether there is nothing to add.
func (c *waivedCase) step(t *rapid.T, counts map[string]int) (end bool) {
	r := c.review(t)
	if len(r.Findings) == 0 {
		return true
	}
	f := r.Findings[0]
	switch {
	case f.Kind == finding.Waived, f.Kind == finding.Standing:
		if way := c.unnamed(t, r); way != nil {
			t.Fatalf("%s is %s, and %v is not named\nnamed %v\nbase:\n%s\nhead:\n%s", c.formula, f.Kind, way, c.words, c.base.text(c.formula), c.head.text(c.formula))
		}
		held := map[bool]string{true: "violated", false: "held"}[f.Base.Verdict == finding.Violated]
		if counts[f.Kind.String()+", "+held]++; len(c.runs) > 1 {
			counts["of several"]++
		}
		return true
	case f.Kind == finding.New && f.Head.Trace != nil:
		word := wordOf(f.Head.Trace.Prefix)
		if len(c.runs) > 0 {
			if counts["not named"]++; c.names(word) {
				t.Fatalf("%s: %v is shown, and named %v\nbase:\n%s\nhead:\n%s", c.formula, word, c.words, c.base.text(c.formula), c.head.text(c.formula))
			}
		}
		c.runs, c.words = append(c.runs, f.Head.Run), append(c.words, word)
		return false
	}
	return true
}
