package bpmn

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/spell"
)

// An action is a transition in the making. Places and counters are in it by name.
type action struct {
	of              *step
	called          string
	take, put, read []string
	need            string            // a condition on counters; empty: none
	set             map[string]string // counters
	mail            *mail             // that it sends or receives; nil: none
}

// An unfolder makes places and actions of what is drawn in a pool.
type unfolder struct {
	w        *writer
	names    spell.Names
	actions  []action
	place    map[*flow]string // of a sequence flow
	skipped  map[*flow]string // of one by which nothing comes to an inclusive gateway
	region   map[string]*area // that counts the tokens of a place
	goes     map[string]*area // that goes on by a place
	areas    map[*scope]*area
	counters []*counter
	armed    map[*step]*counter // of an event at a border that breaks nothing off: whether it can still come
}

// A counter is a counter in the making.
type counter struct {
	name, title string
	most        int
	initial     int
}

// An area is a scope as it goes on. Its tokens are counted where something has to wait until there are none left.
type area struct {
	*scope
	within  *area
	active  string   // the place that is marked from its beginning to its end; empty: nothing asks
	running string   // the place that is marked until it is broken off; empty: nothing does that
	tokens  *counter // nil: they belong to the area around it, or are not counted
	places  []string // of its tokens that can be taken away
	inner   []*area
	stops   []string // the places that are marked while it is cleared, one for each reason
}

// counting returns the area that counts an area's tokens; nil if none does.
func (a *area) counting() *area {
	for ; a != nil && a.tokens == nil; a = a.within {
	}
	return a
}

// mark makes a place, and has its tokens counted.
func (u *unfolder) mark(a *area, title string, names ...string) string {
	name := u.names.Fresh(names...)
	u.w.Place(name, title, false)
	if c := a.counting(); c != nil {
		c.places, u.region[name] = append(c.places, name), c
		c.tokens.most++
	}
	return name
}

func (u *unfolder) counter(name, title string, most int) *counter {
	c := &counter{name: u.names.Fresh(name), title: title, most: most}
	u.counters = append(u.counters, c)
	return c
}

// course unfolds a process.
func (u *unfolder) course(c *scope) {
	a := &area{scope: c}
	u.areas[c] = a
	if c.halts() {
		a.running = u.names.Fresh("goes on")
		u.w.Place(a.running, "goes on", true)
	}
	u.enter(a)
}

// count has a counter follow whether a place of a process is marked, since only a counter can be asked for what is not so. It returns the counter's name.
func (u *unfolder) count(place, name, title string, marked int) string {
	if u.region[place] == nil {
		c := u.counter(name, title, 1)
		c.initial, u.region[place] = marked, &area{tokens: c}
	}
	return u.region[place].tokens.name
}

// act adds an action. It happens only while the areas that can be broken off go on, and counts the tokens.
func (u *unfolder) act(a *area, x action) {
	for b := a; b != nil; b = b.within {
		if b.running != "" && !slices.Contains(x.take, b.running) && !slices.Contains(x.read, b.running) {
			x.read = append(x.read, b.running)
		}
	}
	u.tally(x)
}

// tally adds an action with what it changes in the counters of tokens.
func (u *unfolder) tally(x action) {
	change := map[*area]int{}
	for _, p := range x.put {
		change[u.region[p]]++
	}
	for _, p := range x.take {
		change[u.region[p]]--
	}
	for c, by := range change {
		if c == nil || by == 0 {
			continue
		}
		if x.set == nil {
			x.set = map[string]string{}
		}
		x.set[c.tokens.name] = strings.Replace(fmt.Sprintf("%s + %d", c.tokens.name, by), "+ -", "- ", 1)
	}
	u.actions = append(u.actions, x)
}

// enter unfolds a scope, and returns the places that are marked when it begins.
func (u *unfolder) enter(a *area) []string {
	begin, begins := map[*step]string{}, []string(nil)
	for _, s := range a.steps {
		if !s.begins() {
			continue
		}
		if s.kind != "startEvent" || len(begins) == 0 { // several start events are a choice
			begins = append(begins, u.begin(a, s, len(begins) > 0))
		}
		begin[s] = begins[len(begins)-1]
	}
	for _, f := range a.flows {
		if gate := gateway(f); gate != nil { // the flows around it are one place
			if u.place[gate] == "" {
				u.place[gate] = u.mark(a, "waiting: "+f.waiting().label(), "wait "+f.waiting().label())
			}
			u.place[f] = u.place[gate]
			continue
		}
		u.place[f] = u.mark(a, "from “"+f.from.label()+"” to “"+f.to.label()+"”", f.attrs["name"], f.from.label()+" to "+f.to.label())
	}
	for _, s := range a.steps {
		for _, f := range s.match {
			u.skipped[f] = u.mark(a, "nothing comes from “"+f.from.label()+"” to “"+f.to.label()+"”", "no "+or(f.attrs["name"], f.from.label()+" to "+f.to.label()))
		}
	}
	u.hearers(a, begin)
	for _, s := range a.steps {
		switch {
		case s.kind == "boundaryEvent":
		case len(s.in) == 0 && begin[s] == "":
			u.step(a, s, u.mark(a, "never reached", "never "+s.label()))
		default:
			u.step(a, s, begin[s])
		}
	}
	return begins
}

