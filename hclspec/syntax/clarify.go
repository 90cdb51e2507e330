package syntax

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// clarify reduces the diagnostics of HCL on one file to one for each mistake, at the place of the mistake. HCL reads on after a mistake, and
// reports its consequences, too. Cost: a constant number of passes over a file with a mistake.
func clarify(found hcl.Diagnostics, name string, src []byte) hcl.Diagnostics {
	found = slices.DeleteFunc(found, func(d *hcl.Diagnostic) bool { return d.Subject == nil })
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b *hcl.Diagnostic) int { return cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte) })
	if d := leftover(found, name, src); d != nil {
		return hcl.Diagnostics{d}
	}
	found = characters(firstOfLine(unpaired(found, src)), src)
	for _, d := range found {
		switch d.Summary {
		case "Unclosed configuration block":
			nameUnclosed(d, src)
		case "Argument or block definition required", "Missing newline after block definition":
			if bytes.HasPrefix(src[d.Subject.Start.Byte:], []byte("--")) {
				d.Summary, d.Detail = "A comment does not begin with --.", "Write # before it, or //."
			} else if string(d.Subject.SliceBytes(src)) == "}" {
				d.Summary, d.Detail = "This closing brace } closes nothing.", "Delete it, or look further up for a block that ends too early."
			} else if strings.HasPrefix(d.Detail, "An argument or block definition is required here. To set") {
				missingEquals(d, src)
			}
		case "Invalid block definition":
			missingEquals(d, src)
		case "Missing item separator", "Missing argument separator":
			missingBracket(d, src)
			refuseUnit(d, src)
			refuseWord(d, src)
		case "Unterminated template string":
			beginHeredoc(d, src)
		case "Invalid number literal":
			notNumber(d, src)
		case "Missing newline after argument", "Invalid single-argument block definition":
			if !isName.Match(src[d.Subject.End.Byte:]) {
				refuseUnit(d, src)
				refuseWord(d, src)
			}
		}
		quoteFormula(d, src)
		quoteText(d, src)
	}
	return found
}

// marker matches the first line that git or a document in Markdown has left.
var marker = regexp.MustCompile("(?m)^(<{7}|={7}|>{7}|\\|{7}|```|~~~)")

// leftover returns the diagnostic of a file with markers of a merge conflict, or with a fence of Markdown; nil if nothing is wrong in a line
// with such a marker.
func leftover(found hcl.Diagnostics, name string, src []byte) *hcl.Diagnostic {
	at := marker.FindIndex(src)
	if at == nil {
		return nil
	}
	r := hclspec.RangeAt(name, src, at[0], at[1]-at[0])
	r.End.Column = r.Start.Column + at[1] - at[0]
	if !slices.ContainsFunc(found, func(d *hcl.Diagnostic) bool { return d.Subject.Start.Line == r.Start.Line }) {
		return nil
	}
	d := &hcl.Diagnostic{Severity: hcl.DiagError, Subject: &r, Summary: "A merge conflict is not resolved: git's markers are in the file.",
		Detail: "Keep one of the two versions, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>."}
	if strings.ContainsAny(string(src[at[0]:at[1]]), "`~") {
		d.Summary, d.Detail = "A fence of Markdown is in the file.", fmt.Sprintf("Delete the lines that begin with %s. A file of a contract has only blocks.", src[at[0]:at[1]])
	}
	return d
}

