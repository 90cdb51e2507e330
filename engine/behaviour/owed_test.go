package behaviour_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// loan is a contract in which nothing but the duty depends on the duty.
const loan = `contract "loan" {}
party "borrower" {
  state "owing" {}
  state "clear" {}
  transition "pay" {
    from = owing
    to   = clear
  }
}
party "lender" {
  state "waiting" {}
  transition "lend" {
    from = waiting
    to   = waiting
  }
}
party "bank" {}
event "payment" {
  sync = { borrower = pay }
}
event "loan" {
  sync = { lender = lend }
}
`

const repay = `obligation "repay" {
  bearer       = borrower
  counterparty = lender
  fulfil       = payment
  within       = 3
}
`

const noLoans = `prohibition "no-loans" {
  bearer       = lender
  counterparty = bank
  of           = loan
  until        = payment
}
`

const callIn = `power "call-in" {
  bearer       = lender
  counterparty = borrower
  exercise     = loan
  when         = payment
}
`

// soon ends the contract after two ticks without payment.
const soon = `obligation "soon" {
  bearer        = borrower
  fulfil        = payment
  within        = 2
  ends_contract = true
}
`

// TestWhatIsOwedIsBehaviour: the same steps can happen, and what is owed differs: after which run, how, and for whom it is better or worse.
func TestWhatIsOwedIsBehaviour(t *testing.T) {
	for _, c := range []struct{ name, base, head, want string }{
		{"dropped", repay, "", "repay after 0: owed by the borrower to the lender, 3 ticks left -> not owed; better borrower; worse lender"},
		{"added", "", repay, "repay after 0: not owed -> owed by the borrower to the lender, 3 ticks left; better lender; worse borrower"},
		{"longer", repay, strings.Replace(repay, "3", "30", 1), "repay after 3: breached by the borrower towards the lender -> owed by the borrower to the lender, 27 ticks left; better borrower; worse lender"},
		{"shorter", repay, strings.Replace(repay, "3", "1", 1), "repay after 1: owed by the borrower to the lender, 2 ticks left -> breached by the borrower towards the lender; better lender; worse borrower"},
		{"to another", repay, strings.Replace(repay, "= lender", "= bank", 1), "repay after 0: owed by the borrower to the lender, 3 ticks left -> owed by the borrower to the bank, 3 ticks left; better bank; worse lender"},
		{"by another", repay, strings.Replace(repay, "= borrower", "= bank", 1), "repay after 0: owed by the borrower to the lender, 3 ticks left -> owed by the bank to the lender, 3 ticks left; better borrower; worse bank"},
		{"renamed", repay, strings.Replace(repay, "repay", "give-back", 1), ""},
		{"ends sooner", noLoans, strings.Replace(noLoans, "until        = payment", "lasts        = 2", 1), "no-loans after 1: expired -> in force for the lender towards the bank, 2 ticks left; better bank; worse lender\nno-loans after 2: in force for the lender towards the bank -> expired; better lender; worse bank"},
		{"begins later", noLoans, strings.Replace(noLoans, "until        = payment", "from         = payment", 1), "no-loans after 0: in force for the lender towards the bank -> not in force; better lender; worse bank\nno-loans after 1: expired -> in force for the lender towards the bank; better bank; worse lender"},
		{"without a deadline", repay, strings.Replace(repay, "  within       = 3\n", "", 1), "repay after 3: breached by the borrower towards the lender -> owed by the borrower to the lender; better borrower; worse lender"},
		{"a deadline that never comes", repay + soon, strings.Replace(repay, "3", "30", 1) + soon, "repay after 0: owed by the borrower to the lender, 3 ticks left -> owed by the borrower to the lender, 30 ticks left; better ; worse ; the time alone"},
		{"a deadline that comes first", repay + soon, strings.Replace(repay, "within       = 3", "within       = 1", 1) + soon, "repay after 1: owed by the borrower to the lender, 2 ticks left -> breached by the borrower towards the lender; better lender; worse borrower"},
		{"lapses", callIn, "", "call-in after 1: held by the lender against the borrower -> not held; better borrower; worse lender"},
	} {
		for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			review := blame.Compare(context.Background(), testkit.DraftOf(t, loan+c.base), testkit.DraftOf(t, loan+c.head), finding.Budget{Jobs: 1, Engine: e})
			if review.Status == finding.Same {
				t.Fatal(c.name, "is the same")
			}
			all := review.Difference.All
			if all.Relation != delta.Same || all.Same() != (c.want == "") {
				t.Errorf("%s: %s, %+v", c.name, all.Relation, all.Owed)
			}
			if got := owedWords(all.Owed); got != c.want {
				t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
			}
		}
	}
}

