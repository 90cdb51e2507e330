package diff

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Renamed things are found by colour refinement (B. Weisfeiler, A. Lehman, 1968, A reduction of a graph to
// a canonical form and an algebra arising during this reduction) over both contracts at once. What has
// a partner already has a colour of its own. All else is coloured at first by what it says but for
// names, then again and again by its colour, what it names and what names it, until no colour splits
// any more. A colour that one thing on each side has is a pair.
//
// What was removed or added names things, too, and would make those look otherwise. So where nothing is
// found any more, what has no partner itself is left aside as long as it only names.

// maxUpward is how many rounds the colours of parts count in what they belong to. Beyond that a party's
// parts are told apart without telling the party apart: a party has thousands of them.
const maxUpward = 16

// A tie leads from one node to another, and says how the first names the second.
type tie struct {
	how string
	to  int
}

// colouring is a refinement under way. Its nodes are the things of base, then those of head.
type colouring struct {
	*pairing
	links   [][]tie
	colour  []int
	sign    []string // as of when it was last coloured
	members [][]int  // by colour, of the nodes without partner
	place   []int    // of a node in the members of its colour
	upward  bool
	partial bool // what has no partner does not count for what it names
}

// byStructure joins what is alone of its colour on both sides: first what belongs to nothing, so that
// the parts of a renamed party are compared by name. It reports whether there was any.
func (p *pairing) byStructure(partial bool) bool {
	c := p.coloured(partial)
	if c == nil {
		return false
	}
	outer := c.join(func(i, j int) bool { return p.base.things[i].parent < 0 })
	return outer || c.join(func(i, j int) bool { return open(p.base, p.toHead, i) && open(p.head, p.toBase, j) })
}

// join joins the pairs that are allowed, and reports whether there were any.
func (c *colouring) join(allowed func(base, head int) bool) bool {
	n := len(c.base.things)
	var found [][2]int
	for _, list := range c.members {
		if len(list) != 2 {
			continue
		}
		if i, j := min(list[0], list[1]), max(list[0], list[1])-n; i < n && j >= 0 && allowed(i, j) && c.evident(i) {
			found = append(found, [2]int{i, j})
		}
	}
	for _, f := range found { // only now: a pair must not speak for another
		c.pairing.join(f[0], f[1])
	}
	return len(found) > 0
}

// evident reports whether something that has a partner speaks for a pair: in part, nothing else does.
func (c *colouring) evident(v int) bool {
	return !c.partial || slices.ContainsFunc(c.links[v], func(l tie) bool { return l.how != "of" && l.how != upwards && c.paired(l.to) })
}

// coloured colours until nothing splits; nil where one side has nothing left to pair.
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

// connect collects what names what, both ways.
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

// all are the clauses of a thing, with what its counters come to.
func (in *inventory) all(i int) []clause {
	t := in.things[i]
	if t.counts == nil {
		return t.clauses
	}
	return append(slices.Clip(t.clauses), clause{word: "counters", value: t.counts.value()})
}

// first gives the first colours: to a pair one of its own, to all else one for what it says without
// names.
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

// refine colours some nodes anew, and returns those that are to be coloured for that.
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

// split parts the nodes of a colour by their signatures. Those that were not coloured anew have all the
// same and keep the colour; if there are none, the largest part does. It returns the others.
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

// undisturbed finds a node of a colour that is not coloured anew; -1: there is none.
func (c *colouring) undisturbed(k int, signs map[int]string) int {
	for _, v := range c.members[k] {
		if _, anew := signs[v]; !anew {
			return v
		}
	}
	return -1
}

// move gives nodes of a colour another.
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

// signature is the colour of a node and those around it.
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

// around are the nodes without partner that are next to some.
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

func (c *colouring) paired(v int) bool {
	if n := len(c.base.things); v >= n {
		return c.toBase[v-n] >= 0
	}
	return c.toHead[v] >= 0
}
