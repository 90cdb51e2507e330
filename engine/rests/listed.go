package rests

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
)

// An Arena says who takes part in what.
type Arena struct {
	Members int     // how many there are
	Event   []int   // by transition of the net, its event, or -1
	Who     [][]int // by event, the members that take part
	Breach  []int   // by norm, the place that is marked once it was breached
}

// Sat returns the states that satisfy a formula that depends on nobody's acting.
type Sat func(ctx context.Context, f *ctl.Formula) (space.Set, error)

// maxRegions bounds in how many regions is looked for what has to come, where that depends on who acts.
const maxRegions = 64

// Listed labels the states of a graph with functions of who acts, or of which norms are kept.
type Listed struct {
	*Functions
	graph *space.Graph
	arena *Arena
	sat   Sat
	norms bool                // functions are of norms, everybody acts; else of members
	start space.Set           // the initial state alone
	teams []Function          // by team, that all of it act; a team takes part in an event
	team  []int               // by event
	known map[string]Function // by pressing teams and breached norms, that such a run does not count
	key   []byte
}

// NewListed returns labels of a graph: functions of the members, or of the norms.
func NewListed(g *space.Graph, a *Arena, sat Sat, norms bool) *Listed {
	l := &Listed{Functions: NewFunctions(), graph: g, arena: a, sat: sat, norms: norms, start: g.Sets().Initial(), known: map[string]Function{}}
	at := map[Function]int{}
	for _, who := range a.Who {
		all := l.All(who)
		if _, ok := at[all]; !ok {
			at[all] = len(l.teams)
			l.teams = append(l.teams, all)
		}
		l.team = append(l.team, at[all])
	}
	return l
}

// Keeps returns the function that says who must act, or which norms be kept, for a form to hold in the initial state.
func (l *Listed) Keeps(ctx context.Context, f *Form) (Function, error) {
	values, err := l.label(ctx, f, l.start)
	if err != nil {
		return False, err
	}
	return values.at(0), l.Err()
}

// Stuck returns the function that is true where no fair run that keeps the norms, or on which ideal lasts, begins in the initial state.
func (l *Listed) Stuck(ctx context.Context, ideal *ctl.Formula) (Function, error) {
	region := l.graph.Sets().All()
	if ideal != nil {
		var err error
		if region, err = l.sat(ctx, ideal); err != nil {
			return False, err
		}
	}
	values, err := l.comes(ctx, region, l.start)
	if err != nil {
		return False, err
	}
	return values.at(0), l.Err()
}

// values are functions by state, in the states where they are needed: listed, or true in some states and false in others.
type values struct {
	list []Function
	set  space.Set
}

func (v values) at(s int) Function {
	switch {
	case v.list != nil:
		return v.list[s]
	case v.set.Has(s):
		return True
	}
	return False
}

// label returns the values of a form in the states where they are needed.
func (l *Listed) label(ctx context.Context, f *Form, need space.Set) (values, error) {
	if f.plain != nil {
		set, err := l.sat(ctx, f.plain)
		return values{set: set}, err
	}
	below, err := l.below(ctx, f.op, need)
	if err != nil {
		return values{}, err
	}
	left, err := l.label(ctx, f.left, below)
	if err != nil {
		return values{}, err
	}
	var right values
	if f.right != nil {
		if right, err = l.label(ctx, f.right, l.open(f.op, left, below)); err != nil {
			return values{}, err
		}
	}
	if l.norms && (f.op == ctl.AX || f.op == ctl.AG || f.op == ctl.AW) { // only on runs that can go on without a breach
		stuck, err := l.comes(ctx, l.graph.Sets().All(), below)
		if err != nil {
			return values{}, err
		}
		left = l.each(below, func(s int) Function { return l.Or(left.at(s), stuck.at(s)) })
	}
	switch f.op {
	case ctl.And:
		return l.each(need, func(s int) Function { return l.And(left.at(s), right.at(s)) }), l.Err()
	case ctl.Or:
		return l.each(need, func(s int) Function { return l.Or(left.at(s), right.at(s)) }), l.Err()
	case ctl.AX:
		return l.each(need, func(s int) Function { return l.next(s, left) }), l.Err()
	case ctl.AG:
		return l.reached(ctx, left, need, True, l.And)
	case ctl.EF:
		return l.reached(ctx, left, need, False, l.Or)
	case ctl.AF:
		return l.eventually(ctx, left, need)
	case ctl.AW:
		return l.weak(ctx, left, right, need)
	}
	panic(fmt.Sprintf("rests: operator %d is in no form", f.op))
}

// below returns the states where the operands of an operator are needed.
func (l *Listed) below(ctx context.Context, op ctl.Op, need space.Set) (space.Set, error) {
	switch op {
	case ctl.And, ctl.Or:
		return need, nil
	case ctl.AX:
		return l.graph.Sets().Post(ctx, need)
	}
	return l.graph.Sets().From(ctx, need)
}

// open returns the states where the left operand does not settle what the right one may be.
func (l *Listed) open(op ctl.Op, left values, need space.Set) space.Set {
	settled := True
	switch op {
	case ctl.And:
		settled = False
	case ctl.Or:
	default:
		return need
	}
	return l.graph.Sets().Those(need, func(s int) bool { return left.at(s) != settled })
}

// each computes the values of some states.
func (l *Listed) each(of space.Set, value func(s int) Function) values {
	list := make([]Function, l.graph.Len())
	for s := range of.Each() {
		list[s] = value(s)
	}
	return values{list: list}
}

func (l *Listed) next(s int, of values) Function {
	all := True
	for _, t := range l.graph.Succ(s) {
		all = l.And(all, of.at(int(t)))
	}
	return all
}

