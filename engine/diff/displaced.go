package diff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// A formula is the same on both sides if its names mean the same. An amendment can keep a name and give it to something else: the state that
// was "paid" is now "settled", and an idle "paid" lies beside it, or two states have changed their names. Such a name is displaced, and a formula of base
// that has it can't be asked of head. What it would mean there is not guessed.

// A Displaced is a name of base that may mean something else on head.
type Displaced struct {
	Name  string
	Event bool
	Idle  bool   // on head, and not on base, and New is new; if not set, it has lost all that it was tied to, most of it to New
	New   string // what may stand for it on head; empty: the participants of the event, or Since
	Since string // all that brought it about on base, and is on head without bringing it about there, as base says it; empty: it is one of the above
}

// displaced returns the things of base for which head may have another thing of the same name: one that is idle while the thing of base is not,
// where something of the kind is new on head; or one that has none of the ties of the thing of base, while something else that lacked them has most of
// them. What events or transitions bring about is another one if none of those that are still there does so on head.
func (p *pairing) displaced() map[int]Displaced {
	lost := map[int]Displaced{}
	before, after := p.base.inUse(), p.head.inUse()
	fresh := p.fresh()
	ties := p.bonds()
	was, is := p.base.causes(), p.head.causes()
	for i, t := range p.base.things {
		j := p.namesake(i)
		if j < 0 || kindOf(t.element) == 0 {
			continue
		}
		idle := before[i] && !after[j]
		if since := p.broughtAbout(i, j, was, is); since != "" {
			lost[i] = Displaced{Name: p.base.full(i), Since: since}
			continue
		}
		by := ties.taken(i, j, !after[j])
		meant := idle && by < 0 && p.meant(i, &by, fresh, after)
		if by < 0 && !meant {
			continue
		}
		one := Displaced{Name: p.base.full(i), Event: t.element == Event, Idle: idle && (by < 0 || p.toBase[by] < 0)}
		if by >= 0 {
			one.New = p.head.full(by)
		}
		lost[i] = one
	}
	return lost
}

// broughtAbout says what brings a state, flag, counter or place of base about if some of that is on head and none of it brings about its namesake
// there; else "". If only transitions brought it about, something else of base has to do so on head, and to come without what did: a state that is put
// before another changes the step that leads to that, not what has to come first.
func (p *pairing) broughtAbout(i, namesake int, before, after causes) string {
	now, named := map[string]bool{}, maps.Clone(after[namesake])
	if named == nil {
		named = map[int]bool{}
	}
	for _, v := range occasionsOf(p.head.things[namesake]) {
		now[v.written(p.name(false))] = true
		v.each("", func(_ string, j int) { named[j] = true })
	}
	was, there := occasionsOf(p.base.things[i]), false
	for _, v := range was {
		known, still := true, now[v.written(p.name(true))]
		v.each("", func(_ string, k int) {
			j := p.toHead[k]
			_, moves := after[namesake][j]
			known, still = known && j >= 0, still || moves
		})
		if still {
			return ""
		}
		there = there || known
	}
	var gone []int
	for _, k := range slices.Sorted(maps.Keys(before[i])) {
		if !before[i][k] {
			continue
		}
		was = append(slices.Clip(was), literal(p.base.full(k)))
		if j := p.toHead[k]; j >= 0 {
			if _, still := named[j]; still {
				return ""
			}
			gone = append(gone, j)
		}
	}
	if !there {
		others := false
		for j, alone := range named {
			_, left := before[i][p.toBase[j]] // a transition that leaves its event is no other
			others = others || alone && p.toBase[j] >= 0 && !left
		}
		if len(gone) == 0 || !others || !p.head.inUse(gone...)[namesake] {
			return ""
		}
	}
	return p.base.text(several(was))
}

