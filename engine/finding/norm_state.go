package finding

import (
	"strings"

	"github.com/redlinehq/redline/hclspec"
)

// stateWords has, by the state of a live norm, its name and the words before its bearer and its counterparty.
var stateWords = map[string][3]string{
	"owed": {"owed", " by the ", " to the "}, "suspended": {"suspended", " for the ", " towards the "}, "in_force": {"in force", " for the ", " towards the "}, "given": {"given", " to the ", " by the "},
	"held": {"held", " by the ", " against the "}, "breached": {"breached", " by the ", " towards the "}, "ended": {"ended"},
}

// together gives each of several parties its article: seller and the guarantor.
func together(names string) string { return strings.ReplaceAll(names, " and ", " and the ") }

// Words describes the state of a live norm where a tick is one of a unit, or of none: "owed by the borrower to the lender, 3 days left".
func (s NormState) Words(unit string) string {
	words := stateWords[s.State]
	said := words[0]
	if s.Bearer != "" {
		said += words[1] + together(s.Bearer)
	}
	if s.Counterparty != "" {
		said += words[2] + together(s.Counterparty)
	}
	if s.Ticks > 0 {
		said += ", " + hclspec.Ticks(s.Ticks, unit) + " left"
	}
	return said
}
