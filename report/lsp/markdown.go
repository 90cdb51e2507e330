package lsp

import (
	"regexp"
	"strings"

	"github.com/redlinehq/redline/report/escape"
)

// markdown escapes foreign text for one line of an editor's Markdown. It escapes only characters that would format, link or open HTML, since
// some editors show an escape as it is written. There are no mentions of users in an editor.
func markdown(s string) string {
	s = entity.ReplaceAllString(escape.TerminalText(s), "&amp;$1")
	s = strings.ReplaceAll(s, "<", "&lt;")
	s = emphasis.ReplaceAllStringFunc(s, func(m string) string { return `\` + strings.Join(strings.Split(m, ""), `\`) })
	if bracket.MatchString(s) {
		s = strings.ReplaceAll(s, "[", `\[`)
	}
	return opening.ReplaceAllString(s, `$1\$2`)
}

var (
	// entity matches an HTML entity.
	entity = regexp.MustCompile(`&(#?[0-9A-Za-z]+;)`)

	// emphasis matches characters that begin or end emphasis or code, and the backslash. An underscore within a name does neither.
	emphasis = regexp.MustCompile("[\\\\`*]|\\b_+|_+\\b|~~+")

	// bracket matches the end of brackets that form a link.
	bracket = regexp.MustCompile(`\][(\[:]`)

	// opening matches the beginning of a list, a heading, a quotation or a rule.
	opening = regexp.MustCompile(`^([0-9]*)([-+=.)#>]+(?:\s|$))`)
)
