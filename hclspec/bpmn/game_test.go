package bpmn

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// A sketch is a scope drawn at random: elements, by number, and flows between them.
type sketch struct {
	elements []*mark
	flows    [][2]int
	single   bool // there is only ever one token in it, and nothing breaks it off
}

// A mark is an element of a sketch.
type mark struct {
	kind, name string
	inner      *sketch
	host       int    // of an event at a border: the element that it is at
	stays      bool   // it breaks nothing off
	about      string // of an event: timer, error, terminate
}

// sketchScope draws a scope: one start event, elements in between, end events.
func sketchScope(r *rand.Rand, count *int, deep int) *sketch {
	k := &sketch{single: true}
	add := func(kind string) *mark {
		*count++
		m := &mark{kind: kind, name: fmt.Sprint("x", *count)}
		k.elements = append(k.elements, m)
		return m
	}
	add("startEvent")
	for range 1 + r.IntN(3) {
		kind := []string{"task", "exclusiveGateway", "parallelGateway", "subProcess", "subProcess", "task"}[r.IntN(6)]
		if kind == "subProcess" && deep == 0 {
			kind = "task"
		}
		if m := add(kind); kind == "subProcess" {
			m.inner = sketchScope(r, count, deep-1)
		}
	}
	ends := len(k.elements)
	for range 1 + r.IntN(2) {
		if m := add("endEvent"); r.IntN(5) == 0 {
			m.about = []string{"terminate", "error"}[r.IntN(2)]
		}
	}
	for i := range ends {
		k.flows = append(k.flows, [2]int{i, 1 + r.IntN(len(k.elements)-1)})
	}
	for i := 1; i < len(k.elements); i++ {
		k.flows = append(k.flows, [2]int{r.IntN(min(i, ends)), i})
	}
	for i := 1; i < ends; i++ {
		if k.elements[i].kind != "task" && k.elements[i].inner == nil || r.IntN(2) == 0 {
			continue
		}
		m := add("boundaryEvent")
		m.host, m.stays, m.about = i, r.IntN(3) == 0, "timer"
		if r.IntN(3) == 0 {
			m.about, m.stays = "error", false
		}
		k.flows = append(k.flows, [2]int{len(k.elements) - 1, 1 + r.IntN(ends)})
	}
	if r.IntN(3) == 0 { // any number of branches, joined
		split := len(k.elements)
		add("inclusiveGateway")
		k.flows = append(k.flows, [2]int{r.IntN(ends), split})
		add("task")
		add("task")
		add("inclusiveGateway")
		k.flows = append(k.flows, [2]int{split, split + 1}, [2]int{split, split + 2}, [2]int{split + 1, split + 3}, [2]int{split + 2, split + 3}, [2]int{split + 3, 1 + r.IntN(ends)})
	}
	return k
}

func (k *sketch) text(b *strings.Builder) {
	for _, m := range k.elements {
		fmt.Fprintf(b, `<%s id="%s"`, m.kind, m.name)
		if m.kind == "boundaryEvent" {
			fmt.Fprintf(b, ` attachedToRef="%s" cancelActivity="%t"`, k.elements[m.host].name, !m.stays)
		}
		b.WriteString(">")
		if m.about != "" {
			fmt.Fprintf(b, "<%sEventDefinition/>", m.about)
		}
		if m.inner != nil {
			m.inner.text(b)
		}
		fmt.Fprintf(b, "</%s>", m.kind)
	}
	for i, f := range k.flows {
		fmt.Fprintf(b, `<sequenceFlow id="%s-f%d" sourceRef="%s" targetRef="%s"/>`, k.elements[0].name, i, k.elements[f[0]].name, k.elements[f[1]].name)
	}
}

// bordered lists the events at the border of an element, by number.
func (k *sketch) bordered(i int) (all []int) {
	for n, m := range k.elements {
		if m.kind == "boundaryEvent" && m.host == i {
			all = append(all, n)
		}
	}
	return all
}

// catcher returns which event at the border of which element, of this scope, an error inside of it leads to; -1: none.
func (k *sketch) catcher(i int) int {
	for _, n := range k.bordered(i) {
		if k.elements[n].about == "error" {
			return n
		}
	}
	return -1
}

// A game is a state of the token game on a scope: flows with a token, what goes on, events at borders that may still come, and the sub-processes. Only what is true is in it.
type game struct {
	flow   map[int]bool
	begins bool
	doing  map[int]bool // tasks with events at their border
	armed  map[int]bool
	sub    map[int]*game // sub-processes that go on, or are broken off
	by     map[int]int   // sub-processes that are broken off: by which event; -1: from within
	ended  map[int]bool  // end events of a process that were reached
	over   bool          // of a process: it was ended at once
	wait   map[int]bool  // an inclusive gateway that joins: branches that will not come
}

