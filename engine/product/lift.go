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
func (p *product) lift(own int, word []int, number func(transition int) int) (run []int, err error) {
	return p.liftTo(own, word, p.reach, p.of(own, word[len(word)-1]), number)
}

// liftTo returns the transitions of a run of one side whose last step is one of some acts, from a state in one of some pairs that are reached by the word without it.
func (p *product) liftTo(own int, word []int, pairs dd.Node, ends []int, number func(transition int) int) (run []int, err error) {
	l := &lift{product: p, own: own, word: word, ends: ends, number: number}
	if l.among, err = l.alone(l.reach); err != nil {
		return nil, err
	}
	from := l.among
	if pairs != l.reach {
		from, err = l.alone(pairs)
	}
	stage := make([]dd.Node, len(word))
	if err == nil {
		stage[len(word)-1], err = p.able(from, p.test(own, ends))
	}
	if err != nil {
		return nil, err
	}
	for l.stages = [][]dd.Node{stage}; ; l.stages = append(l.stages, stage) {
		begins, err := p.forest.Intersect(p.ctx, stage[0], p.start)
		if err != nil {
			return nil, err
		}
		if begins != dd.Empty {
			break
		}
		if stage, err = l.spread(stage); err != nil {
			return nil, err
		}
	}
	strides, err := l.first()
	if err != nil {
		return nil, err
	}
	return l.run(strides)
}

// alone returns the states of own in some pairs, with the other side in its initial state.
func (l *lift) alone(pairs dd.Node) (dd.Node, error) {
	var stands []dd.Local
	for v, level := range l.level[1-l.own] {
		at := uint16(l.codes[1-l.own].Initial(v))
		stands = append(stands, dd.Local{Level: level, Pairs: []dd.Pair{{From: at, To: at}}})
	}
	set, err := l.forest.Forget(l.ctx, pairs, l.but(l.own))
	if err != nil {
		return dd.Empty, err
	}
	return l.forest.Lead(l.ctx, chain(&l.forest.Relations, stands), set)
}

// spread extends a stage by one transition backwards.
func (l *lift) spread(stage []dd.Node) ([]dd.Node, error) {
	next := slices.Clone(stage)
	for done := range stage {
		more, err := l.forest.Image(l.ctx, l.back.alone[l.own], stage[done], l.among)
		if err == nil {
			next[done], err = l.forest.Union(l.ctx, next[done], more)
		}
		if done < len(stage)-1 {
			for _, i := range l.of(l.own, l.word[done]) {
				if err == nil {
					more, err = l.before(i, stage[done+1], l.among)
				}
				if err == nil {
					next[done], err = l.forest.Union(l.ctx, next[done], more)
				}
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if slices.Equal(next, stage) {
		panic("product: a word that was found has no run")
	}
	return next, nil
}

// before returns the states of a set from which an act leads into another set.
func (l *lift) before(act int, to, among dd.Node) (dd.Node, error) {
	from, err := l.forest.Lead(l.ctx, l.forest.Inverse(l.relations[l.own][act]), to)
	if err != nil {
		return dd.Empty, err
	}
	return l.forest.Intersect(l.ctx, from, among)
}

// each calls do for the acts that can come after done letters of the word, with the observed length after them.
func (l *lift) each(done int, do func(act, to int) error) error {
	for i, list := range [][]int{l.of(l.own, Hidden), l.of(l.own, l.word[done])} {
		for _, a := range list {
			if err := do(a, done+i); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbered returns the number of an act's transition.
func (l *lift) numbered(act int) int { return l.number(l.acts[l.own][act].transition) }

// first returns the first strides in order of numbers, without the last step.
func (l *lift) first() ([]stride, error) {
	strides := []stride{{states: l.start}}
	for i := len(l.stages) - 2; i >= 0; i-- {
		at := strides[len(strides)-1]
		var next []stride
		values, err := l.forest.Support(l.ctx, at.states)
		if err != nil {
			return nil, err
		}
		err = l.each(at.done, func(a, to int) error {
			r := l.relations[l.own][a]
			if to == len(l.word) || !l.forest.Occurs(r, values) {
				return nil
			}
			some, err := l.forest.Lead(l.ctx, r, at.states)
			if err == nil {
				some, err = l.forest.Intersect(l.ctx, some, l.stages[i][to])
			}
			if err == nil && some != dd.Empty {
				next = append(next, stride{l.numbered(a), to, some})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		best := slices.MinFunc(next, func(x, y stride) int { return cmp.Compare(x.number, y.number) })
		for _, s := range next {
			if s.number == best.number {
				if best.states, err = l.forest.Union(l.ctx, best.states, s.states); err != nil {
					return nil, err
				}
			}
		}
		strides = append(strides, best)
	}
	return strides, nil
}

// run returns the transitions of strides and the last step, backwards from one of the last states.
func (l *lift) run(strides []stride) ([]int, error) {
	run := make([]int, len(strides))
	at, last, err := l.last(strides[len(strides)-1].states)
	run[len(run)-1] = last
	for i := len(run) - 2; i >= 0 && err == nil; i-- {
		from, to := strides[i], strides[i+1]
		state := dd.Empty
		err = l.each(from.done, func(a, done int) error {
			if state != dd.Empty || done != to.done || l.numbered(a) != to.number {
				return nil
			}
			some, err := l.before(a, at, from.states)
			if err == nil && some != dd.Empty {
				run[i] = l.acts[l.own][a].transition
				state, err = l.forest.Tuple(l.forest.First(some))
			}
			return err
		})
		at = state
	}
	return run, err
}

// last returns the transition of least number that is the last step of the word from one of some states, and that state.
func (l *lift) last(from dd.Node) (state dd.Node, transition int, err error) {
	for _, a := range l.ends {
		if state != dd.Empty && l.numbered(a) >= l.number(transition) {
			continue
		}
		some, err := l.able(from, l.test(l.own, []int{a}))
		if err != nil {
			return dd.Empty, 0, err
		}
		if some == dd.Empty {
			continue
		}
		transition = l.acts[l.own][a].transition
		if state, err = l.forest.Tuple(l.forest.First(some)); err != nil {
			return dd.Empty, 0, err
		}
	}
	return state, transition, nil
}
