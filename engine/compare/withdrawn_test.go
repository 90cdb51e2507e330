package compare

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// promising writes a contract of one party that comes to ok, with requirements as "name: formula" and what else they say.
func promising(requirements ...string) string {
	text := "contract \"c\" {}\nparty \"a\" {\n  state \"s\" {}\n  state \"ok\" {}\n  transition \"t\" {\n    from = s\n    to   = ok\n  }\n}\n"
	for _, r := range requirements {
		name, rest, _ := strings.Cut(r, ": ")
		formula, terms, _ := strings.Cut(rest, "; ")
		text += "requirement \"" + name + "\" {\n  ctl = \"" + formula + "\"\n  " + terms + "\n}\n"
	}
	return text
}

// holding returns verdicts by which a draft keeps all it requires.
func holding(d *compile.Draft) (all []finding.Requirement) {
	for _, r := range d.Spec.Requirements {
		all = append(all, finding.Requirement{Name: r.Name, Verdict: finding.Holds})
	}
	return all
}

// impliedBy returns the name of what implies base's requirement r, where head keeps all it requires.
func impliedBy(m *compile.Amendment, head *compile.Draft) string {
	if by := implied(context.Background(), m, head, holding(head), verify.BaseQuestions(head, m), "r"); by != nil {
		return by.Name
	}
	return ""
}

// TestImpliedByWhatIsKept: what head breaks implies nothing, and what it may break leaves open whether the promise is withdrawn.
func TestImpliedByWhatIsKept(t *testing.T) {
	base, head := testkit.DraftOf(t, promising("r: AF a.ok")), testkit.DraftOf(t, promising("p: AF a.ok && EF a.s", "q: AF a.ok && AF (a.s || a.ok)"))
	m := compile.Amend(base, head)
	for _, c := range []struct {
		p, q finding.Verdict
		want finding.Kind
		by   string
	}{
		{finding.Holds, finding.Violated, finding.Kept, "p"},
		{finding.Unknown, finding.Holds, finding.Kept, "q"},
		{finding.Violated, finding.Violated, finding.Dropped, ""},
		{finding.Violated, finding.Unknown, finding.Undecided, ""},
	} {
		f := finding.Finding{Kind: finding.Kept, Name: "r", Old: true, Base: &finding.Requirement{Name: "r", Verdict: finding.Holds}, Head: &finding.Requirement{Name: "r", Verdict: finding.Holds}}
		now := holding(head)
		now[0].Verdict, now[1].Verdict, now[1].Reason = c.p, c.q, "why"
		withdrawn(t.Context(), &f, m, head, now, verify.BaseQuestions(head, m))
		if f.Kind != c.want || f.Implied != c.by || (f.Head.Verdict == finding.Unknown) != (c.want == finding.Undecided) {
			t.Errorf("p %s, q %s: %s, implied by %q, %s", c.p, c.q, f.Kind, f.Implied, f.Head.Reason)
		}
	}
}

// TestImpliedInTime: whether a promise is withdrawn is undecided if the time limit runs out before it is known.
func TestImpliedInTime(t *testing.T) {
	base, head := testkit.DraftOf(t, promising("r: AF a.ok")), testkit.DraftOf(t, promising("q: EF a.s"))
	m := compile.Amend(base, head)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	f := finding.Finding{Kind: finding.Kept, Name: "r", Old: true, Base: &finding.Requirement{Name: "r", Verdict: finding.Holds}, Head: &finding.Requirement{Name: "r", Verdict: finding.Holds}}
	if withdrawn(ended, &f, m, head, holding(head), verify.BaseQuestions(head, m)); f.Kind != finding.Undecided || f.Head.Verdict != finding.Unknown {
		t.Errorf("%s, %s", f.Kind, f.Head.Verdict)
	}
}

