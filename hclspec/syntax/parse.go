package syntax

import (
	"bytes"
	"context"
	"fmt"
	"math/big"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
)

// Parse returns the top-level blocks of all files in order.
func (f *Files) Parse() []*hclsyntax.Block {
	var blocks []*hclsyntax.Block
	count := 0
	for _, name := range f.Order {
		body := f.body(name)
		if body == nil {
			continue
		}
		if count += CountBlocks(body); count > MaxBlocks {
			f.Mistake(diag.ContractTooLarge, FileRange(name), "The contract has too many blocks.",
				"A contract has at most 100,000 blocks; this file goes past it.")
			return nil
		}
		f.Bodies = append(f.Bodies, body)
		blocks = append(blocks, body.Blocks...)
	}
	return blocks
}

// body returns the body of a file, parsed now or before; nil if the file may not be parsed.
func (f *Files) body(name string) *hclsyntax.Body {
	f.CheckContext()
	src := f.Content[name]
	if f.Before != nil && f.Before.Bodies[name] != nil && bytes.Equal(f.Before.Content[name], src) {
		return f.Before.Bodies[name]
	}
	if !Scan(f.Sink, name, src) {
		return nil
	}
	file, found := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	found = clarify(diag.FirstAtEach(found), name, src)
	nameArguments(found, src)
	f.Foreign(diag.Syntax, found)
	body := file.Body.(*hclsyntax.Body)
	shortenNumbers(body)
	return body
}

// oneLine matches the beginning of a block on one line, up to its second argument.
var oneLine = hclspec.LazyRegexp(`\{[ \t]*([\pL_][\pL\pN_-]*)[ \t]*=[^{]*$`)

// nameArguments names, in messages on a block with several arguments on one line, the first two of them.
func nameArguments(found hcl.Diagnostics, src []byte) {
	for _, d := range found {
		if d.Summary != "Invalid single-argument block definition" || d.Subject == nil {
			continue
		}
		at := d.Subject.Start.Byte
		first := oneLine().FindSubmatch(src[bytes.LastIndexByte(src[:at], '\n')+1 : at])
		if second := d.Subject.SliceBytes(src); first != nil && hclsyntax.ValidIdentifier(string(second)) {
			d.Summary = fmt.Sprintf("Put %s and %s on separate lines, one attribute a line.", first[1], second)
			d.Detail = "A block on one line has room for one attribute only."
		}
	}
}

// ByName returns the bodies by the names of their files. Call it only if there were no mistakes.
func (f *Files) ByName() map[string]*hclsyntax.Body {
	bodies := map[string]*hclsyntax.Body{}
	for i, name := range f.Order {
		bodies[name] = f.Bodies[i]
	}
	return bodies
}

// CountBlocks returns the number of blocks in a body, those within others too.
func CountBlocks(body *hclsyntax.Body) int {
	n := len(body.Blocks)
	for _, b := range body.Blocks {
		n += CountBlocks(b.Body)
	}
	return n
}

// precision is that of whole numbers in the source, in bits: sums and products of them are exact up to 38 digits.
const precision = 128

// shortenNumbers gives whole numbers in the source a precision of 128 bits. HCL reads them with 512, which sums inherit, and writing such a
// sum into a text takes tens of microseconds: with ten thousand titles like "Purchaser ${count.index + 1}", half of the time of reading a
// contract.
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

// Parse reads the text of a contract as far as HCL's own grammar goes, within the limits of package load. It returns the body of each file, by
// its name; nil if there are mistakes.
func Parse(text map[string][]byte) (map[string]*hclsyntax.Body, hcl.Diagnostics) {
	f := NewFiles(diag.New(context.Background(), ""))
	f.ReadMemory(text)
	f.Parse()
	if f.Diags = diag.SortUnique(f.Diags); f.Diags.HasErrors() {
		return nil, f.Diags
	}
	return f.ByName(), nil
}
