package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestAcceptedApart: under owed = "fail", what is accepted of a norm for one change does not cover another change that relieves the same norm. Both are one objection
// per norm, which says both, and one acceptance of it is enough.
func TestAcceptedApart(t *testing.T) {
	const (
		novel  = "event \"novel\" { by = buyer }\n"
		pay    = "obligation \"pay\" {\n  bearer       = buyer\n  counterparty = seller\n  when         = order\n  fulfil       = payment\n"
		talk   = "event \"talk\" { by = buyer }\n"
		report = "obligation \"report\" {\n  bearer       = buyer\n  counterparty = seller\n  fulfil       = payment\n}\n"
		both   = "event \"expiry\" { by = [seller, buyer] }"
		one    = "event \"expiry\" { by = buyer }"
	)
	power := func(name, does string) string {
		return "power \"" + name + "\" {\n  bearer       = buyer\n  counterparty = seller\n  exercise     = novel\n  " + does + "\n}\n"
	}
	leaving := func(by string) string {
		return "power \"leave\" {\n  bearer        = buyer\n  counterparty  = seller\n  exercise      = " + by + "\n  ends_contract = true\n}\n"
	}
	edit := func(base string, edits ...string) string { return strings.NewReplacer(edits...).Replace(base) }
	walk := []string{"[expiry]", "[expiry, walk]"}
	lifting := func(head string) string { return novel + head + power("p", "lifts = pay") }
	const when = " {\n  by         = [seller, buyer]\n  only_while = pay.owed\n}\n"
	alone := strings.Replace(when, "[seller, buyer]", "seller", 1)
	eased := edit(easing, "= release", "= [release, remission]") + "event \"remission\"" + when
	for name, c := range map[string]struct{ base, accepted, head, says string }{
		"an end, and a power":             {relievable, edit(relievable, walk...), lifting(edit(relievable, walk...)), "be lifted, suspended or extended: by the new power \"p\""},
		"an end, and a power to pass on":  {relievable, edit(relievable, walk...), novel + edit(relievable, walk...) + power("p", "assigns = pay\n  to = shell"), "be passed on: by the new power \"p\""},
		"an end, and another":             {relievable + talk, edit(relievable+talk, walk...), edit(relievable+talk, "[expiry]", "[expiry, walk, talk]"), "end with the contract: by walk or talk"},
		"an end, and less consent":        {relievable, edit(relievable, walk...), edit(relievable, append(walk, both, one)...), "end with the contract: by expiry, which takes the act of others than before"},
		"several that end, and a power":   {relievable + report, edit(relievable+report, walk...), lifting(edit(relievable+report, walk...)), "be lifted, suspended or extended: by the new power \"p\""},
		"another text, and a power":       {relievable, edit(relievable, pay, pay+"  within = 3\n"), lifting(edit(relievable, pay, pay+"  within = 3\n")), "be lifted, suspended or extended: by the new power \"p\""},
		"a power, and another":            {relievable, novel + relievable + power("p", "lifts = pay"), lifting(relievable) + power("q", "assigns = pay\n  to = shell"), "be passed on: by the new power \"q\""},
		"a power, and less consent":       {relievable, novel + relievable + power("p", "lifts = pay"), lifting(edit(relievable, both, one)), "be lifted, suspended or extended: by the new power \"p\""},
		"a condition, or that of another": {eased, edit(eased, "release\""+when, "release\" { by = [seller, buyer] }\n"), edit(eased, "remission\""+when, "remission\" { by = [seller, buyer] }\n"), "by “remission”, which could not come about there"},
		"consent, or that to another":     {eased, edit(eased, "release\""+when, "release\""+alone), edit(eased, "remission\""+when, "remission\""+alone), "by remission, which takes the act of others than before"},
		"several that end, and by more":   {relievable + report + talk, relievable + report + talk + leaving("talk"), relievable + report + talk + leaving("[talk, walk]"), "2 norms end with the contract: by the new power \"leave\""},
		"occurrences, an end and a power": {edit(relievable, pay, pay+"  times = 2\n  every = 3\n  within = 1\n"), edit(relievable, append(walk, pay, pay+"  times = 2\n  every = 3\n  within = 1\n")...), lifting(edit(relievable, append(walk, pay, pay+"  times = 2\n  every = 3\n  within = 1\n")...)), "be lifted, suspended or extended: by the new power \"p\""},
	} {
		review := func(head string) []finding.Finding {
			return blame.Compare(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true}).Findings
		}
		accept := func(all []finding.Finding) (blocks string) {
			for _, f := range all {
				blocks += "accept \"norm-changed\" {\n  on = " + f.Check.Subject + "\n  run = \"" + f.Check.Run + "\"\n  reason = \"agreed\"\n}\n"
			}
			return blocks
		}
		first := accept(review(c.accepted))
		if first == "" || len(review(c.accepted+first)) > 0 {
			t.Fatalf("%s: %s", name, first)
		}
		left := review(c.head + first)
		said := ""
		of := map[string]int{}
		for _, f := range left {
			said += f.Check.Message + " " + f.Check.Detail + "\n"
			of[compile.WithoutIndex(f.Check.Subject)]++
		}
		if !strings.Contains(said, c.says) {
			t.Errorf("%s: accepted is one of two, and said is %q", name, said)
		}
		all := review(c.head)
		if of["obligation.pay"] > 1 && !strings.Contains(name, "occurrences") {
			t.Errorf("%s: %d objections on pay", name, of["obligation.pay"])
		}
		if more := review(c.head + accept(all)); len(more) > 0 {
			t.Errorf("%s: %s is left", name, more[0].Check.Message)
		}
	}
	late := edit(relievable, pay, pay+"  within = 3\n")
	for head, want := range map[string]string{late: "undecided", lifting(late): "new"} {
		review := blame.Compare(t.Context(), testkit.DraftOf(t, relievable), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true, States: 1, Engine: finding.Explicit})
		if got := findingsOf(review); got != want+" norm-changed on obligation.pay" {
			t.Errorf("%s: %s", got, head)
		}
	}
}
