package behaviour_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// seenBy names what a party takes part in, and what is shared, and nothing else.
func seenBy(d *compile.Draft, party string, name func(t int) string, shared map[string]bool) func(t int) string {
	return func(t int) string {
		if partOf(d, party, t) || shared[name(t)] {
			return name(t)
		}
		return ""
	}
}

func partOf(d *compile.Draft, party string, t int) bool {
	return slices.ContainsFunc(d.Net.Transitions[t].Parts, func(p petri.Part) bool { return d.Net.Places[placeOf(d, p.Net)].Net == party })
}

// namesOf returns the names of what can be observed of a draft; the value is whether a party takes part in some of what has the name.
func namesOf(d *compile.Draft, party string, name func(t int) string) map[string]bool {
	all := map[string]bool{}
	for t := range d.Net.Transitions {
		all[name(t)] = all[name(t)] || partOf(d, party, t)
	}
	return all
}

// placeOf is a place of a net; every net of random contracts has some.
func placeOf(d *compile.Draft, net int) int {
	at := 0
	for i := range net {
		at += len(d.Spec.Parties[i].Places)
	}
	return at
}

// weak is a model in which silent steps are free: the arcs of what is seen, with silence before and
// after. Silence alone leads anywhere it can, and nowhere.
func weak(m *plainModel) *plainModel {
	reach := make([][]int, len(m.arcs))
	for s := range m.arcs {
		reach[s] = []int{s}
		for i := 0; i < len(reach[s]); i++ {
			for _, arc := range m.arcs[reach[s][i]] {
				if arc.Name == "" && !slices.Contains(reach[s], arc.To) {
					reach[s] = append(reach[s], arc.To)
				}
			}
		}
	}
	w := &plainModel{draft: m.draft, markings: m.markings, arcs: make([][]testkit.Labelled, len(m.arcs))}
	for s := range m.arcs {
		for _, before := range reach[s] {
			w.arcs[s] = append(w.arcs[s], testkit.Labelled{Name: "", To: before})
			for _, arc := range m.arcs[before] {
				if arc.Name == "" {
					continue
				}
				for _, after := range reach[arc.To] {
					w.arcs[s] = append(w.arcs[s], testkit.Labelled{Name: arc.Name, To: after})
				}
			}
		}
	}
	return w
}

// TestViewsAgainstNaive: what a party can see more or less of is so by definitions taken at their word; and
// where it sees no difference, the versions are weakly bisimilar (R. Milner 1989, Communication and
// Concurrency, chapter 5), which is less than what is claimed.
func TestViewsAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 3 {
			base, head, d, ok := compared(t)
			if !ok {
				continue
			}
			_, names := diff.Changes(base.draft.Spec, head.draft.Spec)
			for _, v := range d.Views {
				was, kept := names.Reversed().Head(diff.Party, v.Party)
				if !kept {
					was = v.Party
				}
				before, now := namer(base.draft, names, true), namer(head.draft, names, false)
				shared := map[string]bool{} // in which it takes part in one version alone
				if v.In == diff.InBoth {
					of := namesOf(head.draft, v.Party, now)
					for name, takes := range namesOf(base.draft, was, before) {
						has, known := of[name]
						shared[name] = known && has != takes
					}
				}
				b := weak(model(base.draft, seenBy(base.draft, was, before, shared)))
				h := weak(model(head.draft, seenBy(head.draft, v.Party, now, shared)))
				viewHolds(t, &v, b, h)
			}
		}
	})
}

func viewHolds(t *rapid.T, v *finding.View, base, head *plainModel) {
	more, less := shortestRefused(head, base) > 0, shortestRefused(base, head) > 0
	r := v.Relation
	if more != (r == delta.More || r == delta.Both) || less != (r == delta.Less || r == delta.Both) || r == delta.Unknown {
		t.Fatalf("%s sees %s (%s); naively more %t, less %t\nbase %s\nhead %s", v.Party, r, v.Reason, more, less, testkit.Describe(base.draft), testkit.Describe(head.draft))
	}
	if r == delta.Same && !bisimilarModels(base, head) {
		t.Fatalf("%s sees no difference, and there is one\nbase %s\nhead %s", v.Party, testkit.Describe(base.draft), testkit.Describe(head.draft))
	}
}

// TestStrangersSeeNothing: a party that has nothing to do with the others sees no difference, whatever is
// amended among them; as long as somebody else can always go on, in both versions.
func TestStrangersSeeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, head := testkit.DrawAmendment(t)
		head.Firing = base.Firing
		stranger, clock := testkit.DrawParty(t, "z"), &hclspec.Party{Name: "y", Places: []*hclspec.Place{{Name: "s0", Marked: true}}}
		clock.Transitions = []*hclspec.Transition{{Name: "t0", Label: "t0", Read: clock.Places}}
		for _, c := range []*hclspec.Contract{base, head} {
			c.Parties = append(c.Parties, stranger, clock)
		}
		d := blame.Compare(context.Background(), testkit.CompileSpec(base), testkit.CompileSpec(head), finding.Budget{}).Difference
		if d == nil || d.All.Relation == delta.Unknown { // the same, or not one-safe
			return
		}
		for _, v := range d.Views {
			if v.Party == "z" && (v.Relation != delta.Same || v.In != diff.InBoth) {
				t.Fatalf("%+v", v)
			}
		}
	})
}
