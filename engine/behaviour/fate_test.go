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
	"github.com/redlinehq/redline/hclspec"
)

// TestAFateThatIsNotDecided: where a limit ends the comparison by fates, the difference in ticks is shown, and nothing is said to be proved.
func TestAFateThatIsNotDecided(t *testing.T) {
	owing := func(within string) string {
		return waiter + "event \"goes\" {\n  sync = { p = go }\n}\nobligation \"o\" {\n  bearer = p\n  fulfil = goes\n  within = " + within + "\n}\n"
	}
	c := comparing(t, owing("3"), owing("30"))
	real := func(as aspect) askedOf {
		g := c.language(nil, as)
		return c.ask(context.Background(), g, "", nil, len(g.words))
	}
	reason := func(err error) string { return err.Error() }
	if o := c.owing(real, reason); len(o.Norms) != 1 || o.Norms[0].Reason != "" || o.Norms[0].TimeAlone || len(o.Norms[0].Run) != 3 {
		t.Errorf("without a limit: %+v", o)
	}
	for name, limited := range map[string]askedOf{
		"it is not known":     {confirmation: &confirmation{}},
		"nothing was found":   {confirmation: &confirmation{}, err: errors.New("the limit")},
		"it is known to vary": {relation: delta.Both, confirmation: &confirmation{}, err: errors.New("the limit")},
		"no run shows it":     {relation: delta.Both, confirmation: &confirmation{leftOut: 1}},
		"it does not replay":  {relation: delta.Same, confirmation: &confirmation{err: errors.New("elsewhere")}},
	} {
		o := c.owing(func(as aspect) askedOf {
			if as == withFates {
				return limited
			}
			return real(as)
		}, reason)
		if len(o.Norms) != 1 || o.Norms[0].TimeAlone || len(o.Norms[0].Run) != 0 || len(o.Norms[0].Better) != 1 || o.Norms[0].Reason == "" {
			t.Errorf("%s: %+v", name, o)
		}
	}
	if o := c.owing(func(as aspect) askedOf {
		if as == withFates {
			return askedOf{relation: delta.Same, confirmation: &confirmation{}}
		}
		return real(as)
	}, reason); !o.Norms[0].TimeAlone || o.Norms[0].Better != nil || o.Relation == delta.Same {
		t.Errorf("where fates are the same: %+v", o)
	}
	if o := c.owedOf(askedOf{relation: delta.Same, reason: "too much", confirmation: &confirmation{}}, reason); o.Reason != "" {
		t.Errorf("what is the same is not known: %s", o.Reason)
	}
}

// TestEasierToFulfil: if all that fulfilled it still does, and more does now: one more act of which each is enough, fewer of those that are all needed, or one of these alone.
func TestEasierToFulfil(t *testing.T) {
	any := func(acts ...string) *normSide { return &normSide{acts: acts} }
	all := func(acts ...string) *normSide { return &normSide{acts: acts, allActs: true} }
	for i, c := range []struct {
		now, was *normSide
		want     bool
	}{
		{any("a", "b"), any("a"), true}, {any("a"), any("a"), false}, {any("a"), any("a", "b"), false}, {any("a", "b"), any("c"), false},
		{all("a"), any("a"), false}, {any("a", "b"), all("a"), true},
		{all("a", "b"), all("a", "b", "c"), true}, {all("a", "b"), all("a", "b"), false}, {all("a", "b", "c"), all("a", "b"), false}, {all("a", "b"), all("c", "d"), false}, {all("a", "d"), all("a", "b", "c"), false},
		{any("a"), all("a", "b"), true}, {any("a", "c"), all("a", "b"), true}, {any("c"), all("a", "b"), false}, {any("c", "d"), all("a", "b"), false},
		{all("a", "b"), any("a"), false}, {all("a", "b"), any("a", "b"), false},
		{any("a"), all("a"), false}, {all("a"), any("a", "b"), false}, {all("a", "b"), any("a", "b", "c"), false}, {all("a"), all("a", "b"), true},
		{any("a"), nil, false}, {any(), any("a"), false}, {any("a"), any(), false},
	} {
		if got := c.now.easier(c.was); got != c.want {
			t.Errorf("%d: %+v where it was %+v: %t", i, c.now, c.was, got)
		}
	}
}

