package compare_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestTheActOfOthers: a norm is owed otherwise if the event that fulfils, uses or brings it about takes others, and if one that breaches it may come without some; and a
// power that can't be used where it is held, a prohibition of what can't happen. It is as before if further parties may do so, too.
func TestTheActOfOthers(t *testing.T) {
	const base = `contract "lease" {}
party "landlord" {}
party "tenant" {}
event "request" { by = tenant }
event "repair" { by = landlord }
event "exit" { by = tenant }
event "look" { by = landlord }
event "inspection" { by = [landlord, tenant] }
event "sublease" { by = tenant }
event "storm" { by = any(landlord, tenant) }
obligation "mend" {
  bearer       = landlord
  counterparty = tenant
  when         = request
  fulfil       = repair
  breach       = inspection
}
power "leave" {
  bearer       = tenant
  counterparty = landlord
  when         = request
  exercise     = exit
}
permission "visit" {
  bearer       = landlord
  counterparty = tenant
  of           = look
}
prohibition "no-sublease" {
  bearer       = tenant
  counterparty = landlord
  of           = sublease
}
`
	const on = "new norm-changed on "
	for _, c := range []struct{ name, old, now, want string }{
		{"begins with others", `event "request" { by = tenant }`, `event "request" { by = landlord }`, on + "obligation.mend, " + on + "power.leave"},
		{"begins by either", `event "request" { by = tenant }`, `event "request" { by = any(landlord, tenant) }`, ""},
		{"fulfilled with others", `"repair" { by = landlord }`, `"repair" { by = [landlord, tenant] }`, on + "obligation.mend"},
		{"used with others", `"exit" { by = tenant }`, `"exit" { by = [landlord, tenant] }`, on + "power.leave"},
		{"used by either", `"exit" { by = tenant }`, `"exit" { by = any(landlord, tenant) }`, on + "power.leave"}, // the landlord can use it up before
		{"permitted with others", `"look" { by = landlord }`, `"look" { by = [landlord, tenant] }`, on + "permission.visit"},
		{"breached by one alone", `by = [landlord, tenant]`, `by = tenant`, on + "obligation.mend"},
		{"breached by more", `"inspection" { by = [landlord, tenant] }`, "\"inspection\" {\n  by   = [landlord, tenant]\n  only_while = happened(storm)\n}", ""},
		{"a breach by others", `"sublease" { by = tenant }`, `"sublease" { by = landlord }`, on + "prohibition.no-sublease"},
		{"can't be used", `"exit" { by = tenant }`, "\"exit\" {\n  by         = tenant\n  only_while = !happened(request)\n}", on + "power.leave"},
		{"is forbidden", "permission", "prohibition \"no-exit\" {\n  bearer = tenant\n  of = exit\n}\npermission", on + "power.leave"},
		{"forbids nothing", `"sublease" { by = tenant }`, "\"sublease\" {\n  by         = tenant\n  only_while = [leave.exercised, !happened(request)]\n}", on + "prohibition.no-sublease"},
		{"no norm's event", `"storm" { by = any(landlord, tenant) }`, `"storm" { by = [landlord, tenant] }`, ""},
	} {
		head := strings.Replace(base, c.old, c.now, 1)
		if head == base {
			t.Fatalf("%s: no change", c.name)
		}
		if got := owedFindings(t, base, head); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPassedOnToWhoCanPay: a duty that a new power passes on is owed otherwise, also if the new debtor can perform it.
func TestPassedOnToWhoCanPay(t *testing.T) {
	const base = `contract "sale" {}
party "seller" {}
party "buyer" {}
party "shell" {}
event "payment" { by = any(buyer, shell) }
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  fulfil       = payment
}
`
	const power = "power \"p\" {\n  bearer       = buyer\n  counterparty = seller\n  assigns      = [pay]\n  to           = shell\n}\n"
	if got := owedFindings(t, base, base+power); got != "new norm-changed on obligation.pay" {
		t.Error(got)
	}
}

// TestEachDifferenceIsNamed: the run of a norm that stands otherwise names all its differences, not only the first.
func TestEachDifferenceIsNamed(t *testing.T) {
	const base = `contract "sale" {}
party "seller" {}
party "buyer" {}
event "order" { by = buyer }
event "talk" { by = buyer }
event "walk" { by = buyer }
event "rest" {
  by         = buyer
  only_while = happened(walk)
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = order
  within       = 3
}
prohibition "quiet" {
  bearer       = buyer
  counterparty = seller
  of           = talk
}
obligation "report" {
  bearer       = seller
  counterparty = buyer
  when         = order
  until        = [pay.breached, quiet.breached]
}
`
	runs := map[string]bool{}
	for _, edits := range [][]string{{"within       = 3", "within       = 2"}, {"within       = 3", "within       = 2", "of           = talk", "of           = talk\n  until        = rest"}} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, strings.NewReplacer(edits...).Replace(base)), finding.Budget{Jobs: 1, Owed: true})
		for _, f := range review.Findings {
			if f.Check != nil && f.Check.Subject == "obligation.report" {
				runs[f.Check.Run] = true
			}
		}
	}
	if len(runs) != 2 {
		t.Errorf("%d runs, want 2", len(runs))
	}
}

