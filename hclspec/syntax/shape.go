package syntax

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
)

// A Grammar checks which blocks and attributes are allowed where.
type Grammar struct {
	*diag.Sink
}

// NewGrammar returns a Grammar that reports to a sink.
func NewGrammar(s *diag.Sink) *Grammar { return &Grammar{s} }

// TopAttributes reports attributes outside of every block.
func (g *Grammar) TopAttributes(body *hclsyntax.Body) {
	for _, a := range SortedAttributes(body.Attributes) {
		g.Mistake(diag.UnknownAttribute, a.NameRange, fmt.Sprintf("Attribute %q stands outside of every block.", a.Name),
			"Only blocks stand here: "+strings.Join(construct.Top, ", ")+".")
	}
}

// Shape returns the blocks that match their type, as far as block types, headers and attribute names go. A block of unknown type or with a
// wrong header is reported and left out, here and inside of blocks.
func (g *Grammar) Shape(blocks []*hclsyntax.Block) []*hclsyntax.Block {
	return g.shapeAll("the contract", construct.Block{Blocks: construct.Top}, blocks)
}

func (g *Grammar) shapeAll(where string, s construct.Block, blocks []*hclsyntax.Block) []*hclsyntax.Block {
	var good []*hclsyntax.Block
	for _, b := range blocks {
		if !slices.Contains(s.Blocks, b.Type) {
			g.unknownBlock(where, s, b)
		} else if g.shapeOne(b) {
			good = append(good, b)
			continue
		}
		for _, name := range b.Labels {
			g.Dropped[name] = true
		}
	}
	return good
}

func (g *Grammar) shapeOne(b *hclsyntax.Block) bool {
	g.CheckContext()
	s, where := construct.Blocks[b.Type], diag.Article(b.Type)
	g.attributes(where, s, b.Body)
	inner := g.shapeAll(where, s, b.Body.Blocks)
	if len(inner) < len(b.Body.Blocks) { // else it may be in use elsewhere (Reread)
		g.Excused[b.Body], b.Body.Blocks = true, inner
	}
	if len(b.Labels) == s.Names {
		return true
	}
	detail := fmt.Sprintf("Write %s \"name\" { ... }, with exactly one name.", b.Type)
	if s.Names == 0 {
		detail = fmt.Sprintf("Write %s { ... }, without a name.", b.Type)
	}
	if s.Names > 0 && len(b.Labels) == 0 {
		g.Unnamed++
	}
	g.Mistake(diag.BadHeader, b.TypeRange, fmt.Sprintf("This %s block has the wrong number of names.", b.Type), detail)
	return false
}

func (g *Grammar) attributes(where string, s construct.Block, body *hclsyntax.Body) {
	if s.Free {
		return
	}
	for _, a := range SortedAttributes(body.Attributes) {
		if slices.Contains(s.Attributes, a.Name) {
			continue
		}
		detail := g.meant(a.Name, s.Attributes)
		if slices.Contains(s.Blocks, a.Name) {
			detail = fmt.Sprintf("%s is a block: write %s \"name\" { ... }.", a.Name, a.Name)
		}
		g.Excused[body] = true
		g.Mistake(diag.UnknownAttribute, a.NameRange, fmt.Sprintf("There is no attribute %q in %s.", a.Name, where),
			cmp.Or(detail, diag.OneOf("attributes", s.Attributes)))
	}
}

func (g *Grammar) unknownBlock(where string, s construct.Block, b *hclsyntax.Block) {
	detail := g.meant(b.Type, s.Blocks)
	switch _, known := construct.Blocks[b.Type]; {
	case slices.Contains(s.Attributes, b.Type):
		detail = fmt.Sprintf("%s is an attribute: write %s = ...", b.Type, b.Type)
	case construct.Inside[b.Type] != "":
		detail = fmt.Sprintf("%s stands inside %s.", diag.Capital(diag.Article(b.Type)), construct.Inside[b.Type])
	case slices.Contains(construct.Party, b.Type):
		detail = fmt.Sprintf("%s stands inside a party or a net.", diag.Capital(diag.Article(b.Type)))
	case known:
		detail = fmt.Sprintf("%s stands outside of every other block.", diag.Capital(diag.Article(b.Type)))
	}
	g.Mistake(diag.UnknownBlock, b.TypeRange, fmt.Sprintf("There is no block %q in %s.", b.Type, where),
		cmp.Or(detail, diag.OneOf("blocks", s.Blocks)))
}

// meant returns the question whether a known word was meant by another, which stands for it or resembles it; empty if none is near.
func (g *Grammar) meant(word string, known []string) string {
	all := construct.Synonyms(word, known)
	if len(all) == 0 {
		return g.Guess(word, known)
	}
	for i := range all {
		all[i] = strconv.Quote(all[i])
	}
	return "Did you mean " + strings.Join(all, " or ") + "?"
}
