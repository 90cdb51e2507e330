package phase

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// Attributes of a template's blocks that hold names, by the kind of name. A phase replaces names that the template declares with its own. Its
// parties must be the template's; any other name may also be the contract's, for example an event that ends everything. Formulas are renamed
// once they are parsed (Formula.Scope).

// A renamer copies an expression with the phase's names in it.
type renamer func(*phase, hclsyntax.Expression) hclsyntax.Expression

var renamers = map[string]map[string]renamer{
	"event": {"by": (*phase).role, "sync": keysBy((*phase).role, nil), "not_before": keysBy((*phase).occasion, nil), "within": keysBy((*phase).occasion, nil),
		"after":      keysBy((*phase).occasion, nil),
		"only_while": (*phase).thing},
	"state":    {"since": (*phase).occasion},
	"counter":  {"changes": keysBy((*phase).occasion, (*phase).amount)},
	"document": {"holder": (*phase).role, "moves": keysBy((*phase).event, (*phase).ends)},
	"place":    {"document": (*phase).thing},
	"accept":   {"on": (*phase).subject},
	"scenario": {"events": (*phase).event, "breach": (*phase).role},
}

var normRenamers = map[string]renamer{
	"bearer": (*phase).role, "counterparty": (*phase).role,
	"before": keysBy((*phase).event, nil),
	"fulfil": (*phase).event, "breach": (*phase).event, "of": (*phase).event, "exercise": (*phase).event,
	"when": (*phase).occasion, "from": (*phase).occasion, "until": (*phase).occasion,
	"require": (*phase).thing, "reparation": (*phase).thing, "lifts": (*phase).thing, "suspends": (*phase).thing, "suspended_by": (*phase).occasion, "resumes": (*phase).occasion, "extends": keysBy((*phase).thing, nil), "assigns": (*phase).thing, "to": (*phase).role,
}

// rename puts the phase's names into the value of an attribute, if it holds names.
func (p *phase) rename(block, attribute string, e hclsyntax.Expression) hclsyntax.Expression {
	by := renamers[block][attribute]
	if construct.IsNorm(block) {
		by = normRenamers[attribute]
	}
	if by != nil {
		return by(p, e)
	}
	return e
}

// thing renames parties, nets, documents and norms, in role.x the role; and in happened(x) the event.
func (p *phase) thing(e hclsyntax.Expression) hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.FunctionCallExpr:
		if e.Name == "happened" {
			return p.event(e)
		}
		return syntax.Rewritten(e, p.thing)
	case *hclsyntax.TupleConsExpr, *hclsyntax.ParenthesesExpr, *hclsyntax.UnaryOpExpr, *hclsyntax.BinaryOpExpr:
		return syntax.Rewritten(e, p.thing)
	}
	return eachStep(e, func(t hcl.Traversal) {
		own := t.RootName()
		p.step(t, 0, "")
		p.holder(own, t)
	})
}

// holder renames the role in note.role of a document, and in pay.by-role and pay.to-role of a norm.
func (p *phase) holder(own string, t hcl.Traversal) {
	if len(t) < 2 || p.scope[own] == "" {
		return
	}
	attr, ok := t[1].(hcl.TraverseAttr)
	held := ""
	for _, prefix := range []string{hclspec.BorneBy, hclspec.OwedTo} {
		if strings.HasPrefix(attr.Name, prefix) {
			held = prefix
		}
	}
	party, role := p.scope[strings.TrimPrefix(attr.Name, held)]
	if _, document := p.scope[documentScope+own]; ok && role && (document || held != "") {
		attr.Name = held + hclspec.HolderName(p.scope[own], party)
		t[1] = attr
	}
}

func (p *phase) event(e hclsyntax.Expression) hclsyntax.Expression {
	return eachStep(e, func(t hcl.Traversal) { p.step(t, 0, eventScope) })
}

// occasion renames an event, or a change of a norm: delivery, deliver.breached.
func (p *phase) occasion(e hclsyntax.Expression) hclsyntax.Expression {
	return eachStep(e, func(t hcl.Traversal) {
		space := eventScope
		if _, dotted := lastStep(t); dotted {
			space = ""
		}
		p.step(t, 0, space)
	})
}

