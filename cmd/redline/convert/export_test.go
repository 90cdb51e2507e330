package convert

import (
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/petri"
)

// TestHeavyTexts: only of a large text its size is said, with the transition that there is most of.
func TestHeavyTexts(t *testing.T) {
	n := &petri.Net{Places: make([]petri.Place, 3), Transitions: []petri.Transition{{Name: "a"}, {Name: "tick"}, {Name: "tick"}}}
	if got := heavy(maxLight, n); got != nil {
		t.Error(got)
	}
	want := []string{"the text has 61 MiB, which few tools read: 3 places and 3 transitions, 2 of them for tick"}
	if got := heavy(61<<20, n); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
