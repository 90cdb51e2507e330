package compare_test

import (
	"fmt"
	"regexp"
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

// TestGateOfChecksOfOccurrences: a check of a norm that recurs is sorted by its occurrences, of which a version reports the first that fails alone. What is
// to blame for another one brings that about, and not the first.
func TestGateOfChecksOfOccurrences(t *testing.T) {
	forbidding := func(times int, which ...int) string {
		text := ""
		for _, i := range which {
			from := "start"
			if i > 1 {
				from = fmt.Sprintf("[rent[%d].fulfilled, rent[%[1]d].breached]", i-1)
			}
			text += fmt.Sprintf("prohibition \"hold-%d\" {\n  bearer = tenant\n  of = pay\n  from = %s\n  until = [rent[%[1]d].fulfilled, rent[%[1]d].breached]\n}\n", i, from)
		}
		return renting(fmt.Sprintf("times = %d\n  every = \"3 months\"", times), "EF rent[1].fulfilled", text)
	}
	const always = "prohibition \"hold\" {\n  bearer = tenant\n  of = pay\n}\n"
	for _, c := range []struct {
		name, base, head string
		want             string
	}{
		{"as before", forbidding(3, 1), forbidding(3, 1) + "net \"n\" {}\n", "standing [1]"},
		{"one more", forbidding(3, 1), forbidding(3, 1, 3), "standing [1], new [3]"},
		{"two more, of which one is told", forbidding(4, 1), forbidding(4, 1, 3, 4), "standing [1], new [3]"},
		{"one less", forbidding(3, 1, 3), forbidding(3, 3), "standing [3], repaired [1]"},
		{"another", forbidding(3, 1), forbidding(3, 3), "new [3], repaired [1]"},
		{"the last, of which there are more", forbidding(2, 1), forbidding(3, 1, 3), "standing [1], new [3]"},
		{"all, of which there are more", forbidding(2) + always, forbidding(3) + always, "standing [1]"},
		{"the first alone accepted", forbidding(3), forbidding(3, 1, 3) + accepting("obliged-and-forbidden", "obligation.rent[1]", "", "why"), "new [3]"},
		{"accepted", forbidding(3, 1), forbidding(3, 1, 3) + accepting("obliged-and-forbidden", "obligation.rent[3]", "", "why"), "standing [1]"},
	} {
		var got []string
		for _, f := range amend(t, c.base, c.head, "").Contracts[0].Findings {
			if f.Name == "obliged-and-forbidden" {
				got = append(got, f.Kind.String()+" "+strings.TrimPrefix(f.Check.Subject, "obligation.rent"))
				if of := regexp.MustCompile(`hold-\d`).FindAllString(fmt.Sprintf("%+v", f.Blame), -1); f.Kind == finding.New && fmt.Sprint(of) != "[hold-3]" {
					t.Errorf("%s: %v to blame", c.name, of)
				}
			}
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}
