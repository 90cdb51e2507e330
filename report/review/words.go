package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

const (
	// mostBytes is the maximum size of an annotation's message. GitHub's runner cuts at 4,096 characters (actions/runner,
	// ExecutionContext.cs), and note adds a line.
	mostBytes = 3400
	// mostFirings is the number of firings of a run in an annotation. The summary has all of them.
	mostFirings = 20
)

// paragraphs joins escaped lines and cuts the text to mostBytes.
func paragraphs(lines ...string) string {
	text := strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), "\n")
	if len(text) <= mostBytes {
		return text
	}
	return strings.ToValidUTF8(text[:mostBytes], "") + "…"
}

// promise returns the title of a requirement and its clause.
func promise(r *finding.Requirement) string {
	text := escape.TerminalText(r.Title)
	if r.Clause != "" {
		text = strings.TrimSpace(text + " (" + escape.TerminalText(r.Clause) + ")")
	}
	return text
}

// heading returns the title of an annotation on a finding.
func heading(f finding.Finding) string {
	return diag.Capital(words.KindWord(f)) + ": " + escape.TerminalText(f.Name)
}

// meaning describes what an amendment did to a requirement, and on whom it rests if that has changed.
func meaning(f finding.Finding) string {
	return strings.TrimSpace(verdictMeaning(f) + " " + words.RestedText(&f))
}

// verdictMeaning describes what an amendment did to the verdict.
func verdictMeaning(f finding.Finding) string {
	switch {
	case f.Kind == finding.RestsAsBefore:
		return words.RestsText(f.Head)
	case f.Kind == finding.Kept && len(f.Head.Vacuous) == 0:
		return ""
	case words.MeaningText(f) != "":
		return words.MeaningText(f)
	case f.Kind == finding.Weakened:
		return "The amendment drops or rewords this promise, and the contract no longer keeps the old wording."
	case f.Kind == finding.Dropped, f.Kind == finding.Waived, f.Kind == finding.Standing:
		return words.Done(f, words.Terminal)
	case f.Kind == finding.WaiverExpired:
		return words.WaiverText(f.Head)
	case f.Kind == finding.New:
		return words.Joined(" ", words.Newly(f), words.ScenarioBroken(f.Head, words.Terminal))
	case f.Kind == finding.Kept:
		return vacuity(f.Head)
	case f.Head == nil: // a check, which has its reason in its detail
		return ""
	}
	return reason(f.Head)
}

// reason explains why there is no verdict.
func reason(r *finding.Requirement) string {
	if r.Verdict == finding.IllFormed {
		return "It has no meaning as the contract stands: " + escape.TerminalText(r.Reason)
	}
	return "Not decided: " + escape.TerminalText(r.Reason)
}

// vacuity describes the first part of a requirement that makes no difference. The summary has all of them.
func vacuity(r *finding.Requirement) string { return words.Vacuities(r.Vacuous, words.Terminal)[0] }

// runLine describes a run that shows a violation, in one line.
func runLine(t *finding.Trace) string { return runLineAfter("A run that shows it", t) }

// checkRunLine describes the run of a check. For a norm, the message says already what is owed at its end.
func checkRunLine(d *finding.Diagnostic) string {
	switch {
	case words.OfNorms(d) && d.Trace != nil && len(d.Trace.Prefix) == 0:
		return "" // the message says that it differs at the start
	case words.OfNorms(d):
		return runLineAfter(words.RunLead(d), d.Trace)
	}
	return runLine(d.Trace)
}

func runLineAfter(lead string, t *finding.Trace) string {
	if t == nil {
		return ""
	}
	line := lead + ": " + listed(t.Prefix)
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

// listed names firings in order. Firings of one step are joined by "and".
func listed(run []finding.Firing) string {
	if len(run) == 0 {
		return "at the start."
	}
	var b strings.Builder
	run = slices.Concat(words.FoldedTitles(words.Steps(run))...)
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

// happening returns the name of a firing: its title, its event, or its transitions.
func happening(f finding.Firing) string {
	for _, name := range []string{f.Title, f.Event} {
		if name != "" {
			return escape.TerminalText(name)
		}
	}
	return escape.TerminalText(strings.Join(f.Transitions, ", "))
}
