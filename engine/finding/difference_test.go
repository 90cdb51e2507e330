package finding

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
)

// TestWithTurns: a turn is listed once, with the run that was found first, and turns are in order of sides, norms, events and kinds.
func TestWithTurns(t *testing.T) {
	in := []Turn{{Norm: "c", Event: "f"}, {Norm: "a", Event: "f", Side: diff.InHead}, {Norm: "b", Event: "d", How: TurnEnds, Side: diff.InHead}, {Norm: "b", Event: "e", Side: diff.InHead}, {Norm: "b", Event: "e", How: TurnUsed, Side: diff.InHead}}
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 4, 0, 3, 1}} {
		var list []Turn
		for run, i := range slices.Concat(order, order) {
			one := in[i]
			one.Run = make([]Firing, run)
			list = WithTurns(list, []Turn{one})
		}
		for i, turn := range list {
			if turn.Norm+turn.Event != in[i].Norm+in[i].Event || turn.How != in[i].How || len(turn.Run) >= len(in) {
				t.Errorf("of %v, number %d is %+v", order, i, turn)
			}
		}
		if len(list) != len(in) {
			t.Errorf("of %v: %+v", order, list)
		}
	}
}

// TestWhatADifferenceSays: the days of both starts, what was compared in full, whether it is the same, and whether it is known how long a tick is.
func TestWhatADifferenceSays(t *testing.T) {
	contract := func(words ...string) diff.Change {
		c := diff.Change{Element: diff.TheContract}
		for _, w := range words {
			c.Terms = append(c.Terms, diff.Term{Word: w, Was: "was " + w, Now: "now " + w})
		}
		return c
	}
	for _, c := range []struct {
		changes []diff.Change
		want    string
	}{
		{nil, "  false"},
		{[]diff.Change{contract("calendar")}, "  false"},
		{[]diff.Change{{Element: diff.Event, Terms: []diff.Term{{Word: "start", Was: "1", Now: "2"}}}}, "  false"},
		{[]diff.Change{{Element: diff.Event}, contract("calendar"), contract("calendar", "start")}, "was start now start true"},
	} {
		was, now, moved := (&Difference{Changes: c.changes}).Start()
		if got := fmt.Sprintf("%s %s %t", was, now, moved); got != c.want {
			t.Errorf("%+v: %s, want %s", c.changes, got, c.want)
		}
	}
	whole := &Behaviour{}
	if d := (&Difference{}); d.Full() != &d.All || (&Difference{Whole: whole}).Full() != whole {
		t.Error("it is not the full behaviour")
	}
	for _, c := range []struct {
		b    Behaviour
		want bool
	}{
		{Behaviour{Relation: delta.Same}, true}, {Behaviour{Relation: delta.Less}, false}, {Behaviour{Relation: delta.Same, Owed: &Owed{Relation: delta.Same}}, true},
		{Behaviour{Relation: delta.Same, Owed: &Owed{Relation: delta.Less}}, false}, {Behaviour{Relation: delta.Less, Owed: &Owed{Relation: delta.Same}}, false},
	} {
		if c.b.Same() != c.want {
			t.Errorf("%+v is the same: %t", c.b, !c.want)
		}
	}
	for tick, want := range map[Tick]bool{{"day", "month"}: true, {"", "month"}: false, {"day", ""}: false} {
		if tick.Known() != want {
			t.Errorf("%+v is known: %t", tick, !want)
		}
	}
	owed := Owed{Norms: []NormDifference{{Norm: "a"}}, Untimed: []NormDifference{{Norm: "b"}}}
	if all := owed.All(); len(all) != 2 || all[0].Norm != "a" || all[1].Norm != "b" {
		t.Errorf("%+v", all)
	}
}

