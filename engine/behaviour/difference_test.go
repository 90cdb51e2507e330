package behaviour_test

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
)

// differs compares two versions of a contract.
func differs(t *testing.T, base, head fs.FS, b finding.Budget) finding.ContractReview {
	t.Helper()
	b.Jobs = 2
	r := blame.Compare(context.Background(), testkit.Draft(t, base, petri.One), testkit.Draft(t, head, petri.One), b)
	if r.Difference == nil {
		t.Fatal(r.Status)
	}
	return r
}

// saying tells an observer's difference: relation, then the sequences with what is refused at their end.
func saying(b finding.Behaviour) string {
	var words []string
	for _, s := range b.Possible {
		words = append(words, "+"+sequence(s.Run))
	}
	for _, s := range b.Impossible {
		words = append(words, "-"+sequence(s.Run))
	}
	if b.Reason != "" {
		words = append(words, b.Reason)
	}
	return strings.Join(append([]string{b.Relation.String()}, words...), "\n")
}

func sequence(run []finding.Firing) string {
	var names []string
	for _, f := range run {
		name := f.Event
		if name == "" {
			name = f.Transitions[0]
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// exposures tells who is exposed in how many states, from what to what.
func exposures(d *finding.Difference) string {
	var lines []string
	side := func(e *finding.Exposed) string {
		if e == nil {
			return "-"
		}
		return fmt.Sprintf("%d of %d %q to %q %t", e.States, e.Of, e.From, e.To, e.Ends)
	}
	for _, e := range d.Exposure {
		lines = append(lines, e.Party+": "+side(e.Base)+"; "+side(e.Head))
	}
	return strings.Join(lines, "\n")
}

// paysFirst lets the bank pay before it has the documents, as in the case made from the paper.
var paysFirst = []testkit.Edit{
	{File: "seller.contract.hcl", Old: "consume = [awaiting_pay]\n    produce = [paid]", New: "consume = [dispatch_cert]\n    produce = [paid0]"},
	{File: "seller.contract.hcl", Old: "consume = [dispatch_cert, title]\n    produce = [awaiting_pay]", New: "consume = [paid0, title]\n    produce = [paid]"},
	{File: "seller.contract.hcl", Old: "  place \"paid\" {", New: "  place \"paid0\" {}\n  place \"paid\" {"},
	{File: "bank.contract.hcl", Old: "consume = [docs]\n    produce = [out_of_pocket]", New: "consume = [open]\n    produce = [out_of_pocket, open2]"},
	{File: "bank.contract.hcl", Old: "consume = [open]\n    produce = [docs, title]", New: "consume = [open2]\n    produce = [docs, title]"},
	{File: "bank.contract.hcl", Old: "  place \"done\" {", New: "  place \"open2\" {}\n  place \"done\" {"},
}

// TestExposureInTheLetterOfCredit: the bank is out of pocket in exactly 2 of 12 states, from its payment to
// the buyer's; and in 4 of 13, if it pays before it has the documents.
func TestExposureInTheLetterOfCredit(t *testing.T) {
	r := differs(t, testkit.Example(t, "letter-of-credit"), testkit.Example(t, "letter-of-credit", paysFirst...), finding.Budget{})
	const want = `bank: 2 of 12 ["the bank pays the seller"] to ["the buyer has the bank paid, with interest"] true; ` +
		`4 of 13 ["the bank pays the seller"] to ["the buyer has the bank paid, with interest"] true
buyer: 2 of 12 ["the buyer has the bank paid, with interest"] to ["the buyer gets the goods for title and receipt"] true; ` +
		`3 of 13 ["the buyer has the bank paid, with interest"] to ["the buyer gets the goods for title and receipt"] true
carrier: 2 of 12 ["the buyer gets the goods for title and receipt"] to ["the seller pays the carrier"] true; ` +
		`2 of 13 ["the buyer gets the goods for title and receipt"] to ["the seller pays the carrier"] true
seller: 4 of 12 ["the goods go to the carrier, against a certificate of dispatch"] to ["the bank pays the seller"] true; ` +
		`2 of 13 ["the goods go to the carrier, against a certificate of dispatch"] to ["the bank pays the seller"] true`
	if got := exposures(r.Difference); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestPaperMistakes: what each drafting mistake of the sale makes possible and impossible, and the step
// of each new violation that base would have refused.
func TestPaperMistakes(t *testing.T) {
	for _, c := range []struct {
		name             string
		edits            []testkit.Edit
		all              string
		refused          string // finding step
		appeared, dead   int
		purchaser, sells delta.Relation
	}{
		{
			"the seller may withdraw",
			[]testkit.Edit{{File: "seller.contract.hcl", Old: "  transition \"end\" {", New: "  transition \"withdraw\" {\n    from = S2\n    to = S0\n    set = { GAV = false }\n  }\n  transition \"end\" {"}},
			"more\n+purchaser.ready seller.ready RFG seller.withdraw",
			"goods-not-withdrawn 4, accept-only-available 5", 2, 0, delta.More, delta.More,
		},
		{
			"the purchaser accepts without waiting",
			[]testkit.Edit{{File: "purchaser.contract.hcl", Old: "  transition \"take\" {", New: "  transition \"grab\" {\n    from = P1\n    to = P3\n  }\n  transition \"take\" {"}},
			"more\n+purchaser.ready purchaser.grab",
			"accept-only-available 2", 0, 0, delta.More, delta.More,
		},
		{
			"the purchaser cancels the request",
			[]testkit.Edit{{File: "purchaser.contract.hcl", Old: "  transition \"take\" {", New: "  transition \"cancel\" {\n    from = P1\n    to = P0\n  }\n  transition \"take\" {"}},
			"more\n+purchaser.ready purchaser.cancel",
			"goods-not-withdrawn 4", 1, 0, delta.More, delta.Otherwise,
		},
		{
			"the test of no goods stands on a state",
			[]testkit.Edit{{File: "seller.contract.hcl", Old: "    when  = { GAV = false }", New: "    from  = S0\n    to    = S0"}},
			"less\n-purchaser.ready seller.ready RFG P_GAV_T purchaser.take GAC seller.end seller.ready P_GAV_F",
			"", 0, 1, delta.Otherwise, delta.Less,
		},
	} {
		r := differs(t, testkit.Example(t, "sale"), testkit.Example(t, "sale", c.edits...), finding.Budget{})
		d := r.Difference
		if got := saying(d.All); got != c.all {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.all)
		}
		var refused []string
		for _, f := range r.Findings {
			if f.Refusal != nil {
				refused = append(refused, fmt.Sprint(f.Name, " ", f.Refusal.Step))
			}
		}
		if got := strings.Join(refused, ", "); got != c.refused {
			t.Errorf("%s: refused %s, want %s", c.name, got, c.refused)
		}
		if s := d.States; s.Appeared != c.appeared || s.NewDead != c.dead || len(s.AppearedShown) != min(c.appeared, 3) || len(s.NewDeadEnds) != c.dead {
			t.Errorf("%s: %d states appeared, %d dead ends", c.name, s.Appeared, s.NewDead)
		}
		if d.Views[0].Party != "purchaser" || d.Views[0].Relation != c.purchaser || d.Views[1].Relation != c.sells {
			t.Errorf("%s: %s %s, %s %s", c.name, d.Views[0].Party, d.Views[0].Relation, d.Views[1].Party, d.Views[1].Relation)
		}
	}
}

// TestPaymentFirst: whom it concerns that the bank pays before it has the documents.
func TestPaymentFirst(t *testing.T) {
	d := differs(t, testkit.Example(t, "letter-of-credit"), testkit.Example(t, "letter-of-credit", paysFirst...), finding.Budget{}).Difference
	want := map[string]delta.Relation{"bank": delta.Both, "buyer": delta.Same, "carrier": delta.Same, "seller": delta.Both}
	if len(d.Views) != len(want) {
		t.Errorf("%d parties", len(d.Views))
	}
	for _, v := range d.Views {
		if v.Relation != want[v.Party] || v.In != diff.InBoth {
			t.Errorf("%s: %s", v.Party, saying(v.Behaviour))
		}
	}
	if d.All.Relation != delta.Both || len(d.All.Possible) == 0 || !slices.Contains(d.All.Possible[0].Instead, "the seller presents the documents to the bank") {
		t.Errorf("%+v", d.All)
	}
}

// TestTooLarge: a net that stays as it is behaves the same, however many states it has; of another nobody knows.
func TestTooLarge(t *testing.T) {
	base := testkit.Example(t, "sale")
	promise := testkit.Edit{File: "sale.contract.hcl", Old: "AG EF (seller.S0 && purchaser.P0)", New: "AG EF (seller.S1 && purchaser.P0)"}
	d := differs(t, base, testkit.Example(t, "sale", promise), finding.Budget{States: 3, Engine: finding.Explicit}).Difference
	if d.All.Relation != delta.Same || d.States.Unknown != "" || d.Views[1].Relation != delta.Same {
		t.Errorf("%s; states: %s", saying(d.All), d.States.Unknown)
	}
	waits := testkit.Edit{File: "purchaser.contract.hcl", Old: "  transition \"take\" {", New: "  transition \"wait\" {\n    from = P0\n    to = P0\n  }\n  transition \"take\" {"}
	d = differs(t, base, testkit.Example(t, "sale", waits), finding.Budget{States: 3, Engine: finding.Explicit}).Difference
	const why = "unknown\nthere is no complete state model of base: the limit of 3 states was reached (--max-states)"
	if saying(d.All) != why || saying(d.Views[0].Behaviour) != why || !strings.Contains(why, d.States.Unknown) || d.States.Unknown == "" {
		t.Errorf("%s; states: %s", saying(d.All), d.States.Unknown)
	}
}

const trade = `
contract "c" {}
party "seller" {
  state "idle" {}
  state "asked" {}
  state "sent" {}
  transition "take-order" {
    from = idle
    to   = asked
  }
  transition "send" {
    from = asked
    to   = sent
  }
}
party "buyer" {
  state "new" {}
  state "waiting" {}
  state "served" {}
  transition "order" {
    from = new
    to   = waiting
  }
  transition "receive" {
    from = waiting
    to   = served
  }
}
party "notary" {
  state "idle" {}
  state "busy" {}
  transition "work" {
    from = idle
    to   = busy
  }
  transition "rest" {
    from = busy
    to   = idle
  }
}
event "ordering" {
  sync = {
    seller = take-order
    buyer  = order
  }
}
event "delivery" {
  #
  sync = {
    seller = send
    buyer  = receive
  }
}
`

const duty = `
obligation "deliver" {
  bearer       = seller
  counterparty = buyer
  when         = ordering
  fulfil       = delivery
  within       = 3
}
`

// difference compares two texts.
func difference(t *testing.T, base, head string, b finding.Budget) *finding.Difference {
	t.Helper()
	r := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), b)
	if r.Difference == nil {
		t.Fatal(r.Status)
	}
	return r.Difference
}

// TestNormsAreNoBehaviour: obligations watch, and time passes whether or not a clock is there to see it.
func TestNormsAreNoBehaviour(t *testing.T) {
	within := func(n int) string {
		return strings.Replace(trade, "  #", fmt.Sprintf("  within = { ordering = %d }", n), 1)
	}
	for _, c := range []struct {
		name, base, head string
		all              string
		views            string // buyer, notary, seller
	}{
		{"a deadline is added", trade, trade + duty, "same", "same same same"},
		{"and taken away", trade + duty, trade, "same", "same same same"},
		{"a deadline is moved", trade + duty, trade + strings.Replace(duty, "3", "5", 1), "same", "same same same"},
		{"an event gets a time", trade, within(2), "less\n-ordering tick tick delivery", "less same less"},
		{"and loses it", within(2), trade, "more\n+ordering tick tick delivery", "more same more"},
		{"its time is shorter", within(3), within(2), "less\n-ordering tick tick delivery", "less same less"},
	} {
		d := difference(t, c.base, c.head, finding.Budget{})
		var views []string
		for _, v := range d.Views {
			views = append(views, v.Relation.String())
		}
		if got := saying(d.All); got != c.all || strings.Join(views, " ") != c.views {
			t.Errorf("%s: %s; %s", c.name, got, views)
		}
	}
}

// TestRenamesAreNoBehaviour: what has another name does what it did.
func TestRenamesAreNoBehaviour(t *testing.T) {
	renamed := strings.NewReplacer(`"seller"`, `"vendor"`, "seller =", "vendor =", "ordering", "purchase-order", "take-order", "note-order", `"waiting"`, `"expecting"`,
		"= waiting", "= expecting").Replace(trade)
	d := difference(t, trade, renamed, finding.Budget{})
	if d.All.Relation != delta.Same || d.States.Appeared+d.States.Vanished > 0 || len(d.Changes) == 0 || len(d.Views) != 3 {
		t.Errorf("%s; %d states appeared, %d changes, %d parties", saying(d.All), d.States.Appeared, len(d.Changes), len(d.Views))
	}
	for _, v := range d.Views {
		if v.Relation != delta.Same || v.In != diff.InBoth {
			t.Errorf("%s: %s", v.Party, saying(v.Behaviour))
		}
	}
}

// TestObserve: a difference as far as somebody observes it.
func TestObserve(t *testing.T) {
	keeps := strings.Replace(trade, "  transition \"receive\" {", "  transition \"send-back\" {\n    from = served\n    to = waiting\n  }\n  transition \"receive\" {", 1)
	for _, c := range []struct{ observe, relation, observed string }{
		{"", "more", "[]"},
		{"buyer", "more", "[buyer.send-back delivery ordering]"},
		{"ordering", "same", "[ordering]"},
		{"notary", "same", "[notary.rest notary.work]"},
		{"ordering,buyer", "more", "[buyer.send-back delivery ordering]"},
	} {
		var b finding.Budget
		if c.observe != "" {
			b.Observe = strings.Split(c.observe, ",")
		}
		d := difference(t, trade, keeps, b)
		if d.All.Relation.String() != c.relation || fmt.Sprint(d.All.Observed) != c.observed {
			t.Errorf("%s: %s %v", c.observe, saying(d.All), d.All.Observed)
		}
		if err := behaviour.Observable(b.Observe, testkit.DraftOf(t, trade), testkit.DraftOf(t, keeps)); err != nil {
			t.Error(err)
		}
	}
	err := behaviour.Observable([]string{"buyr"}, testkit.DraftOf(t, trade))
	if err == nil || !strings.Contains(err.Error(), `did you mean "buyer"?`) {
		t.Error(err)
	}
}

// TestClausesDieAndComeAlive: an event that can't happen any more; its transitions are not told besides.
func TestClausesDieAndComeAlive(t *testing.T) {
	stuck := strings.Replace(trade, "    from = asked\n    to   = sent", "    from = sent\n    to   = asked", 1)
	d := difference(t, trade, stuck, finding.Budget{})
	if s := d.States; len(s.Died) != 1 || s.Died[0].Name != "delivery" || s.Died[0].Source.Start.Line == 0 || len(s.Alive) != 0 || s.Vanished == 0 {
		t.Errorf("%+v", s)
	}
	if s := difference(t, stuck, trade, finding.Budget{}).States; len(s.Alive) != 1 || s.Alive[0].Name != "delivery" || len(s.Died) != 0 {
		t.Errorf("%+v", s)
	}
}

// TestPartyOfPhases: who plays roles in phases is one party.
func TestPartyOfPhases(t *testing.T) {
	head := testkit.Example(t, "sale-in-two-phases", testkit.Edit{File: "sale.contract.hcl", Old: "  after = goods.finished", New: "  after = goods.started"})
	d := differs(t, testkit.Example(t, "sale-in-two-phases"), head, finding.Budget{}).Difference
	if len(d.Views) != 2 || d.Views[0].Party != "purchaser[0]" || d.Views[1].Party != "seller" || d.All.Relation != delta.More {
		t.Errorf("%s: %+v", saying(d.All), d.Views)
	}
}

// TestWayIntoWhatIsNew: of many states that appeared those are shown first that one comes upon from
// states that were there before.
func TestWayIntoWhatIsNew(t *testing.T) {
	far := "  state \"f0\" {}\n  state \"f1\" {}\n  state \"f2\" {}\n  state \"lost\" {}\n"
	for i, way := range []string{"idle f0", "f0 f1", "f1 f2", "sent lost"} {
		from, to, _ := strings.Cut(way, " ")
		far += fmt.Sprintf("  transition \"far%d\" {\n    from = %s\n    to = %s\n  }\n", i, from, to)
	}
	s := difference(t, trade, strings.Replace(trade, "  transition \"take-order\" {", far+"  transition \"take-order\" {", 1), finding.Budget{}).States
	if s.Appeared != 8 || len(s.AppearedShown) != 3 || sequence(s.AppearedShown[0].Run) != "seller.far0" || s.LostDead != 0 {
		t.Errorf("%+v", s)
	}
	last := s.AppearedShown[2].Run
	if sequence(last) != "ordering delivery seller.far3" && sequence(last) != "notary.work seller.far0" {
		t.Errorf("%s", sequence(last))
	}
	for _, shown := range s.AppearedShown {
		if n := strings.Count(sequence(shown.Run), "seller.far"); n != 1 {
			t.Errorf("%s", sequence(shown.Run))
		}
	}
}

// TestExposureFromNorms: who has given what he owed, and is owed something: the seller once the meat is
// delivered, until he is paid; the buyer until the meat is delivered, though late. Whose claim is lifted is owed nothing: the buyer of gas.
func TestExposureFromNorms(t *testing.T) {
	longer := testkit.Edit{File: "norms.contract.hcl", Old: "  within       = 2\n  reparation   = pay-late", New: "  within       = 4\n  reparation   = pay-late"}
	d := differs(t, testkit.Example(t, "meat-sale"), testkit.Example(t, "meat-sale", longer), finding.Budget{}).Difference
	const want = `buyer: 10 of 33 ["the buyer pays the price" "the buyer pays the price and interest" "the seller resumes delivery"] to ["the seller delivers the meat"] true; ` +
		`4 of 20 ["the buyer pays the price"] to ["the seller delivers the meat"] true
seller: 5 of 33 ["the seller delivers the meat"] to ["the buyer pays the price" "the buyer pays the price and interest"] false; ` +
		`7 of 20 ["the seller delivers the meat"] to ["the buyer pays the price" "the buyer pays the price and interest"] false`
	if got := exposures(d); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	year := testkit.Edit{File: "gas-supply.contract.hcl", Old: "within = { payment = 3 }", New: "within = { payment = 4 }"}
	d = differs(t, testkit.Example(t, "gas-supply"), testkit.Example(t, "gas-supply", year), finding.Budget{}).Difference
	if len(d.Exposure) != 1 || d.Exposure[0].Party != "supplier" || d.Exposure[0].Head.States != 24 {
		t.Error(exposures(d))
	}
}

// TestMarkedPlaceOfOneSide: what only one version has and was there from the start makes no new states.
func TestMarkedPlaceOfOneSide(t *testing.T) {
	stamped := strings.Replace(trade, "  transition \"take-order\" {", "  place \"stamp\" { marked = true }\n  transition \"take-order\" {\n    read = [stamp]", 1)
	stamped = strings.Replace(stamped, "read = [stamp]", "read = [stamp]\n", 1)
	if s := difference(t, trade, stamped, finding.Budget{}).States; s.Appeared+s.Vanished > 0 {
		t.Errorf("%+v", s)
	}
	kept := strings.Replace(trade, "  transition \"take-order\" {", "  place \"copy\" {}\n  transition \"take-order\" {\n    produce = [copy]\n", 1)
	if s := difference(t, trade, kept, finding.Budget{}).States; s.Appeared != 4 || s.Vanished != 4 {
		t.Errorf("%+v", s)
	}
}
