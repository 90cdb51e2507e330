package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// TestAnOccurrenceThatIsUndecided: where base fails a check for two occurrences, and only of one it is known that head fails it as before, or in a new way, the other
// one is undecided. Of one of them there are more sets to label than there is memory for. Where occurrences were not looked at, what is reported is sorted alone.
func TestAnOccurrenceThatIsUndecided(t *testing.T) {
	months := func(list ...int) string {
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
		for i, month := range list {
			fmt.Fprintf(&text, "prohibition \"no-%d\" {\n  bearer = tenant\n  of = month-%d.payment\n}\n", i, month)
		}
		return text.String()
	}
	const first, second = "obligation.month-1.pay; ", "obligation.month-2.pay; "
	many := slices.Repeat([]int{2}, 11)
	for _, c := range []struct {
		name       string
		base, head []int
		each       bool // occurrences are looked at
		want       string
	}{
		{"the first as before", append(many, 1), append(many, 1), true, "standing " + first + "undecided " + second},
		{"the second as before", append(slices.Repeat([]int{1}, 11), 2), append(slices.Repeat([]int{1}, 11), 2), true, "undecided " + first},
		{"the first anew", many, append(many, 1), true, "new " + first},
		{"not looked at", []int{1, 2}, []int{1, 2}, false, "standing " + first},
	} {
		base, head := testkit.DraftOf(t, months(c.base...)), testkit.DraftOf(t, months(c.head...)+"net \"n\" {}\n")
		amended := compile.Amend(base, head)
		back, b := amended.Reversed(head), finding.Budget{Jobs: 1}
		was, now := verify.Decide(t.Context(), base, b, back, verify.ProposeNothing), verify.Decide(t.Context(), head, b, amended, verify.ProposeNothing)
		s := Sorting{Review: &finding.ContractReview{Base: was.Result, Head: now.Result}, Base: was.Listed, Head: now.Listed, Draft: head,
			Amended: amended, Back: back, Asked: now.Asked, Before: was.Asked, Budget: b}
		s.Head.Memory = finding.Bytes(4 * 8 * 10 * (now.Listed.Graph.Len()/64 + 1))
		if !c.each {
			s.Asked.Clashes = nil
		}
		s.Checks(t.Context())
		got := ""
		for _, f := range s.Review.Findings {
			got += f.Kind.String() + " " + f.Check.Subject + "; "
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
