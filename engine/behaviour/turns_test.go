package behaviour

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// TestHowANormTurns: an event turns a norm by what it was and what it is then, and by what the event means to it.
func TestHowANormTurns(t *testing.T) {
	const none, breached, owed, longer, others, suspended = 0, codeBreached, codeLive, codeLive + 3, codeTenure + codeLive, codeSuspended + codeLive
	duty := &normSide{kind: "obligation", acts: []string{"act"}, begins: []string{"order"}}
	power := &normSide{kind: "power", acts: []string{"act"}, begins: []string{"order"}}
	permission, ban := &normSide{kind: "permission", acts: []string{"act"}}, &normSide{kind: "prohibition", acts: []string{"act"}}
	begins, used, resumes, ends := finding.TurnBegins, finding.TurnUsed, finding.TurnResumes, finding.TurnEnds
	for _, c := range []struct {
		name     string
		of       *normSide
		event    string
		from, to int16
		want     []finding.TurnKind
	}{
		{"it begins", duty, "order", none, owed, []finding.TurnKind{begins}},
		{"it begins again", duty, "order", breached, owed, []finding.TurnKind{begins}},
		{"it binds already", duty, "order", owed, owed, nil},
		{"it does not begin", duty, "order", none, none, nil},
		{"it begins by something else", duty, "act", none, owed, nil},
		{"it ends", duty, "act", owed, none, []finding.TurnKind{ends}},
		{"it is breached", duty, "act", owed, breached, nil},
		{"it is breached by others", duty, "act", owed, codeTenure + breached, nil},
		{"it has more time", duty, "act", owed, longer, []finding.TurnKind{ends}},
		{"it has less time", duty, "act", longer, owed, nil},
		{"it binds others", duty, "act", owed, others, []finding.TurnKind{ends}},
		{"it binds others, with less time", duty, "act", longer, others, []finding.TurnKind{ends}},
		{"it is suspended", duty, "act", owed, suspended, []finding.TurnKind{ends}},
		{"it is suspended, with less time", duty, "act", longer, suspended, []finding.TurnKind{ends}},
		{"it stays suspended", duty, "act", suspended, suspended, nil},
		{"it resumes", duty, "order", suspended, owed, []finding.TurnKind{resumes}},
		{"it ends while it is suspended", duty, "act", suspended, none, []finding.TurnKind{ends}},
		{"it stays over", duty, "act", breached, none, nil},
		{"a use", power, "act", owed, owed, []finding.TurnKind{used}},
		{"a use that ends it", power, "act", owed, none, []finding.TurnKind{used}},
		{"a use of what is not there", power, "act", none, none, nil},
		{"a use of what begins by it", &normSide{kind: "power", acts: []string{"act"}, begins: []string{"act"}}, "act", none, owed, []finding.TurnKind{begins}},
		{"no use", power, "order", owed, none, []finding.TurnKind{ends}},
		{"what is permitted", permission, "act", owed, owed, []finding.TurnKind{used}},
		{"what is forbidden", ban, "act", owed, breached, nil},
	} {
		if got := c.of.turns(c.event, c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestTurnsOfNorms: the norms of both versions turn by the events of a step, and neither the end of the contract nor what is no event turns anything.
func TestTurnsOfNorms(t *testing.T) {
	duty := &normSide{kind: "obligation", begins: []string{"order"}}
	end := &normSide{kind: finding.EndOfContract, begins: []string{"order"}}
	x := &Observables{Actions: []Action{{Kind: EventAction, Name: "talk"}, {Kind: EventAction, Name: "order"}, {Kind: EventAction + 1, Name: "order"}}, norms: []norm{
		{of: [2]*normSide{nil, duty}}, {of: [2]*normSide{duty, nil}}, {of: [2]*normSide{end, end}}, {of: [2]*normSide{duty, duty}},
	}}
	from, to := make([]int16, 4), []int16{codeLive, codeLive, codeLive, codeLive}
	if got := x.turnsBy(1, Observation{0, 2, 1}, from, to); !slices.Equal(got, []turnBy{{3, 1, finding.TurnBegins}}) {
		t.Errorf("%+v", got)
	}
}

// TestMayTurn: turns are asked for under the setting owed, of versions of which the steps may differ.
func TestMayTurn(t *testing.T) {
	for _, c := range []struct {
		owed     bool
		of       *finding.Owed
		relation delta.Relation
		want     bool
	}{
		{true, &finding.Owed{}, delta.More, true}, {true, &finding.Owed{}, delta.Less, true}, {true, &finding.Owed{}, delta.Unknown, true},
		{true, &finding.Owed{}, delta.Same, false}, {true, &finding.Owed{}, delta.Otherwise, false}, {false, &finding.Owed{}, delta.More, false}, {true, nil, delta.More, false},
	} {
		compared := &comparison{Versions: &Versions{Budget: finding.Budget{Owed: c.owed}}}
		if got := compared.mayTurn(&finding.Behaviour{Relation: c.relation, Owed: c.of}); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

// TestSharedSteps: what both versions have is shared, and so is time, if it is counted.
func TestSharedSteps(t *testing.T) {
	x := &Observables{All: []Sight{{Action: 0}, {Action: 1}, {Action: 2}}, plain: 3, Of: [2][]int{{0, 1, 2}, {0, 2}}, Time: 2}
	timeless := *x
	timeless.Time, timeless.All, timeless.Of = -1, x.All[:2], [2][]int{{0}, {0}}
	for i, want := range []bool{true, false, true} {
		if x.shared()(x.All[i]) != want {
			t.Errorf("step %d is shared: %t", i, !want)
		}
	}
	if timeless.shared()(Sight{Action: glanceAction, not: []int{0}}) {
		t.Error("what some parties do not see is shared, since time is not counted")
	}
	if first := (&Observables{All: []Sight{{Action: 0}}, Of: [2][]int{{0}, {}}}); !first.shared()(Sight{}) {
		t.Error("time is not shared")
	}
	if !x.unshared() {
		t.Error("every step is shared")
	}
	if timeless.plain = 1; timeless.unshared() {
		t.Error("a step is not shared")
	}
}

// TestPairingsWithinMemory: each pairing is met once, and they take no more than there is.
func TestPairingsWithinMemory(t *testing.T) {
	for memory, want := range map[finding.Bytes]bool{0: true, 2*bytesPerPairing + 12: true, 2*bytesPerPairing + 11: false} {
		s := &pairSearch{comparison: &comparison{Versions: &Versions{Budget: finding.Budget{Memory: memory}}}, met: map[[2]int]bool{}, sets: map[string]int{}}
		var err error
		for _, p := range []pairing{{own: 1, others: []uint32{2}}, {own: 1, others: []uint32{2}}, {own: 1, others: []uint32{2, 3}}, {own: 1, others: []uint32{2, 3}}} {
			if err == nil {
				err = s.meet(p)
			}
		}
		if (err == nil) != want || want && len(s.all) != 2 {
			t.Errorf("with %d bytes: %d pairings, %v", memory, len(s.all), err)
		}
	}
}

// TestTurnsWithinLimits: where memory, work or time runs out, turns are not known, and it says so.
func TestTurnsWithinLimits(t *testing.T) {
	const base = "contract \"c\" {}\nparty \"a\" {}\nevent \"e\" { by = a }\nevent \"f\" {\n  by = a\n  only_while = happened(e)\n}\nobligation \"o\" {\n  bearer = a\n  when = f\n  fulfil = e\n}\n"
	side := func(text string) Version {
		d := testkit.DraftOf(t, text)
		f := verify.Decide(t.Context(), d, finding.Budget{Jobs: 1, Engine: finding.Explicit}, nil, verify.ProposeNothing)
		return Version{Draft: d, Asked: f.Draft, Model: f.Listed}
	}
	v := &Versions{Base: side(base), Head: side(strings.Replace(base, "  only_while = happened(e)\n", "", 1)), Budget: finding.Budget{Owed: true}}
	compared := func() *comparison {
		v.Budget.Memory = 0
		c, why := v.compared(t.Context(), ObservablesOf(v.Base.Draft, v.Head.Draft, compile.Naming{}))
		if c == nil {
			t.Fatal(why)
		}
		return c
	}
	for memory, known := range map[finding.Bytes]bool{0: true, 1: false} {
		c, d := compared(), &finding.Difference{All: finding.Behaviour{Owed: &finding.Owed{}}}
		c.Budget.Memory = memory
		if c.turn(t.Context(), d); (d.Unturned == "") != known || known && len(d.Turns) == 0 {
			t.Errorf("with memory %d: %+v, %q", memory, d.Turns, d.Unturned)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx   context.Context
		steps int
		is    func(error) bool
	}{
		{t.Context(), 0, func(err error) bool { return err == nil }},
		{t.Context(), comparingSteps, func(err error) bool { limit := (*delta.LimitError)(nil); return errors.As(err, &limit) }},
		{ended, 4094, func(err error) bool { return errors.Is(err, context.Canceled) }},
	} {
		s := compared().sideBySide(c.ctx, 1, nil)
		s.each, s.steps = s.refused, c.steps
		if err := s.run(); !c.is(err) {
			t.Errorf("after %d steps: %v", c.steps, err)
		}
	}
}
