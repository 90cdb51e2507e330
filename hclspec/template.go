package hclspec

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// An expander replaces templates and phases by the blocks that phases stand for, and keeps where those come from.
type expander struct {
	*evaluator
	generated map[*hclsyntax.Block]origin           // blocks that phases expanded to
	scopesOf  map[*hclsyntax.Body]map[string]string // what a template's names stand for there
}

// newExpander returns an expander that has expanded nothing.
func newExpander(ev *evaluator) *expander {
	return &expander{ev, map[*hclsyntax.Block]origin{}, map[*hclsyntax.Body]map[string]string{}}
}

// A template is part of a contract written once, to be used by several phases. Its parties are
// roles, which each phase fills with parties of the contract; its nets are the phase's own.
//
// A phase is expanded before anything is declared: into the blocks of its template, cloned, with
// the parameters' values in place of param.NAME and the phase's name before every name. What comes
// after cannot tell them from blocks a drafter wrote.
type template struct {
	block      *hclsyntax.Block
	blocks     []*hclsyntax.Block // that phases clone: those whose names are in order
	roles      names              // of party blocks
	takers     names              // roles and nets: who can take part in an event
	parameters map[string]*hclsyntax.Block
}

// expandPhases returns the blocks without templates and phases, and with what phases expand to.
func (x *expander) expandPhases(blocks []*hclsyntax.Block) []*hclsyntax.Block {
	templates, taken := map[string]*template{}, names{}
	for _, b := range blocks {
		if b.Type == "template" && x.declareBlock(taken, b) {
			templates[b.Labels[0]] = x.template(b)
		}
	}
	var out []*hclsyntax.Block
	parties := partyBlocksByName(blocks)
	phases := names{}
	for _, b := range blocks {
		switch b.Type {
		case "template":
		case "phase":
			if x.declareBlock(phases, b) {
				out = append(out, x.expandPhase(b, templates, parties)...)
			}
		default:
			out = append(out, b)
		}
		if x.tooManyBlocks(len(out), b) {
			return nil
		}
	}
	return out
}

func (x *expander) tooManyBlocks(n int, b *hclsyntax.Block) bool {
	if n > maxBlocks {
		x.mistake(codeContractTooLarge, headerRange(b), fmt.Sprintf("With this %s the contract has too many blocks.", b.Type),
			fmt.Sprintf("Its phases expand to %d blocks; a contract has at most %d.", n, maxBlocks))
	}
	return n > maxBlocks
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

// template reads what a template declares. Parties, nets, documents and norms share their names, as
// they do in formulas.
func (x *expander) template(b *hclsyntax.Block) *template {
	t := &template{block: b, roles: names{}, takers: names{}, parameters: map[string]*hclsyntax.Block{}}
	things, events, promises, seen := names{}, names{}, names{}, names{}
	spaces := map[string]names{"event": events, "requirement": promises, "parameter": seen}
	for _, inner := range b.Body.Blocks {
		space := spaces[inner.Type]
		if space == nil {
			space = things
		}
		if inner.Type == "accept" || x.declareBlock(space, inner) {
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

// expandPhase clones the blocks of one phase's template.
func (x *expander) expandPhase(b *hclsyntax.Block, templates map[string]*template, parties map[string]*hclsyntax.Block) []*hclsyntax.Block {
	attr, given := b.Body.Attributes["template"]
	if !given {
		x.lacking(b.Body, headerRange(b), fmt.Sprintf("Phase %q has no template.", b.Labels[0]), "Write template = NAME.")
		return nil
	}
	name, r, ok := x.reference(attr.Expr, "a template")
	if !ok {
		return nil
	}
	t := templates[name]
	if t == nil {
		x.unknown(r, fmt.Sprintf("There is no template %q.", name), name, func() []string { return slices.Sorted(maps.Keys(templates)) })
		return nil
	}
	p := &phase{expander: x, block: b, name: b.Labels[0], template: t, values: x.arguments(b, t), scope: map[string]string{}, players: map[string]*hclsyntax.Block{}}
	if !p.cast(parties) {
		return nil
	}
	return p.blocks()
}

// arguments returns the values of a template's parameters in one phase.
func (x *expander) arguments(b *hclsyntax.Block, t *template) map[string]cty.Value {
	values := map[string]cty.Value{}
	given := names{}
	if attr, ok := b.Body.Attributes["with"]; ok {
		x.pairs(attr.Expr, "a parameter", func(name string, r hcl.Range, e hclsyntax.Expression) {
			given[name] = r
			if t.parameters[name] == nil {
				x.unknown(r, fmt.Sprintf("Template %q has no parameter %q.", t.block.Labels[0], name), name,
					func() []string { return slices.Sorted(maps.Keys(t.parameters)) })
			} else if v, ok := x.evaluate(e); ok {
				values[name] = v
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(t.parameters)) {
		if _, ok := given[name]; !ok {
			x.defaultArgument(b, t.parameters[name], values)
		}
	}
	return values
}

func (x *expander) defaultArgument(b, parameter *hclsyntax.Block, values map[string]cty.Value) {
	name := parameter.Labels[0]
	attr, ok := parameter.Body.Attributes["default"]
	if !ok {
		x.mistake(codeMissingAttribute, headerRange(b), fmt.Sprintf("Phase %q gives no value for parameter %q.", b.Labels[0], name),
			fmt.Sprintf("Write with = { %s = ... }.", name))
	} else if v, ok := x.evaluate(attr.Expr); ok {
		values[name] = v
	}
}
