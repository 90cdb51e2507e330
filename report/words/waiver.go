package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
)

// Assumption returns, in brackets, the assumption under which a verdict is meant. It returns "" if there is none.
func Assumption(r *finding.Requirement, in Medium) string {
	switch {
	case r.Resting:
		return "(" + mayRest(r.RestsOn, in) + ")"
	case len(r.Assuming) == 0:
		return ""
	}
	return "(assuming that " + progressWords(r.Assuming, in) + ")"
}

// mayRest describes who has to act for a promise to be kept.
func mayRest(names []string, in Medium) string {
	if len(names) == 0 {
		return "however long anybody waits"
	}
	return "as long as " + acting(names, in) + ", whoever else waits"
}

// acting describes that the named parties act.
func acting(names []string, in Medium) string {
	rest := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "time" })
	var all []string
	if len(rest) < len(names) {
		all = append(all, "time passes")
	}
	switch len(rest) {
	case 0:
	case 1:
		all = append(all, in.Prose(rest[0])+" acts when it can")
	default:
		all = append(all, allOf(rest, in)+" act when they can")
	}
	return strings.Join(all, " and ")
}

// progressWords describes that each party eventually acts when it can.
func progressWords(names []string, in Medium) string {
	if i := slices.Index(names, "time"); i >= 0 {
		if len(names) == 1 {
			return "time passes"
		}
		return "time passes and " + progressWords(slices.Concat(names[:i], names[i+1:]), in)
	}
	if len(names) == 1 {
		return in.Prose(names[0]) + " does not wait for ever"
	}
	return "none of " + Enumerated(names, in) + " waits for ever"
}

// VerdictWord returns the word for the verdict on a requirement, or "waived".
func VerdictWord(r *finding.Requirement) string {
	if r.Waived() {
		return "waived"
	}
	return r.Verdict.String()
}

// VerdictSign returns the sign of the verdict on a requirement, or WaivedSign.
func VerdictSign(r *finding.Requirement) string {
	if r.Waived() {
		return WaivedSign
	}
	return Sign(r.Verdict)
}

// WaivedSign marks a violation that is accepted: neither good nor an objection.
const WaivedSign = "–"

// Waiver describes the state of a requirement's waiver, with its terms. It returns "" if there is no waiver or it has no effect.
func Waiver(r *finding.Requirement, in Medium) string {
	w := r.Waiver
	if w == nil {
		return ""
	}
	terms := fmt.Sprintf("Reason given: %s It names as approver: %s", WithFullStop(in.Prose(w.Reason)), WithFullStop(in.Prose(w.Approver)))
	switch w.State {
	case finding.InForce:
		return "Accepted by a waiver " + until(w, in) + ". " + terms
	case finding.Expired:
		return "A waiver names this violation, and accepts it no longer: its last day was " + in.Prose(w.Expires) + ". " + terms
	case finding.Undated:
		return "A waiver accepts this violation " + until(w, in) + ", and it does not count while nobody says what day it is: pass --today. " + terms
	case finding.OtherRun:
		return "Its waiver accepts another run, not this one. " + terms
	}
	return ""
}

// proposed describes a waiver that does not count yet: what it needs, and its terms.
func proposed(w *finding.Waiver, a *finding.Acceptance, in Medium) string {
	says := "A waiver " + until(w, in) + " is proposed, and it does not count yet"
	if a != nil {
		says += ": " + pending(a, in)
	}
	gave := ""
	if a != nil && a.Gave != "" {
		gave = " Before the amendment the reason given was: " + WithFullStop(in.Prose(a.Gave))
	}
	return WithFullStop(says) + " Reason given: " + WithFullStop(in.Prose(w.Reason)) + gave + " It names as approver: " + WithFullStop(in.Prose(w.Approver))
}

// Evident returns the requirement of a finding without what Meaning describes: a waiver, on whom it rests, or how a scenario
// is not as expected.
func Evident(f *finding.Finding) *finding.Requirement {
	if f.Head == nil {
		return nil
	}
	head := *f.Head
	if f.Kind == finding.New && head.Scenario != nil {
		head.Scenario = &finding.Scenario{Steps: head.Scenario.Steps}
	}
	if f.Kind == finding.Waived && head.Waiver != nil {
		waiver := *head.Waiver
		waiver.State = finding.Unjudged
		head.Waiver = &waiver
	}
	if f.Rested != nil || f.Kind == finding.RestsAsBefore {
		head.Rests = nil
	}
	if f.Old || f.Kind == finding.Weakened { // head has no such requirement, which could have a waiver
		head.Run = ""
	}
	return &head
}

