package delta

import (
	"cmp"
	"context"
	"slices"
)

// A Pair is two systems joined and reduced, to be compared under several views. It is safe for concurrent use.
type Pair struct {
	sys        *System // both, one state for each class of strong bisimilarity under their own labels
	base, head side
}

// A side is one of the two systems, with the class of each of its states.
type side struct {
	sys   *System
	class []uint32
	start uint32
}

// Join prepares the comparison of head with base. It takes O(d·m·log n) time for m arcs and n states of both together with at most d arcs a
// state. The error is a *LimitError or the context's cause.
func Join(ctx context.Context, base, head *System, limits Limits) (*Pair, error) {
	m := &stepBudget{ctx: ctx, limits: Limits{Bytes: limits.Bytes}}
	n := base.Len() + head.Len()
	if err := m.claim(8*n + 16*(len(base.Label)+len(head.Label))); err != nil {
		return nil, err
	}
	both := joined(base, head)
	part, err := refine(m, both, nil)
	if err != nil {
		return nil, err
	}
	class, least := part.classes()
	p := &Pair{sys: quotient(both, class, least)}
	p.base = side{base, class[:base.Len()], class[0]}
	p.head = side{head, class[base.Len():], class[base.Len()]}
	return p, nil
}

// joined returns both systems side by side, base first.
func joined(base, head *System) *System {
	n, m := base.Len(), len(base.Label)
	s := &System{
		First:  make([]uint32, 0, n+len(head.First)),
		Label:  append(append(make([]uint32, 0, m+len(head.Label)), base.Label...), head.Label...),
		Target: append(make([]uint32, 0, m+len(head.Target)), base.Target...),
	}
	s.First = append(s.First, base.First[:n]...)
	for _, a := range head.First {
		s.First = append(s.First, a+uint32(m))
	}
	for _, t := range head.Target {
		s.Target = append(s.Target, t+uint32(n))
	}
	return s
}

// A View defines what is observed and which words are shown.
type View struct {
	Relabel []uint32 // observation of each label; Silent: none; Dropped: the arc is ignored. nil: the label itself
	Groups  []uint32 // by observed label: one word is shown for each group, none for group 0, and no Choice. nil: each label is a group
	Wait    uint32   // the observed label of waiting: a word is preferred whose last label the other side does not have after any number of waits; Silent: none is
	Most    int      // most words that are shown for each side
}

// Compare returns the relation of head's behaviour to base's under a view.
//
// The relation Same is strong bisimilarity if nothing is silent. Otherwise it is branching bisimilarity with explicit divergence (R. van
// Glabbeek, W. Weijland 1996, Branching time and abstraction in bisimulation semantics; R. van Glabbeek, B. Luttik, N. Trčka 2009,
// Branching bisimilarity with explicit divergence), which distinguishes endless silence from none, and both from a dead end. It preserves
// every formula of CTL* without next over observations.
//
// It costs what Join costs, for the reduced pair. If the systems differ, each of two searches takes O(d·p·s) time and 28 bytes for each
// pair of a state and a set that is met: p of them, with at most d arcs a state and s states a set. In a deterministic view s is 1 and p is
// mostly about the number of states; otherwise p may be exponential, which Limits are for. BenchmarkCompare compares two systems of 209,088
// states and a million arcs each within 2 s of one core, Join included.
//
// The answer is never nil. An error, a *LimitError or the context's cause, means that it is incomplete: its Relation is Unknown unless the
// results so far settle it, each Word in it is correct, and LeftOut counts no more than was found.
func (p *Pair) Compare(ctx context.Context, of View, limits Limits) (*Answer, error) {
	if p.base.start == p.head.start {
		return &Answer{Relation: Same}, nil
	}
	m := &stepBudget{ctx: ctx, limits: limits}
	v, err := p.view(m, of.Relabel)
	if err != nil {
		return &Answer{}, err
	}
	if v.base == v.head {
		return &Answer{Relation: Same}, nil
	}
	q := &query{pair: p, of: of, view: v, stepBudget: m.again(), answer: &Answer{Differ: true}}
	return q.answer, q.run()
}

// A query is the state of one comparison.
type query struct {
	*stepBudget
	pair   *Pair
	of     View
	view   *view
	answer *Answer
}

// run searches both directions. If a limit ends the first search, it still makes the other.
func (q *query) run() error {
	a := q.answer
	more, errHead := q.refused(q.pair.head, q.view.head, q.view.base, &a.Possible)
	if errHead != nil && q.ctx.Err() != nil {
		return errHead
	}
	less, errBase := q.refused(q.pair.base, q.view.base, q.view.head, &a.Impossible)
	switch {
	case more && less:
		a.Relation = Both
	case more && errBase == nil:
		a.Relation = More
	case less && errHead == nil:
		a.Relation = Less
	case errHead == nil && errBase == nil:
		a.Relation = Otherwise
		if q.of.Groups != nil {
			return nil
		}
		return q.choose()
	}
	if errHead != nil {
		return errHead
	}
	return errBase
}

// refused collects the words of one side that the other refuses, and reports whether there are any.
func (q *query) refused(own side, from, other uint32, words *[]Word) (found bool, err error) {
	m := q.again()
	s := newSearch(m, q.view)
	s.wait = q.of.Wait
	err = s.refusals(from, other)
	slices.SortStableFunc(s.found, func(a, b refusal) int {
		return cmp.Or(cmp.Compare(len(a.word), len(b.word)), slices.Compare(a.word, b.word))
	})
	shown := map[uint32]bool{}
	for _, r := range s.found {
		group := r.word[len(r.word)-1]
		if q.of.Groups != nil {
			group = q.of.Groups[group]
		}
		switch {
		case group == 0 || shown[group]:
			continue
		case len(shown) >= q.of.Most:
			q.answer.LeftOut++
			continue
		}
		shown[group] = true
		run, failed := q.shortest(m, own, r.word, nil)
		if failed != nil {
			return true, failed
		}
		*words = append(*words, Word{Run: run, Refused: r.word[len(r.word)-1], Instead: r.instead})
	}
	return len(s.found) > 0, err
}
