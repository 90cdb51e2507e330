package space

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// A Walk is a state model that is built on demand, only along the arcs a caller follows. States are numbered from 0, the initial one, in the
// order in which they are met. It is for one goroutine at a time.
//
// A contact on the way is an error. A contact elsewhere goes unnoticed, so a Walk does not show that a net is one-safe.
type Walk struct {
	net    *petri.Net
	rule   petri.Rule
	lim    Limits
	firer  *firer
	budget budget
	index  index
	marks  rows[uint64] // by state, its marking as a bit set over places
	arcs   rows[uint32] // by state, its first arc, and their number plus one; 0: not expanded yet
	succ   rows[uint32] // by arc, its target
	set    []uint64     // over transitions
	after  []uint64     // the marking being reached
	found  []uint32     // arcs of one state
	full   error        // the limit that was met; the walk then answers what it knows, and grows no more
}

// NewWalk returns a walk with only the initial state. The memory limit counts what the walk keeps, and what Claim adds. Its error is a
// *LimitError.
func NewWalk(net *petri.Net, rule petri.Rule, lim Limits) (*Walk, error) {
	if lim.States == 0 || lim.States > maxStates {
		lim.States = maxStates
	}
	f := newFirer(net)
	w := &Walk{
		net: net, rule: rule, lim: lim, firer: f, budget: budget{limit: lim.Bytes},
		marks: newRows[uint64](f.words), arcs: newRows[uint32](2), succ: newRows[uint32](1),
		set: make([]uint64, (len(net.Transitions)+63)/64), after: make([]uint64, f.words),
	}
	var err error
	if w.index, err = newIndex(&w.marks, &w.budget); err != nil {
		return nil, err
	}
	for _, p := range net.Initial {
		Add(w.after, p)
	}
	_, err = w.state()
	return w, w.explain(err)
}

// Rule returns the firing rule of the walk.
func (w *Walk) Rule() petri.Rule { return w.rule }

// Len returns the number of states met.
func (w *Walk) Len() int { return w.marks.len }

// Words returns the marking of state s as a bit set over places. The caller must not change it.
func (w *Walk) Words(s int) []uint64 { return w.marks.At(s) }

// Marking returns the marking of state s.
func (w *Walk) Marking(s int) petri.Marking { return petri.Marking(members(w.marks.At(s))) }

// Claim counts bytes that a caller keeps for states of the walk, before they are allocated. Negative bytes are given back. Its error is a
// *LimitError.
func (w *Walk) Claim(bytes int64) error {
	if bytes < 0 {
		w.budget.Release(-bytes)
		return nil
	}
	return w.explain(w.budget.Claim(bytes))
}

// Succ returns the successors of state s in the order of what fires. The caller must not change it. Its error is a *LimitError, a
// *ContactError that has only the step in contact, or the context's cause.
func (w *Walk) Succ(ctx context.Context, s int) ([]uint32, error) {
	if known := w.arcs.At(s); known[1] > 0 {
		return w.succ.span(int(known[0]), int(known[0]+known[1]-1)), nil
	}
	w.found = w.found[:0]
	if err := w.expand(ctx, s); err != nil {
		return nil, w.explain(err)
	}
	if w.succ.len+len(w.found) > maxArcs {
		return nil, w.explain(&LimitError{What: "arcs", Limit: maxArcs})
	}
	from := w.succ.len
	for i := range w.found {
		if err := w.succ.push(w.found[i:i+1], &w.budget); err != nil {
			return nil, w.explain(err)
		}
	}
	known := w.arcs.At(s)
	known[0], known[1] = uint32(from), uint32(len(w.found)+1)
	return w.succ.span(from, w.succ.len), nil
}

// expand fires every step of state s, and collects the successors in w.found.
func (w *Walk) expand(ctx context.Context, s int) error {
	ts := w.fireable(s)
	if w.rule == petri.All {
		return w.firer.steps(ctx, ts, func(step []int) error { return w.arc(s, step) })
	}
	for i := range ts {
		if err := w.arc(s, ts[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// arc fires a step in state s, and adds the successor to w.found.
func (w *Walk) arc(s int, step []int) error {
	to, err := w.Fire(s, step)
	if err == nil {
		w.found = append(w.found, uint32(to))
	}
	return err
}

// fireable returns the transitions that can fire in state s, ascending.
func (w *Walk) fireable(s int) []int {
	clear(w.set)
	w.firer.fireable(w.marks.At(s), w.set)
	return members(w.set)
}

// Dead reports whether nothing can fire in state s.
func (w *Walk) Dead(s int) bool {
	clear(w.set)
	w.firer.fireable(w.marks.At(s), w.set)
	for _, word := range w.set {
		if word != 0 {
			return false
		}
	}
	return true
}

// CanFire reports whether the transitions of one step, none of which compete, can fire in state s.
func (w *Walk) CanFire(s int, step []int) bool {
	m := w.marks.At(s)
	return !slices.ContainsFunc(step, func(t int) bool { return !w.firer.enabled(m, t) })
}

// Fire returns the state after the transitions of one step have fired together in state s. Its error is a *LimitError or a *ContactError that
// has only this step.
func (w *Walk) Fire(s int, step []int) (int, error) {
	copy(w.after, w.marks.At(s))
	place := -1
	if len(step) == 1 {
		place = w.firer.fire(w.after, step[0])
	} else {
		place = w.firer.together(w.after, step)
	}
	if place >= 0 {
		return 0, &ContactError{
			Markings: []petri.Marking{w.Marking(s)}, Steps: [][]int{slices.Clone(step)}, Place: place, Name: w.net.Places[place],
		}
	}
	to, err := w.state()
	return to, w.explain(err)
}

// state returns the number of the state whose marking is w.after. It adds the state if it is new, and keeps the error once a limit is met.
func (w *Walk) state() (int, error) {
	h := Hash(w.after)
	s, _ := w.index.find(w.after, h)
	if s >= 0 {
		return s, nil
	}
	if w.full != nil {
		return 0, w.full
	}
	s = w.marks.len
	if w.full = w.add(s); w.full != nil {
		return 0, w.full
	}
	_, slot := w.index.find(w.after, h)
	w.index.put(s, h, slot)
	return s, nil
}

// add makes room for state s, and stores its marking.
func (w *Walk) add(s int) error {
	if s >= w.lim.States {
		return &LimitError{What: "states", Limit: int64(w.lim.States)}
	}
	if w.index.full(s) {
		if err := w.index.grow(&w.budget); err != nil {
			return err
		}
	}
	if err := w.arcs.push([]uint32{0, 0}, &w.budget); err != nil {
		return err
	}
	return w.marks.push(w.after, &w.budget)
}

// Step returns the first step that leads from state s to state to, or nil if none does. Its error is the context's cause.
func (w *Walk) Step(ctx context.Context, s, to int) (step []int, err error) {
	ts, goal := w.fireable(s), w.marks.At(to)
	try := func(ts []int) error {
		copy(w.after, w.marks.At(s))
		if w.firer.together(w.after, ts) < 0 && step == nil && slices.Equal(w.after, goal) {
			step = slices.Clone(ts)
		}
		return nil
	}
	if w.rule == petri.All {
		err = w.firer.steps(ctx, ts, try)
		return step, err
	}
	for i := range ts {
		_ = try(ts[i : i+1]) // never fails
	}
	return step, nil
}

// explain adds to a *LimitError the number of states met.
func (w *Walk) explain(err error) error {
	if limit, ok := err.(*LimitError); ok {
		limit.Explored = w.marks.len
	}
	return err
}
