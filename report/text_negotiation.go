package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

// TextNegotiation tells a person at a terminal what two redlines win and lose, as a table of promises; then
// what only both together break, and which clause of each does it. The last lines sum up. An error is w's.
func TextNegotiation(w io.Writer, n *engine.Negotiation, style Style) error {
	p := &page{style: style}
	p.put(0, bold, "Two redlines of ", origin(n.Base, terminal))
	p.put(2, bold, "A: ", origin(n.A, terminal))
	p.put(2, bold, "B: ", origin(n.B, terminal))
	var same []string
	for i := range n.Contracts {
		c := &n.Contracts[i]
		if untouched(c) {
			same = append(same, cmp.Or(c.Name, c.Path))
			continue
		}
		p.blank()
		p.negotiated(c)
	}
	p.blank()
	if len(same) > 0 {
		p.put(0, noColor, "Changed by neither: ", listed(same, terminal))
		p.blank()
	}
	o := outcomeOf(n)
	p.put(0, verdictColor(o.verdict()), sign(o.verdict())+" ", capital(o.String()))
	p.say(2, o.rest())
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *page) negotiated(c *engine.ContractNegotiation) {
	p.heading(strings.TrimPrefix(c.Path, "."), c.Name, c.Title)
	p.say(2, doings(c))
	p.blank()
	p.conflicts(c)
	p.table(c)
	p.jointErrors(c)
	p.joints(c)
	p.sides(c)
	p.courses(c)
}

// answerWidth is the columns of a cell of the table.
const answerWidth = 14

// table is the promises, and what each draft says of them.
func (p *page) table(c *engine.ContractNegotiation) {
	all := rows(c)
	if len(all) == 0 {
		return
	}
	room := 0
	if p.style.Width > 0 {
		room = max(narrowest, p.style.Width-2-4*answerWidth-1)
	}
	width := uniseg.StringWidth("promise")
	for _, row := range all {
		width = max(width, uniseg.StringWidth(promiseText(row, terminal)))
	}
	if room > 0 {
		width = min(width, room)
	}
	p.row(bold, width, "promise", [4]string{"base", "A", "B", "both"}, func(string) color { return bold })
	for _, row := range all[:min(len(all), mostRows)] {
		p.row(noColor, width, promiseText(row, terminal), cells(c, row), cellColor)
	}
	if more := len(all) - mostRows; more > 0 {
		p.say(2, several(more, "row")+" more not shown here.")
	}
	p.say(2, inBrackets(c.Promises))
	p.blank()
}

func cellColor(cell string) color {
	mark, _, _ := strings.Cut(cell, " ")
	return map[string]color{sign(engine.Holds): green, sign(engine.Violated): red, sign(engine.IllFormed): red, sign(engine.Unknown): yellow}[mark]
}

// row writes a line of the table; the text wraps under itself.
func (p *page) row(c color, width int, text string, cells [4]string, colorOf func(string) color) {
	for i, line := range wrap(text, width) {
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

// conflicts tells what can't both be made.
func (p *page) conflicts(c *engine.ContractNegotiation) {
	if why := unmerged(c, terminal); why != "" {
		p.put(2, red, sign(engine.IllFormed)+" ", why)
	}
	for i := range c.Conflicts {
		k := &c.Conflicts[i]
		if k.Prose {
			p.say(2, "Both reword this, which changes no meaning; both together keep the words of the base.")
		}
		if k.Was != "" {
			p.put(4, faint, "base: ", TerminalText(oneLineOf(k.Was)))
		}
		p.put(4, bold, "A: ", clash(&k.A, k.SaysA, terminal))
		p.put(4, bold, "B: ", clash(&k.B, k.SaysB, terminal))
		p.blank()
	}
	p.blank()
}

// jointErrors tells what is ill-formed: a redline, or both together where each does mean something.
func (p *page) jointErrors(c *engine.ContractNegotiation) {
	for _, e := range negotiationErrors(c) {
		p.say(2, e.lead)
		p.diagnostics(e.errors, codes.Error)
		p.blank()
	}
}

// joints tells what only both together break.
func (p *page) joints(c *engine.ContractNegotiation) {
	if len(c.Broken) == 0 {
		return
	}
	p.put(2, bold, "What only both together break", "")
	for i := range c.Broken {
		j := &c.Broken[i]
		row := &c.Promises[j.Promise]
		p.blank()
		name := nameText(row.Name)
		p.entry(red, sign(engine.Violated), name, uniseg.StringWidth(name), promiseText(row, terminal))
		p.say(entryIndent+2, jointly(j))
		p.part("A", j.GuiltA)
		p.part("B", j.GuiltB)
		p.jointRun(j)
	}
	p.blank()
}

func (p *page) part(side string, g *engine.Guilt) {
	if said := partOf(side, g, terminal); said != "" {
		p.put(entryIndent+2, bold, "by "+side+": ", said)
	}
}

func (p *page) jointRun(j *engine.Joint) {
	t := traceOf(j.Finding)
	if t == nil {
		return
	}
	p.blank()
	p.say(entryIndent+2, "A run that shows it:")
	p.trace(entryIndent+4, t)
	for _, l := range refusedAlone(j, terminal) {
		p.put(entryIndent+4, red, "↑ ", l)
	}
}

// sides tells what each redline alone wins and loses.
func (p *page) sides(c *engine.ContractNegotiation) {
	p.side("A", effectsOf(c, c.A, ofA))
	p.side("B", effectsOf(c, c.B, ofB))
	p.blank()
}

func (p *page) side(name string, all []doneTo) {
	if len(all) == 0 {
		p.say(2, name+" alone neither wins nor loses a promise.")
		return
	}
	p.put(2, bold, "What "+name+" alone does", "")
	for _, d := range all {
		v := effectVerdict(d.effect)
		p.put(4, verdictColor(v), effectSign(d.effect)+" "+effectWord(d.effect, d.p)+" ", nameText(d.p.Name)+": "+promiseText(d.p, terminal))
		p.say(8, guilt(d.guilt, terminal))
	}
}

// courses tells what can happen with either, and with both.
func (p *page) courses(c *engine.ContractNegotiation) {
	lines := behaviours(c, terminal)
	if len(lines) == 0 {
		return
	}
	p.put(2, bold, "What can happen", "")
	for _, l := range lines {
		p.say(4, l)
	}
	leads, of := courseLeads(c.Courses)
	for _, lead := range leads {
		p.put(4, noColor, "", lead)
		shown := of[lead]
		for i := range shown[:min(len(shown), mostCourses)] {
			if i > 0 {
				p.say(6, "and:")
			}
			p.told(6, shown[i].Run, 0)
		}
		if more := len(shown) - mostCourses; more > 0 {
			p.say(6, fmt.Sprintf("and %s like these.", several(more, "other sequence")))
		}
	}
	p.blank()
}
