package report

import (
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine"
)

// assumption repeats under which assumption a verdict is meant; empty when there is none.
func assumption(r *engine.Requirement, in medium) string {
	if len(r.Assuming) == 0 {
		return ""
	}
	return "(assuming that " + nobodyWaits(r.Assuming, in) + ")"
}

// nobodyWaits says of each party that it acts in the end when it can.
func nobodyWaits(names []string, in medium) string {
	if len(names) == 1 {
		return in.prose(names[0]) + " does not wait for ever"
	}
	return "none of " + listed(names, in) + " waits for ever"
}

// waiting says of a violated requirement for whose waiting it fails; a sentence each.
func waiting(r *engine.Requirement, in medium) []string {
	var all []string
	if r.Weakly {
		all = append(all, "It holds if what is promised may also never come (W in place of U).")
	}
	switch {
	case len(r.Waits) == 1:
		all = append(all, "It fails only because "+mayWait(r.Waits[0], in)+": it holds with "+in.code(progressOf(r, r.Waits[0]))+".")
	case len(r.Waits) > 1:
		var each []string
		for _, names := range r.Waits {
			each = append(each, names...)
		}
		all = append(all, "It fails only because "+mayWait(each, in)+": it holds if one of them does not, as with "+in.code(progressOf(r, r.Waits[0]))+".")
	}
	return all
}

func mayWait(names []string, in medium) string {
	if len(names) == 1 {
		return in.prose(names[0]) + " may wait for ever"
	}
	return listed(names, in) + " may all wait for ever"
}

// progressOf writes an assumption as a drafter does: that which a requirement makes already, and more.
func progressOf(r *engine.Requirement, more []string) string {
	all := append(append([]string{}, r.Assuming...), more...)
	return "assuming = progress(" + strings.Join(all, ", ") + ")"
}

// verdictWord is the verdict on a requirement, or that it is waived.
func verdictWord(r *engine.Requirement) string {
	if r.Waived() {
		return "waived"
	}
	return r.Verdict.String()
}

func verdictSign(r *engine.Requirement) string {
	if r.Waived() {
		return waivedSign
	}
	return sign(r.Verdict)
}

// waivedSign stands before what is violated and accepted: neither well nor an objection.
const waivedSign = "–"

// waiver says what a requirement's waiver comes to; empty when there is none to speak of.
func waiver(r *engine.Requirement, in medium) string {
	w := r.Waiver
	if w == nil {
		return ""
	}
	terms := fmt.Sprintf("Reason given: %s Approved by: %s", sentence(in.prose(w.Reason)), sentence(in.prose(w.Approver)))
	switch w.State {
	case engine.InForce:
		return "Violated, and accepted by a waiver " + until(w, in) + ". " + terms
	case engine.Expired:
		return "A waiver accepted this violation; its last day was " + in.prose(w.Expires) + ". " + terms
	case engine.Undated:
		return "A waiver accepts this violation " + until(w, in) + ", and it does not count while nobody says what day it is: pass --today. " + terms
	case engine.OtherRun:
		return "Its waiver accepts another run, not this one. " + terms
	}
	return ""
}

func until(w *engine.Waiver, in medium) string {
	if w.Expires == "" {
		return "that does not expire"
	}
	return "until " + in.prose(w.Expires)
}

// waiverBlock is what a drafter can paste into a requirement to have its violation accepted. It is refused until its texts are filled in.
func waiverBlock(r *engine.Requirement) []string {
	return []string{
		"waiver {",
		`  reason   = "" # why this is acceptable`,
		`  approver = "" # who approves it`,
		`  expires  = "" # YYYY-MM-DD: the last day; leave the line out if there is none`,
		`  run      = "` + visible(r.Run, nameLength) + `"`,
		"}",
	}
}

// waivable reports whether a violation could be accepted by a new waiver.
func waivable(r *engine.Requirement) bool {
	return r.Verdict == engine.Violated && r.Run != "" && (r.Waiver == nil || r.Waiver.State == engine.OtherRun)
}

// WaiverText says in plain text what a requirement's waiver comes to; empty when it has none.
func WaiverText(r *engine.Requirement) string { return waiver(r, terminal) }