// TestDifferencesAreNamed: the finding on a norm in another state says which state, not only after which steps.
func TestDifferencesAreNamed(t *testing.T) {
	const base = `contract "sale" {}
party "seller" {}
party "buyer" {}
event "grant" { by = buyer }
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  within       = 9
}
power "grace" {
  bearer   = buyer
  exercise = grant
  extends  = { deliver = 1 }
}
`
	runs := map[string]bool{}
	for _, more := range []string{"2", "3"} {
		head := strings.Replace(base, "deliver = 1", "deliver = "+more, 1)
		for _, f := range blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true}).Findings {
			if f.Check != nil && f.Check.Subject == "obligation.deliver" {
				runs[f.Check.Run] = true
			}
		}
	}
	if len(runs) != 2 {
		t.Errorf("%d runs, want 2", len(runs))
	}
}

// TestResumedByAnotherOnDiagrams: the gate objects if another party resumes a duty now, or has to take part. On diagrams nothing but whose act it is tells of the second.
func TestResumedByAnotherOnDiagrams(t *testing.T) {
	for _, by := range []string{"buyer", "[seller, buyer]"} {
		head := strings.Replace(easing, "event \"resumption\" { by = seller }", "event \"resumption\" { by = "+by+" }", 1)
		review := blame.Compare(context.Background(), testkit.DraftOf(t, easing), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true, Engine: finding.Symbolic})
		if got, want := findingsOf(review), "new norm-changed on obligation.report-late"; got != want {
			t.Errorf("by %s: %q, want %q", by, got, want)
		}
	}
}

// remarksOf compares two texts where the gate objects to what is owed, and returns what each objection says.
func remarksOf(t *testing.T, base, head string) (all []string) {
	t.Helper()
	review := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true})
	for _, one := range review.Head.Diagnostics {
		if one.Code == "norm-changed" && !slices.ContainsFunc(review.Findings, func(f finding.Finding) bool { return f.Check != nil && f.Check.Message == one.Message }) {
			t.Errorf("no objection: %s", one.Message)
		}
	}
	for _, f := range review.Findings {
		if f.Check == nil {
			continue
		}
		said := strings.TrimSpace(f.Check.Message + " " + f.Check.Detail)
		all = append(all, strings.NewReplacer("The amendment lets the obligation ", "", "The amendment lets the power ", "", "of the owner to the renter ", "", "of the renter towards the owner ", "", "The amendment lets it ", "").Replace(said+" "))
	}
	return all
}

