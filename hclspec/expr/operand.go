package expr

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// operators spells the operators of expressions.
var operators = map[*hclsyntax.Operation]string{
	hclsyntax.OpAdd: "+", hclsyntax.OpSubtract: "-", hclsyntax.OpMultiply: "*", hclsyntax.OpDivide: "/", hclsyntax.OpModulo: "%", hclsyntax.OpNegate: "-",
	hclsyntax.OpLessThan: "<", hclsyntax.OpLessThanOrEqual: "<=", hclsyntax.OpGreaterThan: ">", hclsyntax.OpGreaterThanOrEqual: ">=",
	hclsyntax.OpLogicalAnd: "&&", hclsyntax.OpLogicalOr: "||", hclsyntax.OpLogicalNot: "!",
}

// NameOperands names operand and operator in HCL's messages on an operand of the wrong type.
func (ev *Evaluator) NameOperands(e hclsyntax.Expression, found hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range found {
		operand, ok := d.Expression.(hclsyntax.Expression)
		if d.Summary != "Invalid operand" || !ok {
			continue
		}
		op := operationOn(e, operand)
		v, failed := operand.Value(d.EvalContext)
		spelled := ev.spelled(operand)
		if op == nil || failed.HasErrors() || len(spelled) > 60 {
			continue
		}
		needs := "numbers"
		if op.Impl.Params()[0].Type == cty.Bool {
			needs = "true or false"
		}
		d.Summary, d.Detail = fmt.Sprintf("%s is %s; %s needs %s.", spelled, Describe(v), operators[op], needs), ""
	}
	return found
}

// operationOn returns the operation in e that an expression is an operand of; nil if there is none.
func operationOn(e, operand hclsyntax.Expression) (op *hclsyntax.Operation) {
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		switch n := n.(type) {
		case *hclsyntax.BinaryOpExpr:
			if n.LHS == operand || n.RHS == operand {
				op = n.Op
			}
		case *hclsyntax.UnaryOpExpr:
			if n.Val == operand {
				op = n.Op
			}
		}
		return nil
	})
	return op
}
