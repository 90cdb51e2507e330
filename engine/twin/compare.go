package twin

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/space"
)

// An Answer says how the behaviour of head stands to that of base, as it is observed. See delta.Answer, whose words mean the same.
type Answer struct {
	Relation   delta.Relation
	Reason     string // of Unknown: why nothing was settled
	Differ     bool   // they are proved not to be the same, even where the relation is Unknown
	Possible   []Word // of head, each of another refused label; the shortest first, then in order of labels
	Impossible []Word // of base; likewise
	LeftOut    int    // other refused labels, of both sides together, that no word is shown of
}

// A Word is a run of one side up to and with a step that the other side refuses after all that was observed before it.
// No step of that label is refused after fewer observed steps.
type Word struct {
	Run     []int // transitions; -1: nothing fires, and that is observed (Observer.Idle)
	Refused int   // the label of the last
	Instead []int // the labels that the other side can do next there, sorted
}

// Why a relation is unknown.
const (
	notDeterminate  = "after the same steps the same draft can be in states that allow different ones, and no simpler proof was found"
	sameButPatience = "both have the same sequences; whether one of them can go on unobserved where the other can't is not settled"
	sameButChoices  = "both have the same sequences; whether the same choices are open after them is not settled"
)

// Compare says how head stands to base for an observer. It shows at most k words a side. Relations are those of delta.Pair.Compare.
// Where diagrams stay small it takes seconds for nets of any number of states; where they don't, limits and the context end it.
//
// The answer is never nil. An error, a *dd.LimitError, space.ErrNotSymbolic or the context's cause, says that it isn't whole: its
// Relation is Unknown unless what was found settles it, and each Word in it is right as it stands.
func (v *Versions) Compare(ctx context.Context, o Observer, like [2][]int, k int, limits Limits) (*Answer, error) {
	q := &query{Versions: v, ctx: ctx, observer: o, like: like, bytes: limits.Bytes / 2, answer: &Answer{}}
	err := q.run(k)
	if errors.Is(err, errTooManyPairs) {
		q.answer.Reason, err = err.Error(), nil
	}
	return q.answer, err
}

// A query is one comparison on its way.
type query struct {
	*Versions
	ctx      context.Context
	observer Observer
	like     [2][]int
	bytes    int64
	answer   *Answer

	pairs       *product
	only        [2][]int // labels that a side can do somewhere where the other can't
	patient     bool     // what is hidden can go on for ever on both sides alike
	determinate [2]bool
	simulates   [2]bool // all that the other side has, that one has
}

func (q *query) run(k int) error {
	err := q.look()
	if err != nil {
		return err
	}
	if len(q.only[Base])+len(q.only[Head]) == 0 && q.patient {
		q.answer.Relation = delta.Same
		return nil
	}
	if err := q.understand(); err != nil || q.answer.Relation == delta.Same {
		return err
	}
	q.conclude()
	return q.words(k)
}

// look builds the pairs of states and collects where the sides differ.
func (q *query) look() (err error) {
	if q.pairs, err = q.paired(q.codes, q.partner, q.observer); err != nil {
		return err
	}
	if q.only, err = q.pairs.differences(); err == nil {
		q.patient, err = q.pairs.alikePatient()
	}
	return err
}

func (q *query) paired(codes [2]*space.Coding, partner [2][]int, o Observer) (*product, error) {
	var both [2][]act
	for side := range both {
		var err error
		if both[side], err = acts(codes[side], o.Labels[side], o.Idle); err != nil {
			return nil, err
		}
	}
	joints, err := synchronised(both)
	if err != nil {
		return nil, err
	}
	return newProduct(q.ctx, codes, partner, both, joints, q.bytes)
}

// differences are the labels that one side can do in some pair in which the other can't.
func (p *product) differences() (only [2][]int, err error) {
	base, _ := labels(p.acts[Base])
	head, _ := labels(p.acts[Head])
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(base, head))))
	for _, label := range all {
		if label == Hidden {
			continue
		}
		some, err := p.differ(label)
		if err != nil {
			return only, err
		}
		for side := range some {
			if some[side] {
				only[side] = append(only[side], label)
			}
		}
	}
	return only, nil
}

