package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// Where there are more than mostInFull warnings of one code, which often have one cause, the first fullOfMany are written in full.
const mostInFull, fullOfMany = 6, 3

// diagnostics writes the diagnostics of one class that are not accepted. Of many warnings of a code it writes the first in full, and of the others
// what and where.
func (p *Page) diagnostics(all []finding.Diagnostic, class codes.Class) {
	several, order := map[codes.Code][]*finding.Diagnostic{}, []codes.Code{}
	for i := range all {
		if d := &all[i]; d.Class == class && d.Accepted == "" {
			if several[d.Code] == nil {
				order = append(order, d.Code)
			}
			several[d.Code] = append(several[d.Code], d)
		}
	}
	many := func(code codes.Code) bool { return class == codes.Warning && len(several[code]) > mostInFull }
	for i := range all {
		if d := &all[i]; d.Class == class && d.Accepted == "" && !(many(d.Code) && slices.Index(several[d.Code], d) >= fullOfMany) {
			p.blank()
			p.diagnostic(d)
		}
	}
	for _, code := range order {
		if many(code) {
			p.alike(several[code][fullOfMany:])
		}
	}
}

// alike writes what and where diagnostics of one code are, a line each.
func (p *Page) alike(rest []*finding.Diagnostic) {
	p.blank()
	p.put(2, classColor(rest[0].Class), fmt.Sprintf("%s[%s]: ", words.ClassWord(rest[0].Class), escape.TerminalText(string(rest[0].Code))),
		fmt.Sprintf("%d more like the above:", len(rest)))
	for _, d := range rest {
		p.put(4, noColor, "- ", words.WithFullStop(escape.TerminalText(d.Message))+" "+words.Place(escape.TerminalText(d.Source.Filename), d.Source.Start.Line, d.Source.Start.Column))
	}
}

// diagnostic writes a message in the layout of a compiler: message, place, source line with the range underlined, hint, and how to learn
// more.
func (p *Page) diagnostic(d *finding.Diagnostic) {
	if p.errors != nil && d.Class == codes.Error {
		p.errors[d.Message] = words.Place(escape.TerminalText(d.Source.Filename), d.Source.Start.Line, d.Source.Start.Column)
	}
	lead := fmt.Sprintf("%s[%s]: ", words.ClassWord(d.Class), escape.TerminalText(string(d.Code)))
	p.put(2, classColor(d.Class), lead, escape.TerminalText(d.Message))
	p.Explained(4, &finding.Finding{Check: d})
}

// Explained writes everything about the diagnostic of a finding except its message.
func (p *Page) Explained(indent int, f *finding.Finding) {
	d := f.Check
	p.where(indent, d.Source.Filename, d.Source.Start.Line, d.Source.Start.Column)
	if d.Snippet != "" {
		p.snippet(indent, d.Snippet, d.Source)
	}
	if d.Detail != "" {
		p.Say(indent, escape.TerminalText(d.Detail))
	}
	p.runOf(indent, d)
	p.remedies(indent, f.Repairs)
	p.accept(indent, f)
	p.put(indent, faint, "more: ", "redline explain "+escape.TerminalText(string(d.Code)))
}

// runOf writes the run of a diagnostic, if there is one, or says above which it is.
func (p *Page) runOf(indent int, d *finding.Diagnostic) {
	switch above := words.RunAbove(p.occurrences, d, words.Terminal); {
	case above != "":
		p.Say(indent, above)
	case d.Trace != nil:
		p.Say(indent, words.RunLead(d)+words.AsOf(d.Trace)+":")
		p.trace(indent+2, d.Trace)
		p.occurrences = append(p.occurrences, d)
	}
}

// snippet writes the source line with carets under the range.
func (p *Page) snippet(indent int, line string, at hcl.Range) {
	room := 0
	if p.Style.Width > 0 {
		room = max(narrowest, p.Style.Width-indent-len(fmt.Sprintf("%d | ", at.Start.Line)))
	}
	text, from, to := Excerpt(line, at, room)
	gutter := fmt.Sprint(at.Start.Line)
	p.WriteString(strings.Repeat(" ", indent) + p.paint(faint, gutter+" |") + " " + text + "\n")
	p.WriteString(strings.Repeat(" ", indent+len(gutter)) + p.paint(faint, " |") + " " +
		strings.Repeat(" ", from) + p.paint(red, strings.Repeat("^", max(1, to-from))) + "\n")
}

// Excerpt makes a source line printable and cuts it to room columns around the range. It returns the columns, counted from 0, at which the
// range begins and ends. A room of 0 cuts nothing.
func Excerpt(line string, at hcl.Range, room int) (text string, from, to int) {
	before, rest := splitColumns(line, at.Start.Column-1)
	inside, after := rest, ""
	if at.End.Line == at.Start.Line {
		inside, after = splitColumns(rest, at.End.Column-at.Start.Column)
	}
	before, inside, after = strings.TrimLeft(shown(lastBytes(before)), " "), shown(inside), shown(after)
	before, inside = apart(before, inside), apart(inside, after)
	if room > 0 && uniseg.StringWidth(before+inside) > room && uniseg.StringWidth(before) > room/3 {
		before = "…" + lastColumns(before, room/3-1)
	}
	from = uniseg.StringWidth(before)
	to = from + uniseg.StringWidth(inside)
	text = strings.TrimRight(before+inside+after, " ")
	if room > 0 && uniseg.StringWidth(text) > room {
		text = clip(text, room-1) + "…"
	}
	if room > 0 {
		to = min(to, room)
	}
	return text, from, to
}

// splitColumns cuts s after n characters, as hcl.Pos counts them.
func splitColumns(s string, n int) (head, tail string) {
	end, state := 0, -1
	for rest := s; rest != "" && n > 0; n-- {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		end += len(cluster)
	}
	return s[:end], s[end:]
}

// apart appends a blank to a if a and b together would contain a workflow command.
func apart(a, b string) string {
	if escape.Commands.MatchString(a + b) {
		return a + " "
	}
	return a
}

// lastBytes returns the last bytes of a line that is too long to read, and a shorter line as it is.
func lastBytes(s string) string {
	if len(s) <= nearby {
		return s
	}
	s = s[len(s)-nearby:]
	for s != "" && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}

// nearby is the number of bytes before a range that an excerpt may show.
const nearby = 400

// lastColumns returns the longest end of s that fits into width columns.
func lastColumns(s string, width int) string {
	for s != "" && uniseg.StringWidth(s) > width {
		cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
		s = s[len(cluster):]
	}
	return s
}

// shown makes part of a source line printable without trimming it, for a terminal or a log.
func shown(s string) string { return escape.Uncommanded(escape.Printable(s)) }

// classColor returns the colour for a class of diagnostics.
func classColor(c codes.Class) color {
	if c == codes.Warning {
		return yellow
	}
	return red
}
