package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/draw"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/words"
)

// tick is a step in which time passes, and the time of some norms runs on from the ticks left.
func tick(step int, left map[string]int) finding.Firing {
	f := finding.Firing{Step: step, Event: "tick", Title: "time passes"}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		now := words.Several(left[name]-1, "tick") + " left"
		before := []string{words.Several(left[name], "tick") + " left"}
		if left[name] == 1 {
			now, before = "breached", append([]string{"owed"}, before...)
		}
		f.Changed = append(f.Changed, finding.Change{Party: name, Before: before, After: []string{now}})
	}
	return f
}

func waiting(ticks int) []finding.Firing {
	var run []finding.Firing
	for i := range ticks {
		left := map[string]int{"repay": 30 - i}
		if i < 3 {
			left["report"] = 3 - i
		}
		run = append(run, tick(i+1, left))
	}
	return append(run, finding.Firing{Step: ticks + 1, Event: "payment", Title: "the borrower pays", Parties: []string{"borrower"}})
}

// TestTicksAreFolded: where the time of norms runs on, ticks are one step; what else a tick changes is seen at its own.
func TestTicksAreFolded(t *testing.T) {
	d := finding.Diagnostic{Code: "norm-changed", Class: "warning", Message: "m.", Trace: &finding.Trace{Prefix: waiting(27)}}
	r := &finding.Result{Path: "loan", Name: "loan", Diagnostics: []finding.Diagnostic{d}}
	said := textOf(t, []*finding.Result{r}, 80)
	for _, want := range []string{
		"       1. time passes, 3 times [tick]\n            repay:  30 ticks left → 27 ticks left\n            report: owed, 3 ticks left → breached\n",
		"       4. time passes, 24 times [tick]\n            repay: 27 ticks left → 3 ticks left\n",
		"      28. the borrower pays [payment]\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	if said := markdown.Results([]*finding.Result{r}); !strings.Contains(said, "\n<!-- -->\n\n28. the borrower pays") { // which else would be the third of the list
		t.Error(said)
	}
	if said := draw.SequenceDiagram(d.Trace, nil); !strings.Contains(said, "    Note over p0: 1. time passes, 27 times\n") || strings.Contains(said, "contract") {
		t.Error(said)
	}
	if said := draw.SequenceDiagram(&finding.Trace{Prefix: waiting(27)[:27]}, nil); said != "" {
		t.Errorf("nobody acts in %s", said)
	}
	if all := words.Folded(words.Steps(d.Trace.Prefix), 20); len(all) != 5 || all[2][0].Step != 20 || all[2][0].Title != "time passes" {
		t.Errorf("the step that is marked is folded: %v", all)
	}
}

// TestFoldedTicksAreAll: folded steps are those of the run, in order, and each tick is counted once.
func TestFoldedTicksAreAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var run []finding.Firing
		for i, is := range rapid.SliceOfN(rapid.IntRange(0, 3), 0, 12).Draw(t, "run") {
			switch f := tick(i+1, map[string]int{"n": 1 + is}); is {
			case 0:
				run = append(run, finding.Firing{Step: i + 1, Event: "e"})
			default:
				run = append(run, f)
			}
		}
		alone := rapid.IntRange(0, 12).Draw(t, "alone")
		for _, fold := range []func([][]finding.Firing, ...int) [][]finding.Firing{words.Folded, words.FoldedTitles} {
			at := 1
			for _, step := range fold(words.Steps(run), alone) {
				n := 1
				if _, err := fmt.Sscanf(step[0].Title, "time passes, %d times", &n); err == nil && at <= alone && alone < at+n {
					t.Fatalf("step %d is folded", alone)
				}
				if step[0].Step != at || step[0].Event != run[at-1].Event {
					t.Fatalf("step %d is %v", at, step)
				}
				at += n
			}
			if at != len(run)+1 {
				t.Fatalf("%d of %d steps", at-1, len(run))
			}
		}
	})
}

// TestDrawnTicksAreFolded: a drawn run has ticks in a row as one arc, with the states between which they lie; where another run branches off
// there is a state.
func TestDrawnTicksAreFolded(t *testing.T) {
	src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(`contract "loan" {}
party "borrower" {
  state "owing" {}
  state "clear" {}
  transition "pay" {
    from = owing
    to   = clear
  }
}
event "payment" {
  sync = { borrower = pay }
}
obligation "repay" {
  bearer = borrower
  fulfil = payment
  within = 5
}
requirement "kept" {
  ctl = "AG !repay.breached"
}
requirement "late" {
  ctl = "AG (repay.left-2 -> AF repay.fulfilled)"
}
requirement "one-way" {
  ctl = "AG !(repay.left-2 && EF repay.breached && EF repay.fulfilled)"
}
`)}}, ".", "x", expr.Values{})
	if err != nil || src.Contract == nil {
		t.Fatal(err, src.Diagnostics)
	}
	d := compile.Compile(src, "x", nil)
	var labels []string
	for _, q := range verify.Check(t.Context(), d, finding.Budget{}).Requirements {
		g := draw.Trace(d, "", "A run.", explain.Stage(d, []*finding.Trace{q.Trace})[0])
		if len(g.Nodes) != len(g.Edges)+1 {
			t.Errorf("%s: %d states, %d arcs", q.Name, len(g.Nodes), len(g.Edges))
		}
		if claim := words.Claim(q.Trace); claim != "" && (!strings.HasPrefix(g.Note, "A run. ") || !strings.Contains(g.Note, claim)) {
			t.Errorf("%s: the note is %q, not what the run comes to: %q", q.Name, g.Note, claim)
		}
		for _, e := range g.Edges {
			labels = append(labels, e.Label)
		}
	}
	if said := strings.Join(labels, "; "); said != "1. time passes, 5 times; 1. time passes, 5 times; 6. payment; 1. time passes, 3 times; 4. time passes, 2 times; 4. payment" {
		t.Error(said)
	}
}

// TestFirstOfAPicture: the first steps of a picture have the states that they lead from and to, and the rest is counted.
func TestFirstOfAPicture(t *testing.T) {
	p := &finding.Picture{Extent: finding.ChangesOnly, More: 2}
	at := func(buyer, light, left string) int {
		w := []finding.PartyState{{Party: "buyer", Places: []string{buyer}}, {Party: "light", Places: []string{light}}}
		if left != "" {
			w = append(w, finding.PartyState{Party: "pay", Places: []string{"owed", left}})
		}
		p.States = append(p.States, finding.PictureState{Words: w})
		return len(p.States) - 1
	}
	for _, light := range []string{"on", "off"} {
		for _, left := range []string{"1 tick left", "2 ticks left"} {
			p.Arcs = append(p.Arcs, finding.PictureArc{From: at("open", light, left), To: at("gone", light, ""), Label: "leave", In: diff.InHead})
		}
	}
	p.Arcs = append(p.Arcs, finding.PictureArc{From: at("new", "on", ""), To: at("open", "on", "2 ticks left"), Label: "order", In: diff.InBase})
	if first := p.First(3); len(first.Arcs) != 3 || len(first.States) != 6 || first.More != 4 || len(p.Arcs) != 5 {
		t.Errorf("%+v", first)
	}
}
