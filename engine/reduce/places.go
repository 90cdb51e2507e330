package reduce

import (
	"context"
	"slices"
)

// places removes places by agglomeration: transitions that produce a place's token and those that consume it fire as one (G. Berthelot, 1987,
// Transformations and decompositions of nets, section 3.2, pre- and post-fusion of transitions). Let F be the transitions that produce the
// token of a place, and H those that consume it. The transitions f h, for each f and h, replace them. Nothing else may need the place, and it
// is not held. In a one-safe net h fires after f before f fires again. A sequence f u h, in which h can as well fire right after f or f just
// before h, meets no contact when reordered so, since that is a run of the original.
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

// constant removes a place that never changes because no transition changes it, and the transitions that can never fire for lack of its token.
// Package implications finds other constant places.
func (r *reduction) constant(p int) bool {
	consumers, producers, readers := r.net.around(p)
	marked := r.net.marked[p]
	if len(producers) > 0 || marked && len(consumers) > 0 {
		return false
	}
	if !marked {
		for _, t := range slices.Concat(consumers, readers) {
			r.net.transitions[t].gone = true
			r.count(deadTransition)
		}
	}
	r.fix(p, marked)
	return true
}

// fix removes a place that is always marked, or never.
func (r *reduction) fix(p int, marked bool) {
	r.meanings[p] = meaning{constant: true, negated: !marked}
	r.net.drop(p)
	r.count(constantPlace)
}

// place removes a place if a rule allows it.
func (r *reduction) place(p int) {
	h, f, readers := r.net.around(p)
	if len(h)+len(readers) == 0 { // nothing waits for it
		r.net.drop(p)
		r.count(implicitPlace)
		return
	}
	// A fusion must not add transitions.
	if len(readers) > 0 || len(f)*len(h) > len(f)+len(h) || !r.net.fuses(f, h) {
		return
	}
	switch {
	case r.sequel(p, f, h):
	case r.net.marked[p] || len(f) == 0:
	case r.may(choicePlace) && r.net.follow(h):
		r.fuse(p, f, h, choicePlace)
	case r.may(preludePlace) && r.net.precede(f, true):
		r.rest(f)
		r.fuse(p, f, h, preludePlace)
	case r.may(freePlace) && r.net.precede(f, false):
		r.fuse(p, f, h, freePlace)
	}
}

// follow reports whether the transitions h of a place need nothing but its token and change no held place, so that they can fire as soon as it
// is there. Every maximal path then shows the same, though h may come later or, on an infinite path, never; a dead end never has the token.
// With several h it matters when the choice between them is made, which a formula with nested paths can observe. With one h there is no
// choice: all that can fire before h can fire after it, with the same result. So the states before and after h satisfy the same formulas
// without next (R. De Nicola, F. Vaandrager, 1995, Three logics for branching bisimulation; J. F. Groote, J. van de Pol, 2000, State space
// reduction using partial tau-confluence).
func (x *net) follow(h []int) bool {
	return !slices.ContainsFunc(h, func(t int) bool {
		of := &x.transitions[t]
		return len(of.in) != 1 || len(of.read) > 0 || x.visible(t)
	})
}

// sequel fuses a place with its only consumer, and reports whether it did. If the place is marked initially, the consumer fires first of all.
func (r *reduction) sequel(p int, f, h []int) bool {
	if !r.may(sequelPlace) || len(h) != 1 || !r.net.follow(h) {
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
	r.fuse(p, f, h, sequelPlace)
	return true
}

// precede reports whether the transitions f that produce the token of a place produce nothing else, consume nothing held, and read nothing.
// They can then as well fire just before h, or never if h never does. For maximal paths and dead ends no other transition may need what they
// consume. Then f, once fireable, stays so, and affects nothing but h, and the states before and after it satisfy the same formulas without
// next (see follow). Otherwise only reachability stays the same (Y. Thierry-Mieg, 2020, Structural reductions revisited, on free
// agglomeration).
func (x *net) precede(f []int, alone bool) bool {
	return !slices.ContainsFunc(f, func(t int) bool {
		of := &x.transitions[t]
		return len(of.out) != 1 || len(of.read) > 0 || x.visible(t) || alone && !x.competesNot(t)
	})
}

// competesNot reports whether t consumes something, and no other transition needs what it consumes.
func (x *net) competesNot(t int) bool {
	for _, p := range x.transitions[t].in {
		if consumers, _, readers := x.around(p); len(consumers) > 1 || len(readers) > 0 {
			return false
		}
	}
	return len(x.transitions[t].in) > 0
}

// fuses reports whether each f can fire with each h as one: f does not consume what h needs, and h produces nothing that f leaves marked.
// Otherwise one of them can never fire, or not right after the other, and the place stays.
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

// fuse replaces all f and h by each f followed by each h, and removes the place.
func (r *reduction) fuse(p int, f, h []int, rule ruleID) {
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

// fused returns f followed by h. The two must fit (see fuses), and follow or precede must allow all arcs of one of them. The place between
// them keeps both arcs until drop removes them. What f consumes and h produces again becomes a read.
func fused(f, h *transition) transition {
	again := func(p int) bool { return has(f.in, p) && has(h.out, p) }
	return transition{
		in:   union(slices.DeleteFunc(slices.Clone(f.in), again), h.in),
		out:  union(f.out, slices.DeleteFunc(slices.Clone(h.out), again)),
		read: union(f.read, h.read, slices.DeleteFunc(slices.Clone(f.in), func(p int) bool { return !again(p) })),
		does: after(f.does, h.does),
	}
}
