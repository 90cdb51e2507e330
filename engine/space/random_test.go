package space_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
)

// TestGeneratorMeetsEverything: the laws below would mean little if the nets they are checked on
// had no contacts, no dead ends, no branching steps.
func TestGeneratorMeetsEverything(t *testing.T) {
	contact, dead, wide, large := 0, 0, 0, 0
	gen := rapid.Custom(testnets.AnyNet)
	for seed := range 300 {
		x := testnets.Naively(gen.Example(seed), petri.All)
		if x.Contact != nil {
			contact++
			continue
		}
		for s := range x.Marks {
			if len(x.Succ[s]) == 0 {
				dead++
			}
			if len(x.Steps[s]) > 1 && len(x.Steps[s][0]) > 1 {
				wide++
			}
		}
		if len(x.Marks) > 6 {
			large++
		}
	}
	if contact < 10 || dead < 10 || wide < 10 || large < 10 {
		t.Errorf("of 300 nets: %d contacts, %d dead ends, %d branching steps, %d with over 6 states", contact, dead, wide, large)
	}
}
