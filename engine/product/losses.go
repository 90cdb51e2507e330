package product

import (
	"context"
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
)

// A Prospect is something that can come about on either side, while a norm binds or by its beginning: by some steps.
type Prospect struct {
	By     [2][]int // by side, the transitions by which it comes about
	Live   [2][]int // by side, places of which one is marked while the norm binds
	Begins bool     // it comes about by a step after which the norm binds, and before which it does not; else only where it binds
	After  [2][]int // by side, places of which none is marked after such a step
}

// Over has by side the place that is marked once all is over; -1: there is none.
type Over [2]int

// A Loss is a run of head whose last step takes a prospect away: base is where that can still come about, and head where it can't.
type Loss struct {
	Prospect int
	Run      []int // transitions; -1: an idle step (Observer.Idle)
}

// Lost returns for each prospect a shortest loss, if there is one: the one after the fewest observed steps. A loss does not count if its last step ends the norm itself, if
// head is over then and base is not, or if base refuses that step and given says that it is no loss then.
//
// Pairs of states are compared in which the norm binds on both sides or on neither. Where base can be in several states after the same observations, one that can still
// bring the prospect about is enough. Then pairs do not tell what has been lost before: if there seems to be a loss, the error is ErrNotDeterminate. Other errors are those of
// Compare.
func (v *Versions) Lost(ctx context.Context, o Observer, like [2][]int, prospects []Prospect, over Over, given func(prospect, transition int) bool, limits Limits) ([]Loss, error) {
	q := &query{Versions: v, ctx: ctx, observer: o, like: like, limits: limits.forest(), answer: &Answer{}, store: v.store.Clone()}
	for side := range q.codes {
		var err error
		if q.possible[side], err = q.acts(side); err != nil {
			return nil, err
		}
	}
	q.idle = q.idleNumber()
	p, err := q.paired(q.layout, q.possible)
	if err != nil {
		return nil, err
	}
	l := &losses{product: p, over: over, given: given, refusing: map[int]dd.Node{}}
	if err := l.prepare(); err != nil {
		return nil, err
	}
	sure := !p.hides(Base)
	if sure {
		if sure, err = p.functional(Base); err != nil {
			return nil, err
		}
	}
	var list []Loss
	for i := range prospects {
		switch one, err := l.find(i, &prospects[i], func(transition int) int { return q.number(Head, transition) }); {
		case err != nil:
			return list, err
		case one != nil && !sure:
			return nil, ErrNotDeterminate
		case one != nil:
			list = append(list, *one)
		}
	}
	return list, nil
}

// ErrNotDeterminate is the error of a question that pairs of states answer only if a side can be in one state after the same observations.
var ErrNotDeterminate = errors.New(notDeterminate)

// losses looks for steps of head that take prospects away.
type losses struct {
	*product
	over     Over
	given    func(prospect, transition int) bool
	all      [2]dd.Node // what each side reaches by itself from pairs, whatever the other does
	back     [2]*dd.System
	inverse  [2][]dd.Relation
	refusing map[int]dd.Node // by label: the pairs in which base refuses it
}

// prepare computes what each side can still reach.
func (l *losses) prepare() (err error) {
	for side := range l.all {
		if l.all[side], err = l.forest.Forget(l.ctx, l.reach, l.but(side)); err == nil {
			l.all[side], err = l.forest.Reach(l.ctx, l.forest.System(l.relations[side]), l.all[side])
		}
		if err != nil {
			return err
		}
		l.inverse[side] = l.inverses(l.relations[side])
		l.back[side] = l.forest.System(l.inverse[side])
	}
	return nil
}

// marked returns the part of a set in which one of some places of a side is marked.
func (l *losses) marked(side int, places []int, set dd.Node) (dd.Node, error) {
	var all []dd.Node
	for _, p := range places {
		v, value := l.codes[side].At(p)
		at := uint16(value)
		one, err := l.forest.Lead(l.ctx, l.forest.Chain([]dd.Local{{Level: l.level[side][v], Pairs: []dd.Pair{{From: at, To: at}}}}), set)
		if err != nil {
			return dd.Empty, err
		}
		all = append(all, one)
	}
	return l.union(all...)
}

