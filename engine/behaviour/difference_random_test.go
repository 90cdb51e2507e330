package behaviour_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
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

// plainModel is a draft as its definitions have it: markings explored with petri's own firing, arcs
// labelled by the names of what fires, base's as head has them. What an observer does not see has the
// name "".
type plainModel struct {
	draft    *compile.Draft
	markings []petri.Marking
	arcs     [][]testkit.Labelled
}

// model is nil where the net is not one-safe, or too large for a naive comparison.
func model(d *compile.Draft, name func(t int) string) *plainModel {
	m := &plainModel{draft: d, markings: []petri.Marking{d.Net.Initial}}
	at := map[string]int{fmt.Sprint(d.Net.Initial): 0}
	for s := 0; s < len(m.markings); s++ {
		var arcs []testkit.Labelled
		for _, step := range d.Net.Steps(m.markings[s], d.Rule) {
			next, contact := d.Net.Fire(m.markings[s], step)
			if contact >= 0 || len(m.markings) > 60 {
				return nil
			}
			key := fmt.Sprint(next)
			if _, known := at[key]; !known {
				at[key] = len(m.markings)
				m.markings = append(m.markings, next)
			}
			arcs = append(arcs, testkit.Labelled{Name: nameOf(step, name), To: at[key]})
		}
		m.arcs = append(m.arcs, arcs)
	}
	return m
}

func nameOf(step []int, name func(t int) string) string {
	var names []string
	for _, t := range step {
		if n := name(t); n != "" {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return strings.Join(names, "+")
}

// namer names the composed transitions of a draft, base's with head's names.
func namer(d *compile.Draft, names *diff.Names, base bool) func(t int) string {
	return func(t int) string {
		tr := d.Net.Transitions[t]
		e := diff.Transition
		if tr.Event >= 0 {
			e = diff.Event
		}
		kind := fmt.Sprint(e)
		if !base {
			return kind + " " + tr.Name
		}
		if now, kept := names.Head(e, tr.Name); kept {
			return kind + " " + now
		}
		return "gone " + kind + " " + tr.Name
	}
}

// compared draws an amendment and compares its versions; ok is false where there is nothing to hold
// that against.
func compared(t *rapid.T) (base, head *plainModel, d *finding.Difference, ok bool) {
	before, after := testkit.DrawAmendment(t)
	x, y := testkit.CompileSpec(before), testkit.CompileSpec(after)
	_, names := diff.Changes(before, after)
	base, head = model(x, namer(x, names, true)), model(y, namer(y, names, false))
	review := blame.Compare(context.Background(), x, y, finding.Budget{Jobs: 2})
	if base == nil || head == nil || review.Status != finding.Changed {
		return nil, nil, nil, false
	}
	return base, head, review.Difference, true
}

// TestBehaviourAgainstNaive: the relation is that of definitions taken at their word.
func TestBehaviourAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 5 {
			base, head, d, ok := compared(t)
			if !ok || len(base.arcs)*len(head.arcs) > 10_000 { // what is naive takes minutes for few of them
				continue
			}
			if want := relationOf(base, head); d.All.Relation != want {
				t.Fatalf("%s (%s); naively %s\nbase %s\nhead %s", d.All.Relation, d.All.Reason, want, testkit.Describe(base.draft), testkit.Describe(head.draft))
			}
		}
	})
}

// relationOf compares two models from the definitions.
func relationOf(base, head *plainModel) delta.Relation {
	if bisimilarModels(base, head) {
		return delta.Same
	}
	more, less := shortestRefused(head, base), shortestRefused(base, head)
	switch {
	case more > 0 && less > 0:
		return delta.Both
	case more > 0:
		return delta.More
	case less > 0:
		return delta.Less
	}
	return delta.Otherwise
}

// bisimilarModels takes the greatest bisimulation: all pairs, those dropped that do not answer each other.
func bisimilarModels(a, b *plainModel) bool {
	related := map[[2]int]bool{}
	for s := range a.arcs {
		for u := range b.arcs {
			related[[2]int{s, u}] = true
		}
	}
	answers := func(from, to []testkit.Labelled, pair func(s, u int) [2]int) bool {
		return !slices.ContainsFunc(from, func(x testkit.Labelled) bool {
			return !slices.ContainsFunc(to, func(y testkit.Labelled) bool { return x.Name == y.Name && related[pair(x.To, y.To)] })
		})
	}
	for changed := true; changed; {
		changed = false
		for p := range related {
			if !answers(a.arcs[p[0]], b.arcs[p[1]], func(s, u int) [2]int { return [2]int{s, u} }) ||
				!answers(b.arcs[p[1]], a.arcs[p[0]], func(s, u int) [2]int { return [2]int{u, s} }) {
				delete(related, p)
				changed = true
			}
		}
	}
	return related[[2]int{0, 0}]
}

