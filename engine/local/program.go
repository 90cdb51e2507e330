package local

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// A kind is the outermost operator of a node. These few suffice: see compiler.compile.
type kind uint8

const (
	always kind = iota // true
	place              // a place is marked
	atMost             // a sum is at most its bound
	dead               // nothing can fire
	not
	and
	or
	iff
	next  // EX
	until // E[a U b]
	weak  // E[a W b]
)

// A node is a formula. Equal formulas are the same node.
type node struct {
	id     int
	kind   kind
	place  int
	sum    *ctl.Sum
	parts  []*node // cheaper ones first for and and or, otherwise operands in order
	height int     // nesting depth of temporal operators
	slot   int     // index of the labels of a temporal node; -1
	// whether the labels of an until may be found with stubborn sets
	reduced bool
}

func (n *node) temporal() bool { return n.kind >= next }

// A compiler makes nodes.
type compiler struct {
	net   *petri.Net
	nodes map[string]*node
	slots int
	plain bool // stubborn sets are defined for the net and its rule
}

// newCompiler returns a compiler of formulas over a net.
func newCompiler(net *petri.Net, rule petri.Rule) *compiler {
	return &compiler{net: net, nodes: map[string]*node{}, plain: rule == petri.One && stubbornly(net)}
}

// make returns the node with these operands. It makes one only if there is none yet.
func (c *compiler) make(n node) *node {
	key := fmt.Sprintf("%d %d", n.kind, n.place)
	if n.sum != nil {
		key += n.sum.String()
	}
	for _, p := range n.parts {
		key += fmt.Sprintf(" %d", p.id)
		n.height = max(n.height, p.height)
	}
	if known := c.nodes[key]; known != nil {
		return known
	}
	n.id, n.slot = len(c.nodes), -1
	if n.temporal() {
		n.slot, n.height = c.slots, n.height+1
		c.slots++
	}
	if n.kind == until {
		n.reduced = c.plain && n.parts[0].kind == always && n.parts[1].height == 0
	}
	c.nodes[key] = &n
	return &n
}

func (c *compiler) top() *node    { return c.make(node{kind: always}) }
func (c *compiler) bottom() *node { return c.not(c.top()) }

func isTop(n *node) bool    { return n.kind == always }
func isBottom(n *node) bool { return n.kind == not && n.parts[0].kind == always }

func (c *compiler) not(n *node) *node {
	if n.kind == not {
		return n.parts[0]
	}
	return c.make(node{kind: not, parts: []*node{n}})
}

// join returns the conjunction or disjunction of some nodes, flat and without repetition.
func (c *compiler) join(k kind, list ...*node) *node {
	neutral, settled := isTop, isBottom
	if k == or {
		neutral, settled = isBottom, isTop
	}
	var parts []*node
	for _, n := range list {
		switch {
		case settled(n):
			return n
		case neutral(n):
		case n.kind == k:
			parts = append(parts, n.parts...)
		default:
			parts = append(parts, n)
		}
	}
	slices.SortFunc(parts, func(a, b *node) int {
		return cmp.Or(cmp.Compare(a.height, b.height), cmp.Compare(a.id, b.id))
	})
	parts = slices.Compact(parts)
	switch {
	case len(parts) == 1:
		return parts[0]
	case len(parts) > 0:
		return c.make(node{kind: k, parts: parts})
	case k == and:
		return c.top()
	}
	return c.bottom()
}

// compile returns the node of a formula whose atoms are resolved.
func (c *compiler) compile(f *ctl.Formula) *node {
	if f.Means != nil {
		return c.compile(f.Means)
	}
	switch f.Op {
	case ctl.True:
		return c.top()
	case ctl.False:
		return c.bottom()
	case ctl.Atom:
		if f.Sum != nil {
			return c.make(node{kind: atMost, sum: f.Sum})
		}
		return c.make(node{kind: place, place: f.Place})
	}
	if f.Op == ctl.And || f.Op == ctl.Or {
		return c.chain(f)
	}
	left := c.compile(f.Left)
	if f.Right == nil {
		return c.unary(f.Op, left)
	}
	return c.binary(f.Op, left, c.compile(f.Right))
}

// chain returns the node of a && b && ..., or of a || b || ..., of any length and nesting.
func (c *compiler) chain(f *ctl.Formula) *node {
	var list []*node
	rest := []*ctl.Formula{f}
	for len(rest) > 0 {
		g := rest[len(rest)-1]
		if rest = rest[:len(rest)-1]; g.Op == f.Op {
			rest = append(rest, g.Right, g.Left)
		} else {
			list = append(list, c.compile(g))
		}
	}
	if f.Op == ctl.And {
		return c.join(and, list...)
	}
	return c.join(or, list...)
}

func (c *compiler) unary(op ctl.Op, p *node) *node {
	switch op {
	case ctl.Not:
		return c.not(p)
	case ctl.EX:
		return c.next(p)
	case ctl.AX:
		return c.not(c.next(c.not(p)))
	case ctl.EF:
		return c.until(c.top(), p)
	case ctl.AG:
		return c.not(c.until(c.top(), c.not(p)))
	case ctl.EG:
		return c.weak(p, c.bottom())
	case ctl.AF:
		return c.not(c.weak(c.not(p), c.bottom()))
	}
	panic(fmt.Sprintf("local: operator %d has no meaning", op))
}

func (c *compiler) binary(op ctl.Op, p, q *node) *node {
	switch op {
	case ctl.Implies:
		return c.join(or, c.not(p), q)
	case ctl.Iff:
		return c.make(node{kind: iff, parts: []*node{p, q}})
	case ctl.EU:
		return c.until(p, q)
	case ctl.EW:
		return c.weak(p, q)
	case ctl.AU: // no path delays q until p fails too, or for ever
		return c.not(c.weak(c.not(q), c.join(and, c.not(p), c.not(q))))
	case ctl.AW:
		return c.not(c.until(c.not(q), c.join(and, c.not(p), c.not(q))))
	}
	panic(fmt.Sprintf("local: operator %d has no meaning", op))
}

// next returns the node of EX p. EX true says that the state is no dead end.
func (c *compiler) next(p *node) *node {
	switch {
	case isTop(p):
		return c.not(c.make(node{kind: dead}))
	case isBottom(p):
		return p
	}
	return c.make(node{kind: next, parts: []*node{p}})
}

func (c *compiler) until(p, q *node) *node {
	if isTop(q) || isBottom(q) || isBottom(p) {
		return q
	}
	return c.make(node{kind: until, parts: []*node{p, q}})
}

func (c *compiler) weak(p, q *node) *node {
	switch {
	case isTop(q) || isTop(p):
		return c.top()
	case isBottom(p):
		return q
	}
	return c.make(node{kind: weak, parts: []*node{p, q}})
}
