package expr

import (
	"math"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// overhead is the weight of any value, in bytes, beside its content.
const overhead = 16

// maxWeight represents every weight that is far too large; sums of a million of them do not overflow.
const maxWeight = math.MaxInt32

// functions are those that a drafter may call: pure, and with a bound on what they build (weights).
var functions = map[string]function.Function{
	"ceil": ceilOf, "concat": stdlib.ConcatFunc, "floor": floorOf, "join": stdlib.JoinFunc, "length": stdlib.LengthFunc,
	"lower": stdlib.LowerFunc, "max": stdlib.MaxFunc, "min": stdlib.MinFunc, "replace": stdlib.ReplaceFunc, "round": roundOf,
	"title": stdlib.TitleFunc, "trim": stdlib.TrimFunc, "trimprefix": stdlib.TrimPrefixFunc,
	"trimspace": stdlib.TrimSpaceFunc, "trimsuffix": stdlib.TrimSuffixFunc, "upper": stdlib.UpperFunc,
}

var functionNames = []string{"ceil", "concat", "floor", "join", "length", "lower", "max", "min", "replace", "round", "title", "trim",
	"trimprefix", "trimspace", "trimsuffix", "upper"}

// FunctionNames returns the functions that an expression may call, sorted.
func FunctionNames() []string { return slices.Clone(functionNames) }

// weights bound the size of a function's result, given the sum of the weights of its arguments.
var weights = map[string]func(sum int) int{
	"ceil": same, "concat": same, "floor": same, "length": same, "max": same, "min": same, "round": same, "trim": same, "trimprefix": same,
	"trimspace": same, "trimsuffix": same,
	"upper": cased, "lower": cased, "title": cased,
	"join":    func(sum int) int { return BoundedProduct(sum, sum/overhead) }, // a separator between any two elements
	"replace": times2,                                                         // every byte by a whole argument
}

func same(sum int) int { return sum }

func cased(sum int) int { return BoundedProduct(sum, 3) } // a letter's other case may take more bytes

func times2(sum int) int { return BoundedProduct(sum, sum) / 2 }

// BoundedProduct returns a product, or maxWeight if it is larger. A factor b of 0 counts as 1.
func BoundedProduct(a, b int) int {
	if b > 0 && a > maxWeight/b {
		return maxWeight
	}
	return a * max(b, 1)
}

// Weigh bounds from above the bytes that evaluating an expression builds. It visits each part once.
func (ev *Evaluator) Weigh(e hcl.Expression) int {
	return min(maxWeight, overhead+ev.weighKind(e))
}

func (ev *Evaluator) weighKind(e hcl.Expression) int {
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return measure(e.Val)
	case *hclsyntax.ScopeTraversalExpr:
		return ev.weighLocals(e)
	case *hclsyntax.ObjectConsKeyExpr:
		if name := hcl.ExprAsKeyword(e.Wrapped); name != "" {
			return len(name)
		}
		return ev.Weigh(e.Wrapped)
	case *hclsyntax.ObjectConsExpr:
		sum := 0
		for _, item := range e.Items {
			sum += ev.Weigh(item.KeyExpr) + ev.Weigh(item.ValueExpr)
		}
		return sum
	case *hclsyntax.FunctionCallExpr:
		return BoundedProduct(1, weights[e.Name](ev.weighAll(e.Args...)))
	}
	return ev.weighAll(parts(e)...) + number
}

func (ev *Evaluator) weighAll(all ...hclsyntax.Expression) int {
	sum := 0
	for _, e := range all {
		sum = min(maxWeight, sum+ev.Weigh(e))
	}
	return sum
}

func (ev *Evaluator) weighLocals(e *hclsyntax.ScopeTraversalExpr) int {
	sum := 0
	for _, name := range localsIn(e) {
		sum += ev.locals[name].weight
	}
	return sum + ev.weighOutside(e.Traversal)
}

// parts returns the direct parts of expressions that build no more than their parts and a number.
func parts(e hcl.Expression) []hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.TemplateExpr:
		return e.Parts
	case *hclsyntax.TemplateWrapExpr:
		return []hclsyntax.Expression{e.Wrapped}
	case *hclsyntax.ParenthesesExpr:
		return []hclsyntax.Expression{e.Expression}
	case *hclsyntax.RelativeTraversalExpr:
		return []hclsyntax.Expression{e.Source}
	case *hclsyntax.IndexExpr:
		return []hclsyntax.Expression{e.Collection, e.Key}
	case *hclsyntax.ConditionalExpr:
		return []hclsyntax.Expression{e.Condition, e.TrueResult, e.FalseResult}
	case *hclsyntax.TupleConsExpr:
		return e.Exprs
	case *hclsyntax.BinaryOpExpr:
		return []hclsyntax.Expression{e.LHS, e.RHS}
	case *hclsyntax.UnaryOpExpr:
		return []hclsyntax.Expression{e.Val}
	}
	return nil
}

// number is the weight of a number's digits: HCL computes with 512 bits.
const number = 160

// measure weighs a value. The text of a number has a digit for about every three bits of its exponent, and takes more than linear time, so it
// weighs more. Exponents add up under multiplication, as weights do.
func measure(v cty.Value) int {
	sum := overhead
	switch {
	case v.IsNull():
	case v.Type() == cty.String:
		sum += len(v.AsString())
	case v.Type() == cty.Number:
		f := v.AsBigFloat()
		if f.IsInf() {
			return maxWeight
		}
		exponent := f.MantExp(nil)
		sum += number + 4*max(exponent, -exponent)
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			key, element := it.Element()
			sum += measure(key) + measure(element)
		}
	}
	return min(maxWeight, sum)
}
