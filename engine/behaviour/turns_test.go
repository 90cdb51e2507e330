package behaviour

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/product"
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

// TestSetNumbers: sets are told apart by their numbers, and the same set has the same number.
func TestSetNumbers(t *testing.T) {
	known, of := map[string]int{}, map[int]string{}
	for range 2 {
		for _, set := range [][]uint32{{0}, {5}, {1, 2}, {2, 3}, {1, 2, 3}} {
			n := setNumber(known, set)
			if other := of[n]; other != "" && other != fmt.Sprint(set) {
				t.Errorf("%v and %v are both %d", other, set, n)
			}
			of[n] = fmt.Sprint(set)
		}
	}
	if len(of) != 5 {
		t.Errorf("numbers of five sets: %v", of)
	}
}

// together returns a search whose sides have the same states, each with arcs: a label and the next state. All labels are seen but 0, if some are hidden.
func together(hidden bool, states ...[][2]uint32) *pairSearch {
	all := &delta.System{First: []uint32{0}}
	for _, arcs := range states {
		for _, a := range arcs {
			all.Label, all.Target = append(all.Label, a[0]), append(all.Target, a[1])
		}
		all.First = append(all.First, uint32(len(all.Label)))
	}
	c := &comparison{Versions: &Versions{}, sides: [2]*modelled{{system: all}, {system: all}}}
	s := &pairSearch{comparison: c, language: language{relabel: []uint32{0, 1}}, ctx: context.Background(), met: map[[2]int]bool{}, sets: map[string]int{}}
	if s.each = func(p, next pairing, word uint32) error { return nil }; hidden {
		s.o = func(Sight) bool { return true }
	}
	return s
}

// TestSetsOfStates: the states in which the other side can be are sorted, each once, with those to which hidden steps lead.
func TestSetsOfStates(t *testing.T) {
	states := [][][2]uint32{{{1, 2}, {1, 1}}, {{1, 2}, {1, 1}, {0, 3}}, {{1, 2}, {1, 1}}, {{0, 1}, {1, 1}}}
	for _, c := range []struct {
		hidden     bool
		steps      int // that were followed before
		from, want []uint32
	}{
		{false, 0, []uint32{0}, []uint32{1, 2}}, {false, 0, []uint32{1, 2}, []uint32{1, 2}},
		{true, 0, []uint32{0}, []uint32{1, 2, 3}}, {true, 0, []uint32{3}, []uint32{1, 3}},
		{false, 4095, []uint32{0}, []uint32{1, 2}}, {false, comparingSteps - 2, []uint32{0}, []uint32{1, 2}},
	} {
		s := together(c.hidden, states...)
		s.steps = c.steps
		if got, err := s.after(c.from, 1); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("after %v, hidden %t: %v, %v", c.from, c.hidden, got, err)
		}
	}
	for _, from := range [][]uint32{{3}, {1, 3}} {
		if got, err := together(true, states...).closed(from); err != nil || !slices.Equal(got, []uint32{1, 3}) {
			t.Errorf("%v with what is hidden: %v, %v", from, got, err)
		}
	}
}

// TestASearchSaysThatItFails: if its work is done, or what is found fails, whether at the first step or at a later one.
func TestASearchSaysThatItFails(t *testing.T) {
	for _, hidden := range []bool{false, true} {
		s := together(hidden, [][2]uint32{{0, 0}, {1, 0}})
		s.steps = comparingSteps
		if err := s.run(); err == nil {
			t.Errorf("too many steps, hidden %t: no error", hidden)
		}
	}
	s := together(false, [][2]uint32{{1, 0}})
	fails := errors.New("it fails")
	if s.each = func(p, next pairing, word uint32) error { return fails }; !errors.Is(s.run(), fails) {
		t.Error("what is found fails, and the search does not")
	}
}

// TestARefusedStepIsNotFollowed: after it the other side is nowhere, so that nothing can be compared.
func TestARefusedStepIsNotFollowed(t *testing.T) {
	s := together(false, [][2]uint32{{1, 0}})
	s.sides[1] = &modelled{system: &delta.System{First: []uint32{0, 0}}}
	steps := 0
	s.each = func(p, next pairing, word uint32) error { steps++; return nil }
	if err := s.run(); err != nil || steps != 1 {
		t.Errorf("%d steps, %v", steps, err)
	}
}

// TestBesideARun: the other version is where the same steps lead but for the last, or it is not known where.
func TestBesideARun(t *testing.T) {
	never := func(transition string) string {
		return strings.Replace(waiter, "transition \""+transition+"\" {\n    from = ", "transition \""+transition+"\" {\n    from = c\n    to   = c\n  }\n  transition \"other\" {\n    from = ", 1)
	}
	for _, c := range []struct {
		name, base string
		tries      int
		broken     bool // the run is none of head
		want       string
	}{
		{"all of it", strings.Replace(waiter, "#", wayBack, 1), maxConfirming, false, "1 <nil>"},
		{"all but the last step", never("on"), maxConfirming, false, "1 <nil>"},
		{"not even that", never("go"), maxConfirming, false, "0 " + doesNotReplay + "the other draft takes other steps"},
		{"too much to try", strings.Replace(waiter, "#", wayBack, 1), 0, false, "0 " + errTooFar.Error()},
		{"another run", strings.Replace(waiter, "#", wayBack, 1), maxConfirming, true, "0 " + doesNotReplay + "the run does not start in the initial marking"},
	} {
		compared := comparing(t, c.base, waiter)
		follow := compared.followers(compared.observer(nil, stepsAlone))
		run, err := follow[1].walk([]int{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		if c.broken {
			run.markings[0] = run.markings[1]
		}
		follow[0].left = c.tries
		got, err := beside(follow[1], follow[0], run, nil)
		if said := fmt.Sprint(len(got), " ", err); said != c.want {
			t.Errorf("%s: %s", c.name, said)
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
		name  string
		ctx   context.Context
		steps int
		tries int // of transitions, to confirm what is found
		is    func(error) bool
	}{
		{"no limit", t.Context(), 0, maxConfirming, func(err error) bool { return err == nil }},
		{"steps", t.Context(), comparingSteps, maxConfirming, func(err error) bool { limit := (*delta.LimitError)(nil); return errors.As(err, &limit) }},
		{"time", ended, 4094, maxConfirming, func(err error) bool { return errors.Is(err, context.Canceled) }},
		{"tries", t.Context(), 0, 0, func(err error) bool { return err != nil && err.Error() == errTooFar.Error() }},
	} {
		s := compared().sideBySide(c.ctx, 1, nil)
		s.each, s.steps = s.refused, c.steps
		s.replay[0].left = c.tries
		if err := s.run(); !c.is(err) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	c := compared()
	w := &vast{comparison: c}
	var err error
	if w.Versions, err = product.New(t.Context(), v.Base.Draft.Net, v.Head.Draft.Net, c.Of); err != nil {
		t.Fatal(err)
	}
	for ctx, known := range map[context.Context]bool{t.Context(): true, ended: false} {
		d := &finding.Difference{All: finding.Behaviour{Owed: &finding.Owed{}}}
		if w.turn(ctx, d); (d.Unturned == "") != known || known != (len(d.Turns) > 0) {
			t.Errorf("on diagrams: %+v, %q", d.Turns, d.Unturned)
		}
	}
}
