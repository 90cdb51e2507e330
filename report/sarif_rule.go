package report

import (
	"cmp"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

// mostDescription is how much of a rule's description GitHub takes, in characters, with some room.
const mostDescription = 1000

// codeRule is the rule of a built-in check or a remark: its page.
func codeRule(c codes.Code, class codes.Class) sarifRule {
	page, ok := codes.Lookup(c)
	if !ok {
		page = codes.Page{Title: "Remark " + MarkdownText(string(c)), Class: class}
	}
	text := strings.TrimSpace(page.Text)
	if text == "" {
		text = page.Title
	}
	level := map[codes.Class]string{codes.Error: "error", codes.Violation: "error", codes.Warning: "warning"}[class]
	return sarifRule{ID: cmp.Or(visible(string(c), nameLength), "remark"), Short: sarifText{page.Title}, Full: sarifText{clipped(firstParagraph(text), mostDescription)},
		Help: sarifHelp{Text: text, Markdown: text}, Default: sarifDefault{level}, More: sarifTags{[]string{"contract", string(class)}}}
}

func firstParagraph(text string) string {
	first, _, _ := strings.Cut(text, "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

// requirementRule is the rule that a requirement of a contract is.
func requirementRule(r *engine.Result, q *engine.Requirement, name string) sarifRule {
	full := promised(q, name)
	if q.Formula != "" && !strings.Contains(full, plainSARIF.code(q.Formula)) {
		full = joined(" ", sentence(full), plainSARIF.code(q.Formula))
	}
	help := joined("\n\n", sentence(promise(q, markdown)), formulaOnly(q))
	if help == "" {
		help = MarkdownCode(name)
	}
	return sarifRule{ID: contractID(r) + "/" + visible(name, nameLength), Short: sarifText{promised(q, name)}, Full: sarifText{clipped(full, mostDescription)},
		Help: sarifHelp{Text: full, Markdown: help}, Default: sarifDefault{"error"}, More: sarifTags{[]string{"contract", "requirement"}}}
}

func formulaOnly(q *engine.Requirement) string {
	if q.Formula == "" {
		return ""
	}
	return MarkdownCode(q.Formula) + notation(q)
}

// acceptanceRule is about what an amendment accepts.
var acceptanceRule = sarifRule{ID: "acceptance", Short: sarifText{"What an amendment accepts for itself"},
	Full: sarifText{"What an amendment accepts for itself counts once somebody else has approved it, or base has it."},
	Help: sarifHelp{Text: "What an amendment accepts for itself counts once somebody else has approved it, or base has it.",
		Markdown: "What an amendment accepts for itself counts once somebody else has approved it, or base has it."},
	Default: sarifDefault{"error"}, More: sarifTags{[]string{"contract", "requirement"}}}
