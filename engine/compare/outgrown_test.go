package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// TestAcceptOfBaseDoesNotGrow: an accept of base covers the warnings that base had; a warning that the amendment brings about is covered if the
// accept names it, or is the amendment's own.
func TestAcceptOfBaseDoesNotGrow(t *testing.T) {
	duty := func(name string) string {
		return strings.Replace(strings.Replace(owed, "  ends_contract = true\n", "", 1), `"deliver"`, `"`+name+`"`, 1)
	}
	const silent, why = "breach-without-consequence", "the law says what follows"
	all := accepting(silent, "", "", why)
	named := func(on string) string { return accepting(silent, on, "", why) }
	renamed := strings.NewReplacer(`"deliver"`, `"supply"`)
	for _, c := range []struct{ name, base, head, covered, not string }{
		{"what base had", duty("deliver") + all, duty("deliver") + "net \"n\" {}\n" + all, "obligation.deliver", ""},
		{"what base had, renamed", duty("deliver") + all, renamed.Replace(duty("deliver")) + all, "obligation.supply", ""},
		{"a duty is added", duty("deliver") + all, duty("deliver") + duty("other") + all, "obligation.deliver", "obligation.other"},
		{"a consequence is dropped", owed + all, duty("deliver") + all, "", "obligation.deliver"},
		{"a consequence is dropped, and the duty is named", owed + named("obligation.deliver"), duty("deliver") + named("obligation.deliver"), "obligation.deliver", ""},
		{"the amendment accepts all", duty("deliver"), duty("deliver") + duty("other") + all, "obligation.deliver obligation.other", ""},
		{"the amendment accepts something else", duty("deliver") + all, duty("deliver") + duty("other") + all + accepting("norm-never-arises", "", "", why), "obligation.deliver", "obligation.other"},
		{"for another reason", duty("deliver") + all, duty("deliver") + duty("other") + accepting(silent, "", "", "it is fine"), "obligation.deliver obligation.other", ""},
	} {
		r := amend(t, owing+c.base, owing+c.head, "")
		covered, not := warningsOf(r.Contracts[0], silent)
		if covered != c.covered || not != c.not {
			t.Errorf("%s: accepted %q, not %q, want %q and %q", c.name, covered, not, c.covered, c.not)
		}
	}
	const held = "document-held-twice" // a violation: what is new of it needs an approval
	if covered, not := warningsOf(amend(t, heldTwice([2]bool{}, accepting(held, "", "", why)), heldTwice([2]bool{true, false}, accepting(held, "", "", why)), "").Contracts[0], held); covered != "document.d0" || not != "" {
		t.Errorf("a violation: accepted %q, not %q", covered, not)
	}
	if covered, not := warningsOf(reviewOf(t, "", owing+duty("deliver")+all, finding.Budget{Jobs: 1}), silent); covered != "obligation.deliver" || not != "" {
		t.Errorf("the contract is added: accepted %q, not %q", covered, not)
	}
	run := amend(t, owing+duty("deliver"), owing, "").Contracts[0]
	at := run.Head.Diagnostics[0]
	for _, c := range []struct{ name, accept, covered string }{
		{"whatever is dropped", accepting("norm-dropped", "", "", why), ""},
		{"this one, whatever becomes of it", accepting("norm-dropped", "obligation.deliver", "", why), ""},
		{"this change", accepting("norm-dropped", "obligation.deliver", at.Run, why), "obligation.deliver"},
	} {
		r := amend(t, owing+duty("deliver")+c.accept, owing+c.accept, "")
		if covered, _ := warningsOf(r.Contracts[0], "norm-dropped"); covered != c.covered {
			t.Errorf("%s: accepted %q, want %q", c.name, covered, c.covered)
		}
	}
}

// warningsOf lists what the warnings of a code on head are on: those that are accepted, and those that are not.
func warningsOf(c finding.ContractReview, code string) (accepted, not string) {
	for _, d := range c.Head.Diagnostics {
		if string(d.Code) != code {
			continue
		}
		if d.Accepted != "" {
			accepted += " " + d.Subject
		} else {
			not += " " + d.Subject
		}
	}
	return strings.TrimSpace(accepted), strings.TrimSpace(not)
}
