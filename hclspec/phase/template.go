package phase

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// An Expander replaces templates and phases by the blocks that phases expand to, and records their origin.
type Expander struct {
	*expr.Evaluator
	Generated map[*hclsyntax.Block]origin           // blocks that phases expanded to
	ScopesOf  map[*hclsyntax.Body]map[string]string // full names of a template's names there
	Rounds    map[string][]string                   // by the name of a phase that is repeated: the names of its rounds
	BadIndex  bool                                  // a computed index has no value, which is reported: what names it would be reported, too
	Full      bool                                  // there is more than a contract may have, which is reported
	nth       map[*hclsyntax.Block]int              // of a round: its number, from 1
	used      map[*hclsyntax.LiteralValueExpr]*argument
}

// New returns an Expander that has expanded nothing.
func New(ev *expr.Evaluator) *Expander {
	return &Expander{Evaluator: ev, Generated: map[*hclsyntax.Block]origin{}, ScopesOf: map[*hclsyntax.Body]map[string]string{}, Rounds: map[string][]string{}, nth: map[*hclsyntax.Block]int{},
		used: map[*hclsyntax.LiteralValueExpr]*argument{}}
}

// A template is part of a contract written once, to be used by several phases. Its parties are roles, which each phase fills with parties of
// the contract; its nets are the phase's own.
//
// A phase is expanded before anything is declared: into the blocks of its template, cloned, with the parameters' values in place of param.NAME
// and the phase's name before every name. Later code treats them like blocks that a drafter wrote.
type template struct {
	block      *hclsyntax.Block
	blocks     []*hclsyntax.Block // that phases clone: those whose names are valid
	roles      syntax.Names       // of party blocks
	takers     syntax.Names       // roles and nets: they can take part in an event
	parameters map[string]*hclsyntax.Block
}

// ExpandPhases returns the blocks without templates and phases, and with the blocks that phases expand to.
func (x *Expander) ExpandPhases(blocks []*hclsyntax.Block) []*hclsyntax.Block {
	templates, taken := map[string]*template{}, syntax.Names{}
	for _, b := range blocks {
		if b.Type == "template" && x.DeclareBlock(taken, b) {
			x.checkSource(b)
			templates[b.Labels[0]] = x.template(b)
		}
	}
	var out []*hclsyntax.Block
	var size expanded
	blocks = syntax.WithImplicitEvents(blocks)
	parties := partyBlocksByName(blocks)
	phases := syntax.Names{}
	for _, b := range blocks {
		switch b.Type {
		case "template":
		case "phase":
			if x.DeclareBlock(phases, b) {
				made := x.expandPhase(b, templates, parties)
				size.add(made)
				out = append(out, made...)
			}
		default:
			out = append(out, b)
		}
		if x.tooLarge(size, b) {
			return nil
		}
	}
	return out
}

// An expanded is the size of what phases expand to, as if a drafter had written it.
type expanded struct{ blocks, bytes int }

func (e *expanded) add(blocks []*hclsyntax.Block) {
	for _, b := range blocks {
		e.blocks += 1 + syntax.CountBlocks(b.Body)
		e.bytes += b.CloseBraceRange.End.Byte - b.TypeRange.Start.Byte
	}
}

// tooLarge reports, as a mistake at a phase, a size that a contract which is written out can't have.
func (x *Expander) tooLarge(size expanded, b *hclsyntax.Block) bool {
	has := fmt.Sprintf("%d blocks", size.blocks)
	switch {
	case size.blocks > syntax.MaxBlocks:
	case size.bytes > syntax.MaxContract:
		has = fmt.Sprintf("%d KiB of text", size.bytes>>10)
	default:
		return false
	}
	x.Full = true
	x.Mistake(diag.ContractTooLarge, syntax.HeaderRange(b), fmt.Sprintf("With this %s the contract is too large.", b.Type),
		fmt.Sprintf("Written out, its phases are %s; a contract has at most 100,000 blocks and 16 MiB of text.", has))
	return true
}

