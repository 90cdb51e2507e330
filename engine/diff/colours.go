package diff

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Renamed things are found by colour refinement (B. Weisfeiler, A. Lehman, 1968, A reduction of a graph to a canonical form and an algebra
// arising during this reduction) over both contracts at once. A paired thing has a colour of its own. Any other thing is first coloured by
// its clauses without names. Then it is recoloured by its colour, the things it names and the things that name it, until no colour splits
// any more. A colour with exactly one thing on each side is a pair.
//
// Removed and added things name others too, and make those look different. So if nothing more is found, things without a partner are
// ignored as naming others (see partial).

// maxUpward is the number of rounds in which the colours of parts affect the colour of their parent. Later rounds distinguish parts without
// distinguishing the parent: a party can have thousands of parts.
const maxUpward = 16

// A tie is an edge from one node to another. how is the position at which the first names the second.
type tie struct {
	how string
	to  int
}

// A colouring is the state of a refinement. Its nodes are the things of base, then those of head.
type colouring struct {
	*pairing
	links   [][]tie
	colour  []int
	sign    []string // signature when it was last coloured
	members [][]int  // nodes without partner, by colour
	place   []int    // index of a node in the members of its colour
	upward  bool
	partial bool // nodes without partner do not affect the nodes they name
}

// byStructure pairs things that are alone of their colour on both sides. Things without a parent come first, so that the parts of a renamed
// party are compared by name. It reports whether it found any.
func (p *pairing) byStructure(partial bool) bool {
	c := p.coloured(partial)
	if c == nil {
		return false
	}
	outer := c.join(func(i, j int) bool { return p.base.things[i].parent < 0 })
	return outer || c.join(func(i, j int) bool { return open(p.base, p.toHead, i) && open(p.head, p.toBase, j) })
}

// join pairs the candidates that allowed accepts, and reports whether there were any.
func (c *colouring) join(allowed func(base, head int) bool) bool {
	n := len(c.base.things)
	var found [][2]int
	for _, list := range c.members {
		if len(list) != 2 {
			continue
		}
		if i, j := min(list[0], list[1]), max(list[0], list[1])-n; i < n && j >= 0 && allowed(i, j) && c.samePerson(i, j) && c.evident(i) {
			found = append(found, [2]int{i, j})
		}
	}
	for _, f := range found { // only now: a new pair must not be evidence for another
		c.pairing.join(f[0], f[1])
	}
	return len(found) > 0
}

// evident reports whether a paired neighbour supports a pair. In a partial colouring nothing else does.
func (c *colouring) evident(v int) bool {
	return !c.partial || slices.ContainsFunc(c.links[v], func(l tie) bool { return l.how != "of" && l.how != upwards && c.paired(l.to) })
}

// coloured returns the stable colouring, or nil if one side has nothing left to pair.
func (p *pairing) coloured(partial bool) *colouring {
	c := &colouring{pairing: p, partial: partial}
	n, m := len(p.base.things), len(p.head.things)
	if !slices.Contains(p.toHead, -1) || !slices.Contains(p.toBase, -1) {
		return nil
	}
	c.colour, c.place, c.sign, c.links = make([]int, n+m), make([]int, n+m), make([]string, n+m), make([][]tie, n+m)
	c.connect(p.base, 0)
	c.connect(p.head, n)
	c.first()
	dirty := slices.Concat(c.members...)
	for round := 0; len(dirty) > 0; round++ {
		c.upward = round < maxUpward
		dirty = c.refine(dirty)
	}
	return c
}

// connect adds the ties of a side's things, in both directions.
func (c *colouring) connect(in *inventory, offset int) {
	for i, t := range in.things {
		from := offset + i
		if t.parent >= 0 {
			c.links[from] = append(c.links[from], tie{"of", offset + t.parent})
			c.links[offset+t.parent] = append(c.links[offset+t.parent], tie{upwards, from})
		}
		for _, clause := range in.all(i) {
			clause.value.each(clause.word, func(at string, thing int) {
				c.links[from] = append(c.links[from], tie{at, offset + thing})
				c.links[offset+thing] = append(c.links[offset+thing], tie{"<" + at, from})
			})
		}
	}
}

const upwards = "part"

// all returns the clauses of a thing, including the values of its counters.
func (in *inventory) all(i int) []clause {
	t := in.things[i]
	if t.counts == nil {
		return t.clauses
	}
	return append(slices.Clip(t.clauses), clause{word: "counters", value: t.counts.value()})
}

// first sets the initial colours: one of its own for each pair, and one for each text of clauses without names.
func (c *colouring) first() {
	n := len(c.base.things)
	colours := map[string]int{}
	c.members = make([][]int, n)
	for v := range c.colour {
		in, i := c.base, v
		if v >= n {
			in, i = c.head, v-n
		}
		switch {
		case v < n && c.toHead[v] >= 0:
			c.colour[v] = v
			continue
		case v >= n && c.toBase[i] >= 0:
			c.colour[v] = c.toBase[i]
			continue
		}
		said := in.nameless(i)
		k, known := colours[said]
		if !known {
			k = len(c.members)
			colours[said], c.members = k, append(c.members, nil)
		}
		c.colour[v], c.place[v] = k, len(c.members[k])
		c.members[k] = append(c.members[k], v)
	}
}

// nameless returns the element and clauses of a thing as a text without names.
func (in *inventory) nameless(i int) string {
	var b strings.Builder
	t := in.things[i]
	fmt.Fprintf(&b, "%d %d", t.element, t.parts)
	if t.counts != nil {
		fmt.Fprintf(&b, " %d rows", len(t.counts.rows))
	}
	for _, clause := range in.all(i) {
		b.WriteString(" " + clause.word)
		clause.value.write(&b, func(int) string { return "" })
	}
	return b.String()
}

// refine recolours some nodes, and returns those that have to be recoloured next.
func (c *colouring) refine(dirty []int) []int {
	touched := map[int][]int{}
	for _, v := range dirty {
		touched[c.colour[v]] = append(touched[c.colour[v]], v)
	}
	var moved []int
	signs := make(map[int]string, len(dirty))
	for _, v := range dirty {
		signs[v] = c.signature(v)
	}
	for _, k := range slices.Sorted(maps.Keys(touched)) {
		moved = append(moved, c.split(k, touched[k], signs)...)
	}
	return c.around(moved)
}

// split divides the nodes of a colour by their signatures, and returns the nodes with a new colour. Nodes that were not recoloured share
// one signature and keep the colour; if there are none, the largest part keeps it.
func (c *colouring) split(k int, dirty []int, signs map[int]string) []int {
	parts := map[string][]int{}
	for _, v := range dirty {
		parts[signs[v]] = append(parts[signs[v]], v)
	}
	order := slices.Sorted(maps.Keys(parts))
	keep := ""
	if rest := c.undisturbed(k, signs); rest >= 0 {
		keep = c.sign[rest]
	} else {
		for _, s := range order {
			if len(parts[s]) > len(parts[keep]) {
				keep = s
			}
		}
	}
	for _, v := range dirty {
		c.sign[v] = signs[v]
	}
	var moved []int
	for _, s := range order {
		if s != keep {
			c.move(parts[s], k)
			moved = append(moved, parts[s]...)
		}
	}
	return moved
}

// undisturbed returns a node of a colour that is not being recoloured, or -1.
func (c *colouring) undisturbed(k int, signs map[int]string) int {
	for _, v := range c.members[k] {
		if _, anew := signs[v]; !anew {
			return v
		}
	}
	return -1
}

// move gives nodes of a colour a new colour.
func (c *colouring) move(nodes []int, from int) {
	for _, v := range nodes {
		list := c.members[from]
		last := list[len(list)-1]
		list[c.place[v]], c.place[last] = last, c.place[v]
		c.members[from] = list[:len(list)-1]
	}
	for i, v := range nodes {
		c.colour[v], c.place[v] = len(c.members), i
	}
	c.members = append(c.members, nodes)
}

// signature returns the colours of a node's neighbours as a text.
func (c *colouring) signature(v int) string {
	words := make([]string, 0, len(c.links[v]))
	for _, l := range c.links[v] {
		up, aside := l.how == upwards, c.partial && l.how[0] == '<' && !c.paired(l.to)
		if (!up || c.upward) && !aside {
			words = append(words, l.how+" "+strconv.Itoa(c.colour[l.to]))
		}
	}
	slices.Sort(words)
	return strings.Join(words, "\n")
}

// around returns the neighbours without partner of some nodes.
func (c *colouring) around(moved []int) []int {
	seen := map[int]bool{}
	var list []int
	for _, v := range moved {
		for _, l := range c.links[v] {
			if l.how == "of" && !c.upward || seen[l.to] || c.paired(l.to) {
				continue
			}
			seen[l.to] = true
			list = append(list, l.to)
		}
	}
	slices.Sort(list)
	return list
}

// paired reports whether a node has a partner.
func (c *colouring) paired(v int) bool {
	if n := len(c.base.things); v >= n {
		return c.toBase[v-n] >= 0
	}
	return c.toHead[v] >= 0
}
