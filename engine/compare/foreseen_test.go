package compare_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestForeseen: a norm is owed otherwise if a new step, one that takes fewer, or one at a new time takes away for good that it begins, is used or is fulfilled: unless who
// gains by it takes that step.
func TestForeseen(t *testing.T) {
	const rental = `contract "rental" {}
party "owner" {}
party "renter" {}
event "handover" { by = owner }
event "damage" { by = renter }
event "complaint" {
  by         = renter
  only_while = happened(damage)
}
event "agreement" { by = [owner, renter] }
event "payment" {
  by         = owner
  repeats    = true
  only_while = !happened(agreement)
}
event "notice" {
  by         = renter
  only_while = !happened(agreement)
}
event "exit" {
  by         = renter
  only_while = !happened(agreement)
}
event "removal" {
  by         = owner
  only_while = happened(damage)
}
event "archive" { by = owner }
event "claim" {
  by         = renter
  repeats    = true
  only_while = [!happened(agreement), !happened(archive), !happened(removal), !happened(complaint)]
}
obligation "refund" {
  bearer       = owner
  counterparty = renter
  when         = claim
  fulfil       = payment
}
power "leave" {
  bearer       = renter
  counterparty = owner
  when         = notice
  exercise     = exit
}
`
	const works = `contract "works" {}
party "builder" {}
party "client" {}
event "order" {
  by      = client
  repeats = true
}
event "goods" {
  by      = builder
  repeats = true
}
event "papers" {
  by      = builder
  repeats = true
}
event "storm" { by = builder }
event "calm" { by = client }
obligation "deliver" {
  bearer       = builder
  counterparty = client
  when         = order
  fulfil       = all(goods, papers)
}
power "wait" {
  bearer   = builder
  exercise = storm
  suspends = deliver
  resumes  = calm
}
`
	const lease = `contract "lease" {}
party "owner" {}
party "renter" {}
event "order" {
  by      = renter
  repeats = true
}
event "reply" {
  by         = renter
  only_while = !happened(order)
}
event "exit" {
  by      = renter
  repeats = true
}
power "leave" {
  bearer       = renter
  counterparty = owner
  when         = [order, reply]
  exercise     = exit
  within       = 1
}
`
	const refund, leave, deliver = "new norm-changed on obligation.refund", "new norm-changed on power.leave", "new norm-changed on obligation.deliver"
	for _, c := range []struct {
		name string
		edit []string
		want string
	}{
		{"nothing", []string{"\"rental\"", "\"rent\""}, ""},
		{"a new event of the debtor", []string{`event "handover"`, "event \"close\" { by = owner }\nevent \"handover\"", "!happened(archive)", "!happened(archive), !happened(close)"}, refund},
		{"a new event of the creditor", []string{`event "handover"`, "event \"close\" { by = renter }\nevent \"handover\"", "!happened(archive)", "!happened(archive), !happened(close)"}, ""},
		{"a new event while it is owed, after which it is never owed again", []string{`event "handover"`, "event \"close\" {\n  by = owner\n  only_while = refund.owed\n}\nevent \"handover\"", "!happened(archive)", "!happened(archive), !happened(close)"}, refund},
		{"a new event that takes nothing", []string{`event "handover"`, "event \"close\" { by = owner }\nevent \"handover\""}, ""},
		{"fewer consent", []string{"[owner, renter]", "owner"}, leave + ", " + refund},
		{"those who gain consent", []string{"[owner, renter]", "renter"}, ""},
		{"at a new time", []string{"owner\n  only_while = happened(damage)", "owner"}, refund},
		{"at a new time by who gains", []string{"renter\n  only_while = happened(damage)", "renter"}, ""},
		{"after a new event", []string{`event "handover"`, "event \"seal\" { by = owner }\nevent \"close\" {\n  by = owner\n  only_while = happened(seal)\n}\nevent \"handover\"", "!happened(archive)", "!happened(archive), !happened(close)"}, refund},
		{"another kind", []string{"power \"leave\"", "obligation \"leave\"", "exercise", "fulfil", "[owner, renter]", "owner"}, "new norm-dropped on power.leave, " + refund},
		{"one of two acts", []string{`event "goods"`, "event \"close\" { by = builder }\nevent \"goods\"", "\"papers\" {\n", "\"papers\" {\n  only_while = !happened(close)\n"}, deliver},
		{"what takes two acts begins no more", []string{`event "goods"`, "event \"close\" { by = builder }\nevent \"goods\"", "event \"order\" {", "event \"order\" {\n  only_while = !happened(close)"}, deliver},
		{"once it is suspended no more", []string{`event "goods"`, "event \"close\" { by = builder }\nevent \"goods\"", "\"papers\" {\n", "\"papers\" {\n  only_while = any(!happened(close), deliver.suspended)\n"}, deliver},
		{"the end of the contract", []string{`event "goods"`, "event \"quit\" { by = builder }\npower \"leave\" {\n  bearer = builder\n  exercise = quit\n  ends_contract = true\n}\nevent \"goods\""}, leave},
		{"for good, what time ends", []string{`"lease"`, `"let"`, "event \"order\" {", "event \"close\" {\n  by         = owner\n  only_while = leave.held\n}\nevent \"order\" {\n  only_while = !happened(close)", "event \"exit\" {", "event \"exit\" {\n  only_while = !happened(close)"}, leave},
		{"used once, where it can be held again", []string{"[order, reply]", "[order, reply]", "event \"exit\" {", "event \"seal\" {\n  by         = owner\n  only_while = [!happened(order), !happened(reply)]\n}\nevent \"exit\" {\n  only_while = [leave.held, any(!happened(seal), !happened(exit))]"}, leave},
		{"by time", []string{"[order, reply]", "reply"}, leave},
		{"another event instead", []string{`event "claim"`, `event "request"`, "when         = claim", "when         = request"}, ""},
		{"another who could before", []string{"\"archive\" { by = owner }", "\"archive\" { by = any(owner, insurer) }", `party "renter" {}`, "party \"renter\" {}\nparty \"insurer\" {}"}, ""},
	} {
		var base, head string
		for _, base = range []string{rental, works, lease} { // the first that has what is edited
			if head = strings.NewReplacer(c.edit...).Replace(base); strings.Contains(base, c.edit[0]) {
				break
			}
		}
		listed := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true})
		if got := findingsOf(listed); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		budget := finding.Budget{Jobs: 1, Owed: true, Engine: finding.Symbolic}
		vast := blame.Compare(t.Context(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), budget)
		if got, want := vast.Difference, listed.Difference; got.Unforeseen != "" || fmt.Sprint(got.Gone) != fmt.Sprint(want.Gone) {
			t.Errorf("%s: on diagrams %+v %s, listed %+v", c.name, got.Gone, got.Unforeseen, want.Gone)
		}
	}
}

