package engine_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// TestRandomProgress compares verdicts under assumptions of progress with the definition, on random
// contracts. A lasso that is not fair would not replay, and leave the verdict unknown.
func TestRandomProgress(t *testing.T) {
	draws.Only(t, 50)
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			spec := drawContract(t)
			assumeProgress(t, spec)
			d := engine.Compile(&hclspec.Source{Contract: spec}, "x", nil)
			g, markings, ok := exploreForProgress(d)
			if !ok {
				continue
			}
			compareProgress(t, d, d.Check(context.Background(), engine.Budget{Jobs: 1}), g, markings)
			if d.Rule == petri.One {
				compareProgress(t, d, d.Check(context.Background(), engine.Budget{Engine: engine.Symbolic}), g, markings)
			}
		}
	})
}

func compareProgress(t *rapid.T, d *engine.Draft, got *engine.Result, g naive.Graph, markings []petri.Marking) {
	for i, q := range got.Requirements {
		verdict := engine.Violated
		if naive.FairSat(g, progressOf(d, q.Assuming, markings), d.Formulas[i])[0] {
			verdict = engine.Holds
		}
		if q.Verdict != verdict {
			t.Fatalf("%s assuming %v: %s (%s); naively %s\n%s", q.Formula, q.Assuming, q.Verdict, q.Reason, verdict, describe(d))
		}
		if q.Verdict == engine.Violated && len(q.Run) != len("sha256:")+64 {
			t.Fatalf("the run of %s has no fingerprint", q.Formula)
		}
	}
}

// progressOf reads the definition: an act changes something.
func progressOf(d *engine.Draft, names []string, markings []petri.Marking) naive.Fairness {
	nets := netNames(d)
	act := func(actor, s, t int) bool {
		tr := d.Net.Transitions[t]
		if !d.Net.Fireable(markings[s], t) {
			return false
		}
		after, _ := d.Net.Fire(markings[s], []int{t})
		return !slices.Equal(d.Present(after), d.Present(markings[s])) && slices.ContainsFunc(tr.Parts, func(p petri.Part) bool {
			return nets[p.Net] == names[actor]
		})
	}
	return naive.Fairness{
		Actors: len(names),
		Can: func(k, s int) bool {
			for t := range d.Net.Transitions {
				if act(k, s, t) {
					return true
				}
			}
			return false
		},
		Acts: func(k, s, arc int) bool {
			return slices.ContainsFunc(d.Net.Steps(markings[s], d.Rule)[arc], func(t int) bool { return act(k, s, t) })
		},
	}
}

// exploreForProgress is exploreNaively, with the markings.
func exploreForProgress(d *engine.Draft) (naive.Graph, []petri.Marking, bool) {
	g, oneSafe := exploreNaively(d)
	if !oneSafe {
		return g, nil, false
	}
	markings := []petri.Marking{d.Net.Initial}
	for s := 0; s < len(markings); s++ {
		for i, step := range d.Net.Steps(markings[s], d.Rule) {
			next, _ := d.Net.Fire(markings[s], step)
			if g.Succ[s][i] == len(markings) {
				markings = append(markings, next)
			}
		}
	}
	return g, markings, true
}
