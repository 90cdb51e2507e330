package reduce

import (
	"context"
	"fmt"
	"slices"
)

// transitions removes transitions that others make superfluous.
func (r *reduction) transitions(ctx context.Context) error {
	r.same()
	for t := range r.net.transitions {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		of := &r.net.transitions[t]
		if !of.gone && !of.bound && r.may(LesserTransition) && r.lesser(t) {
			of.gone = true
			r.count(LesserTransition)
		}
	}
	return nil
}

// same removes transitions that consume and produce the same as another and read at least what that one does: where they can be fired
// so can it, to the same end. That is the same graph with fewer arcs, and no formula tells (T. Murata, 1989, Petri nets: properties,
// analysis and applications, section V.B, fusion of parallel transitions).
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
			r.count(SameTransition)
			continue
		}
		alike[key] = slices.DeleteFunc(alike[key], func(u int) bool {
			more := within(of.read, r.net.transitions[u].read)
			if more {
				r.net.transitions[u].gone = true
				r.count(SameTransition)
			}
			return more
		})
		alike[key] = append(alike[key], t)
	}
}

// lesser reports whether another transition can be fired wherever t can, changes the places that are seen just as t does, and leaves
// no place without a token that t leaves with one; or whether firing nothing does so. In any run, t may then be replaced by that
// transition, or left out: more tokens hinder nothing in a one-safe net, since a transition that finds an output marked has no
// business being fireable. So the same values of what is seen can be reached, in the same order. Where the run
// ends or goes on is another matter, and so is what can be reached from where (Y. Thierry-Mieg, 2020, Structural
// reductions revisited, on dominated and sink transitions).
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

// seesSame reports whether two transitions change the same places of those that are held, in the same way.
func (r *reduction) seesSame(t, u *transition) bool {
	held := func(list []int) []int {
		return slices.DeleteFunc(slices.Clone(list), func(p int) bool { return !r.net.held(p) })
	}
	return slices.Equal(held(t.in), held(u.in)) && slices.Equal(held(t.out), held(u.out))
}