// occasionsOf returns what brings a state or counter about of itself: events and changes of norms.
func occasionsOf(t thing) []value {
	all := clauseOf(t.clauses, "since").value.list
	for _, one := range clauseOf(t.clauses, "changes").value.list {
		if when := one.list[0]; len(when.list) == 3 {
			all = append(slices.Clip(all), when.list[1].list...) // any(a, b)
		} else {
			all = append(slices.Clip(all), when)
		}
	}
	return all
}

// causes has the events and transitions that bring things about: true for an event, and for a transition that is in none, false for one that is.
type causes map[int]map[int]bool

// causes returns the causes of one side's states, flags, counters and places, by transitions.
func (in *inventory) causes() causes {
	events := map[int][]int{} // by label
	for i, t := range in.things {
		for _, c := range t.clauses {
			c.compiled().each("", func(_ string, k int) {
				if t.element == Event && in.things[k].element == label {
					events[k] = append(events[k], i)
				}
			})
		}
	}
	all := causes{}
	for i, t := range in.things {
		if t.element != Transition {
			continue
		}
		var with []int
		clauseOf(t.clauses, "label").value.each("", func(_ string, k int) { with = append(with, events[k]...) })
		for _, place := range in.leadsTo(t) {
			if all[place] == nil {
				all[place] = map[int]bool{}
			}
			all[place][i] = len(with) == 0
			for _, e := range with {
				all[place][e] = true
			}
		}
	}
	return all
}

// leadsTo returns what a transition makes other than it is at first: states and places that it enters, flags that it sets, counters that it moves away
// from their initial value.
func (in *inventory) leadsTo(t thing) (list []int) {
	initial := func(k int, word string) string { return clauseOf(in.things[k].clauses, word).value.words }
	left := map[int]bool{}
	for _, word := range []string{"from", "consume", "read"} {
		clauseOf(t.clauses, word).value.each("", func(_ string, k int) { left[k] = true })
	}
	for _, word := range []string{"to", "produce"} {
		clauseOf(t.clauses, word).value.each("", func(_ string, k int) {
			if e := in.things[k].element; (e == State || e == Place) && !left[k] && initial(k, "marked") == "" {
				list = append(list, k)
			}
		})
	}
	var sets func(v value)
	sets = func(v value) {
		if len(v.list) == 3 && v.list[0].ref > 0 {
			if k := v.list[0].thing(); cmp.Or(initial(k, "initial"), "false") != v.list[2].words {
				list = append(list, k)
			}
			return
		}
		for _, part := range v.list {
			sets(part)
		}
	}
	sets(clauseOf(t.clauses, "set").value)
	if t.counts == nil {
		return list
	}
	for _, r := range t.counts.rows {
		for _, m := range r.counters {
			first, _ := strconv.Atoi(initial(m.thing, "initial")) // of instances that differ: 0
			if !m.beyond && max(m.after-first, first-m.after) > max(m.before-first, first-m.before) {
				list = append(list, m.thing)
			}
		}
	}
	return list
}

// kindOf groups elements: one can stand for another of its group. It is 0 for elements that formulas do not name.
func kindOf(e Element) int {
	switch e {
	case Event, Transition:
		return 1
	case Party, Net, State, flag, Counter, Place, Document, Obligation, permission, Prohibition, Power:
		return 2
	}
	return 0
}

// fresh returns the things of head that have no partner. Whether they are in use does not matter: another amendment can change that.
func (p *pairing) fresh() []int {
	var list []int
	for j, t := range p.head.things {
		if p.toBase[j] < 0 && kindOf(t.element) > 0 {
			list = append(list, j)
		}
	}
	return list
}

// namesake returns the thing of head that a name of base means there, or -1: its partner, or a thing of another kind.
func (p *pairing) namesake(i int) int {
	t := p.base.things[i]
	if p.toHead[i] >= 0 {
		return p.toHead[i]
	}
	parent := t.parent
	if parent >= 0 {
		if parent = p.toHead[parent]; parent < 0 {
			return -1
		}
	}
	for _, group := range [][]Element{ownElements, normElements[:], {Party, Net}} {
		if !slices.Contains(group, t.element) {
			continue
		}
		for _, e := range group {
			if j := p.head.find(e, parent, t.name); j >= 0 {
				return j
			}
		}
	}
	return -1
}