// TestEachLossIsSaidOnce: what is lost of a norm in several ways is said in each way that is another, and none twice.
func TestEachLossIsSaidOnce(t *testing.T) {
	const base = `contract "rental" {}
party "owner" {}
party "renter" {}
event "complaint" { by = renter }
event "damage" { by = renter }
event "archive" { by = owner }
event "payment" {
  by         = owner
  only_while = !happened(archive)
}
event "repair" { by = owner }
event "notice" { by = renter }
event "exit" { by = renter }
event "late" {
  by         = renter
  only_while = happened(archive)
}
event "lost" { by = owner }
event "never" {
  by         = renter
  only_while = happened(never)
}
obligation "refund" {
  bearer       = owner
  counterparty = renter
  when         = [complaint, late]
  fulfil       = payment
}
obligation "mend" {
  bearer       = owner
  counterparty = renter
  when         = damage
  fulfil       = repair
}
power "leave" {
  bearer       = renter
  counterparty = owner
  when         = notice
  exercise     = exit
}
power "vain" {
  bearer       = renter
  counterparty = owner
  exercise     = never
}
obligation "vow" {
  bearer       = owner
  counterparty = renter
  fulfil       = never
}
permission "endless" {
  bearer = renter
  from   = never
  of     = damage
}
`
	const close = "event \"close\" { by = owner }\n"
	onlyIf := func(event, by, cond string) []string {
		return []string{"event \"" + event + "\" { by = " + by + " }", "event \"" + event + "\" {\n  by         = " + by + "\n  only_while = " + cond + "\n}"}
	}
	payment := []string{"!happened(archive)", "[!happened(archive), !happened(close)]"}
	add := []string{`event "complaint"`, close + `event "complaint"`}
	const unable = "be owed where it can't be fulfilled: by what fulfils it, which can't come about there any more. "
	const alone = "take the act of others: by “damage”, after which it can't be fulfilled without others any more, as it could before. "
	const never = "never be fulfilled: by what fulfils it, which can't come about any more while it is owed. "
	const unused = "be there where it can't be used: by what uses it, which can't come about there any more. "
	fewer := func(event string) string {
		return "begin in fewer cases: by “" + event + "”, which can't come about any more where it could. "
	}
	lost := func(by, how string) string {
		return "come to nothing: by " + by + "“close”, after which it can't " + how + " any more, as it could before. "
	}
	gone := func(how string) string { return lost("", how) }
	for _, c := range []struct {
		name string
		edit [][]string
		want []string
	}{
		{"one lost by a new step, one for want of others", [][]string{add, payment, onlyIf("repair", "owner", "happened(notice)")}, []string{`"mend" ` + alone, `"refund" ` + gone("be fulfilled")}},
		{"lost by a new step", [][]string{add, onlyIf("repair", "owner", "!happened(close)")}, []string{`"mend" ` + gone("be fulfilled")}},
		{"lost by a new step, and for want of others", [][]string{add, onlyIf("repair", "owner", "[!happened(close), happened(notice)]")}, []string{`"mend" ` + gone("be fulfilled") + alone}},
		{"lost by one new step, begins no more by another", [][]string{{`event "complaint"`, "event \"bar\" { by = renter }\nevent \"close\" {\n  by         = owner\n  only_while = happened(bar)\n}\nevent \"complaint\""}, onlyIf("damage", "renter", "!happened(close)"), onlyIf("repair", "owner", "!happened(bar)")}, []string{`"mend" ` + unable + lost("2 steps, the last of them ", "begin")}},
		{"one lost by a new step, one by a step of who gains", [][]string{add, payment, {`event "complaint"`, "event \"bar\" { by = renter }\nevent \"complaint\""}, onlyIf("repair", "owner", "!happened(bar)")}, []string{`"mend" ` + unable, `"refund" ` + gone("be fulfilled")}},
		{"begins no more, and for want of others", [][]string{add, onlyIf("damage", "renter", "!happened(close)"), onlyIf("repair", "owner", "happened(notice)")}, []string{`"mend" ` + gone("begin") + gone("be fulfilled") + alone}},
		{"never fulfilled", [][]string{onlyIf("repair", "owner", "!happened(damage)")}, []string{`"mend" ` + never}},
		{"never fulfilled, and begins in fewer cases", [][]string{onlyIf("repair", "owner", "!happened(damage)"), onlyIf("damage", "renter", "happened(archive)")}, []string{`"mend" ` + never + fewer("damage")}},
		{"never fulfilled, and begins no more", [][]string{add, onlyIf("repair", "owner", "!happened(damage)"), onlyIf("damage", "renter", "!happened(close)")}, []string{`"mend" ` + never + gone("begin")}},
		{"never used", [][]string{onlyIf("exit", "renter", "!happened(notice)")}, []string{`"leave" ` + unused}},
		{"never used, and begins in fewer cases", [][]string{onlyIf("exit", "renter", "!happened(notice)"), onlyIf("notice", "renter", "happened(archive)")}, []string{`"leave" ` + unused + fewer("notice")}},
		{"never used, and begins no more", [][]string{add, onlyIf("exit", "renter", "!happened(notice)"), onlyIf("notice", "renter", "!happened(close)")}, []string{`"leave" ` + unused + gone("begin")}},
		{"never begins", [][]string{onlyIf("damage", "renter", "[happened(archive), happened(never)]")}, []string{`"mend" never begin: by what begins it, which can't come about any more, or only where it can't begin. `}},
		{"begins in fewer cases, and no more after a new step", [][]string{add, onlyIf("damage", "renter", "[!happened(close), happened(archive)]")}, []string{`"mend" ` + fewer("damage") + gone("be fulfilled")}},
		{"one begins in fewer cases, one by a new step", [][]string{add, onlyIf("damage", "renter", "!happened(close)"), onlyIf("complaint", "renter", "happened(lost)")}, []string{`"refund" ` + fewer("complaint"), `"mend" ` + gone("begin") + gone("be fulfilled")}},
		{"begins in more cases, and no more after a new step", [][]string{add, onlyIf("complaint", "renter", "!happened(close)"), {"only_while = happened(archive)", "only_while = !happened(close)"}}, []string{`"refund" begin in more cases: by “late”, which could not come about there before. ` + gone("begin") + gone("be fulfilled")}},
		{"in more cases, and no more by a new step", [][]string{add, payment, {"event \"late\" {\n  by         = renter\n  only_while = happened(archive)\n}\n", "event \"late\" { by = renter }\nrequirement \"late\" { ctl = \"true\" }\n"}}, []string{`"refund" begin in more cases: by “late”, which could not come about there before. ` + gone("be fulfilled")}},
	} {
		head := base
		for _, e := range c.edit {
			if !strings.Contains(head, e[0]) {
				t.Fatalf("%s: no %s", c.name, e[0])
			}
			head = strings.Replace(head, e[0], e[1], 1)
		}
		if got := remarksOf(t, base, head); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s", c.name, strings.Join(got, "\n"))
		}
	}
}

