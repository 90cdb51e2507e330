package engine

import (
	"cmp"
	"fmt"
	"strings"
)

// told says how a norm stands otherwise, and for whom that is better or worse.
func (d *NormDifference) told() string {
	said := "Before: " + d.Words(d.Was) + "; now: " + d.Words(d.Now) + "."
	if len(d.Better) > 0 {
		said += " Better for the " + strings.Join(d.Better, " and the ") + "."
	}
	if len(d.Worse) > 0 {
		said += " Worse for the " + strings.Join(d.Worse, " and the ") + "."
	}
	return said
}

// Words says how the norm may stand.
func (d *NormDifference) Words(all []NormState) string {
	var said []string
	for _, s := range all {
		if s.State == "" {
			said = append(said, map[string]string{"obligation": "not owed", "permission": "not given", "power": "not held", endOfContract: "in force"}[d.Kind])
			said[len(said)-1] = cmp.Or(said[len(said)-1], "not in force")
			continue
		}
		said = append(said, s.String())
	}
	return strings.Join(said, ", or ")
}

// stateWords are what people call a live norm, and what comes before its bearer and its counterparty.
var stateWords = map[string][3]string{
	"owed": {"owed", " by the ", " to the "}, "in_force": {"in force", " for the ", " towards the "}, "given": {"given", " to the ", " by the "},
	"held": {"held", " by the ", " against the "}, "breached": {"breached", " by the ", " towards the "}, "ended": {"ended"},
}

// String is how a live norm stands: "owed by the borrower to the lender, 3 ticks left".
func (s NormState) String() string {
	words := stateWords[s.State]
	said := words[0]
	if s.Bearer != "" {
		said += words[1] + s.Bearer
	}
	if s.Counterparty != "" {
		said += words[2] + s.Counterparty
	}
	switch {
	case s.Ticks == 1:
		said += ", 1 tick left"
	case s.Ticks > 1:
		said += fmt.Sprintf(", %d ticks left", s.Ticks)
	}
	return said
}

// run is the run after which a norm stands otherwise.
func (d *NormDifference) run() *Trace {
	return &Trace{Claim: "before the amendment " + d.Words(d.Was) + "; now " + d.Words(d.Now), Prefix: d.Run, End: d.End}
}