// unpaired returns the diagnostics up to the first text without both of its quotes. After it, texts and what is between them change places.
func unpaired(found hcl.Diagnostics, src []byte) hcl.Diagnostics {
	at := slices.IndexFunc(found, func(d *hcl.Diagnostic) bool { return d.Summary == "Invalid multi-line string" })
	if at < 0 {
		return found
	}
	d := found[at]
	line := d.Subject.Start.Line
	if at > 0 && found[at-1].Subject.Start.Line == line {
		first := slices.IndexFunc(found, func(d *hcl.Diagnostic) bool { return d.Subject.Start.Line == line })
		if r, _ := utf8.DecodeRune(src[found[first].Subject.Start.Byte:]); closers[r] != "" {
			return found[:first+1]
		}
		found[first].Summary, found[first].Detail = "An opening quote is missing in this line.", "Write NAME = \"text\"."
		return found[:first+1]
	}
	tokens, _ := hclsyntax.LexConfig(src, d.Subject.Filename, hcl.InitialPos)
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenOQuote && t.Range.Start.Line == line && t.Range.Start.Byte < d.Subject.Start.Byte {
			d.Subject = &hcl.Range{Filename: d.Subject.Filename, Start: t.Range.Start, End: d.Subject.Start}
			straighten(d, src)
		}
	}
	return found[:at+1]
}

// firstOfLine keeps one diagnostic a line: the first, but a character without a meaning before anything else, and each of these.
func firstOfLine(found hcl.Diagnostics) hcl.Diagnostics {
	odd, seen := map[int]bool{}, map[int]bool{}
	for _, d := range found {
		odd[d.Subject.Start.Line] = odd[d.Subject.Start.Line] || d.Summary == "Invalid character"
	}
	return slices.DeleteFunc(found, func(d *hcl.Diagnostic) bool {
		line := d.Subject.Start.Line
		if odd[line] {
			return d.Summary != "Invalid character"
		}
		again := seen[line]
		seen[line] = true
		return again
	})
}

// spaces names characters that look like a blank, or like nothing.
var spaces = map[rune]string{'\u00a0': "a no-break space", '\u00ad': "a soft hyphen", '\u200b': "a zero-width space", '\u202f': "a narrow no-break space",
	'\u3000': "an ideographic space", '\ufeff': "a byte order mark"}

// plainFor returns the character of ASCII that another looks like: a dash, or one of double width; 0 if there is none.
func plainFor(r rune) rune {
	switch {
	case unicode.Is(unicode.Pd, r) || r == '\u2212':
		return '-'
	case r >= '\uff01' && r <= '\uff5e':
		return r - 0xfee0
	}
	return 0
}

// openBracket reports whether a bracket or parenthesis is open at the end of a text, in its last line.
func openBracket(before []byte) bool {
	last := string(before[bytes.LastIndexByte(before, '\n')+1:])
	return strings.Count(last, "[")+strings.Count(last, "(") > strings.Count(last, "]")+strings.Count(last, ")")
}

// nameCharacter names a character that has no meaning, and reports whether it looks like a blank or like nothing. HCL has messages of its own
// on quotes and semicolons.
func nameCharacter(d *hcl.Diagnostic, src []byte) (unseen bool) {
	r, _ := utf8.DecodeRune(src[d.Subject.Start.Byte:])
	switch {
	case straighten(d, src):
	case r == ';' && openBracket(src[:d.Subject.Start.Byte]):
		d.Summary, d.Detail = "Between the items of a list stands a comma, no semicolon.", "Write [a, b]."
	case strings.ContainsRune("'\u2018\u2019;", r):
	case unicode.IsGraphic(r) && !unicode.IsSpace(r):
		d.Summary, d.Detail = fmt.Sprintf("The character %c has no meaning here.", r), "Names have letters, digits, - and _. Anything else stands in a text, in quotes."
		if plain := plainFor(r); plain != 0 {
			d.Detail = fmt.Sprintf("Write %c, which is on the keyboard.", plain)
		} else if unicode.Is(unicode.Sc, r) {
			d.Detail = amounts
		}
	default:
		d.Summary = fmt.Sprintf("The invisible character U+%04X has no meaning here.", r)
		if spaces[r] != "" {
			d.Summary = fmt.Sprintf("The invisible character U+%04X, %s, has no meaning here.", r, spaces[r])
		}
		d.Detail = "Write a plain blank: text that is copied from a web page or a word processor may have others."
		return true
	}
	return false
}

