package edit

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/syntax"
)

// A tree is a text as blocks within blocks, whichever files they are in.
type tree struct {
	files map[string]*file
	root  *node
}

// A node is a block with its content in source order. The root is no block: it has the blocks of all files.
type node struct {
	within *node // nil of the root
	file   *file // nil of the root
	block  *hclsyntax.Block
	attrs  []*attribute
	named  map[string]*attribute
	blocks []*node
	span   span
	flat   bool   // there is room for one attribute only between its braces: no line ends after the first
	key    string // type, names, and what else distinguishes it from its siblings
	sum    [sha256.Size]byte
}

type attribute struct {
	name  string
	node  *node
	at    hcl.Range // name and value
	value hcl.Range
	expr  hclsyntax.Expression
	span  span
	canon []byte
}

// parse returns the tree of a text. The error gives the mistakes in its syntax.
func parse(text Text) (*tree, error) {
	bodies, diags := syntax.Parse(text)
	if diags.HasErrors() {
		return nil, fmt.Errorf("the text can't be read as blocks: %w", diags)
	}
	t := &tree{files: map[string]*file{}, root: &node{}}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		if len(bodies[name].Attributes) > 0 {
			return nil, errors.New(name + ": an attribute stands outside of every block")
		}
		f := newFile(name, text[name])
		t.files[name] = f
		for _, b := range bodies[name].Blocks {
			t.root.blocks = append(t.root.blocks, f.node(b, t.root))
		}
	}
	t.root.sign()
	return t, nil
}

func (f *file) node(b *hclsyntax.Block, within *node) *node {
	n := &node{within: within, file: f, block: b, flat: f.flat(b), named: map[string]*attribute{}}
	n.span = f.spanOf(b.TypeRange.Start.Byte, b.CloseBraceRange.End.Byte)
	for _, a := range b.Body.Attributes {
		n.named[a.Name] = f.attribute(a, n)
		n.attrs = append(n.attrs, n.named[a.Name])
	}
	slices.SortFunc(n.attrs, func(a, b *attribute) int { return cmp.Compare(a.at.Start.Byte, b.at.Start.Byte) })
	for _, inner := range b.Body.Blocks {
		n.blocks = append(n.blocks, f.node(inner, n))
	}
	n.sign()
	return n
}

// flat reports whether no line ends between a block's opening brace and its first content.
func (f *file) flat(b *hclsyntax.Block) bool {
	for _, t := range f.between(b.OpenBraceRange.End.Byte, b.CloseBraceRange.Start.Byte) {
		if endsLine(t) {
			return false
		}
		if t.Type != hclsyntax.TokenComment {
			return true
		}
	}
	return true
}

func (f *file) attribute(a *hclsyntax.Attribute, in *node) *attribute {
	tokens := f.between(a.EqualsRange.End.Byte, a.SrcRange.End.Byte)
	value := a.SrcRange
	value.Start = tokens[0].Range.Start
	return &attribute{name: a.Name, node: in, at: a.SrcRange, value: value, expr: a.Expr, canon: canon(tokens),
		span: f.spanOf(a.SrcRange.Start.Byte, a.SrcRange.End.Byte)}
}

// sign sets key and sum. The sum depends on the first state, but not otherwise on the order of blocks.
func (n *node) sign() {
	n.key = "\x00"
	if n.block != nil {
		n.key = n.block.Type + "\x00" + strings.Join(n.block.Labels, "\x00")
	}
	if on := n.named["on"]; on != nil && n.block.Type == "accept" { // several may accept one code
		n.key += "\x00" + string(on.canon)
	}
	var parts [][]byte
	for _, a := range n.attrs {
		parts = append(parts, slices.Concat([]byte(a.name), []byte("="), a.canon))
	}
	for _, b := range n.blocks {
		parts = append(parts, b.sum[:])
	}
	slices.SortFunc(parts, bytes.Compare)
	h := sha256.New()
	for _, part := range append(parts, []byte(n.key)) {
		fmt.Fprintf(h, "%d ", len(part))
		h.Write(part)
	}
	if first := n.first(); first != nil {
		h.Write([]byte(first.key))
	}
	h.Sum(n.sum[:0])
}

// first returns the state that a party begins in; nil if the block has no states.
func (n *node) first() *node {
	i := slices.IndexFunc(n.blocks, (*node).state)
	if i < 0 || n.block == nil {
		return nil
	}
	return n.blocks[i]
}

func (n *node) state() bool { return n.block.Type == "state" }

// indent returns the blanks before a block.
func (n *node) indent() []byte { return n.file.indent(n.block.TypeRange.Start.Byte) }

// header returns the type and names of a block, as written.
func (n *node) header() string {
	text := n.block.Type
	for _, name := range n.block.Labels {
		text += fmt.Sprintf(" %q", name)
	}
	return text
}

// path returns the headers of a block and of its enclosing blocks, outermost first.
func (n *node) path() []string {
	if n.within == nil {
		return nil
	}
	return append(n.within.path(), n.header())
}

// heredoc reports whether a value ends with the end of a heredoc.
func (a *attribute) heredoc() bool {
	tokens := a.node.file.between(a.value.Start.Byte, a.value.End.Byte)
	return tokens[len(tokens)-1].Type == hclsyntax.TokenCHeredoc
}
