package words

import (
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// A dead end in which no party has states and no norm has begun is told by its run alone, without empty brackets.
func TestADeadEndWithoutStates(t *testing.T) {
	run := []finding.Firing{{Step: 1, Event: "ack"}}
	for want, end := range map[string][]finding.PartyState{
		"1 new dead end: after 1 step, the last of them “ack”.":           nil,
		"1 new dead end: after 1 step, the last of them “ack” (a: done).": {{Party: "a", Places: []string{"done"}}},
	} {
		if got := StateLines(&finding.States{NewDead: 1, NewDeadEnds: []finding.Situation{{Run: run, End: end}}}, Terminal); !slices.Equal(got, []string{want}) {
			t.Errorf("%q; want %q", got, want)
		}
	}
}
