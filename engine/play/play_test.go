package play_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/play"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// asked compiles the examples with two more requirements for some places: that they are never marked, that they can be.
func asked(t *testing.T, rule petri.Rule) []*compile.Draft {
	t.Helper()
	drafts, err := engine.Tree{FS: os.DirFS("../../hclspec/examples"), Root: "."}.Drafts(t.Context(), &rule, 2)
	if err != nil || len(drafts) < 5 {
		t.Fatal(err, len(drafts))
	}
	for i, d := range drafts {
		for k, p := range d.Net.Places {
			if k%4 > 0 || p.Net == "" || strings.ContainsAny(p.Name, "=!-") {
				continue
			}
			for n, form := range []string{"AG !%s", "EF %s", "AF %s", "AX AX !%s", "EG !%s", "E[true W %s]", "A[!%s W false]", "AG (%[1]s -> EX !%[1]s)", "EF (%[1]s && AX !%[1]s)"} {
				f := &hclspec.Formula{Text: fmt.Sprintf(form, p)}
				d.Spec.Requirements = append(d.Spec.Requirements, &hclspec.Requirement{Name: fmt.Sprintf("r%d-%d", k, n), Formula: f})
			}
		}
		drafts[i] = compile.Compile(d.Source, d.Path, &rule)
	}
	return drafts
}

// TestSayingsAreTrue: what runs say of requirements is what the state model does; and some run says so of most that are broken.
func TestSayingsAreTrue(t *testing.T) {
	for _, rule := range []petri.Rule{petri.One, petri.All} {
		said := map[play.Value]int{}
		for _, d := range asked(t, rule) {
			result := verify.Check(t.Context(), d, finding.Budget{States: 20_000, Jobs: 1})
			if slices.ContainsFunc(result.Diagnostics, func(x finding.Diagnostic) bool { return x.Code == "contact" }) {
				continue
			}
			for seed := range uint64(4) {
				g := game(t, d)
				wander(t, g, seed, 25)
				for _, s := range g.Outcomes() {
					said[s.Value]++
					v := result.Requirements[s.Requirement].Verdict
					if s.Value == play.Broken && v == finding.Holds || s.Value == play.Shown && v == finding.Violated {
						t.Errorf("%s, %s (%s): %s after step %d of\n%s", d.Path, result.Requirements[s.Requirement].Formula, v, s.Value, s.Step, g.Text())
					}
				}
				undone(t, d, g)
			}
		}
		if said[play.Broken] < 50 || said[play.Shown] < 50 || said[play.Open] < 50 {
			t.Errorf("firing %s: %v", rule, said)
		}
	}
}

