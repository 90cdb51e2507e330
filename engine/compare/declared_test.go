package compare_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// approvedBy settles a review under a rule, and returns the exit status of the gate; everything that is asked about is approved, or nothing is.
func approvedBy(t *testing.T, c finding.ContractReview, rule finding.AcceptanceRule, approved bool, retired ...finding.Retirement) finding.ExitStatus {
	t.Helper()
	r := &finding.Review{Contracts: []finding.ContractReview{c}}
	policy := finding.AcceptancePolicy{Rule: rule, Read: true, Head: retired}
	err := r.Settle(context.Background(), policy, func(context.Context, finding.Acceptance) (finding.Approval, error) {
		return finding.Approval{State: map[bool]finding.AcceptanceState{true: finding.ByApproval, false: finding.Pending}[approved]}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.Gate(finding.FailNew)
}

func findingsOf(c finding.ContractReview) string {
	var all []string
	for _, f := range c.Findings {
		what := f.Name
		if f.Check != nil && f.Check.Subject != "" {
			what += " on " + f.Check.Subject
		}
		all = append(all, f.Kind.String()+" "+what)
	}
	return strings.Join(all, ", ")
}

// owedFindings compares two texts where the gate objects to what is owed, and lists the findings.
func owedFindings(t *testing.T, base, head string) string {
	t.Helper()
	return findingsOf(blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true}))
}

// With Budget.Owed the gate objects to a norm that is dropped or changed, unless that is proved to be without effect.
func TestOwedFails(t *testing.T) {
	base := owing + owed
	idle := "event \"claim\" {\n  sync = { court = sue }\n}\nnet \"court\" {\n  place \"summons\" {}\n  transition \"sue\" { consume = [summons] }\n}\n"
	never := strings.Replace(owed, `"deliver"`, `"late"`, 1)
	never = strings.Replace(never, "  fulfil        = delivery\n", "  when          = claim\n  fulfil        = delivery\n", 1)
	forbidden := func(kind, name string) string {
		return fmt.Sprintf("%s %q {\n  bearer = buyer\n  of     = delivery\n}\n", kind, name)
	}
	release := func(of, more string) string {
		return "event \"mercy\" { by = bank }\npower \"release\" {\n  bearer = bank\n  exercise = mercy\n  lifts = [" + of + "]\n" + more + "}\n"
	}
	for _, c := range []struct {
		name, base, head string
		states           int
		want             string
		exit             finding.ExitStatus
	}{
		{"as it was", base, base, 0, "", finding.Clean},
		{"dropped", base, owing, 0, "new norm-dropped on obligation.deliver", finding.Violations},
		{"longer", base, strings.Replace(base, "3", "9", 1), 0, "new norm-changed on obligation.deliver", finding.Violations},
		{"without consequence", base, strings.Replace(base, "ends_contract = true", "", 1), 0, "new norm-changed on obligation.deliver", finding.Violations},
		{"renamed", base, strings.Replace(base, `"deliver"`, `"delivering"`, 1), 0, "", finding.Clean},
		{"a renamed prohibition", base + forbidden("prohibition", "quiet"), base + forbidden("prohibition", "silent"), 0, "", finding.Clean},
		{"a renamed permission", base + forbidden("permission", "quiet"), base + forbidden("permission", "silent"), 0, "", finding.Clean},
		{"never arises", base + idle + never, base + idle, 0, "", finding.Clean},
		{"lifted by a new power", base, base + release("deliver", ""), 0, "new norm-changed on obligation.deliver", finding.Violations},
		{"lifted by a new power that never arises", base, base + idle + release("deliver", "  when = claim\n"), 0, "", finding.Clean},
		{"another one is lifted by a new power", base, base + strings.NewReplacer(`"deliver"`, `"supply"`, "ends_contract = true", "").Replace(owed) + release("supply", ""), 0, "", finding.Clean},
		{"another one is new, and its breach ends the contract", base, base + strings.Replace(owed, `"deliver"`, `"supply"`, 1), 0, "new norm-changed on obligation.deliver", finding.Violations},

		{"too large", base, owing, 1, "undecided norm-dropped on obligation.deliver", finding.OutOfLimit},
	} {
		b := finding.Budget{Jobs: 1, Owed: true}
		if c.states > 0 {
			b.States, b.Engine = c.states, finding.Explicit
		}
		review := blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), b)
		if got := findingsOf(review); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := approvedBy(t, review, finding.AcceptApproved, false); got != c.exit {
			t.Errorf("%s: exit status %d, want %d", c.name, got, c.exit)
		}
		for _, f := range review.Findings {
			if f.Blame != nil || f.Repairs != nil || f.Refusal != nil {
				t.Errorf("%s: somebody is to blame for %s besides the change itself", c.name, f.Name)
			}
		}
		b.Owed = false
		review = blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), b)
		if got := findingsOf(review); got != "" {
			t.Errorf("%s: where what is owed does not count: %q", c.name, got)
		}
	}
}

