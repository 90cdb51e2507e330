package load

import (
	"fmt"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// Limits of expansion.
const (
	maxInstances = 10_000  // of one block
	maxExpanded  = 200_000 // places and transitions of all instances; labels of all events
	maxCrowds    = 10      // blocks with too many instances, each reported
)

// instances returns the instances of a party or net block; none after a mistake. Many is set if the block has count or for_each.
func (l *loader) instances(b *hclsyntax.Block) (all []instance, many bool) {
	count, counted := b.Body.Attributes["count"]
	keys, keyed := b.Body.Attributes["for_each"]
	switch {
	case (counted || keyed) && l.crowds == maxCrowds:
		return nil, true // left out: what is wrong with such blocks is said often enough
	case counted && keyed:
		l.Mistake(diag.DuplicateName, keys.NameRange, fmt.Sprintf("The %s %q has both count and for_each.", b.Type, b.Labels[0]),
			"Keep count to number its instances, or for_each to name them.")
	case counted:
		all = l.counted(count)
	case keyed:
		all = l.keyed(b, keys)
	default:
		return []instance{{self: l.played(b)}}, false
	}
	return all, true
}

// played returns what count.index or each.key stands for in a role that one of several plays; nil in any other block.
func (l *loader) played(b *hclsyntax.Block) map[string]cty.Value {
	from := l.Generated[b]
	if from.Index == "" {
		return nil
	}
	all, _ := l.instances(from.Player)
	for _, in := range all {
		if in.index == from.Index {
			return in.self
		}
	}
	return nil
}

func (l *loader) counted(attr *hclsyntax.Attribute) []instance {
	v, ok := l.Typed(attr, cty.Number, "a whole number")
	if !ok {
		return nil
	}
	f := v.AsBigFloat()
	if !f.IsInt() || f.Sign() <= 0 {
		l.Mistake(diag.BadCount, attr.Expr.Range(), fmt.Sprintf("count must be a whole number, 1 to %d; this is %s.", maxInstances, f.Text('g', 10)), "")
		return nil
	}
	n, _ := f.Int64() // out of range it is the largest int64, which is too many
	if n > maxInstances {
		l.Mistake(diag.Expansion, attr.Expr.Range(), fmt.Sprintf("count is %s; at most %d is allowed.", f.Text('f', 0), maxInstances), "")
		return nil
	}
	all := make([]instance, n)
	for i := range all {
		index := cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(int64(i))})
		all[i] = instance{strconv.Itoa(i), map[string]cty.Value{"count": index}}
	}
	return all
}

func (l *loader) keyed(b *hclsyntax.Block, attr *hclsyntax.Attribute) []instance {
	v, ok := l.Evaluate(attr.Expr)
	if !ok {
		return nil
	}
	if v.IsNull() || !(v.Type().IsTupleType() || v.Type().IsListType()) {
		l.Mistake(diag.WrongType, attr.Expr.Range(), "Attribute \"for_each\" must be a list of names.",
			"This is "+expr.Describe(v)+". Write for_each = [\"north\", \"south\"].")
		return nil
	}
	n := v.LengthInt()
	if n == 0 {
		l.Mistake(diag.BadCount, attr.Expr.Range(), "for_each must have at least one name; this list is empty.", "")
		return nil
	}
	if n > maxInstances {
		l.Mistake(diag.Expansion, attr.Expr.Range(), fmt.Sprintf("for_each has %d names; at most %d are allowed.", n, maxInstances), "")
		return nil
	}
	return l.named(b, v, attr.Expr.Range())
}

// named returns an instance for each name in a list; none after a mistake.
func (l *loader) named(b *hclsyntax.Block, list cty.Value, at hcl.Range) []instance {
	var all []instance
	seen := syntax.Names{}
	for _, v := range list.AsValueSlice() {
		if v.IsNull() || v.Type() != cty.String {
			l.Mistake(diag.WrongType, at, "Attribute \"for_each\" must be a list of names.", "One of them is "+expr.Describe(v)+".")
			return nil
		}
		if !l.ValidName(b.Type, v.AsString(), at) || !l.Once(seen, v.AsString(), at) {
			return nil
		}
		key := cty.ObjectVal(map[string]cty.Value{"key": v})
		all = append(all, instance{v.AsString(), map[string]cty.Value{"each": key}})
	}
	return all
}