func owedWords(o *finding.Owed) string {
	var list []string
	for i := range o.Norms {
		d := &o.Norms[i]
		steps := 0
		if len(d.Run) > 0 {
			steps = d.Run[len(d.Run)-1].Step
		}
		list = append(list, fmt.Sprintf("%s after %d: %s -> %s; better %s; worse %s", d.Norm, steps, d.Words(d.Was, d.WasOver), d.Words(d.Now, d.NowOver), strings.Join(d.Better, " "), strings.Join(d.Worse, " "))+map[bool]string{true: "; the time alone"}[d.TimeAlone])
	}
	return strings.Join(list, "\n")
}

// TestWhoSeesANorm: its bearer and its counterparty do, nobody else does, and everybody sees that the contract has ended.
func TestWhoSeesANorm(t *testing.T) {
	end := strings.Replace(repay, "within       = 3", "within       = 3\n  ends_contract = true", 1)
	for _, c := range []struct{ name, base, head, want string }{
		{"a duty", repay, "", "bank same, borrower more and less, lender more and less"},
		{"the end", repay, end, "bank more, borrower more and less, lender more and less"},
	} {
		for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			review := blame.Compare(context.Background(), testkit.DraftOf(t, loan+c.base), testkit.DraftOf(t, loan+c.head), finding.Budget{Jobs: 1, Engine: e})
			var got []string
			for _, v := range review.Difference.Views {
				relation := delta.Same
				if v.Owed != nil {
					relation = v.Owed.Relation
				}
				if relation == delta.Unknown && e == finding.Symbolic && v.Party == "bank" { // which may not know what hidden steps have led to
					relation = delta.More
				}
				got = append(got, v.Party+" "+relation.String())
			}
			if said := strings.Join(got, ", "); said != c.want {
				t.Errorf("%s: %s, want %s", c.name, said, c.want)
			}
		}
	}
}

// TestOwedByAnEventOfOneVersion: where an event of others that only one version has makes a duty, or ends it, the bearer sees that event, and can be as it can't
// be in the other version before, and the other way round.
func TestOwedByAnEventOfOneVersion(t *testing.T) {
	const duty, seen, unseen = "obligation \"deliver\" {\n  bearer = seller\n  fulfil = delivery\n}\n", `contract "c" {}
party "seller" {
  state "selling" {}
  state "sold" {}
  transition "deliver" {
    from = selling
    to   = sold
  }
}
party "carrier" {}
event "delivery" {
  sync = { seller = deliver }
}
`, `party "carrier" {
  state "away" {}
  state "there" {}
  state "gone" {}
  transition "load" {
    from = away
    to   = there
  }
  transition "leave" {
    from = there
    to   = gone
  }
}
event "pickup" {
  sync = { carrier = load }
}
`
	pickup := strings.NewReplacer("party \"carrier\" {}\n", unseen, "{ seller = deliver }", "{\n    carrier = leave\n    seller  = deliver\n  }").Replace(seen)
	by := func(word string) string {
		return pickup + strings.Replace(duty, "= delivery", "= delivery\n  "+word+" = pickup", 1)
	}
	for _, c := range []struct{ name, base, head, want string }{
		{"from the start, then by pickup", seen + duty, by("when"), "more and less; deliver after 0: owed by the seller -> not owed; better seller; worse "},
		{"by pickup, then from the start", by("when"), seen + duty, "more and less; deliver after 0: not owed -> owed by the seller; better ; worse seller"},
		{"never, then until pickup", seen, by("until"), "more and less; deliver after 0: not owed -> owed by the seller; better ; worse seller"},
		{"until pickup, then never", by("until"), seen, "more and less; deliver after 0: owed by the seller -> not owed; better seller; worse "},
	} {
		for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			views := blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1, Engine: e}).Difference.Views
			seller := views[slices.IndexFunc(views, func(v finding.View) bool { return v.Party == "seller" })]
			if got := seller.Owed.Relation.String() + "; " + owedWords(seller.Owed); seller.Relation != delta.Both || got != c.want {
				t.Errorf("%s, %s: steps %s; %s\nwant %s", c.name, e, seller.Relation, got, c.want)
			}
		}
	}
}

