package syntax

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// bareFormula matches a line with a formula that has no quotes.
var bareFormula = hclspec.LazyRegexp(`^\s*(` + strings.Join(formulas(), "|") + `)\s*=\s*([^"'\x{201c}\x{201d}\x{2018}\x{2019}\x{201e}\x{201f}«»<\s\[#/][^"#]*)$`)

// formulas returns the names of attributes that are formulas and nothing else.
func formulas() []string {
	all := []string{"ctl", "table1", "final"}
	for _, p := range construct.Patterns {
		all = append(all, p.First)
		if p.Second != "" && p.Second != "at_most" {
			all = append(all, p.Second)
		}
	}
	return all
}

// quoteFormula turns a diagnostic inside a formula without quotes to the quotes.
func quoteFormula(d *hcl.Diagnostic, src []byte) {
	from, to := line(d, src)
	m := bareFormula().FindSubmatchIndex(src[from:to])
	if m == nil || d.Subject.Start.Byte < from+m[4] {
		return
	}
	text := strings.TrimSpace(string(src[from+m[4] : to]))
	point(d, src, from+m[4], text)
	d.Summary, d.Detail = "A formula stands in quotes.", fmt.Sprintf("Write %s = %q.", src[from+m[2]:from+m[3]], text)
}

// point makes a text at an offset, in the line of a diagnostic, its subject.
func point(d *hcl.Diagnostic, src []byte, at int, text string) {
	start := d.Subject.Start
	start.Column -= utf8.RuneCount(src[at:start.Byte])
	start.Byte = at
	d.Subject = &hcl.Range{Filename: d.Subject.Filename, Start: start, End: hclspec.Advance(start, text)}
}

// Lines with a text, perhaps in a block on one line: proseValue matches one, up to a comment. another matches where a next attribute begins.
var (
	proseValue = hclspec.LazyRegexp(`^(?:[^"#=]*"[^"]*"\s*(\{))?\s*(` + strings.Join(construct.Texts, "|") + `)\s*=\s*(\S.*?)\s*$`)
	remark     = regexp.MustCompile(`\s(#|//).*$`)
	another    = hclspec.LazyRegexp(`[\s,;][\pL_][\pL\pN_-]*\s*=`)
)

// quoteText turns a diagnostic inside a text that has no quotes, or has quotes within, to all of the text.
func quoteText(d *hcl.Diagnostic, src []byte) {
	from, to := line(d, src)
	m := proseValue().FindSubmatchIndex(src[from:to])
	if m == nil || d.Subject.Start.Byte < from+m[6] {
		return
	}
	name, text := src[from+m[4]:from+m[5]], string(src[from+m[6]:from+m[7]])
	quoted := strings.HasPrefix(text, `"`)
	if !quoted {
		text = remark.ReplaceAllString(text, "")
	}
	if m[2] >= 0 { // the block's own brace
		text = strings.TrimRight(strings.TrimSuffix(text, "}"), " \t")
	}
	first, _ := utf8.DecodeRuneInString(text)
	switch {
	case another().MatchString(text) || strings.Contains(text, "${"):
	case quoted && len(text) > 2 && strings.HasSuffix(text, `"`):
		point(d, src, from+m[6], text)
		d.Summary, d.Detail = `A quote within a text is written \".`, fmt.Sprintf(`Write %s = "%s".`, name, quotesWithin(text[1:len(text)-1]))
	case (unicode.IsLetter(first) || unicode.IsDigit(first)) && !strings.HasSuffix(text, `"`):
		point(d, src, from+m[6], text)
		d.Summary, d.Detail = "A text stands in quotes.", fmt.Sprintf(`Write %s = "%s".`, name, quotesWithin(text))
	}
}

// quotesWithin writes the quotes of a text as they stand within quotes.
func quotesWithin(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, `\"`, `"`), `"`, `\"`)
}

// closers lists, by quotes that are not straight, those that close them.
var closers = map[rune]string{'\u201c': "\u201d\u201c", '\u201d': "\u201d\u201c", '\u201e': "\u201c\u201d\u201f", '\u201f': "\u201d\u201c", '«': "»", '»': "«»"}

// straighten turns a diagnostic at a text in quotes that are not straight, or that are so only where it begins or ends, to all of the text. It reports
// whether there is one.
func straighten(d *hcl.Diagnostic, src []byte) bool {
	_, to := line(d, src)
	all := string(src[d.Subject.Start.Byte:to])
	r, size := utf8.DecodeRuneInString(all)
	ends := closers[r]
	if r == '"' {
		ends = "\u201c\u201d»"
	}
	if ends == "" {
		return false
	}
	n := strings.IndexAny(all[size:], ends)
	switch {
	case r == '"' && (n < 0 || n < strings.LastIndexAny(all[size:], "\u201c\u201d\u201e«»")):
		return false
	case n < 0:
		n = strings.IndexByte(all[size:], '"')
	}
	if n < 0 {
		d.Summary, d.Detail = fmt.Sprintf("A text stands in straight quotes, not in %c.", r), "Write \"text\"."
		return true
	}
	end, last := utf8.DecodeRuneInString(all[size+n:])
	odd := slices.DeleteFunc(slices.Compact([]rune{r, end}), func(r rune) bool { return r == '"' })
	point(d, src, d.Subject.Start.Byte, all[:size+n+last])
	d.Summary = fmt.Sprintf("A text stands in straight quotes, not in %s.", strings.Join(strings.Split(string(odd), ""), " and "))
	d.Detail = fmt.Sprintf(`Write "%s".`, quotesWithin(all[size:size+n]))
	return true
}
