package phase

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// sourceAttributes say where a template comes from. They are not part of its digest.
var sourceAttributes = []string{"source", "digest"}

// Digest returns the digest of a template in a text: of the tokens in its braces, without comments, spaces and the attributes that say where it comes from. So its name and its
// layout may change, and nothing else. Its form is "sha256:" and 64 digits.
func Digest(text []byte, b *hclsyntax.Block) string {
	from, to := b.OpenBraceRange.End, b.CloseBraceRange.Start
	tokens, _ := hclsyntax.LexConfig(text[from.Byte:to.Byte], "", from)
	h := sha256.New()
	ended := true
	for _, t := range tokens {
		switch {
		case t.Type == hclsyntax.TokenEOF, isSource(b, t.Range.Start.Byte):
		case t.Type == hclsyntax.TokenComment && !bytes.HasSuffix(t.Bytes, []byte("\n")):
		case t.Type == hclsyntax.TokenNewline, t.Type == hclsyntax.TokenComment:
			if !ended {
				h.Write([]byte("\n\x00"))
			}
			ended = true
		default:
			h.Write(t.Bytes)
			h.Write([]byte{0})
			ended = false
		}
	}
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

// isSource reports whether an offset is in an attribute that says where a template comes from.
func isSource(b *hclsyntax.Block, at int) bool {
	return slices.ContainsFunc(sourceAttributes, func(name string) bool {
		attr := b.Body.Attributes[name]
		return attr != nil && attr.SrcRange.Start.Byte <= at && at < attr.SrcRange.End.Byte
	})
}

// checkSource reports a template that is not as it was where it comes from.
func (x *Expander) checkSource(b *hclsyntax.Block) {
	var at [2]*hcl.Range
	var values [2]string
	for i, name := range sourceAttributes {
		if attr := b.Body.Attributes[name]; attr != nil {
			r := attr.Expr.Range()
			at[i] = &r
			values[i], _ = x.Text(b.Body, name)
		}
	}
	switch {
	case at[0] == nil && at[1] == nil:
	case at[0] == nil || at[1] == nil:
		x.Lacking(b.Body, syntax.HeaderRange(b), fmt.Sprintf("Template %q says only half of where it comes from.", b.Labels[0]), "Write both source and digest, as 'redline vendor' does, or neither.")
	default:
		if digest := Digest(x.Content(at[1].Filename), b); digest != values[1] {
			x.Mistake(diag.ClauseChanged, *at[1], fmt.Sprintf("Template %q is not as it was in %s: its digest is %s.", b.Labels[0], values[0], digest),
				"Bring it again with 'redline vendor'. Or take source and digest out: then it is this contract's own.")
		}
	}
}
