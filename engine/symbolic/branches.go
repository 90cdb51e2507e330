package symbolic

import (
	"slices"

	"github.com/redlinehq/redline/engine/dd"
)

// A purpose selects a part of what a program does.
type purpose struct {
	some  bool // only if some move applies
	none  bool // only if no move applies
	test  bool // change nothing, and ignore contacts
	clash bool // with test: only where there is a contact
}

// maxCompileSteps bounds the steps of a compiler, to a few hundredths of a second. The better orders of variables need far fewer.
const maxCompileSteps = 1 << 18

// A compiler makes the relation of a program, level by level from the top. Between two levels it knows, of each choice, what is left of its
// conditions: those that hold or fail by values above are gone. Where a variable moves and the outcome of a choice still depends on values
// below, it goes on with each outcome, and with the promise that this will be the outcome. Below the last variable that a choice moves only the
// promise is left, and of equal promises one.
type compiler struct {
	*program
	e       *encoding
	all     *dd.Relations
	level   []int // by variable
	as      purpose
	order   []int              // variables, highest first
	asks    [][]int            // by index in order, the choices with atoms there
	ends    [][]int            // by index in order, the choices for which this is the lowest variable that they move
	does    []map[int][]effect // by index in order, the effects by the value of the variable; for values without an entry, those of anything
	rests   [][]entry          // by number: what is left of a choice
	numbers map[string]int32
	cuts    map[cut]int32
	known   map[string]dd.Relation
	said    map[atom]bool // that some condition has
	left    int           // steps
}

// An entry of a choice is a condition, as far as it is not known, and its outcome, or broken.
type entry struct {
	atoms   []atom
	outcome int
}

// A cut is a rest of a choice and a known value.
type cut struct{ rest, variable, value int32 }

const (
	settled = 0  // the number of a rest that nothing depends on
	broken  = -1 // in place of an outcome or a rest: against a promise
)

// compile adds the relation of a program to all. ok is false if that takes too many steps.
func (e *encoding) compile(all *dd.Relations, level []int, p *program, as purpose) (r dd.Relation, ok bool) {
	w := &compiler{program: p, e: e, all: all, level: level, as: as, left: maxCompileSteps, said: map[atom]bool{}}
	w.numbers, w.cuts, w.known = map[string]int32{}, map[cut]int32{}, map[string]dd.Relation{}
	w.rests = [][]entry{settled: nil}
	w.sort()
	r = w.from(0, state{rests: w.begin()})
	return r, w.left >= 0
}

// sort puts the variables in order, and notes where choices are asked about and where they end.
func (w *compiler) sort() {
	w.order = slices.Clone(w.variables)
	slices.SortFunc(w.order, func(a, b int) int { return w.level[b] - w.level[a] })
	w.asks, w.ends, w.does = make([][]int, len(w.order)), make([][]int, len(w.order)), make([]map[int][]effect, len(w.order))
	at, last := make(map[int]int, len(w.order)), make([]int, len(w.choices))
	for i, v := range w.order {
		at[v], w.does[i] = i, byValue(w.effects[v])
		for _, f := range w.effects[v] {
			last[f.choice] = i
		}
	}
	for k, c := range w.choices {
		w.ends[last[k]] = append(w.ends[last[k]], k)
		for _, condition := range c {
			for _, a := range condition {
				w.said[a] = true
				if i := at[a.variable]; !slices.Contains(w.asks[i], k) {
					w.asks[i] = append(w.asks[i], k)
				}
			}
		}
	}
}

// byValue returns effects by the value of their variable, in order. Every value has those of anything, too.
func byValue(effects []effect) map[int][]effect {
	by := map[int][]effect{anything: nil}
	for _, f := range effects {
		if _, seen := by[f.at]; !seen {
			by[f.at] = slices.Clone(by[anything])
		}
		for value := range by {
			if value == f.at || f.at == anything {
				by[value] = append(by[value], f)
			}
		}
	}
	return by
}

// begin returns, by choice, what is left while nothing is known.
func (w *compiler) begin() []int32 {
	rests := make([]int32, len(w.choices))
	for k, c := range w.choices {
		var entries []entry
		for i, condition := range c {
			entries = append(entries, entry{condition, i + 1})
		}
		rests[k] = w.number(append(entries, entry{outcome: 0}))
	}
	return rests
}

// A state of a compiler between two levels.
type state struct {
	rests          []int32 // by choice, settled below the last variable that it moves
	promises       []int32 // rests that must not come to broken, sorted
	moved, contact bool
}