// characters names the characters without a meaning: one diagnostic for each that looks like a blank or like nothing, with all of its lines,
// and one a line for each other.
func characters(found hcl.Diagnostics, src []byte) hcl.Diagnostics {
	first := map[string]*hcl.Diagnostic{}
	lines := map[string][]int{}
	found = slices.DeleteFunc(found, func(d *hcl.Diagnostic) bool {
		if d.Summary != "Invalid character" {
			return false
		}
		key := fmt.Sprint(d.Subject.Start.Line)
		if nameCharacter(d, src) {
			key = d.Summary
		}
		if first[key] == nil {
			first[key] = d
		}
		if line := d.Subject.Start.Line; !slices.Contains(lines[key], line) && len(lines[key]) <= maxLines {
			lines[key] = append(lines[key], line)
		}
		return first[key] != d
	})
	for key, d := range first {
		if all := lines[key]; len(all) > maxLines {
			d.Detail += fmt.Sprintf(" It stands in lines %s and more.", strings.Trim(strings.ReplaceAll(fmt.Sprint(all[:maxLines]), " ", ", "), "[]"))
		} else if len(all) > 1 {
			d.Detail += fmt.Sprintf(" It stands in lines %s.", strings.Trim(strings.ReplaceAll(fmt.Sprint(all), " ", ", "), "[]"))
		}
	}
	return found
}

// maxLines bounds the lines that a message lists.
const maxLines = 10

// maxHeader bounds the header of a block that a message repeats.
const maxHeader = 80

// nameUnclosed turns a diagnostic on a missing closing brace to the block that lacks it, as far as the indentation shows it.
func nameUnclosed(d *hcl.Diagnostic, src []byte) {
	tokens, _ := hclsyntax.LexConfig(src, d.Subject.Filename, hcl.InitialPos)
	open, before := unclosed(tokens)
	if open == nil {
		return
	}
	header := strings.TrimRight(string(src[open.Start.Byte:open.End.Byte-1]), " \t=")
	if len(header) > maxHeader || strings.Contains(header, "\n") {
		return
	}
	d.Subject = open
	d.Summary = fmt.Sprintf("The closing brace } of %s is missing.", header)
	d.Detail = fmt.Sprintf("Write } on a line of its own before line %d.", before)
}

// unclosed returns the header of the first block that is indented as if it had ended: the range from the beginning of its line to its brace,
// and the line that shows it. It returns nil if none is.
func unclosed(tokens hclsyntax.Tokens) (header *hcl.Range, line int) {
	type block struct{ first, brace hclsyntax.Token }
	var open []block
	var first hclsyntax.Token // of the line
	for _, t := range tokens {
		if t.Range.Start.Line != first.Range.Start.Line {
			first = t
			if n := len(open); n > 0 && outside(t, open[n-1].first) {
				r := hcl.RangeBetween(open[n-1].first.Range, open[n-1].brace.Range)
				return &r, t.Range.Start.Line
			}
		}
		switch t.Type {
		case hclsyntax.TokenOBrace:
			open = append(open, block{first, t})
		case hclsyntax.TokenCBrace:
			open = open[:max(0, len(open)-1)]
		}
	}
	return nil, 0
}

// outside reports whether a token at the beginning of a line is indented as if the block whose header begins with another had ended.
func outside(t, header hclsyntax.Token) bool {
	in, of := t.Range.Start.Column, header.Range.Start.Column
	return t.Type == hclsyntax.TokenIdent && in <= of || t.Type == hclsyntax.TokenCBrace && in < of
}

// bareAttribute matches a line with a word and, without an equals sign or after a colon, what seems to be its value.
var bareAttribute = hclspec.LazyRegexp(`^\s*([\pL_][\pL\pN_-]*)(?:\s*:\s*|\s+)([^{=#/]*[^{=#/\s])\s*$`)