func partyBlocksByName(blocks []*hclsyntax.Block) map[string]*hclsyntax.Block {
	parties := map[string]*hclsyntax.Block{}
	for _, b := range blocks {
		if b.Type == "party" {
			parties[b.Labels[0]] = b
		}
	}
	return parties
}

// template reads the declarations of a template. Parties, nets, documents and norms share one namespace, as in formulas.
func (x *Expander) template(b *hclsyntax.Block) *template {
	t := &template{block: b, roles: syntax.Names{}, takers: syntax.Names{}, parameters: map[string]*hclsyntax.Block{}}
	things, events, promises, seen := syntax.Names{}, syntax.Names{}, syntax.Names{}, syntax.Names{}
	spaces := map[string]syntax.Names{"event": events, "requirement": promises, "scenario": promises, "parameter": seen}
	for _, inner := range syntax.WithImplicitEvents(b.Body.Blocks) {
		space := spaces[inner.Type]
		if space == nil {
			space = things
		}
		if inner.Type == "accept" || x.DeclareBlock(space, inner) {
			t.add(inner)
		}
	}
	return t
}

func (t *template) add(b *hclsyntax.Block) {
	name, at := b.Labels[0], b.LabelRanges[0]
	switch b.Type {
	case "parameter":
		t.parameters[name] = b
		return
	case "party":
		t.roles[name], t.takers[name] = at, at
	case "net":
		t.takers[name] = at
	}
	t.blocks = append(t.blocks, b)
}

// expandPhase returns the blocks that one phase expands to; nil after a mistake.
func (x *Expander) expandPhase(b *hclsyntax.Block, templates map[string]*template, parties map[string]*hclsyntax.Block) []*hclsyntax.Block {
	attr, given := b.Body.Attributes["template"]
	if !given {
		x.Lacking(b.Body, syntax.HeaderRange(b), fmt.Sprintf("Phase %q has no template.", b.Labels[0]), "Write template = NAME.")
		return nil
	}
	name, r, ok := x.Reference(attr.Expr, "a template")
	if !ok {
		return nil
	}
	t := templates[name]
	if t == nil {
		x.Unknown(r, fmt.Sprintf("There is no template %q.", name), name, func() []string { return slices.Sorted(maps.Keys(templates)) })
		return nil
	}
	p := &phase{Expander: x, block: b, name: b.Labels[0], template: t, values: x.arguments(b, t), scope: map[string]string{}, players: map[string]*hclsyntax.Block{}, which: map[string]string{}}
	if !p.cast(parties) {
		return nil
	}
	return p.blocks()
}

// arguments returns the values of a template's parameters in one phase.
func (x *Expander) arguments(b *hclsyntax.Block, t *template) map[string]*argument {
	values := map[string]*argument{}
	given := syntax.Names{}
	if attr, ok := b.Body.Attributes["with"]; ok {
		x.Pairs(attr.Expr, "a parameter", func(name string, r hcl.Range, e hclsyntax.Expression) {
			given[name] = r
			if t.parameters[name] == nil {
				x.Unknown(r, fmt.Sprintf("Template %q has no parameter %q.", t.block.Labels[0], name), name,
					func() []string { return slices.Sorted(maps.Keys(t.parameters)) })
			} else {
				x.argument(values, t, t.parameters[name], e, e.Range())
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(t.parameters)) {
		if _, ok := given[name]; !ok {
			x.defaultArgument(b, t, t.parameters[name], values)
		}
	}
	return values
}

func (x *Expander) defaultArgument(b *hclsyntax.Block, t *template, parameter *hclsyntax.Block, values map[string]*argument) {
	name := parameter.Labels[0]
	attr, ok := parameter.Body.Attributes["default"]
	if k := x.nth[b]; k > 0 && name == "nth" && !ok {
		values[name] = &argument{value: cty.NumberIntVal(int64(k))}
	} else if !ok {
		x.Mistake(diag.MissingAttribute, syntax.HeaderRange(b), fmt.Sprintf("Phase %q gives no value for parameter %q.", b.Labels[0], name),
			fmt.Sprintf("Write with = { %s = ... }.", name))
	} else {
		x.argument(values, t, parameter, attr.Expr, syntax.HeaderRange(b))
	}
}