func (s *state) key(i int) string {
	b := appendInt(make([]byte, 0, 4*len(s.rests)+4*len(s.promises)+6), i)
	for _, list := range [][]int32{s.rests, s.promises} {
		for _, r := range list {
			b = appendInt(b, int(r))
		}
	}
	return string(append(b, flag(s.moved), flag(s.contact)))
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// step counts steps of a few words each.
func (w *compiler) step(steps int) {
	w.left -= steps
	w.e.budget.By(steps)
}

// number returns the number of a rest in its shortest form, or broken.
func (w *compiler) number(entries []entry) int32 {
	w.step(1 + 2*len(entries))
	if i := slices.IndexFunc(entries, func(e entry) bool { return len(e.atoms) == 0 }); i >= 0 {
		entries = entries[:i+1]
	}
	for n := len(entries); n > 1 && entries[n-1].outcome == entries[n-2].outcome; n = len(entries) {
		entries = append(slices.Clone(entries[:n-2]), entries[n-1])
	}
	if len(entries) == 1 && entries[0].outcome == broken {
		return broken
	}
	var key []byte
	for _, e := range entries {
		for _, a := range e.atoms {
			key = appendInt(appendInt(key, a.variable), a.value)
		}
		key = appendInt(appendInt(key, -2), e.outcome)
	}
	n, again := w.numbers[string(key)]
	if !again {
		n = int32(len(w.rests))
		w.rests, w.numbers[string(key)] = append(w.rests, entries), n
	}
	return n
}

// after returns what is left of a rest where a variable has a value.
func (w *compiler) after(rest int32, variable, value int) int32 {
	if rest <= settled {
		return rest
	}
	if !w.said[atom{variable, value}] {
		value = nowhere // like every other that no condition has
	}
	c := cut{rest, int32(variable), int32(value)}
	if n, again := w.cuts[c]; again {
		return n
	}
	var left []entry
	w.step(len(w.rests[rest]))
	for _, e := range w.rests[rest] {
		i := slices.IndexFunc(e.atoms, func(a atom) bool { return a.variable == variable })
		switch {
		case i < 0:
			left = append(left, e)
		case e.atoms[i].value == value:
			left = append(left, entry{slices.Delete(slices.Clone(e.atoms), i, i+1), e.outcome})
		}
	}
	w.cuts[c] = w.number(left)
	return w.cuts[c]
}

// outcomes returns what a rest can come to, ascending.
func (w *compiler) outcomes(rest int32) (list []int) {
	for _, e := range w.rests[rest] {
		if e.outcome != broken {
			list = append(list, e.outcome)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// promise returns a rest with only those outcomes that are allowed.
func (w *compiler) promise(rest int32, allowed func(outcome int) bool) int32 {
	entries := slices.Clone(w.rests[rest])
	for i := range entries {
		if entries[i].outcome != broken && !allowed(entries[i].outcome) {
			entries[i].outcome = broken
		}
	}
	return w.number(entries)
}

// finish returns a rest whose outcome no variable below depends on: it matters only whether promises are kept.
func (w *compiler) finish(rest int32) int32 {
	entries := slices.Clone(w.rests[rest])
	for i := range entries {
		entries[i].outcome = min(entries[i].outcome, 0)
	}
	return w.number(entries)
}

// keep adds a promise to a sorted list, if it is not kept already. One that several atoms hold is one for each. It reports whether it can be
// kept.
func (w *compiler) keep(list []int32, promise int32) (_ []int32, ok bool) {
	if promise == broken || len(w.rests[promise]) == 1 {
		return list, promise != broken
	}
	if atoms := w.required(promise); len(atoms) > 1 {
		for _, a := range atoms {
			list, _ = w.keep(list, w.number([]entry{{[]atom{a}, 0}, {nil, broken}}))
		}
		return list, true
	}
	i, again := slices.BinarySearch(list, promise)
	if again {
		return list, true
	}
	return slices.Insert(slices.Clip(list), i, promise), true
}

// required returns the atoms that have to hold for a promise, if it says just that.
func (w *compiler) required(promise int32) []atom {
	if entries := w.rests[promise]; len(entries) == 2 && entries[1].outcome == broken {
		return entries[0].atoms
	}
	return nil
}

// spread takes the atoms that promises require for known in all else. It reports whether no promise is broken by that. Promises that exclude
// each other are so found out above the variables that they are about, and what they settle is forgotten.
func (w *compiler) spread(s *state) bool {
	rests, told := slices.Clone(s.rests), map[int32]bool{}
	for again := true; again; {
		again = false
		for _, p := range s.promises {
			atoms := w.required(p)
			if len(atoms) == 0 || told[p] {
				continue
			}
			told[p], again = true, true
			a := atoms[0]
			for k := range rests {
				if rests[k] = w.after(rests[k], a.variable, a.value); rests[k] == broken {
					return false
				}
			}
			others := []int32{p}
			for _, q := range s.promises {
				ok := true
				if q != p {
					others, ok = w.keep(others, w.after(q, a.variable, a.value))
				}
				if !ok {
					return false
				}
			}
			s.promises = others
			break
		}
	}
	s.rests = rests
	return true
}

// from returns the relation of what is left from variable order[i] downwards.
func (w *compiler) from(i int, s state) dd.Relation {
	if i == len(w.order) {
		if w.as.some && !s.moved || w.as.clash && !s.contact {
			return dd.Nothing
		}
		return dd.Identity
	}
	key := s.key(i)
	if r, again := w.known[key]; again {
		return r
	}
	if w.step(16 + len(key)/4); w.left < 0 {
		return dd.Nothing
	}
	v := w.order[i]
	b := branching{compiler: w, i: i, variable: v}
	arcs, size := to(w.arcs, v), w.e.vars[v].size()
	for value := range size {
		b.from(value, s, arcs)
	}
	if b.same(size) {
		w.known[key] = b.nexts[0]
	} else {
		w.known[key] = w.all.Branch(w.level[v], b.pairs, b.nexts)
	}
	return w.known[key]
}

// A branching collects the pairs of one variable and the relations below.
type branching struct {
	*compiler
	i, variable int
	pairs       []dd.Pair
	nexts       []dd.Relation
}

// same reports whether all values stay, and the same happens below.
func (b *branching) same(size int) bool {
	for i, p := range b.pairs {
		if p.From != p.To || b.nexts[i] != b.nexts[0] {
			return false
		}
	}
	return len(b.pairs) == size
}

// A change is what happens to a variable in one value.
type change struct {
	value int
	taken bool
	marks []int
}

// learns returns the state in which the variable has a value; ok is false if that breaks a promise.
func (b *branching) learns(value int, s state) (_ state, ok bool) {
	rests, promises := slices.Clone(s.rests), []int32(nil)
	for _, k := range b.asks[b.i] {
		if rests[k] = b.after(rests[k], b.variable, value); rests[k] == broken {
			return s, false
		}
	}
	for _, p := range s.promises {
		if promises, ok = b.keep(promises, b.after(p, b.variable, value)); !ok {
			return s, false
		}
	}
	s.rests, s.promises = rests, promises
	return s, true
}

// from adds the pairs from one value.
func (b *branching) from(value int, s state, arcs []dd.Pair) {
	s, ok := b.learns(value, s)
	if !ok {
		return
	}
	effects, some := b.does[b.i][value]
	if !some {
		effects = b.does[b.i][anything]
	}
	if arcs == nil {
		b.decide(effects, s, change{value: value})
		return
	}
	none := len(b.e.vars[b.variable].places)
	i := slices.IndexFunc(arcs, func(p dd.Pair) bool { return int(p.From) == value })
	clash := i < 0 && b.as.test && len(arcs) == 1 && int(arcs[0].From) == none // it produces what is marked
	if i < 0 && !clash {
		return
	}
	p, c := arcs[max(i, 0)], change{value: value}
	if p.From != p.To {
		if c.taken = !clash && value != none; int(p.To) != none {
			c.marks = []int{int(p.To)}
		}
	}
	b.decide(effects, s, c)
}

// decide goes through the effects on a variable, and through what their choices can come to.
func (b *branching) decide(effects []effect, s state, c change) {
	if b.left < 0 { // several choices about one variable multiply
		return
	}
	if len(effects) == 0 {
		b.settle(s, c)
		return
	}
	f := effects[0]
	var done []int // one outcome of each kind
	for _, outcome := range b.outcomes(s.rests[f.choice]) {
		alike := func(other int) bool { return f.to[other] == f.to[outcome] }
		if slices.ContainsFunc(done, alike) {
			continue
		}
		done = append(done, outcome)
		t, d := s, c
		t.rests = slices.Clone(s.rests)
		if t.rests[f.choice] = b.promise(s.rests[f.choice], alike); t.rests[f.choice] == broken {
			continue
		}
		if f.at != anything && f.to[outcome] != still {
			d.taken, t.moved = true, t.moved || b.as.some
			if b.as.none {
				continue
			}
		}
		if f.to[outcome] >= 0 {
			d.marks = append(slices.Clone(c.marks), f.to[outcome])
		}
		b.decide(effects[1:], t, d)
	}
}

// settle adds the pair for what happens to a variable, unless that is a contact.
func (b *branching) settle(s state, c change) {
	none := len(b.e.vars[b.variable].places)
	after := c.value
	if c.taken {
		after = none
	}
	clash := len(c.marks) > 1 || len(c.marks) == 1 && after != none
	if len(c.marks) == 1 {
		after = c.marks[0]
	}
	switch {
	case b.as.test:
		after = c.value
		s.contact = s.contact || b.as.clash && clash
	case clash || after == none && !b.e.vars[b.variable].none:
		return
	}
	s, ok := b.end(s)
	if !ok || len(s.promises) > 0 && !b.spread(&s) {
		return
	}
	next := b.compiler.from(b.i+1, s)
	if next == dd.Nothing {
		return
	}
	p := dd.Pair{From: uint16(c.value), To: uint16(after)}
	for i := len(b.pairs) - 1; i >= 0 && b.pairs[i].From == p.From; i-- {
		if b.pairs[i] == p && b.nexts[i] == next {
			return
		}
	}
	b.pairs, b.nexts = append(b.pairs, p), append(b.nexts, next)
}

// end returns the state without the choices that end here, and with their promises; ok is false if one of these is broken.
func (b *branching) end(s state) (_ state, ok bool) {
	if len(b.ends[b.i]) > 0 {
		s.rests = slices.Clone(s.rests)
	}
	for _, k := range b.ends[b.i] {
		if s.promises, ok = b.keep(s.promises, b.finish(s.rests[k])); !ok {
			return s, false
		}
		s.rests[k] = settled
	}
	return s, true
}