// TestWithdrawn: a promise that base kept, or may have kept, is withdrawn unless head makes one that implies it. What base broke is not.
func TestWithdrawn(t *testing.T) {
	base, other := testkit.DraftOf(t, promising("r: AF a.ok")), testkit.DraftOf(t, promising("q: EF a.s"))
	more := testkit.DraftOf(t, promising("p: EF a.s", "q: AF a.ok && EF a.s"))
	for _, c := range []struct {
		kind finding.Kind
		base finding.Verdict
		want finding.Kind
		gone bool         // and a digest says what is given up
		kept finding.Kind // if head makes a promise that implies it
	}{
		{finding.Kept, finding.Holds, finding.Dropped, true, finding.Kept},
		{finding.Kept, finding.Unknown, finding.Dropped, true, finding.Kept},
		{finding.Kept, finding.IllFormed, finding.Kept, false, finding.Kept},
		{finding.Repaired, finding.Violated, finding.Repaired, false, finding.Repaired},
		{finding.Undecided, finding.Holds, finding.Dropped, true, finding.Undecided},
		{finding.Undecided, finding.Unknown, finding.Dropped, true, finding.Undecided},
		{finding.Undecided, finding.Violated, finding.Undecided, false, finding.Undecided},
		{finding.RestsAsBefore, finding.Holds, finding.Weakened, true, finding.RestsAsBefore},
		{finding.RestsAsBefore, finding.Violated, finding.RestsAsBefore, false, finding.RestsAsBefore},
		{finding.Weakened, finding.Holds, finding.Weakened, true, finding.Weakened},
		{finding.Standing, finding.Violated, finding.Standing, false, finding.Standing},
	} {
		for head, want := range map[*compile.Draft]finding.Kind{other: c.want, more: c.kept} {
			m := compile.Amend(base, head)
			f := finding.Finding{Kind: c.kind, Name: "r", Old: true, Base: &finding.Requirement{Name: "r", Verdict: c.base}}
			withdrawn(t.Context(), &f, m, head, holding(head), verify.BaseQuestions(head, m))
			if f.Kind != want || (f.Promise != "") != (c.gone && (head == other || c.kind == finding.Weakened)) || (f.Implied == "q") != (head == more && c.gone && c.kind != finding.Weakened) {
				t.Errorf("%s, and base's verdict is %s: %s, promise %q, implied by %q; want %s", c.kind, c.base, f.Kind, f.Promise, f.Implied, want)
			}
		}
	}
}

