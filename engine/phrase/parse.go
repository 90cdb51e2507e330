// Package phrase reads the text of a formula as a tree: in either notation, or as a pattern, with a phase's names
// in place of its template's, and of ideal runs where the text says so. Which places names stand for is not its affair.
package phrase

import (
	"errors"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// Parse reads formula text, quantifiers and all; its names are not looked up.
func Parse(text *hclspec.Formula) (*ctl.Formula, *hcl.Diagnostic) {
	f, diag := Said(text)
	if diag == nil && text.Ideal {
		f = OverIdeal(f)
	}
	return f, diag
}

// Said reads formula text as it stands: of ideal runs it says what others say of all.
func Said(text *hclspec.Formula) (*ctl.Formula, *hcl.Diagnostic) {
	if text.Pattern != nil {
		return parsePattern(text)
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

// NotAFormula says what is wrong with formula text, and where. The error is a *ctl.SyntaxError.
func NotAFormula(err error, text *hclspec.Formula) *hcl.Diagnostic {
	var syntax *ctl.SyntaxError
	if !errors.As(err, &syntax) {
		panic("engine: " + err.Error()) // the parser has no other errors
	}
	return Diagnostic("formula-syntax", text.Source(syntax.From, syntax.To),
		"This is not a formula: "+syntax.Message+".", sentence(syntax.Hint))
}

// Diagnostic is an error in the text of a formula.
func Diagnostic(code codes.Code, at hcl.Range, summary, detail string) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &at, Extra: code}
}

// sentence makes a hint one.
func sentence(hint string) string {
	if hint == "" {
		return ""
	}
	return strings.ToUpper(hint[:1]) + strings.TrimRight(hint[1:], ".") + "."
}
