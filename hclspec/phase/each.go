package phase

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// spread returns the blocks with a phase for each of several in place of each phase that says so: of a phase sale with roles = { payer = each(buyer) }
// the phases sale-0 and sale-1, whose roles are played by buyer[0] and buyer[1]. Several roles with each go in step.
func (x *Expander) spread(blocks []*hclsyntax.Block) []*hclsyntax.Block {
	var out []*hclsyntax.Block
	parties := partyBlocksByName(blocks)
	for _, b := range blocks {
		attr, cast := b.Body.Attributes["roles"]
		if b.Type != "phase" || !cast {
			out = append(out, b)
			continue
		}
		object, pairs := attr.Expr.(*hclsyntax.ObjectConsExpr)
		if !pairs || !slices.ContainsFunc(object.Items, func(i hclsyntax.ObjectConsItem) bool { return eachOf(i.ValueExpr) != nil }) {
			out = append(out, b)
			continue
		}
		if out = append(out, x.phaseForEach(b, attr, object, parties)...); x.tooLarge(expanded{blocks: len(out)}, b) {
			return nil
		}
	}
	return out
}

// eachOf returns what stands in each(...); nil if an expression is something else.
func eachOf(e hclsyntax.Expression) hclsyntax.Expression {
	if call, ok := e.(*hclsyntax.FunctionCallExpr); ok && call.Name == "each" && len(call.Args) == 1 {
		return call.Args[0]
	}
	return nil
}

// phaseForEach returns the phases, one for each of several; nil after a mistake.
func (x *Expander) phaseForEach(b *hclsyntax.Block, attr *hclsyntax.Attribute, object *hclsyntax.ObjectConsExpr, parties map[string]*hclsyntax.Block) (out []*hclsyntax.Block) {
	if count, rounds := b.Body.Attributes["count"]; rounds {
		x.Mistake(diag.Contradiction, count.NameRange, fmt.Sprintf("Phase %q is one for each of several, and has no rounds of its own.", b.Labels[0]), "Write a phase with rounds for each of them, as in roles = { payer = buyer[0] }.")
		return nil
	}
	var indices []string
	var first string
	for _, item := range object.Items {
		of := eachOf(item.ValueExpr)
		if of == nil {
			continue
		}
		name, at, ok := x.Reference(of, "a party")
		if !ok {
			return nil
		}
		player := parties[name]
		switch {
		case player == nil:
			x.Unknown(at, fmt.Sprintf("There is no party %q.", name), name, func() []string { return slices.Sorted(maps.Keys(parties)) })
			return nil
		case Several(player) == nil:
			x.Mistake(diag.WhichInstances, item.ValueExpr.Range(), fmt.Sprintf("There is only one %q here.", name), fmt.Sprintf("each(...) is for several of a kind: write %s without it.", name))
			return nil
		}
		all, known := x.indices(player)
		switch {
		case !known:
			return nil // its own mistake
		case indices == nil:
			indices, first = all, name
		case !slices.Equal(indices, all):
			x.Mistake(diag.WhichInstances, item.ValueExpr.Range(), fmt.Sprintf("Phase %q cannot be one for each of %s and each of %s.", b.Labels[0], first, name), "They go in step, so both need the same indices.")
			return nil
		}
	}
	name := b.Labels[0]
	if len(indices) > maxRounds {
		x.Mistake(diag.BadCount, attr.Expr.Range(), fmt.Sprintf("There would be %d phases %q, one for each; at most %d are allowed.", len(indices), name, maxRounds), "")
		return nil
	}
	if !x.DeclareBlock(syntax.Names{}, b) {
		return nil
	}
	for k, index := range indices {
		c, body, roles, value := *b, *b.Body, *attr, *object
		value.Items = slices.Clone(object.Items)
		for i, item := range value.Items {
			if of := eachOf(item.ValueExpr); of != nil {
				value.Items[i].ValueExpr = &hclsyntax.IndexExpr{Collection: of, Key: &hclsyntax.LiteralValueExpr{Val: cty.StringVal(index), SrcRange: of.Range()}, SrcRange: item.ValueExpr.Range()}
			}
		}
		roles.Expr = &value
		c.Labels, body.Attributes = []string{name + "-" + index}, maps.Clone(b.Body.Attributes)
		body.Attributes["roles"] = &roles
		c.Body = &body
		x.nth[&c], x.Rounds[name] = k+1, append(x.Rounds[name], c.Labels[0])
		out = append(out, &c)
	}
	return out
}

// indices returns the indices of a party of which there are several; false if that is not known. What is wrong there is said where the party is declared.
func (x *Expander) indices(player *hclsyntax.Block) (all []string, ok bool) {
	before := len(x.Diags)
	defer func() { x.Diags = x.Diags[:before] }()
	v, ok := x.Evaluate(Several(player).Expr)
	switch {
	case !ok || v.IsNull():
	case v.Type() == cty.Number:
		for i := int64(0); v.GreaterThan(cty.NumberIntVal(i)).True() && i <= maxRounds; i++ {
			all = append(all, strconv.FormatInt(i, 10))
		}
	case v.Type().IsTupleType() || v.Type().IsListType():
		for _, key := range v.AsValueSlice() {
			if !key.IsNull() && key.Type() == cty.String {
				all = append(all, key.AsString())
			}
		}
	}
	return all, len(all) > 0
}

// instance reads which of several plays a role: buyer[0], bank[north]; none if the value is something else. False is after a mistake.
func (p *phase) instance(parties map[string]*hclsyntax.Block, e hclsyntax.Expression) (ref syntax.Ref, ok bool) {
	steps, is := syntax.Steps(e)
	if !is || len(steps) != 2 || !steps[1].Index {
		return syntax.Ref{}, true
	}
	ref = syntax.Joined(steps)
	player := parties[ref.Name]
	if player == nil {
		return ref, true // unknown: said as of a name alone
	}
	if Several(player) == nil {
		p.Mistake(diag.UnknownName, ref.At, fmt.Sprintf("There is only one %q: it has no [%s].", ref.Name, ref.Index), "Drop the brackets.")
		return ref, false
	}
	if all, known := p.indices(player); known && !slices.Contains(all, ref.Index) {
		last := len(all) - 1
		p.Mistake(diag.UnknownName, ref.At, fmt.Sprintf("There is no %s.", ref), fmt.Sprintf("There are %d, from %[2]s[%[3]s] to %[2]s[%[4]s].", len(all), ref.Name, all[0], all[last]))
		return ref, false
	}
	return ref, true
}