// shortestRefused is the length of a shortest sequence of a that b has not; 0: there is none.
func shortestRefused(a, b *plainModel) int {
	type pair struct {
		state, length int
		other         []int
	}
	seen := map[string]bool{}
	queue := []pair{{0, 0, []int{0}}}
	for ; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if key := fmt.Sprint(p.state, p.other); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		for _, arc := range a.arcs[p.state] {
			next := b.after(p.other, arc.Name)
			if len(next) == 0 {
				return p.length + 1
			}
			queue = append(queue, pair{arc.To, p.length + 1, next})
		}
	}
	return 0
}

// after is where a model can be after one more step, sorted.
func (m *plainModel) after(states []int, name string) []int {
	var next []int
	for _, s := range states {
		for _, arc := range m.arcs[s] {
			if arc.Name == name {
				next = append(next, arc.To)
			}
		}
	}
	slices.Sort(next)
	return slices.Compact(next)
}

// TestSequencesReplay: what is shown as possible is a run of its own draft, step by step, is refused by
// the other at its last step and not before, and none is shorter. So it is the other way round.
func TestSequencesReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 5 {
			base, head, d, ok := compared(t)
			if !ok {
				continue
			}
			_, names := diff.Changes(base.draft.Spec, head.draft.Spec)
			ofBase, ofHead := namer(base.draft, names, true), namer(head.draft, names, false)
			sequencesReplay(t, d.All.Possible, head, base, ofHead)
			sequencesReplay(t, d.All.Impossible, base, head, ofBase)
			if c := d.All.Choice; c != nil {
				own, other, name := base, head, ofBase
				if c.Head {
					own, other, name = head, base, ofHead
				}
				if at := other.along(replayFirings(t, own.draft, c.Run, name)); len(at) == 0 {
					t.Fatal("the other draft can't follow a choice")
				}
			}
			for _, s := range slices.Concat(d.States.AppearedShown, d.States.NewDeadEnds) {
				replayFirings(t, head.draft, s.Run, ofHead)
			}
			for _, s := range slices.Concat(d.States.VanishedShown, d.States.LostDeadEnds) {
				replayFirings(t, base.draft, s.Run, ofBase)
			}
		}
	})
}

func sequencesReplay(t *rapid.T, all []finding.Sequence, own, other *plainModel, name func(int) string) {
	for i, s := range all {
		steps := replayFirings(t, own.draft, s.Run, name)
		if at := other.along(steps[:len(steps)-1]); len(at) == 0 {
			t.Fatalf("%v is refused before its end", steps)
		}
		if at := other.along(steps); len(at) != 0 {
			t.Fatalf("%v is not refused", steps)
		}
		if i == 0 && len(steps) != shortestRefused(own, other) {
			t.Fatalf("%v is not shortest", steps)
		}
	}
}

// along is where a model can be after a sequence.
func (m *plainModel) along(steps []string) []int {
	at := []int{0}
	for _, s := range steps {
		at = m.after(at, s)
	}
	return at
}

// replayFirings fires a run as it is told, and names its steps.
func replayFirings(t *rapid.T, d *compile.Draft, run []finding.Firing, name func(int) string) []string {
	var steps []string
	m := petri.Marking(d.Net.Initial)
	for len(run) > 0 {
		end := slices.IndexFunc(run, func(f finding.Firing) bool { return f.Step != run[0].Step })
		if end < 0 {
			end = len(run)
		}
		var fired []int
		for _, f := range run[:end] {
			fired = append(fired, firedBy(t, d, f, m, fired))
		}
		slices.Sort(fired)
		if !d.Net.IsStep(m, d.Rule, fired) {
			t.Fatalf("%v is no step in %v", fired, m)
		}
		m, _ = d.Net.Fire(m, fired)
		steps, run = append(steps, nameOf(fired, name)), run[end:]
	}
	return steps
}