// TestMovedStart: what is counted from the start of each version is on other days where the start moves, though the states are the same.
func TestMovedStart(t *testing.T) {
	dated := func(start, terms string) string {
		return fmt.Sprintf("contract \"c\" {\n  start = %q\n}\nparty \"s\" {}\nparty \"b\" {}\nevent \"order\" { by = b }\nevent \"delivery\" { by = s }\nevent \"never\" { sync = { court = sue } }\nnet \"court\" {\n  place \"summons\" {}\n  transition \"sue\" { consume = [summons] }\n}\nobligation \"o\" {\n  bearer = s\n  counterparty = b\n  fulfil = delivery\n  %s\n}\n", start, terms)
	}
	cut := func(year string) string {
		return strings.Replace(dated(year+"-01-01", "when = cutover\n  within = \"30 days\""), "party", "event \"cutover\" { after = \""+year+"-03-31\" }\nparty", 1)
	}
	const by, within, after = "by = \"2027-03-31\"", "within = \"30 days\"", "when = order\n  within = \"30 days\""
	for _, c := range []struct {
		name, base, head string
		want             string
		same             bool
	}{
		{"with its dates", dated("2027-01-01", by), dated("2029-01-01", strings.Replace(by, "2027", "2029", 1)), "new norm-changed on obligation.o", true},
		{"what runs from it", dated("2027-01-01", within), dated("2027-02-01", within), "new norm-changed on obligation.o", true},
		{"what runs from it, in other words", dated("2027-01-01", within), dated("2027-02-01", within+"\n  until = never"), "new norm-changed on obligation.o", true},
		{"what runs from it, and longer", dated("2027-01-01", within), dated("2027-02-01", "within = \"40 days\""), "new norm-changed on obligation.o", false},
		{"what has a day, from another event on", dated("2027-01-01", "when = order\n  "+by), dated("2029-01-01", "when = order\n  "+strings.Replace(by, "2027", "2029", 1)), "new norm-changed on obligation.o", true},
		{"what an event without a day begins, which is another's", dated("2027-01-01", after), strings.Replace(dated("2027-02-01", after), "order\" { by = b }", "order\" { by = s }", 1), "new norm-changed on obligation.o", true},
		{"other words alone", dated("2027-01-01", within), dated("2027-01-01", within+"\n  until = never"), "", true},
		{"what does not run from it, in other words", dated("2027-01-01", after), dated("2027-02-01", after+"\n  until = never"), "", true},
		{"what an event of a day begins", cut("2027"), cut("2029"), "new norm-changed on obligation.o", true},
		{"and not its dates", dated("2027-01-01", by), dated("2027-02-01", by), "new norm-changed on obligation.o", false},
		{"what does not run from it", dated("2027-01-01", after), dated("2027-02-01", after), "", true},
		{"no start", dated("2027-01-01", within), strings.Replace(dated("", within), "  start = \"\"\n", "", 1), "new norm-changed on obligation.o", true},
		{"as it was", dated("2027-01-01", by), dated("2027-01-01", by), "", true},
	} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1, Owed: true})
		if got := findingsOf(review); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if d := review.Difference; d != nil && d.All.Same() != c.same {
			t.Errorf("%s: the same counted from the start: %t", c.name, d.All.Same())
		}
		if c.want == "" {
			continue
		}
		for _, d := range review.Head.Diagnostics {
			if strings.Contains(d.Detail, "Without effect") || strings.Contains(d.Detail, "Counted from the start it is as before") && !c.same {
				t.Errorf("%s: %s", c.name, d.Detail)
			}
		}
		if review.Findings[0].Check.Run == "" {
			t.Errorf("%s: nothing names it", c.name)
		}
	}
}

