package space

import (
	"context"
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/redlinehq/redline/engine/petri"
)

// Explore builds the state model of the net under the rule, breadth first. Its error is a *ContactError when the net is not one-safe, a
// *LimitError, or the context's cause, wrapped.
//
// Under petri.One it costs an expected constant number of words for each arc. Under petri.All a state can have exponentially many steps in its
// number of transitions. It runs in one goroutine. Firing takes a third of the time. The rest finds and numbers markings in a fixed order, so
// a second core could save less than that third.
func Explore(ctx context.Context, net *petri.Net, rule petri.Rule, lim Limits) (*Graph, error) {
	return newExplorer(net, rule, lim).explore(ctx)
}

// ExploreForgetting is Explore under petri.One of a net that forgets: each marking loses the tokens that forget takes from it, a bit set over places, before it is numbered.
// Steps and arcs are those of what is left.
func ExploreForgetting(ctx context.Context, net *petri.Net, lim Limits, forget func(marking []uint64)) (*Graph, error) {
	e := newExplorer(net, petri.One, lim)
	e.forget = forget
	return e.explore(ctx)
}

// explore adds all states and arcs.
func (e *explorer) explore(ctx context.Context) (*Graph, error) {
	if err := e.start(); err != nil {
		return nil, e.explain(err)
	}
	for s := 0; s < e.g.Marks.len; s++ {
		if err := e.pause(ctx, s); err != nil {
			return nil, e.explain(err)
		}
		if err := e.expand(ctx, s); err != nil {
			return nil, e.explain(err)
		}
	}
	e.finish()
	return e.g, nil
}

// An explorer holds data that is needed only while the graph grows.
type explorer struct {
	g        *Graph
	lim      Limits
	fireable []uint64 // a bit set over transitions, empty between states
	after    []uint64 // the marking being reached
	busy     int      // number of arcs at which pause acts next
	forget   func([]uint64)
}

// graphs counts the graphs made so far, for Graph.ID.
var graphs atomic.Uint64

func newExplorer(net *petri.Net, rule petri.Rule, lim Limits) *explorer {
	f := newFirer(net)
	g := &Graph{
		Net: net, ID: graphs.Add(1), rule: rule, firer: f, Budget: budget{limit: lim.Bytes},
		Marks: newRows[uint64](f.words), first: newRows[uint32](1), succ: newRows[uint32](1),
	}
	if lim.States == 0 || lim.States > maxStates {
		lim.States = maxStates
	}
	return &explorer{g: g, lim: lim, fireable: make([]uint64, (len(net.Transitions)+63)/64), after: make([]uint64, f.words)}
}

// start adds the initial state. Its error is a *LimitError.
func (e *explorer) start() (err error) {
	g := e.g
	if g.index, err = newIndex(&g.Marks, &g.Budget); err != nil {
		return err
	}
	for _, p := range g.Net.Initial {
		Add(e.after, p)
	}
	if _, err = e.state(); err != nil {
		return err
	}
	return g.first.push([]uint32{0}, &g.Budget)
}

// expand adds the arcs that leave state s, and their targets.
func (e *explorer) expand(ctx context.Context, s int) error {
	g := e.g
	m := g.Marks.At(s)
	g.firer.fireable(m, e.fireable)
	var err error
	if g.rule == petri.All {
		err = e.expandAll(ctx, s, m)
	} else {
		err = e.expandOne(s, m)
	}
	if err != nil {
		return err
	}
	return g.first.push([]uint32{uint32(g.succ.len)}, &g.Budget)
}

// expandOne fires each fireable transition alone, and empties e.fireable.
func (e *explorer) expandOne(s int, m []uint64) error {
	for i, w := range e.fireable {
		e.fireable[i] = 0
		for ; w != 0; w &= w - 1 {
			t := i*64 + bits.TrailingZeros64(w)
			copy(e.after, m)
			if p := e.g.firer.fire(e.after, t); p >= 0 {
				return e.g.contact(s, []int{t}, p)
			}
			if err := e.arc(); err != nil {
				return err
			}
		}
	}
	return nil
}

// expandAll fires every maximal step, and empties e.fireable.
func (e *explorer) expandAll(ctx context.Context, s int, m []uint64) error {
	ts := members(e.fireable)
	clear(e.fireable)
	return e.g.firer.steps(ctx, ts, func(step []int) error {
		copy(e.after, m)
		if p := e.g.firer.together(e.after, step); p >= 0 {
			return e.g.contact(s, append([]int(nil), step...), p)
		}
		return e.arc()
	})
}

// arc adds an arc to the state whose marking is e.after. Its error is a *LimitError.
func (e *explorer) arc() error {
	to, err := e.state()
	if err != nil {
		return err
	}
	if e.g.succ.len == maxArcs {
		return &LimitError{What: "arcs", Limit: maxArcs}
	}
	return e.g.succ.push([]uint32{uint32(to)}, &e.g.Budget)
}

// state returns the number of the state whose marking is e.after. It adds the state if it is new.
func (e *explorer) state() (int, error) {
	g := e.g
	if e.forget != nil {
		e.forget(e.after)
	}
	h := Hash(e.after)
	s, slot := g.index.find(e.after, h)
	if s >= 0 {
		return s, nil
	}
	s = g.Marks.len
	if s >= e.lim.States {
		return 0, &LimitError{What: "states", Limit: int64(e.lim.States)}
	}
	if g.index.full(s) {
		if err := g.index.grow(&g.Budget); err != nil {
			return 0, err
		}
		_, slot = g.index.find(e.after, h)
	}
	g.index.put(s, h, slot)
	return s, g.Marks.push(e.after, &g.Budget)
}

// pause reports progress and checks the context, at intervals. Its error is the context's cause.
func (e *explorer) pause(ctx context.Context, s int) error {
	if s%1024 != 0 && e.g.succ.len < e.busy {
		return nil
	}
	e.busy = e.g.succ.len + 4096
	if e.lim.Progress != nil {
		e.lim.Progress(e.g.Marks.len, e.g.succ.len)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// explain adds to an error the number of states found until then.
func (e *explorer) explain(err error) error {
	switch err := err.(type) {
	case *ContactError:
	case *LimitError:
		err.Explored = e.g.Marks.len
	default:
		return fmt.Errorf("exploring the state model of %q (%d states found): %w", e.g.Net.Name, e.g.Marks.len, err)
	}
	return err
}

// finish counts the dead ends.
func (e *explorer) finish() {
	g := e.g
	for s := range g.Len() {
		if from, to := g.ArcsFrom(s); from == to {
			g.Dead++
		}
	}
}
