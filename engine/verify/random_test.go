package verify_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestRandomContracts compares the engine with definitions taken at their word: markings explored
// with petri's own firing, formulas labelled by package naive. Each of rapid's 100 checks is
// 20 contracts of 10 requirements: 20,000 cases.
func TestRandomContracts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			spec := testkit.DrawContract(t)
			d := compile.Compile(&load.Source{Contract: spec}, "x", nil)
			compareWithNaive(t, d)
		}
	})
}

func compareWithNaive(t *rapid.T, d *compile.Draft) {
	want, oneSafe := testkit.ExploreNaively(d)
	listed := verify.Check(context.Background(), d, finding.Budget{Jobs: 1})
	resultsAgree(t, d, listed, want, oneSafe)
	if d.Rule != petri.One {
		return
	}
	drawn := verify.Check(context.Background(), d, finding.Budget{Engine: finding.Symbolic})
	resultsAgree(t, d, drawn, want, oneSafe)
	if !oneSafe {
		return
	}
	if !reflect.DeepEqual(listed.Requirements, drawn.Requirements) {
		for i := range listed.Requirements {
			if a, b := listed.Requirements[i], drawn.Requirements[i]; !reflect.DeepEqual(a, b) {
				t.Fatalf("%+v\n on listed states, and on diagrams\n%+v\n%s\n%+v\n%+v", a, b, testkit.Describe(d), a.Trace, b.Trace)
			}
		}
	}
	if !reflect.DeepEqual(listed.Diagnostics, drawn.Diagnostics) {
		t.Fatalf("%+v on listed states, and on diagrams %+v\n%s", listed.Diagnostics, drawn.Diagnostics, testkit.Describe(d))
	}
}

func resultsAgree(t *rapid.T, d *compile.Draft, got *finding.Result, want naive.Graph, oneSafe bool) {
	if !oneSafe {
		for _, q := range got.Requirements {
			if q.Verdict != finding.IllFormed {
				t.Fatalf("%s: %s in a net that is not one-safe\n%s", q.Formula, q.Verdict, testkit.Describe(d))
			}
		}
		return
	}
	if want := sizeNaively(t, d, want); testkit.Size(got) != want {
		t.Fatalf("%s; naively %s\n%s", testkit.Size(got), want, testkit.Describe(d))
	}
	for i, q := range got.Requirements {
		verdict := finding.Violated
		if naive.Sat(want, d.Formulas[i])[0] {
			verdict = finding.Holds
		}
		if q.Verdict != verdict {
			t.Fatalf("%s: %s (%s); naively %s\n%s", q.Formula, q.Verdict, q.Reason, verdict, testkit.Describe(d))
		}
	}
}

// sizeNaively counts the states that differ in a place besides those that remember events, and the arcs and dead ends of one of each kind.
func sizeNaively(t *rapid.T, d *compile.Draft, g naive.Graph) string {
	arcsOf := map[string]int{}
	arcs, dead := 0, 0
	for s := range g.Succ {
		key, m := "", petri.Marking{}
		for p, place := range d.Net.Places {
			if !g.Holds(s, p) {
				continue
			}
			if m = append(m, p); place.Net != "" {
				key += fmt.Sprint(p, " ")
			}
		}
		succ := stepsNaively(d, m)
		if n, known := arcsOf[key]; known {
			if n != len(succ) {
				t.Fatalf("what has happened makes the arcs differ: %d and %d\n%s", n, len(succ), testkit.Describe(d))
			}
			continue
		}
		arcsOf[key] = len(succ)
		arcs += len(succ)
		if len(succ) == 0 {
			dead++
		}
	}
	return fmt.Sprintf("%d states, %d arcs, %d dead ends", len(arcsOf), arcs, dead)
}

// stepsNaively returns what can happen in a marking: the names, the parties and nets, and what is taken and put by each of some steps.
func stepsNaively(d *compile.Draft, m petri.Marking) map[string]bool {
	all := map[string]bool{}
	for _, step := range d.Net.Steps(m, d.Rule) {
		var words []string
		for _, i := range step {
			t := &d.Net.Transitions[i]
			words = append(words, fmt.Sprint(t.Name, t.In, t.Out))
			for _, p := range t.Parts {
				words[len(words)-1] += fmt.Sprint(" ", p.Net)
			}
		}
		slices.Sort(words)
		all[strings.Join(words, "; ")] = true
	}
	return all
}
