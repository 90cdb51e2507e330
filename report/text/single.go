package text

import (
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// Requirement tells one requirement by itself, for whoever has its text before them: what it
// promises, its verdict, and why. The text is plain, its lines end without blanks, and the last has no
// newline.
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

// Verdict is a requirement's verdict in a word, with what it assumes.
func Verdict(r *finding.Requirement) string {
	return words.Joined(" ", words.VerdictWord(r), words.Assumption(r, words.Terminal))
}

// Why is what there is to say of a requirement's verdict, as TextRequirement does: nothing when it
// simply holds.
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
		p.Say(0, words.Sentence(why))
	}
	for _, v := range r.Vacuous {
		p.Say(0, words.Vacuity(v, words.Terminal))
	}
	if r.Trace != nil && r.Verdict == finding.Violated {
		p.Say(0, "A run that shows it:")
		p.trace(2, r.Trace)
	}
	for _, said := range words.Remarks(r, words.Terminal) {
		p.Say(0, said)
	}
	if words.Waivable(r) {
		p.Say(0, "run "+r.Run) // to be copied whole
	}
	return strings.TrimSuffix(p.String(), "\n")
}

// Vacuity says which part of a requirement that holds makes no difference, and why.
func Vacuity(v finding.Vacuity) string { return words.Vacuity(v, words.Terminal) }

// Diagnostic tells one diagnostic without its place and source line, as TextRequirement does.
func Diagnostic(d *finding.Diagnostic) string {
	p := &Page{}
	p.Say(0, escape.TerminalText(d.Message))
	p.Say(0, escape.TerminalText(d.Detail))
	if d.Trace != nil {
		p.Say(0, words.RunLead(d)+":")
		p.trace(2, d.Trace)
	}
	return strings.TrimSuffix(p.String(), "\n")
}
