package text

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// Negotiation writes what two redlines win and lose, for a terminal: a table of promises, then what only both together break and which
// clause of each causes it. The last lines sum up. An error comes from w.
func Negotiation(w io.Writer, n *finding.Negotiation, style Style) error {
	p := &Page{Style: style}
	p.put(0, bold, "Two redlines of ", words.Origin(n.Base, words.Terminal))
	p.put(2, bold, "A: ", words.Origin(n.A, words.Terminal))
	p.put(2, bold, "B: ", words.Origin(n.B, words.Terminal))
	var same []string
	for i := range n.Contracts {
		c := &n.Contracts[i]
		if words.Untouched(c) {
			same = append(same, cmp.Or(c.Name, c.Path))
			continue
		}
		p.blank()
		p.negotiated(c)
	}
	p.blank()
	if len(same) > 0 {
		p.put(0, noColor, "Changed by neither: ", words.Enumerated(same, words.Terminal))
		p.blank()
	}
	o := words.OutcomeOf(n)
	p.put(0, verdictColor(o.Verdict()), words.Sign(o.Verdict())+" ", diag.Capital(o.String()))
	p.Say(2, o.Rest())
	_, err := io.WriteString(w, p.String())
	return err
}

// negotiated writes the results for one contract.
func (p *Page) negotiated(c *finding.ContractNegotiation) {
	p.heading(c.Path, c.Name, c.Title)
	p.Say(2, words.Doings(c))
	p.blank()
	p.conflicts(c)
	p.table(c)
	p.jointErrors(c)
	p.joints(c)
	p.sides(c)
	p.jointSequences(c)
}

// answerWidth is the width of a table cell in columns.
const answerWidth = 14

// table writes the promises and the verdict of each draft on them.
func (p *Page) table(c *finding.ContractNegotiation) {
	all := words.Rows(c)
	if len(all) == 0 {
		return
	}
	room := 0
	if p.Style.Width > 0 {
		room = max(narrowest, p.Style.Width-2-4*answerWidth-1)
	}
	width := uniseg.StringWidth("promise")
	for _, row := range all {
		width = max(width, uniseg.StringWidth(words.PromiseText(row, words.Terminal)))
	}
	if room > 0 {
		width = min(width, room)
	}
	p.row(bold, width, "promise", [4]string{"base", "A", "B", "both"}, func(string) color { return bold })
	for _, row := range all[:min(len(all), words.MostRows)] {
		p.row(noColor, width, words.PromiseText(row, words.Terminal), words.Cells(c, row), cellColor)
	}
	if more := len(all) - words.MostRows; more > 0 {
		p.Say(2, words.Several(more, "row")+" more not shown here.")
	}
	p.Say(2, words.InBrackets(c.Promises))
	p.blank()
}

// cellColor returns the colour for a cell, by the sign that it begins with.
func cellColor(cell string) color {
	mark, _, _ := strings.Cut(cell, " ")
	return map[string]color{words.Sign(finding.Holds): green, words.Sign(finding.Violated): red, words.Sign(finding.IllFormed): red, words.Sign(finding.Unknown): yellow}[mark]
}

// row writes a row of the table. Text that wraps continues in its own column.
func (p *Page) row(c color, width int, text string, cells [4]string, colorOf func(string) color) {
	for i, line := range Wrap(text, width) {
		out := "  " + p.paint(c, line)
		if i == 0 {
			out += strings.Repeat(" ", width-uniseg.StringWidth(line))
			pending := " "
			for _, cell := range cells {
				out += pending + p.paint(colorOf(cell), cell)
				pending = strings.Repeat(" ", max(1, answerWidth-uniseg.StringWidth(cell)))
			}
		}
		p.WriteString(strings.TrimRight(out, " ") + "\n")
	}
}

