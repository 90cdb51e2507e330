package verify_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// The tick that breaches one obligation lifts another; where it breaches that, too, both are breached, each with its
// reparation: only fulfilment in time saves from a deadline.
func TestBreachedInOneMoment(t *testing.T) {
	r := testkit.Checked(testkit.DraftOf(t, `
contract "c" {}
party "p" {
  state "S" {}
  transition "t" {
    from = S
    to   = S
  }
}
event "pay" {
  sync = { p = t }
}
obligation "goods" {
  bearer     = p
  fulfil     = pay
  within     = 2
  reparation = damages
}
obligation "funds" {
  bearer     = p
  fulfil     = pay
  within     = 2
  until      = goods.breached
  reparation = interest
}
obligation "damages" {
  bearer = p
  fulfil = pay
}
obligation "interest" {
  bearer = p
  fulfil = pay
}
requirement "both" { ctl = "AG (goods.breached <-> funds.breached)" }
requirement "repaired" { ctl = "AG (funds.breached <-> !interest.dormant)" }
requirement "late" { ctl = "EF funds.breached" }
`))
	for _, q := range r.Requirements {
		if q.Verdict != finding.Holds {
			t.Errorf("%s: %s", q.Name, q.Verdict)
		}
	}
}

// Where everything happens at once that can, events that concern one obligation still happen one after the
// other: the order may come first, and then the delivery fulfils.
func TestOneAfterTheOther(t *testing.T) {
	r := testkit.Checked(testkit.DraftOf(t, `
contract "c" { firing = all }
party "buyer" {
  state "new" {}
  state "ordered" {}
  transition "order" {
    from = new
    to   = ordered
  }
}
party "seller" {
  state "ready" {}
  state "sent" {}
  transition "send" {
    from = ready
    to   = sent
  }
}
event "order" {
  sync = { buyer = order }
}
event "delivery" {
  sync = { seller = send }
}
obligation "deliver" {
  bearer = seller
  when   = order
  fulfil = delivery
}
requirement "ordered-first" { ctl = "EX (EX deliver.fulfilled)" }
requirement "delivered-first" { ctl = "EX (EX (deliver.owed && seller.sent))" }
requirement "not-at-once" { ctl = "AX !(buyer.ordered && seller.sent)" }
`))
	for _, q := range r.Requirements {
		if q.Verdict != finding.Holds {
			t.Errorf("%s: %s", q.Name, q.Verdict)
		}
	}
}
