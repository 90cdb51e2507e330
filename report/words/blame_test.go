package words

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// TestABoundMakesRoom: of the bounds of a counter, beside the change that they are blamed with, it is said that they make room for it; of its initial value, of
// a transition's states, and of a bound that is blamed first or perhaps not needed, it is not.
func TestABoundMakesRoom(t *testing.T) {
	gift := finding.Block{Name: `party "shop" / transition "gift"`, Action: "added"}
	of := func(name string, terms ...string) finding.Block {
		return finding.Block{Name: name, Action: "changed", Terms: terms}
	}
	for _, c := range []struct {
		blocks []finding.Block
		reason string
		room   bool
	}{
		{[]finding.Block{gift, of(`party "shop" / counter "free"`, "to")}, "", true},
		{[]finding.Block{gift, of(`party "shop" / counter "free"`, "from", "to")}, "", true},
		{[]finding.Block{gift, of(`party "shop" / counter "free"`, "to")}, "no time", false},
		{[]finding.Block{gift, of(`party "shop" / counter "free"`, "initial", "to")}, "", false},
		{[]finding.Block{gift, of(`party "shop" / transition "free"`, "from", "to")}, "", false},
		{[]finding.Block{of(`party "shop" / counter "free"`, "to"), gift}, "", false},
	} {
		said := Blame(&finding.Blame{Blocks: c.blocks, Reason: c.reason}, Terminal)
		if strings.Contains(said, ", which makes room for that") != c.room {
			t.Errorf("%s; want room %t", said, c.room)
		}
	}
}
