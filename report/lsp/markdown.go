package lsp

import (
	"regexp"
	"strings"

	"github.com/redlinehq/redline/report/escape"
)

// markdown makes a stranger's text fit to stand in a line of an editor's Markdown. An editor mentions nobody,
// and some show an escape as it is written: so only what would format, link or open HTML is escaped.
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
	// entity finds what would be taken for a character by its name or number.
	entity = regexp.MustCompile(`&(#?[0-9A-Za-z]+;)`)

	// emphasis finds what begins or ends emphasis or code, and the escape itself. Within a name _ does neither.
	emphasis = regexp.MustCompile("[\\\\`*]|\\b_+|_+\\b|~~+")

	// bracket finds what makes a link of the brackets before it.
	bracket = regexp.MustCompile(`\][(\[:]`)

	// opening finds what would make the line a list, a heading, a quotation or a rule.
	opening = regexp.MustCompile(`^([0-9]*)([-+=.)#>]+(?:\s|$))`)
)
