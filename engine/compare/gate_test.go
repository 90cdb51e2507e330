package compare_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/codes"
)

// amend compares two texts, of which head may be empty: the contract is deleted.
func amend(t *testing.T, base, head string, today finding.Date) *finding.Review {
	t.Helper()
	var now *compile.Draft
	if head != "" {
		now = testkit.DraftOf(t, head)
	}
	return &finding.Review{Contracts: []finding.ContractReview{blame.Compare(context.Background(), testkit.DraftOf(t, base), now, finding.Budget{Jobs: 1, Today: today})}}
}

// accepted settles a review under each rule without approvals, and tells the acceptances' states and the exit statuses.
func accepted(t *testing.T, r *finding.Review, policy finding.AcceptancePolicy) string {
	t.Helper()
	var said []string
	for _, policy.Rule = range []finding.AcceptanceRule{finding.AcceptApproved, finding.AcceptBase, finding.AcceptAmendment} {
		if err := r.Settle(context.Background(), policy, func(context.Context, finding.Acceptance) (finding.Approval, error) { return finding.Approval{}, nil }); err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, a := range append(slices.Clone(r.Contracts[0].Acceptances), r.Unplaced...) {
			text += strings.ReplaceAll(a.State.String(), " ", "-") + " "
		}
		said = append(said, fmt.Sprint(text, r.Gate(finding.FailNew)))
	}
	return strings.Join(said, ", ")
}

// waiving writes a promise with a waiver.
func waiving(ctl, reason, expires string, runs ...string) string {
	text := strings.Replace(waivedPromise(ctl, runs...), "settled", reason, 1)
	if expires != "" {
		text = strings.Replace(text, "  }\n", "    expires  = \""+expires+"\"\n  }\n", 1)
	}
	return text
}

func runOf(t *testing.T, text string) string {
	t.Helper()
	return verify.Check(context.Background(), testkit.DraftOf(t, text), finding.Budget{Jobs: 1}).Requirements[0].Run
}