// amount renames the parties in a new value of a counter: in role.paid the role. A bare name is a counter of its own party.
func (p *phase) amount(e hclsyntax.Expression) hclsyntax.Expression {
	return eachStep(e, func(t hcl.Traversal) {
		if len(t) > 1 {
			p.step(t, 0, "")
		}
	})
}

// role renames a party or net, which must be the template's.
func (p *phase) role(e hclsyntax.Expression) hclsyntax.Expression {
	return eachStep(e, func(t hcl.Traversal) {
		root := t[0].(hcl.TraverseRoot)
		if _, has := p.template.takers[root.Name]; !has {
			p.Unknown(root.SrcRange, fmt.Sprintf("Template %q has no party %q.", p.template.block.Labels[0], root.Name), root.Name,
				func() []string { return slices.Sorted(maps.Keys(p.template.takers)) })
			p.Dropped[root.Name] = true // it is said
		}
		p.step(t, 0, "")
	})
}

// subject renames the subject of an accept block: role.element, event.NAME, obligation.NAME.
func (p *phase) subject(e hclsyntax.Expression) hclsyntax.Expression {
	return eachStep(e, func(t hcl.Traversal) {
		root := t.RootName()
		switch {
		case p.scope[root] != "":
			p.step(t, 0, "")
		case root == "event", root == "requirement":
			p.step(t, 1, root+".")
		case root == "document", construct.IsNorm(root):
			p.step(t, 1, "")
		}
	})
}

// ends renames the parties in { from = role, to = role }, or in a list of such moves.
func (p *phase) ends(e hclsyntax.Expression) hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.TupleConsExpr:
		return syntax.Rewritten(e, p.ends)
	case *hclsyntax.ObjectConsExpr:
		c := *e
		c.Items = slices.Clone(e.Items)
		for i := range c.Items {
			c.Items[i].ValueExpr = p.role(c.Items[i].ValueExpr)
		}
		return &c
	}
	return e
}

// keysBy returns a renamer of the keys of { name = value }, and of the values unless value is nil.
func keysBy(key, value renamer) renamer {
	return func(p *phase, e hclsyntax.Expression) hclsyntax.Expression {
		object, ok := e.(*hclsyntax.ObjectConsExpr)
		if !ok {
			return e
		}
		c := *object
		c.Items = slices.Clone(object.Items)
		for i, item := range object.Items {
			c.Items[i].KeyExpr = key(p, item.KeyExpr)
			if value != nil {
				c.Items[i].ValueExpr = value(p, item.ValueExpr)
			}
		}
		return &c
	}
}

// step puts the phase's name in one step of a reference, if the template declares the name there.
func (p *phase) step(t hcl.Traversal, at int, space string) {
	if at >= len(t) {
		return
	}
	switch s := t[at].(type) {
	case hcl.TraverseRoot:
		s.Name = cmp.Or(p.scope[space+s.Name], s.Name)
		t[at] = s
	case hcl.TraverseAttr:
		s.Name = cmp.Or(p.scope[space+s.Name], s.Name)
		t[at] = s
	}
}

// eachStep copies an expression and passes the steps of each reference in it, root first, to change. Other expressions stay as they are: their
// reader refuses them.
func eachStep(e hclsyntax.Expression, change func(hcl.Traversal)) hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if e.Traversal.RootName() == "param" { // clone.go replaces it
			return e
		}
		c := *e
		c.Traversal = slices.Clone(e.Traversal)
		change(c.Traversal)
		return &c
	case *hclsyntax.IndexExpr:
		c := *e
		c.Collection = eachStep(e.Collection, change)
		return &c
	case *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr, *hclsyntax.ConditionalExpr, *hclsyntax.ObjectConsExpr:
		return e
	}
	return syntax.Rewritten(e, func(part hclsyntax.Expression) hclsyntax.Expression { return eachStep(part, change) })
}
