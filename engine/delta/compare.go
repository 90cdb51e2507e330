package delta

import "context"

// A Pair is two systems joined and reduced, ready to be compared under several views. It is safe for
// use by several goroutines.
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

// Join prepares the comparison of head with base. It costs O(d·m·log n) time for m arcs and n states
// of both together with at most d arcs a state. The error is a *LimitError or the context's cause.
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

// joined is both systems side by side, base first.
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

// A View says what is observed and what is shown of it.
type View struct {
	Relabel []uint32 // by label, what is observed of it: Silent, nothing; Dropped, there is no such arc. nil: every label as it is
	Groups  []uint32 // by observed label: of those with one number a word is shown of the first that is refused, and of those with 0 none; then there is no Choice. nil: each has a number
	Most    int      // words that are shown a side
}

// Compare says how head stands to base for whoever has a view.
//
// The relation Same is strong bisimilarity where nothing is silent. Elsewhere it is branching bisimilarity
// with explicit divergence (R. van Glabbeek, W. Weijland 1996, Branching time and abstraction in bisimulation
// semantics; R. van Glabbeek, B. Luttik, N. Trčka 2009, Branching bisimilarity with explicit divergence),
// under which endless silence is told from none, and both from a dead end. It preserves every formula of CTL*
// without next on what is observed.
//
// It costs what Join costs, of the reduced pair; and where they differ, for each of two searches, O(d·p·s) time and 28 bytes
// for each pair of a state and a set that is met: p of them, with at most d arcs a state and s states a set. In a deterministic
// view s is 1 and p is mostly about the number of states; else p may be exponential, which Limits are for. BenchmarkCompare
// has two systems of 209,088 states and a million arcs each compared within 2 s of one core, Join included.
//
// The answer is never nil. An error, a *LimitError or the context's cause, says that it isn't whole: its
// Relation is Unknown unless what was found settles it, each Word in it is right as it stands, and
// LeftOut counts no more than was found.
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

// A query is one comparison on its way.
type query struct {
	*stepBudget
	pair   *Pair
	of     View
	view   *view
	answer *Answer
}

// run searches both directions, and where a limit ends the first, the other still.
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
	err = s.refusals(from, other)
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