// TestOutcomesAreCompared: of an event with several outcomes each is compared with the same one of base. That one of them takes a norm away, as on base, is no loss; that another one does is.
func TestOutcomesAreCompared(t *testing.T) {
	const base = `contract "c" {}
party "owner" {}
party "renter" {}
party "court" {
  state "open" {}
  state "upheld" {}
  state "refused" {}
  transition "uphold" {
    from  = open
    to    = upheld
    label = rule
  }
  transition "refuse" {
    from  = open
    to    = refused
    label = rule
  }
}
event "ruling" { sync = { court = rule } }
event "claim" { by = renter }
event "nod" { by = renter }
event "note" { by = owner }
event "payment" {
  by         = owner
  only_while = any(court.upheld, [court.refused, happened(note)])
}
event "letter" {
  by         = owner
  only_while = any(court.open, court.upheld, happened(nod))
}
obligation "refund" {
  bearer       = owner
  counterparty = renter
  when         = claim
  fulfil       = payment
}
obligation "answer" {
  bearer       = owner
  counterparty = renter
  fulfil       = letter
}
`
	const never = "[court.refused, happened(note)]"
	for _, c := range []struct {
		name     string
		was, now []string
		want     string
	}{
		{"nothing", nil, []string{`event "claim"`, "event \"memo\" { by = owner }\nevent \"claim\""}, ""},
		{"an outcome takes it away on both", []string{never, "court.upheld"}, []string{never, "court.upheld", `event "claim"`, "event \"memo\" { by = owner }\nevent \"claim\""}, ""},
		{"an outcome takes it away", nil, []string{never, "court.upheld"}, "new norm-changed on obligation.refund"},
		{"the other one takes it away", []string{never, "court.upheld"}, []string{"any(court.upheld, " + never + ")", "court.refused"}, "new norm-changed on obligation.refund"},
		{"others are needed after the other one, too", nil, []string{"any(court.open, court.upheld, happened(nod))", "any(court.open, happened(nod))"}, "new norm-changed on obligation.answer"},
	} {
		was, now := strings.NewReplacer(c.was...).Replace(base), strings.NewReplacer(c.now...).Replace(base)
		listed := blame.Compare(t.Context(), testkit.DraftOf(t, was), testkit.DraftOf(t, now), finding.Budget{Jobs: 1, Owed: true})
		if got := findingsOf(listed); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		vast := blame.Compare(t.Context(), testkit.DraftOf(t, was), testkit.DraftOf(t, now), finding.Budget{Jobs: 1, Owed: true, Engine: finding.Symbolic})
		if got, want := vast.Difference, listed.Difference; got.Unforeseen != "" || len(got.Gone) != len(want.Gone) {
			t.Errorf("%s: on diagrams %+v %s, listed %+v", c.name, got.Gone, got.Unforeseen, want.Gone)
		}
	}
}