// A norm that is written as before can stand otherwise for what else changes.
func TestOwedFailsForWhatElseChanges(t *testing.T) {
	base := owing + "event \"claim\" {\n  sync = { buyer = ask }\n}\nprohibition \"quiet\" {\n  bearer = seller\n  of     = delivery\n  until  = claim\n}\n"
	base = strings.Replace(base, `party "buyer" {}`, "party \"buyer\" {\n  state \"B0\" {}\n  state \"B1\" {}\n  transition \"ask\" {\n    from = B0\n    to   = B1\n  }\n}", 1)
	head := strings.Replace(base, "sync = { buyer = ask }", "sync = { buyer = ask, seller = send }", 1)
	review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true})
	t.Log(findingsOf(review))
	for _, n := range review.Difference.All.Owed.Norms {
		if n.Norm == "quiet" && !strings.Contains(findingsOf(review), "new norm-changed on prohibition.quiet") {
			t.Errorf("%q", findingsOf(review))
		}
	}
}

// What the gate objects to of norms is accepted as other findings are.
func TestOwedIsAccepted(t *testing.T) {
	b := finding.Budget{Jobs: 1, Owed: true}
	base := owing + owed
	accept := func(run string) string {
		return "accept \"norm-dropped\" {\n  on     = obligation.deliver\n  reason = \"settled\"\n" + run + "}\n"
	}
	plain := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, owing), b)
	named := accept(fmt.Sprintf("  run    = %q\n", plain.Findings[0].Check.Run))
	other := accept("  run    = \"sha256:" + strings.Repeat("0", 64) + "\"\n")
	bank := strings.Replace(base, "counterparty  = buyer", "counterparty  = bank", 1) // the steps, and the net, are the same
	toBank := strings.Replace(accept(fmt.Sprintf("  run    = %q\n", blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, bank), b).Findings[0].Check.Run)), "norm-dropped", "norm-changed", 1)
	for _, c := range []struct {
		name, base, head string
		rule             finding.AcceptanceRule
		approved         bool
		exit             finding.ExitStatus
	}{
		{"not approved", base, owing + accept(""), finding.AcceptApproved, false, finding.Violations},
		{"approved", base, owing + accept(""), finding.AcceptApproved, true, finding.Clean},
		{"named and approved", base, owing + named, finding.AcceptApproved, true, finding.Clean},
		{"by the amendment", base, owing + accept(""), finding.AcceptAmendment, false, finding.Clean},
		{"of something else", base, owing + other, finding.AcceptAmendment, false, finding.Violations},
		{"by base", base + named, owing + named, finding.AcceptBase, false, finding.Clean},
		{"by base, of something else", base + other, owing + other, finding.AcceptBase, false, finding.Violations},
		{"by base, of whatever it may be", base + accept(""), owing + accept(""), finding.AcceptBase, false, finding.Violations},
		{"not by base", base, owing + named, finding.AcceptBase, true, finding.Violations},
		{"not by base, and the net is the same", base, bank + toBank, finding.AcceptBase, true, finding.Violations},
		{"by base, and the net is the same", base + toBank, bank + toBank, finding.AcceptBase, false, finding.Clean},
		{"another reason", base + named, owing + strings.Replace(named, "settled", "other", 1), finding.AcceptBase, false, finding.Violations},
		{"of another change", strings.Replace(base, "3", "9", 1) + named, owing + named, finding.AcceptBase, false, finding.Violations},
	} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), b)
		if got := approvedBy(t, review, c.rule, c.approved); got != c.exit {
			t.Errorf("%s: exit status %d, want %d: %q %+v", c.name, got, c.exit, findingsOf(review), review.Acceptances)
		}
		for _, d := range review.Head.Diagnostics {
			if d.Code == "accept-unused" {
				t.Errorf("%s: %s", c.name, d.Message)
			}
		}
	}
}