// alikePatient reports whether in each pair hidden moves can go on for ever on both sides or on neither.
func (p *product) alikePatient() (bool, error) {
	var endless [2]dd.Node
	for side := range endless {
		var err error
		if endless[side], err = p.endless(side); err != nil {
			return false, err
		}
	}
	return endless[Base] == endless[Head], nil
}

// endless is the pairs in which a side can go on for ever with moves of its own.
func (p *product) endless(side int) (dd.Node, error) {
	var back []dd.Relation
	for i, turns := range p.turning(side) {
		j := p.joints[p.both+i]
		switch {
		case !turns:
		case p.idle(j):
			return p.reach, nil
		default:
			back = append(back, p.back[p.both+i])
		}
	}
	if len(back) == 0 {
		return dd.Empty, nil
	}
	stay, _, err := p.forest.Stay(p.ctx, p.forest.System(back), p.reach, math.MaxInt)
	if err != nil {
		return dd.Empty, err
	}
	return p.forest.ReachWithin(p.ctx, p.silent(p.back, side), stay, p.reach)
}

// turning tells of each joint of one side alone whether that side may do it again and again.
func (p *product) turning(side int) []bool {
	c := p.codes[side]
	sizes := make([]int, c.Variables())
	for v := range sizes {
		sizes[v] = c.Size(v)
	}
	var mine []int
	var deeds [][]space.VariableLocal
	for i, j := range p.joints[p.both:] {
		if j[side] >= 0 {
			mine, deeds = append(mine, i), append(deeds, p.acts[side][j[side]].locals)
		}
	}
	turns := make([]bool, len(p.joints)-p.both)
	for i, t := range space.Turning(sizes, deeds) {
		turns[mine[i]] = t
	}
	return turns
}

// understand finds out what can be concluded from the differences.
func (q *query) understand() (err error) {
	hides := q.pairs.lone[Base] || q.pairs.lone[Head]
	for side := range q.determinate {
		if !q.pairs.lone[side] {
			if q.determinate[side], err = q.pairs.functional(side); err != nil {
				return err
			}
		}
	}
	if !hides && q.determinate[Base] && q.determinate[Head] {
		return nil
	}
	if err := q.match(); err != nil || q.answer.Relation == delta.Same {
		return err
	}
	for side := range q.determinate {
		if !q.determinate[side] {
			if q.determinate[side], err = q.uniform(side); err != nil {
				return err
			}
		}
	}
	return nil
}

// uniform reports whether a side is determinate: whether it is the same as itself, whatever states it may be in after the same
// was observed.
func (q *query) uniform(side int) (bool, error) {
	c := q.codes[side]
	itself := make([]int, c.Variables())
	for v := range itself {
		itself[v] = v
	}
	p, err := q.paired([2]*space.Coding{c, c}, [2][]int{itself, itself}, q.observer.twice(side))
	if errors.Is(err, errTooManyPairs) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	only, err := p.differences()
	if err != nil || len(only[Base])+len(only[Head]) > 0 {
		return false, err
	}
	return p.alikePatient()
}

// conclude settles the relation. What one side can do in a pair where the other can't is refused by the other if all its states
// there are alike. Where there is nothing of the kind, or the other side simulates the one, nothing is refused.
func (q *query) conclude() {
	var some, none [2]bool // by whose words they would be
	for own := range some {
		some[own] = len(q.only[own]) > 0 && q.determinate[1-own]
		none[own] = len(q.only[own]) == 0 || q.simulates[1-own]
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
	case q.patient:
		a.Reason = sameButChoices
	case q.determinate[Base] && q.determinate[Head]:
		a.Relation, a.Differ = delta.Otherwise, true
	default:
		a.Reason = sameButPatience
	}
}