// TestImplied: a promise implies another over the same runs and on the same terms, if both can be read.
func TestImplied(t *testing.T) {
	for _, c := range []struct{ name, was, now, want string }{
		{"more", "r: AF a.ok", "q: AF a.ok && EF a.s", "q"},
		{"less", "r: AF a.ok", "q: EF a.ok", ""},
		{"over ideal runs", "r: AF a.ok", "q: AF a.ok; over = ideal", ""},
		{"over all runs", "r: AF a.ok; over = ideal", "q: AF a.ok && EF a.s", ""},
		{"on other terms", "r: AF a.ok", "q: AF a.ok; assuming = progress(a)", ""},
		{"of what always is so", "r: AG (a.s || !a.s)", "q: AG a.unknown", ""},
	} {
		base, head := testkit.DraftOf(t, promising(c.was)), testkit.DraftOf(t, promising(c.now))
		m := compile.Amend(base, head)
		if got := impliedBy(m, head); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	base, head := testkit.DraftOf(t, promising("r: AF a.ok")), testkit.DraftOf(t, strings.ReplaceAll(promising("q: EF a.s"), "ok", "done"))
	m := compile.Amend(base, head)
	asked := verify.BaseQuestions(head, m)
	asked.Formulas[0] = nil // as if head had no such state
	if got := implied(t.Context(), m, head, holding(head), asked, "r"); got != nil {
		t.Errorf("what head has no names for is implied by %q", got.Name)
	}
}

// TestImpliedByCounters: comparisons of counters are what they mean of whole numbers. The bounds of a counter are no part of that: an amendment that
// widens them would leave a wording that says less.
func TestImpliedByCounters(t *testing.T) {
	const text = "contract \"c\" {}\nparty \"p\" {\n  counter \"n\" { to = 3 }\n  transition \"put\" { set = { n = n + 1 } }\n}\nrequirement \"r\" { ctl = \"EF IS\" }\n"
	implies := func(text, was, now string) string {
		base, head := testkit.DraftOf(t, strings.Replace(text, "IS", was, 1)), testkit.DraftOf(t, strings.Replace(text, "IS", now, 1))
		m := compile.Amend(base, head)
		return impliedBy(m, head)
	}
	for now, want := range map[string]string{"p.n <= 0": "", "p.n < 1": "", "(p.n <= 0 && p.n >= 0)": "r", "(p.n < 1 && p.n > -1)": "r", "p.n <= 1": "", "p.n == 1": "", "!(p.n >= 1) && p.n == 0": "r", "!(p.n > 0)": "", "!(p.n != 0)": "r", "(p.n >= 0 && p.n != 1 && !(p.n > 1))": "r", "2 * p.n == 0": "r", "0 == p.n": "r", "p.n == p.n": "", "p.n != 1": ""} {
		if got := implies(text, "p.n == 0", now); got != want {
			t.Errorf("%s: %q, want %q", now, got, want)
		}
	}
	for _, c := range []struct{ was, now, want string }{
		{"p.n <= 2", "!(p.n > 2)", "r"}, {"p.n <= 2", "!(p.n >= 3)", "r"}, {"p.n <= 2", "p.n == 1", "r"}, {"p.n <= 2", "p.n >= 1", ""}, {"p.n <= 2", "!(p.n > 3)", ""},
		{"p.n <= 3", "!(p.n > 3)", "r"}, {"p.n <= 3", "EF p.n == 0", "r"}, {"p.n > 3", "p.n > 2", ""}, {"p.n <= 3", "p.n <= 9", ""}, {"p.n <= 3", "p.n <= 3 || p.n > 9", ""}, {"p.n < 9", "EF (p.n == 9 || p.n == 0)", ""},
		{"p.n <= 9", "p.n < 9", "r"}, {"p.n != 4", "p.n == 2", "r"}, {"p.n <= 1", "p.n < 3", ""},
		{"p.n <= 9223372036854775807", "p.n < 9223372036854775807", "r"}, {"p.n >= -9223372036854775807", "p.n > -9223372036854775807", "r"}, {"p.n <= -9223372036854775807", "p.n < 0", ""},
		{"p.n <= 9223372036854775806", "p.n <= 9223372036854775807", ""}, {"p.n - p.n <= 1", "p.n - p.n < 2 && p.n >= 0", "r"}, {"p.n - p.n <= -1", "p.n - p.n <= 1", ""}, {"p.n - p.n >= 0", "p.n > 4", "r"}, {"2 * p.n != 3", "p.n > 1", "r"}, {"p.n >= -4", "-2 * p.n <= 7", "r"}, {"p.n >= -3", "-2 * p.n <= 7", "r"}, {"p.n >= -2", "-2 * p.n <= 7", ""},
	} {
		if got := implies(text, c.was, c.now); got != c.want {
			t.Errorf("%s, now %s: %q, want %q", c.was, c.now, got, c.want)
		}
	}
	more := strings.Replace(text, "transition", "counter \"m\" { to = 2 }\n  transition", 1)
	for _, c := range []struct{ was, now, want string }{
		{"p.n + p.m <= 2", "!(p.n + p.m > 2)", "r"}, {"p.n + p.m <= 2", "!(p.m + p.n >= 3)", "r"}, {"p.n + p.m >= 2", "!(2 * p.n + 2 * p.m <= 3)", "r"},
		{"p.n + p.m <= 2", "p.n + p.m > 2", ""}, {"p.n + p.m <= 2", "!(p.n + p.m > 3)", ""}, {"p.n - p.m <= 1", "!(p.m - p.n < -1)", "r"}, {"p.n - p.m <= 1", "!(p.m - p.n <= -1)", "r"}, {"p.n - p.m <= 1", "!(p.m - p.n <= -3)", ""}, {"p.n + p.m <= 5", "p.n + p.m <= 6", ""},
	} {
		if got := implies(more, c.was, c.now); got != c.want {
			t.Errorf("%s, now %s: %q, want %q", c.was, c.now, got, c.want)
		}
	}
	// Five counters in other words, which are ten digits, are compared, and more are not, since that takes long.
	for words, want := range map[string]string{"!(p.c%d != 0)": "r", "(p.c%d < 1 && p.c%[1]d > -1)": ""} {
		counters, was, now := "", "true", "true"
		for i := range 5 {
			counters += fmt.Sprintf("counter \"c%d\" { to = 1 }\n  ", i)
			was, now = was+fmt.Sprintf(" && p.c%d == 0", i), now+" && "+fmt.Sprintf(words, i)
		}
		wide := strings.Replace(strings.Replace(text, "transition", counters+"transition", 1), "EF IS", "IS", 1)
		if got := implies(wide, was, now); got != want {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
	// What a comparison means is more here than a tableau takes. As one atom it is not.
	large := strings.Replace(text, "to = 3", "to = 40", 1)
	if got := implies(large, "(p.n >= 20 -> !(p.n >= 30))", "(p.n >= 30 -> !(p.n >= 20))"); got != "r" {
		t.Errorf("of a large counter: %q", got)
	}
}

// TestImpliedWhateverNamesMean: what an atom comes to in a contract is no part of the promise, since a later amendment can change it.
func TestImpliedWhateverNamesMean(t *testing.T) {
	const text = `contract "c" {}
party "bank" {
  counter "n" { to = 2 }
  place "file" { document = bill }
  place "open" { marked = true }
  transition "book" {
    consume = [open]
    set     = { n = n + 1 }
  }
  transition "shut" { consume = [open] }
}
event "closing" { sync = { bank = shut } }
document "bill" {}
event "booking" { sync = { bank = book } }
event "other" { by = bank }
requirement "r" { ctl = "AG IS" }
`
	for _, c := range []struct{ was, now, want string }{
		{"enabled(booking)", "(enabled(booking) && bank.n <= 2)", "r"},
		{"!enabled(booking)", "!(bank.open && bank.n <= 1)", ""},
		{"!enabled(closing)", "!bank.open", ""},
		{"!bill.bank", "!bank.file", ""},
		{"bank.n <= 2", "bank.n <= 3", ""},
		{"bank.n <= 2", "!(bank.n > 2)", "r"},
		{"before(other, booking)", "A[!happened(booking) W happened(other) && !happened(booking)]", "r"},
		{"A[!happened(booking) W happened(other) && !happened(booking)]", "before(other, booking)", "r"},
		{"before(other, booking)", "before(booking, other)", ""},
	} {
		base, head := testkit.DraftOf(t, strings.Replace(text, "IS", c.was, 1)), testkit.DraftOf(t, strings.Replace(text, "IS", c.now, 1))
		m := compile.Amend(base, head)
		if got := impliedBy(m, head); got != c.want {
			t.Errorf("%s, now %s: %q, want %q", c.was, c.now, got, c.want)
		}
	}
}

// TestImpliedByScenarios: a scenario after which one party is in breach is none for another party.
func TestImpliedByScenarios(t *testing.T) {
	owing := "contract \"c\" {}\n"
	for _, who := range []string{"agent", "buyer", "seller"} {
		owing += fmt.Sprintf("party %q {}\nevent %[1]q { by = %[1]s }\nobligation \"of-%[1]s\" {\n  bearer = %[1]s\n  within = 1\n}\n", who)
	}
	scenario := func(name, events, breach string) string {
		return owing + fmt.Sprintf("scenario %q {\n  events = [%s]\n  breach = %s\n}\n", name, events, breach)
	}
	for _, c := range []struct{ was, now, want string }{
		{scenario("r", "tick, tick", "buyer"), scenario("q", "tick, tick", "seller"), ""},
		{scenario("r", "tick, tick", "seller"), scenario("q", "tick, tick", "buyer"), ""},
		{scenario("r", "seller", "seller"), scenario("q", "buyer", "seller"), ""},
	} {
		base, head := testkit.DraftOf(t, c.was), testkit.DraftOf(t, c.now)
		m := compile.Amend(base, head)
		if got := impliedBy(m, head); got != c.want {
			t.Errorf("%s, now %s: %q, want %q", c.was, c.now, got, c.want)
		}
	}
}

// TestAtomNames: two names of one place are one atom, and what counts or means something else has a name of its own.
func TestAtomNames(t *testing.T) {
	name := func(a ctl.Formula) string { a.Op = ctl.Atom; return atomName(nil, &a) }
	if name(ctl.Formula{Name: "a.s", Place: 3}) != name(ctl.Formula{Name: "b.s", Place: 3}) || name(ctl.Formula{Name: "a.s", Place: 3}) == name(ctl.Formula{Name: "a.s", Place: 4}) {
		t.Error("places")
	}
	if name(ctl.Formula{Name: "happened(a)", Place: -1}) == name(ctl.Formula{Name: "happened(b)", Place: -1}) {
		t.Error("no places")
	}
	one, other := ctl.Formula{Name: "n >= 2", Means: &ctl.Formula{}}, ctl.Formula{Name: "n >= 3", Means: &ctl.Formula{}}
	if name(one) == name(other) || name(one) == name(ctl.Formula{Name: "n >= 2"}) {
		t.Errorf("meanings: %s and %s", name(one), name(other))
	}
}
