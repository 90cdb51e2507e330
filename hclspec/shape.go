package hclspec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/construct"
)

// A grammar checks which blocks and attributes stand where.
type grammar struct {
	*sink
	met map[string]bool // types of blocks that stand somewhere, even if left out
}

// newGrammar returns a grammar that has met no block.
func newGrammar(s *sink) *grammar { return &grammar{s, map[string]bool{}} }

// topAttributes refuses attributes outside of every block.
func (g *grammar) topAttributes(body *hclsyntax.Body) {
	for _, a := range sorted(body.Attributes) {
		g.mistake(codeUnknownAttribute, a.NameRange, fmt.Sprintf("Attribute %q stands outside of every block.", a.Name),
			"Only blocks stand here: "+strings.Join(construct.Top, ", ")+".")
	}
}

// shape returns the blocks that are what their type promises, as far as block types, headers and attribute names go.
// A block of unknown type or with a wrong header is reported and left out, here and one level down.
func (g *grammar) shape(blocks []*hclsyntax.Block) []*hclsyntax.Block {
	return g.shapeAll("the contract", construct.Block{Blocks: construct.Top}, blocks)
}

func (g *grammar) shapeAll(where string, s construct.Block, blocks []*hclsyntax.Block) []*hclsyntax.Block {
	var good []*hclsyntax.Block
	for _, b := range blocks {
		g.met[b.Type] = true
		if !slices.Contains(s.Blocks, b.Type) {
			g.unknownBlock(where, s, b)
			g.met[Nearest(b.Type, s.Blocks)] = true // what was meant is not missing besides
		} else if g.shapeOne(b) {
			good = append(good, b)
			continue
		}
		for _, name := range b.Labels {
			g.dropped[name] = true
		}
	}
	return good
}

func (g *grammar) shapeOne(b *hclsyntax.Block) bool {
	g.ask()
	s, where := construct.Blocks[b.Type], article(b.Type)
	g.attributes(where, s, b.Body)
	inner := g.shapeAll(where, s, b.Body.Blocks)
	if len(inner) < len(b.Body.Blocks) { // else it may be in use elsewhere (Reread)
		g.excused[b.Body], b.Body.Blocks = true, inner
	}
	if len(b.Labels) == s.Names {
		return true
	}
	detail := fmt.Sprintf("Write %s \"name\" { ... }, with exactly one name.", b.Type)
	if s.Names == 0 {
		detail = fmt.Sprintf("Write %s { ... }, without a name.", b.Type)
	}
	g.mistake(codeBadHeader, b.TypeRange, fmt.Sprintf("This %s block has the wrong number of names.", b.Type), detail)
	return false
}

func (g *grammar) attributes(where string, s construct.Block, body *hclsyntax.Body) {
	if s.Free {
		return
	}
	for _, a := range sorted(body.Attributes) {
		if slices.Contains(s.Attributes, a.Name) {
			continue
		}
		detail := g.guess(a.Name, s.Attributes)
		if slices.Contains(s.Blocks, a.Name) {
			detail = fmt.Sprintf("%s is a block: write %s \"name\" { ... }.", a.Name, a.Name)
		}
		g.excused[body] = true
		g.mistake(codeUnknownAttribute, a.NameRange, fmt.Sprintf("There is no attribute %q in %s.", a.Name, where),
			cmp.Or(detail, oneOf("attributes", s.Attributes)))
	}
}

func (g *grammar) unknownBlock(where string, s construct.Block, b *hclsyntax.Block) {
	detail := g.guess(b.Type, s.Blocks)
	switch _, known := construct.Blocks[b.Type]; {
	case slices.Contains(s.Attributes, b.Type):
		detail = fmt.Sprintf("%s is an attribute: write %s = ...", b.Type, b.Type)
	case construct.Inside[b.Type] != "":
		detail = fmt.Sprintf("%s stands inside %s.", upperFirst(article(b.Type)), construct.Inside[b.Type])
	case slices.Contains(construct.Party, b.Type):
		detail = fmt.Sprintf("%s stands inside a party or a net.", upperFirst(article(b.Type)))
	case known:
		detail = fmt.Sprintf("%s stands outside of every other block.", upperFirst(article(b.Type)))
	}
	g.mistake(codeUnknownBlock, b.TypeRange, fmt.Sprintf("There is no block %q in %s.", b.Type, where),
		cmp.Or(detail, oneOf("blocks", s.Blocks)))
}
