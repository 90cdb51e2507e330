package reduce

import "iter"

// A firing is the sequence of original transitions that a transition stands for: first followed by then, or a single one.
type firing struct {
	first, then *firing
	transition  int
	length      int
}

func one(t int) *firing { return &firing{transition: t, length: 1} }

func after(first, then *firing) *firing {
	return &firing{first: first, then: then, length: first.length + then.length}
}

// longest bounds the number of transitions that one may stand for.
const longest = 10_000

func (f *firing) last() int {
	for f.then != nil {
		f = f.then
	}
	return f.transition
}

// each iterates over the transitions in order.
func (f *firing) each() iter.Seq[int] {
	return func(yield func(int) bool) {
		stack := []*firing{f}
		for len(stack) > 0 {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if top.then != nil {
				stack = append(stack, top.then, top.first)
				continue
			}
			if !yield(top.transition) {
				return
			}
		}
	}
}
