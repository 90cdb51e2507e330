package hclspec

import (
	"math/big"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

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