// until describes until when a waiver holds.
func until(w *finding.Waiver, in Medium) string {
	if w.Expires == "" {
		return "that does not expire"
	}
	return "until " + in.Prose(w.Expires)
}

// waiverBlock returns the lines of a block that a drafter can paste into a requirement to have its violation accepted. It is refused until
// its texts are filled in.
func waiverBlock(f *finding.Finding) []string {
	return []string{
		"waiver {",
		`  reason   = "" # why this is acceptable`,
		`  approver = "" # who approves it`,
		`  # expires = "2027-03-31" # the last day, if there is one`,
		`  run      = "` + strings.Join(fingerprints(f), " ") + `"`,
		"}",
	}
}

// fingerprints returns the fingerprints of the runs that a waiver of a violation has to name: the one that is shown, and the one found first.
func fingerprints(f *finding.Finding) []string {
	runs := []string{escape.Visible(f.Head.Run, escape.NameLength)}
	if f.Blame != nil && f.Blame.First != nil {
		runs = append(runs, escape.Visible(f.Blame.First.Run, escape.NameLength))
	}
	return runs
}

// Waivable reports whether a new waiver could accept a violation.
func Waivable(r *finding.Requirement) bool {
	return r.Verdict == finding.Violated && r.Run != "" && (r.Waiver == nil || r.Waiver.State == finding.OtherRun)
}

// WaiverText is Waiver for a terminal.
func WaiverText(r *finding.Requirement) string { return Waiver(r, Terminal) }

// WayMeaning describes, for a violation on both versions, whether the amendment adds a new way to it. It returns "" if there is nothing to
// add.
func WayMeaning(f finding.Finding, in Medium) string {
	w := f.Way
	if w == nil {
		return ""
	}
	before, now := "Broken before the amendment, too", "Broken now"
	if f.Old || f.Check != nil && f.Kind == finding.Weakened {
		now = "The amendment drops or rewords this promise. Its old wording, shown here, is not kept now"
		before = "The amendment drops or rewords this promise. Its old wording, shown here, was not kept before the amendment, either"
	}
	fresh := before + ", but not in this way: "
	if f.Base.Named() {
		fresh = "A waiver accepted a violation before the amendment; this is another: "
	}
	switch {
	case f.Kind != finding.New && f.Kind != finding.Weakened && f.Kind != finding.Undecided && f.Kind != finding.Standing:
		return ""
	case w.New && f.Head != nil && f.Head.Scenario != nil:
		return Joined(" ", fresh+scenarioWas(&f, in), ScenarioBroken(f.Head, in))
	case w.New && w.Lacks > 0:
		return fmt.Sprintf("%sstep %d of this run is new, and without it step %d was not possible then.", fresh, w.Lacks, w.Step)
	case w.New && w.Step > 0:
		return fmt.Sprintf("%sstep %d of this run was not possible there then.", fresh, w.Step)
	case w.New && f.Check != nil:
		return fresh + "where this run ends, it could still be avoided then."
	case w.New:
		return fresh + "where this run ends, the promise could still be kept then."
	case w.Unknown != "" && f.Check == nil && !f.Head.Waived() && (f.Base.Verdict == finding.Unknown || f.Was == finding.Unknown && f.Reworded):
		return WithFullStop(now + "; whether it was before the amendment is unknown: " + in.Prose(w.Unknown))
	case w.Unknown != "" && (f.Base == nil || f.Base.Verdict != finding.Violated) && f.Check == nil:
		return WithFullStop("A waiver accepts the run that is shown; whether the promise is broken in another way, too, is unknown: " + in.Prose(w.Unknown))
	case w.Unknown != "":
		return WithFullStop(before + "; whether now in a new way is unknown: " + in.Prose(w.Unknown))
	case w.Unshown:
		return "Broken before the amendment, and after it. No run shows it, so there are no ways to compare."
	}
	return ""
}

// MeaningText is WayMeaning for a terminal.
func MeaningText(f finding.Finding) string { return WayMeaning(f, Terminal) }
