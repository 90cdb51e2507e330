package words

import (
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// TestFailsWithoutABreach: of a promise over ideal runs that acting does not keep, the sentence says that nothing is breached, and not that a breach is put off.
func TestFailsWithoutABreach(t *testing.T) {
	for past, want := range map[bool]string{
		false: "it can fail even if nothing is breached and nothing else is put off for ever",
		true:  "it could fail even if nothing was breached and nothing else was put off for ever",
	} {
		if got := resting(&finding.Rests{Ideal: true}, Terminal, past); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestVacuitiesOfAKind: what differs in the instance only is said once, with the others; what differs in anything else is said by itself.
func TestVacuitiesOfAKind(t *testing.T) {
	all := []finding.Vacuity{
		{Subformula: "p[0].a", Never: true}, {Subformula: "q.b"}, {Subformula: "p[1].a", Never: true}, {Subformula: "p[2].a", Never: true}, {Subformula: "p[3].a"},
	}
	want := []string{
		"Holds whatever p[0].a is, and it is never true: that part makes no difference. So it is with p[1], p[2].",
		"Holds whatever q.b is: that part makes no difference.",
		"Holds whatever p[3].a is: that part makes no difference.",
	}
	if got := Vacuities(all, Terminal); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
