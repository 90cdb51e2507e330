package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// renting writes a rent that is owed so many times or so often at once, a promise about it, and what else there is.
func renting(how, promise, more string) string {
	return fmt.Sprintf(`contract "c" {}
party "tenant" {}
party "landlord" {}
event "start" { by = tenant }
event "pay" { by = tenant }
event "other" { by = tenant }
obligation "rent" {
  bearer       = tenant
  counterparty = landlord
  when         = start
  fulfil       = pay
  within       = "2 months"
  %s
}
%s
requirement "r" { ctl = %q }
`, how, more, promise)
}

// TestGateOfOccurrences: a promise about every occurrence of a norm, or some, is kept as it is written where the norm has fewer or more of
// them. It is given up if it names one that is gone, if head breaks it, or if a norm is new, which may stand in for those that are gone.
func TestGateOfOccurrences(t *testing.T) {
	const another = `obligation "last" {
  bearer       = tenant
  counterparty = landlord
  when         = start
  fulfil       = other
  within       = "2 months"
}
`
	times := func(n int) string { return fmt.Sprintf("times = %d\n  every = \"3 months\"", n) }
	atMost := func(n int) string { return fmt.Sprintf("at_most = %d", n) }
	for _, c := range []struct {
		was, now, promise, more string
		want                    finding.ExitStatus
	}{
		{times(3), times(2), "AG !((some i in rent: i.owed) && (some i in rent: i.owed && i.breached))", "", finding.Clean},
		{times(3), times(2), "all i in rent: AG (i.breached -> !i.owed)", "", finding.Clean},
		{times(3), times(2), "all i in rent: EF i.breached", "", finding.Clean},
		{times(2), times(3), "EF (some i in rent: i.breached)", "", finding.Clean},
		{atMost(2), atMost(1), "AG ((some i in rent: i.breached) -> (all i in rent: !i.owed || !i.breached))", "", finding.Clean},
		{times(3), times(2), "EF rent[3].breached", "", finding.Violations},
		{times(3), times(2), "all i in rent: EF (rent[3].breached || i.breached)", "", finding.Violations},
		{times(3), times(2), "all i in rent: EF i.breached", another, finding.Violations},
		{times(3), times(2), "EF (some i in rent: i.breached)", another, finding.Clean},
		{times(2), times(3), "all i in rent: EF i.breached", another, finding.Clean},
	} {
		now := strings.ReplaceAll(c.promise, "rent[3]", "rent[2]") // what is gone can't be named
		if got := amend(t, renting(c.was, c.promise, ""), renting(c.now, now, c.more), "").Gate(finding.FailNew); got != c.want {
			t.Errorf("%s, now %s, with %q: %s: exit status %d, want %d", c.was, c.now, c.more, c.promise, got, c.want)
		}
	}
}
