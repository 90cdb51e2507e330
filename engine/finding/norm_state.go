package finding

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec"
)

// stateWords has, by the state of a live norm, its name and the words before its bearer and its counterparty.
var stateWords = map[string][3]string{
	"owed": {"owed", " by ", " to "}, "suspended": {"suspended", " for ", " towards "}, "in_force": {"in force", " for ", " towards "}, "given": {"given", " to ", " by "},
	"held": {"held", " by ", " against "}, "breached": {"breached", " by ", " towards "}, "ended": {"ended"},
}

// Calls are the words for parties that are not called by their names.
type Calls []Call

// A Call is what a party is called in sentences.
type Call struct{ Name, Called string }

// Of returns what a party is called, or "" if that is its name.
func (c Calls) Of(name string) string {
	if i := slices.IndexFunc(c, func(o Call) bool { return o.Name == name }); i >= 0 {
		return c[i].Called
	}
	return ""
}

// Together returns parties in a sentence, each with its article or as it is called: the seller and Guarantor 1.
func (c Calls) Together(parties []string) string {
	all := make([]string, len(parties))
	for i, p := range parties {
		all[i] = cmp.Or(c.Of(p), hclspec.WithArticle("the ", p))
	}
	return strings.Join(all, " and ")
}

// Words describes the state of a live norm where a tick is one of a unit, or of none: "owed by the borrower to the lender, 3 days left".
func (s NormState) Words(unit string, calls Calls) string {
	words := stateWords[s.State]
	said := words[0]
	if s.Bearer != "" {
		said += words[1] + calls.Together(hclspec.Parted(s.Bearer))
	}
	if s.Counterparty != "" {
		said += words[2] + calls.Together(hclspec.Parted(s.Counterparty))
	}
	if s.Ticks > 0 {
		said += ", " + hclspec.Ticks(s.Ticks, unit) + " left"
	}
	return said
}
