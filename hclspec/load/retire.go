package load

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// declareRetires reads the promises that the contract gives up.
func (l *loader) declareRetires(blocks []*hclsyntax.Block) {
	for _, b := range blocks {
		if b.Type == "retire" {
			l.declareRetire(b)
		}
	}
}

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
	text, ok := l.Text(b.Body, "reason")
	attr, given := b.Body.Attributes["reason"]
	reason := strings.TrimSpace(text)
	switch {
	case !given:
		l.Lacking(b.Body, syntax.HeaderRange(b), subject+" needs a reason.", "Write reason = \"...\": it is shown in every review.")
	case ok && reason == "":
		l.Mistake(diag.MissingAttribute, attr.Expr.Range(), "The reason for "+strings.ToLower(subject[:1])+subject[1:]+" is empty.", "Say why: it is shown in every review.")
	case ok && hclspec.IsPlaceholder(reason):
		l.Mistake(diag.MissingAttribute, attr.Expr.Range(), "The reason for "+strings.ToLower(subject[:1])+subject[1:]+" is still the text of the template.", "Say why: it is shown in every review.")
	}
	return reason
}