// meant reports whether something else may stand for a thing of base that is idle on head: something of the kind is new, which is by, or what
// takes part in an event still does without it.
func (p *pairing) meant(i int, by *int, fresh []int, used []bool) bool {
	t := p.base.things[i]
	if k := slices.IndexFunc(fresh, func(j int) bool { return kindOf(p.head.things[j].element) == kindOf(t.element) }); k >= 0 {
		*by = fresh[k]
		return true
	}
	if t.element != Event {
		return false
	}
	labels := map[int]bool{}
	for _, c := range t.clauses {
		c.compiled().each(c.word, func(_ string, k int) { labels[p.toHead[k]] = p.base.things[k].element == label })
	}
	for j, now := range p.head.things {
		if now.element == Transition && used[j] && labels[clauseOf(now.clauses, "label").value.thing()] {
			return true
		}
	}
	return false
}

// compiled returns the meaning of a clause, or its value if that says it all.
func (c clause) compiled() value {
	if c.also.empty() {
		return c.value
	}
	return c.also
}

// A bond says that a thing names a paired thing in a clause, or is named by it. Formulas make no ties: what they mean is the question.
type bond struct {
	word  string
	names bool // the thing names the other
	other int  // on head
}

// A bonds has the ties of the things of both sides.
type bonds struct {
	*pairing
	base, head map[int]map[bond]bool
	gained     map[bond][]int // the things of head that have a tie which their partners do not have, if they have one
}

func (p *pairing) bonds() *bonds {
	b := &bonds{pairing: p, gained: map[bond][]int{}}
	b.base = p.base.bonds(func(i int) int { return p.toHead[i] })
	b.head = p.head.bonds(func(j int) int {
		if p.toBase[j] < 0 {
			return -1
		}
		return j
	})
	for j, ties := range b.head {
		for t := range ties {
			if i := p.toBase[j]; i < 0 || !b.base[i][t] {
				b.gained[t] = append(b.gained[t], j)
			}
		}
	}
	return b
}

// bonds returns the ties of each thing of one side. number returns the partner of a thing as a number that both sides use, or -1.
func (in *inventory) bonds(number func(thing int) int) map[int]map[bond]bool {
	all := map[int]map[bond]bool{}
	put := func(i int, t bond) {
		if t.other < 0 {
			return
		}
		if all[i] == nil {
			all[i] = map[bond]bool{}
		}
		all[i][t] = true
	}
	for i, t := range in.things {
		if kindOf(t.element) == 0 {
			continue
		}
		for _, c := range in.all(i) {
			c.compiled().each("", func(_ string, k int) {
				if e := in.things[k].element; e != Party && e != Net && e != instance {
					put(i, bond{c.word, true, number(k)})
				}
				if in.things[i].parent != k {
					put(k, bond{c.word, false, number(i)})
				}
			})
		}
	}
	return all
}

// taken returns the thing that has come to have most of the ties of a thing of base, or -1 if there is none or the namesake has one of them. One tie is
// enough only if the namesake is idle, and the thing new: a step that is put before a state takes its only tie, too. An event is what takes part in it: a condition that the
// namesake keeps does not make it the same.
func (b *bonds) taken(i, namesake int, idle bool) int {
	ties := b.base[i]
	if b.pairing.base.things[i].element == Event {
		if acts := maps.Clone(ties); !idle {
			maps.DeleteFunc(acts, func(t bond, _ bool) bool { return !t.names || t.word != "sync" })
			if j := b.heir(acts, namesake, Event); j >= 0 {
				return j
			}
		}
	}
	if len(ties) == 0 || len(ties) == 1 && !idle {
		return -1
	}
	return b.heir(ties, namesake, b.pairing.base.things[i].element)
}

