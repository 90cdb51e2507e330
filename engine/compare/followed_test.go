package compare

import (
	"context"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// transition returns the number of a transition.
func transition(t *testing.T, n *petri.Net, name string) int {
	t.Helper()
	i := slices.IndexFunc(n.Transitions, func(tr petri.Transition) bool { return tr.Name == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return i
}

// TestRefused: the first step that base cannot take is counted along the run and the evidence below it, from where that begins.
func TestRefused(t *testing.T) {
	both := parties(t, "a t u")
	f := InStep(both, both, compile.Naming{})
	first, other := []int{transition(t, both.Net, "a.t")}, []int{transition(t, both.Net, "a.u")}
	run := func(below []ctl.Because, steps ...[]int) *ctl.Evidence {
		return &ctl.Evidence{Run: ctl.Run{Steps: steps}, Next: below}
	}
	at := func(n int, steps ...[]int) ctl.Because { return ctl.Because{At: n, Evidence: run(nil, steps...)} }
	for _, c := range []struct {
		name  string
		below []ctl.Because
		want  int
	}{
		{"nothing below", nil, 0},
		{"after the run", []ctl.Because{at(1, other)}, 2},
		{"beside the run", []ctl.Because{at(0, other)}, 0},
		{"after the run, beside a state", []ctl.Because{at(1), at(1, other)}, 2},
		{"the first of two", []ctl.Because{at(0, other), at(1, other)}, 0},
	} {
		if got, _ := f.refused(run(c.below, first)); got != c.want {
			t.Errorf("%s: step %d, want %d", c.name, got, c.want)
		}
	}
}

// TestTake: base takes its part of a step as one step of its own, or not at all.
func TestTake(t *testing.T) {
	base := parties(t, "a t u", "b t")
	at, au, bt := transition(t, base.Net, "a.t"), transition(t, base.Net, "a.u"), transition(t, base.Net, "b.t")
	f := &stepwise{base: base, same: [][]int{{at}, {au}, {bt}, {}}}
	begin := base.Net.Initial
	later, _ := base.Net.Fire(begin, []int{at})
	for _, c := range []struct {
		name  string
		at    petri.Marking
		step  []int
		taken bool
	}{
		{"one", begin, []int{0}, true},
		{"none that base has", begin, []int{3}, true},
		{"one, beside what base lacks", begin, []int{3, 0}, true},
		{"one that base cannot take", later, []int{1}, false},
		{"two, one of which base cannot take", later, []int{1, 2}, false},
		{"two that base takes one by one", begin, []int{0, 2}, false},
	} {
		if got := f.take(c.at, c.step); (got != nil) != c.taken {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	base.Rule = petri.All
	if f.take(begin, []int{2, 0}) == nil {
		t.Error("two at once, in whatever order head has them")
	}
}

// TestPromise: a promise can be asked of both versions only if both have its names. Ways are unknown where it may rest on parties, and where the context has ended.
func TestPromise(t *testing.T) {
	two, only := parties(t, "a t", "b t"), parties(t, "a t")
	of := func(formula string) *hclspec.Requirement {
		text := "contract \"c\" {}\nparty \"a\" {\n  state \"s\" {}\n  state \"on\" {}\n}\nparty \"b\" {\n  state \"s\" {}\n  state \"on\" {}\n}\n"
		return testkit.DraftOf(t, text+"requirement \"r\" { ctl = \""+formula+"\" }\n").Spec.Requirements[0]
	}
	a, b := of("AG !a.on"), of("AG !b.on")
	f := InStep(two, only, compile.Naming{})
	if _, ok := f.Promise(b, a); ok {
		t.Error("head lacks the names")
	}
	if _, ok := InStep(only, two, compile.Naming{}).Promise(a, b); ok {
		t.Error("base lacks the names")
	}
	pledge, ok := f.Promise(a, a)
	if !ok || pledge.onHead.Stops {
		t.Errorf("both have the names: %t, %+v", ok, pledge)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if w, _ := f.way(ended, pledge, nil, finding.Budget{}); w == nil || w.Unknown == "" {
		t.Errorf("the context has ended: %+v", w)
	}
	a.RestsOn = &hclspec.Resting{}
	if resting, _ := f.Promise(a, a); !resting.onHead.Stops {
		t.Error("it says on whom it may rest")
	}
}

// TestReworded: base's own requirement promises something else if base was asked about head's wording, or if that has no meaning and another text.
func TestReworded(t *testing.T) {
	own, here := &finding.Requirement{Formula: "AG a.s"}, &finding.Requirement{}
	for _, c := range []struct {
		name string
		was  before
		now  finding.Requirement
		want bool
	}{
		{"base has none", before{}, finding.Requirement{Verdict: finding.IllFormed, Formula: "AG a.t"}, false},
		{"the same", before{own, own}, finding.Requirement{Verdict: finding.Holds, Formula: "AG a.s"}, false},
		{"the same under new names", before{own, own}, finding.Requirement{Verdict: finding.Holds, Formula: "AG z.s"}, false},
		{"another wording", before{own, here}, finding.Requirement{Verdict: finding.Holds, Formula: "AG a.t"}, true},
		{"the same text, without a meaning now", before{own, own}, finding.Requirement{Verdict: finding.IllFormed, Formula: "AG a.s"}, false},
		{"another text, without a meaning", before{own, own}, finding.Requirement{Verdict: finding.IllFormed, Formula: "AG a.t"}, true},
	} {
		if got := c.was.reworded(&c.now); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestWasOfRewordings: a finding on another wording says what base's verdict on that was; base's own wording, if violated now, has no run to waive.
func TestWasOfRewordings(t *testing.T) {
	text := func(formula string) string {
		return losing("", "requirement \"r\" { ctl = \""+formula+"\" }\n", "x")
	}
	for _, c := range []struct {
		name, base, head string
		want             finding.Verdict
	}{
		{"the same", text("AG !a.x"), text("AG !a.x"), finding.Unknown},
		{"another", text("AG !a.y"), text("AG !a.x"), finding.Violated},
		{"another, which base keeps", text("AG !a.x"), text("AG !a.y"), finding.Holds},
		{"another, without a meaning", text("AG !a.x"), text("AG !a.nowhere"), finding.Unknown},
	} {
		review, _ := Compared(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1})
		for _, f := range review.Findings {
			switch {
			case f.Old && f.Head.Run != "":
				t.Errorf("%s: the old wording has the run %s", c.name, f.Head.Run)
			case !f.Old && f.Name == "r" && f.Was != c.want:
				t.Errorf("%s: %s, want %s", c.name, f.Was, c.want)
			}
		}
	}
}
