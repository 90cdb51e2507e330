package words

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/report/escape"
)

// A Medium holds the functions that escape foreign text for one kind of output: as prose, as code (a formula), or as the name of a thing
// beside its title.
type Medium struct{ Prose, Code, Name func(string) string }

var (
	Terminal = Medium{escape.TerminalText, FormulaText, func(s string) string { return "[" + escape.TerminalText(s) + "]" }}
	Markdown = Medium{escape.MarkdownText, escape.MarkdownCode, escape.MarkdownCode}
	Cell     = Medium{escape.MarkdownText, escape.MarkdownCell, escape.MarkdownCell}
)

// FormulaText escapes a formula for a terminal. It allows formulas to be longer than prose.
func FormulaText(s string) string { return escape.Uncommanded(escape.Visible(s, escape.FormulaLength)) }

// Joined joins the parts that are not empty.
func Joined(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// WithFullStop adds a full stop to s unless s is empty or ends with punctuation already.
func WithFullStop(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?:") {
		return s
	}
	return s + "."
}

// Mapped applies f to each element. The result is never nil.
func Mapped[A, B any](all []A, f func(A) B) []B {
	out := make([]B, len(all))
	for i, a := range all {
		out[i] = f(a)
	}
	return out
}
