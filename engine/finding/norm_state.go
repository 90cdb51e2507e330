package finding

import (
	"cmp"

	"github.com/redlinehq/redline/hclspec/duration"
)

// stateWords has, by the state of a live norm, its name and the words before its bearer and its counterparty.
var stateWords = map[string][3]string{
	"owed": {"owed", " by the ", " to the "}, "suspended": {"suspended", " for the ", " towards the "}, "in_force": {"in force", " for the ", " towards the "}, "given": {"given", " to the ", " by the "},
	"held": {"held", " by the ", " against the "}, "breached": {"breached", " by the ", " towards the "}, "ended": {"ended"},
}

// String describes the state of a live norm, such as "owed by the borrower to the lender, 3 ticks left".
func (s NormState) String() string { return s.in("") }

// in describes the state like String, with ticks of a unit such as "day"; empty: they have none.
func (s NormState) in(unit string) string {
	words := stateWords[s.State]
	said := words[0]
	if s.Bearer != "" {
		said += words[1] + s.Bearer
	}
	if s.Counterparty != "" {
		said += words[2] + s.Counterparty
	}
	if s.Ticks > 0 {
		said += ", " + duration.Length{N: s.Ticks, Unit: cmp.Or(unit, "tick")}.String() + " left"
	}
	return said
}
