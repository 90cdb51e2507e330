package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// TestRandomContracts compares the engine with definitions taken at their word: markings explored
// with petri's own firing, formulas labelled by package naive. Each of rapid's 100 checks is
// 20 contracts of 10 requirements: 20,000 cases.
func TestRandomContracts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			spec := drawContract(t)
			d := engine.Compile(&hclspec.Source{Contract: spec}, "x", nil)
			compareWithNaive(t, d)
		}
	})
}

func compareWithNaive(t *rapid.T, d *engine.Draft) {
	want, oneSafe := exploreNaively(d)
	resultsAgree(t, d, d.Check(context.Background(), engine.Budget{Jobs: 1}), want, oneSafe)
	if d.Rule == petri.One {
		resultsAgree(t, d, d.Check(context.Background(), engine.Budget{Engine: engine.Symbolic}), want, oneSafe)
	}
}

func resultsAgree(t *rapid.T, d *engine.Draft, got *engine.Result, want naive.Graph, oneSafe bool) {
	if !oneSafe {
		for _, q := range got.Requirements {
			if q.Verdict != engine.IllFormed {
				t.Fatalf("%s: %s in a net that is not one-safe\n%s", q.Formula, q.Verdict, describe(d))
			}
		}
		return
	}
	if want := sizeNaively(t, d, want); size(got) != want {
		t.Fatalf("%s; naively %s\n%s", size(got), want, describe(d))
	}
	for i, q := range got.Requirements {
		verdict := engine.Violated
		if naive.Sat(want, d.Formulas[i])[0] {
			verdict = engine.Holds
		}
		if q.Verdict != verdict {
			t.Fatalf("%s: %s (%s); naively %s\n%s", q.Formula, q.Verdict, q.Reason, verdict, describe(d))
		}
	}
}

