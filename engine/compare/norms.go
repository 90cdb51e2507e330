package compare

import (
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
)

// described describes when and how the state of a norm differs, and for which parties that is better or worse.
func described(d *finding.NormDifference) string {
	was, now := d.States()
	it := "it"
	if n := d.Occurrence(); n > 0 {
		it = "the " + hclspec.Ordinal(n)
	}
	said := diag.Capital(d.When()) + " " + it + " was " + was + "; now it is " + now + "." + balance(d)
	if b := d.Beyond(); b != "" {
		said += " " + b
	}
	return said
}

// describe describes how the state of a norm differs, and for which parties that is better or worse.
func describe(d *finding.NormDifference) string {
	was, now := d.States()
	return "Before: " + was + "; now: " + now + "." + balance(d)
}

// balance describes for which parties a difference is better or worse, each in a sentence after a space.
func balance(d *finding.NormDifference) (said string) {
	if len(d.Better) > 0 {
		said += " Better for " + d.Calls.Together(d.Better) + "."
	}
	if len(d.Worse) > 0 {
		said += " Worse for " + d.Calls.Together(d.Worse) + "."
	}
	return said
}

// shownRun returns the run after which the states of a norm differ, or nil if no difference is shown.
func shownRun(d *finding.NormDifference) *finding.Trace {
	if d == nil {
		return nil
	}
	was, now := d.States()
	return &finding.Trace{Claim: "before the amendment " + was + "; now " + now, Prefix: d.Run, End: d.End, Ends: d.Ends}
}
