package edit

import (
	"bytes"
	"cmp"
	"slices"
)

// An item is an element of a body: a block or an attribute.
type item struct {
	file *file
	span span
	node *node      // the block it is; or
	attr *attribute // the attribute
}

func (p *piece) from() item {
	if p.node != nil {
		return item{p.node.file, p.node.span, p.node, nil}
	}
	return item{p.attr.node.file, p.attr.span, nil, p.attr}
}

func (i item) start() int {
	if i.node != nil {
		return i.node.block.TypeRange.Start.Byte
	}
	return i.attr.at.Start.Byte
}

// text returns an item's lines, to be put in a body: without the braces around it.
func (i item) text(onto, other *node) []byte {
	if !other.flat {
		return i.file.text(i.span)
	}
	return slices.Concat(onto.indent(), []byte("  "), i.attr.whole(), []byte("\n"))
}

// whole returns the attribute's own bytes, name and value.
func (a *attribute) whole() []byte { return a.node.file.src[a.at.Start.Byte:a.at.End.Byte] }

// blanks reports whether there are blank lines above and below the item.
func (i item) blanks() (above, below bool) {
	lines := i.file.lines
	return i.span.from > 0 && lines[i.span.from-1].blank, i.span.to < len(lines) && lines[i.span.to].blank
}

// An anchored is an item of a body with the nearest items before and after it that the other body has, too.
type anchored struct {
	item
	before, after *item // in the other body
}

// place returns the line of a file before which an item of other belongs in onto: after its predecessor there, or else before its successor.
func (c *composition) place(d *Difference, onto, other *node, x item, f *file) int {
	list := c.anchored(d, onto, other)[x.file.name]
	k, _ := slices.BinarySearchFunc(list, x.start(), func(a anchored, at int) int { return cmp.Compare(a.start(), at) })
	switch a := list[k]; {
	case a.before != nil:
		return a.before.span.to
	case a.after != nil:
		return a.after.span.from
	case onto.block == nil:
		return len(f.lines)
	}
	return f.lineAt(onto.block.OpenBraceRange.Start.Byte) + 1
}

// anchored returns the items of other by file, in order.
func (c *composition) anchored(d *Difference, onto, other *node) map[string][]anchored {
	if c.anchors[other] != nil {
		return c.anchors[other]
	}
	lists := map[string][]anchored{}
	for _, n := range other.blocks {
		lists[n.file.name] = append(lists[n.file.name], anchored{item: item{n.file, n.span, n, nil}})
	}
	for _, a := range other.attrs {
		lists[other.file.name] = append(lists[other.file.name], anchored{item: item{other.file, a.span, nil, a}})
	}
	for _, list := range lists {
		slices.SortFunc(list, func(a, b anchored) int { return cmp.Compare(a.start(), b.start()) })
		var near *item
		for i := range list {
			list[i].before = near
			near = cmp.Or(d.counterpart(onto, list[i].item), near)
		}
		near = nil
		for i := range slices.Backward(list) {
			list[i].after = near
			near = cmp.Or(d.counterpart(onto, list[i].item), near)
		}
	}
	c.anchors[other] = lists
	return lists
}

// counterpart returns the item of the other body that matches; nil unless it is there in the same file.
func (d *Difference) counterpart(onto *node, x item) *item {
	if x.attr != nil {
		if a := onto.named[x.attr.name]; a != nil {
			return &item{onto.file, a.span, nil, a}
		}
		return nil
	}
	n := d.mates[x.node]
	if n == nil || n.file.name != x.file.name && onto.block == nil {
		return nil
	}
	return &item{n.file, n.span, n, nil}
}

// settle rewrites the block, on one line if possible.
func (f *flat) settle(c *composition, n *node) {
	var own, lines []byte
	for _, a := range n.attrs {
		value, changed := f.set[a.name]
		switch {
		case !changed:
			own = a.whole()
		case value != nil:
			own = slices.Concat([]byte(a.name+" = "), value)
		}
	}
	if own != nil {
		lines = slices.Concat(n.indent(), []byte("  "), own, []byte("\n"))
	}
	slices.SortFunc(f.pieces, earlier)
	for _, p := range f.pieces {
		lines = append(lines, p.text...)
	}
	at := n.block.OpenBraceRange
	at.End = n.block.CloseBraceRange.End
	if own == nil && len(f.pieces) == 1 && f.pieces[0].attr != nil {
		own, f.pieces = f.pieces[0].attr.whole(), nil
	}
	switch {
	case len(lines) == 0:
		c.patch(n.file).cut(at, []byte("{}"))
	case len(f.pieces) == 0 && !bytes.Contains(own, []byte("\n")):
		c.patch(n.file).cut(at, slices.Concat([]byte("{ "), own, []byte(" }")))
	default:
		c.patch(n.file).cut(at, slices.Concat([]byte("{\n"), lines, n.indent(), []byte("}")))
	}
}
