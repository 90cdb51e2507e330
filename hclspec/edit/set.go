package edit

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// A Reading is a text that has been read as blocks. Blocks are known by their path: the headers of the
// block and of those it stands in, from outside.
type Reading struct{ tree *tree }

// A Setting gives an attribute of a block a value, as HCL has it, which it has or has not had.
type Setting struct {
	Path      []string
	Attribute string
	Value     string
}

// Read reads a text as blocks. An error says why it can't be.
func Read(text Text) (*Reading, error) {
	t, err := parse(text)
	if err != nil {
		return nil, err
	}
	return &Reading{t}, nil
}

// Head is head, as it has been read.
func (d *Difference) Head() *Reading { return &Reading{d.head} }

// Within lists the paths of the blocks that stand in a block, or outside of all of them.
func (r *Reading) Within(path []string) [][]string {
	n := r.at(path)
	if n == nil {
		return nil
	}
	var list [][]string
	for _, b := range n.blocks {
		list = append(list, b.path())
	}
	return list
}

// Value is what a block says of an attribute.
func (r *Reading) Value(path []string, attribute string) (string, bool) {
	n := r.at(path)
	if n == nil || n.named[attribute] == nil {
		return "", false
	}
	return string(n.named[attribute].bytes()), true
}

// at is the first block of a path; nil where there is none.
func (r *Reading) at(path []string) *node {
	n := r.tree.root
	for _, header := range path {
		i := slices.IndexFunc(n.blocks, func(b *node) bool { return b.header() == header })
		if i < 0 {
			return nil
		}
		n = n.blocks[i]
	}
	return n
}

// Set is how to write the text with other values, in order of files and places. A new attribute comes
// after those that are there. Of a block that is not there nothing is written.
func (r *Reading) Set(list []Setting) []Splice {
	c := newComposition(r.tree)
	for k, s := range list {
		if n := r.at(s.Path); n != nil && n.block != nil {
			c.assign(n, s, k)
		}
	}
	c.fold()
	return c.splices()
}

func (c *composition) assign(n *node, s Setting, k int) {
	a := n.named[s.Attribute]
	switch {
	case a != nil && n.flat:
		c.flat(n).set[s.Attribute] = []byte(s.Value)
		return
	case a != nil:
		c.patch(n.file).cut(a.value, []byte(s.Value))
		return
	}
	p := &piece{at: k, text: slices.Concat(n.indent(), []byte("  "+s.Attribute+" = "+s.Value+"\n"))}
	if n.flat {
		c.flat(n).pieces = append(c.flat(n).pieces, p)
		return
	}
	p.line = n.file.lineAt(n.block.OpenBraceRange.Start.Byte) + 1
	if len(n.attrs) > 0 {
		p.line = n.attrs[len(n.attrs)-1].span.to
	}
	c.patch(n.file).pieces[p.line] = append(c.patch(n.file).pieces[p.line], p)
}

// Splice is the text with changes made, each to the bytes it was made for.
func (t Text) Splice(list []Splice) Text {
	out := Text{}
	for name, src := range t {
		out[name] = src
	}
	for _, s := range slices.Backward(list) { // from the back, places stay what they were
		src := out[s.Range.Filename]
		out[s.Range.Filename] = slices.Concat(src[:s.Range.Start.Byte], []byte(s.New), src[s.Range.End.Byte:])
	}
	return out
}

// Headers lists the headers of all blocks in order of files and places.
func (r *Reading) Headers() []hcl.Range {
	var list []hcl.Range
	var within func(n *node)
	within = func(n *node) {
		for _, b := range n.blocks {
			list = append(list, b.at())
			within(b)
		}
	}
	within(r.tree.root)
	return list
}
