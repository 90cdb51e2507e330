package product

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
)

// A lift searches for a run of one side in which a word is observed. It has the fewest transitions and, of these runs, the first numbers;
// alike transitions share a number. The other side does not move.
//
// It first searches backwards from the last step, since the rest of a word depends on few variables, whatever else happens hidden.
type lift struct {
	*product
	own    int
	word   []int
	ends   []int // acts, one of which is the last step
	number func(transition int) int
	among  dd.Node     // states of own, with the other side in its initial state
	stages [][]dd.Node // by number of transitions and observed length of the word, the states from which that many suffice
}

// A stride has the states of a run after some transitions, the number of the last one, and the observed length of the word.
type stride struct {
	number, done int
	states       dd.Node
}

// lift returns the transitions of a run of one side. Some pair must be reached by the word without its last step.
func (p *product) lift(own int, word []int, number func(transition int) int) []int {
	return p.liftTo(own, word, p.reach, p.of(own, word[len(word)-1]), number)
}

// liftTo returns the transitions of a run of one side whose last step is one of some acts, from a state in one of some pairs that are reached by the word without it.
func (p *product) liftTo(own int, word []int, pairs dd.Node, ends []int, number func(transition int) int) []int {
	l := &lift{product: p, own: own, word: word, ends: ends, number: number}
	l.among = l.alone(l.reach)
	from := l.among
	if pairs != l.reach {
		from = l.alone(pairs)
	}
	stage := make([]dd.Node, len(word))
	stage[len(word)-1] = p.able(from, p.test(own, ends))
	for l.stages = [][]dd.Node{stage}; p.forest.Intersect(stage[0], p.start) == dd.Empty; l.stages = append(l.stages, stage) {
		stage = l.spread(stage)
	}
	return l.run(l.first())
}

// alone returns the states of own in some pairs, with the other side in its initial state.
func (l *lift) alone(pairs dd.Node) dd.Node {
	var stands []dd.Local
	for v, level := range l.level[1-l.own] {
		at := uint16(l.codes[1-l.own].Initial(v))
		stands = append(stands, dd.Local{Level: level, Pairs: []dd.Pair{{From: at, To: at}}})
	}
	return l.forest.Lead(chain(&l.forest.Relations, stands), l.forest.Forget(pairs, l.but(l.own)))
}

// spread extends a stage by one transition backwards.
func (l *lift) spread(stage []dd.Node) []dd.Node {
	next := slices.Clone(stage)
	for done := range stage {
		next[done] = l.forest.Union(next[done], l.forest.Image(l.back.alone[l.own], stage[done], l.among))
		if done < len(stage)-1 {
			for _, i := range l.of(l.own, l.word[done]) {
				next[done] = l.forest.Union(next[done], l.before(i, stage[done+1], l.among))
			}
		}
	}
	if slices.Equal(next, stage) {
		panic("product: a word that was found has no run")
	}
	return next
}

// before returns the states of a set from which an act leads into another set.
func (l *lift) before(act int, to, among dd.Node) dd.Node {
	return l.forest.Intersect(l.forest.Lead(l.forest.Inverse(l.relations[l.own][act]), to), among)
}

// each calls do for the acts that can come after done letters of the word, with the observed length after them.
func (l *lift) each(done int, do func(act, to int)) {
	for i, list := range [][]int{l.of(l.own, Hidden), l.of(l.own, l.word[done])} {
		for _, a := range list {
			do(a, done+i)
		}
	}
}

// numbered returns the number of an act's transition.
func (l *lift) numbered(act int) int { return l.number(l.acts[l.own][act].transition) }

// first returns the first strides in order of numbers, without the last step.
func (l *lift) first() []stride {
	strides := []stride{{states: l.start}}
	for i := len(l.stages) - 2; i >= 0; i-- {
		at := strides[len(strides)-1]
		var next []stride
		values := l.forest.Support(at.states)
		l.each(at.done, func(a, to int) {
			r := l.relations[l.own][a]
			if to == len(l.word) || !l.forest.Occurs(r, values) {
				return
			}
			if some := l.forest.Intersect(l.forest.Lead(r, at.states), l.stages[i][to]); some != dd.Empty {
				next = append(next, stride{l.numbered(a), to, some})
			}
		})
		best := slices.MinFunc(next, func(x, y stride) int { return cmp.Compare(x.number, y.number) })
		for _, s := range next {
			if s.number == best.number {
				best.states = l.forest.Union(best.states, s.states)
			}
		}
		strides = append(strides, best)
	}
	return strides
}

// run returns the transitions of strides and the last step, backwards from one of the last states.
func (l *lift) run(strides []stride) []int {
	run := make([]int, len(strides))
	at, last := l.last(strides[len(strides)-1].states)
	run[len(run)-1] = last
	for i := len(run) - 2; i >= 0; i-- {
		from, to := strides[i], strides[i+1]
		state := dd.Empty
		l.each(from.done, func(a, done int) {
			if state != dd.Empty || done != to.done || l.numbered(a) != to.number {
				return
			}
			if some := l.before(a, at, from.states); some != dd.Empty {
				run[i] = l.acts[l.own][a].transition
				state = l.forest.Tuple(l.forest.First(some))
			}
		})
		at = state
	}
	return run
}

// last returns the transition of least number that is the last step of the word from one of some states, and that state.
func (l *lift) last(from dd.Node) (state dd.Node, transition int) {
	for _, a := range l.ends {
		if state != dd.Empty && l.numbered(a) >= l.number(transition) {
			continue
		}
		if some := l.able(from, l.test(l.own, []int{a})); some != dd.Empty {
			state, transition = l.forest.Tuple(l.forest.First(some)), l.acts[l.own][a].transition
		}
	}
	return state, transition
}
