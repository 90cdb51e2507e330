package behaviour_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestWhatIsHeldAfterTheSameSteps: where the same steps can happen, what the parties hold and count after them is compared as sets of all that may be, since an
// event of two outcomes leads to several. What one version alone has is named.
func TestWhatIsHeldAfterTheSameSteps(t *testing.T) {
	of := func(outcome, fee, other, holder string) string {
		return `
contract "c" {}
party "buyer" {
  counter "paid" { to = 3 }
  transition "pay" {
    require = paid == 0
    set     = { paid = ` + outcome + ` }
  }
}
party "bank" {}
party "seller" {
  counter "` + fee[:strings.Index(fee, "=")] + `" {
    to      = 9
    changes = {
      handover = ` + fee[strings.Index(fee, "=")+1:] + `
      other    = ` + other + `
    }
  }
}
document "title" {
  holder = seller
  moves  = { handover = { from = seller, to = ` + holder + ` } }
}
event "payment" { sync = { buyer = pay } }
event "handover" {
  by         = seller
  only_while = buyer.paid > 0
}
event "other" {
  by         = seller
  only_while = buyer.paid > 0
}
`
	}
	for _, c := range []struct{ base, head, want string }{
		{of("between(1, 2)", "fee=1", "2", "buyer"), of("between(1, 2)", "fee=1", "2", "bank"), "payment handover; title: [buyer] [bank]"},
		{of("between(1, 2)", "fee=1", "2", "buyer"), of("between(1, 2)", "fee=3", "2", "buyer"), "payment handover; seller: [fee: 1] [fee: 3]"},
		{of("between(1, 2)", "fee=1", "2", "buyer"), of("between(2, 3)", "fee=1", "2", "buyer"), "payment; buyer: [paid: 1] [paid: 3]"},
		{of("1", "fee=1", "2", "buyer"), of("between(1, 2)", "fee=1", "2", "buyer"), "shown"},
		{of("between(1, 2)", "fee=1", "2", "buyer"), of("between(1, 2)", "charge=1", "2", "buyer"), "aside [seller.charge seller.fee]"},
		{of("between(1, 2)", "fee=1", "2", "buyer"), strings.Replace(of("between(1, 2)", "fee=1", "2", "buyer"), "event \"other\"", "party \"clerk\" {\n flag \"up\" {}\n}\nevent \"other\"", 1), ""},
	} {
		review := blame.Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1})
		d := review.Difference
		if d == nil {
			t.Fatal(review.Status)
		}
		said := ""
		if d.States.SameStepsDiffer() {
			said = "shown"
		}
		if s := d.States.Apart; s != nil {
			said = sequence(s.Run)
			for _, x := range s.Differs {
				said += fmt.Sprintf("; %s: %v %v", x.Party, x.Before, x.After)
			}
		}
		if len(d.States.Aside) > 0 {
			said += fmt.Sprint("aside ", d.States.Aside)
		}
		if !d.All.Same() || said != c.want || d.States.Undecided != "" {
			t.Errorf("%v: %q, want %q %s", d.All.Relation, said, c.want, d.States.Undecided)
		}
	}
}

// TestExchangedAmounts: both versions have the same states, and come to them by other steps.
func TestExchangedAmounts(t *testing.T) {
	const text = `
contract "c" {}
party "seller" {
  counter "fee" {
    to      = 9
    changes = {
      left  = 1
      right = 2
    }
  }
  state "idle" {}
  state "over" {}
  transition "go" {
    from = idle
    to   = over
  }
}
event "left" { sync = { seller = go } }
event "right" { sync = { seller = go } }
`
	head := strings.NewReplacer("left  = 1", "left  = 2", "right = 2", "right = 1").Replace(text)
	d := blame.Compare(context.Background(), testkit.DraftOf(t, text), testkit.DraftOf(t, head), finding.Budget{Jobs: 1}).Difference
	if d.States.Appeared != 0 || d.States.Apart == nil || sequence(d.States.Apart.Run) != "left" || fmt.Sprint(d.States.Apart.Differs) != "[{seller  [fee: 1] [fee: 2] }]" {
		t.Errorf("%+v %+v", d.States, d.States.Apart)
	}
}
