package delta

import (
	"cmp"
	"slices"
)

// choose finds a place where the choices after the same words differ.
func (q *query) choose() error {
	head, errHead := q.pick(q.view.head, q.view.base)
	base, errBase := q.pick(q.view.base, q.view.head)
	own, p := q.pair.head, head
	if p == nil || base != nil && base.before(p) {
		own, p = q.pair.base, base
	}
	err := cmp.Or(errHead, errBase)
	if p == nil {
		return err
	}
	ends := func(class uint32) bool { return slices.Contains(p.states, class) }
	run, failed := q.shortest(q.again(), own, p.word, ends)
	if failed != nil {
		return failed
	}
	q.answer.Choice = &Choice{Run: run, Head: p == head, Next: p.next, Others: p.others}
	return err
}

// How a state differs from all states that the other side can be in, in order of preference.
const (
	byNext  = iota // in what can be observed next
	byStep         // it has no equal among them, and every successor has
	byClass        // it has no equal among them
)

// A picked is a place of a choice: after word, in one of states.
type picked struct {
	how    int
	word   []uint32
	states []uint32
	next   []uint32
	others [][]uint32
}

// before reports whether p, of one side, is the better choice than r, of the other. Of differences in the next observation it prefers the
// shorter word; of deeper ones the longer word, which is nearer to the difference.
func (p *picked) before(r *picked) bool {
	length := cmp.Compare(len(p.word), len(r.word))
	if p.how > byNext {
		length = -length
	}
	return cmp.Or(cmp.Compare(p.how, r.how), length, slices.Compare(p.word, r.word)) < 0
}

// A picker searches one side for a state without an equal. The other side must have all of its words.
type picker struct {
	*search
	nexts *nexts
	best  *picked
}

// pick returns the best place of one side, or nil if each of its states has an equal. The result is valid even if there is an error.
func (q *query) pick(from, other uint32) (*picked, error) {
	m := q.again()
	n, err := q.view.nexts(m)
	if err != nil {
		return nil, err
	}
	p := &picker{search: newSearch(m, q.view), nexts: n}
	if err := p.begin(from, other); err != nil {
		return nil, err
	}
	for g := 0; g < len(p.groups) && (p.best == nil || p.best.how > byNext); g++ {
		err := p.expand(g, func(int, uint32) error { panic("delta: refused, though included") })
		if err != nil {
			return p.best, err
		}
		p.look(g)
	}
	return p.best, nil
}

// look takes the states of a group if they are better than the best so far.
func (p *picker) look(g int) {
	p.nexts.those(p.sets.get(p.groups[g].set))
	how, states := byClass+1, []uint32(nil)
	for _, s := range p.members(g) {
		h := p.how(g, s)
		switch {
		case h > how || h == how && p.nexts.compare(s, states[0]) > 0:
			continue
		case h < how || p.nexts.compare(s, states[0]) < 0:
			how, states = h, states[:0]
		}
		states = append(states, s)
	}
	if p.best != nil && how >= p.best.how || how > byClass {
		return
	}
	p.best = &picked{how: how, word: p.word(g), states: states, next: slices.Clone(p.nexts.of(states[0])), others: p.nexts.all()}
}

// how returns how a state of group g, which has no equal in its set, differs from those in the set.
func (p *picker) how(g int, state uint32) int {
	switch {
	case !p.nexts.among(state):
		return byNext
	case p.best == nil || p.best.how > byStep:
		if p.deepest(g, state) {
			return byStep
		}
	}
	return byClass
}

// deepest reports whether every successor of a state has an equal.
func (p *picker) deepest(g int, state uint32) bool {
	set := p.groups[g].set
	labels, next, err := p.sets.after(set)
	if err != nil {
		panic("delta: a set that was expanded has none after it")
	}
	v := p.view.sys
	for a := v.First[state]; a < v.First[state+1]; a++ {
		to := set
		if l := v.Label[a]; l != Silent {
			i, _ := slices.BinarySearch(labels, l)
			to = next[i]
		}
		if !p.sets.has(to, v.Target[a]) {
			return false
		}
	}
	return true
}

// A nexts has what can be observed next in each state of a view, after any silent steps.
type nexts struct {
	lists
	list []uint32 // by state
	seen []int    // by list: the last turn in which it was one of those
	turn int
	now  []uint32 // lists of the current turn
}

// nexts collects from the lowest state upwards, since silent arcs lead to lower states.
func (v *view) nexts(m *stepBudget) (*nexts, error) {
	n := &nexts{lists: newLists(m), list: make([]uint32, v.sys.Len())}
	if err := m.claim(4 * len(n.list)); err != nil {
		return nil, err
	}
	var labels []uint32
	for s := range n.list {
		labels = labels[:0]
		if v.endless != nil && v.endless[s] {
			labels = append(labels, Silent)
		}
		for a := v.sys.First[s]; a < v.sys.First[s+1]; a++ {
			if l := v.sys.Label[a]; l != Silent {
				labels = append(labels, l)
			} else {
				labels = append(labels, n.of(v.sys.Target[a])...)
			}
		}
		slices.Sort(labels)
		labels = slices.Compact(labels)
		i, err := n.number(labels)
		if err != nil {
			return nil, err
		}
		n.list[s] = i
	}
	n.seen = make([]int, len(n.ends))
	return n, nil
}

func (n *nexts) of(state uint32) []uint32 { return n.get(n.list[state]) }

func (n *nexts) compare(s, t uint32) int { return slices.Compare(n.of(s), n.of(t)) }

// those starts a turn with the lists of some states.
func (n *nexts) those(states []uint32) {
	n.turn++
	n.now = n.now[:0]
	for _, s := range states {
		if i := n.list[s]; n.seen[i] != n.turn {
			n.seen[i] = n.turn
			n.now = append(n.now, i)
		}
	}
}

// among reports whether the list of a state is one of the turn's.
func (n *nexts) among(state uint32) bool { return n.seen[n.list[state]] == n.turn }

// all returns the lists of the turn, in order.
func (n *nexts) all() [][]uint32 {
	var all [][]uint32
	for _, i := range n.now {
		all = append(all, slices.Clone(n.get(i)))
	}
	slices.SortFunc(all, slices.Compare)
	return all
}
