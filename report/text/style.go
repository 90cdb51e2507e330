package text

import (
	"strings"

	"github.com/rivo/uniseg"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
)

// A Style describes what a terminal can show. The zero Style is plain text in lines of any length.
type Style struct {
	Color bool // ANSI colours; they only repeat what the words say
	Width int  // columns to wrap at; 0: no wrapping
	Stats bool // whether to report the work that state models took
}

// A color is an ANSI "select graphic rendition" parameter (ECMA-48, 8.3.117).
type color string

const (
	noColor color = ""
	bold    color = "1"
	faint   color = "2"
	red     color = "31"
	green   color = "32"
	yellow  color = "33"
	cyan    color = "36"
)

// narrowest is the least room a wrapped text gets, however deep it is indented.
const narrowest = 24

// A Page collects lines of text in a style.
type Page struct {
	strings.Builder
	Style   Style
	Refusal *finding.Refusal  // for a step that has not been written yet
	patches []string          // shown so far
	errors  map[string]string // places of the contract's errors, shown so far, by message

	waived  []string // where blocks go that accept violations and have been shown
	accepts bool     // a block that accepts a failed check has been shown

	occurrences []*finding.Diagnostic // whose runs have been shown
}

// paint colours s if the style has colours.
func (p *Page) paint(c color, s string) string {
	if !p.Style.Color || c == noColor || s == "" {
		return s
	}
	return "\x1b[" + string(c) + "m" + s + "\x1b[0m"
}

// blank ends a paragraph with one empty line. It writes none at the top, and never two in a row.
func (p *Page) blank() {
	if s := p.String(); s != "" && !strings.HasSuffix(s, "\n\n") {
		p.WriteByte('\n')
	}
}

// put writes a coloured lead, and text wrapped to the right of it.
func (p *Page) put(indent int, c color, lead, text string) { p.lay(indent, c, lead, "", text) }

// lay is put with a second, plain lead. No line ends with a blank. A text beside which a long lead leaves too little room is under it.
func (p *Page) lay(indent int, c color, lead, second, text string) {
	hang := indent + uniseg.StringWidth(lead+second)
	room := 0
	if p.Style.Width > 0 {
		room = max(narrowest, p.Style.Width-hang)
	}
	word := strings.TrimRight(lead, " ")
	if second == "" && p.under(text, indent, hang) { // a second lead is a column
		p.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+p.paint(c, word), " ") + "\n")
		p.put(indent+4, noColor, "", text)
		return
	}
	for i, l := range Wrap(text, room) {
		before := strings.Repeat(" ", hang)
		if i == 0 {
			before = strings.Repeat(" ", indent) + p.paint(c, word) + lead[len(word):] + second
		}
		p.WriteString(strings.TrimRight(before+l, " ") + "\n")
	}
}

// under reports whether a text is easier to read under its lead than beside it: the lead takes more than half of a line, or a word would be broken.
func (p *Page) under(text string, indent, hang int) bool {
	if p.Style.Width == 0 || hang <= indent+4 || text == "" {
		return false
	}
	longest := 0
	for _, word := range strings.Fields(text) {
		longest = max(longest, uniseg.StringWidth(word))
	}
	return 2*(hang-indent) > p.Style.Width || longest > p.Style.Width-hang && longest <= p.Style.Width-indent-4
}

// unbroken writes a line without wrapping it.
func (p *Page) unbroken(indent int, c color, text string) {
	p.WriteString(strings.Repeat(" ", indent) + p.paint(c, escape.Uncommanded(escape.Visible(text, escape.FormulaLength))) + "\n")
}

// Say writes a paragraph, or nothing if text is empty.
func (p *Page) Say(indent int, text string) {
	if text != "" {
		p.put(indent, noColor, "", text)
	}
}

// Wrap breaks text at blanks into lines of at most width columns. Longer words are broken inside. A width of 0 breaks nothing. The result
// has at least one line.
func Wrap(text string, width int) []string {
	if width == 0 {
		return []string{text}
	}
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(text) {
		w := uniseg.StringWidth(word)
		if used > 0 && used+1+w > width {
			lines, line, used = append(lines, line), "", 0
		}
		for w > width {
			head := clip(word, width)
			lines, word = append(lines, head), word[len(head):]
			w = uniseg.StringWidth(word)
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+w
	}
	return append(lines, line)
}

// clip returns the longest beginning of s that fits into width columns, and at least one character.
func clip(s string, width int) string {
	used, end, state := 0, 0, -1
	for rest := s; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used += w; used > width && end > 0 {
			break
		}
		end += len(cluster)
	}
	return s[:end]
}

// pad fills s with blanks up to width columns.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-uniseg.StringWidth(s)))
}