// reached joins the values of all states that a state leads to. The initial one leads to all.
func (l *Listed) reached(ctx context.Context, of values, need space.Set, start Function, join func(a, b Function) Function) (values, error) {
	list := make([]Function, l.graph.Len())
	if l.graph.Sets().Equal(need, l.start) {
		list[0] = start
		for s := range list {
			list[0] = join(list[0], of.at(s))
		}
		return values{list: list}, l.Err()
	}
	err := l.graph.Components(ctx, l.graph.Sets().All(), need, func(part []uint32, inside func(uint32) bool) error {
		v := start
		for _, s := range part {
			v = join(v, of.at(int(s)))
			for _, t := range l.graph.Succ(int(s)) {
				if !inside(t) {
					v = join(v, list[t])
				}
			}
		}
		for _, s := range part {
			list[s] = v
		}
		return l.Err()
	})
	return values{list: list}, err
}

// weak is A[p W q], a greatest fixpoint, component by component.
func (l *Listed) weak(ctx context.Context, p, q values, need space.Set) (values, error) {
	list := make([]Function, l.graph.Len())
	now := values{list: list}
	err := l.graph.Components(ctx, l.graph.Sets().All(), need, func(part []uint32, _ func(uint32) bool) error {
		for _, s := range part {
			list[s] = True
		}
		for changed := true; changed; {
			if changed = false; ctx.Err() != nil {
				return context.Cause(ctx)
			}
			for _, s := range part {
				v := l.Or(q.at(int(s)), l.And(p.at(int(s)), l.next(int(s), now)))
				if v != list[s] {
					list[s], changed = v, true
				}
			}
			changed = changed && len(part) > 1
		}
		return l.Err()
	})
	return now, err
}

// eventually is AF q. Where q depends on who acts, so does the region that is to be left: it is a region for each set of q's functions
// that may be true together, and of all these one that is true will do.
func (l *Listed) eventually(ctx context.Context, q values, need space.Set) (values, error) {
	some := l.distinct(q)
	if 1<<min(len(some), 30) > maxRegions {
		return values{}, ErrTooMany
	}
	var all values
	for chosen := range 1 << len(some) {
		holds, granted := True, map[Function]bool{True: true}
		for i, v := range some {
			if chosen>>i&1 != 0 {
				holds = l.And(holds, v)
				granted[v] = true
			}
		}
		region := make(space.Set, (l.graph.Len()+63)/64)
		for s := range l.graph.Len() {
			if !granted[q.at(s)] {
				region[s/64] |= 1 << (s % 64)
			}
		}
		comes, err := l.comes(ctx, region, need)
		if err != nil {
			return values{}, err
		}
		if len(some) == 0 {
			return comes, nil
		}
		before := all
		all = l.each(need, func(s int) Function {
			v := l.And(holds, comes.at(s))
			if before.list != nil {
				v = l.Or(v, before.list[s])
			}
			return v
		})
	}
	return all, l.Err()
}

// distinct lists the values that are not constant, in the order of states.
func (l *Listed) distinct(v values) []Function {
	var list []Function
	seen := map[Function]bool{True: true, False: true}
	for s := 0; s < l.graph.Len() && v.list != nil; s++ {
		if f := v.at(s); !seen[f] {
			seen[f] = true
			list = append(list, f)
		}
	}
	return list
}

// comes is A F that a run leaves a region: true outside.
func (l *Listed) comes(ctx context.Context, region, need space.Set) (values, error) {
	list := make([]Function, l.graph.Len())
	for s := range list {
		if !region.Has(s) {
			list[s] = True
		}
	}
	roots := l.graph.Sets().Intersect(need, region)
	err := l.graph.Pressing(ctx, region, roots, l.arena.Event, func(part []uint32, inside func(uint32) bool, pressing []uint64) error {
		v := True
		for _, s := range part {
			for _, t := range l.graph.Succ(int(s)) {
				if region.Has(int(t)) && !inside(t) {
					v = l.And(v, list[t])
				}
			}
			if v == False {
				break
			}
		}
		if v != False {
			v = l.And(v, l.unfair(int(part[0]), pressing))
		}
		for _, s := range part {
			list[s] = v
		}
		return l.Err()
	})
	return values{list: list}, err
}

// unfair is the function that says when a run that ends in a component does not count: when somebody fails to act who has to, or a norm is
// breached that is to be kept. State is one of the component's: a breach is remembered, so it is in all or in none.
func (l *Listed) unfair(state int, pressing []uint64) Function {
	teams := (len(l.teams) + 7) / 8
	l.key = append(l.key[:0], make([]byte, teams+len(l.arena.Breach))...)
	for i, w := range pressing {
		for ; w != 0; w &= w - 1 {
			team := l.team[i*64+bits.TrailingZeros64(w)]
			l.key[team/8] |= 1 << (team % 8)
		}
	}
	breached := l.key[teams:]
	if l.norms {
		marks := l.graph.Marking(state)
		for i, p := range l.arena.Breach {
			if marks.Has(p) {
				breached[i] = 1
			}
		}
	}
	known, ok := l.known[string(l.key)]
	if !ok {
		known = l.fails(l.key[:teams], breached)
		l.known[string(l.key)] = known
	}
	return known
}

// fails is unfair of the teams that press, and of what is breached.
func (l *Listed) fails(pressing, breached []byte) Function {
	some := False
	for team, all := range l.teams {
		switch {
		case pressing[team/8]>>(team%8)&1 == 0:
		case l.norms:
			return True
		default:
			some = l.Or(some, all)
		}
	}
	for i, is := range breached {
		if is == 1 {
			some = l.Or(some, l.All([]int{i}))
		}
	}
	return some
}
