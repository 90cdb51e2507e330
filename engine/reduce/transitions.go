package reduce

import (
	"context"
	"fmt"
	"slices"
)

// transitions removes transitions that others make superfluous. The error is the context's cause.
func (r *reduction) transitions(ctx context.Context) error {
	r.same()
	for t := range r.net.transitions {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		of := &r.net.transitions[t]
		if !of.gone && !of.bound && r.may(lesserTransition) && r.lesser(t) {
			of.gone = true
			r.count(lesserTransition)
		}
	}
	return nil
}

// same removes transitions that consume and produce the same as another and read at least as much. Where they can fire, so can the other, with
// the same result. The graph only has fewer arcs, which no formula can observe (T. Murata, 1989, Petri nets: properties, analysis and
// applications, section V.B, fusion of parallel transitions).
func (r *reduction) same() {
	alike := map[string][]int{}
	for t := range r.net.transitions {
		of := &r.net.transitions[t]
		if of.gone || of.bound {
			continue
		}
		key := fmt.Sprint(of.in, of.out)
		if slices.ContainsFunc(alike[key], func(u int) bool { return within(r.net.transitions[u].read, of.read) }) {
			of.gone = true
			r.count(sameTransition)
			continue
		}
		alike[key] = slices.DeleteFunc(alike[key], func(u int) bool {
			more := within(of.read, r.net.transitions[u].read)
			if more {
				r.net.transitions[u].gone = true
				r.count(sameTransition)
			}
			return more
		})
		alike[key] = append(alike[key], t)
	}
}

// lesser reports whether another transition can fire wherever t can, changes the held places just as t does, and leaves a token wherever t
// does; or whether firing nothing has these properties. Any run may then use that transition instead of t, or omit t. More tokens hinder
// nothing in a one-safe net, since no transition is fireable while one of its outputs is marked. So the same values of what is seen can be
// reached, in the same order. Where a run ends, and what can be reached from where, may differ (Y. Thierry-Mieg, 2020, Structural reductions
// revisited, on dominated and sink transitions).
func (r *reduction) lesser(t int) bool {
	of := &r.net.transitions[t]
	if len(of.out) == 0 {
		return !of.changes(r.net.held)
	}
	_, producers, _ := r.net.around(of.out[0])
	needs := of.needs()
	slices.Sort(needs)
	return slices.ContainsFunc(producers, func(u int) bool {
		o := &r.net.transitions[u]
		return u != t && !o.bound && within(o.in, of.in) && within(of.out, o.out) && within(o.read, needs) && r.seesSame(of, o)
	})
}

// seesSame reports whether two transitions change the same held places in the same way.
func (r *reduction) seesSame(t, u *transition) bool {
	held := func(list []int) []int {
		return slices.DeleteFunc(slices.Clone(list), func(p int) bool { return !r.net.held(p) })
	}
	return slices.Equal(held(t.in), held(u.in)) && slices.Equal(held(t.out), held(u.out))
}