// begin makes the place by which an element begins its scope.
func (u *unfolder) begin(a *area, s *step, more bool) string {
	name := "begin"
	if a.of != nil {
		name += " " + a.of.label()
	}
	if more {
		name += " " + s.label()
	}
	if a.of != nil {
		return u.mark(a, "begins", name)
	}
	name = u.names.Fresh(name)
	u.w.Place(name, hclspec.NotBegun, true)
	return name
}

// step adds what happens at an element; begin is the place by which it begins its scope, if it does.
func (u *unfolder) step(a *area, s *step, begin string) {
	switch {
	case s.inner != nil:
		u.subprocess(a, s, begin)
	case s.severalMails() || len(s.bounds) > 0:
		u.lasting(a, s, begin)
	case s.kind == "endEvent":
		u.end(a, s)
	default:
		for _, m := range s.anyMail() {
			for _, way := range s.ways() {
				u.act(a, u.way(s, way, begin, m))
			}
		}
	}
}

// severalMails reports whether an element sends or receives several messages, one after another.
func (s *step) severalMails() bool {
	return len(s.mails) > 1 && (s.task() && s.kind != "receiveTask" || s.kind == "intermediateThrowEvent")
}

// anyMail lists the message flows of which an element waits for one; it has a nil where there is none.
func (s *step) anyMail() []*mail {
	if len(s.mails) == 0 {
		return []*mail{nil}
	}
	return s.mails
}

// way is the action of a way.
func (u *unfolder) way(s *step, w way, begin string, m *mail) action {
	x := action{of: s, called: s.label(), mail: m}
	if w.to != "" {
		x.called += ": " + w.to
	}
	x.take, x.put = u.places(w.take), u.places(w.put)
	for _, f := range w.skipped {
		x.take = append(x.take, u.skipped[f])
	}
	for _, f := range w.skipping {
		x.put = append(x.put, u.skipped[f])
	}
	if begin != "" {
		x.take = append(x.take, begin)
	}
	return x
}

func (u *unfolder) places(flows []*flow) []string {
	var names []string
	for _, f := range flows {
		if !slices.Contains(names, u.place[f]) {
			names = append(names, u.place[f])
		}
	}
	return names
}

// end adds what happens at an end event: its token is gone, and the scope is over if nothing else goes on in it, or at once.
func (u *unfolder) end(a *area, s *step) {
	done := ""
	if to, _ := handler(s); a.of == nil || breaks(s) && to.of == nil {
		called := "ended " + s.attrs["name"]
		if s.attrs["name"] == "" && a.ends() > 1 {
			called += s.label()
		}
		done = u.names.Fresh(called)
		u.w.Place(done, or(s.attrs["name"], "ended"), false)
	}
	for _, f := range s.in {
		x := action{of: s, called: s.label(), take: u.places([]*flow{f}), mail: s.anyMail()[0]}
		if done != "" {
			x.put = []string{done}
		}
		switch {
		case breaks(s):
			to, by := handler(s)
			x.take = append(x.take, u.areas[to].running)
			if to.of != nil {
				x.put = []string{u.stop(u.areas[to], by, s.label())}
			}
		case done == "" && a.tokens == nil:
			x.put = u.places(a.of.out)
		}
		u.act(a, x)
	}
}

// stop returns the place that is marked while a sub-process that was broken off is cleared of its tokens, and adds what follows: what leaves the event by which it was broken
// off; nil: what leaves the sub-process.
func (u *unfolder) stop(a *area, by *step, name string) string {
	place := u.mark(a.within, "“"+a.of.label()+"” is broken off: "+name, "broken off "+a.of.label()+" "+name)
	if c := u.region[place]; c != nil { // it goes away by itself
		c.places = slices.DeleteFunc(c.places, func(p string) bool { return p == place })
	}
	a.stops = append(a.stops, place)
	out := a.of.out
	if by != nil {
		out = by.out
	}
	u.tally(action{of: a.of, called: a.of.label() + " is broken off: " + name, take: []string{place, a.active}, put: u.places(out), need: a.tokens.name + " == 0"})
	return place
}

