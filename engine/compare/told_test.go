package compare_test

import (
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

func reviewOf(t *testing.T, base, head string, b finding.Budget) finding.ContractReview {
	t.Helper()
	return blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), b)
}

// TestWaiverOfWhatStood: a waiver that the amendment brings for what base violates, too, is not needed, and hides what stood. Which reason base's waiver gave
// is told if it is another one.
func TestWaiverOfWhatStood(t *testing.T) {
	const never = "AG !a.bad"
	steps := []string{"s ok", "s bad"}
	run := verify.Check(t.Context(), testkit.DraftOf(t, one("s ok bad x", steps, promise(never))), finding.Budget{Jobs: 1}).Requirements[0].Run
	waived := one("s ok bad x", steps, waivedPromise(never, run))
	other := one("s ok bad x", steps, "requirement \"r\" {\n  ctl = \""+never+"\"\n  waiver {\n    reason   = \"known\"\n    approver = \"R. Roe\"\n    run      = \""+run+"\"\n  }\n}\n")
	for _, c := range []struct {
		name, base, head string
		stood            bool
		gave             string
	}{
		{"of a violation that stood", one("s ok bad x", steps, promise(never)), waived, true, ""},
		{"of a new violation", one("s ok bad x", steps[:1], promise(never)), waived, false, ""},
		{"for another reason", waived, other, false, "settled"},
	} {
		r := reviewOf(t, c.base, c.head, finding.Budget{Jobs: 1})
		if len(r.Acceptances) != 1 || r.Acceptances[0].Stood != c.stood || r.Acceptances[0].Needed == c.stood || r.Acceptances[0].Gave != c.gave {
			t.Errorf("%s: %+v", c.name, r.Acceptances)
		}
	}
	for name, c := range map[string][2]string{
		"as before, without a waiver": {one("s ok bad x", steps, promise(never)), one("s ok bad x", steps, promise(never))},
		"as before, with one":         {waived, waived},
		"another step":                {one("s ok bad x", steps[:1], promise(never)), one("s ok bad x", steps, promise(never))},
		"an accept for another reason": {
			one("s ok bad x", steps, "accept \"dead-end\" { reason = \"one\" }\n"), one("s ok bad x", steps, "accept \"dead-end\" { reason = \"another\" }\n"),
		},
		"the same accept": {
			one("s ok bad x", steps, "accept \"dead-end\" { reason = \"one\" }\n"), one("s ok bad x", steps, "accept \"dead-end\" { reason = \"one\" }\n"),
		},
	} {
		want := name == "as before, without a waiver" || name == "the same accept"
		if got := compare.NothingToReview(testkit.DraftOf(t, c[0]), testkit.DraftOf(t, c[1])); got != want {
			t.Errorf("%s: nothing to review: %t", name, got)
		}
	}
}

// TestAcceptOfWhatStood: so it is with an accept of a check that base fails, too.
func TestAcceptOfWhatStood(t *testing.T) {
	final := func(steps []string, rest string) string {
		return "contract \"c\" { final = \"a.ok\" }\n" + one("s ok bad x", steps, rest)[len("contract \"c\" {}\n"):]
	}
	failing, fine := []string{"s ok", "s bad"}, []string{"s ok"}
	const accept = "accept \"dead-end\" { reason = \"known\" }\n"
	for _, c := range []struct {
		name, base, head string
		stood            bool
	}{
		{"failed before", final(failing, ""), final(failing, accept), true},
		{"passed before", final(fine, ""), final(failing, accept), false},
	} {
		r := reviewOf(t, c.base, c.head, finding.Budget{Jobs: 1})
		if len(r.Acceptances) != 1 || r.Acceptances[0].Stood != c.stood || r.Acceptances[0].Needed == c.stood {
			t.Errorf("%s: %+v", c.name, r.Acceptances)
		}
	}
	for _, c := range []struct {
		name  string
		base  string
		limit int
		want  finding.Verdict
	}{
		{"kept", final(fine, ""), 0, finding.Holds},
		{"not known", final([]string{"s x", "x ok"}, ""), 1, finding.Unknown},
	} {
		r := reviewOf(t, c.base, one("s ok bad x", fine, ""), finding.Budget{Jobs: 1, States: c.limit, Engine: finding.Explicit})
		i := slices.IndexFunc(r.Findings, func(f finding.Finding) bool { return f.Kind == finding.Dropped })
		if i < 0 || r.Findings[i].Was != c.want {
			t.Errorf("final states that were %s: %+v", c.name, r.Findings)
		}
	}
}

// TestOccurrencesOfRemarks: of the occurrences that remarks on a promise name, those that base has are known, in head's names.
func TestOccurrencesOfRemarks(t *testing.T) {
	lease := func(duty, times, rest string) string {
		return "contract \"c\" {}\nparty \"landlord\" {}\nparty \"tenant\" {}\nobligation \"" + duty + "\" {\n  bearer = tenant\n  times = " + times + "\n  every = 2\n  within = 1\n}\n" +
			"obligation \"keys\" {\n  bearer = tenant\n  within = 1\n}\n" + rest
	}
	for _, c := range []struct {
		name, base, head string
		want             []string
	}{
		{"the same", lease("rent", "2", emptyPromise("rent", "1")), lease("rent", "2", emptyPromise("rent", "1")+"event \"more\" { by = tenant }\n"), []string{"rent[1]"}},
		{"one more", lease("rent", "2", emptyPromise("rent", "1")), lease("rent", "3", emptyPromise("rent", "3")), nil},
		{"none named", lease("rent", "2", ""), lease("rent", "2", "event \"more\" { by = tenant }\nrequirement \"r\" { ctl = \"AG true\" }\n"), nil},
		{"renamed", lease("rent", "2", emptyPromise("rent", "1")), lease("fee", "2", emptyPromise("fee", "1")), []string{"fee[1]"}},
	} {
		r := reviewOf(t, c.base, c.head, finding.Budget{Jobs: 1})
		i := slices.IndexFunc(r.Findings, func(f finding.Finding) bool { return f.Name == "r" && !f.Old })
		if i < 0 || !slices.Equal(r.Findings[i].Recurring, c.want) {
			t.Errorf("%s: %+v", c.name, r.Findings)
		}
	}
}

// emptyPromise writes a promise on an occurrence that holds whatever that does.
func emptyPromise(duty, nth string) string {
	return "requirement \"r\" { ctl = \"AG (" + duty + "[" + nth + "].breached && false -> AF keys.fulfilled)\" }\n"
}
