package verify_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/load"
)

// drawn is a random contract with events, of which these formulas are asked.
func drawn(t *rapid.T, formulas ...string) *compile.Draft {
	spec := testkit.DrawContract(t)
	spec.Requirements = nil
	for i, text := range formulas {
		spec.Requirements = append(spec.Requirements, &hclspec.Requirement{Name: fmt.Sprint("r", i), Formula: &hclspec.Formula{Text: text}})
	}
	for i := range 3 {
		name := fmt.Sprint("e", i)
		if !slices.ContainsFunc(spec.Events, func(e *hclspec.Event) bool { return e.Name == name }) {
			first := spec.Parties[0]
			spec.Events = append(spec.Events, &hclspec.Event{Name: name, Of: name,
				Ways: [][]hclspec.Sync{{{Party: first, Label: first.Transitions[0].Label}}}})
		}
	}
	return compile.Compile(&load.Source{Contract: spec}, "x", nil)
}

// The law of history: along any run a history place is marked exactly when a transition of its event has
// fired, and enabled(e) is true exactly when one can fire.
func TestHistoryIsWhatHasHappened(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawn(t, "AG (happened(e0) || happened(e1))", "AG enabled(e2)")
		if err := d.Net.Sane(); err != nil {
			t.Fatal(err)
		}
		m, happened := petri.Marking(d.Net.Initial), map[string]bool{}
		for range 30 {
			for i, p := range d.Net.Places {
				if p.Net == "" && m.Has(i) != happened[p.Name] {
					t.Fatalf("%s is %v in %v\n%s", p.Name, m.Has(i), m, testkit.Describe(d))
				}
			}
			enabled := slices.ContainsFunc(firesOf(d, "e2"), func(i int) bool { return d.Net.Fireable(m, i) })
			if testkit.Value(d.Formulas[1].Left, m) != enabled {
				t.Fatalf("enabled(e2) is %v in %v\n%s", !enabled, m, testkit.Describe(d))
			}
			steps := d.Net.Steps(m, d.Rule)
			if len(steps) == 0 {
				return
			}
			step := rapid.SampledFrom(steps).Draw(t, "step")
			next, contact := d.Net.Fire(m, step)
			if contact >= 0 {
				return
			}
			for _, i := range step {
				if d.Net.Transitions[i].Event >= 0 {
					happened["happened("+d.Net.Transitions[i].Name+")"] = true
				}
			}
			m = next
		}
	})
}

// firesOf lists the transitions of an event, whose name they have.
func firesOf(d *compile.Draft, event string) []int {
	var list []int
	for i, t := range d.Net.Transitions {
		if t.Event >= 0 && t.Name == event {
			list = append(list, i)
		}
	}
	return list
}

// TestRandomContractsAskedOfEvents is TestRandomContracts with formulas over events.
func TestRandomContractsAskedOfEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 5 {
			spec := testkit.DrawContract(t)
			for _, r := range spec.Requirements {
				f := testkit.DrawFormula(t, spec, 4)
				for atom := range f.Atoms() {
					askOfEvents(t, spec, atom)
				}
				r.Formula.Text = f.CTL()
			}
			compareWithNaive(t, compile.Compile(&load.Source{Contract: spec}, "x", nil))
		}
	})
}

// askOfEvents makes of every other atom a question about events.
func askOfEvents(t *rapid.T, c *hclspec.Contract, atom *ctl.Formula) {
	if len(c.Events) == 0 || rapid.Bool().Draw(t, "of a place") {
		return
	}
	event := func() string { return rapid.SampledFrom(c.Events).Draw(t, "event").Name }
	switch rapid.IntRange(0, 3).Draw(t, "asked") {
	case 0, 1:
		atom.Name = "happened(" + event() + ")"
	case 2:
		atom.Name = "enabled(" + event() + ")"
	case 3:
		atom.Name = "before(" + event() + ", " + event() + ")"
	}
}

// before(e0, e1) says that no run has e1 before e0, or in one step with it.
func TestBeforeIsOrderOnEveryRun(t *testing.T) {
	draws.SkipForRaces(t)
	holds, fails := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			d := drawn(t, "before(e0, e1)")
			r := verify.Check(context.Background(), d, finding.Budget{Jobs: 1})
			if r.Requirements[0].Verdict == finding.IllFormed {
				continue
			}
			if got, want := r.Requirements[0].Verdict == finding.Holds, inOrder(drawnWithoutHistory(d), "e0", "e1"); got != want {
				t.Fatalf("before(e0, e1): %v, and along the runs %v\n%s", got, want, testkit.Describe(d))
			} else if want {
				holds++
			} else {
				fails++
			}
		}
	})
	if holds < 50 || fails < 50 {
		t.Errorf("%d hold, %d fail: the law is hardly tested", holds, fails)
	}
}