// subprocess adds a sub-process: it is entered, goes on, and is over when nothing goes on in it.
func (u *unfolder) subprocess(a *area, s *step, begin string) {
	in := &area{scope: s.inner, within: a}
	a.inner, u.areas[s.inner] = append(a.inner, in), in
	enter := action{of: s, called: s.label() + " begins"}
	if in.counted() {
		in.active = u.mark(a, "“"+s.label()+"” goes on", s.label()+" goes on")
		u.goes[in.active] = in
		in.tokens = u.counter("tokens in "+s.label(), "how much goes on in “"+s.label()+"”", 0)
		enter.put = append(enter.put, in.active)
	}
	if s.inner.halts() {
		in.running = u.names.Fresh(s.label() + " unbroken")
		u.w.Place(in.running, "“"+s.label()+"” is not broken off", false)
		enter.put = append(enter.put, in.running)
	}
	before := len(u.actions)
	enter.put = append(enter.put, u.enter(in)...)
	inside := slices.Clone(u.actions[before:])
	u.actions = u.actions[:before]
	u.enters(a, s, enter, begin)
	u.actions = append(u.actions, inside...)
	if in.tokens == nil {
		return
	}
	u.act(a, action{of: s, called: s.label() + " is over", take: in.marked(), put: u.places(s.out), need: in.tokens.name + " == 0"})
	u.bounds(a, s, or(in.running, in.active), func(b *step) []string { return []string{u.stop(in, b, b.label())} })
	u.clear(in, in.stops)
}

// marked lists the places that are marked while a sub-process goes on and is not broken off.
func (a *area) marked() []string {
	if a.running == "" {
		return []string{a.active}
	}
	return []string{a.active, a.running}
}

// enters adds the ways into a task or a sub-process.
func (u *unfolder) enters(a *area, s *step, enter action, begin string) {
	for _, b := range s.bounds {
		if !b.interrupts() {
			u.armed[b] = u.counter("may come "+b.label(), "“"+b.label()+"” may come", 1)
		}
	}
	for _, way := range s.takes() {
		x := enter
		x.take, x.put, x.set = u.places(way.take), slices.Clone(enter.put), map[string]string{}
		if begin != "" {
			x.take = append(x.take, begin)
		}
		for _, b := range s.bounds {
			if c := u.armed[b]; c != nil {
				x.set[c.name] = "1"
			}
		}
		u.act(a, x)
	}
}

// clear adds that what goes on in an area, and in the areas within it, goes away while it is broken off.
func (u *unfolder) clear(a *area, stops []string) {
	for _, stop := range stops {
		for _, p := range a.places {
			x := action{of: a.of, called: "broken off: " + a.of.label(), take: []string{p}, read: []string{stop}}
			if in := u.goes[p]; in != nil {
				x.take, x.need = in.marked(), in.tokens.name+" == 0"
			}
			u.tally(x)
		}
	}
	for _, in := range a.inner {
		if in.tokens != nil {
			u.clear(in, stops)
		}
	}
}

// lasting adds a task that takes time: what happens at its border happens while it goes on, and it sends and receives its messages in any order.
func (u *unfolder) lasting(a *area, s *step, begin string) {
	name := s.label()
	each := s.severalMails()
	var doing, done []string
	for _, m := range s.mails {
		if each {
			doing = append(doing, u.mark(a, "“"+name+"”, to come: "+m.title(), name+" to come "+m.label()))
			done = append(done, u.mark(a, "“"+name+"”, done: "+m.title(), name+" done "+m.label()))
		}
	}
	if !each {
		doing = []string{u.mark(a, "“"+name+"” goes on", name+" goes on")}
		done = doing
	}
	u.enters(a, s, action{of: s, called: name + " begins", put: doing}, begin)
	ends := s.anyMail()
	if each {
		for n, m := range s.mails {
			u.act(a, action{of: s, called: name + ": " + m.title(), take: doing[n : n+1], put: done[n : n+1], mail: m})
		}
		ends = []*mail{nil}
	}
	for _, m := range ends {
		for _, way := range s.puts() {
			x := u.way(s, way, "", m)
			x.take = slices.Clone(done)
			u.act(a, x)
		}
	}
	u.bounds(a, s, doing[0], func(b *step) []string { return u.places(b.out) })
}

// bounds adds the events at the border of what goes on by a place. One that breaks it off marks what stop returns.
func (u *unfolder) bounds(a *area, s *step, active string, stop func(*step) []string) {
	for _, b := range s.bounds {
		if s.inner != nil && s.inner.raises(b) { // it comes when the error does
			continue
		}
		x := action{of: b, called: b.label()}
		if b.interrupts() {
			x.take, x.put = []string{active}, stop(b)
		} else {
			x.read, x.put = []string{active}, u.places(b.out)
			x.need, x.set = u.armed[b].name+" == 1", map[string]string{u.armed[b].name: "0"}
		}
		for _, m := range b.anyMail() {
			x := x
			x.set = maps.Clone(x.set)
			x.take, x.read, x.mail = slices.Clone(x.take), slices.Clone(x.read), m
			u.act(a, x)
		}
	}
}