func begun() *game {
	return &game{flow: map[int]bool{}, begins: true, doing: map[int]bool{}, armed: map[int]bool{}, sub: map[int]*game{}, by: map[int]int{}, ended: map[int]bool{}, wait: map[int]bool{}}
}

func (g *game) clone() *game {
	c := *g
	c.flow, c.doing, c.armed, c.by, c.ended, c.wait = maps.Clone(g.flow), maps.Clone(g.doing), maps.Clone(g.armed), maps.Clone(g.by), maps.Clone(g.ended), maps.Clone(g.wait)
	c.sub = map[int]*game{}
	for i, s := range g.sub {
		c.sub[i] = s.clone()
	}
	return &c
}

func (g *game) empty() bool {
	return !g.begins && len(g.flow) == 0 && len(g.doing) == 0 && len(g.sub) == 0 && len(g.wait) == 0
}

func (g *game) key() string {
	var subs []string
	for _, i := range slices.Sorted(maps.Keys(g.sub)) {
		subs = append(subs, fmt.Sprint(i, ":", g.sub[i].key()))
	}
	armed := maps.Clone(g.armed)
	return fmt.Sprint(g.flow, g.begins, g.doing, armed, g.by, g.ended, g.over, g.wait, subs)
}

// A turn is what can happen: its name (empty: nothing that is seen), the state after it, nil where a place would have two tokens, and the error it raises in what is around.
type turn struct {
	name   string
	after  *game
	raised bool // an error leaves the scope
	killed bool // the scope is broken off, as if it were over
	out    bool // the only token leaves a scope of a single token
}

// turns lists what can happen in a scope. Top says that it is the process.
func (k *sketch) turns(g *game, top bool) (all []turn) {
	if g.over {
		return nil
	}
	put := func(after *game, flows ...int) *game {
		for _, f := range flows {
			if after == nil || after.flow[f] {
				return nil
			}
			after.flow[f] = true
		}
		return after
	}
	outs := func(i int) (all []int) {
		for n, f := range k.flows {
			if f[0] == i {
				all = append(all, n)
			}
		}
		return all
	}
	ins := func(i int) (all []int) {
		for n, f := range k.flows {
			if f[1] == i {
				all = append(all, n)
			}
		}
		return all
	}
	for i, m := range k.elements {
		label := func(flows []int) string {
			var names []string
			for _, f := range flows {
				names = append(names, k.elements[k.flows[f][1]].name)
			}
			return m.name + ": " + strings.Join(names, " and ")
		}
		switch {
		case m.kind == "startEvent":
			if g.begins {
				after := g.clone()
				after.begins = false
				all = append(all, turn{name: m.name, after: put(after, outs(i)...)})
			}
			continue
		case m.kind == "boundaryEvent":
			all = append(all, k.borderTurns(g, i, outs(i), put)...)
			continue
		case m.kind == "parallelGateway":
			after := g.clone()
			ready := true
			for _, f := range ins(i) {
				ready = ready && after.flow[f]
				delete(after.flow, f)
			}
			if ready {
				all = append(all, turn{name: m.name, after: put(after, outs(i)...)})
			}
			continue
		case m.kind == "inclusiveGateway" && len(ins(i)) > 1: // it joins: a branch comes, or is known not to
			after := g.clone()
			came, known := 0, true
			for _, f := range ins(i) {
				known = known && (g.flow[f] || g.wait[f])
				if g.flow[f] {
					came++
				}
				delete(after.flow, f)
				if !g.flow[f] {
					delete(after.wait, f)
				}
			}
			if known && came > 0 {
				all = append(all, turn{name: m.name, after: put(after, outs(i)...)})
			}
			continue
		}
		for _, in := range ins(i) {
			if !g.flow[in] {
				continue
			}
			after := g.clone()
			delete(after.flow, in)
			bounds := k.bordered(i)
			switch {
			case m.kind == "exclusiveGateway":
				for _, o := range outs(i) {
					all = append(all, turn{name: label([]int{o}), after: put(after.clone(), o)})
				}
			case m.kind == "inclusiveGateway":
				both := outs(i)
				for _, some := range [][]int{both[:1], both[1:], both} {
					next := put(after.clone(), some...)
					for n, o := range both {
						if next != nil && !slices.Contains(some, o) {
							f := ins(i + 3)[n]
							if next.wait[f] {
								next = nil
								break
							}
							next.wait[f] = true
						}
					}
					all = append(all, turn{name: label(some), after: next})
				}
			case m.kind == "endEvent":
				all = append(all, k.ending(after, i, top))
			case m.inner != nil && m.inner.single:
				if s := after.sub[i]; s == nil {
					after.sub[i] = begun()
				} else if s.begins {
					after = nil
				} else {
					s.begins = true
				}
				all = append(all, turn{name: m.name + " begins", after: after})
			case m.inner != nil || len(bounds) > 0:
				if after.sub[i] != nil || after.doing[i] {
					after = nil
				} else {
					if m.inner != nil {
						after.sub[i] = begun()
					} else {
						after.doing[i] = true
					}
					for _, b := range bounds {
						if k.elements[b].stays {
							after.armed[b] = true
						}
					}
				}
				all = append(all, turn{name: m.name + " begins", after: after})
			default:
				all = append(all, turn{name: m.name, after: put(after, outs(i)...)})
			}
		}
		if g.doing[i] {
			after := g.clone()
			delete(after.doing, i)
			all = append(all, turn{name: m.name, after: put(after, outs(i)...)})
		}
		if g.sub[i] != nil {
			all = append(all, k.inside(g, i, outs, put)...)
		}
	}
	return all
}

