package hclspec

import (
	"bytes"
	"context"
	"math/big"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// parse returns the top-level blocks of all files in order.
func (f *files) parse() []*hclsyntax.Block {
	var blocks []*hclsyntax.Block
	count := 0
	for _, name := range f.order {
		body := f.body(name)
		if body == nil {
			continue
		}
		if count += countBlocks(body); count > maxBlocks {
			f.mistake(codeContractTooLarge, fileRange(name), "The contract has too many blocks.",
				"A contract has at most 100,000 blocks; this file goes past it.")
			return nil
		}
		f.bodies = append(f.bodies, body)
		blocks = append(blocks, body.Blocks...)
	}
	return blocks
}

// body returns the body of a file, parsed now or before; nil if the file may not be parsed.
func (f *files) body(name string) *hclsyntax.Body {
	f.ask()
	src := f.content[name]
	if f.before != nil && f.before.bodies[name] != nil && bytes.Equal(f.before.content[name], src) {
		return f.before.bodies[name]
	}
	if !scan(f.sink, name, src) {
		return nil
	}
	file, found := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	f.foreign(codeSyntax, firstAtEach(found))
	body := file.Body.(*hclsyntax.Body)
	shortenNumbers(body)
	return body
}

// byName returns the bodies by the names of their files. It is to be called if there were no mistakes.
func (f *files) byName() map[string]*hclsyntax.Body {
	bodies := map[string]*hclsyntax.Body{}
	for i, name := range f.order {
		bodies[name] = f.bodies[i]
	}
	return bodies
}

func countBlocks(body *hclsyntax.Body) int {
	n := len(body.Blocks)
	for _, b := range body.Blocks {
		n += countBlocks(b.Body)
	}
	return n
}

// precision of whole numbers in the source, in bits: what is computed from them is exact up to 38 digits.
const precision = 128

// shortenNumbers gives whole numbers in the source a precision of 128 bits. HCL reads them with 512,
// which sums inherit, and writing such a sum into a text takes tens of microseconds: with ten
// thousand titles like "Purchaser ${count.index + 1}", half of the time of reading a contract.
func shortenNumbers(body *hclsyntax.Body) {
	_ = hclsyntax.VisitAll(body, func(n hclsyntax.Node) hcl.Diagnostics {
		if e, ok := n.(*hclsyntax.LiteralValueExpr); ok && e.Val.Type() == cty.Number && e.Val.IsKnown() && !e.Val.IsNull() {
			if i, exact := e.Val.AsBigFloat().Int64(); exact == big.Exact {
				e.Val = cty.NumberVal(new(big.Float).SetPrec(precision).SetInt64(i))
			}
		}
		return nil
	})
}

// Parse reads the text of a contract no further than HCL's own grammar goes, within the limits of
// Load: the body of each file, by its name.
func Parse(text map[string][]byte) (map[string]*hclsyntax.Body, hcl.Diagnostics) {
	f := newFiles(newSink(context.Background(), ""))
	f.hold(text)
	f.parse()
	if f.diags = sortDiagnostics(f.diags); f.diags.HasErrors() {
		return nil, f.diags
	}
	return f.byName(), nil
}