// TestNeedsOthersWhereItDidNot: an obligation whose bearers need others after some steps, after which they could fulfil it alone before, is owed otherwise, though base has another state
// in which they need them. Nobody gives that up. It is not if the same event leads there, which took neither those who bear it nor those to whom it is owed.
func TestNeedsOthersWhereItDidNot(t *testing.T) {
	const sale = `contract "sale" {}
party "seller" {}
party "buyer" {}
party "carrier" {}
event "order" { by = buyer }
event "visit" { by = buyer }
event "permit" { by = buyer }
event "load" { by = seller }
event "snow" { by = any(seller, buyer, carrier) }
event "pact" { by = [seller, buyer] }
event "delivery" {
  by         = seller
  only_while = [any(!happened(visit), happened(permit)), happened(load), any(happened(permit), all(!happened(snow), !happened(pact)))]
}
event "receipt" { by = buyer }
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = order
  fulfil       = delivery
}
event "stamp" {
  by         = seller
  only_while = any(!happened(visit), happened(permit))
}
obligation "certify" {
  bearer       = seller
  counterparty = buyer
  fulfil       = stamp
}
`
	const deliver, certify = "new norm-changed on obligation.deliver", "new norm-changed on obligation.certify"
	const within = "only_while = [any(!happened(visit), happened(permit)), "
	settle := func(by string) []string {
		return []string{`event "order"`, "event \"settle\" { by = " + by + " }\nevent \"order\"", within, "only_while = [any(!happened(settle), happened(permit)), any(!happened(visit), happened(permit)), "}
	}
	for _, c := range []struct {
		name string
		edit []string
		want string
	}{
		{"nothing", []string{`"sale"`, `"sell"`}, ""},
		{"everywhere", []string{within, "only_while = [happened(permit), "}, deliver},
		{"one more act of others", []string{within, "only_while = [any(!happened(visit), happened(permit)), any(happened(receipt), !happened(permit)), "}, deliver},
		{"an act that its bearer did", []string{`event "load" { by = seller }`, `event "load" { by = buyer }`}, deliver},
		{"an act that its bearer did alone", []string{`event "load" { by = seller }`, `event "load" { by = [seller, buyer] }`}, deliver},
		{"an act that its bearer may still do", []string{`event "load" { by = seller }`, `event "load" { by = any(seller, buyer) }`}, ""},
		{"a new step of the debtor", settle("seller"), deliver},
		{"a new step of the creditor", settle("buyer"), deliver},
		{"a new step of another", settle("carrier"), deliver},
		{"a new step of both", settle("[seller, buyer]"), deliver},
		{"a new step of those who gain, at a new time", []string{"[any(!happened(visit), happened(permit)), happened(load)", "[any(!happened(visit), happened(permit)), happened(load), any(!happened(early), happened(permit))", `event "order"`, "event \"early\" { by = buyer }\nevent \"order\""}, deliver},
		{"one more could before", []string{"any(seller, buyer, carrier)", "any(seller, buyer)"}, ""},
		{"one more can", []string{"any(seller, buyer, carrier)", "any(seller, buyer, carrier, storm)", `party "carrier" {}`, "party \"carrier\" {}\nparty \"storm\" {}"}, ""},
		{"by fewer", []string{"[seller, buyer]", "seller"}, deliver},
		{"from the start", []string{"  by         = seller\n  only_while = any(!happened(visit), happened(permit))", "  by         = seller\n  only_while = happened(permit)"}, certify},
	} {
		head := strings.NewReplacer(c.edit...).Replace(sale)
		if head == sale {
			t.Fatalf("%s: no change", c.name)
		}
		listed := blame.Compare(t.Context(), testkit.DraftOf(t, sale), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true})
		if got := findingsOf(listed); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		vast := blame.Compare(t.Context(), testkit.DraftOf(t, sale), testkit.DraftOf(t, head), finding.Budget{Jobs: 1, Owed: true, Engine: finding.Symbolic})
		// On diagrams another run may be as short. Where base has several states after the same steps it is not known what all of them refuse.
		told := func(d *finding.Difference) (all []string) {
			for _, g := range d.Gone {
				all = append(all, fmt.Sprint(g.Norm, " ", g.How, " ", len(g.Run)))
			}
			return all
		}
		got, want, several := told(vast.Difference), told(listed.Difference), c.name == "one more can" || c.name == "by fewer"
		if (vast.Difference.Unforeseen != "") != several || !several && !slices.Equal(got, want) {
			t.Errorf("%s: on diagrams %v %s, listed %v", c.name, got, vast.Difference.Unforeseen, want)
		}
	}
}

// TestWithoutWhatTakesFewer: a loss after an event that fewer bring about now is none that base has in these words: it says without which event it could be otherwise.
func TestWithoutWhatTakesFewer(t *testing.T) {
	text := func(by string) string {
		return "contract \"sale\" {}\nparty \"buyer\" {}\nparty \"seller\" {}\nevent \"order\" { by = " + by + " }\nobligation \"deliver\" {\n  bearer = seller\n  counterparty = buyer\n  when = order\n  within = 1\n}\n" +
			"obligation \"pay\" {\n  bearer = buyer\n  counterparty = seller\n  when = deliver.fulfilled\n}\n"
	}
	const want = "after which it can't begin any more, as it could before without order, which others than before bring about now. "
	if got := remarksOf(t, text("buyer"), text("any(buyer, seller)")); len(got) != 1 || !strings.Contains(got[0], want) {
		t.Errorf("%q", got)
	}
}