// TestGateOfAWaiver: a waiver of base counts where it is there as it was, of the same promise under the same name; else it has to be accepted.
func TestGateOfAWaiver(t *testing.T) {
	const never, also = "AG !a.bad", "AG !(a.bad && !a.s)"
	states, sale, more := "s ok bad x", []string{"s ok", "s bad"}, []string{"s ok", "s bad", "ok x"}
	run, other := runOf(t, one(states, sale, promise(never))), runOf(t, one(states, sale, promise(also)))
	renamed := runOf(t, one("s ok worse x", []string{"s ok", "s worse s_bad"}, promise("AG !a.worse")))
	same := waiving(never, "why", "2027-03-31", run, other, renamed)
	const byBase, brought = "by-base 0, by-base 0, by-base 0", "pending 1, pending 1, by-amendment 0"
	for _, c := range []struct {
		name, base, head string
		want             string
	}{
		{"as it was", one(states, sale, same), one(states, more, same), byBase},
		{"another reason", one(states, sale, same), one(states, more, waiving(never, "other", "2027-03-31", run, other, renamed)), brought},
		{"a day more", one(states, sale, same), one(states, more, waiving(never, "why", "2027-04-01", run, other, renamed)), brought},
		{"for good", one(states, sale, same), one(states, more, waiving(never, "why", "", run, other, renamed)), brought},
		{"another approver", one(states, sale, same), one(states, more, strings.Replace(same, "R. Roe", "J. Doe", 1)), brought},
		{"a run more", one(states, sale, waiving(never, "why", "", run)), one(states, more, waiving(never, "why", "", run, other)), brought},
		{"another promise", one(states, sale, same), one(states, more, strings.Replace(same, never, also, 1)), "pending 1, pending 1, by-amendment 1"}, // what base promised is given up, too
		{"another name", one(states, sale, same), one(states, more, strings.Replace(same, `"r"`, `"q"`, 1)), brought},
		{"a name in the promise", one(states, sale, same), one("s ok worse x", []string{"s ok", "s worse s_bad", "ok x"}, strings.Replace(same, never, "AG !a.worse", 1)), brought},
		{"what base kept", one(states, []string{"s ok"}, same), one(states, sale, same), byBase},
		{"brought", one(states, []string{"s ok"}, promise(never)), one(states, sale, same), brought},
		{"and nothing else", one(states, sale, promise(never)), one(states, sale, same), "pending 1, idle 0, by-amendment 0"},
		{"a day more, and nothing else", one(states, sale, same), one(states, sale, waiving(never, "why", "2027-04-01", run, other, renamed)), brought},
		{"a day more, since it expired", one(states, sale, waiving(never, "why", "2026-12-31", run)), one(states, sale, waiving(never, "why", "2027-12-31", run)), brought},
		{"of a run of which base's is not", one(states, sale, waiving(never, "why", "", other)), one(states, sale, same), "pending 1, idle 0, by-amendment 0"},
		{"of what is kept", one(states, []string{"s ok"}, promise(never)), one(states, []string{"s ok", "ok s"}, same), "pending 1, idle 0, by-amendment 0"},
	} {
		if got := accepted(t, amend(t, c.base, c.head, "2027-01-01"), finding.AcceptancePolicy{}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestGateOfAPromiseGivenUp: a retire gives up the promise that it names by its digest, and no other.
func TestGateOfAPromiseGivenUp(t *testing.T) {
	states, sale := "s ok bad x", []string{"s ok"}
	base := one(states, sale, promise("EF a.ok"))
	digest := amend(t, base, "", "").Contracts[0].Findings[0].Promise
	retire := func(digest string) string {
		return "retire \"r\" {\n  digest = \"" + digest + "\"\n  reason = \"why\"\n}\n"
	}
	another := "sha256:" + strings.Repeat("0", 64)
	broken := runOf(t, one(states, sale, promise("EF a.bad")))
	for _, c := range []struct {
		name, base, head, want string
	}{
		{"without a word", base, one(states, sale, ""), "1, 1, 1"},
		{"by its digest", base, one(states, sale, retire(digest)), "pending 1, pending 1, by-amendment 0"},
		{"by another digest", base, one(states, sale, retire(another)), "pending 1, idle 1, by-amendment 1"},
		{"and it is broken", base, one(states, []string{"s bad"}, retire(digest)), "pending 1, pending 1, by-amendment 0"},
		{"and base gave it up", base + retire(digest), one(states, sale, retire(digest)), "by-base 0, by-base 0, by-base 0"},
		{"and base gave another up", base + retire(another), one(states, sale, retire(digest)), "pending 1, pending 1, by-amendment 0"},
		{"which base broke", one(states, sale, promise("EF a.bad")), one(states, sale, ""), "0, 0, 0"},
		{"which base broke under a waiver", one(states, sale, waiving("EF a.bad", "why", "2027-03-31", broken)), one(states, sale, ""), "1, 1, 1"},
		{"which base broke under a waiver of something else", one(states, sale, waiving("EF a.bad", "why", "", another)), one(states, sale, ""), "0, 0, 0"},
		{"with its waiver, and what implies it is there", one(states, sale, waiving("EF a.bad", "why", "", broken)), one(states, append(sale, "s bad"), strings.Replace(promise("EF a.bad && EF a.ok"), "\"r\"", "\"q\"", 1)), "0, 0, 0"},
		{"and nothing is", base, one(states, append(sale, "ok s"), promise("EF a.ok")+retire(digest)), "pending 1, idle 0, by-amendment 0"},
	} {
		if got := accepted(t, amend(t, c.base, c.head, ""), finding.AcceptancePolicy{}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestGateOfWhatIsImplied: head's promise stands in for base's only on the same terms.
func TestGateOfWhatIsImplied(t *testing.T) {
	const assuming = "requirement \"r\" {\n  ctl      = \"AF a.ok\"\n  assuming = progress(a)\n}\n"
	const broken = "requirement \"q\" { ctl = \"AF a.ok && EF a.bad\" }\n"
	states, sale := "s ok bad x", []string{"s ok"}
	for _, c := range []struct {
		name, was, now string
		want           finding.ExitStatus
	}{
		{"more", promise("AF a.ok"), strings.Replace(promise("AF a.ok && AG !a.bad"), `"r"`, `"q"`, 1), finding.Clean},
		{"less", promise("AF a.ok"), promise("AF (a.ok || a.bad)"), finding.Violations},
		{"something else", promise("AF a.ok"), promise("AG !a.bad"), finding.Violations},
		{"under an assumption", promise("AF a.ok"), assuming, finding.Violations},
		{"without it", assuming, promise("AF a.ok"), finding.Violations},
		{"over ideal runs", promise("AF a.ok"), "requirement \"r\" {\n  ctl  = \"AF a.ok\"\n  over = ideal\n}\n", finding.Violations},
		{"by a promise that stays broken", promise("AF a.ok") + broken, broken, finding.Violations},
	} {
		if got := amend(t, one(states, sale, c.was), one(states, sale, c.now), "").Gate(finding.FailNew); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestGateOfSettings: what settings say of promises given up counts for contracts that head has no more, where base says it, too, or somebody approves.
func TestGateOfSettings(t *testing.T) {
	base := one("s ok bad x", []string{"s ok"}, promise("EF a.ok"))
	gone := func() *finding.Review { return amend(t, base, "", "") }
	right := finding.Retirement{Contract: "x", Name: "r", Digest: gone().Contracts[0].Findings[0].Promise, Reason: "why"}
	elsewhere, digest, name, reason := right, right, right, right
	elsewhere.Contract, digest.Digest, name.Name, reason.Reason = "y", "sha256:"+strings.Repeat("0", 64), "q", "other"
	for _, c := range []struct {
		name       string
		review     *finding.Review
		base, head []finding.Retirement
		want       string
	}{
		{"without a word", gone(), nil, nil, "1, 1, 1"},
		{"it is named", gone(), nil, []finding.Retirement{right}, "pending 1, pending 1, by-amendment 0"},
		{"base names it", gone(), []finding.Retirement{right}, []finding.Retirement{right}, "by-base 0, by-base 0, by-base 0"},
		{"only base names it", gone(), []finding.Retirement{right}, nil, "1, 1, 1"},
		{"base says something else", gone(), []finding.Retirement{reason}, []finding.Retirement{right}, "pending 1, pending 1, by-amendment 0"},
		{"another digest", gone(), nil, []finding.Retirement{digest}, "pending 1, idle 1, by-amendment 1"},
		{"another name", gone(), nil, []finding.Retirement{name}, "pending 1, idle 1, by-amendment 1"},
		{"another contract", gone(), nil, []finding.Retirement{elsewhere}, "pending 1, idle 1, by-amendment 1"},
		{"the contract is there", amend(t, base, one("s ok bad x", []string{"s ok"}, ""), ""), nil, []finding.Retirement{right}, "pending 1, idle 1, by-amendment 1"},
		{"nothing is given up", amend(t, base, base+"# a comment\n", ""), nil, []finding.Retirement{right}, "pending 1, idle 0, by-amendment 0"},
		{"nor was", amend(t, base, base+"# a comment\n", ""), []finding.Retirement{right}, []finding.Retirement{right}, "0, 0, 0"},
	} {
		if got := accepted(t, c.review, finding.AcceptancePolicy{Read: true, Base: c.base, Head: c.head}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestGateOfApprovals: of all that can be said of an approval only one thing makes an acceptance count, and only under one rule.
func TestGateOfApprovals(t *testing.T) {
	for _, rule := range []finding.AcceptanceRule{finding.AcceptApproved, finding.AcceptBase, finding.AcceptAmendment} {
		for state := finding.Pending; state <= finding.Idle; state++ {
			r := &finding.Review{Contracts: []finding.ContractReview{{
				Findings:    []finding.Finding{{Kind: finding.Waived, Name: "r"}},
				Acceptances: []finding.Acceptance{{Kind: finding.AcceptWaiver, Name: "r", Needed: true, State: finding.ByAmendment}},
			}}}
			asked := 0
			err := r.Settle(t.Context(), finding.AcceptancePolicy{Rule: rule}, func(context.Context, finding.Acceptance) (finding.Approval, error) {
				asked++
				return finding.Approval{State: state, Needs: []string{"@bob"}, Why: "why"}, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			want := finding.Violations
			if rule == finding.AcceptAmendment || rule == finding.AcceptApproved && state == finding.ByApproval {
				want = finding.Clean
			}
			a := r.Contracts[0].Acceptances[0]
			if got := r.Gate(finding.FailNew); got != want || (rule == finding.AcceptAmendment) == (asked > 0) {
				t.Errorf("rule %s, %s: exit status %d, want %d; asked %d times", rule, state, got, want, asked)
			}
			if asked > 0 && (a.Why != "why" || len(a.Needs) != 1) {
				t.Errorf("rule %s, %s: %+v", rule, state, a)
			}
			if got := r.Gate(finding.FailNever); got != finding.Clean {
				t.Errorf("rule %s, %s: it fails, and is never to", rule, state)
			}
		}
	}
}

// TestGateOfApprovalsThatFail: who can't be asked has approved nothing, nor has anybody who is asked later.
func TestGateOfApprovalsThatFail(t *testing.T) {
	r := &finding.Review{Contracts: []finding.ContractReview{{Path: "x", Acceptances: []finding.Acceptance{
		{Kind: finding.AcceptWaiver, Name: "p", State: finding.ByBase}, {Kind: finding.AcceptWaiver, Name: "q"}, {Kind: finding.AcceptWaiver, Name: "r"}}}}}
	asked := 0
	err := r.Settle(t.Context(), finding.AcceptancePolicy{}, func(context.Context, finding.Acceptance) (finding.Approval, error) {
		asked++
		return finding.Approval{State: finding.ByApproval}, errors.New("it is down")
	})
	if err == nil || !strings.Contains(err.Error(), `"q" in `) || asked != 1 {
		t.Errorf("%v, asked %d times", err, asked)
	}
	for i, want := range []finding.AcceptanceState{finding.ByBase, finding.Pending, finding.Pending} {
		if got := r.Contracts[0].Acceptances[i].State; got != want {
			t.Errorf("acceptance %d is %s, want %s", i, got, want)
		}
	}
	if got := r.Gate(finding.FailNew); got != finding.Violations {
		t.Errorf("exit status %d", got)
	}
}

// TestGateOfFindings: what each kind of finding comes to.
func TestGateOfFindings(t *testing.T) {
	check := &finding.Diagnostic{Code: "dead-end", Class: codes.Violation}
	counts, idle, pending := finding.ByBase, finding.Idle, finding.Pending
	for _, c := range []struct {
		name    string
		finding finding.Finding
		state   *finding.AcceptanceState
		want    string // by what is to fail: new, any, never
	}{
		{"undecided", finding.Finding{Kind: finding.Undecided}, nil, "3 3 0"},
		{"kept", finding.Finding{Kind: finding.Kept}, nil, "0 0 0"},
		{"new", finding.Finding{Kind: finding.New}, nil, "1 1 0"},
		{"standing", finding.Finding{Kind: finding.Standing}, nil, "0 1 0"},
		{"repaired", finding.Finding{Kind: finding.Repaired}, nil, "0 0 0"},
		{"expired", finding.Finding{Kind: finding.WaiverExpired}, nil, "1 1 0"},
		{"rests as before", finding.Finding{Kind: finding.RestsAsBefore}, nil, "0 1 0"},
		{"weakened check", finding.Finding{Kind: finding.Weakened, Check: check}, nil, "1 1 0"},
		{"dropped", finding.Finding{Kind: finding.Dropped}, nil, "1 1 0"},
		{"dropped, accepted", finding.Finding{Kind: finding.Dropped}, &counts, "0 0 0"},
		{"dropped, pending", finding.Finding{Kind: finding.Dropped}, &pending, "1 1 0"},
		{"weakened", finding.Finding{Kind: finding.Weakened}, nil, "1 1 0"},
		{"weakened, accepted", finding.Finding{Kind: finding.Weakened}, &counts, "0 0 0"},
		{"waived", finding.Finding{Kind: finding.Waived}, nil, "1 1 0"},
		{"waived, accepted", finding.Finding{Kind: finding.Waived}, &counts, "0 0 0"},
		{"waived, idle", finding.Finding{Kind: finding.Waived}, &idle, "0 1 0"},
		{"waived, pending", finding.Finding{Kind: finding.Waived}, &pending, "1 1 0"},
		{"waived old wording, accepted", finding.Finding{Kind: finding.Waived, Old: true}, &counts, "1 1 0"},
	} {
		one := finding.ContractReview{Findings: []finding.Finding{c.finding}}
		if c.state != nil {
			kind := finding.AcceptRetire
			if c.finding.Kind == finding.Waived {
				kind = finding.AcceptWaiver
			}
			one.Acceptances = []finding.Acceptance{{Kind: kind, State: *c.state, Needed: true}}
		}
		r := &finding.Review{Contracts: []finding.ContractReview{{}, one}}
		r.Link()
		if got := fmt.Sprint(r.Gate(finding.FailNew), r.Gate(finding.FailAny), r.Gate(finding.FailNever)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		f := &r.Contracts[1].Findings[0]
		if got := fmt.Sprint(f.Objection(finding.FailNew), f.Objection(finding.FailAny), f.Objection(finding.FailNever)); got != c.want {
			t.Errorf("%s: objection %s, want %s", c.name, got, c.want)
		}
		if c.state != nil && *c.state == finding.ByBase && !c.finding.Old { // an acceptance of something else is none
			for name, but := range map[string]func(*finding.Acceptance){
				"kind": func(a *finding.Acceptance) { a.Kind = finding.AcceptFinding }, "name": func(a *finding.Acceptance) { a.Name = "q" },
			} {
				but(&one.Acceptances[0])
				r.Link()
				if r.Gate(finding.FailNew) != finding.Violations {
					t.Errorf("%s: accepted by another %s", c.name, name)
				}
			}
		}
	}
}

// TestGateStatuses: what is ill-formed outweighs what is violated, and that what is unknown; in a check as in a review.
func TestGateStatuses(t *testing.T) {
	ill := &finding.Result{Diagnostics: []finding.Diagnostic{{Class: codes.Error}}}
	partial := &finding.Result{Model: finding.Model{Incomplete: "too many states"}}
	failed := &finding.Result{Diagnostics: []finding.Diagnostic{{Class: codes.Violation}}}
	accepted := &finding.Result{Diagnostics: []finding.Diagnostic{{Class: codes.Violation, Accepted: "why"}, {Class: codes.Warning}}}
	whole := &finding.Result{Model: finding.Model{States: big.NewInt(1)}}
	verdicts := func(all ...finding.Verdict) *finding.Result {
		r := &finding.Result{}
		for _, v := range all {
			r.Requirements = append(r.Requirements, finding.Requirement{Verdict: v})
		}
		return r
	}
	for _, c := range []struct {
		name    string
		results []*finding.Result
		want    finding.ExitStatus
	}{
		{"nothing", nil, finding.Clean},
		{"clean", []*finding.Result{whole, accepted, verdicts(finding.Holds)}, finding.Clean},
		{"partial", []*finding.Result{partial, whole}, finding.OutOfLimit},
		{"unknown", []*finding.Result{verdicts(finding.Holds, finding.Unknown)}, finding.OutOfLimit},
		{"partial, and failed", []*finding.Result{failed, partial}, finding.Violations},
		{"unknown, and violated", []*finding.Result{verdicts(finding.Unknown, finding.Violated, finding.Unknown)}, finding.Violations},
		{"ill-formed first", []*finding.Result{ill, failed, partial}, finding.BadInput},
		{"ill-formed last", []*finding.Result{partial, failed, ill}, finding.BadInput},
		{"ill-formed formula", []*finding.Result{verdicts(finding.IllFormed, finding.Violated)}, finding.BadInput},
	} {
		if got := finding.StatusOf(c.results); got != c.want {
			t.Errorf("check, %s: %d, want %d", c.name, got, c.want)
		}
	}
	broken, open := finding.Finding{Kind: finding.New}, finding.Acceptance{State: finding.Pending}
	for _, c := range []struct {
		name  string
		of    finding.ContractReview
		want  finding.ExitStatus
		never finding.ExitStatus
	}{
		{"ill-formed", finding.ContractReview{Head: ill, Findings: []finding.Finding{broken}}, finding.BadInput, finding.BadInput},
		{"ill-formed base", finding.ContractReview{Base: ill, Head: whole}, finding.Clean, finding.Clean},
		{"partial", finding.ContractReview{Head: partial}, finding.OutOfLimit, finding.Clean},
		{"partial base", finding.ContractReview{Base: partial, Head: whole}, finding.Clean, finding.Clean},
		{"partial, and broken", finding.ContractReview{Head: partial, Findings: []finding.Finding{broken}}, finding.Violations, finding.Clean},
		{"unknown, and broken", finding.ContractReview{Findings: []finding.Finding{broken, {Kind: finding.Undecided}}}, finding.Violations, finding.Clean},
		{"open", finding.ContractReview{Head: partial, Acceptances: []finding.Acceptance{{State: finding.ByBase}, open}}, finding.Violations, finding.Clean},
		{"failed before", finding.ContractReview{Head: failed}, finding.Clean, finding.Clean},
	} {
		for _, all := range [][]finding.ContractReview{{c.of}, {{Head: whole}, c.of}, {c.of, {Head: whole}}} {
			r := &finding.Review{Contracts: all}
			if got, never := r.Gate(finding.FailNew), r.Gate(finding.FailNever); got != c.want || never != c.never {
				t.Errorf("review, %s: %d and %d, want %d and %d", c.name, got, never, c.want, c.never)
			}
		}
	}
	r := &finding.Review{Unplaced: []finding.Acceptance{open}}
	if got, never := r.Gate(finding.FailNew), r.Gate(finding.FailNever); got != finding.Violations || never != finding.Clean {
		t.Errorf("unplaced: %d and %d", got, never)
	}
}

// heldTwice writes a contract of two documents, each of which is kept by whoever hands it on, or not.
func heldTwice(kept [2]bool, rest string) string {
	text := "contract \"c\" {}\n"
	seller, bank, events := "", "", ""
	for i, keep := range kept {
		arc := "consume"
		if keep {
			arc = "read"
		}
		text += fmt.Sprintf("document \"d%d\" {}\n", i)
		seller += fmt.Sprintf("  place \"d%d\" {\n    document = d%d\n    marked = true\n  }\n  transition \"t%d\" { %s = [d%d] }\n", i, i, i, arc, i)
		bank += fmt.Sprintf("  place \"d%d\" { document = d%d }\n  place \"v%d\" { marked = true }\n  transition \"t%d\" {\n    consume = [v%d]\n    produce = [d%d]\n  }\n", i, i, i, i, i, i)
		events += fmt.Sprintf("event \"e%d\" {\n  sync = {\n    seller = t%d\n    bank = t%d\n  }\n}\n", i, i, i)
	}
	return text + "party \"seller\" {\n" + seller + "}\nparty \"bank\" {\n" + bank + "}\n" + events + rest
}

// TestGateOfChecks: a check that failed on one element excuses no other, and one that is accepted only itself.
func TestGateOfChecks(t *testing.T) {
	const all, first = "accept \"document-held-twice\" {\n  reason = \"why\"\n}\n", "accept \"document-held-twice\" {\n  on = document.d0\n  reason = \"why\"\n}\n"
	off := func(text string) string { return strings.Replace(text, "{ document = d0 }", "{}", 1) }
	neither, one, other, both := [2]bool{}, [2]bool{true, false}, [2]bool{false, true}, [2]bool{true, true}
	for _, c := range []struct {
		name       string
		base, head string
		want       string
	}{
		{"new", heldTwice(neither, ""), heldTwice(one, ""), "1, 1, 1"},
		{"another", heldTwice(one, ""), heldTwice(other, ""), "1, 1, 1"},
		{"another as well", heldTwice(one, ""), heldTwice(both, ""), "1, 1, 1"},
		{"as before", heldTwice(both, ""), heldTwice(one, ""), "0, 0, 0"},
		{"accepted no more", heldTwice(one, all), heldTwice(one, ""), "1, 1, 1"},
		{"accepted by base", heldTwice(one, all), heldTwice(one, all+promise("EF seller.d0")), "by-base 0, by-base 0, by-base 0"},
		{"accepted by base, another", heldTwice(one, all), heldTwice(other, all), "pending 1, pending 1, by-amendment 0"},
		{"accepted by base, another as well", heldTwice(one, all), heldTwice(both, all), "pending 1, pending 1, by-amendment 0"},
		{"accepted by base, of one", heldTwice(one, first), heldTwice(both, first), "by-base 1, by-base 1, by-base 1"},
		{"accepted by base, of one, now of all", heldTwice(one, first), heldTwice(both, all), "pending 1, pending 1, by-amendment 0"},
		{"accepted for another reason", heldTwice(one, all), heldTwice(one, strings.Replace(all, "why", "other", 1)), "pending 1, pending 1, by-amendment 0"},
		{"accepted beforehand", heldTwice(neither, all), heldTwice(one, all), "pending 1, pending 1, by-amendment 0"},
		{"off a place", heldTwice(neither, ""), off(heldTwice(one, "")), "1, 1, 1"},
		{"off a place, accepted", heldTwice(neither, ""), off(heldTwice(one, all)), "pending 1, pending 1, by-amendment 0"},
		{"off a place, and one has it", heldTwice(neither, ""), off(heldTwice(neither, "")), "0, 0, 0"},
		{"off a place, and another is twice", heldTwice(other, ""), off(heldTwice(other, "")), "0, 0, 0"},
		{"off a place, and base had it twice", heldTwice(one, ""), off(heldTwice(one, "")), "0, 0, 0"},
		{"no document at all", heldTwice(neither, ""), strings.NewReplacer("document \"d0\" {}\n", "", "    document = d0\n", "", "{ document = d0 }", "{}").Replace(heldTwice(one, "")), "1, 1, 1"},
		{"accepted for later", heldTwice(neither, ""), heldTwice(neither, all), "pending 1, idle 0, by-amendment 0"},
	} {
		if got := accepted(t, amend(t, c.base, c.head, ""), finding.AcceptancePolicy{}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestGateOfAmbiguousMoves: where it is not clear which contract has moved, none has, and what each promised is given up.
func TestGateOfAmbiguousMoves(t *testing.T) {
	drafts := func(files map[string]string) []*compile.Draft {
		tree := fstest.MapFS{}
		for dir, text := range files {
			tree[dir+"/c.contract.hcl"] = &fstest.MapFile{Data: []byte(text)}
		}
		all, err := engine.Tree{FS: tree, Root: "."}.Drafts(t.Context(), nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	lease := one("s ok", []string{"s ok"}, promise("EF a.ok"))
	loan, sale := one("s ok x", []string{"s ok", "ok x"}, promise("EF a.ok")), one("s ok y", []string{"s ok"}, promise("EF a.ok"))
	for _, c := range []struct {
		name       string
		base, head map[string]string
		want       finding.ExitStatus
	}{
		{"one", map[string]string{"a": lease}, map[string]string{"z": loan}, finding.Clean},
		{"one of two", map[string]string{"a": lease, "b": loan}, map[string]string{"z": sale}, finding.Violations},
		{"to one of two", map[string]string{"a": lease}, map[string]string{"y": loan, "z": sale}, finding.Violations},
	} {
		r := &finding.Review{Contracts: engine.CompareAll(t.Context(), drafts(c.base), drafts(c.head), finding.Budget{Jobs: 1})}
		if got := r.Gate(finding.FailNew); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestGateLists: an acceptance says what it accepts, where it is, and which files of base and head it concerns.
func TestGateLists(t *testing.T) {
	states, sale := "s ok bad x", []string{"s ok", "s bad"}
	run := runOf(t, one(states, sale, promise("AG !a.bad")))
	digest := amend(t, one(states, sale, promise("EF a.ok")), "", "").Contracts[0].Findings[0].Promise
	const accept = "accept \"document-held-twice\" {\n  on = document.d0\n  reason = \"why\"\n}\n"
	retire := "retire \"r\" {\n  digest = \"" + digest + "\"\n  reason = \"why\"\n}\n"
	for name, c := range map[string]struct {
		base, head string
		want       finding.Acceptance
	}{
		"waiver":            {one(states, sale[:1], promise("AG !a.bad")), one(states, sale, waiving("AG !a.bad", "why", "", run)), finding.Acceptance{Kind: finding.AcceptWaiver, Name: "r", Reason: "why", Approver: "R. Roe", BaseFile: "x/c.contract.hcl", Needed: true}},
		"waiver of nothing": {one(states, sale[:1], ""), one(states, sale, waiving("AG !a.bad", "why", "", run)), finding.Acceptance{Kind: finding.AcceptWaiver, Name: "r", Reason: "why", Approver: "R. Roe", Needed: true}},
		"accept":            {heldTwice([2]bool{}, ""), heldTwice([2]bool{true, false}, accept), finding.Acceptance{Kind: finding.AcceptFinding, Name: "document-held-twice on document.d0", Reason: "why", BaseFile: "x/c.contract.hcl", Needed: true}},
		"accept for later":  {heldTwice([2]bool{}, ""), heldTwice([2]bool{}, accept), finding.Acceptance{Kind: finding.AcceptFinding, Name: "document-held-twice on document.d0", Reason: "why", BaseFile: "x/c.contract.hcl"}},
		"retire":            {one(states, sale, promise("EF a.ok")), one(states, sale, retire), finding.Acceptance{Kind: finding.AcceptRetire, Name: "r", Reason: "why", BaseFile: "x/c.contract.hcl", Needed: true}},
		"retire of nothing": {one(states, sale, promise("EF a.bad")), one(states, sale, retire), finding.Acceptance{Kind: finding.AcceptRetire, Name: "r", Reason: "why", BaseFile: "x/c.contract.hcl"}},
	} {
		r := amend(t, c.base, c.head, "")
		if err := r.Settle(t.Context(), finding.AcceptancePolicy{}, nil); err != nil {
			t.Fatal(err)
		}
		all := r.Brought()
		if len(all) != 1 {
			t.Errorf("%s: %+v", name, all)
			continue
		}
		got := all[0]
		if got.Source.Empty() || got.Digest != r.Contracts[0].Head.Digest || got.Contract != "x" || got.File != "x/c.contract.hcl" {
			t.Errorf("%s: %+v", name, got)
		}
		if got.Kind != c.want.Kind || got.Name != c.want.Name || got.Reason != c.want.Reason || got.Approver != c.want.Approver || got.BaseFile != c.want.BaseFile || got.Needed != c.want.Needed {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		linked := slices.ContainsFunc(r.Contracts[0].Findings, func(f finding.Finding) bool { return f.Acceptance() != nil })
		if alone := len(r.Contracts[0].Unlinked()) == 1; alone == linked || linked != (c.want.Needed && c.want.Kind != finding.AcceptFinding) {
			t.Errorf("%s: linked %t, alone %t", name, linked, alone)
		}
		if r.BaseAccepts() {
			t.Errorf("%s: base accepts nothing", name)
		}
	}
	for name, base := range map[string]string{"a waiver": one(states, sale, waiving("AG !a.bad", "why", "", run)), "a check": heldTwice([2]bool{true, false}, accept)} {
		if !amend(t, base, base+"requirement \"more\" { ctl = \"EF true\" }\n", "").BaseAccepts() {
			t.Errorf("base accepts %s", name)
		}
	}
}
