package text

import (
	"io"
	"slices"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// Results writes the results for each contract, for a terminal: a line for each requirement that holds, and a run for each that does not.
// The last line sums up. An error comes from w.
func Results(w io.Writer, results []*finding.Result, style Style) error {
	p := &Page{Style: style}
	for _, r := range results {
		p.blank()
		p.result(r)
	}
	t := words.Tallied(results)
	p.blank()
	p.put(0, verdictColor(t.Verdict()), words.Sign(t.Verdict())+" ", t.String())
	_, err := io.WriteString(w, p.String())
	return err
}

// result writes the results for one contract.
func (p *Page) result(r *finding.Result) {
	p.heading(r.Path, r.Name, r.Title)
	if r.Model.Places > 0 {
		p.Say(2, words.Joined("; ", words.Size(r.Model), words.Pace(r.Model)))
		p.Say(2, words.Joined(" ", words.Incomplete(r, words.Terminal), words.NotLookedFor(r)))
		if p.Style.Stats {
			p.Say(2, words.Effort(r.Model))
		}
	}
	p.Say(2, words.CachedNote(r.Cached))
	found := words.Alike(words.Listed(r))
	p.diagnostics(found, codes.Error)
	p.diagnostics(found, codes.Warning) // warnings may explain the failures below
	p.blank()
	p.requirements(r.Requirements)
	p.diagnostics(found, codes.Violation)
	p.accepted(found, nil)
	p.proposals(r.Proposals)
}

// heading writes a contract's name, title and directory.
func (p *Page) heading(path, name, long string) {
	p.errors = map[string]string{}
	where := ""
	if path != "" && path != "." && path != name {
		where = " (" + escape.TerminalText(path) + ")"
	}
	if name == "" {
		name, where = path, ""
	}
	name = escape.TerminalText(name)
	rest := where
	if long != "" && long != name {
		rest = " — " + escape.TerminalText(long) + where
	}
	p.put(0, bold, name+" ", rest)
}

// requirements writes the requirements with their names aligned.
func (p *Page) requirements(all []finding.Requirement) {
	all, more := words.Requirements(all)
	width := 0
	for _, r := range all {
		width = max(width, uniseg.StringWidth(NameText(r.Name)))
	}
	for i := range all {
		p.requirement(&all[i], width)
	}
	if more != "" {
		p.Say(2, more)
	}
}

// requirement writes one requirement, its name padded to width.
func (p *Page) requirement(r *finding.Requirement, width int) {
	long := r.Verdict == finding.Violated && !r.Waived() || r.Verdict == finding.Unknown || r.Verdict == finding.IllFormed
	if long {
		p.blank()
	}
	p.entry(requirementColor(r), words.VerdictSign(r)+" "+pad(words.VerdictWord(r), 10), NameText(r.Name), width, words.Promise(r, words.Terminal))
	for _, said := range words.Vacuities(r.Vacuous, words.Terminal) {
		p.put(entryIndent+2, yellow, "note: ", said)
	}
	if r.Waived() {
		p.put(entryIndent+2, yellow, "note: ", words.Waiver(r, words.Terminal))
	}
	if long {
		p.Details(r)
		p.blank()
		return
	}
	p.remarks(r)
}

// entryIndent is the indentation of text under an entry.
const entryIndent = 4

// entry writes the line of a requirement: a coloured lead, its name, and the promise. The promise is beside the name if there is room, and
// under it otherwise.
func (p *Page) entry(c color, lead, name string, width int, text string) {
	lead = lead + " "
	beside := 2 + uniseg.StringWidth(lead) + width + 2
	if p.Style.Width == 0 || p.Style.Width-beside >= 36 || text == "" {
		p.lay(2, c, lead, pad(name, width)+"  ", text)
		return
	}
	p.lay(2, c, lead, "", name)
	p.Say(entryIndent+2, text)
}

// Details writes the reasons for a verdict, the formula, the place and the run of a requirement that does not simply hold.
func (p *Page) Details(r *finding.Requirement) { p.details(&finding.Finding{Head: r}) }

// details writes the same of the requirement of a finding.
func (p *Page) details(f *finding.Finding) {
	r := f.Head
	if at, shown := p.errors[r.Reason]; shown && r.Verdict == finding.IllFormed { // one mistake, one message
		p.Say(entryIndent+2, words.Joined(", ", "It has no meaning as the contract stands: see the error above", at)+".")
		return
	}
	if why := words.Reason(r, words.Terminal); why != "" {
		p.Say(entryIndent+2, words.WithFullStop(why))
	}
	if r.Title != "" {
		p.Say(entryIndent+2, escape.TerminalText(r.Says))
	}
	if r.Formula != "" && !r.Verbatim && (r.Title != "" || r.Says != "") {
		p.Say(entryIndent+2, words.FormulaText(r.Formula)+words.NotationLabel(r))
	}
	p.where(entryIndent+2, r.Source.Filename, r.Source.Start.Line, r.Source.Start.Column)
	p.Say(entryIndent+2, words.Waiver(r, words.Terminal))
	if r.Trace != nil && r.Verdict == finding.Violated {
		p.blank()
		p.shown(entryIndent+2, r.Trace)
	}
	p.remarks(r)
	p.remedies(entryIndent+2, f.Repairs)
	p.waiver(entryIndent+2, f)
}

// remarks writes the notes on a verdict.
func (p *Page) remarks(r *finding.Requirement) {
	for _, said := range words.Remarks(r, words.Terminal) {
		p.put(entryIndent+2, cyan, "note: ", said)
	}
}

// where writes a place in a file, if there is one.
func (p *Page) where(indent int, file string, line, column int) {
	if file != "" {
		p.put(indent, faint, "at ", words.Place(escape.TerminalText(file), line, column))
	}
}

// accepted lists the accepted diagnostics with their reasons. An acceptance that base does not have is called new, unless base is nil.
func (p *Page) accepted(all []finding.Diagnostic, base *finding.Result) {
	if !slices.ContainsFunc(all, func(d finding.Diagnostic) bool { return d.Accepted != "" }) {
		return
	}
	p.blank()
	for i, d := range all {
		if d.Accepted != "" {
			p.put(2, faint, words.AcceptedWord(d, base)+": ", words.Joined(" ", words.WithFullStop(escape.TerminalText(d.Message)), "["+escape.TerminalText(string(d.Code))+"]", "Reason given: "+escape.TerminalText(d.Accepted)))
			if words.NewlyAccepted(d, base) {
				p.runOf(4, &all[i])
			}
		}
	}
}

// NameText escapes a name for a terminal.
func NameText(s string) string { return escape.Uncommanded(escape.Visible(s, escape.NameLength)) }

// requirementColor returns the colour for a requirement.
func requirementColor(r *finding.Requirement) color {
	if r.Waived() {
		return yellow
	}
	return verdictColor(r.Verdict)
}

// verdictColor returns the colour for a verdict.
func verdictColor(v finding.Verdict) color {
	return [...]color{yellow, green, red, red}[v]
}