// heir returns the thing that has come to have most of some ties, or -1 if there is none or the namesake has one of them.
func (b *bonds) heir(ties map[bond]bool, namesake int, of Element) int {
	shared := map[int]int{}
	for t := range ties {
		if b.head[namesake][t] {
			return -1
		}
		for _, j := range b.gained[t] {
			if b.toBase[j] >= 0 && len(ties) == 1 && of != Event {
				continue // one tie goes to something else that was there by any step that leads elsewhere
			}
			if kindOf(b.pairing.head.things[j].element) == kindOf(of) {
				shared[j]++
			}
		}
	}
	for _, j := range slices.Sorted(maps.Keys(shared)) {
		if 2*shared[j] > len(ties) {
			return j
		}
	}
	return -1
}

// displaces reports whether a value names a displaced thing.
func (w way) displaces(v value) bool {
	found := false
	v.each("", func(_ string, i int) {
		if w.missing != nil && w.at[i] < 0 && w.from.things[i].element < instance {
			w.missing(w.from.things[i])
		}
		if one, ok := w.lost[i]; ok {
			found = true
			if w.noting != nil {
				w.noting(one)
			}
		}
	})
	return found
}

// endless reports whether a name that stands for the end of the contract stands for something of a party on the other side.
func (w way) endless(v value, name string) bool {
	if v.list != nil || v.ref > 0 || !strings.HasPrefix(name, "contract.") {
		return false
	}
	other := false
	w.to.atom(name, nil).each("", func(string, int) { other = true })
	if other && w.noting != nil {
		w.noting(Displaced{Name: name, Since: "the end of the contract"})
	}
	return other
}

// unspoken returns a name that the other side does not have. The first part of the name is lengthened: a document has any holder.
func (w way) unspoken(name string) string {
	for {
		name = "_" + name
		known := false
		for _, v := range []value{w.to.atom(name, nil), w.to.event(name, nil), w.to.partyNamed(name)} {
			v.each("", func(string, int) { known = true })
		}
		if !known {
			return name
		}
	}
}

// Displaced returns a displaced name of a requirement of base, or nil.
func (n *Names) Displaced(r *hclspec.Requirement) (found *Displaced) {
	n.noting(&found).requirement(r)
	return found
}

// DisplacedIn returns a displaced name in a formula of base, or nil.
func (n *Names) DisplacedIn(text *hclspec.Formula) (found *Displaced) {
	n.noting(&found).text(text)
	return found
}

// noting returns the way to head that keeps the first displaced name that it meets.
func (n *Names) noting(found **Displaced) way {
	w := n.forth()
	w.noting = func(one Displaced) { *found = cmp.Or(*found, &one) }
	return w
}

// Missing says which element a requirement of base names and head lacks; "" if there is none.
func (n *Names) Missing(r *hclspec.Requirement) (said string) {
	n.missing(&said).requirement(r)
	return said
}

// MissingIn says which element a formula of base names and head lacks; "" if there is none.
func (n *Names) MissingIn(text *hclspec.Formula) (said string) {
	n.missing(&said).text(text)
	return said
}

// missing returns the way to head that keeps what is to be said of the first element that it meets and head lacks.
func (n *Names) missing(said *string) way {
	w := n.forth()
	w.missing = func(t thing) {
		name := t.name
		if t.parent >= 0 {
			name = w.from.things[t.parent].name + "." + name
		}
		what := "removes"
		if n.reversed {
			what = "adds"
		}
		*said = cmp.Or(*said, fmt.Sprintf("the amendment %s the %s %s", what, t.element, name))
	}
	return w
}

// requirement goes the way with all names of a requirement.
func (w way) requirement(r *hclspec.Requirement) {
	actors := r.Assuming
	if r.RestsOn != nil {
		actors = append(slices.Clip(actors), r.RestsOn.On...)
	}
	for _, a := range actors {
		w.displaces(w.from.partyNamed(a.Name))
	}
	w.text(r.Formula)
}

// text goes the way with all names of a formula.
func (w way) text(text *hclspec.Formula) {
	if f, diag := phrase.ParseAsWritten(text); diag == nil {
		w.formula(f, nil)
	}
}
