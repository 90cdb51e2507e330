package verify_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/rests"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestRandomRests compares on whom requirements rest with the definition, on random contracts, in both engines.
func TestRandomRests(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 30)
	asked := 0
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			asked += compareRests(t, testkit.DrawContract(t))
		}
	})
	if asked == 0 {
		t.Fatal("nothing was asked")
	}
}

// TestRandomRestsOnNorms does so of contracts with norms and deadlines.
func TestRandomRestsOnNorms(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 10)
	asked := 0
	rapid.Check(t, func(t *rapid.T) {
		text := testkit.DrawParties(t) + testkit.DrawNorms(t, rapid.IntRange(0, 2).Draw(t, "within"))
		src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, ".", "x", expr.Values{})
		if err != nil || src.Contract == nil {
			t.Fatalf("%v %v\n%s", err, src.Diagnostics, text)
		}
		named := *src.Contract
		named.Parties = slices.DeleteFunc(slices.Clone(named.Parties), func(p *hclspec.Party) bool { return len(p.Places) == 0 })
		for i := range 10 {
			f := &hclspec.Formula{Text: testkit.DrawFormula(t, &named, 3).CTL(), Ideal: rapid.IntRange(0, 3).Draw(t, "over") == 0}
			if rapid.Bool().Draw(t, "of a norm") {
				f.Text = rapid.SampledFrom([]string{"AG (o.owed -> AF o.fulfilled)", "AF r.fulfilled", "AG (o.owed -> A[!f.breached U o.fulfilled])"}).Draw(t, "promise")
			}
			src.Contract.Requirements = append(src.Contract.Requirements, &hclspec.Requirement{Name: fmt.Sprintf("r%d", i), Formula: f})
		}
		asked += compareRests(t, src.Contract)
	})
	if asked == 0 {
		t.Fatal("nothing was asked")
	}
}

// TestRandomRestsOn compares verdicts on requirements that say on whom they may rest with the definition, in both engines.
func TestRandomRestsOn(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 30)
	asked := 0
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			asked += compareRestsOn(t, testkit.DrawContract(t))
		}
	})
	if asked == 0 {
		t.Fatal("nothing was asked")
	}
}

// compareRestsOn returns how many requirements it had say on whom they may rest.
func compareRestsOn(t *rapid.T, spec *hclspec.Contract) int {
	d := compile.Compile(&load.Source{Contract: spec}, "x", nil)
	g, markings, oneSafe := testkit.ExploreForProgress(d)
	if !oneSafe || len(markings) > 150 {
		return 0
	}
	moves := testkit.NaiveMovesOf(d, false, markings)
	events, members := testkit.NaiveEvents(d)
	var may [][]string
	var said []*hclspec.Requirement
	var want []finding.Verdict
	for i, r := range spec.Requirements {
		if _, normal := rests.Normal(d.Formulas[i], false); !normal || !rests.Comes(d.Formulas[i]) {
			continue
		}
		r.RestsOn = &hclspec.Resting{}
		var set []string
		for _, name := range members {
			if rapid.Bool().Draw(t, "may") {
				set = append(set, name)
				r.RestsOn.On = append(r.RestsOn.On, &hclspec.Progress{Name: name})
			}
		}
		verdict := finding.Violated
		if naive.FairSat(g, moves.Fairness(events, set), d.Formulas[i])[0] {
			verdict = finding.Holds
		}
		may, said, want = append(may, set), append(said, r), append(want, verdict)
	}
	spec.Requirements = said
	d = compile.Compile(&load.Source{Contract: spec}, "x", nil)
	for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
		if e == finding.Symbolic && d.Rule != petri.One {
			continue
		}
		for i, q := range verify.Check(context.Background(), d, finding.Budget{Engine: e}).Requirements {
			if q.Verdict != want[i] {
				t.Fatalf("%s resting on %v, %s: %s (%s); naively %s\n%s", q.Formula, may[i], e, q.Verdict, q.Reason, want[i], testkit.Describe(d))
			}
		}
	}
	return len(said)
}

// compareRests returns of how many requirements it was asked on whom they rest.
func compareRests(t *rapid.T, spec *hclspec.Contract) int {
	d := compile.Compile(&load.Source{Contract: spec}, "x", nil)
	g, markings, oneSafe := testkit.ExploreForProgress(d)
	if !oneSafe || len(markings) > 150 { // what is naive takes minutes for few of them
		return 0
	}
	results := []*finding.Result{verify.Check(context.Background(), d, finding.Budget{Engine: finding.Explicit})}
	if d.Rule == petri.One {
		results = append(results, verify.Check(context.Background(), d, finding.Budget{Engine: finding.Symbolic}))
	}
	asked := 0
	for i := range results[0].Requirements {
		want := ""
		for _, r := range results {
			q := r.Requirements[i]
			if q.Rests == nil {
				continue
			}
			if want == "" {
				want = testkit.NaiveRests(d, spec.Requirements[i].Formula.Ideal, i, g, markings)
				asked++
			}
			if got := testkit.RestsText(instancesIn(d, q.Rests)); got != want {
				t.Fatalf("%s (ideal %t), %s: %s; naively %s\n%s", q.Formula, spec.Requirements[i].Formula.Ideal, r.Model.Engine, got, want, testkit.Describe(d))
			}
		}
	}
	return asked
}

// instancesIn returns an answer with the names of all instances in place of their family's.
func instancesIn(d *compile.Draft, r *finding.Rests) *finding.Rests {
	all := *r
	all.Sets = nil
	for _, set := range r.Sets {
		names := []string{}
		for _, name := range set {
			if !slices.ContainsFunc(d.Parties, func(p *hclspec.Party) bool { return p.Of == name && p.Name != name }) {
				names = append(names, name)
			}
			for _, p := range d.Parties {
				if p.Of == name && p.Name != name {
					names = append(names, p.Name)
				}
			}
		}
		all.Sets = append(all.Sets, names)
	}
	return &all
}
