package edit

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// A Reading is a text that has been read as blocks. A path identifies a block: the headers of the block and of its enclosing blocks, outermost
// first.
type Reading struct{ tree *tree }

// A Setting gives an attribute of a block a value in HCL syntax. The block may have the attribute already or not.
type Setting struct {
	Path      []string
	Attribute string
	Value     string
}

// Read reads a text as blocks. The error gives the mistakes in its syntax.
func Read(text Text) (*Reading, error) {
	t, err := parse(text)
	if err != nil {
		return nil, err
	}
	return &Reading{t}, nil
}

// Head returns head as a Reading.
func (d *Difference) Head() *Reading { return &Reading{d.head} }

// Value returns the value of an attribute of a block in HCL syntax; false if there is none.
func (r *Reading) Value(path []string, attribute string) (string, bool) {
	n := r.at(path)
	if n == nil || n.named[attribute] == nil {
		return "", false
	}
	return string(n.named[attribute].bytes()), true
}

// at returns the first block with a path; nil if there is none.
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

// Set returns the splices that give attributes other values, in order of files and places. A new attribute comes after those that exist. A
// Setting of a block that does not exist has no effect.
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

// Splice returns the text with splices made. They must be sorted and of this text.
func (t Text) Splice(list []Splice) Text {
	out := Text{}
	for name, src := range t {
		out[name] = src
	}
	for _, s := range slices.Backward(list) { // from the back, so that places stay valid
		src := out[s.Range.Filename]
		out[s.Range.Filename] = slices.Concat(src[:s.Range.Start.Byte], []byte(s.New), src[s.Range.End.Byte:])
	}
	return out
}

// Headers returns the headers of all blocks, in order of files and places.
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
