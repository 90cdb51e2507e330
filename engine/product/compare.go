package product

import (
	"context"
	"math"
	"math/big"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/symbolic"
)

// An Answer is the relation of head's observed behaviour to base's. Words mean the same as in delta.Answer.
type Answer struct {
	Relation   delta.Relation
	Reason     string // for Unknown: why it was not decided
	Differ     bool   // they are proved to differ, even if the relation is Unknown
	Possible   []Word // of head, one for each refused label; the shortest first, then in order of labels
	Impossible []Word // of base; likewise
	LeftOut    int    // refused labels of both sides without a word
}

// A Word is a run of one side whose last step the other side refuses after everything observed before it. No step of that label is refused
// after fewer observed steps.
type Word struct {
	Run     []int    // transitions; -1: an idle step (Observer.Idle)
	Refused int      // the label of the last
	Instead []int    // the labels that the other side allows there, sorted
	Crowd   *big.Int // the most states that the other side can be in along the word
}

// Reasons for an unknown relation.
const (
	notDeterminate  = "after the same steps the same draft can be in states that allow different ones, and no simpler proof was found"
	sameButPatience = "both have the same sequences; whether one of them can go on unobserved where the other can't is not settled"
	sameButChoices  = "both have the same sequences; whether the same choices are open after them is not settled"
)

// Compare returns the relation of head's behaviour to base's for an observer, with at most k words for each side. Relations are those of
// delta.Pair.Compare. It takes seconds for nets of any number of states if the diagrams stay small; otherwise limits and the context end
// it.
//
// The answer is never nil. An error, a *dd.LimitError, symbolic.ErrNotSymbolic or the context's cause, means that it is incomplete: its
// Relation is Unknown unless the results so far settle it, and each Word in it is correct.
func (v *Versions) Compare(ctx context.Context, o Observer, like [2][]int, k int, limits Limits) (a *Answer, err error) {
	a = &Answer{}
	defer halt.Caught(&err)
	v.query(ctx, o, like, limits, a).run(k)
	return a, nil
}

// query prepares a comparison.
func (v *Versions) query(ctx context.Context, o Observer, like [2][]int, limits Limits, a *Answer) *query {
	q := &query{Versions: v, ctx: ctx, observer: o, like: like, limits: limits.forest(), answer: a, store: v.store.Clone()}
	for side := range q.codes {
		q.possible[side] = q.acts(side)
	}
	q.idle = q.idleNumber()
	return q
}

// A query is the state of one comparison.
type query struct {
	*Versions
	ctx      context.Context
	observer Observer
	like     [2][]int
	limits   dd.Limits
	answer   *Answer
	idle     int // the number of an idle step

	store       dd.Relations // of acts
	possible    [2][]act
	pairs       *product
	only        [2][]int // labels that a side allows in some pair in which the other does not
	determinate [2]bool
	simulates   [2]bool    // the side simulates the other
	followed    *sequences // nil: pairs tell everything
}

// run tries the smaller relation first: if something is hidden, a match has far fewer pairs than the product.
func (q *query) run(k int) {
	hides := q.hides(Base) || q.hides(Head)
	if hides && q.match() || q.look() || q.understand(!hides) {
		return
	}
	if q.open(Base) || q.open(Head) {
		q.follow()
	}
	q.conclude()
	q.words(k)
}

// settle settles that there is no difference, if same is set, and returns it.
func (q *query) settle(same bool) bool {
	if same {
		q.answer.Relation = delta.Same
	}
	return same
}

func (q *query) hides(side int) bool {
	return len(q.possible[side]) > 0 && q.possible[side][0].label == Hidden
}

// look builds the pairs of states and collects where the sides differ. It reports whether that ends the comparison.
func (q *query) look() bool {
	if q.pairs = q.paired(q.layout, q.possible); q.pairs == nil {
		q.answer.Reason = errTooManySteps.Error()
		return true
	}
	q.only = q.pairs.differences()
	return q.settle(len(q.only[Base])+len(q.only[Head]) == 0 && q.pairs.alikePatient())
}

func (q *query) paired(l layout, both [2][]act) *product {
	meetings, lone := synchronised(both)
	return q.newProduct(l, both, meetings, lone)
}

// differences returns the labels that one side allows in some pair in which the other does not.
func (p *product) differences() (only [2][]int) {
	for _, label := range p.labels() {
		for side, some := range p.differ(label) {
			if some {
				only[side] = append(only[side], label)
			}
		}
	}
	return only
}

// labels returns the observed labels of both sides, in order.
func (p *product) labels() []int {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(labels(p.acts[Base]), labels(p.acts[Head])))))
}

