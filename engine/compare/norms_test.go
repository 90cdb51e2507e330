package compare_test

import (
	"context"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

const owing = `contract "c" {}
party "seller" {
  state "S0" {}
  state "S1" {}
  transition "send" {
    from = S0
    to   = S1
  }
}
party "buyer" {}
party "bank" {}
event "delivery" {
  sync = { seller = send }
}
document "receipt" {
  moves = { delivery = { to = buyer } }
}
`

// claim is an event that never happens.
const claim = "net \"court\" {\n  place \"summons\" {}\n  transition \"sue\" { consume = [summons] }\n}\nevent \"claim\" {\n  sync = { court = sue }\n}\n"

const owed = `obligation "deliver" {
  bearer        = seller
  counterparty  = buyer
  fulfil        = delivery
  within        = 3
  ends_contract = true
}
`

// Whatever an amendment drops or changes of duties is said, though no requirement fails for it.
func TestDutiesDoNotGoUnseen(t *testing.T) {
	base := owing + owed
	document := base[strings.Index(base, "document"):strings.Index(base, "obligation")]
	for _, c := range []struct{ name, head, want string }{
		{"as it was", base, ""},
		{"dropped", owing, `norm-dropped: The amendment drops the obligation "deliver" of the seller to the buyer.`},
		{"longer", strings.Replace(base, "3", "9", 1), "norm-changed: In its text within was 3, now 9. After 3 ticks it was breached by the seller towards the buyer; now it is owed by the seller to the buyer, 6 ticks left. Better for the seller. Worse for the buyer."},
		{"without consequence", strings.Replace(base, "ends_contract = true", "", 1), "norm-changed: In its text ends_contract was true, now left out. After every run that both versions have it stands as it did before: proved. What differs is something else, such as what follows from it or how it can end."},
		{"another end", strings.Replace(base, "ends_contract = true", "until = refusal", 1) + "event \"refusal\" { by = seller }\n", "norm-changed: In its text until was left out, now refusal; ends_contract was true, now left out. By its text it is now also lifted by refusal. After 1 step it was owed by the seller to the buyer, or breached by the seller towards the buyer; now it is lifted. Better for the seller. Worse for the buyer. The run is one of now. Before, it never stood so after these events, whenever they happened: proved."},
		{"another act", strings.Replace(base, "= delivery\n  within", "= [delivery, proxy]\n  within", 1) + "event \"proxy\" { by = bank }\n", "norm-changed: In its text fulfil was delivery, now delivery, proxy. By its text it is now also fulfilled by proxy. After 1 step it was owed by the seller to the buyer, or breached by the seller towards the buyer; now it is fulfilled. Better for the seller. Worse for the buyer. The run is one of now. Before, it never stood so after these events, whenever they happened: proved."},
		{"another act, and longer", strings.NewReplacer("= delivery\n  within", "= [delivery, proxy]\n  within", "3", "9").Replace(base) + "event \"proxy\" { by = bank }\n", "norm-changed: In its text fulfil was delivery, now delivery, proxy; within was 3, now 9. After 3 ticks it was breached by the seller towards the buyer; now it is owed by the seller to the buyer, 6 ticks left. Better for the seller. Worse for the buyer."},
		{"an end that can't come", strings.Replace(base, "ends_contract = true", "until = claim\n  ends_contract = true", 1) + claim + "event \"news\" { by = bank }\n", "norm-changed: In its text until was left out, now claim. By its text it is now also lifted by claim. After every run that both versions have it stands as it did before: proved. What differs is something else, such as what follows from it or how it can end."},
		{"to somebody else", strings.Replace(base, "counterparty  = buyer", "counterparty = bank", 1), "norm-changed: In its text counterparty was buyer, now bank. At the start it was owed by the seller to the buyer, 3 ticks left; now it is owed by the seller to the bank, 3 ticks left. Better for the bank. Worse for the buyer."},
		{"another name", strings.Replace(base, `"deliver"`, `"delivering"`, 1), ""},
		{"no document", strings.Replace(base, document, "", 1), `document-dropped: The amendment drops the document "receipt".`},
	} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1})
		var got []string
		if review.Head != nil {
			for _, d := range review.Head.Diagnostics {
				switch d.Code {
				case "norm-changed":
					got = append(got, string(d.Code)+": "+d.Detail)
				case "norm-dropped", "document-dropped":
					got = append(got, string(d.Code)+": "+d.Message)
				}
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// That no time passes is no finding of its own: what would need time is told never to begin.
func TestNoTimeIsNotTold(t *testing.T) {
	late := strings.Replace(owed, "  fulfil        = delivery\n", "  when          = claim\n  fulfil        = delivery\n", 1)
	r := verify.Check(context.Background(), testkit.DraftOf(t, owing+claim+late), finding.Budget{Jobs: 1})
	var got []string
	for _, d := range r.Diagnostics {
		if d.Code == "event-never-happens" || d.Code == "norm-never-arises" {
			got = append(got, d.Subject)
		}
	}
	if strings.Join(got, " ") != "event.claim obligation.deliver" {
		t.Errorf("%q", got)
	}
}

// What failed on base and is no longer required is told as such, not as a promise of head.
func TestOldWordingStands(t *testing.T) {
	promise := "requirement \"r\" { ctl = \"AG seller.S0\" }\n"
	review := blame.Compare(context.Background(), testkit.DraftOf(t, owing+promise), testkit.DraftOf(t, owing), finding.Budget{Jobs: 1})
	if len(review.Findings) != 1 || review.Findings[0].Kind != finding.Standing || !review.Findings[0].Old {
		t.Errorf("%+v", review.Findings)
	}
}

// A conflict is not repaired by dropping the duty that it is told of, but by dropping what forbids it.
func TestDroppedIsNotRepaired(t *testing.T) {
	duty := "obligation \"deliver\" {\n  bearer = seller\n  fulfil = delivery\n}\n"
	ban := "prohibition \"hold\" {\n  bearer = seller\n  of     = delivery\n}\n"
	for _, c := range []struct {
		head string
		want int
	}{{owing + duty, 1}, {owing + ban, 0}} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, owing+duty+ban), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1})
		repaired := 0
		for _, f := range review.Findings {
			if f.Kind == finding.Repaired && f.Name == "obliged-and-forbidden" {
				repaired++
			}
		}
		if repaired != c.want {
			t.Errorf("%d repaired, want %d: %+v", repaired, c.want, review.Findings)
		}
	}
}

// TestOfEachOneIsSpokenByIndex: one of several plays a role in a phase of its own, and is the same party there: it is called and shown once, by its index.
func TestOfEachOneIsSpokenByIndex(t *testing.T) {
	const base = `contract "c" {}
party "caller" {}
party "voter" { count = 2 }
template "vote" {
  party "votes" {}
  party "asks" {}
  obligation "vote" {
    bearer       = votes
    counterparty = asks
    within       = 3
  }
}
phase "vote" {
  template = vote
  roles = {
    votes = each(voter)
    asks  = caller
  }
}
`
	review := blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, strings.Replace(base, "within       = 3", "within       = 2", 1)), finding.Budget{Jobs: 1, Owed: true})
	var parties []string
	for _, v := range review.Difference.Views {
		parties = append(parties, v.Party)
	}
	if got := strings.Join(parties, ", "); got != "caller, voter[0], voter[1]" {
		t.Errorf("parties %s", got)
	}
	for _, f := range review.Findings {
		if f.Check != nil && strings.Contains(f.Check.Message+f.Check.Detail, "the voter") {
			t.Errorf("%s %s", f.Check.Message, f.Check.Detail)
		}
	}
	if len(review.Findings) == 0 {
		t.Error("nothing is found")
	}
}
