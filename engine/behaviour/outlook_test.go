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
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/verify"
)

// leaving is a contract with a power to leave. Its amendment, of which the text is left, has a step of the other party after which it is not used any more.
const (
	leaving = "contract \"c\" {}\nparty \"ann\" {}\nparty \"bob\" {}\nevent \"exit\" { by = bob }\nevent \"order\" { by = bob }\nevent \"talk\" { by = ann }\npower \"leave\" {\n  bearer = bob\n  counterparty = ann\n  when = order\n  exercise = exit\n}\n"
	closing = "event \"close\" { by = ann }\n"
)

func left(text string) string {
	return strings.Replace(text, "\"exit\" { by = bob }", "\"exit\" {\n  by = bob\n  only_while = !happened(close)\n}", 1) + closing
}

// versionsOf has two texts with their states.
func versionsOf(t *testing.T, base, head string) *comparison {
	t.Helper()
	side := func(text string) Version {
		d := testkit.DraftOf(t, text)
		f := verify.Decide(t.Context(), d, finding.Budget{Jobs: 1, Engine: finding.Explicit}, nil, verify.ProposeNothing)
		return Version{Draft: d, Asked: f.Draft, Model: f.Listed}
	}
	v := &Versions{Base: side(base), Head: side(head), Budget: finding.Budget{Owed: true}}
	c, why := v.compared(t.Context(), ObservablesOf(v.Base.Draft, v.Head.Draft, compile.Naming{}))
	if c == nil {
		t.Fatal(why)
	}
	return c
}

// vastOf has the same without.
func vastOf(t *testing.T, c *comparison) *vast {
	t.Helper()
	w := &vast{comparison: c}
	var err error
	if w.Versions, err = product.New(t.Context(), c.Base.Draft.Net, c.Head.Draft.Net, c.Of); err != nil {
		t.Fatal(err)
	}
	return w
}

// A countdown is a context that is up after it was asked so many times.
type countdown struct {
	context.Context
	asked int
}

func (e *countdown) Err() error {
	if e.asked--; e.asked < 0 {
		return context.Canceled
	}
	return nil
}

// TestForeseenIsReached: the bits of every state say what some run from it leads to, also where that is known late, and where there are more norms than a word has bits.
func TestForeseenIsReached(t *testing.T) {
	ring := "contract \"c\" {}\nparty \"bob\" {\n  state \"s0\" {}\n  state \"s1\" {}\n  state \"s2\" {}\n"
	events := ""
	for i := range 3 {
		ring += fmt.Sprintf("  transition \"t%d\" {\n    from = s%d\n    to   = s%d\n  }\n", i, i, (i+1)%3)
		events += fmt.Sprintf("event \"e%d\" { sync = { bob = t%d } }\n", i, i)
	}
	ring += "}\n" + events + "event \"act\" {\n  by = bob\n  only_while = bob.s0\n}\nevent \"talk\" {\n  by = bob\n  repeats = true\n}\n"
	for i := range 22 {
		ring += fmt.Sprintf("permission \"p%d\" {\n  bearer = bob\n  of = %s\n}\n", i, map[bool]string{true: "act", false: "talk"}[i == 0])
	}
	c := versionsOf(t, ring, ring+"event \"more\" { by = bob }\n")
	l, err := newOutlook(c.sideBySide(t.Context(), 1, nil))
	if err != nil || l.words != 2 {
		t.Fatal(err, l.words)
	}
	known := map[bool]int{}
	for side, f := range c.followers(c.observer(nil, stepsAlone)) {
		for s := range c.sides[side].Graph.Len() {
			for i, of := range l.prospects {
				want, err := c.reaches(f, side, of, c.markings(side, []uint32{uint32(s)}))
				if got := l.open[side][s*l.words+i/64]&(1<<(i%64)) != 0; err != nil || got != want {
					t.Errorf("side %d, state %d, %+v: %t, %v", side, s, of, got, err)
				}
				known[want]++
			}
		}
	}
	if known[true] == 0 || known[false] == 0 {
		t.Errorf("what comes about: %v", known)
	}
}