// An accept of a failed check can be merged before the amendment that fails it, if it names what it accepts; it accepts that and nothing else.
func TestAcceptNamesARun(t *testing.T) {
	base := "contract \"c\" {\n  final = \"p.done\"\n}\nparty \"p\" {\n  state \"begun\" {}\n  state \"done\" {}\n  state \"lost\" {}\n  state \"gone\" {}\n" +
		"  transition \"finish\" {\n    from = begun\n    to = done\n  }\n}\n"
	lose := strings.Replace(base, "done\n  }\n", "done\n  }\n  transition \"lose\" {\n    from = begun\n    to = lost\n  }\n", 1)
	leave := strings.Replace(base, "done\n  }\n", "done\n  }\n  transition \"go\" {\n    from = begun\n    to = gone\n  }\n", 1)
	both := strings.Replace(lose, "  transition \"lose\"", "  transition \"go\" {\n    from = begun\n    to = gone\n  }\n  transition \"lose\"", 1)
	b := finding.Budget{Jobs: 1}
	plain := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, lose), b)
	run := ""
	for _, f := range plain.Findings {
		if f.Check != nil && f.Name == "dead-end" {
			run = f.Check.Run
		}
	}
	accept := fmt.Sprintf("accept \"dead-end\" {\n  reason = \"known\"\n  run    = %q\n}\n", run)
	whatever := "accept \"dead-end\" {\n  reason = \"known\"\n}\n"
	for _, c := range []struct {
		name, base, head string
		exit             finding.ExitStatus
	}{
		{"merged first", base + accept, lose + accept, finding.Clean},
		{"merged first, of another run", base + accept, leave + accept, finding.Violations},
		{"merged first, of whatever it may be", base + whatever, lose + whatever, finding.Violations},
		{"not merged yet", base, lose + accept, finding.Violations},
		{"of what base has", lose + whatever, lose + whatever + "net \"n\" {}\n", finding.Clean},
		{"of what base has, by its run", lose + accept, lose + accept + "net \"n\" {}\n", finding.Clean},
		{"and in another way", lose + whatever, both + whatever, finding.Violations},
		{"and in another way than the run", lose + accept, both + accept, finding.Violations},
	} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), b)
		if got := approvedBy(t, review, finding.AcceptBase, false); got != c.exit {
			t.Errorf("%s: exit status %d, want %d: %q %+v", c.name, got, c.exit, findingsOf(review), review.Acceptances)
		}
	}
}