// ending is what an end event does.
func (k *sketch) ending(after *game, i int, top bool) turn {
	m := k.elements[i]
	switch {
	case top && after.ended[i]:
		return turn{name: m.name}
	case top:
		after.ended[i] = true
		after.over = m.about != ""
		return turn{name: m.name, after: after}
	case m.about == "error":
		return turn{name: m.name, after: after, raised: true}
	case m.about == "terminate":
		return turn{name: m.name, after: after, killed: true}
	}
	return turn{name: m.name, after: after, out: k.single}
}

// inside lists what can happen in a sub-process, and its end.
func (k *sketch) inside(g *game, i int, outs func(int) []int, put func(*game, ...int) *game) (all []turn) {
	m, s := k.elements[i], g.sub[i]
	if by, broken := g.by[i]; broken {
		after := g.clone()
		delete(after.sub, i)
		delete(after.by, i)
		if by < 0 {
			by = i
		}
		return []turn{{after: put(after, outs(by)...)}}
	}
	for _, t := range m.inner.turns(s, false) {
		after := g.clone()
		switch {
		case t.after == nil:
			all = append(all, turn{name: t.name})
			continue
		case t.raised && k.catcher(i) < 0:
			after.sub[i] = t.after
			all = append(all, turn{name: t.name, after: after, raised: true})
			continue
		case t.raised:
			after.sub[i], after.by[i] = begun(), k.catcher(i)
		case t.killed:
			after.sub[i], after.by[i] = begun(), -1
		case t.out:
			after.sub[i] = t.after
			if t.after.empty() {
				delete(after.sub, i)
			}
			after = put(after, outs(i)...)
		default:
			after.sub[i] = t.after
		}
		all = append(all, turn{name: t.name, after: after})
	}
	if s.empty() && !m.inner.single {
		after := g.clone()
		delete(after.sub, i)
		all = append(all, turn{after: put(after, outs(i)...)})
	}
	return all
}

// borderTurns lists what an event at a border does.
func (k *sketch) borderTurns(g *game, i int, outs []int, put func(*game, ...int) *game) []turn {
	m := k.elements[i]
	_, broken := g.by[m.host]
	if !g.doing[m.host] && g.sub[m.host] == nil || broken || m.about == "error" && k.elements[m.host].inner != nil && k.elements[m.host].inner.errs() {
		return nil
	}
	after := g.clone()
	switch {
	case m.stays && !g.armed[i]:
		return nil
	case m.stays:
		delete(after.armed, i)
	case g.doing[m.host]:
		delete(after.doing, m.host)
	default:
		after.sub[m.host], after.by[m.host] = begun(), i
		return []turn{{name: m.name, after: after}}
	}
	return []turn{{name: m.name, after: put(after, outs...)}}
}

// errs reports whether an error can leave a scope.
func (k *sketch) errs() bool {
	for i, m := range k.elements {
		if m.kind == "endEvent" && m.about == "error" || m.inner != nil && m.inner.errs() && k.catcher(i) < 0 {
			return true
		}
	}
	return false
}

// settle says of each scope whether there is only ever one token in it.
func (k *sketch) settle(host *sketch, at int) {
	k.single = host != nil && len(host.bordered(at)) == 0
	for i, m := range k.elements {
		if m.inner != nil {
			m.inner.settle(k, i)
			k.single = k.single && (m.inner.single || !m.inner.forks())
		}
		outs := 0
		for _, f := range k.flows {
			if f[0] == i {
				outs++
			}
		}
		k.single = k.single && m.about == "" && (outs < 2 || m.kind == "exclusiveGateway")
	}
	k.single = k.single && !k.forks()
}

// forks reports whether anything in a scope, or in the sub-processes in it, makes several tokens of one, or may come beside it.
func (k *sketch) forks() bool {
	for i, m := range k.elements {
		outs := 0
		for _, f := range k.flows {
			if f[0] == i {
				outs++
			}
		}
		if outs > 1 && m.kind != "exclusiveGateway" || m.stays || m.inner != nil && m.inner.forks() {
			return true
		}
	}
	return false
}
