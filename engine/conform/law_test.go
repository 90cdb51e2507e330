package conform_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// examples compiles the example contracts under a rule.
func examples(t *testing.T, rule petri.Rule) []*compile.Draft {
	t.Helper()
	drafts, err := engine.Tree{FS: os.DirFS("../../hclspec/examples"), Root: "."}.Drafts(t.Context(), &rule, 2)
	if err != nil || len(drafts) < 5 {
		t.Fatal(err, len(drafts))
	}
	return drafts
}

// TestEveryRunShownConforms: what redline shows to break a promise is a run, and so conforms, loops as often as one likes.
func TestEveryRunShownConforms(t *testing.T) {
	for _, rule := range []petri.Rule{petri.One, petri.All} {
		runs := 0
		for _, d := range examples(t, rule) {
			ask(d)
			d = compile.Compile(d.Source, d.Path, &rule)
			for _, r := range verify.Check(t.Context(), d, finding.Budget{States: 20_000, Jobs: 1}).Requirements {
				if r.Trace == nil {
					continue
				}
				runs++
				twice := *r.Trace
				if twice.Prefix = slices.Concat(twice.Prefix, twice.Loop); rule == petri.All {
					twice.Loop = nil // its steps have numbers, which count on
				}
				if a := hold(t, d, "", testkit.Log(&twice)); a.Deviation != nil {
					t.Errorf("%s, firing %s, %s: %+v", d.Path, rule, r.Name, a.Deviation)
				}
			}
		}
		if runs < 20 {
			t.Errorf("firing %s: only %d runs", rule, runs)
		}
	}
}

// ask adds, for some places, the requirements that they are never marked, and that they are marked once.
func ask(d *compile.Draft) {
	spec := d.Spec
	for i, p := range d.Net.Places {
		if i%3 > 0 || p.Net == "" || strings.ContainsAny(p.Name, "=!-") {
			continue
		}
		for n, form := range []string{"AG !%s", "AF %s"} {
			f := &hclspec.Formula{Text: fmt.Sprintf(form, p)}
			spec.Requirements = append(spec.Requirements, &hclspec.Requirement{Name: fmt.Sprintf("r%d-%d", i, n), Formula: f})
		}
	}
}

// contract draws a contract of two parties in which labels are shared by several transitions.
func contract(t *rapid.T, rule petri.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" { firing = %s }\n", rule)
	for _, party := range []string{"a", "b"} {
		fmt.Fprintf(&b, "party %q {\n", party)
		for s := range 3 {
			fmt.Fprintf(&b, "  state \"s%d\" {}\n", s)
		}
		for i := range rapid.IntRange(2, 5).Draw(t, "transitions") {
			from, to := rapid.IntRange(0, 2).Draw(t, "from"), rapid.IntRange(0, 2).Draw(t, "to")
			label := rapid.SampledFrom([]string{"x", "y", "own"}).Draw(t, "label")
			if i < 2 {
				label = []string{"x", "y"}[i]
			}
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from  = s%d\n    to    = s%d\n    label = %s\n  }\n", i, from, to, label)
		}
		b.WriteString("}\n")
	}
	b.WriteString("event \"ax\" { sync = { a = x } }\nevent \"both\" { sync = { a = y, b = y } }\nevent \"bx\" { sync = { b = x } }\n")
	return b.String()
}

