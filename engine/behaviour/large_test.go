package behaviour_test

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// A tally counts how often something is told on decision diagrams.
type tally struct{ told, unknown, states, noStates int }

// sameTold holds what is told of two drafts without going through their states to what is told with all of them.
func (c *tally) sameTold(small, large *finding.Difference) error {
	err := c.sameBehaviour("all", small.All, large.All)
	for i := range small.Views {
		if err == nil {
			err = c.sameBehaviour(small.Views[i].Party, small.Views[i].Behaviour, large.Views[i].Behaviour)
		}
	}
	if err == nil {
		err = c.sameStates(&small.States, &large.States)
	}
	return err
}

func (c *tally) sameBehaviour(who string, small, large finding.Behaviour) error {
	if large.Relation == delta.Unknown {
		c.unknown++
		if large.Reason == "" {
			return fmt.Errorf("%s: unknown for no reason", who)
		}
		return nil
	}
	c.told++
	if saying(small) != saying(large) || small.MoreThan != large.MoreThan {
		return fmt.Errorf("%s: %s (%d more)\nand it is %s (%d more)", who, saying(large), large.MoreThan, saying(small), small.MoreThan)
	}
	for i, s := range slices.Concat(small.Possible, small.Impossible) {
		if l := slices.Concat(large.Possible, large.Impossible)[i]; s.Refused != l.Refused || !slices.Equal(s.Instead, l.Instead) {
			return fmt.Errorf("%s: refused %s, instead %v; and it is %s, %v", who, l.Refused, l.Instead, s.Refused, s.Instead)
		}
	}
	return nil
}

func (c *tally) sameStates(small, large *finding.States) error {
	if large.Unknown != "" {
		c.noStates++
		return nil
	}
	c.states++
	if s, l := stateCounts(small), stateCounts(large); s != l {
		return fmt.Errorf("states %s, and it is %s", l, s)
	}
	return nil
}

// stateCounts tells counts, clauses, and how long the first run of each kind is.
func stateCounts(s *finding.States) string {
	n := s.Counts()
	var b strings.Builder
	fmt.Fprint(&b, n.Appeared, n.Vanished, n.NewDead, n.LostDead, s.Appeared, s.Vanished, s.NewDead, s.LostDead)
	for _, list := range [][]finding.Situation{s.AppearedShown, s.VanishedShown, s.NewDeadEnds, s.LostDeadEnds} {
		if len(list) > 0 {
			fmt.Fprint(&b, " first after ", len(list[0].Run))
		}
	}
	for _, c := range slices.Concat(s.Died, s.Alive) {
		fmt.Fprint(&b, " ", c.Name)
	}
	return b.String()
}

// few is too few states for any model of interest.
var few = finding.Budget{States: 1}

// TestLargeAsSmall: with no state model at all the same is told of random amendments, or it is unknown.
func TestLargeAsSmall(t *testing.T) {
	var c tally
	rapid.Check(t, func(t *rapid.T) {
		before, after := testkit.DrawAmendment(t)
		small := blame.Compare(context.Background(), testkit.CompileSpec(before), testkit.CompileSpec(after), finding.Budget{}).Difference
		if small == nil || small.States.Unknown != "" || testkit.CompileSpec(before).Rule != petri.One || testkit.CompileSpec(after).Rule != petri.One {
			return
		}
		large := blame.Compare(context.Background(), testkit.CompileSpec(before), testkit.CompileSpec(after), few).Difference
		if err := c.sameTold(small, large); err != nil {
			t.Fatal(err)
		}
	})
	if !testing.Short() && (c.told < 2*c.unknown || c.states < 2*c.noStates) { // of a fifth of the draws it may be
		t.Errorf("too much is unknown: %+v", c)
	}
	t.Logf("%+v", c)
}

