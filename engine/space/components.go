package space

import "context"

// Components visits each strongly connected component of the graph within a that the states of from can reach within a. It includes single
// states without an arc of their own. It visits a component after all components that it leads to (R. Tarjan, 1972, Depth-first search and
// linear graph algorithms, section 4). inside reports whether a state is in the component. visit must not keep part, and its error ends the
// search; other errors are the context's cause, wrapped, or a *LimitError. Cost: linear in the arcs visited. It claims 24 bytes a state of the
// graph's memory while it runs.
func (g *Graph) Components(ctx context.Context, a, from Set, visit func(part []uint32, inside func(t uint32) bool) error) error {
	size := 24 * int64(g.Len())
	if err := g.borrow(size); err != nil {
		return err
	}
	defer g.giveBack(size)
	d := &dive{g: g, a: a, visit: visit, number: make([]uint32, g.Len()), low: make([]uint32, g.Len()), part: make([]uint32, g.Len()),
		stack: make([]uint32, 0, g.Len()), path: make([]turn, 0, g.Len())}
	for s := range from.Each() {
		if d.number[s] != 0 {
			continue
		}
		if err := d.from(ctx, uint32(s)); err != nil {
			return err
		}
	}
	return stopped(ctx)
}

// A dive is the state of Tarjan's search. Its slices are indexed by state; number 0 means not visited yet.
type dive struct {
	g           *Graph
	a           Set
	visit       func(part []uint32, inside func(t uint32) bool) error
	number, low []uint32
	part        []uint32 // component of a state; 0: none yet
	count       uint32   // states numbered
	parts       uint32
	stack       []uint32 // states in no component yet, in order of their numbers
	path        []turn
}

// A turn is a state on the search path, with the number of its arcs already followed.
type turn struct {
	state uint32
	arcs  uint32
}

func (d *dive) from(ctx context.Context, s uint32) error {
	d.enter(s)
	for i := 0; len(d.path) > 0; i++ {
		if err := now(ctx, i); err != nil {
			return err
		}
		at := len(d.path) - 1
		next := d.g.Succ(int(d.path[at].state))
		for int(d.path[at].arcs) < len(next) && len(d.path) == at+1 {
			d.path[at].arcs++
			d.look(d.path[at].state, next[d.path[at].arcs-1])
		}
		if len(d.path) > at+1 {
			continue
		}
		if err := d.leave(d.path[at].state); err != nil {
			return err
		}
	}
	return nil
}

func (d *dive) enter(s uint32) {
	d.count++
	d.number[s], d.low[s] = d.count, d.count
	d.stack = append(d.stack, s)
	d.path = append(d.path, turn{state: s})
}

// look follows the arc from s to t.
func (d *dive) look(s, t uint32) {
	switch {
	case !Has(d.a, int(t)) || d.part[t] != 0:
	case d.number[t] == 0:
		d.enter(t)
	default:
		d.low[s] = min(d.low[s], d.number[t])
	}
}

// leave passes the low number of s to the state before it on the path. It closes the component that s began, if any, and visits it.
func (d *dive) leave(s uint32) error {
	d.path = d.path[:len(d.path)-1]
	if len(d.path) > 0 {
		before := d.path[len(d.path)-1].state
		d.low[before] = min(d.low[before], d.low[s])
	}
	if d.low[s] != d.number[s] {
		return nil
	}
	d.parts++
	at := len(d.stack)
	for d.part[s] == 0 {
		at--
		d.part[d.stack[at]] = d.parts
	}
	id := d.parts
	err := d.visit(d.stack[at:], func(t uint32) bool { return d.part[t] == id })
	d.stack = d.stack[:at]
	return err
}

// borrow claims memory until giveBack releases it. Its error is a *LimitError.
func (g *Graph) borrow(size int64) error {
	g.Reversing.Lock()
	defer g.Reversing.Unlock()
	err := g.Budget.Claim(size)
	if limit, ok := err.(*LimitError); ok {
		limit.Explored = g.Len()
	}
	return err
}

func (g *Graph) giveBack(size int64) {
	g.Reversing.Lock()
	defer g.Reversing.Unlock()
	g.Budget.Release(size)
}