// alikePatient reports whether in each pair either both sides or neither can make hidden moves for ever.
func (p *product) alikePatient() bool { return p.endless(Base) == p.endless(Head) }

// endless returns the pairs in which a side can make moves of its own for ever.
func (p *product) endless(side int) dd.Node {
	var back, rounds []dd.Relation // rounds change nothing
	for _, r := range p.turning(side) {
		round := p.forest.Restrict(r, func(_ int, p dd.Pair) bool { return p.From == p.To })
		if rounds = append(rounds, round); r != round {
			back = append(back, p.forest.Inverse(r))
		}
	}
	set := p.drift(p.back.alone[side], p.able(p.reach, p.anyOf(rounds)), p.reach)
	if len(back) == 0 {
		return set
	}
	rest := p.forest.Minus(p.reach, set) // from here nothing leads to set
	rest, _ = p.forest.TrimDead(p.forest.System(back), rest, math.MaxInt)
	return p.forest.Union(set, p.drift(p.back.alone[side], rest, p.reach))
}

// turning returns what a side can repeat for ever of what it does alone.
func (p *product) turning(side int) []dd.Relation {
	alone := make([]dd.Relation, len(p.lone[side]))
	for k, i := range p.lone[side] {
		alone[k] = p.relations[side][i]
	}
	sizes := make([]int, p.forest.Levels()+1)
	for v, level := range p.level[side] {
		sizes[level] = p.codes[side].Size(v)
	}
	left := halt.Must(symbolic.Turning(p.ctx, &p.forest.Relations, sizes, alone))
	return slices.DeleteFunc(left, func(r dd.Relation) bool { return r == dd.Nothing })
}

// understand decides which sides are determinate. It tries a match too, if matching is set, and reports whether that settles the comparison.
func (q *query) understand(matching bool) bool {
	for side := range q.determinate {
		q.determinate[side] = !q.hides(side) && q.pairs.functional(side)
	}
	if matching && (!q.determinate[Base] || !q.determinate[Head]) && q.match() {
		return true
	}
	for side := range q.determinate {
		if !q.determinate[side] && len(q.only[1-side]) > 0 {
			q.determinate[side] = q.uniform(side, false)
		}
	}
	return false
}

// uniform reports whether a side is determinate: all states that it can be in after the same observations allow the same next labels and,
// if patient is set, the same endless hidden moves. It returns false if that takes too many steps.
func (q *query) uniform(side int, patient bool) bool {
	p := q.paired(q.layout.twice(side), [2][]act{q.possible[side], q.possible[side]})
	if p == nil {
		return false
	}
	only := p.differences()
	return len(only[Base])+len(only[Head]) == 0 && (!patient || p.alikePatient())
}

// open reports whether pairs do not tell if the other side refuses any word of a side: it allows less in some pair, is not determinate, and does not
// simulate that side.
func (q *query) open(own int) bool {
	return len(q.only[own]) > 0 && !q.determinate[1-own] && !q.simulates[1-own]
}

// conclude decides the relation. A label that one side allows in a pair and the other does not is refused if the other side is determinate.
// Nothing is refused if there is no such label, or if the other side simulates the one. Otherwise sequences tell.
func (q *query) conclude() {
	var some, none [2]bool // by whose words they would be
	for own := range some {
		some[own] = len(q.only[own]) > 0 && q.determinate[1-own]
		none[own] = len(q.only[own]) == 0 || q.simulates[1-own]
		if q.open(own) {
			some[own] = len(q.followed.refused[own]) > 0
			none[own] = q.followed.whole && !some[own]
		}
	}
	a := q.answer
	a.Differ = some[Base] || some[Head]
	switch {
	case some[Base] && some[Head]:
		a.Relation = delta.Both
	case some[Head] && none[Base]:
		a.Relation = delta.More
	case some[Base] && none[Head]:
		a.Relation = delta.Less
	case !none[Base] || !none[Head]:
		a.Reason = notDeterminate
	case len(q.only[Base])+len(q.only[Head]) > 0:
		a.Reason = sameButChoices
	default:
		q.otherwise()
	}
}

// otherwise decides the relation if the sides differ only in endless hidden moves. That is a difference if on each side all states after
// the same observations agree.
func (q *query) otherwise() {
	q.answer.Reason = sameButPatience
	for side := range q.possible {
		if q.hides(side) && !q.uniform(side, true) || !q.hides(side) && !q.determinate[side] {
			return
		}
	}
	q.answer.Relation, q.answer.Differ, q.answer.Reason = delta.Otherwise, true, ""
}
