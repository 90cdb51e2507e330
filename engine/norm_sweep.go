package engine

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
)

// A sweep is what one pass over all states and arcs finds out for the checks of norms. Cost: a
// firing of every arc, and a bit per state for each obligation.
type sweep struct {
	usable  map[*hclspec.Norm]bool      // powers and permissions: some state has it and lets its event happen
	enabled map[*hclspec.Norm]space.Set // obligations: where some event that fulfils it can happen
	byOwn   map[*hclspec.Norm]space.Set // where its bearer takes part in one
	own     map[*hclspec.Party][][2]int // by bearer, the arcs in which no other party takes part
}

func (c *checked) sweepNorms(ctx context.Context) (*sweep, error) {
	s := &sweep{map[*hclspec.Norm]bool{}, map[*hclspec.Norm]space.Set{}, map[*hclspec.Norm]space.Set{}, map[*hclspec.Party][][2]int{}}
	acts := map[*hclspec.Event][]*hclspec.Norm{}
	for _, n := range c.Spec.Norms {
		s.enabled[n], s.byOwn[n] = c.noState(), c.noState()
		for _, e := range n.Acts {
			acts[e] = append(acts[e], n)
		}
		if n.Kind == hclspec.Obligation {
			s.own[n.Bearer] = nil
		}
	}
	for state := range c.graph.Len() {
		if state%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		marking, succ := c.graph.Marking(state), c.graph.Succ(state)
		for i, step := range c.graph.Steps(state) {
			for _, t := range step {
				c.sweepAct(s, acts, state, marking, &c.Net.Transitions[t])
			}
			c.sweepArc(s, step, state, int(succ[i]))
		}
	}
	return s, nil
}

func (c *checked) noState() space.Set { return make(space.Set, (c.graph.Len()+63)/64) }

// sweepAct looks at a transition that can fire in a state.
func (c *checked) sweepAct(s *sweep, acts map[*hclspec.Event][]*hclspec.Norm, state int, m petri.Marking, t *petri.Transition) {
	if t.Event < 0 {
		return
	}
	for _, n := range acts[c.events[t.Event]] {
		s.enabled[n][state/64] |= 1 << (state % 64)
		if c.takesPart(t, n.Bearer) {
			s.byOwn[n][state/64] |= 1 << (state % 64)
		}
		if m.Has(c.placeOf[n.Name+"."+n.On().Name]) {
			s.usable[n] = true
		}
	}
}

func (c *checked) takesPart(t *petri.Transition, who *hclspec.Party) bool {
	return slices.ContainsFunc(t.Parts, func(p petri.Part) bool { return !c.part(p).Passive && c.parties[p.Net].Person() == who.Person() })
}

// sweepArc keeps an arc for the bearers without whom nobody acts in it. A net is nobody, and so is time.
func (c *checked) sweepArc(s *sweep, step []int, from, to int) {
	actor := ""
	for _, t := range step {
		for _, p := range c.Net.Transitions[t].Parts {
			switch who := c.parties[p.Net]; {
			case !c.acting(p) || who.Person() == actor:
			case actor != "":
				return
			default:
				actor = who.Person()
			}
		}
	}
	for bearer := range s.own {
		if actor == "" || actor == bearer.Person() {
			s.own[bearer] = append(s.own[bearer], [2]int{from, to})
		}
	}
}

// fulfilment finds, within the states in which an obligation is owed, those from which its fulfilment
// can be brought about while it is owed: by anybody; and without a step of any party but the bearer,
// up to an event in which the bearer takes part.
func (s *sweep) fulfilment(ctx context.Context, g *space.Graph, n *hclspec.Norm, owed space.Set) (can, own space.Set, err error) {
	x := g.Sets()
	can, err = x.Until(ctx, owed, x.Intersect(owed, s.enabled[n]))
	if err != nil {
		return nil, nil, err
	}
	return can, s.backwards(s.own[n.Bearer], owed, x.Intersect(owed, s.byOwn[n])), nil
}

// backwards adds to a set the states of within from which arcs lead into it. Cost: linear in the arcs.
func (s *sweep) backwards(arcs [][2]int, within, target space.Set) space.Set {
	has := func(a space.Set, s int) bool { return a[s/64]>>(s%64)&1 != 0 }
	into := map[int][]int{}
	var work []int
	for _, a := range arcs {
		if has(within, a[0]) && has(within, a[1]) {
			into[a[1]] = append(into[a[1]], a[0])
		}
	}
	reached := append(space.Set(nil), target...)
	for s := range len(target) * 64 {
		if has(target, s) {
			work = append(work, s)
		}
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		for _, from := range into[s] {
			if !has(reached, from) {
				reached[from/64] |= 1 << (from % 64)
				work = append(work, from)
			}
		}
	}
	return reached
}
