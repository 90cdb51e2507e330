package text

import (
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// Requirement describes one requirement for a reader who has its source text at hand: promise, verdict and reasons. The result is plain
// text without blanks at line ends and without a final newline.
func Requirement(r *finding.Requirement) string {
	p := &Page{}
	p.put(0, noColor, words.VerdictWord(r)+": ", words.Joined(" — ", NameText(r.Name), words.Promise(r, words.Terminal)))
	if r.Title != "" {
		p.Say(0, escape.TerminalText(r.Says))
	}
	if why := Why(r); why != "" {
		return p.String() + why
	}
	return strings.TrimSuffix(p.String(), "\n")
}

// Verdict returns the word for a requirement's verdict, with what it assumes.
func Verdict(r *finding.Requirement) string {
	return words.Joined(" ", words.VerdictWord(r), words.Assumption(r, words.Terminal))
}

// Why returns the reasons for a requirement's verdict, in the same form as Requirement. It returns "" if the requirement simply holds.
func Why(r *finding.Requirement) string {
	p := &Page{}
	if r.Waived() {
		p.Say(0, words.Waiver(r, words.Terminal))
		for _, said := range words.Remarks(r, words.Terminal) {
			p.Say(0, said)
		}
		return strings.TrimSuffix(p.String(), "\n")
	}
	if why := words.Reason(r, words.Terminal); why != "" {
		p.Say(0, words.WithFullStop(why))
	}
	for _, said := range words.Vacuities(r.Vacuous, words.Terminal) {
		p.Say(0, said)
	}
	if r.Trace != nil && r.Verdict == finding.Violated {
		p.shown(0, r.Trace)
	}
	for _, said := range words.Remarks(r, words.Terminal) {
		p.Say(0, said)
	}
	if words.Waivable(r) {
		p.Say(0, "run "+r.Run) // to be copied whole
	}
	return strings.TrimSuffix(p.String(), "\n")
}

// Diagnostic describes a diagnostic without its place and source line, in the same form as Requirement.
func Diagnostic(d *finding.Diagnostic) string {
	p := &Page{}
	p.Say(0, escape.TerminalText(d.Message))
	p.Say(0, escape.TerminalText(d.Detail))
	if d.Trace != nil {
		p.Say(0, words.RunLead(d)+words.AsOf(d.Trace)+":")
		p.trace(2, d.Trace)
	}
	return strings.TrimSuffix(p.String(), "\n")
}
