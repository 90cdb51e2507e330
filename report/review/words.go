package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/report"
)

const (
	// mostBytes is the longest message of an annotation: GitHub's runner cuts at 4,096 characters
	// (actions/runner, ExecutionContext.cs), and note adds a line.
	mostBytes = 3400
	// mostFirings is how many firings of a run an annotation names; the summary has them all.
	mostFirings = 20
)

// paragraphs puts lines of text, fit to be shown, one below the other, cut to what an annotation holds.
func paragraphs(lines ...string) string {
	text := strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), "\n")
	if len(text) <= mostBytes {
		return text
	}
	return strings.ToValidUTF8(text[:mostBytes], "") + "…"
}

// promise is what a requirement asks for, and the clause it stands for.
func promise(r *engine.Requirement) string {
	text := report.TerminalText(r.Title)
	if r.Clause != "" {
		text = strings.TrimSpace(text + " (" + report.TerminalText(r.Clause) + ")")
	}
	return text
}

// heading names what an amendment did to a requirement, or to what a built-in check asks for.
func heading(f engine.Finding) string {
	word := map[engine.Kind]string{
		engine.New: "New violation", engine.Weakened: "Weakened", engine.Standing: "Still violated",
		engine.Meaningless: "Ill-formed", engine.Undecided: "Undecided", engine.Kept: "Now vacuous", engine.RestsAsBefore: "Same actors",
		engine.Waived: "Waived", engine.Dropped: "Withdrawn", engine.WaiverExpired: "Waiver expired",
	}[f.Kind]
	if f.Kind == engine.Kept && f.Rested != nil {
		word = "Other actors"
	}
	if f.Kind == engine.New && f.OfNorms() {
		word = "Owed otherwise"
	}
	return word + ": " + report.TerminalText(f.Name)
}

// meaning says what an amendment did to a requirement, and on whom it rests if that is others now.
func meaning(f engine.Finding) string {
	return strings.TrimSpace(verdictMeaning(f) + " " + report.RestedText(&f))
}

// verdictMeaning says what an amendment did to the verdict.
func verdictMeaning(f engine.Finding) string {
	switch {
	case f.Kind == engine.RestsAsBefore:
		return report.RestsText(f.Head)
	case f.Kind == engine.Kept && len(f.Head.Vacuous) == 0:
		return ""
	case report.MeaningText(f) != "":
		return report.MeaningText(f)
	case f.Kind == engine.Weakened:
		return "The amendment drops or rewords this promise, and the contract no longer keeps the old wording."
	case f.Kind == engine.Dropped, f.Kind == engine.Waived:
		return report.FindingText(f)
	case f.Kind == engine.WaiverExpired:
		return report.WaiverText(f.Head)
	case f.Kind == engine.Standing:
		return "Violated before the amendment, and after it."
	case f.Kind == engine.New && f.Check != nil:
		return "The amendment brings this in."
	case f.Kind == engine.New && f.Base == nil:
		return "The amendment adds this promise, and the contract does not keep it."
	case f.Kind == engine.New && f.Reworded():
		return "The amendment rewords this promise, and the contract does not keep the new wording."
	case f.Kind == engine.New && f.Base.Verdict == engine.Holds:
		return "Held before the amendment; the amendment breaks it."
	case f.Kind == engine.New && f.Base.Waived():
		return "A waiver accepted a violation before the amendment; it does not accept this one."
	case f.Kind == engine.New:
		return "Violated; before the amendment it was " + f.Base.Verdict.String() + "."
	case f.Kind == engine.Kept:
		return vacuity(f.Head)
	case f.Head == nil: // a check whose reason is its detail
		return ""
	}
	return reason(f.Head)
}

// reason says why there is no verdict.
func reason(r *engine.Requirement) string {
	if r.Verdict == engine.IllFormed {
		return "It has no meaning as the contract stands: " + report.TerminalText(r.Reason)
	}
	return "Not decided: " + report.TerminalText(r.Reason)
}

// vacuity says of a requirement that holds which part makes no difference; the summary has all of them.
func vacuity(r *engine.Requirement) string { return report.TextVacuity(r.Vacuous[0]) }

// told tells a run in one line.
func told(t *engine.Trace) string {
	if t == nil {
		return ""
	}
	line := "A run that shows it: " + listed(t.Prefix)
	if len(t.Loop) > 0 {
		line += " Then over and over for ever: " + listed(t.Loop)
	}
	if t.DeadEnd {
		line += " There nothing can happen any more."
	}
	if t.Stops {
		line += " There nothing need happen any more."
	}
	return line
}

// listed names firings in order; those of one step happen together.
func listed(run []engine.Firing) string {
	if len(run) == 0 {
		return "at the start."
	}
	var b strings.Builder
	for i, f := range run[:min(len(run), mostFirings)] {
		switch {
		case i == 0:
		case f.Step == run[i-1].Step:
			b.WriteString(" and ")
		default:
			b.WriteString("; ")
		}
		b.WriteString(happening(f))
	}
	if more := len(run) - mostFirings; more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	return b.String() + "."
}

// happening names a firing as its contract does.
func happening(f engine.Firing) string {
	for _, name := range []string{f.Title, f.Event} {
		if name != "" {
			return report.TerminalText(name)
		}
	}
	return report.TerminalText(strings.Join(f.Transitions, ", "))
}
