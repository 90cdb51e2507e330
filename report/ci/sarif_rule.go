package ci

import (
	"cmp"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// mostDescription is the number of characters of a rule's description that GitHub accepts, with some room.
const mostDescription = 1000

// codeRule returns the rule for a code, with the code's page as help.
func codeRule(c codes.Code, class codes.Class) sarifRule {
	page, ok := codes.Lookup(c)
	if !ok {
		page = codes.Page{Title: "Remark " + escape.MarkdownText(string(c)), Class: class}
	}
	text := strings.TrimSpace(page.Text)
	if text == "" {
		text = page.Title
	}
	level := map[codes.Class]string{codes.Error: "error", codes.Violation: "error", codes.Warning: "warning"}[class]
	return sarifRule{ID: cmp.Or(escape.Visible(string(c), escape.NameLength), "remark"), Short: sarifText{page.Title}, Full: sarifText{clipped(firstParagraph(text), mostDescription)},
		Help: sarifHelp{Text: text, Markdown: text}, Default: sarifDefault{level}, More: sarifTags{[]string{"contract", string(class)}}}
}

// firstParagraph returns the first paragraph of a text in one line.
func firstParagraph(text string) string {
	first, _, _ := strings.Cut(text, "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

// requirementRule returns the rule for a requirement of a contract.
func requirementRule(r *finding.Result, q *finding.Requirement, name string) sarifRule {
	full := promised(q, name)
	if q.Formula != "" && !strings.Contains(full, plainSARIF.Code(q.Formula)) {
		full = words.Joined(" ", words.WithFullStop(full), plainSARIF.Code(q.Formula))
	}
	help := words.Joined("\n\n", words.WithFullStop(words.Promise(q, words.Markdown)), formulaOnly(q))
	if help == "" {
		help = escape.MarkdownCode(name)
	}
	return sarifRule{ID: contractID(r) + "/" + escape.Visible(name, escape.NameLength), Short: sarifText{promised(q, name)}, Full: sarifText{clipped(full, mostDescription)},
		Help: sarifHelp{Text: full, Markdown: help}, Default: sarifDefault{"error"}, More: sarifTags{[]string{"contract", "requirement"}}}
}

// formulaOnly returns a requirement's formula and its notation.
func formulaOnly(q *finding.Requirement) string {
	if q.Formula == "" {
		return ""
	}
	return escape.MarkdownCode(q.Formula) + words.NotationLabel(q)
}

// acceptanceRule is the rule for acceptances that an amendment brings.
var acceptanceRule = sarifRule{ID: "acceptance", Short: sarifText{"What an amendment accepts for itself"},
	Full: sarifText{"What an amendment accepts for itself counts once somebody else has approved it, or base has it."},
	Help: sarifHelp{Text: "What an amendment accepts for itself counts once somebody else has approved it, or base has it.",
		Markdown: "What an amendment accepts for itself counts once somebody else has approved it, or base has it."},
	Default: sarifDefault{"error"}, More: sarifTags{[]string{"contract", "requirement"}}}
