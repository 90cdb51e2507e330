package words

import (
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
