package mcc_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/naive"
)

// A plain net counts tokens. It shares nothing with package petri.
type plain struct {
	tokens  []int
	in, out [][]int // by transition, the weight of its arc from or to each place
}

func anyPlain(t *rapid.T) plain {
	places, transitions := rapid.SampledFrom([]int{5, 3, 1, 2, 4, 6}).Draw(t, "places"), rapid.SampledFrom([]int{5, 6, 3, 0, 1, 2, 4}).Draw(t, "transitions")
	n := plain{tokens: rapid.SliceOfN(rapid.IntRange(0, 1), places, places).Draw(t, "tokens")}
	arcs := rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 0, 1}), places, places)
	for range transitions {
		n.in, n.out = append(n.in, arcs.Draw(t, "in")), append(n.out, arcs.Draw(t, "out"))
	}
	if rapid.IntRange(0, 9).Draw(t, "moving") < 7 && places > 1 {
		n.move(t)
	}
	switch rapid.IntRange(0, 30).Draw(t, "unsafe") {
	case 29:
		n.tokens[0] = 2
	case 30:
		if transitions > 0 {
			n.in[0][0] = 2
		}
	}
	return n
}

// move makes all transitions move one token among the first half of the places, one among the rest, or both at once: that is
// one-safe.
func (n *plain) move(t *rapid.T) {
	places := 5 + len(n.tokens)%3
	half := [][2]int{{0, places/2 - 1}, {places / 2, places - 1}}
	n.tokens = make([]int, places)
	n.tokens[0], n.tokens[places/2] = 1, 1
	for i := range n.in {
		n.in[i], n.out[i] = make([]int, places), make([]int, places)
		for k := range half {
			if size := half[k][1] - half[k][0] + 1; k == i%2 || rapid.IntRange(0, 9).Draw(t, "both") > 7 {
				from := (i + rapid.IntRange(0, size-1).Draw(t, "from")) % size
				to := (from + 1 + rapid.IntRange(0, size-1).Draw(t, "to")) % size
				n.in[i][half[k][0]+from], n.out[i][half[k][0]+to] = 1, 1
			}
		}
	}
}

// pnml writes the net.
func (n plain) pnml() string {
	var b strings.Builder
	b.WriteString(`<pnml><net id="n"><page id="g">`)
	arc := func(from, to string, weight int) {
		if weight > 0 {
			fmt.Fprintf(&b, `<arc source="%s" target="%s"><inscription><text>%d</text></inscription></arc>`, from, to, weight)
		}
	}
	for p, k := range n.tokens {
		fmt.Fprintf(&b, `<place id="p%d"><initialMarking><text>%d</text></initialMarking></place>`, p, k)
	}
	for i := range n.in {
		t := fmt.Sprint("t", i)
		fmt.Fprintf(&b, `<transition id="%s"/>`, t)
		for p := range n.tokens {
			arc(fmt.Sprint("p", p), t, n.in[i][p])
			arc(t, fmt.Sprint("p", p), n.out[i][p])
		}
	}
	b.WriteString(`</page></net></pnml>`)
	return b.String()
}

func (n plain) fireable(m []int, t int) bool {
	for p, k := range m {
		if k < n.in[t][p] {
			return false
		}
	}
	return true
}

func (n plain) dead(m []int) bool {
	for t := range n.in {
		if n.fireable(m, t) {
			return false
		}
	}
	return true
}

func (n plain) fire(m []int, t int) []int {
	after := slices.Clone(m)
	for p := range after {
		after[p] += n.out[t][p] - n.in[t][p]
	}
	return after
}

// A plainModel is all reachable markings; safe while none has two tokens on a place.
type plainModel struct {
	plain
	marks [][]int
	succ  [][]int
	safe  bool
}

func (n plain) explore() plainModel {
	x := plainModel{plain: n, marks: [][]int{n.tokens}, safe: true}
	for _, list := range append(append([][]int{n.tokens}, n.in...), n.out...) {
		x.safe = x.safe && slices.Max(list) <= 1
	}
	for s := 0; s < len(x.marks) && x.safe; s++ {
		x.succ = append(x.succ, nil)
		for t := range n.in {
			if !n.fireable(x.marks[s], t) {
				continue
			}
			after := n.fire(x.marks[s], t)
			x.safe = x.safe && slices.Max(after) <= 1
			to := slices.IndexFunc(x.marks, func(m []int) bool { return slices.Equal(m, after) })
			if to < 0 {
				to, x.marks = len(x.marks), append(x.marks, after)
			}
			x.succ[s] = append(x.succ[s], to)
		}
	}
	return x
}

// some and all markings.
func (x plainModel) some(has func(m []int) bool) bool { return slices.ContainsFunc(x.marks, has) }
func (x plainModel) all(has func(m []int) bool) bool {
	return !x.some(func(m []int) bool { return !has(m) })
}

// live: from every marking, the transition can become fireable.
func (x plainModel) live(t int) bool {
	can := make([]bool, len(x.marks))
	for range x.marks {
		for s := range x.marks {
			can[s] = can[s] || x.fireable(x.marks[s], t) || slices.ContainsFunc(x.succ[s], func(to int) bool { return can[to] })
		}
	}
	return !slices.Contains(can, false)
}