// TestEventOfEither: an event that happens with one party or with the other is the same event to who sees all, and only its own to
// each of them. That one can do now again what the other always could is seen by that one, and the other sees that it may wait for ever.
func TestEventOfEither(t *testing.T) {
	draft := func(again bool) *compile.Draft {
		a, b, s := &hclspec.Place{Name: "A", Marked: true}, &hclspec.Place{Name: "B"}, &hclspec.Place{Name: "S", Marked: true}
		p := &hclspec.Party{Name: "p", Places: []*hclspec.Place{a, b}, Transitions: []*hclspec.Transition{{Name: "once", Label: "l"}}}
		q := &hclspec.Party{Name: "q", Places: []*hclspec.Place{s}, Transitions: []*hclspec.Transition{{Name: "always", Label: "l"}}}
		testkit.Arc(p.Transitions[0], a, b)
		testkit.Arc(q.Transitions[0], s, s)
		if again {
			p.Transitions = append(p.Transitions, &hclspec.Transition{Name: "again", Label: "l"})
			testkit.Arc(p.Transitions[1], b, b)
		}
		either := &hclspec.Event{Name: "e", Of: "e", Ways: [][]hclspec.Sync{{{Party: p, Label: "l"}}, {{Party: q, Label: "l"}}}}
		return testkit.CompileSpec(&hclspec.Contract{Name: "c", Parties: []*hclspec.Party{p, q}, Events: []*hclspec.Event{either}})
	}
	for _, budget := range []finding.Budget{{}, few} {
		for _, c := range []struct {
			base, head bool
			p          string
		}{{false, true, "more\n+e e"}, {true, false, "less\n-e e"}} {
			d := blame.Compare(context.Background(), draft(c.base), draft(c.head), budget).Difference
			for i, want := range []string{c.p, "otherwise"} {
				if got := saying(d.Views[i].Behaviour); got != want {
					t.Errorf("at most %d states: %s sees %s, not %s", budget.States, d.Views[i].Party, got, want)
				}
			}
			if got := saying(d.All); got != "same" {
				t.Errorf("at most %d states: all see %s", budget.States, got)
			}
		}
	}
}

// TestLargeMutants: so it is of mutants of the examples.
func TestLargeMutants(t *testing.T) {
	draws.SkipForRaces(t)
	dirs, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range dirs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			largeMutants(t, name)
		})
	}
}

func largeMutants(t *testing.T, name string) {
	text := testkit.ExampleText(t, name)
	base := compile.Compile(load.Text(text, "x", nil), "x", nil)
	if base.Rule != petri.One {
		return
	}
	var c tally
	for i, m := range testkit.MutantsOf(t, text) {
		head := testkit.Reread(base, m.Made(text))
		if i == 6 || i > 60/len(base.Net.Places) { // clocks make many places, and a comparison of seconds
			break
		}
		if head.Spec == nil || head.Unbuilt() != "" || head.Digest == base.Digest {
			continue
		}
		small := blame.Compare(context.Background(), base, head, finding.Budget{Jobs: 1}).Difference
		if small.States.Unknown != "" {
			continue
		}
		hasty := few
		hasty.Time = 3 * time.Second // what is not told within that is unknown
		if err := c.sameTold(small, blame.Compare(context.Background(), base, head, hasty).Difference); err != nil {
			t.Errorf("%s %s: %v", m.Kind, m.What, err)
		}
	}
	t.Logf("%+v", c)
}

// crowdDifference compares the example for n purchasers with more text in base and in head.
func crowdDifference(t testing.TB, n int, base, head string) *finding.Difference {
	t.Helper()
	b := finding.Budget{Jobs: 2, States: 1000}
	r := blame.Compare(context.Background(), testkit.Purchasers(t, n, petri.One, base), testkit.Purchasers(t, n, petri.One, head), b)
	if r.Difference == nil {
		t.Fatal(r.Status)
	}
	return r.Difference
}

const broker = `
party "broker" {
  state "B0" {}
  state "B1" {}
  transition "call" {
    from = B0
    to   = B1
  }
}
`

// TestCrowd: a sale to many purchasers, of 3^(n+1) + 1 states.
func TestCrowd(t *testing.T) {
	const n = 12
	d := crowdDifference(t, n, "", broker)
	if got, want := saying(d.All), "more\n+broker.call"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
	for _, v := range d.Views {
		if want := map[bool]delta.Relation{true: delta.More, false: delta.Same}[v.Party == "broker"]; v.Relation != want {
			t.Errorf("%s: %s, not %s", v.Party, saying(v.Behaviour), want)
		}
	}
	if s := d.States; s.Unknown != "" || s.Appeared+s.Vanished+s.NewDead+s.LostDead != 0 {
		t.Errorf("%+v", s)
	}
	d = crowdDifference(t, n, broker, strings.Replace(broker, "to   = B1", "to   = B0", 1))
	if got := saying(d.All); !strings.HasPrefix(got, "more\n+broker.call broker.call") {
		t.Error(got)
	}
	want := new(big.Int).Exp(big.NewInt(3), big.NewInt(n+1), nil)
	if s := d.States.Counts(); s.Vanished.Cmp(want.Add(want, big.NewInt(1))) != 0 || s.Appeared.Sign() != 0 {
		t.Errorf("%v states vanish, %v appear", s.Vanished, s.Appeared)
	}
}
