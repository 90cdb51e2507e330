package checker

import (
	"slices"

	"github.com/redlinehq/redline/engine/petri"
)

// anybody stands for any actor.
const anybody = -1

// A system computes steps between sets of markings. In a step of an actor one of the actor's acts changes something.
type system interface {
	post(d Node, actor int) Node          // successors by the steps of an actor, except steps that end in contact
	apart(d Node, visit func(after Node)) // successors by all steps, in portions: their union may be large
	pre(d, y Node, actor int) Node        // the markings of d with such a step to y
	able(d Node, actor int) Node          // the markings of d in which something can fire, or an act of an actor that changes something
	contact(d Node) (m Node, place int)   // markings of d in which some step would put a second token on a place
}

// A Problem is the subject of a certificate: a net, its firing rule, and the acts of each party that is assumed to make progress.
type Problem struct {
	Net  *petri.Net
	Rule petri.Rule
	Acts [][]int
}

// firing is a system in which transitions fire one at a time, on diagrams.
type firing struct {
	*Forest
	net    *petri.Net
	acts   [][]bool // by actor and transition
	images []images // by transition
}

// images has the operations of a transition without moves, filled on demand.
type images struct{ forth, back, needs touching }

func newFiring(f *Forest, p Problem) *firing {
	x := &firing{Forest: f, net: p.Net, images: make([]images, len(p.Net.Transitions))}
	for _, list := range p.Acts {
		of := make([]bool, len(p.Net.Transitions))
		for _, t := range list {
			of[t] = true
		}
		x.acts = append(x.acts, of)
	}
	return x
}

// A way is a transition with the moves that apply in all markings of a set.
type way struct {
	from  Node
	moves []petri.Move
}

// ways splits the markings of d by which moves of a transition apply. For one without moves it returns d itself; the transition need not be
// enabled there, since its operations check that.
func (x *firing) ways(d Node, t int) []way {
	of := &x.net.Transitions[t]
	if len(of.Moves) == 0 && !of.Moving {
		return []way{{from: d}}
	}
	all := []way{{from: x.fireable(d, t)}}
	for i := 0; i < len(of.Moves); {
		end := i
		for end < len(of.Moves) && of.Moves[end].From == of.Moves[i].From {
			end++
		}
		var split []way
		for _, w := range all {
			split = append(split, x.split(w, of.Moves[i:end])...)
		}
		all, i = split, end
	}
	return slices.DeleteFunc(all, func(w way) bool { return w.from == None || of.Moving && len(w.moves) == 0 })
}

func (x *firing) split(w way, moves []petri.Move) []way {
	var list []way
	rest := w.from
	for _, v := range moves {
		if rest == None {
			break
		}
		applies := x.allMarked(rest, append(slices.Clone(v.If), v.From))
		switch {
		case applies == None:
		case v.From == v.To: // the token stays
			list = append(list, way{applies, w.moves})
		default:
			list = append(list, way{applies, append(slices.Clip(w.moves), v)})
		}
		rest = x.Minus(rest, applies)
	}
	if rest != None {
		list = append(list, way{rest, w.moves})
	}
	return list
}

// fireable returns the markings of d in which the inputs and read places of a transition are marked.
func (x *firing) fireable(d Node, t int) Node {
	at := &x.images[t].needs
	if at.touches == nil {
		of := &x.net.Transitions[t]
		var list []touch
		for _, p := range slices.Concat(of.In, of.Read) {
			list = append(list, touch{int32(x.levelOf[p]), [2][2]bool{1: {1: true}}})
		}
		slices.SortFunc(list, func(a, b touch) int { return int(a.level - b.level) })
		*at = x.touching(list)
	}
	return x.step(d, *at)
}

func (x *firing) allMarked(d Node, places []int) Node {
	for _, p := range places {
		if d == None {
			break
		}
		d = x.marked(d, p, true)
	}
	return d
}

// does reports whether a way of a transition is a step of an actor.
func (x *firing) does(actor, t int, w way) bool {
	of := &x.net.Transitions[t]
	return actor == anybody || x.acts[actor][t] && len(of.In)+len(of.Out)+len(w.moves) > 0
}

