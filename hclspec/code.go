package hclspec

import (
	"github.com/hashicorp/hcl/v2"

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
