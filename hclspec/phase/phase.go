package phase

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// An origin records the phase that made a block, and the template's block it is a copy of.
type origin struct {
	Phase  string
	Name   string           // in the template
	Player *hclsyntax.Block // of a role: the party that fills it
	Index  string           // the one of several that does; empty: all of them, or there is one
}

// A phase is one use of a template.
type phase struct {
	*Expander
	block    *hclsyntax.Block
	name     string
	template *template
	values   map[string]*argument        // of its parameters
	scope    map[string]string           // full names of the template's names: see Formula.Scope
	players  map[string]*hclsyntax.Block // the party that fills each role
	which    map[string]string           // and which of several
	formula  bool                        // a formula is being copied
}

// Prefixes of the names in a phase's scope that are not of roles, nets, documents and norms.
const (
	eventScope       = "event."
	requirementScope = "requirement."
	documentScope    = "document." // besides the document's name alone
)

// cast fills every role of the template, each with another party, and reports whether it succeeded.
func (p *phase) cast(parties map[string]*hclsyntax.Block) bool {
	before := len(p.Diags)
	filled := syntax.Names{}
	if attr, given := p.block.Body.Attributes["roles"]; given {
		p.Pairs(attr.Expr, "a role", func(role string, r hcl.Range, e hclsyntax.Expression) {
			p.fill(parties, filled, role, r, e)
		})
	}
	for _, role := range slices.Sorted(maps.Keys(p.template.roles)) {
		if _, ok := p.scope[role]; !ok && len(p.Diags) == before {
			p.Mistake(diag.MissingAttribute, syntax.HeaderRange(p.block), fmt.Sprintf("Phase %q leaves the role %q empty.", p.name, role),
				fmt.Sprintf("Write roles = { %s = PARTY }.", role))
		}
	}
	return len(p.Diags) == before
}

func (p *phase) fill(parties map[string]*hclsyntax.Block, filled syntax.Names, role string, r hcl.Range, e hclsyntax.Expression) {
	if _, ok := p.template.roles[role]; !ok {
		p.Unknown(r, fmt.Sprintf("Template %q has no party %q.", p.template.block.Labels[0], role), role,
			func() []string { return slices.Sorted(maps.Keys(p.template.roles)) })
		return
	}
	ref, ok := p.instance(parties, e)
	name, at := ref.Name, ref.At
	if ok && name == "" {
		name, at, ok = p.Reference(e, "a party")
	}
	if !ok {
		return
	}
	if parties[name] == nil {
		p.Unknown(at, fmt.Sprintf("There is no party %q.", name), name, func() []string { return slices.Sorted(maps.Keys(parties)) })
	} else if _, again := filled[name]; again && ref.Indexed {
		p.Mistake(diag.Unsupported, at, fmt.Sprintf("One of several %q has a role in this phase, and so can't another one.", name), "Make the other a party of its own, with a name of its own.")
	} else if p.Once(filled, name, at) {
		p.scope[role], p.players[role], p.which[role] = p.name+"."+name, parties[name], ref.Index
	}
}

// blocks returns the template's blocks as this phase has them.
func (p *phase) blocks() []*hclsyntax.Block {
	for _, b := range p.template.blocks {
		p.declareScope(b)
	}
	for name, a := range p.values {
		if ref, one := syntax.Steps(a.events); one { // in formulas
			p.scope[eventScope+"param."+name] = syntax.Joined(ref).String()
		}
	}
	var out []*hclsyntax.Block
	for _, b := range p.template.blocks {
		clone, from := p.clone(b), origin{Phase: p.name, Name: b.Labels[0]}
		switch b.Type {
		case "party":
			clone.Labels = []string{p.scope[b.Labels[0]]}
			from.Player, from.Index = p.players[b.Labels[0]], p.which[b.Labels[0]]
			p.play(clone, from)
		case "accept": // its label is a code
		default:
			clone.Labels = []string{p.name + "." + b.Labels[0]}
		}
		p.Generated[clone] = from
		out = append(out, clone)
	}
	return out
}

// declareScope enters the phase's name for a name that a block of the template declares; those of roles are in already.
func (p *phase) declareScope(b *hclsyntax.Block) {
	name := b.Labels[0]
	full := p.name + "." + name
	switch b.Type {
	case "party", "accept":
	case "event":
		p.scope[eventScope+name] = full
	case "requirement", "scenario":
		p.scope[requirementScope+name] = full
	case "document":
		p.scope[name], p.scope[documentScope+name] = full, full
	default:
		p.scope[name] = full
	}
}

// play gives a role's net the title of the party that plays it, unless the template has one. If several of a kind play it, the net becomes
// several, too.
func (p *phase) play(clone *hclsyntax.Block, from origin) {
	player := from.Player
	own, mine := Several(clone), Several(player)
	if from.Index == "" && own != nil && mine != nil {
		p.Mistake(diag.Contradiction, syntax.HeaderRange(p.block), fmt.Sprintf("In phase %q a role of which there are several is given to several of %s.", p.name, player.Labels[0]),
			fmt.Sprintf("The template says at %s how many there are of the role. Take that out, or give the role to one.", diag.At(own.NameRange)))
		return
	}
	for _, name := range []string{"title", "count", "for_each"} {
		attr, given := player.Body.Attributes[name]
		if _, has := clone.Body.Attributes[name]; given && !has && (from.Index == "" || name == "title") {
			clone.Body.Attributes[name] = attr
		}
	}
}

// Several returns the attribute that makes a party several; nil if it is one.
func Several(b *hclsyntax.Block) *hclsyntax.Attribute {
	if count, given := b.Body.Attributes["count"]; given {
		return count
	}
	return b.Body.Attributes["for_each"]
}