// missingEquals turns a diagnostic on a block that has no brace to an attribute that has no equals sign, if there is an attribute of that name.
func missingEquals(d *hcl.Diagnostic, src []byte) {
	from, to := line(d, src)
	m := bareAttribute().FindSubmatchIndex(src[from:to])
	if m == nil || !slices.ContainsFunc(slices.Collect(maps.Values(construct.Blocks)), func(b construct.Block) bool { return slices.Contains(b.Attributes, string(src[from+m[2]:from+m[3]])) }) {
		return
	}
	r := hclspec.RangeAt(d.Subject.Filename, src, from+m[2], m[3]-m[2])
	r.End = hclspec.Advance(r.Start, string(src[from+m[2]:from+m[3]]))
	d.Subject = &r
	d.Summary = "After this name, an equals sign is missing."
	if bytes.Contains(src[from+m[3]:from+m[4]], []byte(":")) {
		d.Summary = "After the name of an attribute stands an equals sign, no colon."
	}
	d.Detail = fmt.Sprintf("Write %s = %s.", src[from+m[2]:from+m[3]], src[from+m[4]:from+m[5]])
}

// line returns where the line of a diagnostic begins and ends.
func line(d *hcl.Diagnostic, src []byte) (from, to int) {
	from, to = d.Subject.Start.Byte, d.Subject.Start.Byte
	for from > 0 && src[from-1] != '\n' {
		from--
	}
	for to < len(src) && src[to] != '\n' && src[to] != '\r' {
		to++
	}
	return from, to
}

// notNumber says of digits and dots that are no number what is meant: a range, a day, or a text.
func notNumber(d *hcl.Diagnostic, src []byte) {
	text := string(d.Subject.SliceBytes(src))
	from, to, is := strings.Cut(text, "..")
	day := hclspec.AsDay(text)
	switch {
	case is:
		d.Summary = "A range is no value."
		d.Detail = fmt.Sprintf("One of several values of a counter is set = { NAME = between(%s, %s) }.", cmp.Or(from, "1"), cmp.Or(to, "3"))
	case day == "":
		d.Summary, d.Detail = "This is no number.", fmt.Sprintf("Write one dot at most, or a text in quotes: %q.", text)
	default:
		begin, _ := line(d, src)
		d.Summary, d.Detail = "A day stands in quotes, the year first.", fmt.Sprintf("Write %q.", day)
		if m := lasting.FindSubmatch(src[begin:d.Subject.Start.Byte]); m != nil {
			d.Summary = fmt.Sprintf("%s is a duration, no day.", m[1])
			d.Detail = fmt.Sprintf("Write %s = \"30 days\". An obligation until a day has by = %q; the contract block then has start = \"2026-01-01\", the day on which it begins.", m[1], day)
		}
	}
}

// attribute matches the beginning of an attribute or of a block, or the end of one.
var attribute = hclspec.LazyRegexp(`^(}|[\pL_][\pL\pN_-]*\s*(=|"|\{))`)

// missingBracket turns a diagnostic on a list that goes on with the next attribute to the end of the list.
func missingBracket(d *hcl.Diagnostic, src []byte) {
	before := bytes.TrimRight(src[:d.Subject.Start.Byte], " \t\r\n")
	if bytes.ContainsRune(src[len(before):d.Subject.Start.Byte], '\n') && attribute().Match(src[d.Subject.Start.Byte:]) {
		last := len(before) - 1
		for last > 0 && !utf8.RuneStart(before[last]) {
			last--
		}
		r := hclspec.RangeAt(d.Subject.Filename, src, last, len(before)-last)
		d.Subject = &r
		if d.Summary == "Missing item separator" {
			d.Summary, d.Detail = "After this, the closing bracket ] of the list is missing.", "Write [a, b]."
		} else {
			d.Summary, d.Detail = "After this, a closing parenthesis ) is missing.", ""
		}
	}
}

