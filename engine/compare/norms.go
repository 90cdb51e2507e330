package compare

import (
	"cmp"
	"strings"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/finding"
)

// told says how a norm stands otherwise, and for whom that is better or worse.
func told(d *finding.NormDifference) string {
	said := "Before: " + Words(d, d.Was) + "; now: " + Words(d, d.Now) + "."
	if len(d.Better) > 0 {
		said += " Better for the " + strings.Join(d.Better, " and the ") + "."
	}
	if len(d.Worse) > 0 {
		said += " Worse for the " + strings.Join(d.Worse, " and the ") + "."
	}
	return said
}

// Words says how the norm may stand.
func Words(d *finding.NormDifference, all []finding.NormState) string {
	var said []string
	for _, s := range all {
		if s.State == "" {
			said = append(said, map[string]string{"obligation": "not owed", "permission": "not given", "power": "not held", behaviour.EndOfContract: "in force"}[d.Kind])
			said[len(said)-1] = cmp.Or(said[len(said)-1], "not in force")
			continue
		}
		said = append(said, s.String())
	}
	return strings.Join(said, ", or ")
}

// shownRun is the run after which a norm stands otherwise.
func shownRun(d *finding.NormDifference) *finding.Trace {
	return &finding.Trace{Claim: "before the amendment " + Words(d, d.Was) + "; now " + Words(d, d.Now), Prefix: d.Run, End: d.End}
}
