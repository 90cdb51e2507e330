package diff

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/redlinehq/redline/hclspec/construct"
)

// A pairing matches things of two contracts: those of the same name, and those that differ in nothing but their name.
type pairing struct {
	base, head     *inventory
	toHead, toBase []int // -1: the other has none
	following      map[int]bool
	lost           func() map[int]Displaced // things of base; nil: none
}

// pair matches the things of two inventories.
func pair(base, head *inventory) *pairing {
	p := &pairing{base: base, head: head, toHead: none(len(base.things)), toBase: none(len(head.things))}
	p.join(0, 0)
	for p.byName(); p.byStructure(false) || p.byParts() || p.byStructure(true) || p.byDuty(); p.byName() {
	}
	p.lost = sync.OnceValue(p.displaced)
	return p
}

func none(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = -1
	}
	return list
}

func (p *pairing) join(base, head int) { p.toHead[base], p.toBase[head] = head, base }

// open reports whether a thing has no partner, and its parent has one or does not exist.
func open(in *inventory, to []int, i int) bool {
	parent := in.things[i].parent
	return to[i] < 0 && (parent < 0 || to[parent] >= 0)
}

// byName pairs things of the same name, parents before their parts. Acceptances have no names of their own.
func (p *pairing) byName() {
	for i, t := range p.base.things {
		if t.element == Acceptance || !open(p.base, p.toHead, i) {
			continue
		}
		parent := t.parent
		if parent >= 0 {
			parent = p.toHead[parent]
		}
		if j := p.head.find(t.element, parent, t.name); j >= 0 && p.toBase[j] < 0 {
			p.join(i, j)
		}
	}
}

// maxAlone is the most parties without partner, on either side, that are compared with each other.
const maxAlone = 200

// byParts pairs parties that share at least two thirds of their parts, by name, with each other alone. It reports whether it found any.
func (p *pairing) byParts() bool {
	if lonely(p.base, p.toHead) > maxAlone || lonely(p.head, p.toBase) > maxAlone {
		return false
	}
	best := func(in *inventory, to []int, other *inventory, otherTo []int, same func(i, j int) bool) map[int]int {
		found := map[int]int{}
		for i, t := range in.things {
			if (t.element == Party || t.element == Net) && to[i] < 0 {
				if j := nearest(in, i, other, otherTo, same); j >= 0 {
					found[i] = j
				}
			}
		}
		return found
	}
	there := best(p.base, p.toHead, p.head, p.toBase, p.samePerson)
	back := best(p.head, p.toBase, p.base, p.toHead, func(j, i int) bool { return p.samePerson(i, j) })
	joined := false
	for i, j := range there {
		if k, mutual := back[j]; mutual && k == i {
			p.join(i, j)
			joined = true
		}
	}
	return joined
}

// byDuty pairs norms of which no other of their side without partner has the same parties, acts and beginning. Their time, and how else they end, may differ. It
// reports whether it found any.
func (p *pairing) byDuty() bool {
	base, head := p.duties(p.base, p.toHead, true), p.duties(p.head, p.toBase, false)
	joined := false
	for duty, i := range base {
		if j, both := head[duty]; both && i >= 0 && j >= 0 {
			p.join(i, j)
			joined = true
		}
	}
	return joined
}

// duties returns the norms of one side without partner, by what byDuty compares; -1: several have it.
func (p *pairing) duties(in *inventory, to []int, base bool) map[string]int {
	all := map[string]int{}
	for i, t := range in.things {
		k := slices.Index(normElements[:], t.element)
		if k < 0 || to[i] >= 0 {
			continue
		}
		kind := &construct.Norms[k]
		var duty []string
		for _, c := range t.clauses {
			if slices.Contains([]string{"bearer", "counterparty", kind.Act, kind.Begins}, c.word) {
				duty = append(duty, c.word+" "+c.value.written(p.name(base)))
			}
		}
		slices.Sort(duty)
		key := kind.Word + "\n" + strings.Join(duty, "\n")
		if _, again := all[key]; again {
			i = -1
		}
		all[key] = i
	}
	return all
}

// lonely returns the number of parties and nets without partner.
func lonely(in *inventory, to []int) int {
	n := 0
	for i, t := range in.things {
		if (t.element == Party || t.element == Net) && to[i] < 0 {
			n++
		}
	}
	return n
}

// nearest returns the party without partner that shares the most names of parts, at least two thirds of all, among those that can be the same person. It returns -1
// if there is none, or more than one.
func nearest(in *inventory, i int, other *inventory, to []int, same func(i, j int) bool) int {
	found, most, twice := -1, 0, false
	for j, t := range other.things {
		if t.element != in.things[i].element || to[j] >= 0 || !same(i, j) {
			continue
		}
		n := in.common(i, other, j)
		if 3*2*n < 2*(in.things[i].parts+t.parts) || n == 0 {
			continue
		}
		twice = n == most
		if n > most {
			found, most = j, n
		}
	}
	if twice {
		return -1
	}
	return found
}

// common returns the number of parts of two parties with the same name.
func (in *inventory) common(i int, other *inventory, j int) int {
	n := 0
	for _, part := range in.partsOf(i) {
		t := in.things[part]
		if other.find(t.element, j, t.name) >= 0 {
			n++
		}
	}
	return n
}

func (in *inventory) partsOf(i int) []int {
	if in.own == nil {
		in.own = map[int][]int{}
		for j, t := range in.things {
			if t.parent >= 0 && t.element < instance {
				in.own[t.parent] = append(in.own[t.parent], j)
			}
		}
	}
	return in.own[i]
}

// name returns a function that writes things of base or head so that both sides of a pair are written alike.
func (p *pairing) name(base bool) func(thing int) string {
	return func(i int) string {
		switch {
		case !base:
			return strconv.Itoa(i)
		case p.toHead[i] >= 0:
			return strconv.Itoa(p.toHead[i])
		}
		return "-" + strconv.Itoa(i)
	}
}