// TestWhatTakesFewerIsNotHarder: a norm is no worse if what begins or uses it takes fewer now, or what breaches it more. What fulfils an obligation for fewer is told as such alone.
func TestWhatTakesFewerIsNotHarder(t *testing.T) {
	text := func(fewer, repairs, more string) string {
		return strings.NewReplacer("FEWER", fewer, "REPAIRS", repairs, "MORE", more).Replace(`contract "rental" {}
party "owner" {}
party "renter" {}
event "damage" { by = FEWER }
event "repair" {
  by      = REPAIRS
  repeats = true
}
event "exit" { by = FEWER }
event "neglect" { by = MORE }
event "sublease" { by = MORE }
obligation "mend" {
  bearer       = owner
  counterparty = renter
  when         = damage
  fulfil       = repair
  breach       = neglect
}
power "leave" {
  bearer       = renter
  counterparty = owner
  when         = damage
  exercise     = exit
}
prohibition "alone" {
  bearer       = renter
  counterparty = owner
  of           = sublease
}
`)
	}
	const veto = "begin without the consent of those it binds: by damage, which takes the act of others than before. "
	want := []string{`"mend" be fulfilled: by repair, which takes the act of others than before. ` + veto, `"leave" ` + veto}
	if got := remarksOf(t, text("[owner, renter]", "[owner, renter]", "renter"), text("renter", "owner", "[owner, renter]")); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestMoreCasesOfAPower: that a power or permission begins or is used in more cases is told, unless it is told of the norms that it relieves.
func TestMoreCasesOfAPower(t *testing.T) {
	const base = `contract "rental" {}
party "owner" {}
party "renter" {}
event "start" { by = owner }
event "slip" {
  by         = renter
  only_while = happened(start)
}
event "exit" {
  by         = renter
  only_while = happened(start)
}
event "pass" {
  by         = renter
  only_while = happened(start)
}
obligation "refund" {
  bearer       = owner
  counterparty = renter
}
power "leave" {
  bearer       = renter
  counterparty = owner
  exercise     = exit
}
power "excuse" {
  bearer       = renter
  counterparty = owner
  when         = slip
  exercise     = pass
  lifts        = refund
}
power "pardon" {
  bearer       = renter
  counterparty = owner
  exercise     = pass
  lifts        = refund
}
`
	more := func(norm, how, event string) string {
		return `"` + norm + `" ` + how + " in more cases: by “" + event + "”, which could not come about there before. "
	}
	want := []string{more("excuse", "begin", "slip"), more("leave", "be used", "exit"), more("refund", "end, be suspended or extended", "pass")}
	if got := remarksOf(t, base, strings.ReplaceAll(base, "  only_while = happened(start)\n", "")); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestOutOfReachOnDiagrams: where states are not listed no step is shown after which an obligation can't be fulfilled any more. That there are states in which it can't is
// said all the same, unless base has some.
func TestOutOfReachOnDiagrams(t *testing.T) {
	text := func(repair string) string {
		return "contract \"rental\" {}\nparty \"owner\" {}\nparty \"renter\" {}\nevent \"damage\" { by = renter }\nevent \"notice\" { by = renter }\nevent \"archive\" { by = owner }\nevent \"repair\" {\n  by         = any(owner, renter)\n" + repair + "}\n" +
			"obligation \"mend\" {\n  bearer       = owner\n  counterparty = renter\n  when         = damage\n  fulfil       = repair\n}\n"
	}
	const again, once, filed = "  repeats    = true\n", "", "  repeats    = true\n  only_while = !happened(archive)\n"
	for _, c := range []struct {
		was, now string
		want     bool
	}{
		{again, once, true},
		{again, filed, true},
		{"  only_while = happened(damage)\n", once, true}, // who gains by it can use it up
		{once, "  only_while = any(!happened(archive), !happened(damage))\n", true},
		{filed, "  repeats    = true\n  only_while = [!happened(archive), happened(damage)]\n", false},
		{once, "  only_while = any(happened(archive), !happened(archive))\n", false},
		{filed, "  repeats    = true\n  only_while = any(!happened(archive), happened(notice))\n", false}, // less than before is out of reach
	} {
		review := blame.Compare(t.Context(), testkit.DraftOf(t, text(c.was)), testkit.DraftOf(t, text(c.now)), finding.Budget{Jobs: 1, Owed: true, Engine: finding.Symbolic})
		got := slices.ContainsFunc(review.Findings, func(f finding.Finding) bool {
			return strings.Contains(f.Check.Message+f.Check.Detail, "can't be fulfilled")
		})
		if got != c.want {
			t.Errorf("%s, now %s: %t", c.was, c.now, got)
		}
	}
}

// TestEachOccurrenceIsFulfilledForItself: an occurrence that can't be fulfilled any more, or not without others, is compared with that of base, and hides behind no other.
func TestEachOccurrenceIsFulfilledForItself(t *testing.T) {
	text := func(while string) string {
		return strings.NewReplacer(`"pay" { by = tenant }`, "\"pay\" {\n  by         = tenant\n  repeats    = true\n  only_while = "+while+"\n}", `"other" { by = tenant }`, `"other" { by = landlord }`).Replace(
			renting("times = 2\n  every = \"3 months\"", "true", ""))
	}
	for _, c := range []struct{ was, now, want string }{
		{"any(happened(other), rent[2].owed)", "happened(other)", ", new norm-changed on obligation.rent"},
		{"any(happened(other), rent[1].owed)", "happened(other)", ", new norm-changed on obligation.rent"},
		{"happened(other)", "[happened(other), happened(start)]", ""},
	} {
		if got := owedFindings(t, text(c.was), text(c.now)); got != "kept r"+c.want {
			t.Errorf("%s, now %s: %q", c.was, c.now, got)
		}
	}
}

// TestTheActOfOneMore: an event of all of a kind takes another party where there is one more of them, and one less where there is one fewer.
func TestTheActOfOneMore(t *testing.T) {
	const base = `contract "c" {}
party "buyer" {}
party "seller" {}
party "bank" { count = 2 }
event "waive" { by = all(bank) }
event "release" {
  by         = all(bank)
  only_while = release.owed
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  until        = waive
}
obligation "release" {
  bearer       = bank[0]
  counterparty = buyer
}
`
	for count, want := range map[string]string{
		"count = 1": "waive: [bank[0] bank[1]] to [bank[0]], for nobody worse; obligation.release; obligation.pay",
		"count = 3": "waive: [bank[0] bank[1]] to [bank[0] bank[1] bank[2]], worse for [bank[0] bank[1]]; obligation.release",
	} {
		head := strings.ReplaceAll(base, "count = 2", count)
		review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true})
		var got []string
		for _, a := range review.Difference.Acts {
			worse := "for nobody worse"
			if len(a.Worse) > 0 {
				worse = fmt.Sprintf("worse for %v", a.Worse)
			}
			if a.Event == "waive" {
				got = append(got, fmt.Sprintf("waive: %v to %v, %s", a.Was[0], a.Now[0], worse))
			}
		}
		for _, f := range review.Findings {
			if f.Check != nil && f.Check.Code == "norm-changed" {
				got = append(got, f.Check.Subject)
			}
		}
		if said := strings.Join(got, "; "); said != want {
			t.Errorf("%s: %s, want %s", count, said, want)
		}
	}
}
