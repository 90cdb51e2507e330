package clauses

import (
	"errors"
	"fmt"
	"path"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/phase"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// MaxBytes bounds the bytes of a clause: one more than a file of a contract has.
const MaxBytes = 1<<20 + 1

// A Clause is a template in a text of its own.
type Clause struct {
	Source string // its file, or where a contract says it was brought from
	Text   []byte
	Block  *hclsyntax.Block
}

// Parse finds the one template of a text, within the limits of a contract.
func Parse(source string, text []byte) (*Clause, error) {
	name := path.Clean(source)
	parsed, diags := syntax.Parse(map[string][]byte{name: text})
	if diags.HasErrors() {
		return nil, errors.New(diags.Error())
	}
	body := parsed[name]
	if len(body.Attributes) > 0 || len(body.Blocks) != 1 || body.Blocks[0].Type != "template" || len(body.Blocks[0].Labels) != 1 {
		return nil, fmt.Errorf("%s: a clause is a file with one template, and nothing else", source)
	}
	return &Clause{source, text, body.Blocks[0]}, nil
}

// Digest returns the digest of the clause as it is.
func (c *Clause) Digest() string { return phase.Digest(c.Text, c.Block) }

// Untouched reports whether a clause has a digest, and it is right.
func (c *Clause) Untouched() bool {
	digest := TextOf(c.Block, "digest")
	return digest != "" && digest == c.Digest()
}

// TextOf returns the text in an attribute of a block; empty if there is none.
func TextOf(b *hclsyntax.Block, name string) string {
	if attr := b.Body.Attributes[name]; attr != nil {
		if v, diags := attr.Expr.Value(nil); !diags.HasErrors() && !v.IsNull() && v.Type() == cty.String {
			return v.AsString()
		}
	}
	return ""
}
