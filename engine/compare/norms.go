package compare

import (
	"strings"

	"github.com/redlinehq/redline/engine/finding"
)

// described describes when and how the state of a norm differs, and for which parties that is better or worse.
func described(d *finding.NormDifference) string {
	when := d.When()
	said := strings.ToUpper(when[:1]) + when[1:] + ", b" + strings.TrimPrefix(told(d), "B")
	if b := d.Beyond(); b != "" {
		said += " " + b
	}
	return said
}

// told describes how the state of a norm differs, and for which parties that is better or worse.
func told(d *finding.NormDifference) string {
	said := "Before: " + d.Words(d.Was) + "; now: " + d.Words(d.Now) + "."
	if len(d.Better) > 0 {
		said += " Better for the " + strings.Join(d.Better, " and the ") + "."
	}
	if len(d.Worse) > 0 {
		said += " Worse for the " + strings.Join(d.Worse, " and the ") + "."
	}
	return said
}

// shownRun returns the run after which the states of a norm differ.
func shownRun(d *finding.NormDifference) *finding.Trace {
	return &finding.Trace{Claim: "before the amendment " + d.Words(d.Was) + "; now " + d.Words(d.Now), Prefix: d.Run, End: d.End}
}