// unmarked returns the part of a set in which none of some places of a side is marked.
func (l *losses) unmarked(side int, places []int, set dd.Node) (dd.Node, error) {
	some, err := l.marked(side, places, set)
	if err != nil {
		return dd.Empty, err
	}
	return l.forest.Minus(l.ctx, set, some)
}

func (l *losses) union(sets ...dd.Node) (all dd.Node, err error) {
	for _, set := range sets {
		if all, err = l.forest.Union(l.ctx, all, set); err != nil {
			return dd.Empty, err
		}
	}
	return all, nil
}

// open returns the states of a side from which a prospect can still come about, with any of the other side.
func (l *losses) open(side int, p *Prospect) (dd.Node, error) {
	after, err := l.unmarked(side, p.After[side], l.all[side])
	within, before := l.all[side], dd.Empty
	if err == nil && p.Begins {
		after, err = l.marked(side, p.Live[side], after)
		if err == nil {
			within, err = l.unmarked(side, p.Live[side], within)
		}
		before = within
	} else if err == nil {
		before, err = l.marked(side, p.Live[side], within)
	}
	var comes dd.Node
	for i, a := range l.acts[side] {
		if err != nil {
			break
		}
		if !slices.Contains(p.By[side], a.transition) {
			continue
		}
		var one dd.Node
		if one, err = l.forest.Lead(l.ctx, l.inverse[side][i], after); err == nil {
			comes, err = l.union(comes, one)
		}
	}
	if err == nil {
		comes, err = l.forest.Intersect(l.ctx, comes, before)
	}
	if err != nil {
		return dd.Empty, err
	}
	return l.forest.ReachWithin(l.ctx, l.back[side], comes, within)
}

// gone returns the pairs in which a prospect can't come about on head and can on base, and the norm binds on both or on neither; of these, the ones in which head alone is not over,
// by whether the norm binds.
func (l *losses) gone(p *Prospect) (all dd.Node, fair [2]dd.Node, err error) {
	var open [2]dd.Node
	for side := range open {
		if open[side], err = l.open(side, p); err != nil {
			return dd.Empty, fair, err
		}
	}
	if all, err = l.forest.Intersect(l.ctx, open[Base], l.all[Head]); err == nil {
		all, err = l.forest.Minus(l.ctx, all, open[Head])
	}
	if err != nil {
		return dd.Empty, fair, err
	}
	for binds, part := range []func(side int, places []int, set dd.Node) (dd.Node, error){l.unmarked, l.marked} {
		fair[binds] = all
		for side := range p.Live {
			if err == nil {
				fair[binds], err = part(side, p.Live[side], fair[binds])
			}
		}
	}
	if err == nil {
		all, err = l.union(fair[:]...)
	}
	for binds := range fair {
		if err == nil && l.over[Head] >= 0 {
			fair[binds], err = l.notOverAlone(fair[binds])
		}
	}
	return all, fair, err
}

// notOverAlone returns the pairs of a set in which head is not over, or base is, too.
func (l *losses) notOverAlone(set dd.Node) (dd.Node, error) {
	open, err := l.unmarked(Head, []int{l.over[Head]}, set)
	if err != nil || l.over[Base] < 0 {
		return open, err
	}
	both, err := l.marked(Base, []int{l.over[Base]}, set)
	if err != nil {
		return dd.Empty, err
	}
	return l.union(open, both)
}

// A taking is an act of head that takes a prospect away from some pairs.
type taking struct {
	act  int
	from dd.Node
}

