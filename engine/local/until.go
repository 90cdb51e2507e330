package local

// A frontier is a search for a state that satisfies b, on a path of states that satisfy a, for E[a U b]. It alternates between breadth first
// and best first. The former finds what is near. The latter continues where b is nearest, and among equals at the last state it met itself, so
// it goes deep where distances are equal.
type frontier struct {
	entries []entry   // in the order met
	oldest  int       // index of an entry; all before it have been expanded
	near    [][]int32 // by distance from b, entries met best first or nearer than these were; some are expanded
	nearest int       // the least distance of which there may be entries
	turn    bool      // whether this turn is best first
	tainted bool      // something on a path is open
}

// An entry is a state met.
type entry struct {
	state, parent int32 // parent is an entry; -1: none
	expanded      bool
}

// farthest is the greatest distance; larger ones count as equal.
const farthest = 255

func (u *frontier) reset() {
	for i := range u.near {
		u.near[i] = u.near[i][:0]
	}
	*u = frontier{entries: u.entries[:0], near: u.near}
}

// push adds a state that was reached from an entry, and reports whether memory allows it.
func (x *search) push(u *frontier, s, parent, distance int) bool {
	list, ok := add(x, u.entries, entry{state: int32(s), parent: int32(parent)})
	u.entries = list
	if !ok || !u.turn && distance >= u.nearest {
		return ok
	}
	for len(u.near) <= distance {
		u.near = append(u.near, nil)
	}
	if u.near[distance], ok = add(x, u.near[distance], int32(len(list)-1)); ok {
		u.nearest = min(u.nearest, distance)
	}
	return true // breadth first will reach it
}

// pop returns an entry to expand, or -1.
func (u *frontier) pop() int {
	if u.turn = !u.turn; u.turn {
		if i := u.best(); i >= 0 {
			return u.expand(i)
		}
	}
	for ; u.oldest < len(u.entries); u.oldest++ {
		if !u.entries[u.oldest].expanded {
			return u.expand(u.oldest)
		}
	}
	return -1
}

// best returns the last of the nearest entries that are not expanded, or -1.
func (u *frontier) best() int {
	for ; u.nearest < len(u.near); u.nearest++ {
		for list := u.near[u.nearest]; len(list) > 0; {
			i := int(list[len(list)-1])
			list = list[:len(list)-1]
			u.near[u.nearest] = list
			if !u.entries[i].expanded {
				return i
			}
		}
	}
	return -1
}

func (u *frontier) expand(i int) int {
	u.entries[i].expanded = true
	return i
}

// evalUntil returns the value of E[a U b] in a state.
func (x *search) evalUntil(n *node, s int) value {
	for len(x.fronts) < x.depth {
		x.fronts = append(x.fronts, &frontier{})
	}
	u := x.fronts[x.depth-1]
	u.reset()
	allowed := x.allowed()
	if x.meet(u, n, s, -1) {
		return x.labelPath(u, n)
	}
	for i := u.pop(); i >= 0; i = u.pop() {
		if !x.visit(&allowed) {
			return x.give(u, n, s)
		}
		if x.spread(u, n, i) {
			return x.labelPath(u, n)
		}
	}
	return x.exhausted(u, n, s)
}

// spread meets the successors of an entry, and reports whether b can be reached from one.
func (x *search) spread(u *frontier, n *node, i int) (found bool) {
	s := int(u.entries[i].state)
	if n.reduced {
		return x.spreadReduced(u, n, i, s)
	}
	succ, ok := x.succ(s)
	u.tainted = u.tainted || !ok
	for _, t := range succ {
		if x.meet(u, n, int(t), i) {
			return true
		}
	}
	return false
}

// spreadReduced meets the successors by a stubborn set, and reports whether b can be reached from one.
func (x *search) spreadReduced(u *frontier, n *node, i, s int) (found bool) {
	ts := x.stubborn.fireable(n.parts[1], s, x.walk.Words(s))
	for k := range ts {
		t, err := x.walk.Fire(s, ts[k:k+1])
		if !x.fine(err) {
			u.tainted = true
		} else if x.meet(u, n, t, i) {
			return true
		}
	}
	return false
}

// meet adds a state that was reached from an entry, and reports whether b is known to be reachable from there.
func (x *search) meet(u *frontier, n *node, s, parent int) (found bool) {
	switch x.label(n, s) {
	case yes:
		return x.reach(u, n, s, parent)
	case open:
		u.tainted = true
		return false
	case no, going:
		return false
	}
	if !x.pulse() {
		return false
	}
	goal := x.eval(n.parts[1], s)
	if goal == yes {
		return x.reach(u, n, s, parent)
	}
	along := x.eval(n.parts[0], s)
	switch {
	case along == no && goal == no:
		x.set(n, s, no)
		return false
	case along != yes:
		u.tainted = true
		x.set(n, s, open)
		return false
	}
	u.tainted = u.tainted || goal == open
	if x.set(n, s, going); !x.push(u, s, parent, x.distance(n.parts[1], true, s)) {
		u.tainted = true
		x.set(n, s, open)
	}
	return false
}

// reach adds the last state of a path to b. It reports whether the search ends with that.
func (x *search) reach(u *frontier, n *node, s, parent int) (found bool) {
	x.set(n, s, yes)
	if !x.push(u, s, parent, 0) {
		u.tainted = true
		return parent < 0
	}
	return true
}

// labelPath labels the path to the last entry, and other states with a successor known to lead to b.
func (x *search) labelPath(u *frontier, n *node) value {
	for i := int32(len(u.entries) - 1); i >= 0; i = u.entries[i].parent {
		x.set(n, int(u.entries[i].state), yes)
	}
	for i := len(u.entries) - 1; i >= 0; i-- {
		if s := int(u.entries[i].state); x.label(n, s) == going && x.pulse() {
			x.set(n, s, x.hindsight(n, s, u.entries[i].expanded))
		}
	}
	return yes
}

// hindsight returns yes if a successor is known to lead to b, otherwise unknown.
func (x *search) hindsight(n *node, s int, expanded bool) value {
	if n.reduced || !expanded {
		return unknown
	}
	succ, _ := x.succ(s)
	for _, t := range succ {
		if x.label(n, int(t)) == yes {
			return yes
		}
	}
	return unknown
}

// exhausted labels all states met: none leads to b, unless something on a path is open.
func (x *search) exhausted(u *frontier, n *node, s int) value {
	v := no
	if u.tainted || x.err != nil {
		v = open
	}
	for _, e := range u.entries {
		x.set(n, int(e.state), v)
	}
	return x.result(n, s, v)
}

// give ends a search that used up its effort: it resets its labels, and marks the first state as open.
func (x *search) give(u *frontier, n *node, s int) value {
	for _, e := range u.entries {
		x.set(n, int(e.state), unknown)
	}
	return x.set(n, s, open)
}

// result returns the value stored for the first state of a search, or v if nothing could be stored.
func (x *search) result(n *node, s int, v value) value {
	if kept := x.label(n, s); kept == yes || kept == no {
		return kept
	}
	return v
}