// affordableInstances charges the elements of n instances of a block, the first of which is made already.
func (l *loader) affordableInstances(first *scope, n int) {
	elements := max(1, len(first.party.Places))
	for _, inner := range first.block.Body.Blocks {
		if inner.Type == "transition" {
			elements++
		}
	}
	if l.expanded+n*elements > maxExpanded {
		at := first.block.Body.Attributes["count"]
		if at == nil {
			at = first.block.Body.Attributes["for_each"]
		}
		l.Mistake(diag.Expansion, at.Expr.Range(), fmt.Sprintf("%d of %s %q are too many: they have %d places and transitions.", n, first.block.Type, first.block.Labels[0], n*elements),
			fmt.Sprintf("Each has %d; with those before, that makes %d. The instances of a contract have at most %d.", elements, l.expanded+n*elements, maxExpanded))
		l.crowds++
		return
	}
	l.expanded += n * elements
}

// declareFamily makes the parties of one block. A mistake in one instance would repeat in all, so the first ends it.
func (l *loader) declareFamily(b *hclsyntax.Block) {
	all, many := l.instances(b)
	f := &family{block: b, many: many}
	for _, in := range all {
		f.indices = append(f.indices, in.index)
	}
	name := b.Labels[0]
	l.families[name] = f
	l.partyNames = append(l.partyNames, name)
	l.forEach(all, func(in instance) {
		f.scopes = append(f.scopes, l.declareParty(b, in))
		if many && len(f.scopes) == 1 {
			l.affordableInstances(f.scopes[0], len(all))
		}
	})
	if len(all) == 0 {
		l.Dropped[name] = true
	}
}

// forEach calls do for every instance, with its values visible in expressions, until there is a mistake.
func (l *loader) forEach(all []instance, do func(instance)) {
	defer func() { l.Self = nil }()
	for _, in := range all {
		l.CheckContext()
		before := len(l.Diags)
		l.Self = in.self
		if do(in); len(l.Diags) > before {
			return
		}
	}
}

// everyScope is forEach for the instances of each party.
func (l *loader) everyScope(do func(*scope)) {
	for _, name := range l.partyNames {
		scopes := l.families[name].scopes
		l.forEach(instancesOf(scopes), func(instance) {
			do(scopes[0])
			scopes = scopes[1:]
		})
	}
}

// A several is what a condition is about of which there are several: a party, or a norm with occurrences.
type several struct {
	name    syntax.Ref // the first of them; empty: there are none
	indices []string
}

// severalIn looks for the first of several in a condition.
func (l *loader) severalIn(e hclsyntax.Expression) (s several) {
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		part, ok := n.(hclsyntax.Expression)
		if !ok || s.name.Name != "" {
			return nil
		}
		way, named := syntax.Steps(part)
		if !named || len(way) < 2 || way[len(way)-1].Index || way[len(way)-2].Index {
			return nil
		}
		whose := syntax.Joined(way[:len(way)-1])
		if f := l.families[whose.Name]; f != nil && f.many {
			s.name, s.indices = whose, f.indices
		} else if n := l.norms[whose.Name]; n != nil && n.times > 0 {
			s.name, s.indices = whose, nil
			for k := range n.times {
				s.indices = append(s.indices, strconv.Itoa(k+1))
			}
		}
		return nil
	})
	return s
}

// written returns a condition for each of several, as it would be written of that one.
func (s *several) written(e hclsyntax.Expression) (all []hclsyntax.Expression) {
	for _, index := range s.indices {
		all = append(all, s.one(e, index))
	}
	return all
}

// one returns a condition with an index after the name of several.
func (s *several) one(e hclsyntax.Expression, index string) hclsyntax.Expression {
	switch e.(type) {
	case *hclsyntax.ParenthesesExpr, *hclsyntax.UnaryOpExpr, *hclsyntax.BinaryOpExpr, *hclsyntax.FunctionCallExpr:
		return syntax.Rewritten(e, func(part hclsyntax.Expression) hclsyntax.Expression { return s.one(part, index) })
	}
	way, ok := syntax.Steps(e)
	if !ok || len(way) < 2 || syntax.Joined(way[:len(way)-1]).String() != s.name.Name {
		return e
	}
	whose, last := syntax.Joined(way[:len(way)-1]), way[len(way)-1]
	last.At.Start.Byte, last.At.Start.Column = last.At.Start.Byte-1, last.At.Start.Column-1 // with its dot
	of := &hclsyntax.IndexExpr{Collection: &hclsyntax.ScopeTraversalExpr{Traversal: hcl.Traversal{hcl.TraverseRoot{Name: whose.Name, SrcRange: whose.At}}, SrcRange: whose.At},
		Key: &hclsyntax.LiteralValueExpr{Val: cty.StringVal(index), SrcRange: whose.At}, SrcRange: whose.At}
	return &hclsyntax.RelativeTraversalExpr{Source: of, Traversal: hcl.Traversal{hcl.TraverseAttr{Name: last.Text, SrcRange: last.At}}, SrcRange: e.Range()}
}
