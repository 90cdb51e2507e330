package rests

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
)

// An Arena describes the members and which of them take part in which event.
type Arena struct {
	Members int     // number of members
	Event   []int   // by transition of the net, its event, or -1
	Who     [][]int // by event, the members that take part
	Breach  []int   // by norm, the place that is marked once it was breached
	Barred  [][]int // by transition, places: a firing that moves a token there is not put off by anybody
}

// sat returns the states that satisfy a formula whose value does not depend on which members act.
type sat func(ctx context.Context, f *ctl.Formula) (space.Set, error)

// maxRegions bounds the regions that eventually tries for a goal that depends on which members act.
const maxRegions = 64

// listed labels the states of a graph with functions of the members that act, or of the norms that are kept.
type listed struct {
	*Functions
	graph *space.Graph
	arena *Arena
	sat   sat
	norms bool                // functions are of norms, and all members act; else of members
	start space.Set           // the initial state alone
	teams []Function          // by team: all its members act; a team is the members of an event
	team  []int               // by event
	known map[string]Function // by pressing teams and breached norms: the result of unfair
	key   []byte
}

// NewListed returns a labelling of a graph, by functions of the members or of the norms.
func NewListed(g *space.Graph, a *Arena, sat sat, norms bool) *listed {
	l := &listed{Functions: NewFunctions(max(a.Members, len(a.Breach))), graph: g, arena: a, sat: sat, norms: norms, start: g.Sets().Initial(), known: map[string]Function{}}
	at := map[Function]int{}
	for _, who := range a.Who {
		all := l.Where(l.True, who...)
		if _, ok := at[all]; !ok {
			at[all] = len(l.teams)
			l.teams = append(l.teams, all)
		}
		l.team = append(l.team, at[all])
	}
	return l
}

// Keeps returns the function that is true of the members that must act, or the norms that must be kept, for a form to hold in the initial
// state.
func (l *listed) Keeps(ctx context.Context, f *form) (Function, error) {
	values, err := l.label(ctx, f, l.start)
	if err != nil {
		return False, err
	}
	return values.at(0), l.Err()
}

// Stuck returns the function that is true where no fair run begins in the initial state that keeps the norms.
func (l *listed) Stuck(ctx context.Context) (Function, error) {
	values, err := l.comes(ctx, l.graph.Sets().All(), l.start)
	if err != nil {
		return False, err
	}
	return values.at(0), l.Err()
}

// values are functions by state, for the states where they are needed: a list, or a set of the states where they are true.
type values struct {
	list []Function
	set  space.Set
	full Function // true
}

// at returns the value of a state.
func (v values) at(s int) Function {
	switch {
	case v.list != nil:
		return v.list[s]
	case space.Has(v.set, s):
		return v.full
	}
	return False
}

// label returns the values of a form in the states where they are needed.
func (l *listed) label(ctx context.Context, f *form, need space.Set) (values, error) {
	if f.plain != nil {
		set, err := l.sat(ctx, f.plain)
		return values{set: set, full: l.True}, err
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
	if l.norms && (f.op == ctl.AX || f.op == ctl.AG || f.op == ctl.AW) { // only runs that can continue without a breach count
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
		return l.reached(ctx, left, need, l.True, l.And)
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
func (l *listed) below(ctx context.Context, op ctl.Op, need space.Set) (space.Set, error) {
	switch op {
	case ctl.And, ctl.Or:
		return need, nil
	case ctl.AX:
		return l.graph.Sets().Post(ctx, need)
	}
	return l.graph.Sets().From(ctx, need)
}

// open returns the states in which the value of the left operand does not settle that of the operator.
func (l *listed) open(op ctl.Op, left values, need space.Set) space.Set {
	settled := l.True
	switch op {
	case ctl.And:
		settled = False
	case ctl.Or:
	default:
		return need
	}
	return l.graph.Sets().Those(need, func(s int) bool { return left.at(s) != settled })
}

// each computes the values of the states of a set.
func (l *listed) each(of space.Set, value func(s int) Function) values {
	list := make([]Function, l.graph.Len())
	for s := range of.Each() {
		list[s] = value(s)
	}
	return values{list: list}
}

// next joins the values of all successors of a state by conjunction.
func (l *listed) next(s int, of values) Function {
	all := l.True
	for _, t := range l.graph.Succ(s) {
		all = l.And(all, of.at(int(t)))
	}
	return all
}

// reached joins the values of all states that are reachable from each state. The initial state reaches all.
func (l *listed) reached(ctx context.Context, of values, need space.Set, start Function, join func(a, b Function) Function) (values, error) {
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

// weak computes A[p W q], a greatest fixpoint, component by component.
func (l *listed) weak(ctx context.Context, p, q values, need space.Set) (values, error) {
	list := make([]Function, l.graph.Len())
	now := values{list: list}
	err := l.graph.Components(ctx, l.graph.Sets().All(), need, func(part []uint32, _ func(uint32) bool) error {
		for _, s := range part {
			list[s] = l.True
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

// eventually computes AF q. If q depends on which members act, so does the region that runs must leave. It tries one region for each set of
// q's functions that may be true together, and takes the disjunction. It returns errTooMany beyond maxRegions.
func (l *listed) eventually(ctx context.Context, q values, need space.Set) (values, error) {
	some := l.distinct(q)
	if 1<<min(len(some), 30) > maxRegions {
		return values{}, errTooMany
	}
	var all values
	for chosen := range 1 << len(some) {
		holds, granted := l.True, map[Function]bool{l.True: true}
		for i, v := range some {
			if chosen>>i&1 != 0 {
				holds = l.And(holds, v)
				granted[v] = true
			}
		}
		region := make(space.Set, (l.graph.Len()+63)/64)
		for s := range l.graph.Len() {
			if !granted[q.at(s)] {
				space.Add(region, s)
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

// distinct returns the values that are not constant, in the order of states.
func (l *listed) distinct(v values) []Function {
	var list []Function
	seen := map[Function]bool{l.True: true, False: true}
	for s := 0; s < l.graph.Len() && v.list != nil; s++ {
		if f := v.at(s); !seen[f] {
			seen[f] = true
			list = append(list, f)
		}
	}
	return list
}

// comes computes that every run leaves a region. It is true outside the region.
func (l *listed) comes(ctx context.Context, region, need space.Set) (values, error) {
	list := make([]Function, l.graph.Len())
	for s := range list {
		if !space.Has(region, s) {
			list[s] = l.True
		}
	}
	roots := l.graph.Sets().Intersect(need, region)
	err := l.graph.Pressing(ctx, region, roots, l.arena.Event, l.arena.Barred, func(part []uint32, inside func(uint32) bool, pressing []uint64) error {
		v := l.True
		for _, s := range part {
			for _, t := range l.graph.Succ(int(s)) {
				if space.Has(region, int(t)) && !inside(t) {
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

// unfair returns the function that is true where a run that ends in a component does not count: members of a pressing event fail to act, or
// a norm that is to be kept is breached. State is any state of the component: a breach is permanent, so all of them have it or none.
func (l *listed) unfair(state int, pressing []uint64) Function {
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

// fails computes unfair from the pressing teams and the breached norms.
func (l *listed) fails(pressing, breached []byte) Function {
	some := False
	for team, all := range l.teams {
		switch {
		case pressing[team/8]>>(team%8)&1 == 0:
		case l.norms:
			return l.True
		default:
			some = l.Or(some, all)
		}
	}
	for i, is := range breached {
		if is == 1 {
			some = l.Or(some, l.Where(l.True, i))
		}
	}
	return some
}
