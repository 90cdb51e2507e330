package load

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

func (l *loader) declareRequirements(blocks []*hclsyntax.Block) {
	for _, b := range blocks {
		if b.Type == "requirement" && l.declareOwn(l.promises, b) {
			l.declareRequirement(b)
		}
	}
}

func (l *loader) declareRequirement(b *hclsyntax.Block) {
	r := &hclspec.Requirement{Prose: l.Prose(b.Body), Name: b.Labels[0], Range: syntax.HeaderRange(b)}
	if r.Formula = l.promised(b); r.Formula != nil {
		r.Formula.Scope = l.ScopesOf[b.Body]
	}
	l.over(b, r.Formula)
	r.Assuming, r.RestsOn, r.Waiver = l.progress(b), l.restsOn(b), l.waiver(b)
	l.spec.Requirements = append(l.spec.Requirements, r)
}

func (l *loader) declareAccepts(blocks []*hclsyntax.Block) {
	for _, b := range blocks {
		if b.Type == "accept" {
			l.declareAccept(b)
		}
	}
}

func (l *loader) declareAccept(b *hclsyntax.Block) {
	a := &hclspec.Accept{Code: b.Labels[0], Range: syntax.HeaderRange(b)}
	l.acceptable(a.Code, b.LabelRanges[0])
	if attr, given := b.Body.Attributes["on"]; given {
		a.On = l.subject(attr.Expr, a.Code == "norm-dropped" || a.Code == "document-dropped")
	}
	if attr, given := b.Body.Attributes["run"]; given {
		text, _ := l.Text(b.Body, "run")
		a.Run = l.fingerprints(text, attr, diag.BadAccept, "Copy it from redline check, below the failed check.")
	}
	a.Reason = l.reason(b, fmt.Sprintf("Accepting %q", a.Code))
	l.spec.Accepts = append(l.spec.Accepts, a)
}

// acceptable reports a code that does not exist, or that cannot be accepted.
func (l *loader) acceptable(code string, r hcl.Range) {
	page, known := codes.Lookup(codes.Code(code))
	switch {
	case !known:
		l.Unknown(r, fmt.Sprintf("There is no check %q.", code), code, acceptableCodes)
	case page.Class == codes.Error:
		l.Mistake(diag.Unacceptable, r, fmt.Sprintf("%q is an error; only warnings and failed checks can be accepted.", code),
			"Mend it and delete this block.")
	}
}

func acceptableCodes() []string {
	var all []string
	for _, c := range codes.All() {
		if page, _ := codes.Lookup(c); page.Class != codes.Error {
			all = append(all, string(c))
		}
	}
	return all
}