// TestWhatIsShownTwice: a second run is shown if it is better or worse for others, or if it is for nobody and of other states.
func TestWhatIsShownTwice(t *testing.T) {
	owed, held := []finding.NormState{{State: "owed"}}, []finding.NormState{{State: "held"}}
	shown := func(better, worse string, was, now []finding.NormState) *shownNorm {
		return &shownNorm{NormDifference: finding.NormDifference{Better: strings.Fields(better), Worse: strings.Fields(worse), Was: was, Now: now}}
	}
	for _, c := range []struct {
		name string
		a, b *shownNorm
		want bool
	}{
		{"the same for each", shown("ann", "bob", owed, held), shown("ann", "bob", held, owed), true},
		{"better for one alone", shown("ann", "", owed, held), shown("ann", "", held, owed), true},
		{"better for others", shown("ann", "bob", owed, held), shown("cid", "bob", owed, held), false},
		{"worse for others", shown("ann", "bob", owed, held), shown("ann", "cid", owed, held), false},
		{"for nobody, of the same states", shown("", "", owed, held), shown("", "", owed, held), true},
		{"for nobody, it was otherwise", shown("", "", owed, held), shown("", "", held, held), false},
		{"for nobody, it is otherwise", shown("", "", owed, held), shown("", "", owed, owed), false},
	} {
		if got := c.a.repeats(*c.b); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestStatesThatAreNotListed: what a party or norm is of which a state is not listed: not begun, not there, or a clock that does not run.
func TestStatesThatAreNotListed(t *testing.T) {
	const duty = "obligation \"o\" {\n  bearer = ann\n  fulfil = goods\n  when = order\n}\n"
	const rest = "party \"ann\" {}\nevent \"order\" { by = ann }\nevent \"goods\" {\n  by = ann\n%s}\n"
	base, head := "contract \"c\" {}\n"+fmt.Sprintf(rest, "  not_before = { order = 1 }\n")+duty, "contract \"c\" { ends = [goods] }\n"+fmt.Sprintf(rest, "")
	c := comparing(t, base, head)
	clock := c.Base.Draft.Parties[slices.IndexFunc(c.Base.Draft.Parties, func(p *hclspec.Party) bool { return compile.IsWatcher(p) && p.Name != "o" })].Name
	for name, want := range map[string][2]string{
		"o": {"not owed", "not in the contract"}, "contract": {"in force", "in force"}, "ann": {"not in the contract", "not in the contract"}, clock: {"not running", "not in the contract"},
	} {
		for side := range want {
			if got := c.unseen(side, name); got != want[side] {
				t.Errorf("%s on side %d: %s, want %s", name, side, got, want[side])
			}
		}
	}
	p := c.oneOf(0, finding.PartyState{Party: "o"}, [][]finding.PartyState{{{Party: "o", Places: []string{"owed"}}}, {{Party: "o", Places: []string{"breached"}}}, {{Party: "o", Places: []string{"owed"}}}, nil, {{Party: "o"}}})
	if got := fmt.Sprint(p.Places); got != "[breached, or not owed, or nothing, or owed]" {
		t.Errorf("one of several states: %s", got)
	}
}

// TestTooManyEnds: if a version can be in more than eight states after a run, or anywhere at other times, only the norm is described.
func TestTooManyEnds(t *testing.T) {
	c := comparing(t, waiter+"party \"bank\" {}\n", waiter+"event \"goes\" { sync = { p = go } }\nobligation \"o\" {\n  bearer = p\n  fulfil = goes\n}\n")
	some := func(side, n int) []ending {
		return slices.Repeat([]ending{{marking: c.sides[side].Net.Initial}}, n)
	}
	d := &finding.NormDifference{Norm: "o", Kind: "obligation", Was: []finding.NormState{{}}, Now: []finding.NormState{{State: "owed", Bearer: "p"}}}
	const norm = "[{o  [not owed]}] [{o  [owed by the p]}] []"
	for _, e := range []struct {
		untimed  bool
		was, now int
		alone    bool
	}{{false, mostEnds, 1, false}, {false, 1, mostEnds, false}, {false, mostEnds + 1, 1, true}, {false, 1, mostEnds + 1, true}, {true, 1, 1, true}} {
		ends := c.endsOf(owedRun{untimed: e.untimed, ends: [2][]ending{some(0, e.was), some(1, e.now)}}, d)
		if got := fmt.Sprint(ends.Before, ends.Now, ends.Both); (got == norm) != e.alone || ends.Alone != e.untimed {
			t.Errorf("%+v: %s", e, got)
		}
	}
}
