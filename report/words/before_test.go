package words

import (
	"testing"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// TestRemarksUnderOtherNames: a warning, and what is accepted, are not new if an element is only called otherwise, or base has it of an
// earlier occurrence, which stands for all; and new if they are of another
// element, whatever was called as that is now.
func TestRemarksUnderOtherNames(t *testing.T) {
	changes := []diff.Change{
		{Action: diff.Renamed, Element: diff.Obligation, Was: "cure", Name: "repair"},
		{Action: diff.Renamed, Element: diff.Event, Was: "shell", Name: "done"},
		{Action: diff.Renamed, Element: diff.Party, Was: "purchaser", Name: "buyer"},
		{Action: diff.Renamed, Element: diff.State, Was: "purchaser.abandoned", Name: "buyer.left"},
		{Action: diff.Renamed, Element: diff.State, Was: "works.a", Name: "works.b"},
		{Action: diff.Renamed, Element: diff.State, Was: "works.b", Name: "works.c"},
	}
	remark := func(subject, message string) finding.Diagnostic {
		return finding.Diagnostic{Code: "state-never-reached", Class: codes.Warning, Subject: subject, Message: message}
	}
	for _, c := range []struct {
		was, now finding.Diagnostic
		fresh    bool
	}{
		{remark("obligation.cure", `Of "cure".`), remark("obligation.repair", `Of "repair".`), false},
		{remark("obligation.cure[2]", `Of "cure[2]".`), remark("obligation.repair[2]", `Of "repair[2]".`), false},
		{remark("obligation.cure[1]", `Of the 1st "cure".`), remark("obligation.repair[2]", `Of the 2nd "repair".`), false},
		{remark("obligation.pay[9]", `Of the 9th "pay".`), remark("obligation.pay[10]", `Of the 10th "pay".`), false},
		{remark("obligation.pay[2]", `Of the 2nd "pay".`), remark("obligation.pay[1]", `Of the 1st "pay".`), true},
		{remark("obligation.pay[1]", `Of the 1st "pay".`), remark("obligation.rent[2]", `Of the 2nd "rent".`), true},
		{remark("event.shell[0]", `Of "shell".`), remark("event.done[0]", `Of "done".`), false},
		{remark("obligation.shell", `Of "shell".`), remark("obligation.shell", `Of "shell".`), false},
		{remark("obligation.shell", `Of "shell".`), remark("obligation.done", `Of "done".`), true},
		{remark("purchaser", "No step."), remark("buyer", "No step."), false},
		{remark("purchaser[1].P1", `Of "purchaser[1].P1", 2 left.`), remark("buyer[1].P1", `Of "buyer[1].P1", 2 left.`), false},
		{remark("purchaser[1].abandoned", `Of "purchaser[1].abandoned", 2 left.`), remark("buyer[1].left", `Of "buyer[1].left", 2 left.`), false},
		{remark("purchaser.P1", ""), remark("buyer.P2", ""), true},
		{remark("purchaser[1].n", "Counter purchaser[1].n never stands at 3."), remark("buyer[1].n", "Counter buyer[1].n never stands at 3."), false},
		{remark("works.a", `Of "a".`), remark("works.b", `Of "b".`), false},
		{remark("works.b", `Of "b".`), remark("works.b", `Of "b".`), true},
		{remark("other.a", `Of "x".`), remark("other.b", `Of "x".`), true},
		{remark("", `After "cure".`), remark("", `After "repair".`), false},
		{remark("", `After "cure".`), remark("", `After "done".`), true},
	} {
		review := &finding.ContractReview{Base: &finding.Result{Diagnostics: []finding.Diagnostic{c.was}}, Head: &finding.Result{Diagnostics: []finding.Diagnostic{c.now}},
			Difference: &finding.Difference{Changes: changes}}
		if got := len(NewRemarks(review)) > 0; got != c.fresh {
			t.Errorf("%s %q, now %s %q: new %t, want %t", c.was.Subject, c.was.Message, c.now.Subject, c.now.Message, got, c.fresh)
		}
		if c.now.Subject == "" {
			continue // of the whole contract
		}
		if got := AcceptedWord(c.now, Before(review)); (got == "newly accepted") != c.fresh {
			t.Errorf("%s, now %s: %s, want new %t", c.was.Subject, c.now.Subject, got, c.fresh)
		}
	}
}

// TestWhatAnAmendmentAddsToARemark: a remark of base that lists more on head, or less, or reads otherwise, says so, be it accepted or not; one of which only
// names have changed does not.
func TestWhatAnAmendmentAddsToARemark(t *testing.T) {
	changes := []diff.Change{{Action: diff.Renamed, Element: diff.Event, Was: "handover", Name: "delivery"}}
	lapses := func(list string) string {
		return "When the obligation \"pay\" is breached, " + list + " can't happen any more, and nothing else follows."
	}
	const none = `When the obligation "pay" is breached, nothing follows.`
	for _, c := range []struct{ was, now, said string }{
		{lapses(`"handover"`), lapses(`"delivery" and "repair" and "refund"`), `The amendment adds "repair" and "refund".`},
		{lapses(`"handover"`), lapses(`"delivery" and "repair"`), `The amendment adds "repair".`},
		{lapses(`"handover" and "repair"`), lapses(`"delivery"`), `The amendment takes "repair" out.`},
		{lapses(`"refund" and "handover"`), lapses(`"delivery" and "repair"`), `The amendment adds "repair", and takes "refund" out.`},
		{none, lapses(`"delivery"`), "Before the amendment: " + none},
		{lapses(`"handover"`), lapses(`"delivery"`), ""},
		{"", lapses(`"delivery"`), ""},
	} {
		for _, reason := range []string{"", "agreed"} {
			remark := func(message string) *finding.Result {
				if message == "" {
					return &finding.Result{}
				}
				return &finding.Result{Diagnostics: []finding.Diagnostic{{Code: "breach-without-consequence", Class: codes.Warning, Subject: "obligation.pay", Message: message, Detail: "Name a reparation.", Accepted: reason}}}
			}
			review := &finding.ContractReview{Base: remark(c.was), Head: remark(c.now), Difference: &finding.Difference{Changes: changes}}
			said, want := "", Joined(" ", c.now, c.said)
			if reason == "" {
				want = ""
				for _, d := range NewRemarks(review) {
					said, want = d.Detail, Joined(" ", c.said, "Name a reparation.")
				}
			} else {
				said = ListedNow(review)[0].Message
			}
			if said != want {
				t.Errorf("was %s\nnow %s\nsaid %s\nwant %s", c.was, c.now, said, want)
			}
		}
	}
}
