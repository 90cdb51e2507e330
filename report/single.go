package report

import (
	"strings"

	"github.com/redlinehq/redline/engine"
)

// TextRequirement tells one requirement by itself, for whoever has its text before them: what it
// promises, its verdict, and why. The text is plain, its lines end without blanks, and the last has no
// newline.
func TextRequirement(r *engine.Requirement) string {
	p := &page{}
	p.put(0, noColor, verdictWord(r)+": ", joined(" — ", nameText(r.Name), promise(r, terminal)))
	if r.Title != "" {
		p.say(0, TerminalText(r.Says))
	}
	if why := TextWhy(r); why != "" {
		return p.String() + why
	}
	return strings.TrimSuffix(p.String(), "\n")
}

// TextVerdict is a requirement's verdict in a word, with what it assumes.
func TextVerdict(r *engine.Requirement) string {
	return joined(" ", verdictWord(r), assumption(r, terminal))
}

// TextWhy is what there is to say of a requirement's verdict, as TextRequirement does: nothing when it
// simply holds.
func TextWhy(r *engine.Requirement) string {
	p := &page{}
	if r.Waived() {
		p.say(0, waiver(r, terminal))
		for _, said := range remarks(r, terminal) {
			p.say(0, said)
		}
		return strings.TrimSuffix(p.String(), "\n")
	}
	if why := reason(r, terminal); why != "" {
		p.say(0, sentence(why))
	}
	for _, v := range r.Vacuous {
		p.say(0, vacuity(v, terminal))
	}
	if r.Trace != nil && r.Verdict == engine.Violated {
		p.say(0, "A run that shows it:")
		p.trace(2, r.Trace)
	}
	for _, said := range remarks(r, terminal) {
		p.say(0, said)
	}
	if waivable(r) {
		p.say(0, "run "+r.Run) // to be copied whole
	}
	return strings.TrimSuffix(p.String(), "\n")
}

// TextVacuity says which part of a requirement that holds makes no difference, and why.
func TextVacuity(v engine.Vacuity) string { return vacuity(v, terminal) }

// TextDiagnostic tells one diagnostic without its place and source line, as TextRequirement does.
func TextDiagnostic(d *engine.Diagnostic) string {
	p := &page{}
	p.say(0, TerminalText(d.Message))
	p.say(0, TerminalText(d.Detail))
	if d.Trace != nil {
		p.say(0, runLead(d)+":")
		p.trace(2, d.Trace)
	}
	return strings.TrimSuffix(p.String(), "\n")
}
