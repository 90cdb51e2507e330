package twin

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
)

// A lift searches for a run of one side in which a word is observed: one of the fewest transitions, and of these the first in order of
// their numbers, which what is alike has one of. The other side stands still meanwhile.
type lift struct {
	*product
	own    int
	word   []int
	number func(transition int) int
	stages [][]dd.Node // by number of transitions and how much of the word is observed, the states that are met first
}

// A stride is a step of a run: its number, how much of the word is observed by then, and the states it leads to.
type stride struct {
	number, done int
	states       dd.Node
}

// lift is a run of one side, as its transitions.
func (p *product) lift(own int, word []int, number func(transition int) int) ([]int, error) {
	l := &lift{product: p, own: own, word: word, number: number}
	stage := make([]dd.Node, len(word)+1)
	stage[0] = p.start
	seen := slices.Clone(stage)
	l.stages = [][]dd.Node{stage}
	for stage[len(word)] == dd.Empty {
		var err error
		if stage, err = l.spread(stage, seen); err != nil {
			return nil, err
		}
		l.stages = append(l.stages, stage)
	}
	clear(stage[:len(word)])
	if err := l.trim(); err != nil {
		return nil, err
	}
	strides, err := l.first()
	if err != nil {
		return nil, err
	}
	return l.run(strides)
}

// spread goes one transition further.
func (l *lift) spread(stage, seen []dd.Node) ([]dd.Node, error) {
	next := make([]dd.Node, len(stage))
	for done, from := range stage {
		err := l.each(done, func(a *act, to int) error {
			more, err := l.lead(a, from)
			if err == nil {
				more, err = l.forest.Minus(l.ctx, more, seen[to])
			}
			if err == nil {
				next[to], err = l.forest.Union(l.ctx, next[to], more)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	some := false
	for done := range next {
		var err error
		if seen[done], err = l.forest.Union(l.ctx, seen[done], next[done]); err != nil {
			return nil, err
		}
		some = some || next[done] != dd.Empty
	}
	if !some {
		panic("twin: a word that was found has no run")
	}
	return next, nil
}

// each goes through the acts that can come when so much of the word is observed, and how much is observed then.
func (l *lift) each(done int, do func(a *act, to int) error) error {
	hidden := l.of(l.own, Hidden)
	for i := range hidden {
		if err := do(&hidden[i], done); err != nil {
			return err
		}
	}
	if done == len(l.word) {
		return nil
	}
	next := l.of(l.own, l.word[done])
	for i := range next {
		if err := do(&next[i], done+1); err != nil {
			return err
		}
	}
	return nil
}

// lead is what an act leads to from some states.
func (l *lift) lead(a *act, from dd.Node) (dd.Node, error) {
	return l.forest.Lead(l.ctx, chain(l.forest, a.at(l.level[l.own], pass)), from)
}

// before is the states of a set from which an act leads to some states.
func (l *lift) before(a *act, to, among dd.Node) (dd.Node, error) {
	from, err := l.forest.Lead(l.ctx, chain(l.forest, a.at(l.level[l.own], turned)), to)
	if err != nil {
		return dd.Empty, err
	}
	return l.forest.Intersect(l.ctx, from, among)
}

// trim leaves in each stage what leads on to the end.
func (l *lift) trim() error {
	for i := len(l.stages) - 2; i >= 0; i-- {
		for done, from := range l.stages[i] {
			keep := dd.Empty
			err := l.each(done, func(a *act, to int) error {
				some, err := l.before(a, l.stages[i+1][to], from)
				if err == nil {
					keep, err = l.forest.Union(l.ctx, keep, some)
				}
				return err
			})
			if err != nil {
				return err
			}
			l.stages[i][done] = keep
		}
	}
	return nil
}

// first are the first strides in order of numbers.
func (l *lift) first() ([]stride, error) {
	at := stride{states: l.start}
	strides := []stride{at}
	for _, stage := range l.stages[1:] {
		var next []stride
		err := l.each(at.done, func(a *act, to int) error {
			some, err := l.lead(a, at.states)
			if err == nil {
				some, err = l.forest.Intersect(l.ctx, some, stage[to])
			}
			if err == nil && some != dd.Empty {
				next = append(next, stride{l.number(a.transition), to, some})
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
		at = best
		strides = append(strides, at)
	}
	return strides, nil
}

// run is the transitions of strides: back from one of the last states.
func (l *lift) run(strides []stride) ([]int, error) {
	last := strides[len(strides)-1]
	at, err := l.forest.Tuple(l.forest.First(last.states))
	run := make([]int, len(strides)-1)
	for i := len(run) - 1; i >= 0 && err == nil; i-- {
		from, to := strides[i], strides[i+1]
		state := dd.Empty
		err = l.each(from.done, func(a *act, done int) error {
			if state != dd.Empty || done != to.done || l.number(a.transition) != to.number {
				return nil
			}
			some, err := l.before(a, at, from.states)
			if err == nil && some != dd.Empty {
				run[i] = a.transition
				state, err = l.forest.Tuple(l.forest.First(some))
			}
			return err
		})
		at = state
	}
	return run, err
}
