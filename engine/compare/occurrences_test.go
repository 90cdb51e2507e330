package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// TestAnOccurrenceThatIsUndecided: where base fails a check for two occurrences, and only of the first it is known that head fails it as before, the other one is
// undecided. Of the second there are more sets to label than there is memory for.
func TestAnOccurrenceThatIsUndecided(t *testing.T) {
	var text strings.Builder
	text.WriteString(`contract "c" {}
party "tenant" {}
template "month" {
  party "debtor" {}
  event "payment" { by = debtor }
  obligation "pay" {
    bearer = debtor
    fulfil = payment
  }
}
phase "month" {
  template = month
  roles    = { debtor = tenant }
  count    = 2
  until    = payment
}
`)
	for i := range 12 {
		fmt.Fprintf(&text, "prohibition \"no-%d\" {\n  bearer = tenant\n  of = month-%d.payment\n}\n", i, min(i, 1)+1)
	}
	base, head := testkit.DraftOf(t, text.String()), testkit.DraftOf(t, text.String()+"net \"n\" {}\n")
	amended := compile.Amend(base, head)
	back, b := amended.Reversed(head), finding.Budget{Jobs: 1}
	was, now := verify.Decide(t.Context(), base, b, back, verify.ProposeNothing), verify.Decide(t.Context(), head, b, amended, verify.ProposeNothing)
	s := Sorting{Review: &finding.ContractReview{Base: was.Result, Head: now.Result}, Base: was.Listed, Head: now.Listed, Draft: head,
		Amended: amended, Back: back, Asked: now.Asked, Before: was.Asked, Budget: b}
	s.Head.Memory = finding.Bytes(4 * 8 * 10 * (now.Listed.Graph.Len()/64 + 1))
	s.Checks(t.Context())
	got := ""
	for _, f := range s.Review.Findings {
		got += f.Kind.String() + " " + f.Check.Subject + "; "
	}
	if want := "standing obligation.month-1.pay; undecided obligation.month-2.pay; "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
