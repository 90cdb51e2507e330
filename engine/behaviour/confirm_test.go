package behaviour

import (
	"context"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/load"
)

const waiter = `
contract "c" {}
party "p" {
  state "a" {}
  state "b" {}
  state "c" {}
  transition "go" {
    from = a
    to   = b
  }
  transition "on" {
    from = b
    to   = c
  }
  #
}
`

// more adds a way back.
const wayBack = `  transition "back" {
    from = c
    to   = a
  }
`

// TestNothingWrongIsConfirmed: an answer that is not so does not replay, whatever is wrong with it.
func TestNothingWrongIsConfirmed(t *testing.T) {
	c := comparing(t, waiter, waiter+"party \"q\" {\n  state \"s\" {}\n  transition \"back\" {\n    from = s\n    to   = s\n  }\n}\n")
	g := c.language(nil, stepsAlone)
	whole := func() *delta.Answer {
		answer, err := c.pair.Compare(context.Background(), delta.View{Relabel: g.relabel, Most: 5}, delta.Limits{})
		if err != nil || answer.Relation != delta.More || len(answer.Possible) != 1 {
			t.Fatal(answer, err)
		}
		return answer
	}
	var b finding.Behaviour
	confirm := func(r *confirmer, answer *delta.Answer) error { return r.render(&b, r.confirm(answer)) }
	if err := confirm(c.confirming(nil, g), whole()); err != nil || len(b.Possible) != 1 {
		t.Fatal(err, b)
	}
	word := whole().Possible[0]
	first := c.sides[1].system.First[0]
	for name, wrong := range map[string]*delta.Answer{
		"a run of the other draft":   {Impossible: []delta.Word{word}},
		"a step that is not refused": {Possible: []delta.Word{{Run: arcsCalled(c, 1, "p.go"), Refused: c.labelCalled(g, "p.go"), Instead: []uint32{c.labelCalled(g, "p.on")}}}},
		"another last step":          {Possible: []delta.Word{{Run: word.Run, Refused: c.labelCalled(g, "p.go"), Instead: word.Instead}}},
		"another choice instead":     {Possible: []delta.Word{{Run: word.Run, Refused: word.Refused}}},
		"a run that goes on":         {Possible: []delta.Word{{Run: slices.Concat(word.Run, word.Run), Refused: word.Refused, Instead: word.Instead}}},
		"another next step":          {Choice: &delta.Choice{Head: true, Run: []uint32{first}}},
	} {
		if err := confirm(c.confirming(nil, g), wrong); err == nil {
			t.Errorf("%s is confirmed", name)
		}
	}
	hurried := c.confirming(nil, g)
	hurried.follow[0].left = 0
	if err := confirm(hurried, whole()); err != nil || len(b.Possible) != 0 || b.MoreThan != 1 {
		t.Errorf("what can't be confirmed: %v, %+v", err, b)
	}
}

// TestRunsToStatesReplay: a run that is not one of the draft is found out.
func TestRunsToStatesReplay(t *testing.T) {
	c := comparing(t, waiter, waiter[:len(waiter)-len("#\n}\n")]+wayBack+"}\n")
	f := NewFollower(c.sides[1].Draft, c.idle, 0)
	good := c.sides[1].way(c.lexicon, 2)
	if _, err := f.replayed(good); err != nil || len(good.steps) != 2 {
		t.Fatal(err, good)
	}
	start, middle := good.markings[0], good.markings[1]
	both := petri.Marking{start[0], good.markings[2][0]} // where firing on leads, if it could fire at first
	for name, wrong := range map[string]walk{
		"another start":            {good.markings[1:], good.steps[1:]},
		"a step that can't be":     {[]petri.Marking{start, both}, good.steps[1:]},
		"it leads elsewhere":       {[]petri.Marking{start, good.markings[2], middle}, good.steps},
		"time where there is none": {[]petri.Marking{start, start}, [][]int{nil}},
	} {
		if _, err := f.replayed(wrong); err == nil {
			t.Errorf("%s replays", name)
		}
	}
}

// comparing joins the state models of two texts.
func comparing(t *testing.T, base, head string) *comparison {
	t.Helper()
	var v Versions
	for _, side := range []struct {
		text string
		to   *Version
	}{{base, &v.Base}, {head, &v.Head}} {
		src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(side.text)}}, ".", "x", nil)
		if err != nil || src.Contract == nil {
			t.Fatal(err, src.Diagnostics)
		}
		side.to.Draft = compile.Compile(src, "x", nil)
		g, err := verify.Explore(context.Background(), side.to.Draft, finding.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		side.to.Model = verify.Listing(side.to.Draft, g, 0)
	}
	c, reason := v.compared(context.Background(), ObservablesOf(v.Base.Draft, v.Head.Draft, v.Names))
	if c == nil {
		t.Fatal(reason)
	}
	return c
}

// labelCalled is the word of one action.
func (c *comparison) labelCalled(g language, name string) uint32 {
	at := slices.IndexFunc(c.Actions, func(d Action) bool { return d.Name == name })
	return uint32(slices.IndexFunc(g.words, func(o Observation) bool { return slices.Equal(o, Observation{at}) }))
}

// arcsCalled is a run of one arc, which does what it is called, from the initial state.
func arcsCalled(c *comparison, side int, name string) []uint32 {
	m := c.sides[side]
	for arc := m.system.First[0]; arc < m.system.First[1]; arc++ {
		if step, _ := m.fires(0, arc); m.Net.Transitions[step[0]].Name == name {
			return []uint32{arc}
		}
	}
	return nil
}
