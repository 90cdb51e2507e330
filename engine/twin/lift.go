package twin

import (
	"slices"

	"github.com/redlinehq/redline/engine/dd"
)

// A lift searches for a run of one side in which a word is observed: one of the fewest transitions. The other side stands still
// meanwhile. By number of transitions and how much of the word is observed, it keeps the states that are met first.
type lift struct {
	*product
	own    int
	word   []int
	stages [][]dd.Node
}

// lift is a run of one side, as its transitions.
func (p *product) lift(own int, word []int) ([]int, error) {
	l := &lift{product: p, own: own, word: word}
	stage := make([]dd.Node, len(word)+1)
	stage[0] = p.start
	seen := slices.Clone(stage)
	for stage[len(word)] == dd.Empty {
		l.stages = append(l.stages, stage)
		var err error
		if stage, err = l.spread(stage, seen); err != nil {
			return nil, err
		}
	}
	return l.back(stage[len(word)])
}

// spread goes one transition further.
func (l *lift) spread(stage, seen []dd.Node) ([]dd.Node, error) {
	next := make([]dd.Node, len(stage))
	some := false
	for done, from := range stage {
		if from == dd.Empty {
			continue
		}
		err := l.each(done, func(a *act, to int) (bool, error) {
			forth, _ := a.chained(l.forest, l.level[l.own])
			more, err := l.forest.Lead(l.ctx, forth, from)
			if err == nil {
				more, err = l.forest.Minus(l.ctx, more, seen[to])
			}
			if err == nil {
				next[to], err = l.forest.Union(l.ctx, next[to], more)
			}
			return false, err
		})
		if err != nil {
			return nil, err
		}
	}
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

// each goes through the acts that can come when so much of the word is observed, and how much is observed then, until do says that
// it is enough.
func (l *lift) each(done int, do func(a *act, to int) (enough bool, err error)) error {
	goOn := func(label, to int) (bool, error) {
		list := l.of(l.own, label)
		for i := range list {
			if enough, err := do(&list[i], to); enough || err != nil {
				return true, err
			}
		}
		return false, nil
	}
	if enough, err := goOn(Hidden, done); enough || err != nil || done == len(l.word) {
		return err
	}
	_, err := goOn(l.word[done], done+1)
	return err
}

// back is the run to one of the states in which all is observed.
func (l *lift) back(end dd.Node) ([]int, error) {
	at, err := l.forest.Tuple(l.forest.First(end))
	if err != nil {
		return nil, err
	}
	run := make([]int, len(l.stages))
	done := len(l.word)
	for i := len(l.stages) - 1; i >= 0; i-- {
		if run[i], done, at, err = l.before(l.stages[i], done, at); err != nil {
			return nil, err
		}
	}
	return run, nil
}

// before finds, for a state with so much of the word observed, a state of a stage before it, and the transition between them.
func (l *lift) before(stage []dd.Node, done int, at dd.Node) (transition, from int, state dd.Node, err error) {
	found := false
	for from = max(done-1, 0); from <= done && !found; from++ {
		if stage[from] == dd.Empty {
			continue
		}
		start := from
		err = l.each(from, func(a *act, to int) (bool, error) {
			if to != done {
				return false, nil
			}
			_, back := a.chained(l.forest, l.level[l.own])
			before, err := l.forest.Lead(l.ctx, back, at)
			if err == nil {
				before, err = l.forest.Intersect(l.ctx, before, stage[start])
			}
			if err != nil || before == dd.Empty {
				return false, err
			}
			transition, found = a.transition, true
			state, err = l.forest.Tuple(l.forest.First(before))
			return true, err
		})
		if err != nil {
			return 0, 0, dd.Empty, err
		}
		if found {
			return transition, from, state, nil
		}
	}
	panic("twin: a state that was reached is reached from nowhere")
}