// The final states are a promise, which head may reword only so that it implies the old.
func TestFinalIsAPromise(t *testing.T) {
	text := func(final string) string {
		return "contract \"c\" {" + final + "}\nparty \"p\" {\n  state \"begun\" {}\n  state \"done\" {}\n  state \"closed\" {}\n" +
			"  transition \"finish\" {\n    from = begun\n    to = done\n  }\n  transition \"close\" {\n    from = begun\n    to = closed\n  }\n}\n"
	}
	const wide, narrow = "\n  final = \"p.done || p.closed\"\n", "\n  final = \"p.done\"\n"
	b := finding.Budget{Jobs: 1}
	for _, c := range []struct {
		name, base, head string
		want             string
	}{
		{"dropped", text(wide), text(""), "dropped no-option-to-complete"},
		{"wider", text(wide), text("\n  final = \"p.done || p.closed || p.begun\"\n"), "dropped no-option-to-complete"},
		{"in other words", text(wide), text("\n  final = \"p.closed || p.done\"\n"), ""},
		{"narrower, and broken", text(wide), text(narrow), "new dead-end"},
		{"broken on base", text(narrow), text(""), "standing dead-end"},
		{"gone", text(wide), "", "dropped no-option-to-complete"},
		{"of states that are gone", text(wide), "contract \"c\" {}\nparty \"q\" {\n  state \"x\" {}\n}\n", "dropped dead-end"},
	} {
		var head *compile.Draft
		if c.head != "" {
			head = testkit.DraftOf(t, c.head)
		}
		review := blame.Compare(context.Background(), testkit.DraftOf(t, c.base), head, b)
		if got := findingsOf(review); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
			continue
		}
		if !strings.HasPrefix(c.want, "dropped") {
			continue
		}
		if got := approvedBy(t, review, finding.AcceptAmendment, false); got != finding.Violations {
			t.Errorf("%s: exit status %d", c.name, got)
		}
		f := review.Findings[0]
		if head == nil {
			gone := finding.Retirement{Contract: review.Path, Name: f.RetireName(), Digest: f.Promise, Reason: "over"}
			if got := approvedBy(t, review, finding.AcceptAmendment, false, gone); got != finding.Clean {
				t.Errorf("%s: it is given up, and the exit status is %d", c.name, got)
			}
			continue
		}
		retire := fmt.Sprintf("retire %q {\n  digest = %q\n  reason = \"over\"\n}\n", f.RetireName(), f.Promise)
		review = blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head+retire), b)
		for rule, want := range map[finding.AcceptanceRule]finding.ExitStatus{finding.AcceptAmendment: finding.Clean, finding.AcceptBase: finding.Violations} {
			if got := approvedBy(t, review, rule, false); got != want {
				t.Errorf("%s: it is given up, and by %s the exit status is %d", c.name, rule, got)
			}
		}
	}
}

// Where what is owed counts, a contract that is deleted takes no norm with it unseen.
func TestOwedOfADeletedContract(t *testing.T) {
	review := blame.Compare(context.Background(), testkit.DraftOf(t, owing+owed), nil, finding.Budget{Jobs: 1, Owed: true})
	if got := findingsOf(review); got != "dropped norm-dropped on obligation.deliver" {
		t.Fatal(got)
	}
	if got := approvedBy(t, review, finding.AcceptAmendment, false); got != finding.Violations {
		t.Errorf("exit status %d", got)
	}
	f := review.Findings[0]
	gone := finding.Retirement{Contract: review.Path, Name: f.RetireName(), Digest: f.Promise, Reason: "over"}
	if got := approvedBy(t, review, finding.AcceptAmendment, false, gone); got != finding.Clean {
		t.Errorf("it is given up, and the exit status is %d", got)
	}
}

// TestPlaceOfDroppedNorm: head has no place of a norm that it drops; the finding is where head has the party that bore it, by whatever name, or
// another party to it, or else the contract.
func TestPlaceOfDroppedNorm(t *testing.T) {
	agent := "party \"agent\" {}\n"
	for _, c := range []struct{ name, base, head, at string }{
		{"its bearer", owing + owed, owing, `party "seller"`},
		{"its bearer, renamed", owing + owed, strings.ReplaceAll(owing, "seller", "vendor"), `party "vendor"`},
		{"who is owed", owing + agent + strings.Replace(owed, "= seller", "= agent", 1), owing, `party "buyer"`},
		{"nobody any more", owing + agent + "prohibition \"quiet\" {\n  bearer = agent\n  of = delivery\n}\n", "\n" + owing, `contract "c"`},
	} {
		head := c.head
		f := blame.Compare(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true}).Findings
		i := slices.IndexFunc(f, func(f finding.Finding) bool { return f.Name == "norm-dropped" })
		if i < 0 {
			t.Errorf("%s: %+v", c.name, f)
			continue
		}
		if at := f[i].Check.Source; !strings.HasPrefix(head[at.Start.Byte:], c.at) {
			t.Errorf("%s: at %v, want %s", c.name, at, c.at)
		}
		if said := f[i].Check.Message; c.base == owing+owed && !strings.HasSuffix(said, " of the seller to the buyer.") || strings.Contains(c.base, "quiet") && !strings.HasSuffix(said, " of the agent.") {
			t.Errorf("%s: %s", c.name, said)
		}
	}
}
