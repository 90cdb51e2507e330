package product

import (
	"context"
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
)

// A Prospect is something that can come about on either side, while a norm binds or by its beginning: by some steps.
type Prospect struct {
	By     [2][]int // by side, the transitions by which it comes about
	Live   [2][]int // by side, places of which one is marked while the norm binds
	Begins bool     // it comes about by a step after which the norm binds, and before which it does not; else only where it binds
	After  [2][]int // by side, places of which none is marked after such a step
	Own    [2][]Own // by side, what those who bear the norm can do by themselves; if there is any it is asked whether they can bring the prospect about without others
}

// An Own is what some who bear a norm can do by themselves, in the states in which they bear it.
type Own struct {
	While []int // places, all of which are marked then
	Steps []int // the transitions that they take by themselves
	Acts  []Act // by each of these it comes about
	Done  []int // places: where one is marked it comes about by time alone
}

// An Act is a transition of some, while all of some places are marked.
type Act struct{ By, While []int }

// Over has by side the place that is marked once all is over; -1: there is none.
type Over [2]int

// A Loss is a run of head whose last step takes a prospect away: base is where that can still come about, and head where it can't. Without steps it is lost at the start.
type Loss struct {
	Prospect int
	Run      []int // transitions; -1: an idle step (Observer.Idle)
}

