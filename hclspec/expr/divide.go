package expr

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// ZeroDivisor returns a divisor of an expression that is zero; nil if there is none. In cty n / 0 is infinite and n % 0 is n, so a condition
// on them would hold or not for no reason that a reader sees. Parts that are never evaluated do not count: the right of && and ||, the other
// branch of ?:.
func ZeroDivisor(e hclsyntax.Expression, in *hcl.EvalContext) hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return ZeroDivisor(e.Expression, in)
	case *hclsyntax.UnaryOpExpr:
		return ZeroDivisor(e.Val, in)
	case *hclsyntax.ConditionalExpr:
		return zeroInBranch(e, in)
	case *hclsyntax.FunctionCallExpr:
		for _, arg := range e.Args {
			if at := ZeroDivisor(arg, in); at != nil {
				return at
			}
		}
	case *hclsyntax.BinaryOpExpr:
		return zeroInOperation(e, in)
	}
	return nil
}

func zeroInBranch(e *hclsyntax.ConditionalExpr, in *hcl.EvalContext) hclsyntax.Expression {
	if at := ZeroDivisor(e.Condition, in); at != nil {
		return at
	}
	if isBool(e.Condition, in, true) {
		return ZeroDivisor(e.TrueResult, in)
	}
	return ZeroDivisor(e.FalseResult, in)
}

func zeroInOperation(e *hclsyntax.BinaryOpExpr, in *hcl.EvalContext) hclsyntax.Expression {
	if at := ZeroDivisor(e.LHS, in); at != nil {
		return at
	}
	switch e.Op {
	case hclsyntax.OpLogicalAnd, hclsyntax.OpLogicalOr:
		if isBool(e.LHS, in, e.Op == hclsyntax.OpLogicalOr) {
			return nil
		}
	case hclsyntax.OpDivide, hclsyntax.OpModulo:
		if v, diags := e.RHS.Value(in); !diags.HasErrors() && !v.IsNull() && v.Type() == cty.Number && v.AsBigFloat().Sign() == 0 {
			return e.RHS
		}
	}
	return ZeroDivisor(e.RHS, in)
}

// isBool reports whether an expression evaluates to the given truth value.
func isBool(e hclsyntax.Expression, in *hcl.EvalContext, value bool) bool {
	v, diags := e.Value(in)
	return !diags.HasErrors() && !v.IsNull() && v.Type() == cty.Bool && v.True() == value
}
