package blame_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestReviewsAgree: where base keeps everything, nothing is waived and there are no norms, a review on diagrams finds what one of listed states finds, with
// the same runs, causes and repairs. Of behaviour it says the same, or that it does not know. So which of them is made may depend on their cost.
func TestReviewsAgree(t *testing.T) {
	compared, unknown, runs := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		base, head := testkit.DrawAmendment(t)
		base.Firing, head.Firing = hclspec.FireOne, hclspec.FireOne
		for i := range 3 {
			text := testkit.DrawFormula(t, base, 4).CTL()
			base.Requirements = append(base.Requirements, &hclspec.Requirement{Name: fmt.Sprintf("r%d", i), Formula: &hclspec.Formula{Text: text}})
		}
		draft := func(c *hclspec.Contract) *compile.Draft { return compile.Compile(&load.Source{Contract: c}, "x", nil) }
		for i, q := range verify.Check(context.Background(), draft(base), finding.Budget{Jobs: 1}).Requirements {
			if q.Verdict == finding.Violated {
				base.Requirements[i].Formula.Text = "!(" + base.Requirements[i].Formula.Text + ")"
			}
		}
		for _, r := range base.Requirements {
			head.Requirements = append(head.Requirements, &hclspec.Requirement{Name: r.Name, Formula: &hclspec.Formula{Text: r.Formula.Text}})
		}
		listed := blame.Compare(context.Background(), draft(base), draft(head), finding.Budget{Jobs: 1})
		if listed.Status != finding.Changed || listed.Difference == nil {
			return
		}
		for _, r := range []*finding.Result{listed.Base, listed.Head} {
			if r.Model.States == nil {
				t.Skip("not one-safe")
			}
		}
		for _, d := range listed.Base.Diagnostics {
			if d.Trace != nil {
				t.Skip("base has a run to show")
			}
		}
		drawn := blame.Compare(context.Background(), draft(base), draft(head), finding.Budget{Jobs: 1, Engine: finding.Symbolic})
		listed.Base.Model, listed.Head.Model = drawn.Base.Model, drawn.Head.Model
		a, b := listed.Difference, drawn.Difference
		for i, v := range append([]finding.View{{Behaviour: a.All}}, a.Views...) {
			w := &b.All
			if i > 0 {
				w = &b.Views[i-1].Behaviour
			}
			if compared++; w.Relation == delta.Unknown {
				unknown++
				continue
			}
			if v.Relation != w.Relation || !slices.Equal(refused(v.Possible), refused(w.Possible)) || !slices.Equal(refused(v.Impossible), refused(w.Impossible)) {
				t.Fatalf("%q: %+v, and on diagrams %+v", v.Party, v.Behaviour, w)
			}
		}
		if x, y := a.States, b.States; x.Appeared != y.Appeared || x.Vanished != y.Vanished || x.NewDead != y.NewDead || x.LostDead != y.LostDead {
			t.Fatalf("states %+v, and on diagrams %+v", x, y)
		}
		for _, same := range []struct {
			what string
			a, b any
		}{{"findings", listed.Findings, drawn.Findings}, {"base", listed.Base, drawn.Base}, {"head", listed.Head, drawn.Head}, {"acts", a.Acts, b.Acts}} {
			if !reflect.DeepEqual(same.a, same.b) {
				t.Fatalf("%s\n%+v\non diagrams\n%+v\nbase\n%s\nhead\n%s", same.what, same.a, same.b, testkit.Describe(draft(base)), testkit.Describe(draft(head)))
			}
		}
		for _, f := range listed.Findings {
			if f.Head != nil && f.Head.Trace != nil {
				runs++
			}
		}
	})
	t.Logf("%d comparisons of behaviour, %d not decided on diagrams, %d runs", compared, unknown, runs)
	if unknown*10 > compared || runs < 5 {
		t.Errorf("%d comparisons of behaviour, %d not decided on diagrams, %d runs", compared, unknown, runs)
	}
}

// refused returns the events that can't happen on the other side.
func refused(list []finding.Sequence) (events []string) {
	for _, r := range list {
		events = append(events, r.Refused)
	}
	return events
}
