package compare

import (
	"cmp"
	"strings"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/construct"
)

// told describes how the state of a norm differs, and for which parties that is better or worse.
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

// Words describes the possible states of a norm.
func Words(d *finding.NormDifference, all []finding.NormState) string {
	var said []string
	for _, s := range all {
		if s.State == "" {
			idle := construct.NormOf(d.Kind).Idle
			if d.Kind == behaviour.EndOfContract {
				idle = "in force"
			}
			said = append(said, cmp.Or(idle, "not in force"))
			continue
		}
		said = append(said, s.String())
	}
	return strings.Join(said, ", or ")
}

// shownRun returns the run after which the states of a norm differ.
func shownRun(d *finding.NormDifference) *finding.Trace {
	return &finding.Trace{Claim: "before the amendment " + Words(d, d.Was) + "; now " + Words(d, d.Now), Prefix: d.Run, End: d.End}
}