func compiled(t interface{ Fatal(args ...any) }, text string) *compile.Draft {
	dir, err := os.MkdirTemp("", "conform")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(dir+"/x.contract.hcl", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	drafts, err := engine.Tree{FS: os.DirFS(dir), Root: "."}.Drafts(context.Background(), nil, 1)
	if err != nil || drafts[0].Spec == nil {
		t.Fatal(err, drafts, text)
	}
	return drafts[0]
}

// walk names what happens in a run of a few steps.
func walk(t *rapid.T, d *compile.Draft) (names []string) {
	m := petri.Marking(d.Net.Initial)
	for len(names) < 7 {
		steps := d.Net.Steps(m, d.Rule)
		if len(steps) == 0 {
			break
		}
		step := rapid.SampledFrom(steps).Draw(t, "step")
		for _, u := range rapid.Permutation(step).Draw(t, "order") {
			names = append(names, nameOf(d, u))
		}
		after, contact := d.Net.Fire(m, step)
		if contact >= 0 {
			break
		}
		m = after
	}
	return names
}

// nameOf is the name of a transition's event, or its own.
func nameOf(d *compile.Draft, t int) string {
	if e := explain.Event(d, t); e != nil {
		return e.Name
	}
	return explain.TransitionName(d, t)
}

// naive holds names to a net by trying everything: how many of them some run explains; whole says that one explains them all and ends with a whole step.
func naive(d *compile.Draft, names []string) (explained int, whole bool) {
	var try func(m petri.Marking, left []string)
	best := 0
	try = func(m petri.Marking, left []string) {
		best = max(best, len(names)-len(left))
		whole = whole || len(left) == 0
		for _, step := range d.Net.Steps(m, d.Rule) {
			after, contact := d.Net.Fire(m, step)
			if contact >= 0 {
				continue
			}
			n := matched(d, step, left)
			best = max(best, len(names)-len(left)+n)
			if n == len(step) {
				try(after, left[n:])
			}
		}
	}
	try(petri.Marking(d.Net.Initial), names)
	return best, whole
}

// matched is how many names, at the front, some of a step's transitions have, each for one; in whatever order is best.
func matched(d *compile.Draft, step []int, names []string) int {
	if len(names) == 0 {
		return 0
	}
	best := 0
	for i, t := range step {
		if nameOf(d, t) == names[0] {
			rest := slices.Delete(slices.Clone(step), i, i+1)
			best = max(best, 1+matched(d, rest, names[1:]))
		}
	}
	return best
}

// TestFirstDeviationIsExact: a log of random names deviates at the first line that no run explains, whatever the names stand for.
func TestFirstDeviationIsExact(t *testing.T) {
	long := 0
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom([]petri.Rule{petri.One, petri.All}).Draw(t, "rule")
		d := compiled(t, contract(t, rule))
		known := []string{"ax", "bx", "both"}
		for i := range d.Net.Transitions {
			if explain.Event(d, i) == nil {
				known = append(known, explain.TransitionName(d, i))
			}
		}
		names := walk(t, d)
		for i := range names {
			if rapid.IntRange(0, 7).Draw(t, "other") == 0 {
				names[i] = rapid.SampledFrom(known).Draw(t, "name")
			}
		}
		log, err := conform.Read(strings.NewReader("event\n" + strings.Join(names, "\n") + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		a, err := conform.Replay(context.Background(), d, log, nil, conform.DefaultLimits())
		if err != nil {
			t.Skip(err) // a contact
		}
		explained, whole := naive(d, names)
		switch {
		case a.Deviation == nil && !whole:
			t.Fatalf("it conforms, and %d of %d lines are explained", explained, len(names))
		case a.Deviation == nil:
			long = max(long, len(names))
		case whole:
			t.Fatalf("it deviates at line %d, and a run explains it all", a.Deviation.Line.Number)
		case a.Deviation.Kind == conform.PartOfStep && explained < len(names):
			t.Fatalf("it is said to end within a step, and only %d of %d lines are explained", explained, len(names))
		case a.Deviation.Kind != conform.PartOfStep && a.Deviation.Line.Number != explained+2:
			t.Fatalf("it deviates at line %d, and %d lines are explained", a.Deviation.Line.Number, explained)
		}
	})
	if long < 3 {
		t.Errorf("the longest log that conforms has %d lines", long)
	}
}

// TestForeignLineIsFound: a line put into a log of a run, where it can't happen, is where the log deviates.
func TestForeignLineIsFound(t *testing.T) {
	drafts := examples(t, petri.One)
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(drafts).Draw(t, "draft")
		m, run := petri.Marking(d.Net.Initial), [][]int{}
		at, foreign := rapid.IntRange(0, 8).Draw(t, "at"), -1
		for i := range 10 {
			var can, not []int
			for u := range d.Net.Transitions {
				if d.Net.Fireable(m, u) {
					can = append(can, u)
				} else if d.Net.Waits(m, []int{u}) { // a tick that changes nothing is no foreign line
					not = append(not, u)
				}
			}
			if i == at && len(not) > 0 {
				foreign = rapid.SampledFrom(not).Draw(t, "foreign")
			}
			if len(can) == 0 {
				break
			}
			step := []int{rapid.SampledFrom(can).Draw(t, "step")}
			after, contact := d.Net.Fire(m, step)
			if contact >= 0 {
				break
			}
			run, m = append(run, step), after
		}
		mustConform(t, d, run)
		if foreign < 0 || at > len(run) {
			return
		}
		name := explain.TransitionName(d, foreign)
		for u := range d.Net.Transitions { // one name may stand for several
			if u != foreign && explain.TransitionName(d, u) == name {
				return
			}
		}
		log, err := conform.Read(strings.NewReader(conform.Text(d, slices.Insert(run, at, []int{foreign}))))
		if err != nil {
			t.Fatal(err)
		}
		a, err := conform.Replay(context.Background(), d, log, nil, conform.DefaultLimits())
		if err != nil || a.Deviation == nil || a.Deviation.Line.Number != at+1 || a.Deviation.Kind != conform.Impossible {
			t.Fatalf("%s at line %d of %s: %v %+v", name, at+1, d.Path, err, a.Deviation)
		}
		if len(a.Deviation.Lacks) == 0 {
			t.Fatalf("%s: nobody says why it can't happen", name)
		}
	})
}

func mustConform(t *rapid.T, d *compile.Draft, run [][]int) {
	log, err := conform.ReadLink("https://example.com/x.html" + conform.Link(conform.Text(d, run)))
	if err != nil {
		t.Fatal(err)
	}
	a, err := conform.Replay(context.Background(), d, log, nil, conform.DefaultLimits())
	if err != nil || a.Deviation != nil {
		t.Fatalf("%s: %v %+v", d.Path, err, a.Deviation)
	}
}
