package local

// A way is a depth-first search for a path that shows E[a W b]: it stays in a until b, for ever, or up to a dead end. This is local labelling
// (Vergauwen, Lewi, 1993, A linear local model checking algorithm for CTL). A state is decided when the search leaves it, since none of its
// successors is still on the path: that would close a loop.
type way struct {
	frames []frame
	arena  []uint32 // successors of the frames, each frame's in the order of trial
}

// A frame is a state on the path.
type frame struct {
	state    int32
	from, at int32 // indices in the arena: its first successor, and the next to try
	tainted  bool  // some state it leads to is open
}

// evalWeak returns the value of E[a W b] in a state.
func (x *search) evalWeak(n *node, s int) value {
	for len(x.ways) < x.depth {
		x.ways = append(x.ways, &way{})
	}
	w := x.ways[x.depth-1]
	w.frames, w.arena = w.frames[:0], w.arena[:0]
	allowed := x.allowed()
	if v := x.step(w, n, s); v != going {
		return v
	}
	for len(w.frames) > 0 {
		f := &w.frames[len(w.frames)-1]
		if int(f.at) == len(w.arena) {
			x.back(w, n)
			continue
		}
		t := int(w.arena[f.at])
		f.at++
		if !x.visit(&allowed) {
			x.clear(w, n, unknown)
			return x.set(n, s, open)
		}
		switch x.step(w, n, t) {
		case yes:
			x.clear(w, n, yes)
			return yes
		case open:
			w.frames[len(w.frames)-1].tainted = true
		}
	}
	if v := x.label(n, s); v != unknown {
		return v
	}
	return open // memory did not allow to store it
}

// step visits a state. It returns going if the path continues there, yes if the path ends there, otherwise the state's value.
func (x *search) step(w *way, n *node, s int) value {
	switch v := x.label(n, s); v {
	case yes, going:
		return yes
	case no, open:
		return v
	}
	if !x.pulse() {
		return open
	}
	goal := x.eval(n.parts[1], s)
	if goal == yes {
		return x.set(n, s, yes)
	}
	along := x.eval(n.parts[0], s)
	switch {
	case along == no:
		return x.set(n, s, goal)
	case along == open:
		return x.set(n, s, open)
	}
	succ, ok := x.succ(s)
	if !ok {
		return x.set(n, s, open)
	}
	if len(succ) == 0 {
		return x.set(n, s, yes)
	}
	return x.enter(w, n, s, succ, goal == open)
}

// enter puts a state on the path, unless one of its successors completes the path.
func (x *search) enter(w *way, n *node, s int, succ []uint32, tainted bool) value {
	x.set(n, s, going)
	for _, t := range succ {
		if v := x.label(n, int(t)); v == yes || v == going {
			return x.set(n, s, yes)
		}
	}
	f := frame{state: int32(s), from: int32(len(w.arena)), at: int32(len(w.arena)), tainted: tainted}
	ok := x.try(w, s, succ)
	if ok {
		w.frames, ok = add(x, w.frames, f)
	}
	if !ok {
		w.arena = w.arena[:f.from]
		return x.set(n, s, open)
	}
	return going
}

// try puts the successors of a state into the arena, first those that change again what the last step changed. This follows one party on its
// round; switching parties at each step would make long paths.
func (x *search) try(w *way, s int, succ []uint32) (ok bool) {
	here := x.walk.Words(s)
	before := here
	if len(w.frames) > 0 {
		before = x.walk.Words(int(w.frames[len(w.frames)-1].state))
	}
	for _, again := range []bool{true, false} {
		for _, t := range succ {
			if overlap(before, here, x.walk.Words(int(t))) != again {
				continue
			}
			if w.arena, ok = add(x, w.arena, t); !ok {
				return false
			}
		}
	}
	return true
}

// overlap reports whether a place changes from the first marking to the second, and from there to the third.
func overlap(a, b, c []uint64) bool {
	for i := range a {
		if (a[i]^b[i])&(b[i]^c[i]) != 0 {
			return true
		}
	}
	return false
}

// back removes the last state from the path, since it does not satisfy E[a W b], or is open.
func (x *search) back(w *way, n *node) {
	last := w.frames[len(w.frames)-1]
	w.frames, w.arena = w.frames[:len(w.frames)-1], w.arena[:last.from]
	v := no
	if last.tainted || x.err != nil {
		v = open
		if len(w.frames) > 0 {
			w.frames[len(w.frames)-1].tainted = true
		}
	}
	x.set(n, int(last.state), v)
}

// clear sets the label of all states on the path.
func (x *search) clear(w *way, n *node, v value) {
	for _, f := range w.frames {
		x.set(n, int(f.state), v)
	}
}
