package text

import (
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// waiver writes the block that accepts a violation, and where it goes. After the first on a page it writes only what differs.
func (p *Page) waiver(indent int, r *finding.Requirement) {
	if !words.Waivable(r) {
		return
	}
	lines := words.WaiverBlock(r)
	if p.waived {
		p.unbroken(indent, faint, "To accept it: a waiver as above, with "+attributes(lines, "run"))
		return
	}
	p.waived = true
	at := words.Place(escape.TerminalText(r.Source.Filename), r.Source.Start.Line, r.Source.Start.Column)
	p.Say(indent, fmt.Sprintf("%s, have a waiver approved in %s %s (%s):", words.ToWaive(r), words.BlockWord(r), NameText(r.Name), at))
	p.block(indent+2, lines)
}

// accept writes the block that accepts a failed check, and where it goes. After the first on a page it writes only what differs.
func (p *Page) accept(indent int, d *finding.Diagnostic) {
	if !words.Acceptable(d) {
		return
	}
	lines := words.AcceptBlock(d)
	if p.accepts {
		p.unbroken(indent, faint, "To accept it: "+strings.TrimSuffix(lines[0], " {")+" as above, with "+attributes(lines, "on", "run"))
		return
	}
	p.accepts = true
	p.Say(indent, words.WhereAccepted)
	p.block(indent+2, lines)
}

// attributes returns the lines of a block that set one of some attributes, on one line.
func attributes(lines []string, names ...string) string {
	var some []string
	for _, line := range lines {
		for _, name := range names {
			if word, value, is := strings.Cut(strings.TrimLeft(line, " "), " = "); is && strings.TrimRight(word, " ") == name {
				some = append(some, name+" = "+value)
			}
		}
	}
	return strings.Join(some, ", ")
}

// block writes the lines of a block, to be copied: none is broken.
func (p *Page) block(indent int, lines []string) {
	for _, line := range lines {
		bare := strings.TrimLeft(line, " ")
		p.unbroken(indent+len(line)-len(bare), faint, bare)
	}
}