// beginHeredoc turns a diagnostic on the end of a text over several lines to its beginning.
func beginHeredoc(d *hcl.Diagnostic, src []byte) {
	tokens, _ := hclsyntax.LexConfig(src, d.Subject.Filename, hcl.InitialPos)
	var open []hclsyntax.Token
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOHeredoc:
			open = append(open, t)
		case hclsyntax.TokenCHeredoc:
			open = open[:max(0, len(open)-1)]
		}
	}
	if len(open) > 0 {
		opening, at := strings.TrimSpace(string(open[0].Bytes)), open[0].Range.Start
		d.Subject = &hcl.Range{Filename: d.Subject.Filename, Start: at, End: hclspec.Advance(at, opening)}
		d.Summary, d.Detail = "The end of this text is missing.", fmt.Sprintf("Write %s on a line of its own below it.", strings.TrimLeft(opening, "<-"))
	}
}

// Beginnings of a line that gives a duration: up to its number, and up to its unit.
var (
	lasting  = regexp.MustCompile(`^\s*(within|lasts|every)\s*=\s*$`)
	duration = regexp.MustCompile(`^\s*(within|lasts|every)\s*=\s*([0-9]+)\s+$`)
)

// listed matches the beginning of a line with a list in which a duration stands, up to its unit.
var listed = regexp.MustCompile(`[\[(,]\s*([0-9]+)\s+$`)

// amount matches the beginning of a line that gives a number.
var amount = regexp.MustCompile(`=\s*[0-9][0-9.,]*\s*$`)

// amounts says what to do with sums of money.
const amounts = "Amounts of money and other quantities with a unit are not modelled: write them into title or description, in quotes."

// refuseUnit says how a duration is written if a unit follows it.
func refuseUnit(d *hcl.Diagnostic, src []byte) {
	before := src[:d.Subject.Start.Byte]
	begun := before[bytes.LastIndexByte(before, '\n')+1:]
	if m := amount.FindSubmatch(begun); m != nil {
		d.Summary, d.Detail = "A number stands alone.", amounts
	}
	unit := src[d.Subject.Start.Byte:min(d.Subject.End.Byte, len(src))]
	if m := listed.FindSubmatch(begun); m != nil && hclsyntax.ValidIdentifier(string(unit)) {
		d.Summary, d.Detail = "A duration with a unit stands in quotes.", fmt.Sprintf("Write \"%s %s\".", m[1], unit)
	}
	if m := duration.FindSubmatch(begun); m != nil {
		d.Summary, d.Detail = "A duration with a unit stands in quotes.", fmt.Sprintf("Write %s = \"%s %s\"; or a number of ticks, without a unit.", m[1], m[2], unit)
	}
}

// isName matches what follows the name of an attribute or of a block.
var isName = regexp.MustCompile(`^[ \t]*(=|"|\{)`)

// joined matches an attribute whose names are joined by a word, up to the line's end.
var joined = hclspec.LazyRegexp(`([\pL_][\pL\pN_-]*)\s*=\s*([\pL_][\pL\pN_.-]*)\s+(or|and)\s+([\pL_][\pL\pN_.-]*)\s*}?\s*$`)

// refuseWord says how names are joined that a word joins.
func refuseWord(d *hcl.Diagnostic, src []byte) {
	from, to := line(d, src)
	m := joined().FindSubmatchIndex(src[from:to])
	if m == nil || from+m[6] != d.Subject.Start.Byte {
		return
	}
	part := func(i int) string { return string(src[from+m[2*i] : from+m[2*i+1]]) }
	name, word := part(1), part(3)
	form := map[bool]string{true: "[%s, %s]", false: "any(%s, %s)"}[word == "and"] // of by and only_while
	if name != "by" && name != "only_while" {
		form = map[bool]string{true: "all(%s, %s)", false: "[%s, %s]"}[word == "and"]
	}
	d.Summary, d.Detail = fmt.Sprintf("The word %s joins no names.", word), fmt.Sprintf("Write %s = %s.", name, fmt.Sprintf(form, part(2), part(4)))
}