// effect returns what a way of a transition consumes and produces.
func (x *firing) effect(t int, w way) (consumed, produced []int) {
	of := &x.net.Transitions[t]
	consumed, produced = slices.Clone(of.In), slices.Clone(of.Out)
	for _, v := range w.moves {
		consumed, produced = append(consumed, v.From), append(produced, v.To)
	}
	return consumed, produced
}

// touches returns the effect of a way of a transition. ok is false if it would by itself put two tokens on a place.
func (x *firing) touches(t int, w way) (list []touch, ok bool) {
	of := &x.net.Transitions[t]
	consumed, produced := x.effect(t, w)
	at := map[int]*[2][2]bool{}
	for _, p := range of.Read {
		at[p] = &[2][2]bool{1: {1: true}}
	}
	for _, p := range consumed { // a move may start from a place that is read
		at[p] = &[2][2]bool{1: {0: true}}
	}
	for i, p := range produced {
		if slices.Contains(produced[:i], p) {
			return nil, false
		}
		var may [2][2]bool
		may[bit(slices.Contains(consumed, p))][1] = true
		at[p] = &may
	}
	for _, p := range of.Marks {
		may := [2][2]bool{{true, false}, {false, true}} // unchanged unless something else happens
		if there := at[p]; there != nil {
			may = *there
		}
		for before := range may {
			may[before] = [2]bool{1: may[before][0] || may[before][1]}
		}
		at[p] = &may
	}
	for p, may := range at {
		list = append(list, touch{int32(x.levelOf[p]), *may})
	}
	slices.SortFunc(list, func(a, b touch) int { return int(a.level - b.level) })
	return list, true
}

// image returns the operation that applies a way of a transition to markings, or, turned, its inverse. ok is as for touches.
func (x *firing) image(t int, w way, turn bool) (image touching, ok bool) {
	at := &x.images[t].forth
	if turn {
		at = &x.images[t].back
	}
	if len(w.moves) == 0 && at.touches != nil {
		return *at, true
	}
	touches, ok := x.touches(t, w)
	if turn {
		touches = turned(touches)
	}
	image = x.touching(touches)
	if len(w.moves) == 0 && ok {
		*at = image
	}
	return image, ok
}

func turned(touches []touch) []touch {
	list := slices.Clone(touches)
	for i := range list {
		list[i].may[0][1], list[i].may[1][0] = list[i].may[1][0], list[i].may[0][1]
	}
	return list
}

// each visits the ways in which an actor can step from markings of d.
func (x *firing) each(d Node, actor int, visit func(t int, w way)) {
	for t := range x.net.Transitions {
		if actor != anybody && !x.acts[actor][t] {
			continue
		}
		for _, w := range x.ways(d, t) {
			if x.does(actor, t, w) {
				visit(t, w)
			}
		}
	}
}

func (x *firing) post(d Node, actor int) Node {
	after := None
	x.afters(d, actor, func(some Node) { after = x.Union(after, some) })
	return after
}

func (x *firing) apart(d Node, visit func(after Node)) { x.afters(d, anybody, visit) }

// afters visits the successors by each way of each transition.
func (x *firing) afters(d Node, actor int, visit func(after Node)) {
	x.each(d, actor, func(t int, w way) {
		if image, ok := x.image(t, w, false); ok {
			visit(x.step(w.from, image))
		}
	})
}

func (x *firing) pre(d, y Node, actor int) Node {
	before := None
	x.each(d, actor, func(t int, w way) {
		if image, ok := x.image(t, w, true); ok {
			before = x.Union(before, x.Intersect(w.from, x.step(y, image)))
		}
	})
	return before
}

func (x *firing) able(d Node, actor int) Node {
	able := None
	x.each(d, actor, func(t int, w way) { able = x.Union(able, x.fireable(w.from, t)) })
	return able
}

func (x *firing) contact(d Node) (m Node, place int) {
	x.each(d, anybody, func(t int, w way) {
		if m != None {
			return
		}
		consumed, produced := x.effect(t, w)
		fireable := x.fireable(w.from, t)
		for i, p := range produced {
			full := None
			if slices.Contains(produced[:i], p) {
				full = fireable
			} else if !slices.Contains(consumed, p) {
				full = x.marked(fireable, p, true)
			}
			if full != None {
				m, place = full, p
				return
			}
		}
	})
	return m, place
}
