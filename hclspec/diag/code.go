package diag

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/codes"
)

// Codes of the mistakes in the text of a contract. Each has a page in package codes.
const (
	Syntax            codes.Code = "syntax"
	FileTooLarge      codes.Code = "file-too-large"
	ContractTooLarge  codes.Code = "contract-too-large"
	NestedTooDeep     codes.Code = "nested-too-deep"
	ExpressionTooLong codes.Code = "expression-too-long"
	NotUTF8           codes.Code = "not-utf8"
	HiddenCharacter   codes.Code = "hidden-character"
	NotRegular        codes.Code = "not-a-regular-file"
	EmptyContract     codes.Code = "empty-contract"
	UnknownBlock      codes.Code = "unknown-block"
	UnknownAttribute  codes.Code = "unknown-attribute"
	MissingAttribute  codes.Code = "missing-attribute"
	BadHeader         codes.Code = "bad-header"
	InvalidName       codes.Code = "invalid-name"
	Lookalike         codes.Code = "lookalike-name"
	ReservedName      codes.Code = "reserved-name"
	DuplicateName     codes.Code = "duplicate-name"
	UnknownName       codes.Code = "unknown-name"
	QuotedReference   codes.Code = "quoted-reference"
	NotAReference     codes.Code = "not-a-reference"
	WrongKind         codes.Code = "wrong-kind"
	WrongType         codes.Code = "wrong-type"
	BadExpression     codes.Code = "bad-expression"
	ClauseChanged     codes.Code = "clause-changed"
	Unsupported       codes.Code = "unsupported-expression"
	UnknownFunction   codes.Code = "unknown-function"
	ValueTooLarge     codes.Code = "value-too-large"
	ReferenceCycle    codes.Code = "reference-cycle"
	EventMissingLabel codes.Code = "event-missing-label"
	WhichInstances    codes.Code = "which-instances"
	BadCount          codes.Code = "bad-count"
	Expansion         codes.Code = "expansion-too-large"
	MissingValue      codes.Code = "missing-value"
	ValueRefused      codes.Code = "value-refused"
	Contradiction     codes.Code = "contradiction"
	NoArcs            codes.Code = "transition-without-arcs"
	Unacceptable      codes.Code = "unacceptable-code"
	BadAccept         codes.Code = "bad-accept"
	BadRetire         codes.Code = "bad-retire"
	BadAssumption     codes.Code = "bad-assumption"
	BadRestsOn        codes.Code = "bad-rests-on"
	BadWaiver         codes.Code = "bad-waiver"
	BadDuration       codes.Code = "bad-duration"
)

// CodeOf returns the code of a diagnostic: its Extra, or "syntax" for those that HCL itself makes.
func CodeOf(d *hcl.Diagnostic) codes.Code {
	if c, ok := d.Extra.(codes.Code); ok {
		return c
	}
	return Syntax
}