// Lost returns for each prospect a shortest loss, if there is one: the one after the fewest observed steps. A loss does not count if head is over then and base is not, or if base
// refuses its last step and given says that it is no loss then. That what binds until all is over does not begin again is none of its own, nor that what the last step ends does not
// come about while it binds, if it can't begin.
//
// Of what some can bring about by themselves it is lost that they can't on head where others still can, while the norm binds. A
// loss is a step to a pair in which it is lost from one in which it is not; there is one without steps if it is lost at the start.
//
// Pairs of states are compared in which the norm binds on both sides or on neither. Where base can be in several states after the same observations, one that can still
// bring the prospect about is enough. Then pairs do not tell whether all of them refuse a step: if there seems to be a loss by one, the error is ErrNotDeterminate. Other errors
// are those of Compare.
func (v *Versions) Lost(ctx context.Context, o Observer, like [2][]int, prospects []Prospect, over Over, given func(prospect, transition int) bool, limits Limits) (list []Loss, err error) {
	defer halt.Caught(&err)
	q := v.query(ctx, o, like, limits, &Answer{})
	p := q.paired(q.layout, q.possible)
	if p == nil {
		return nil, errTooManySteps
	}
	l := &losses{product: p, over: over, given: given, number: func(transition int) int { return q.number(Head, transition) }, refusing: map[int]dd.Node{}}
	l.prepare()
	l.sure = !p.hides(Base) && p.functional(Base)
	for i := range prospects {
		run, known := l.find(i, &prospects[i])
		if !known {
			return list, ErrNotDeterminate
		}
		if run != nil {
			list = append(list, Loss{i, run})
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
	sure     bool                     // base is in one state after the same observations
	number   func(transition int) int // of head
	all      [2]dd.Node               // what each side reaches by itself from pairs, whatever the other does
	back     [2]*dd.System
	inverse  [2][]dd.Relation
	refusing map[int]dd.Node // by label: the pairs in which base refuses it
}

// prepare computes what each side can still reach.
func (l *losses) prepare() {
	for side := range l.all {
		l.all[side] = l.forest.Reach(l.forest.System(l.relations[side]), l.forest.Forget(l.reach, l.but(side)))
		l.inverse[side] = l.inverses(l.relations[side])
		l.back[side] = l.forest.System(l.inverse[side])
	}
}

// marked returns the part of a set in which one of some places of a side is marked.
func (l *losses) marked(side int, places []int, set dd.Node) (some dd.Node) {
	for _, p := range places {
		v, value := l.codes[side].At(p)
		at := uint16(value)
		test := l.forest.Chain([]dd.Local{{Level: l.level[side][v], Pairs: []dd.Pair{{From: at, To: at}}}})
		some = l.forest.Union(some, l.forest.Lead(test, set))
	}
	return some
}

// unmarked returns the part of a set in which none of some places of a side is marked.
func (l *losses) unmarked(side int, places []int, set dd.Node) dd.Node {
	return l.forest.Minus(set, l.marked(side, places, set))
}

// open returns the states of a side from which a prospect can still come about, with any of the other side.
func (l *losses) open(side int, p *Prospect) dd.Node {
	if p.Own[side] != nil {
		return l.openAlone(side, p)
	}
	return l.openToAll(side, p)
}

// openToAll returns the same, whoever brings it about.
func (l *losses) openToAll(side int, p *Prospect) dd.Node {
	after, before := l.unmarked(side, p.After[side], l.all[side]), l.within(side, p)
	if p.Begins {
		after = l.marked(side, p.Live[side], after)
	}
	var comes dd.Node
	for i, a := range l.acts[side] {
		if slices.Contains(p.By[side], a.transition) {
			comes = l.forest.Union(comes, l.forest.Lead(l.inverse[side][i], after))
		}
	}
	return l.forest.ReachWithin(l.back[side], l.forest.Intersect(comes, before), l.all[side])
}

// openAlone returns the states of a side from which those who bear a norm can bring a prospect about by themselves, while it binds.
func (l *losses) openAlone(side int, p *Prospect) (alone dd.Node) {
	binds := l.marked(side, p.Live[side], l.all[side])
	for _, own := range p.Own[side] {
		theirs := l.allMarked(side, own.While, binds)
		goal := l.marked(side, own.Done, theirs)
		var back []dd.Relation
		for i, a := range l.acts[side] {
			for _, act := range own.Acts {
				if slices.Contains(act.By, a.transition) {
					goal = l.forest.Union(goal, l.allMarked(side, act.While, l.forest.Intersect(theirs, l.forest.Lead(l.inverse[side][i], l.all[side]))))
				}
			}
			if slices.Contains(own.Steps, a.transition) {
				back = append(back, l.inverse[side][i])
			}
		}
		alone = l.forest.Union(alone, l.forest.ReachWithin(l.forest.System(back), goal, theirs))
	}
	return alone
}

// allMarked returns the part of a set in which all of some places of a side are marked.
func (l *losses) allMarked(side int, places []int, set dd.Node) dd.Node {
	for _, p := range places {
		set = l.marked(side, []int{p}, set)
	}
	return set
}

// within returns the states of a side in which a prospect may come about by the next step: those in which the norm binds, or does not.
func (l *losses) within(side int, p *Prospect) dd.Node {
	if p.Begins {
		return l.unmarked(side, p.Live[side], l.all[side])
	}
	return l.marked(side, p.Live[side], l.all[side])
}

// gone returns the pairs in which a prospect can't come about on head and can on base, the norm binds on both or on neither, and head is not over alone: by whether head can still
// be where it might come about. It returns the pairs, too, in which it can come about on head.
func (l *losses) gone(p *Prospect) (gone [2]dd.Node, before dd.Node) {
	before = l.open(Head, p)
	all := l.forest.Minus(l.forest.Intersect(l.open(Base, p), l.all[Head]), before)
	all = l.forest.Union(l.unmarked(Head, p.Live[Head], l.unmarked(Base, p.Live[Base], all)), l.marked(Head, p.Live[Head], l.marked(Base, p.Live[Base], all)))
	if l.over[Head] >= 0 {
		all = l.notOverAlone(all)
	}
	gone[1] = l.forest.Intersect(all, l.may(p))
	gone[0] = l.forest.Minus(all, gone[1])
	return gone, before
}

// may returns the states of head from which the norm may come to bind or, if the prospect begins it, in which it does not bind or from which it may end before all is over.
func (l *losses) may(p *Prospect) dd.Node {
	within := l.within(Head, p)
	if !p.Begins {
		return l.forest.ReachWithin(l.back[Head], within, l.all[Head])
	}
	over := dd.Empty
	if l.over[Head] >= 0 {
		over = l.marked(Head, []int{l.over[Head]}, l.all[Head])
	}
	var ends dd.Node
	for _, step := range l.inverse[Head] {
		before := l.forest.Minus(l.forest.Lead(step, within), within)
		ends = l.forest.Union(ends, l.forest.Union(l.forest.Intersect(before, over), l.forest.Minus(l.forest.Lead(step, l.forest.Minus(within, over)), within)))
	}
	return l.forest.Union(within, l.forest.ReachWithin(l.back[Head], ends, l.all[Head]))
}

// lost returns the pairs in which a prospect is lost, which need not be reached, and those from which a step to one of them is a loss. Both are by whether head can still be then
// where it might come about.
func (l *losses) lost(p *Prospect) (lost, from [2]dd.Node) {
	lost, before := l.gone(p)
	if p.Own[Head] == nil {
		if from[1] = l.forest.Intersect(before, l.reach); !p.Begins {
			from[0] = l.unmarked(Head, p.Live[Head], from[1]) // or else the step ends the norm
		}
		return lost, from
	}
	lost[0], lost[1] = dd.Empty, l.forest.Intersect(lost[1], l.openToAll(Head, p))
	from[1] = l.forest.Minus(l.reach, l.drift(l.product.back.alone[Base], l.forest.Intersect(lost[1], l.reach), l.reach))
	return lost, from
}

// notOverAlone returns the pairs of a set in which head is not over, or base is, too.
func (l *losses) notOverAlone(set dd.Node) dd.Node {
	open := l.unmarked(Head, []int{l.over[Head]}, set)
	if l.over[Base] < 0 {
		return open
	}
	return l.forest.Union(open, l.marked(Base, []int{l.over[Base]}, set))
}

// A taking is an act of head that takes a prospect away from some pairs.
type taking struct {
	act  int
	from dd.Node
}

// find returns the run of a shortest loss of a prospect, or nil, and whether that is known.
func (l *losses) find(i int, p *Prospect) ([]int, bool) {
	alone, from := l.lost(p) // where head alone takes a step, base stays
	if alone[0] == dd.Empty && alone[1] == dd.Empty {
		return nil, true
	}
	if p.Own[Head] != nil && l.forest.Intersect(l.start, from[1]) == dd.Empty {
		return []int{}, true
	}
	var joint [2]dd.Node // what is reached by steps of both, after which base may make hidden ones
	for can := range joint {
		joint[can] = l.drift(l.product.back.alone[Base], l.forest.Intersect(alone[can], l.reach), l.reach)
	}
	var list []taking
	for act, a := range l.acts[Head] {
		if base := l.of(Base, a.label); a.label != Hidden && len(base) > 0 {
			list = append(list, taking{act, l.before(act, base, joint, from)})
		}
		if a.transition < 0 || l.given(i, a.transition) { // an idle step alone changes nothing
			continue
		}
		set := l.before(act, nil, alone, from)
		if a.label != Hidden {
			if set = l.forest.Intersect(set, l.refuses(a.label)); set != dd.Empty && !l.sure {
				return nil, false // another state may allow it
			}
		}
		list = append(list, taking{act, set})
	}
	return l.shortest(list), true
}

// before returns the pairs among some from which an act of head leads to others, with one of some acts of base or, if these are nil, alone. Both are by whether head can still
// be then where the prospect might come about.
func (l *losses) before(act int, base []int, to, from [2]dd.Node) (all dd.Node) {
	for can, set := range to {
		set = l.forest.Lead(l.inverse[Head][act], set)
		if base != nil {
			set = l.beforeAny(base, set)
		}
		all = l.forest.Union(all, l.forest.Intersect(set, from[can]))
	}
	return all
}

// beforeAny returns the pairs from which one of some acts of base leads to a set.
func (l *losses) beforeAny(base []int, set dd.Node) (all dd.Node) {
	for _, i := range base {
		all = l.forest.Union(all, l.forest.Lead(l.inverse[Base][i], set))
	}
	return all
}

// refuses returns the pairs in which base refuses a label.
func (l *losses) refuses(label int) dd.Node {
	if _, known := l.refusing[label]; !known {
		l.refusing[label] = l.forest.Minus(l.reach, l.can(Base, label))
	}
	return l.refusing[label]
}

// shortest returns the run of the loss by one of some acts after the fewest observed steps, or nil if there is none.
func (l *losses) shortest(list []taking) []int {
	var goal dd.Node
	for _, t := range list {
		goal = l.forest.Union(goal, t.from)
	}
	if goal == dd.Empty {
		return nil
	}
	s := &seeker{product: l.product, own: Head, number: l.number, wait: Hidden}
	prefix, after := s.first(s.until(goal))
	at := l.forest.Intersect(after, goal)
	number := func(act int) int { return l.number(l.acts[Head][act].transition) }
	var best *taking
	for _, t := range list {
		some := l.forest.Intersect(at, t.from)
		if some != dd.Empty && (best == nil || number(t.act) < number(best.act)) {
			best = &taking{t.act, some}
		}
	}
	return l.liftTo(Head, append(prefix, l.acts[Head][best.act].label), best.from, []int{best.act}, l.number)
}