// find returns a shortest loss of a prospect, or nil.
func (l *losses) find(i int, p *Prospect, number func(transition int) int) (*Loss, error) {
	gone, alone, err := l.gone(p) // where head alone takes a step, base stays
	if err != nil || alone[0] == dd.Empty && alone[1] == dd.Empty {
		return nil, err
	}
	var from, joint [2]dd.Node // where nothing is lost yet; and what is reached by steps of both, after which base may make hidden ones
	if from[1], err = l.forest.Minus(l.ctx, l.reach, gone); err == nil {
		from[0], err = l.unmarked(Head, p.Live[Head], from[1]) // or else the step ends the norm
	}
	for binds := range joint {
		if err == nil {
			joint[binds], err = l.forest.Intersect(l.ctx, alone[binds], l.reach)
		}
		if err == nil {
			joint[binds], err = l.drift(l.product.back.alone[Base], joint[binds], l.reach)
		}
	}
	if err != nil {
		return nil, err
	}
	var list []taking
	for act, a := range l.acts[Head] {
		if base := l.of(Base, a.label); a.label != Hidden && len(base) > 0 {
			set, err := l.before(act, base, joint, from)
			if err != nil {
				return nil, err
			}
			list = append(list, taking{act, set})
		}
		if a.transition < 0 || l.given(i, a.transition) { // an idle step alone changes nothing
			continue
		}
		set, err := l.before(act, nil, alone, from)
		if err == nil && a.label != Hidden {
			var refusing dd.Node
			if refusing, err = l.refuses(a.label); err == nil {
				set, err = l.forest.Intersect(l.ctx, set, refusing)
			}
		}
		if err != nil {
			return nil, err
		}
		list = append(list, taking{act, set})
	}
	return l.shortest(i, slices.DeleteFunc(list, func(t taking) bool { return t.from == dd.Empty }), number)
}

// before returns the pairs among some from which an act of head leads to others, with one of some acts of base or, if these are nil, alone. Both are by whether the norm
// binds in what is reached.
func (l *losses) before(act int, base []int, to, from [2]dd.Node) (all dd.Node, err error) {
	for binds, set := range to {
		if set, err = l.forest.Lead(l.ctx, l.inverse[Head][act], set); err == nil && base != nil {
			set, err = l.beforeAny(base, set)
		}
		if err == nil {
			set, err = l.forest.Intersect(l.ctx, set, from[binds])
		}
		if err == nil {
			all, err = l.union(all, set)
		}
		if err != nil {
			return dd.Empty, err
		}
	}
	return all, nil
}

// beforeAny returns the pairs from which one of some acts of base leads to a set.
func (l *losses) beforeAny(base []int, set dd.Node) (all dd.Node, err error) {
	for _, i := range base {
		one, err := l.forest.Lead(l.ctx, l.inverse[Base][i], set)
		if err == nil {
			all, err = l.union(all, one)
		}
		if err != nil {
			return dd.Empty, err
		}
	}
	return all, nil
}

// refuses returns the pairs in which base refuses a label.
func (l *losses) refuses(label int) (dd.Node, error) {
	if set, known := l.refusing[label]; known {
		return set, nil
	}
	can, err := l.can(Base, label)
	if err == nil {
		can, err = l.forest.Minus(l.ctx, l.reach, can)
	}
	if err == nil {
		l.refusing[label] = can
	}
	return can, err
}

// shortest returns the loss by one of some acts after the fewest observed steps.
func (l *losses) shortest(i int, list []taking, number func(transition int) int) (*Loss, error) {
	var goal dd.Node
	for _, t := range list {
		var err error
		if goal, err = l.union(goal, t.from); err != nil {
			return nil, err
		}
	}
	if goal == dd.Empty {
		return nil, nil
	}
	s := &seeker{product: l.product, own: Head, number: number, wait: Hidden}
	at, err := s.until(goal)
	if err != nil {
		return nil, err
	}
	prefix, after, err := s.first(at)
	if err == nil {
		at, err = l.forest.Intersect(l.ctx, after, goal)
	}
	if err != nil {
		return nil, err
	}
	var best *taking
	for k := range list {
		some, err := l.forest.Intersect(l.ctx, at, list[k].from)
		if err != nil {
			return nil, err
		}
		if t := &list[k]; some != dd.Empty && (best == nil || number(l.acts[Head][t.act].transition) < number(l.acts[Head][best.act].transition)) {
			best = &taking{t.act, some}
		}
	}
	a := l.acts[Head][best.act]
	run, err := l.liftTo(Head, append(prefix, a.label), best.from, []int{best.act}, number)
	return &Loss{i, run}, err
}