// TestObservedIsTheSameOnBothSides: what a party takes part in on one side alone is looked at on both.
func TestObservedIsTheSameOnBothSides(t *testing.T) {
	base := `contract "c" {}
party "a" {
  state "s0" {}
  state "s1" {}
  transition "x" {
    from = s0
    to   = s1
  }
}
party "b" {
  state "b0" {}
  state "b1" {}
  transition "y" {
    from = b1
    to   = b0
  }
}
event "e" {
  sync = {
    a = x
    b = y
  }
}
`
	head := strings.Replace(base, "    b = y\n", "", 1)
	for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
		d := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Engine: e, Observe: []string{"b"}}).Difference
		if d.All.Relation != delta.More || len(d.All.Possible) != 1 || d.All.Possible[0].Refused != "e" {
			t.Errorf("looking at %v: %+v", d.All.Observed, d.All)
		}
	}
}

// TestATimerThatRanOut: a state in which its time has run out is another than one in which it never began.
func TestATimerThatRanOut(t *testing.T) {
	base := `contract "c" {}
party "p" {
  state "s" {}
  state "never" {}
  transition "start" {
    from = never
    to   = never
  }
  transition "late" {
    from = s
    to   = never
  }
}
event "start" {
  sync = { p = start }
}
event "late" {
  sync       = { p = late }
  not_before = { start = 1 }
}
`
	head := strings.Replace(base, "    from = never\n    to   = never", "    from = s\n    to   = s", 1)
	for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
		s := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Engine: e}).Difference.States
		if s.Appeared != 3 { // it runs, it ran out, and it ran out before what waited for it
			t.Errorf("%d states appeared: %+v", s.Appeared, s)
		}
	}
}

// TestBothEndsAreDescribed: after the run that shows a difference, the states of both versions are described, and of which the run is.
func TestBothEndsAreDescribed(t *testing.T) {
	base, head := loan+repay, loan+strings.Replace(repay, "3", "2", 1)+"power \"call-in\" {\n  bearer   = lender\n  exercise = loan\n  when     = repay.breached\n}\n"
	review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1})
	var got []string
	for _, d := range review.Difference.All.Owed.Norms {
		if len(d.End) == 0 {
			t.Errorf("%s: where the run ends is not said", d.Norm)
		}
		got = append(got, fmt.Sprint(d.Norm, " in ", d.Ends.Side, ": ", d.Ends.Before, " | ", d.Ends.Now, " | ", d.Ends.Both))
	}
	before, now := "[{repay  [owed by the borrower to the lender, 1 tick left]} {call-in  [not in the contract]}]", "[{repay  [breached by the borrower towards the lender]} {call-in  [held by the lender]}]"
	want := []string{
		fmt.Sprint("call-in in ", diff.InHead, ": ", before, " | ", now, " | [{borrower  [owing]} {lender  [waiting]}]"),
		fmt.Sprint("repay in ", diff.InBase, ": ", before, " | ", now, " | [{borrower  [owing]} {lender  [waiting]}]"),
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

// TestEndsUnderNewNames: parties and norms are described by their names on head, also in states of base.
func TestEndsUnderNewNames(t *testing.T) {
	base := loan + noLoans + repay
	head := strings.NewReplacer("\"bank\"", "\"house\"", "= bank", "= house", "\"lender\"", "\"creditor\"", "= lender", "= creditor", "{ lender", "{ creditor", "repay", "give-back", "  until        = payment\n", "").Replace(base)
	d := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1}).Difference
	for _, n := range d.All.Owed.Norms {
		if said := fmt.Sprint(n.Ends.Before, n.Ends.Now, n.Ends.Both); strings.Contains(said, "bank") || strings.Contains(said, "lender") || strings.Contains(said, "repay") || strings.Contains(said, "not in the contract") {
			t.Error(said)
		}
	}
	if len(d.All.Owed.Norms) == 0 {
		t.Error("nothing differs")
	}
}

// TestAmendedNormsComeFirst: what follows from their amendment comes after them, whatever its name.
func TestAmendedNormsComeFirst(t *testing.T) {
	follows := func(name string) string {
		return "power \"" + name + "\" {\n  bearer   = lender\n  exercise = loan\n  when     = repay.breached\n}\n"
	}
	base := loan + follows("call") + repay + follows("sue")
	d := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, strings.Replace(base, "= 3", "= 2", 1)), finding.Budget{Jobs: 1}).Difference
	var got []string
	for _, n := range d.All.Owed.Norms {
		got = append(got, n.Norm)
	}
	if want := []string{"repay", "call", "sue"}; !slices.Equal(slices.Compact(got), want) {
		t.Errorf("%v, want %v", got, want)
	}
	base = loan + soon + repay + callIn
	both := blame.Compare(t.Context(), testkit.DraftOf(t, strings.Replace(base, "call-in", "sue", 1)), testkit.DraftOf(t, loan+soon+strings.Replace(repay, "3", "30", 1)), finding.Budget{Jobs: 1}).Difference.All.Owed.Norms
	if len(both) != 2 || !both[0].TimeAlone || both[1].Norm != "sue" {
		t.Errorf("of two that are amended: %+v", both)
	}
}