// sizeNaively counts the states that differ in a place besides those that remember events, and the arcs and dead ends of one of each kind.
func sizeNaively(t *rapid.T, d *engine.Draft, g naive.Graph) string {
	arcsOf := map[string]int{}
	arcs, dead := 0, 0
	for s, succ := range g.Succ {
		key := ""
		for p, place := range d.Net.Places {
			if place.Net != "" && g.Holds(s, p) {
				key += fmt.Sprint(p, " ")
			}
		}
		if n, known := arcsOf[key]; known {
			if n != len(succ) {
				t.Fatalf("what has happened makes the arcs differ: %d and %d\n%s", n, len(succ), describe(d))
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

// exploreNaively reports whether the net is one-safe, and its state model if so.
func exploreNaively(d *engine.Draft) (naive.Graph, bool) {
	markings := []petri.Marking{d.Net.Initial}
	at := map[string]int{fmt.Sprint(markings[0]): 0}
	g := naive.Graph{Holds: func(s, p int) bool { return slices.Contains(markings[s], p) }}
	for s := 0; s < len(markings); s++ {
		var succ []int
		for _, step := range d.Net.Steps(markings[s], d.Rule) {
			next, contact := d.Net.Fire(markings[s], step)
			if contact >= 0 {
				return g, false
			}
			key := fmt.Sprint(next)
			if _, ok := at[key]; !ok {
				at[key] = len(markings)
				markings = append(markings, next)
			}
			succ = append(succ, at[key])
		}
		g.Succ = append(g.Succ, succ)
	}
	return g, true
}

func describe(d *engine.Draft) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rule %s, initially %v\n", d.Rule, d.Net.Initial)
	for _, t := range d.Net.Transitions {
		fmt.Fprintf(&b, "%s: in %v out %v read %v\n", t.Name, t.In, t.Out, t.Read)
	}
	return b.String()
}

func drawContract(t *rapid.T) *hclspec.Contract {
	c := &hclspec.Contract{Name: "c", Firing: hclspec.Firing(rapid.IntRange(0, 1).Draw(t, "firing"))}
	for i := range rapid.IntRange(1, 3).Draw(t, "parties") {
		c.Parties = append(c.Parties, drawParty(t, fmt.Sprintf("p%d", i)))
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "events") {
		if e := drawEvent(t, c, fmt.Sprintf("e%d", i)); len(e.Ways) > 0 {
			c.Events = append(c.Events, e)
		}
	}
	for i := range 10 {
		text := drawFormula(t, c, 4).CTL()
		c.Requirements = append(c.Requirements, &hclspec.Requirement{Name: fmt.Sprintf("r%d", i), Formula: &hclspec.Formula{Text: text}})
	}
	return c
}

// drawParty makes a state diagram two times in three, where contact is impossible; else any net.
func drawParty(t *rapid.T, name string) *hclspec.Party {
	p := &hclspec.Party{Name: name}
	diagram := rapid.IntRange(0, 2).Draw(t, "diagram") > 0
	for i := range rapid.IntRange(2, 4).Draw(t, "places") {
		marked := i == 0
		if !diagram {
			marked = rapid.Bool().Draw(t, "marked")
		}
		p.Places = append(p.Places, &hclspec.Place{Name: fmt.Sprintf("s%d", i), Marked: marked})
	}
	place := rapid.SampledFrom(p.Places)
	for i := range rapid.IntRange(1, 5).Draw(t, "transitions") {
		tr := &hclspec.Transition{Name: fmt.Sprintf("t%d", i), Label: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label")}
		if diagram {
			arc(tr, place.Draw(t, "from"), place.Draw(t, "to"))
		} else {
			drawArcs(t, tr, p.Places)
		}
		p.Transitions = append(p.Transitions, tr)
	}
	return p
}

func arc(tr *hclspec.Transition, from, to *hclspec.Place) {
	if from == to {
		tr.Read = []*hclspec.Place{from}
		return
	}
	tr.Consume, tr.Produce = []*hclspec.Place{from}, []*hclspec.Place{to}
}

func drawArcs(t *rapid.T, tr *hclspec.Transition, places []*hclspec.Place) {
	for _, p := range places {
		switch rapid.IntRange(0, 5).Draw(t, "arc") {
		case 0:
			tr.Consume = append(tr.Consume, p)
		case 1:
			tr.Produce = append(tr.Produce, p)
		case 2:
			tr.Read = append(tr.Read, p)
		}
	}
}

// drawEvent gives an event a way or two of happening.
func drawEvent(t *rapid.T, c *hclspec.Contract, name string) *hclspec.Event {
	e := &hclspec.Event{Name: name, Of: name}
	for range rapid.IntRange(1, 2).Draw(t, "ways") {
		if way := drawWay(t, c); len(way) > 0 {
			e.Ways = append(e.Ways, way)
		}
	}
	return e
}

// drawWay maps each party to a label that it has, or leaves it out.
func drawWay(t *rapid.T, c *hclspec.Contract) []hclspec.Sync {
	var way []hclspec.Sync
	for _, p := range c.Parties {
		if rapid.Bool().Draw(t, "concerned") {
			label := rapid.SampledFrom(p.Transitions).Draw(t, "label").Label
			way = append(way, hclspec.Sync{Party: p, Label: label})
		}
	}
	return way
}

func drawFormula(t *rapid.T, c *hclspec.Contract, depth int) *ctl.Formula {
	ops := []ctl.Op{ctl.Atom, ctl.Atom, ctl.Atom, ctl.True, ctl.False}
	if depth > 0 {
		ops = []ctl.Op{ctl.Atom, ctl.Not, ctl.And, ctl.Or, ctl.Implies, ctl.Iff, ctl.EX, ctl.AX, ctl.EF, ctl.AF,
			ctl.EG, ctl.AG, ctl.EU, ctl.AU, ctl.EW, ctl.AW, ctl.EU, ctl.AU, ctl.EW, ctl.AW}
	}
	f := &ctl.Formula{Op: rapid.SampledFrom(ops).Draw(t, "op")}
	switch f.Op {
	case ctl.True, ctl.False:
	case ctl.Atom:
		p := rapid.SampledFrom(c.Parties).Draw(t, "party")
		f.Name = p.Name + "." + rapid.SampledFrom(p.Places).Draw(t, "place").Name
	case ctl.Not, ctl.EX, ctl.AX, ctl.EF, ctl.AF, ctl.EG, ctl.AG:
		f.Left = drawFormula(t, c, depth-1)
	default:
		f.Left, f.Right = drawFormula(t, c, depth-1), drawFormula(t, c, depth-1)
	}
	return f
}