// TestDifferencesOfOneNorm: the end of the contract is not a norm of that name. A norm is amended if its own text is, or more of it than how often it occurs.
func TestDifferencesOfOneNorm(t *testing.T) {
	duty, end, other := NormDifference{Norm: "contract", Kind: "obligation"}, NormDifference{Norm: "contract", Kind: endOfContract}, NormDifference{Norm: "contract", Kind: "power"}
	if duty.SameNorm(end) || end.SameNorm(duty) || !duty.SameNorm(other) || duty.SameNorm(NormDifference{Norm: "pay", Kind: "obligation"}) || !end.SameNorm(end) {
		t.Error("another norm")
	}
	times := func(was, now string) []diff.Term { return []diff.Term{{Word: "times", Was: was, Now: now}} }
	for _, c := range []struct {
		norm, kind string
		change     diff.Change
		want       bool
	}{
		{"pay", "obligation", diff.Change{Element: diff.Obligation, Name: "pay"}, true},
		{"pay", "obligation", diff.Change{Element: diff.Obligation, Name: "ship"}, false},
		{"pay", "obligation", diff.Change{Element: diff.Power, Name: "pay"}, false},
		{"pay[2]", "obligation", diff.Change{Element: diff.Obligation, Name: "pay"}, true},
		{"pay[2]", "obligation", diff.Change{Element: diff.Obligation, Name: "pay[2]"}, true},
		{"pay[2]", "obligation", diff.Change{Element: diff.Obligation, Name: "pay", Terms: times("2", "3")}, false},
		{"pay[3]", "obligation", diff.Change{Element: diff.Obligation, Name: "pay", Terms: times("2", "3")}, true},
		{"pay[3]", "obligation", diff.Change{Element: diff.Obligation, Name: "pay", Terms: times("3", "2")}, true},
		{"pay[2]", "obligation", diff.Change{Element: diff.Obligation, Name: "pay", Terms: times("", "3")}, true},
		{"pay[2]", "obligation", diff.Change{Element: diff.Obligation, Name: "pay", Terms: times("2", "")}, true},
		{"pay[0]", "obligation", diff.Change{Element: diff.Obligation, Name: "pay", Terms: times("", "3")}, true},
		{"pay[0]", "obligation", diff.Change{Element: diff.Obligation, Name: "pay", Terms: times("2", "")}, true},
		{"pay", "obligation", diff.Change{Element: diff.Obligation, Name: "pay", Terms: times("2", "3")}, true},
		{"pay[1]", "obligation", diff.Change{Element: diff.Obligation, Name: "pay", Terms: append(times("2", "3"), diff.Term{Word: "within", Was: "2", Now: "3"})}, true},
		{"contract", endOfContract, diff.Change{Element: diff.TheContract, Name: "sale"}, true},
		{"contract", endOfContract, diff.Change{Element: diff.Obligation, Name: "contract"}, false},
	} {
		if got := (&NormDifference{Norm: c.norm, Kind: c.kind}).Amended([]diff.Change{c.change}); got != c.want {
			t.Errorf("%s by %+v: %t", c.norm, c.change, got)
		}
	}
}

// TestWaysToBringAnEventAbout: it is freer if some way now takes all parties of none before, harder if a way before is gone and none now does with its parties.
func TestWaysToBringAnEventAbout(t *testing.T) {
	a, b, both := []string{"a"}, []string{"b"}, []string{"a", "b"}
	for _, c := range []struct {
		was, now      [][]string
		freer, harder bool
	}{
		{[][]string{a}, [][]string{a}, false, false}, {[][]string{both}, [][]string{a}, true, false}, {[][]string{a}, [][]string{both}, false, true},
		{[][]string{a}, [][]string{b}, true, true}, {[][]string{a}, [][]string{a, b}, true, false}, {[][]string{a, b}, [][]string{b}, false, true}, {[][]string{both}, [][]string{a, b}, true, false},
	} {
		act := &Act{Was: c.was, Now: c.now, SeenBefore: a, SeenNow: b}
		if act.Freer() != c.freer || act.Harder() != c.harder {
			t.Errorf("by %v, now %v: freer %t, harder %t", c.was, c.now, act.Freer(), act.Harder())
		}
		if before, now := act.Seen("a"); !before || now {
			t.Errorf("a sees it: %t, %t", before, now)
		}
	}
}

// TestMerged: states are counted as one where their difference is not that of the models, which is known of both.
func TestMerged(t *testing.T) {
	model := func(states, ends int64) *Model {
		return &Model{States: big.NewInt(states), DeadEnds: big.NewInt(ends)}
	}
	large := new(big.Int).Lsh(big.NewInt(1), 80)
	for _, c := range []struct {
		states     States
		base, head *Model
		want       bool
	}{
		{States{Appeared: 3, Vanished: 1}, model(5, 1), model(7, 1), false},
		{States{Appeared: 3, Vanished: 1}, model(5, 1), model(8, 1), true},
		{States{NewDead: 2, LostDead: 1}, model(5, 1), model(5, 2), false},
		{States{NewDead: 2, LostDead: 1}, model(5, 1), model(5, 1), true},
		{States{Appeared: 3}, &Model{DeadEnds: big.NewInt(1)}, model(5, 1), false},
		{States{Appeared: 3}, model(5, 1), &Model{DeadEnds: big.NewInt(1)}, false},
		{States{Exact: &StateCounts{Appeared: large, Vanished: new(big.Int), NewDead: new(big.Int), LostDead: new(big.Int)}}, model(0, 0), &Model{States: large, DeadEnds: new(big.Int)}, false},
	} {
		if c.states.Merge(c.base, c.head); c.states.Merged != c.want {
			t.Errorf("%+v: merged %t", c.states, !c.want)
		}
	}
	elsewhere := []Situation{{}, {Differs: []Change{{}}}}
	if (&States{}).SameStepsDiffer() || (&States{AppearedShown: elsewhere[:1]}).SameStepsDiffer() || !(&States{AppearedShown: elsewhere}).SameStepsDiffer() || !(&States{VanishedShown: elsewhere}).SameStepsDiffer() {
		t.Error("by the same steps to other states")
	}
}
