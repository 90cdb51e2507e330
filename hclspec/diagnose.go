package hclspec

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/codes"
)

// The codes of what can be wrong with the text of a contract. Each has its page in codes.
const (
	codeSyntax            codes.Code = "syntax"
	codeFileTooLarge      codes.Code = "file-too-large"
	codeContractTooLarge  codes.Code = "contract-too-large"
	codeNestedTooDeep     codes.Code = "nested-too-deep"
	codeExpressionTooLong codes.Code = "expression-too-long"
	codeNotUTF8           codes.Code = "not-utf8"
	codeHiddenCharacter   codes.Code = "hidden-character"
	codeNotRegular        codes.Code = "not-a-regular-file"
	codeEmptyContract     codes.Code = "empty-contract"
	codeUnknownBlock      codes.Code = "unknown-block"
	codeUnknownAttribute  codes.Code = "unknown-attribute"
	codeMissingAttribute  codes.Code = "missing-attribute"
	codeBadHeader         codes.Code = "bad-header"
	codeInvalidName       codes.Code = "invalid-name"
	codeLookalike         codes.Code = "lookalike-name"
	codeReservedName      codes.Code = "reserved-name"
	codeDuplicateName     codes.Code = "duplicate-name"
	codeUnknownName       codes.Code = "unknown-name"
	codeQuotedReference   codes.Code = "quoted-reference"
	codeNotAReference     codes.Code = "not-a-reference"
	codeWrongKind         codes.Code = "wrong-kind"
	codeWrongType         codes.Code = "wrong-type"
	codeBadExpression     codes.Code = "bad-expression"
	codeUnsupported       codes.Code = "unsupported-expression"
	codeUnknownFunction   codes.Code = "unknown-function"
	codeValueTooLarge     codes.Code = "value-too-large"
	codeReferenceCycle    codes.Code = "reference-cycle"
	codeEventMissingLabel codes.Code = "event-missing-label"
	codeWhichInstances    codes.Code = "which-instances"
	codeBadCount          codes.Code = "bad-count"
	codeExpansion         codes.Code = "expansion-too-large"
	codeMissingValue      codes.Code = "missing-value"
	codeValueRefused      codes.Code = "value-refused"
	codeContradiction     codes.Code = "contradiction"
	codeNoArcs            codes.Code = "transition-without-arcs"
	codeUnacceptable      codes.Code = "unacceptable-code"
	codeBadAccept         codes.Code = "bad-accept"
	codeBadRetire         codes.Code = "bad-retire"
	codeBadAssumption     codes.Code = "bad-assumption"
	codeBadRestsOn        codes.Code = "bad-rests-on"
	codeBadWaiver         codes.Code = "bad-waiver"
	codeBadDuration       codes.Code = "bad-duration"
)

// CodeOf returns the code of a diagnostic: its Extra, or "syntax" for those HCL itself makes.
func CodeOf(d *hcl.Diagnostic) codes.Code {
	if c, ok := d.Extra.(codes.Code); ok {
		return c
	}
	return codeSyntax
}

// mistake reports an error at r.
func (l *loader) mistake(c codes.Code, r hcl.Range, summary, detail string) {
	l.diags = append(l.diags, &hcl.Diagnostic{
		Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &r, Extra: c,
	})
}

// lacking reports that body lacks something, unless it has something misspelt.
func (l *loader) lacking(body *hclsyntax.Body, r hcl.Range, summary, detail string) {
	if !l.excused[body] {
		l.mistake(codeMissingAttribute, r, summary, detail)
	}
}

// foreign reports what HCL found, under our code. The evaluation context goes: it is not for readers.
func (l *loader) foreign(c codes.Code, found hcl.Diagnostics) {
	for _, d := range found {
		own := *d
		own.Extra, own.Expression, own.EvalContext = c, nil, nil
		if own.Subject == nil {
			own.Subject = &hcl.Range{Filename: l.shown, Start: hcl.InitialPos, End: hcl.InitialPos}
		}
		l.diags = append(l.diags, &own)
	}
}

// sortDiagnostics orders by file, then position, then text, and keeps one of several that say the
// same: a template is read once for every phase.
func sortDiagnostics(diags hcl.Diagnostics) hcl.Diagnostics {
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Subject.Filename, b.Subject.Filename),
			cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte),
			cmp.Compare(a.Summary, b.Summary),
		)
	})
	return slices.CompactFunc(diags, func(a, b *hcl.Diagnostic) bool {
		return *a.Subject == *b.Subject && a.Summary == b.Summary && a.Detail == b.Detail
	})
}
