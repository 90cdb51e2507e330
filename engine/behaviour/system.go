package behaviour

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
)

// This file turns state models into labelled transition systems. The label of an arc is the multiset of the sights of what fires along it.
// Time also passes where no clock runs, and changes nothing there: otherwise a deadline that nothing waits for would be a difference. So if
// either draft has clocks, a state in which none runs gets a self-loop of time, unless time waits there for an event that is due. There are no
// such loops if all transitions fire at once: see Observables.overlookTime.

// A lexicon numbers the labels of both systems. Label 0 is delta.Silent, which no arc has.
type lexicon struct {
	*Observables
	labels [][]int // by label, the sights, sorted
	at     map[string]uint32
}

func (x *lexicon) label(sights []int) uint32 {
	key := make([]byte, 0, 64)
	for _, s := range sights {
		key = append(key, byte(s), byte(s>>8), byte(s>>16))
	}
	if l, known := x.at[string(key)]; known {
		return l
	}
	l := uint32(len(x.labels))
	x.labels, x.at[string(key)] = append(x.labels, slices.Clone(sights)), l
	return l
}

// A modelled is a draft with its state model as a system.
type modelled struct {
	*verify.Listed
	system *delta.System
	fired  []bool   // by composed transition
	parent []uint32 // by state, its predecessor in breadth-first search; orphan for the initial state
}

// orphan is the parent of the initial state.
const orphan = ^uint32(0)

// model returns a state model as a system. Cost: one label for every arc.
func (x *lexicon) model(ctx context.Context, c *verify.Listed, side int) (*modelled, error) {
	n := c.Graph.Len()
	m := &modelled{c, &delta.System{First: make([]uint32, 1, n+1)}, make([]bool, len(c.Net.Transitions)), slices.Repeat([]uint32{orphan}, n)}
	arcs := c.Graph.Arcs() + n*len(x.norms)
	m.system.Label, m.system.Target = make([]uint32, 0, arcs), make([]uint32, 0, arcs)
	b := builder{lexicon: x, modelled: m, of: x.Of[side], side: side, single: make([]uint32, len(x.All)), idle: x.idles(), notDue: ticksRead(c.Net)}
	b.normCodes()
	for s := range n {
		if s%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		b.state(s)
	}
	return m, nil
}

// idles returns the label of time passing where no clock runs, or delta.Silent if there is no time.
func (x *lexicon) idles() uint32 {
	if x.idle < 0 {
		return delta.Silent
	}
	at := slices.IndexFunc(x.All, func(s Sight) bool { return s.Action == x.idle })
	return x.label([]int{at})
}

type builder struct {
	*lexicon
	*modelled
	of     []int // sights, by composed transition
	side   int
	codes  [][]int16             // codes of the norms, by state; nil without norms
	glance map[[2]int16][]uint32 // labels of glances, by norm and code
	single []uint32              // label of a single sight; 0: not computed yet
	idle   uint32
	notDue []int // see ticksRead
	buffer []int
}

func (b *builder) state(s int) {
	steps, succ := b.Graph.Steps(s), b.Graph.Succ(s)
	for i, step := range steps {
		b.arc(b.labelOf(step, b.shifts(s, int(succ[i]))), succ[i])
		for _, t := range step {
			b.fired[t] = true
		}
		if to := succ[i]; to != 0 && b.parent[to] == orphan {
			b.parent[to] = uint32(s)
		}
	}
	if b.idle != delta.Silent && still(b.modelled.Listed, s, b.notDue) {
		b.arc(b.idle, uint32(s))
	}
	if b.codes != nil {
		for i, code := range b.codes[s] {
			for _, l := range b.glance[[2]int16{int16(i), code}] {
				b.arc(l, uint32(s))
			}
		}
	}
	b.system.First = append(b.system.First, uint32(len(b.system.Target)))
}

// still reports whether time may pass in a state in which no clock runs. notDue has the places that ticks of its net read.
func still(c *verify.Listed, s int, notDue []int) bool {
	return !slices.ContainsFunc(c.Graph.Steps(s), func(step []int) bool {
		return slices.ContainsFunc(step, func(t int) bool { return c.Net.Transitions[t].Moving })
	}) && (notDue == nil || !waits(c.Graph.Marking(s), notDue))
}

// ticksRead returns the places that ticks of a net read: that events which happen by themselves are not due.
func ticksRead(n *petri.Net) (places []int) {
	for _, t := range n.Transitions {
		if t.Moving {
			places = append(places, t.Read...)
		}
	}
	return places
}

// waits reports whether time can't pass in a marking before an event that is due.
func waits(m petri.Marking, notDue []int) bool {
	return slices.ContainsFunc(notDue, func(p int) bool { return !m.Has(p) })
}

func (b *builder) arc(label, to uint32) {
	b.system.Label, b.system.Target = append(b.system.Label, label), append(b.system.Target, to)
}

// normCodes computes the codes of the norms in each state.
func (b *builder) normCodes() {
	if len(b.norms) == 0 {
		return
	}
	p := b.postures(b.side)
	for s := range b.Graph.Len() {
		b.codes = append(b.codes, p.of(b.Graph.Marking(s)))
	}
	b.glance = map[[2]int16][]uint32{}
	for _, g := range b.glances[b.side] {
		at := [2]int16{int16(g.norm), int16(g.code)}
		b.glance[at] = append(b.glance[at], b.label([]int{g.sight}))
	}
}

// shifts returns the sights of the changes that a step makes to the states of norms.
func (b *builder) shifts(from, to int) (list []int) {
	if b.codes == nil {
		return nil
	}
	for i, code := range b.codes[from] {
		if b.codes[to][i] != code {
			if n := &b.norms[i]; fateCode(code) == fateCode(b.codes[to][i]) {
				list = append(list, n.pass[b.side])
			} else {
				list = append(list, n.shift[b.side])
			}
		}
	}
	return list
}

// labelOf returns the label of a step.
func (b *builder) labelOf(step, shifts []int) uint32 {
	if b.Rule == petri.One && len(shifts) == 0 {
		s := b.of[step[0]]
		if b.single[s] == 0 {
			b.single[s] = b.label([]int{s})
		}
		return b.single[s]
	}
	b.buffer = b.buffer[:0]
	for _, t := range step {
		b.buffer = append(b.buffer, b.of[t])
	}
	b.buffer = append(b.buffer, shifts...)
	slices.Sort(b.buffer)
	return b.label(b.buffer)
}

// glancing reports whether an arc is a glance.
func (x *lexicon) glancing(m *modelled, arc uint32) bool {
	sights := x.labels[m.system.Label[arc]]
	return len(sights) == 1 && x.All[sights[0]].Action == glanceAction
}

// fires returns the transitions along an arc that is not a glance, and its target. There are none if only time passes.
func (m *modelled) fires(state int, arc uint32) (step []int, to int) {
	i := int(arc - m.system.First[state])
	to = int(m.system.Target[arc])
	if steps := m.Graph.Steps(state); i < len(steps) {
		return steps[i], to
	}
	return nil, to
}

// sort renumbers the labels in order of their sights, so that they do not depend on the order of states.
func (x *lexicon) sort(systems ...*delta.System) {
	order := make([]int, len(x.labels))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order[1:], func(a, b int) int { return slices.Compare(x.labels[a], x.labels[b]) })
	to, labels := make([]uint32, len(order)), make([][]int, len(order))
	for i, l := range order {
		to[l], labels[i] = uint32(i), x.labels[l]
	}
	x.labels, x.at = labels, nil
	for _, s := range systems {
		for i, l := range s.Label {
			s.Label[i] = to[l]
		}
	}
}