// TestWhenItBindsLater: it is said after how much more time a norm binds that does not bind yet.
func TestWhenItBindsLater(t *testing.T) {
	base := loan + strings.Replace(repay, "3", "2", 1) + "power \"sue\" {\n  bearer   = lender\n  exercise = loan\n}\n"
	d := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, strings.Replace(base, "= loan\n}", "= loan\n  when     = repay.breached\n}", 1)), finding.Budget{Jobs: 1}).Difference
	if _, now := d.All.Owed.Norms[0].States(); now != "not held until 2 ticks later, if nothing else happens" {
		t.Error(now)
	}
}

// TestUnseenStepsAreNoGain: after the same observations a party may find its claim there or not, on both sides, by a step that it does not see. That is
// no difference: another creditor beside makes the claim neither better nor worse for the debtor, though head has one more unseen step.
func TestUnseenStepsAreNoGain(t *testing.T) {
	const base = `contract "c" {}
party "debtor" {}
party "creditor" {}
party "friend" {}
net "secret" {
  state "kept" {}
  state "out" { since = word }
}
event "word" { by = friend }
event "loan" { by = [creditor, debtor] }
event "payment" { by = debtor }
obligation "pay" {
  bearer       = debtor
  counterparty = creditor
  when         = loan
  require      = secret.kept
  within       = 2
  fulfil       = payment
}
`
	hums := strings.Replace(base, "event \"loan\"", "event \"hum\" { by = friend }\nevent \"loan\"", 1)
	for _, c := range []struct{ name, head, creditor, debtor, friend string }{
		{"one more creditor", strings.Replace(hums, "= creditor\n", "= [creditor, friend]\n", 1), "", "", "better"},
		{"longer", strings.Replace(hums, "within       = 2", "within       = 3", 1), "worse", "better", ""},
		{"dropped", hums[:strings.Index(hums, "obligation")], "worse", "better", ""},
	} {
		d := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1}).Difference
		for party, want := range map[string]string{"creditor": c.creditor, "debtor": c.debtor, "friend": c.friend} {
			at := slices.IndexFunc(d.Views, func(v finding.View) bool { return v.Party == party })
			got := map[string]bool{}
			if o := d.Views[at].Behaviour.Owed; o != nil {
				for _, n := range o.Norms {
					got["better"] = got["better"] || slices.Contains(n.Better, party)
					got["worse"] = got["worse"] || slices.Contains(n.Worse, party)
				}
			}
			for _, way := range []string{"better", "worse"} {
				if got[way] != (way == want) {
					t.Errorf("%s: for the %s %s: %t", c.name, party, way, got[way])
				}
			}
		}
	}
}

// TestOtherStoriesAreNoGain: where head alone allows a last step that a party does not see, base comes to the same observations by other unseen steps. That
// base has paid then, and head has not, is no difference in what is owed for the payment.
func TestOtherStoriesAreNoGain(t *testing.T) {
	const base = `contract "c" {}
party "debtor" {}
party "creditor" {}
event "first" {
  by         = debtor
  only_while = one.owed
}
event "second" {
  by         = debtor
  only_while = two.owed
}
event "waiver" {
  by         = debtor
  only_while = waive.held
}
obligation "one" {
  bearer       = debtor
  counterparty = creditor
  within       = 1
  fulfil       = first
}
obligation "two" {
  bearer       = debtor
  counterparty = creditor
  within       = 2
  fulfil       = second
}
power "waive" {
  bearer       = debtor
  counterparty = creditor
  exercise     = waiver
  within       = 1
}
`
	head := strings.Replace(base, "  exercise     = waiver\n  within       = 1\n", "  exercise     = waiver\n", 1)
	for _, v := range blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1}).Difference.Views {
		if o := v.Behaviour.Owed; o != nil {
			for _, n := range o.Norms {
				if n.Norm != "waive" && len(n.Better)+len(n.Worse) > 0 {
					t.Errorf("%s: %s is better for %v, worse for %v: %+v, %+v", v.Party, n.Norm, n.Better, n.Worse, n.Was, n.Now)
				}
			}
		}
	}
}
