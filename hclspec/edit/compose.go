package edit

import (
	"bytes"
	"maps"
	"slices"
)

// A composition applies changes to one tree.
type composition struct {
	tree    *tree
	patches map[string]*patch
	fresh   map[string][]*piece // of files that the tree lacks
	flats   map[*node]*flat
	states  map[*node][]*piece // states added, by the block they are added to
	anchors map[*node]map[string][]anchored
}

// A flat collects the changes of a block that has no lines of its own.
type flat struct {
	set    map[string][]byte // new values of attributes; nil: removed
	pieces []*piece
}

func newComposition(t *tree) *composition {
	return &composition{tree: t, patches: map[string]*patch{}, fresh: map[string][]*piece{}, flats: map[*node]*flat{},
		states: map[*node][]*piece{}, anchors: map[*node]map[string][]anchored{}}
}

// Apply returns base with some of the changes made: made[i] selects change i. With all of them it means the same as head.
func (d *Difference) Apply(made []bool) Text {
	c := newComposition(d.base)
	for i, u := range d.units {
		if made[i] {
			c.make(d, u, false, 0)
		}
	}
	var list []firstState
	for _, b := range d.firsts {
		base, head := d.firstOf(b, made)
		list = append(list, firstState{b.base, base, head})
	}
	c.begins(list)
	return c.text()
}

// Undo returns the splices that take some changes back in head: undone[i] selects change i. The splices are in order of files and places; one
// into a file that head lacks creates it.
func (d *Difference) Undo(undone []bool) []Splice {
	c := newComposition(d.head)
	made := make([]bool, len(undone))
	for i, u := range d.units {
		if made[i] = !undone[i]; undone[i] {
			c.make(d, u, true, 0)
		}
	}
	var list []firstState
	for _, b := range d.firsts {
		base, head := d.firstOf(b, made)
		list = append(list, firstState{b.head, head, base})
	}
	c.begins(list)
	return c.splices()
}

// make makes one change, or takes it back.
func (c *composition) make(d *Difference, u unit, back bool, rank int) {
	onto, other := u.body.base, u.body.head
	if back {
		onto, other = other, onto
		u.base, u.head, u.was, u.now = u.head, u.base, u.now, u.was
	}
	switch {
	case u.first:
	case u.was != nil || u.now != nil:
		c.set(d, onto, other, u.was, u.now, rank)
	case u.base != nil:
		c.patch(u.base.file).remove(u.base.span)
	default:
		c.add(d, onto, other, &piece{node: u.head, rank: rank, at: u.head.block.TypeRange.Start.Byte})
	}
}

func (c *composition) patch(f *file) *patch {
	if c.patches[f.name] == nil {
		c.patches[f.name] = newPatch(f)
	}
	return c.patches[f.name]
}

// set gives an attribute of a block its other value, or adds or removes it.
func (c *composition) set(d *Difference, onto, other *node, was, now *attribute, rank int) {
	switch {
	case was == nil:
		c.add(d, onto, other, &piece{attr: now, rank: rank, at: now.at.Start.Byte})
	case onto.flat && now == nil:
		c.flat(onto).set[was.name] = nil
	case onto.flat:
		c.flat(onto).set[was.name] = now.bytes()
	case now == nil:
		c.patch(onto.file).remove(was.span)
	default:
		c.patch(onto.file).cut(was.value, now.bytesBefore(onto.file.src[was.value.End.Byte:]))
	}
}

// bytes returns an attribute's value.
func (a *attribute) bytes() []byte {
	return a.node.file.src[a.value.Start.Byte:a.value.End.Byte]
}

// bytesBefore returns an attribute's value, to be put before rest: the end of a heredoc needs a line of its own.
func (a *attribute) bytesBefore(rest []byte) []byte {
	value := a.bytes()
	if a.heredoc() && !bytes.HasPrefix(rest, []byte("\n")) && !bytes.HasPrefix(rest, []byte("\r\n")) {
		return slices.Concat(value, []byte("\n"))
	}
	return value
}

func (c *composition) flat(n *node) *flat {
	if c.flats[n] == nil {
		c.flats[n] = &flat{set: map[string][]byte{}}
	}
	return c.flats[n]
}

// add puts a block or an attribute of other at the place that it has there.
func (c *composition) add(d *Difference, onto, other *node, p *piece) {
	from := p.from()
	p.text = from.text(onto, other)
	if !other.flat {
		p.above, p.below = from.blanks()
	}
	if p.node != nil && p.node.state() {
		c.states[onto] = append(c.states[onto], p)
	}
	if onto.flat {
		c.flat(onto).pieces = append(c.flat(onto).pieces, p)
		return
	}
	f := onto.file
	if f == nil {
		f = c.tree.files[from.file.name]
	}
	if f == nil {
		c.fresh[from.file.name] = append(c.fresh[from.file.name], p)
		return
	}
	p.line = c.place(d, onto, other, from, f)
	list := c.patch(f)
	list.pieces[p.line] = append(list.pieces[p.line], p)
}

// splices returns the changes, by file and place.
func (c *composition) splices() []Splice {
	c.settle()
	var list []Splice
	for _, name := range c.touched() {
		if text, fresh := c.fresh[name]; fresh {
			list = append(list, create(name, text))
			continue
		}
		list = append(list, c.patches[name].splices()...)
	}
	return list
}

// text returns the tree's text with all changes.
func (c *composition) text() Text {
	c.settle()
	text := Text{}
	for name, f := range c.tree.files {
		text[name] = f.src
	}
	for _, name := range c.touched() {
		if list, fresh := c.fresh[name]; fresh {
			text[name] = []byte(create(name, list).New)
			continue
		}
		text[name] = c.patches[name].text()
	}
	return text
}

// fold rewrites the changed blocks that have no lines of their own.
func (c *composition) fold() {
	for n, f := range c.flats {
		f.settle(c, n)
	}
}

// settle sorts all patches and tidies their blank lines.
func (c *composition) settle() {
	for _, p := range c.patches {
		p.settle()
		p.tidy()
	}
}

func (c *composition) touched() []string {
	names := slices.Collect(maps.Keys(c.patches))
	names = slices.AppendSeq(names, maps.Keys(c.fresh))
	slices.Sort(names)
	return names
}

// create returns the splice that makes a new file of some pieces.
func create(name string, list []*piece) Splice {
	p := newPatch(&file{name: name})
	p.pieces[0] = list
	p.settle()
	s := Splice{New: string(p.text())}
	s.Range.Filename = name
	return s
}
