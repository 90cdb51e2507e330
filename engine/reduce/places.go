package reduce

import (
	"context"
	"slices"
)

// places removes places by firing what produces their token and what consumes it as one: agglomeration (G. Berthelot, 1987,
// Transformations and decompositions of nets, section 3.2, pre- and post-fusion of transitions). Of a place, F are the transitions
// that produce its token, H those that consume it; the transitions f h, for each f and h, take their place. Nothing else may need the
// place, and it is not held. In a one-safe net h is fired after f before f is fired again, and a sequence f u h in which h
// can as well be fired at once, or f as late as h, meets no contact for it, since it is a run of the original.
func (r *reduction) places(ctx context.Context) error {
	for p := range r.net.gone {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !r.net.gone[p] && !r.net.fixed[p] && !r.constant(p) && !r.net.held(p) {
			r.place(p)
		}
	}
	return nil
}

// constant removes a place that never changes because no transition changes it, and the transitions that wait for it in vain. What
// more is constant, package pairs finds.
func (r *reduction) constant(p int) bool {
	consumers, producers, readers := r.net.around(p)
	marked := r.net.marked[p]
	if len(producers) > 0 || marked && len(consumers) > 0 {
		return false
	}
	if !marked {
		for _, t := range slices.Concat(consumers, readers) {
			r.net.transitions[t].gone = true
			r.count(DeadTransition)
		}
	}
	r.fix(p, marked)
	return true
}

// fix removes a place that is always marked or never.
func (r *reduction) fix(p int, marked bool) {
	r.meanings[p] = meaning{constant: true, negated: !marked}
	r.net.drop(p)
	r.count(ConstantPlace)
}

// place removes a place if it can.
func (r *reduction) place(p int) {
	h, f, readers := r.net.around(p)
	if len(h)+len(readers) == 0 { // nothing waits for it
		r.net.drop(p)
		r.count(ImplicitPlace)
		return
	}
	// No more transitions than before.
	if len(readers) > 0 || len(f)*len(h) > len(f)+len(h) || !r.net.fuses(f, h) {
		return
	}
	switch {
	case r.sequel(p, f, h):
	case r.net.marked[p] || len(f) == 0:
	case r.may(ChoicePlace) && r.net.follow(h):
		r.fuse(p, f, h, ChoicePlace)
	case r.may(PreludePlace) && r.net.precede(f, true):
		r.rest(f)
		r.fuse(p, f, h, PreludePlace)
	case r.may(FreePlace) && r.net.precede(f, false):
		r.fuse(p, f, h, FreePlace)
	}
}

// follow reports whether the transitions h of a place wait for nothing but its token, and change nothing that is held: so that they
// can be fired as soon as it is there. What is seen is then the same on every maximal path, where h may come
// later or, on one that goes on for ever without it, not at all; a dead end never has the token. With several h it counts when the
// choice is made: not for what looks at paths from within paths. With one there is no choice: all that can be fired before h can be
// after it, and to the same end, so that the states before it and after it satisfy the same formulas without next (R. De Nicola, F.
// Vaandrager, 1995, Three logics for branching bisimulation; J. F. Groote, J. van de Pol, 2000, State space reduction using partial
// tau-confluence).
func (x *net) follow(h []int) bool {
	return !slices.ContainsFunc(h, func(t int) bool {
		of := &x.transitions[t]
		return len(of.in) != 1 || len(of.read) > 0 || x.visible(t)
	})
}

// sequel fuses a place with one consumer. If the place has its token from the start, the consumer is fired before all else.
func (r *reduction) sequel(p int, f, h []int) bool {
	if !r.may(SequelPlace) || len(h) != 1 || !r.net.follow(h) {
		return false
	}
	if r.net.marked[p] {
		of := &r.net.transitions[h[0]]
		for _, q := range of.out {
			r.net.marked[q] = true
		}
		r.net.marked[p] = false
		r.prefix = append(r.prefix, of.does)
	}
	r.fuse(p, f, h, SequelPlace)
	return true
}

// precede reports whether the transitions f that make the token of a place make nothing else, consume nothing that is held, and read
// nothing: so that they can as well be fired just before h, or never if h never is. For maximal paths and dead ends, none may compete with
// another transition for what it consumes, and nobody may read it: then f, once fireable, stays so, hinders nothing and helps nothing
// but h, and the states before and after it satisfy the same formulas without next (see follow). Else only what
// can be reached is the same (Y. Thierry-Mieg, 2020, Structural reductions revisited, on free agglomeration).
func (x *net) precede(f []int, alone bool) bool {
	return !slices.ContainsFunc(f, func(t int) bool {
		of := &x.transitions[t]
		return len(of.out) != 1 || len(of.read) > 0 || x.visible(t) || alone && !x.competesNot(t)
	})
}

// competesNot reports whether no other transition needs what t consumes, of which there must be something.
func (x *net) competesNot(t int) bool {
	for _, p := range x.transitions[t].in {
		if consumers, _, readers := x.around(p); len(consumers) > 1 || len(readers) > 0 {
			return false
		}
	}
	return len(x.transitions[t].in) > 0
}

// fuses reports whether each f can be fired with each h as one: f does not consume what h needs, and h makes nothing that f leaves marked.
// Where that is not so, one of them can never be fired or not at once after the other, and the place stays.
func (x *net) fuses(f, h []int) bool {
	for _, i := range f {
		for _, j := range h {
			a, b := &x.transitions[i], &x.transitions[j]
			switch {
			case a.bound || b.bound || a.does.length+b.does.length > longest,
				meet(a.in, b.in) || meet(a.in, b.read),
				meet(b.out, a.read) || meet(b.out, a.out):
				return false
			}
		}
	}
	return true
}

// fuse puts each f followed by each h in place of all of them, and removes the place.
func (r *reduction) fuse(p int, f, h []int, rule Rule) {
	for _, i := range f {
		for _, j := range h {
			r.net.add(fused(&r.net.transitions[i], &r.net.transitions[j]))
		}
	}
	for _, t := range slices.Concat(f, h) {
		r.net.transitions[t].gone = true
	}
	r.net.drop(p)
	r.count(rule)
}

// fused is f followed by h, which fit (see fuses) and of which one has no other arcs than follow or precede allow. The place
// between them keeps both its arcs, which drop takes away. What f consumes and h makes again is read.
func fused(f, h *transition) transition {
	again := func(p int) bool { return has(f.in, p) && has(h.out, p) }
	return transition{
		in:   union(slices.DeleteFunc(slices.Clone(f.in), again), h.in),
		out:  union(f.out, slices.DeleteFunc(slices.Clone(h.out), again)),
		read: union(f.read, h.read, slices.DeleteFunc(slices.Clone(f.in), func(p int) bool { return !again(p) })),
		does: after(f.does, h.does),
	}
}