// drawnWithoutHistory is the same contract, asked nothing of events.
func drawnWithoutHistory(d *compile.Draft) *compile.Draft {
	spec := *d.Spec
	spec.Requirements = nil
	return compile.Compile(&load.Source{Contract: &spec}, "x", nil)
}

// inOrder searches all runs on which first has not happened for a step in which second does.
func inOrder(d *compile.Draft, first, second string) bool {
	queue, seen := []petri.Marking{d.Net.Initial}, map[string]bool{}
	for len(queue) > 0 {
		m := queue[0]
		queue = queue[1:]
		if seen[fmt.Sprint(m)] {
			continue
		}
		seen[fmt.Sprint(m)] = true
		for _, step := range d.Net.Steps(m, d.Rule) {
			has := func(event string) bool {
				return slices.ContainsFunc(step, func(i int) bool { return slices.Contains(firesOf(d, event), i) })
			}
			if has(second) {
				return false
			}
			if next, _ := d.Net.Fire(m, step); !has(first) {
				queue = append(queue, next)
			}
		}
	}
	return true
}

// What one formula asks of events changes no verdict on another, and no digest but its own.
func TestHistoryChangesNoOtherVerdict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.DrawContract(t)
		if len(spec.Events) == 0 {
			t.Skip("no events")
		}
		plain := verify.Check(context.Background(), compile.Compile(&load.Source{Contract: spec}, "x", nil), finding.Budget{Jobs: 1})
		more := *spec
		more.Requirements = append(slices.Clone(spec.Requirements), &hclspec.Requirement{Name: "z",
			Formula: &hclspec.Formula{Text: "EF happened(" + spec.Events[0].Name + ")"}})
		asked := verify.Check(context.Background(), compile.Compile(&load.Source{Contract: &more}, "x", nil), finding.Budget{Jobs: 1})
		if a, b := testkit.Size(plain), testkit.Size(asked); a != b {
			t.Fatalf("%s, and with history %s", a, b)
		}
		for i, r := range plain.Requirements {
			if asked.Requirements[i].Verdict != r.Verdict {
				t.Fatalf("%s: %s, and with history %s", r.Formula, r.Verdict, asked.Requirements[i].Verdict)
			}
		}
	})
}

// An amendment is asked what the base asks of events, though it asks nothing itself.
func TestHistoryIsAskedOfTheOtherVersion(t *testing.T) {
	a := &hclspec.Place{Name: "a", Kind: hclspec.State, Marked: true}
	b := &hclspec.Place{Name: "b", Kind: hclspec.State}
	p := &hclspec.Party{Name: "p", Places: []*hclspec.Place{a, b}, Transitions: []*hclspec.Transition{
		{Name: "t", Label: "t", Consume: []*hclspec.Place{a}, Produce: []*hclspec.Place{b}},
		{Name: "back", Label: "back", Consume: []*hclspec.Place{b}, Produce: []*hclspec.Place{a}}}}
	spec := func(formulas ...string) *compile.Draft {
		c := &hclspec.Contract{Name: "c", Parties: []*hclspec.Party{p},
			Events: []*hclspec.Event{{Name: "e", Of: "e", Ways: [][]hclspec.Sync{{{Party: p, Label: "t"}}}}}}
		for _, f := range formulas {
			c.Requirements = append(c.Requirements, &hclspec.Requirement{Name: "r", Formula: &hclspec.Formula{Text: f}})
		}
		return compile.Compile(&load.Source{Contract: c, Files: map[string][]byte{"x": []byte(fmt.Sprint(formulas))}}, "x", nil)
	}
	head := spec("AF p.b")
	review := blame.Compare(context.Background(), spec("AG (p.b -> happened(e))"), head, finding.Budget{Jobs: 1})
	if len(head.Net.Places) != 2 {
		t.Error("the draft itself has changed")
	}
	if alone := verify.Check(context.Background(), head, finding.Budget{Jobs: 1}); testkit.Size(review.Head) != testkit.Size(alone) {
		t.Errorf("%s, and on its own %s", testkit.Size(review.Head), testkit.Size(alone))
	}
	for _, c := range review.Findings {
		if c.Kind == finding.Undecided {
			t.Errorf("%+v", c)
		}
	}
	if len(review.Findings) != 2 {
		t.Errorf("%d findings", len(review.Findings))
	}
}