// TestForeseenByEvents: what is no event uses nothing, though it may have the name of one, as the ticks of one version have where the other counts no time.
func TestForeseenByEvents(t *testing.T) {
	power := &normSide{kind: "power", acts: []string{"tick"}, suspended: -1}
	x := &Observables{Actions: []Action{{EventAction, "tick"}, {TimeAction, "tick"}}, All: []Sight{{Action: 0}, {Action: 1}}, Of: [2][]int{{0, 1}, {1, 0}}, norms: []norm{{of: [2]*normSide{power, power}}}}
	used := prospect{0, finding.TurnUsed}
	for action, want := range []bool{true, false} {
		if got := x.comes(used, 1, Observation{action}, []int16{codeLive}, []int16{codeLive}); got != want {
			t.Errorf("%v: %t", x.Actions[action], got)
		}
	}
	if by := (&vast{comparison: &comparison{lexicon: &lexicon{Observables: x}}}).asked(used).By; !slices.Equal(by[0], []int{0}) || !slices.Equal(by[1], []int{1}) {
		t.Errorf("on diagrams: %v", by)
	}
}

// TestForeseenWithinLimits: where memory, work or time runs out, what can still come about is not known, and it says so; and it is looked for only if the gate asks for it, of
// contracts with norms.
func TestForeseenWithinLimits(t *testing.T) {
	c := versionsOf(t, leaving, left(leaving))
	full := int64(0)
	for _, m := range c.sides {
		full += int64(m.Graph.Len()*(16+2*len(c.norms)+bytesPerState) + 4*len(m.system.Target))
	}
	for memory, want := range map[int64]bool{0: true, full: true, full - 1: false} {
		c.Budget.Memory = finding.Bytes(memory)
		limit := (*delta.LimitError)(nil)
		if _, err := newOutlook(c.sideBySide(t.Context(), 1, nil)); want != (err == nil) || err != nil && !errors.As(err, &limit) {
			t.Errorf("with memory %d: %v", memory, err)
		}
	}
	c.Budget.Memory = 0
	for asked, want := range []bool{false, false, false, false, true} {
		if _, err := newOutlook(c.sideBySide(&countdown{t.Context(), asked}, 1, nil)); want != (err == nil) || err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("time is up after %d questions: %v", asked, err)
		}
	}
	steps, followed := 0, 0 // in all, up to the last question
	for _, c := range []struct {
		beyond int
		want   bool
	}{{-comparingSteps, true}, {0, true}, {1, false}} {
		all := versionsOf(t, leaving, left(leaving))
		l, err := newOutlook(all.sideBySide(t.Context(), 1, all.shared()))
		if err != nil {
			t.Fatal(err)
		}
		before := comparingSteps + c.beyond - steps
		l.steps, l.each = before, func(p, next pairing, word uint32) error {
			defer func() { followed = l.steps - before }()
			return l.lose(p, next, word)
		}
		limit := (*delta.LimitError)(nil)
		if err := l.run(); c.want != (err == nil) || err != nil && !errors.As(err, &limit) {
			t.Errorf("%d steps too many: %v", c.beyond, err)
		}
		steps = followed
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	w := vastOf(t, c)
	for _, one := range []struct {
		ctx         context.Context
		owed        bool
		of          *finding.Owed
		gone, known bool
	}{
		{t.Context(), true, &finding.Owed{}, true, true}, {ended, true, &finding.Owed{}, false, false},
		{t.Context(), false, &finding.Owed{}, false, true}, {t.Context(), true, nil, false, true},
	} {
		c.Budget.Owed = one.owed
		for how, foresee := range map[string]func(context.Context, *finding.Difference){"listed": c.foresee, "on diagrams": w.foresee} {
			d := &finding.Difference{All: finding.Behaviour{Owed: one.of}}
			if foresee(one.ctx, d); one.gone != (len(d.Gone) > 0) || one.known != (d.Unforeseen == "") || one.gone && d.Gone[0].Event != "close" {
				t.Errorf("%s, %+v: %+v, %q", how, one, d.Gone, d.Unforeseen)
			}
		}
	}
}