// firedBy finds the transition of a firing; not one of those found already, where several are called the same.
func firedBy(t *rapid.T, d *compile.Draft, f finding.Firing, m petri.Marking, not []int) int {
	want := f.Event
	if want == "" {
		want = f.Transitions[0]
	}
	for i, tr := range d.Net.Transitions {
		var parts []string
		for _, p := range tr.Parts {
			parts = append(parts, partName(d, p))
		}
		if tr.Name == want && slices.Equal(parts, f.Transitions) && d.Net.Fireable(m, i) && !slices.Contains(not, i) {
			return i
		}
	}
	t.Fatalf("%s %v can't fire in %v", want, f.Transitions, m)
	return -1
}

// partName is party.transition; parties stand in canonical order.
func partName(d *compile.Draft, p petri.Part) string {
	party := d.Spec.Parties[p.Net]
	list := slices.Clone(party.Transitions)
	slices.SortFunc(list, func(a, b *hclspec.Transition) int { return strings.Compare(a.Name, b.Name) })
	return party.Name + "." + list[p.Transition].Name
}

// TestDifferenceOfNothing: a contract does not differ from itself.
func TestDifferenceOfNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := testkit.DrawContract(t)
		c.Requirements = nil
		again := testkit.CopyOf(c)
		again.Accepts = []*hclspec.Accept{{Code: "dead-end"}} // so that it is looked at
		review := blame.Compare(context.Background(), testkit.CompileSpec(c), testkit.CompileSpec(again), finding.Budget{})
		d := review.Difference
		if d == nil {
			t.Fatal(review.Status)
		}
		for _, v := range append(d.Views, finding.View{Behaviour: d.All}) {
			if v.Relation != delta.Same || len(v.Possible)+len(v.Impossible) > 0 || v.Choice != nil {
				t.Fatalf("%s: %+v", v.Party, v)
			}
		}
		if s := d.States; s.Appeared+s.Vanished+s.NewDead+s.LostDead+len(s.Died)+len(s.Alive) > 0 {
			t.Fatalf("%+v", s)
		}
	})
}

// TestDifferenceMirrors: the other way round everything is the other way round.
func TestDifferenceMirrors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := testkit.DrawAmendment(t)
		there := blame.Compare(context.Background(), testkit.CompileSpec(before), testkit.CompileSpec(after), finding.Budget{}).Difference
		back := blame.Compare(context.Background(), testkit.CompileSpec(after), testkit.CompileSpec(before), finding.Budget{}).Difference
		if there == nil {
			return
		}
		mirrors(t, "all", there.All, back.All)
		for i, v := range there.Views {
			w := back.Views[i]
			if v.Party != w.Party {
				continue // renamed
			}
			mirrors(t, v.Party, v.Behaviour, w.Behaviour)
		}
		s, m := there.States, back.States
		if s.Appeared != m.Vanished || s.Vanished != m.Appeared || s.NewDead != m.LostDead || s.LostDead != m.NewDead ||
			len(s.Died) != len(m.Alive) || len(s.Alive) != len(m.Died) {
			t.Fatalf("%+v\n%+v", s, m)
		}
	})
}

func mirrors(t *rapid.T, who string, a, b finding.Behaviour) {
	if a.Relation != b.Relation.Mirror() || len(a.Possible) != len(b.Impossible) || len(a.Impossible) != len(b.Possible) ||
		(a.Reason == "") != (b.Reason == "") || a.MoreThan != b.MoreThan {
		t.Fatalf("%s: %+v\n%+v", who, a, b)
	}
	for i, s := range a.Possible {
		if len(s.Run) != len(b.Impossible[i].Run) {
			t.Fatalf("%s: %+v\n%+v", who, s, b.Impossible[i])
		}
	}
}

// TestDifferenceIsDetermined: the same versions give the same difference, however many look at it at once.
func TestDifferenceIsDetermined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := testkit.DrawAmendment(t)
		base, head := testkit.CompileSpec(before), testkit.CompileSpec(after)
		one := blame.Compare(context.Background(), base, head, finding.Budget{Jobs: 1}).Difference
		four := blame.Compare(context.Background(), testkit.CompileSpec(testkit.CopyOf(before)), testkit.CompileSpec(testkit.CopyOf(after)), finding.Budget{Jobs: 4}).Difference
		if !reflect.DeepEqual(one, four) {
			t.Fatalf("%+v\n%+v", one, four)
		}
	})
}
