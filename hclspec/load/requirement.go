package load

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

func (l *loader) declareRequirement(b *hclsyntax.Block) {
	r := &hclspec.Requirement{Prose: l.Prose(b.Body), Name: b.Labels[0], Range: syntax.HeaderRange(b)}
	if r.Formula = l.promised(b); r.Formula != nil {
		r.Formula.Scope = l.ScopesOf[b.Body]
	}
	l.over(b, r.Formula)
	r.Assuming, r.RestsOn, r.Waiver = l.progress(b), l.restsOn(b), l.waiver(b)
	l.spec.Requirements = append(l.spec.Requirements, r)
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
		l.Unknown(r, fmt.Sprintf("There is no check %q.", code), code, AcceptableCodes)
	case page.Class == codes.Error:
		l.Mistake(diag.Unacceptable, r, fmt.Sprintf("%q is an error; only warnings and failed checks can be accepted.", code),
			"Mend it and delete this block.")
	}
}

// AcceptableCodes returns the codes that an accept block may name, sorted.
func AcceptableCodes() []string {
	var all []string
	for _, c := range codes.All() {
		if page, _ := codes.Lookup(c); page.Class != codes.Error {
			all = append(all, string(c))
		}
	}
	return all
}

// declareRetire reads a promise that the contract gives up.
func (l *loader) declareRetire(b *hclsyntax.Block) {
	r := &hclspec.Retire{Name: b.Labels[0], Range: syntax.HeaderRange(b)}
	subject := fmt.Sprintf("Giving up %q", r.Name)
	if same := slices.IndexFunc(l.spec.Retires, func(o *hclspec.Retire) bool { return o.Name == r.Name }); same >= 0 {
		l.Mistake(diag.DuplicateName, r.Range, fmt.Sprintf("There is a block retire %q already.", r.Name), "One block gives up one promise.")
		return
	}
	r.Reason, r.Digest = l.reason(b, subject), l.promiseDigest(b, subject)
	if name, ok := l.Text(b.Body, "contract"); ok && name != l.spec.Name {
		l.Mistake(diag.BadRetire, b.Body.Attributes["contract"].Expr.Range(), fmt.Sprintf("This contract is %q, and not %q.", l.spec.Name, name),
			"A promise is given up beside the contract that made it; here, contract may be left out. That of a deleted contract is given up in .github/redline.hcl.")
	}
	l.spec.Retires = append(l.spec.Retires, r)
}

func (l *loader) promiseDigest(b *hclsyntax.Block, subject string) string {
	const copied = "Copy it from redline review, below the promise."
	text, ok := l.Text(b.Body, "digest")
	attr, given := b.Body.Attributes["digest"]
	switch {
	case !given:
		l.Lacking(b.Body, syntax.HeaderRange(b), subject+" needs the digest of the promise.", copied)
	case ok && !fingerprint.MatchString(text):
		l.Mistake(diag.BadRetire, attr.Expr.Range(), "digest must be sha256: and 64 hex digits.", copied)
	}
	return text
}

// reason reads the reason that an accept or a retire needs; subject begins the message if it is missing.
func (l *loader) reason(b *hclsyntax.Block, subject string) string {
	if _, given := b.Body.Attributes["reason"]; !given {
		l.Lacking(b.Body, syntax.HeaderRange(b), subject+" needs a reason.", "Write reason = \"...\": it is shown in every review.")
	}
	return l.filledText(b, "reason", "reason for "+strings.ToLower(subject[:1])+subject[1:], "Say why: it is shown in every review.")
}