// TestForeseenIsConfirmed: what is said to be gone and is not, or could not come about before, does not replay, nor does a run that is none.
func TestForeseenIsConfirmed(t *testing.T) {
	never := strings.Replace(leaving, "\"exit\" { by = bob }", "\"exit\" {\n  by = bob\n  only_while = happened(exit)\n}", 1)
	for name, text := range map[string]string{"it still can": leaving, "it never could": never} {
		l, err := newOutlook(versionsOf(t, text, text+closing).sideBySide(t.Context(), 1, nil))
		if err != nil {
			t.Fatal(err)
		}
		use := uint64(1) << slices.IndexFunc(l.prospects, func(p prospect) bool { return p.how == finding.TurnUsed })
		for i := range l.open[0] {
			l.open[0][i] |= use
		}
		for i := range l.open[1] {
			l.open[1][i] &^= use
		}
		l.open[1][0] |= use
		if err := l.search(&finding.Difference{}); err == nil || !strings.HasPrefix(err.Error(), doesNotReplay) {
			t.Errorf("%s: %v", name, err)
		}
	}

	owing := strings.NewReplacer("power", "obligation", "exercise", "fulfil", "  when = order\n", "").Replace(leaving)
	l, err := newOutlook(versionsOf(t, owing, owing+closing).sideBySide(t.Context(), 1, nil))
	if err != nil {
		t.Fatal(err)
	}
	l.open[1][0] &^= 1 << slices.IndexFunc(l.prospects, func(p prospect) bool { return p.how == finding.TurnFulfilledAlone })
	if err := l.search(&finding.Difference{}); err == nil || !strings.HasPrefix(err.Error(), doesNotReplay) {
		t.Errorf("others are needed from the start: %v", err)
	}
	if _, err := newOutlook(l.sideBySide(&countdown{t.Context(), 0}, 1, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("time is up: %v", err)
	}
	for side := range l.sides {
		l.sides[side].Rule = petri.All
		if slices.ContainsFunc(l.comparison.prospects(), func(p prospect) bool { return p.how == finding.TurnFulfilledAlone }) {
			t.Error("where several transitions fire at once it is not asked who fulfils alone")
		}
		l.sides[side].Rule = petri.One
	}

	c := versionsOf(t, leaving, left(leaving))
	w := vastOf(t, c)
	kept := c.shared()
	used := prospect{slices.IndexFunc(c.norms, func(n norm) bool { return n.name == "leave" }), finding.TurnUsed}
	called := func(name string) int {
		return slices.IndexFunc(c.Head.Draft.Net.Transitions, func(tr petri.Transition) bool { return tr.Name == name })
	}
	shut, order := called("close"), called("order")
	run, err := w.confirmLoss(used, kept, []int{order, shut}, maxConfirming)
	if err != nil || len(run.steps) != 2 {
		t.Fatal(run, err)
	}
	if _, err := w.confirmLoss(used, kept, []int{order, shut}, 0); err != nil {
		t.Errorf("too much to try refutes nothing: %v", err)
	}
	for name, wrong := range map[string][]int{"no run": {shut, shut}, "no loss": {order}} {
		if _, err := w.confirmLoss(used, kept, wrong, maxConfirming); err == nil {
			t.Errorf("on diagrams %s is confirmed", name)
		}
	}
	then, err := c.alongside(used, kept, run, nil)
	if err != nil || len(then) != 1 {
		t.Fatal(then, err)
	}
	enough := 2 * len(c.Head.Draft.Net.Transitions) // in two states of head, of which base needs one
	for most, want := range map[int]error{0: errTooFar, enough - 1: errTooFar, enough: nil} {
		if err := c.comesNoMore(used, then, run, most); !errors.Is(err, want) {
			t.Errorf("with %d tries: %v", most, err)
		}
	}
	run.markings[0] = run.markings[1]
	if _, err := c.alongside(used, kept, run, nil); err == nil {
		t.Error("a run that does not start at the start")
	}
}