// conflicts writes the changes that exclude each other.
func (p *Page) conflicts(c *finding.ContractNegotiation) {
	if why := words.Unmerged(c, words.Terminal); why != "" {
		p.put(2, red, words.Sign(finding.IllFormed)+" ", why)
	}
	for i := range c.Conflicts {
		k := &c.Conflicts[i]
		if k.Prose {
			p.Say(2, "Both reword this, which changes no meaning; both together keep the words of the base.")
		}
		if k.Was != "" {
			p.put(4, faint, "base: ", escape.TerminalText(words.OneLineOf(k.Was)))
		}
		p.put(4, bold, "A: ", words.Clash(&k.A, k.SaysA, words.Terminal))
		p.put(4, bold, "B: ", words.Clash(&k.B, k.SaysB, words.Terminal))
		p.blank()
	}
	p.blank()
}

// jointErrors writes the errors of each redline, and of both together.
func (p *Page) jointErrors(c *finding.ContractNegotiation) {
	for _, e := range words.NegotiationErrors(c) {
		p.Say(2, e.Lead)
		p.diagnostics(e.Errors, codes.Error)
		p.blank()
	}
}

// joints writes what only both redlines together break.
func (p *Page) joints(c *finding.ContractNegotiation) {
	if len(c.Broken) == 0 {
		return
	}
	p.put(2, bold, "What only both together break", "")
	for i := range c.Broken {
		j := &c.Broken[i]
		row := &c.Promises[j.Promise]
		p.blank()
		name := NameText(row.Name)
		p.entry(red, words.Sign(finding.Violated), name, uniseg.StringWidth(name), words.PromiseText(row, words.Terminal))
		p.Say(entryIndent+2, words.Jointly(j))
		p.part("A", j.BlameA)
		p.part("B", j.BlameB)
		p.jointRun(j)
	}
	p.blank()
}

// part writes which changes of a redline contribute to a violation.
func (p *Page) part(side string, g *finding.Blame) {
	if said := words.PartOf(side, g, words.Terminal); said != "" {
		p.put(entryIndent+2, bold, "by "+side+": ", said)
	}
}

// jointRun writes the run that shows a violation, and the steps that each redline alone refuses.
func (p *Page) jointRun(j *finding.Joint) {
	t := words.TraceOf(j.Finding)
	if t == nil {
		return
	}
	p.blank()
	p.shown(entryIndent+2, t)
	for _, l := range words.RefusedAlone(j, words.Terminal) {
		p.put(entryIndent+4, red, "↑ ", l)
	}
}

// sides writes what each redline alone wins and loses.
func (p *Page) sides(c *finding.ContractNegotiation) {
	p.side("A", words.EffectsOf(c, c.A, words.OfA))
	p.side("B", words.EffectsOf(c, c.B, words.OfB))
	p.blank()
}

// side writes the effects of one redline.
func (p *Page) side(name string, all []words.DoneTo) {
	if len(all) == 0 {
		p.Say(2, name+" alone neither wins nor loses a promise.")
		return
	}
	p.put(2, bold, "What "+name+" alone does", "")
	for _, d := range all {
		v := words.EffectVerdict(d.Effect)
		p.put(4, verdictColor(v), words.EffectSign(d.Effect)+" "+words.EffectWord(d.Effect, d.P)+" ", NameText(d.P.Name)+": "+words.PromiseText(d.P, words.Terminal))
		p.Say(8, words.Blame(d.Blame, words.Terminal))
	}
}

// jointSequences writes what can happen with each redline, and with both.
func (p *Page) jointSequences(c *finding.ContractNegotiation) {
	lines := words.Behaviours(c, words.Terminal)
	if len(lines) == 0 {
		return
	}
	p.put(2, bold, "What can happen", "")
	for _, l := range lines {
		p.Say(4, l)
	}
	leads, of := words.SequenceLeads(c.Runs)
	for _, lead := range leads {
		p.put(4, noColor, "", lead)
		shown := of[lead]
		for i := range shown[:min(len(shown), words.MaxSequences)] {
			if i > 0 {
				p.Say(6, "and:")
			}
			p.writeRun(6, shown[i].Run, 0)
		}
		if more := len(shown) - words.MaxSequences; more > 0 {
			p.Say(6, fmt.Sprintf("and %s like these.", words.Several(more, "other sequence")))
		}
	}
	p.blank()
}