func (x plainModel) stable(p int) bool {
	return x.all(func(m []int) bool { return m[p] == x.marks[0][p] })
}

// A query is a formula as XML, and as a tree whose atoms are tests of a marking.
type query struct {
	xml   string
	tree  *ctl.Formula
	atoms *[]func(m []int) bool
}

func (x plainModel) holds(q query) bool {
	g := naive.Graph{Succ: x.succ, Holds: func(s, atom int) bool { return (*q.atoms)[atom](x.marks[s]) }}
	return naive.Sat(g, q.tree)[0]
}

// anyQuery draws a formula; cardinality chooses its atoms.
func (n plain) anyQuery(t *rapid.T, cardinality bool, depth int) query {
	atoms := []func(m []int) bool{}
	b := &queries{n, t, cardinality, &atoms}
	text, tree := b.formula(depth)
	return query{text, tree, &atoms}
}

type queries struct {
	plain
	*rapid.T
	cardinality bool
	atoms       *[]func(m []int) bool
}

func (b *queries) formula(depth int) (string, *ctl.Formula) {
	if depth == 0 {
		return b.leaf()
	}
	op := rapid.SampledFrom([]ctl.Op{ctl.Atom, ctl.Not, ctl.And, ctl.Or, ctl.EX, ctl.AX, ctl.EF, ctl.AF, ctl.EG, ctl.AG, ctl.EU, ctl.AU}).Draw(b.T, "op")
	path := func(quantifier, inner string) string { return "<" + quantifier + ">" + inner + "</" + quantifier + ">" }
	f := &ctl.Formula{Op: op}
	if op == ctl.Atom {
		return b.leaf()
	}
	var left, right string
	left, f.Left = b.formula(depth - 1)
	switch op {
	case ctl.And, ctl.Or, ctl.EU, ctl.AU:
		right, f.Right = b.formula(depth - 1)
	}
	switch op {
	case ctl.Not:
		return path("negation", left), f
	case ctl.And:
		return path("conjunction", left+right), f
	case ctl.Or:
		return path("disjunction", left+right), f
	}
	inner := map[ctl.Op]string{ctl.EX: "next", ctl.AX: "next", ctl.EF: "finally", ctl.AF: "finally", ctl.EG: "globally", ctl.AG: "globally"}[op]
	quantifier := "all-paths"
	if op == ctl.EX || op == ctl.EF || op == ctl.EG || op == ctl.EU {
		quantifier = "exists-path"
	}
	if inner == "" {
		return path(quantifier, path("until", path("before", left)+path("reach", right))), f
	}
	return path(quantifier, path(inner, left)), f
}

func (b *queries) atom(text string, holds func(m []int) bool) (string, *ctl.Formula) {
	*b.atoms = append(*b.atoms, holds)
	return text, &ctl.Formula{Op: ctl.Atom, Place: len(*b.atoms) - 1}
}

func (b *queries) leaf() (string, *ctl.Formula) {
	switch rapid.IntRange(0, 12).Draw(b.T, "leaf") {
	case 0:
		return b.atom("<true/>", func([]int) bool { return true })
	case 1:
		return b.atom("<false/>", func([]int) bool { return false })
	case 2:
		return b.atom("<deadlock/>", b.dead)
	}
	if b.cardinality || len(b.in) == 0 {
		left, l := b.number(2)
		right, r := b.number(2)
		return b.atom("<integer-le>"+left+right+"</integer-le>", func(m []int) bool { return l(m) <= r(m) })
	}
	list := rapid.SliceOfN(rapid.IntRange(0, len(b.in)-1), 1, 3).Draw(b.T, "transitions")
	text := ""
	for _, t := range list {
		text += fmt.Sprintf("<transition>t%d</transition>", t)
	}
	return b.atom("<is-fireable>"+text+"</is-fireable>", func(m []int) bool {
		return slices.ContainsFunc(list, func(t int) bool { return b.fireable(m, t) })
	})
}

func (b *queries) number(depth int) (string, func(m []int) int) {
	kind := rapid.IntRange(0, 4).Draw(b.T, "number")
	if depth == 0 {
		kind %= 3
	}
	switch kind {
	case 0:
		k := rapid.IntRange(-1, 4).Draw(b.T, "constant")
		return fmt.Sprintf("<integer-constant>%d</integer-constant>", k), func([]int) int { return k }
	case 3, 4:
		left, l := b.number(depth - 1)
		right, r := b.number(depth - 1)
		if kind == 3 {
			return "<integer-sum>" + left + right + "</integer-sum>", func(m []int) int { return l(m) + r(m) }
		}
		return "<integer-difference>" + left + right + "</integer-difference>", func(m []int) int { return l(m) - r(m) }
	}
	list := rapid.SliceOfN(rapid.IntRange(0, len(b.tokens)-1), 1, 4).Draw(b.T, "places")
	text := ""
	for _, p := range list {
		text += fmt.Sprintf("<place>p%d</place>", p)
	}
	return "<tokens-count>" + text + "</tokens-count>", func(m []int) int {
		sum := 0
		for _, p := range list {
			sum += m[p]
		}
		return sum
	}
}
