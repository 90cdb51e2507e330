package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
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
		{"dropped", owing, `norm-dropped: The amendment drops the obligation "deliver" of the seller.`},
		{"longer", strings.Replace(base, "3", "9", 1), "norm-changed: within was 3, now 9."},
		{"without consequence", strings.Replace(base, "ends_contract = true", "", 1), "norm-changed: ends_contract was true, now left out."},
		{"to somebody else", strings.Replace(base, "counterparty  = buyer", "counterparty = bank", 1), "norm-changed: counterparty was buyer, now bank."},
		{"another name", strings.Replace(base, `"deliver"`, `"delivering"`, 1), ""},
		{"no document", strings.Replace(base, document, "", 1), `document-dropped: The amendment drops the document "receipt".`},
	} {
		review := engine.Compare(context.Background(), draftOf(t, base), draftOf(t, c.head), engine.Budget{Jobs: 1})
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
