package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/construct"
)

// When returns after what the state of a norm differs.
func When(d *finding.NormDifference) string {
	n := len(d.Run)
	switch {
	case n == 0:
		return "at the start"
	case slices.ContainsFunc(d.Run, func(f finding.Firing) bool { return !f.Tick() }):
		return "after " + counted(d.Run[n-1].Step, "step")
	}
	return "after " + counted(d.Run[n-1].Step, "tick")
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Beyond says of a norm of which no run is shown after which more than the ticks left differs, whether there is none. It returns "" of others.
func Beyond(d *finding.NormDifference) string {
	switch {
	case d.TimeAlone:
		return "Only the time left differs: whether it binds, and whether it is breached, is as before after every run that both versions have: proved."
	case d.Reason != "":
		return "Whether it ever binds, or is breached, where it was not before is not decided: " + sentenceOf(d.Reason)
	}
	return ""
}

// described describes when and how the state of a norm differs, and for which parties that is better or worse.
func described(d *finding.NormDifference) string {
	when := When(d)
	said := strings.ToUpper(when[:1]) + when[1:] + ", b" + strings.TrimPrefix(told(d), "B")
	if b := Beyond(d); b != "" {
		said += " " + b
	}
	return said
}

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
