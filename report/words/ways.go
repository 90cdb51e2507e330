package words

import (
	"fmt"

	"github.com/redlinehq/redline/engine/finding"
)

// WayMeaning describes, for a violation on both versions, whether the amendment adds a new way to it. It returns "" if there is nothing to
// add.
func WayMeaning(f finding.Finding, in Medium) string {
	w := f.Way
	if w == nil {
		return ""
	}
	before, now := "Violated before the amendment, too", "Violated now"
	if f.Old {
		now = "The amendment drops or rewords this promise. Its old wording, shown here, is violated now"
		before = "The amendment drops or rewords this promise. Its old wording, shown here, was violated before the amendment, too"
	}
	fresh := before + ", but not in this way: "
	if f.Base.Named() {
		fresh = "A waiver accepted a violation before the amendment; this is another: "
	}
	switch {
	case f.Kind != finding.New && f.Kind != finding.Weakened && f.Kind != finding.Undecided && f.Kind != finding.Standing:
		return ""
	case w.New && f.Head.Scenario != nil:
		return Joined(" ", fresh+scenarioWas(&f, in), ScenarioBroken(f.Head, in))
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
		return "Violated before the amendment, and after it. No run shows it, so there are no ways to compare."
	}
	return ""
}

// MeaningText is WayMeaning for a terminal.
func MeaningText(f finding.Finding) string { return WayMeaning(f, Terminal) }