func game(t *testing.T, d *compile.Draft) *play.Game {
	t.Helper()
	g, err := play.New(d)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func wander(t *testing.T, g *play.Game, seed uint64, steps int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	for range steps {
		if going, err := g.Random(r); err != nil {
			t.Fatal(err)
		} else if !going {
			return
		}
	}
}

// undone takes steps back and looks at the requirements on the way: each stands as if the run had never gone on; and it says the step that decided it.
func undone(t *testing.T, d *compile.Draft, g *play.Game) {
	t.Helper()
	whole := g.Outcomes()
	for g.Undo() {
		if g.Steps()%5 > 0 {
			continue
		}
		again := game(t, d)
		log, err := conform.Read(strings.NewReader(g.Text()))
		if err != nil {
			t.Fatal(err)
		}
		a, err := conform.Replay(t.Context(), d, log, nil, conform.DefaultLimits())
		if err == nil {
			err = again.Follow(t.Context(), a.Run)
		}
		if err != nil || a.Only && !slices.Equal(again.Marking(), g.Marking()) {
			t.Fatal(err, again.Marking(), g.Marking())
		}
		for i, s := range g.Outcomes() {
			if a.Only && s != again.Outcomes()[i] {
				t.Fatalf("%+v is %+v without what was undone", s, again.Outcomes()[i])
			}
			if decided := whole[i].Value != play.Open && whole[i].Step <= g.Steps(); decided != (s.Value != play.Open) {
				t.Fatalf("after %d steps it is %+v, in the end %+v", g.Steps(), s, whole[i])
			}
		}
	}
}

// TestCounterexamplesAreSeen: a run that breaks an invariant says so at its last step.
func TestCounterexamplesAreSeen(t *testing.T) {
	seen := 0
	for _, d := range asked(t, petri.One) {
		for i, r := range verify.Check(t.Context(), d, finding.Budget{States: 20_000, Jobs: 1}).Requirements {
			if r.Trace == nil || r.Verdict != finding.Violated || !strings.HasPrefix(r.Formula, "AG !") || len(r.Trace.Then) > 0 {
				continue
			}
			log, err := conform.Read(strings.NewReader(testkit.Log(r.Trace)))
			if err != nil {
				t.Fatal(err)
			}
			a, err := conform.Replay(t.Context(), d, log, nil, conform.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			g := game(t, d)
			if err := g.Follow(t.Context(), a.Run); err != nil {
				t.Fatal(err)
			}
			if s := g.Outcomes()[i]; s.Value != play.Broken || s.Step != g.Steps() {
				t.Errorf("%s, %s: %+v after %d steps", d.Path, r.Formula, s, g.Steps())
			}
			seen++
		}
	}
	if seen < 20 {
		t.Errorf("only %d were", seen)
	}
}

// TestChoicesAreTheSteps: what can be chosen is what the definitions say, in either rule, in nets drawn at random.
func TestChoicesAreTheSteps(t *testing.T) {
	several := 0
	rapid.Check(t, func(t *rapid.T) {
		n := &petri.Net{Places: make([]petri.Place, 8)}
		for range rapid.IntRange(1, 7).Draw(t, "transitions") {
			u := petri.Transition{Event: -1}
			for p := range n.Places {
				switch rapid.IntRange(0, 7).Draw(t, "arc") {
				case 0:
					u.In = append(u.In, p)
				case 1:
					u.Read = append(u.Read, p)
				}
			}
			n.Transitions = append(n.Transitions, u)
		}
		var m petri.Marking
		for p := range n.Places {
			if rapid.IntRange(0, 5).Draw(t, "marked") > 0 {
				m = append(m, p)
			}
		}
		for _, rule := range []petri.Rule{petri.One, petri.All} {
			steps := play.StepsOf(n, rule, m)
			if want := n.Steps(m, rule); fmt.Sprint(steps) != fmt.Sprint(want) {
				t.Fatalf("firing %s: %v, want %v", rule, steps, want)
			}
			if rule == petri.All && len(steps) > 1 {
				several++
			}
		}
	})
	if several == 0 {
		t.Error("there was never more than one step")
	}
}

// TestManyChoices: where there are too many steps to list, some are, and it is said.
func TestManyChoices(t *testing.T) {
	n := &petri.Net{Places: make([]petri.Place, 20)}
	var m petri.Marking
	for p := range n.Places {
		m = append(m, p)
		for range 2 {
			n.Transitions = append(n.Transitions, petri.Transition{In: []int{p}, Event: -1})
		}
	}
	if steps := play.StepsOf(n, petri.All, m); len(steps) != play.MaxChoices {
		t.Errorf("%d steps", len(steps))
	}
}

// TestFireRefuses what is no step.
func TestFireRefuses(t *testing.T) {
	drafts, err := engine.Tree{FS: os.DirFS("../../hclspec/examples"), Root: "sale"}.Drafts(context.Background(), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	g := game(t, drafts[0])
	steps, _ := g.Choices()
	for _, step := range [][]int{nil, {-1}, {len(drafts[0].Net.Transitions)}, {steps[0][0], steps[1][0]}} {
		if g.Fire(step) == nil {
			t.Errorf("%v was fired", step)
		}
	}
	if err := g.Fire(steps[0]); err != nil || g.Steps() != 1 || !g.Undo() || g.Undo() {
		t.Error(err, g.Steps())
	}
}
