package report

import (
	"io"
	"slices"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

// Text tells a person at a terminal what was found in each contract: what holds in one line each,
// what does not with its run. The last line sums up. An error is w's.
func Text(w io.Writer, results []*engine.Result, style Style) error {
	p := &page{style: style}
	for _, r := range results {
		p.blank()
		p.result(r)
	}
	t := tallied(results)
	p.blank()
	p.put(0, verdictColor(t.verdict()), sign(t.verdict())+" ", t.String())
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *page) result(r *engine.Result) {
	p.heading(r.Path, r.Name, r.Title)
	if r.Model.Places > 0 {
		p.say(2, joined("; ", size(r.Model), pace(r.Model)))
		p.say(2, incomplete(r.Model, terminal))
		if p.style.Stats {
			p.say(2, effort(r.Model))
		}
	}
	p.say(2, cachedNote(r.Cached))
	found := Listed(r)
	p.diagnostics(found, codes.Error)
	p.diagnostics(found, codes.Warning) // they may be why what follows fails
	p.blank()
	p.requirements(r.Requirements)
	p.diagnostics(found, codes.Violation)
	p.accepted(found, nil)
	p.proposals(r.Proposals)
}

// heading writes a contract's name, title and directory.
func (p *page) heading(path, name, long string) {
	where := ""
	if path != "" && path != name {
		where = " (" + TerminalText(path) + ")"
	}
	if name == "" {
		name, where = path, ""
	}
	name = TerminalText(name)
	rest := where
	if long != "" && long != name {
		rest = " — " + TerminalText(long) + where
	}
	p.put(0, bold, name+" ", rest)
}

func (p *page) requirements(all []engine.Requirement) {
	width := 0
	for _, r := range all {
		width = max(width, uniseg.StringWidth(nameText(r.Name)))
	}
	for i := range all {
		p.requirement(&all[i], width)
	}
}

// requirement writes one requirement, its name padded to width.
func (p *page) requirement(r *engine.Requirement, width int) {
	long := r.Verdict == engine.Violated && !r.Waived() || r.Verdict == engine.Unknown || r.Verdict == engine.IllFormed
	if long {
		p.blank()
	}
	p.entry(requirementColor(r), verdictSign(r)+" "+pad(verdictWord(r), 10), nameText(r.Name), width, promise(r, terminal))
	for _, v := range r.Vacuous {
		p.put(entryIndent+2, yellow, "note: ", vacuity(v, terminal))
	}
	if r.Waived() {
		p.put(entryIndent+2, yellow, "note: ", waiver(r, terminal))
	}
	if long {
		p.details(r)
		p.blank()
		return
	}
	p.remarks(r)
}

// entryIndent is where the text under an entry begins.
const entryIndent = 4

// entry writes the line of a requirement: a coloured lead, its name, and what it promises, beside
// the name when there is room and under it when not.
func (p *page) entry(c color, lead, name string, width int, text string) {
	lead = lead + " "
	beside := 2 + uniseg.StringWidth(lead) + width + 2
	if p.style.Width == 0 || p.style.Width-beside >= 36 || text == "" {
		p.lay(2, c, lead, pad(name, width)+"  ", text)
		return
	}
	p.lay(2, c, lead, "", name)
	p.say(entryIndent+2, text)
}

// details writes what a reader needs of a requirement that does not simply hold.
func (p *page) details(r *engine.Requirement) {
	if why := reason(r, terminal); why != "" {
		p.say(entryIndent+2, sentence(why))
	}
	if r.Title != "" {
		p.say(entryIndent+2, TerminalText(r.Says))
	}
	if r.Formula != "" && (r.Title != "" || r.Says != "") {
		p.say(entryIndent+2, formulaText(r.Formula)+notation(r))
	}
	p.where(entryIndent+2, r.Source.Filename, r.Source.Start.Line, r.Source.Start.Column)
	p.say(entryIndent+2, waiver(r, terminal))
	if r.Trace != nil && r.Verdict == engine.Violated {
		p.blank()
		p.say(entryIndent+2, "A run that shows it:")
		p.trace(entryIndent+4, r.Trace)
	}
	p.remarks(r)
	if waivable(r) {
		p.unbroken(entryIndent+2, faint, "run "+r.Run) // to be copied whole
	}
}

func (p *page) remarks(r *engine.Requirement) {
	for _, said := range remarks(r, terminal) {
		p.put(entryIndent+2, cyan, "note: ", said)
	}
}

// notation names the notation when it is not the usual one, or the pattern.
func notation(r *engine.Requirement) string {
	if r.Pattern != "" {
		return " (pattern: " + r.Pattern + ")"
	}
	if r.Notation == "table1" {
		return " (Table 1 notation)"
	}
	return ""
}

func (p *page) where(indent int, file string, line, column int) {
	if file != "" {
		p.put(indent, faint, "at ", place(TerminalText(file), line, column))
	}
}

// accepted lists the remarks somebody has accepted, with the reason given; those base had not
// accepted for the same reason are called new.
func (p *page) accepted(all []engine.Diagnostic, base *engine.Result) {
	if !slices.ContainsFunc(all, func(d engine.Diagnostic) bool { return d.Accepted != "" }) {
		return
	}
	p.blank()
	for _, d := range all {
		if d.Accepted != "" {
			p.put(2, faint, acceptedWord(d, base)+": ", joined(" ", sentence(TerminalText(d.Message)), "["+TerminalText(string(d.Code))+"]", "Reason given: "+TerminalText(d.Accepted)))
		}
	}
}

func nameText(s string) string { return uncommanded(visible(s, nameLength)) }

func requirementColor(r *engine.Requirement) color {
	if r.Waived() {
		return yellow
	}
	return verdictColor(r.Verdict)
}

func verdictColor(v engine.Verdict) color {
	return [...]color{yellow, green, red, red}[v]
}
