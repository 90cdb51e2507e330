// Package phrase parses the text of a formula into a tree. The text is in one of two notations or a pattern. Names of a template are
// replaced by those of its phase, and the formula is restricted to ideal runs if its text says so. Names are not resolved here.
package phrase

import (
	"errors"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
)

// Parse parses formula text, including quantifiers, and restricts it to ideal runs if the text says so: to those that go on while anything can
// happen. It does not look names up.
func Parse(text *hclspec.Formula) (*ctl.Formula, *hcl.Diagnostic) {
	f, diag := ParseAsWritten(text)
	if diag == nil && text.Ideal {
		f = OverIdeal(f, false)
	}
	return f, diag
}

// ParseAsWritten parses formula text as written, without the restriction to ideal runs.
func ParseAsWritten(text *hclspec.Formula) (*ctl.Formula, *hcl.Diagnostic) {
	switch {
	case text.Pattern != nil:
		return parsePattern(text)
	case text.Scenario != nil:
		return parseScenario(text)
	}
	read := ctl.Parse
	if text.Notation == hclspec.Table1 {
		read = ctl.ParseTable1
	}
	f, err := read(text.Text)
	if err != nil {
		return nil, NotAFormula(err, text)
	}
	Rescope(f, text.Scope)
	return f, nil
}

// NotAFormula returns the diagnostic for a syntax error in formula text. The error must be a *ctl.SyntaxError; any other panics.
func NotAFormula(err error, text *hclspec.Formula) *hcl.Diagnostic {
	var syntax *ctl.SyntaxError
	if !errors.As(err, &syntax) {
		panic("phrase: " + err.Error()) // the parser has no other errors
	}
	return Diagnostic("formula-syntax", text.Source(syntax.From, syntax.To),
		"This is not a formula: "+syntax.Message+".", Sentence(syntax.Hint))
}

// Diagnostic returns an error in the text of a formula.
func Diagnostic(code codes.Code, at hcl.Range, summary, detail string) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &at, Extra: code}
}

// Sentence turns a hint into a sentence, with a capital letter and a full stop. It returns "" for "".
func Sentence(hint string) string {
	if hint == "" {
		return ""
	}
	return diag.Capital(strings.TrimRight(hint, ".")) + "."
}
