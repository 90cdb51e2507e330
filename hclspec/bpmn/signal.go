package bpmn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec/spell"
)

// maxHearers is how many pools can wait for one signal: there is an event for each set of them.
const maxHearers = 4

// A broadcast is a signal that is sent in the drawing and waited for in other pools: all who wait when it is sent get it at that moment, and nobody later
// (OMG formal/2011-01-03, chapter 10.4). Of each pool it has what takes part, as half of a message flow.
type broadcast struct {
	name          string
	sent, waiting []*mail
}

// signalRef returns the signal that an element is about; empty: none, or one without a name, which nothing else can name.
func (s *step) signalRef() string {
	for _, part := range s.children {
		if part.kind == "signalEventDefinition" {
			return part.attrs["signalRef"]
		}
	}
	return ""
}

// outside names, among what is left out, what comes from outside the drawing.
const outside = "times, conditions and signals, which may come at any moment"

// signals finds the broadcasts. What waits for a signal that nothing sends waits for the world outside.
func (i *importer) signals() {
	senders, receivers := map[string][]*step{}, map[string][]*step{}
	var refs []string
	i.each(func(s *step) {
		ref := s.signalRef()
		switch {
		case ref == "":
			return
		case s.throws():
			senders[ref] = append(senders[ref], s)
		default:
			receivers[ref] = append(receivers[ref], s)
		}
		if !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	})
	for _, ref := range refs {
		switch {
		case len(receivers[ref]) == 0: // sent to the world outside
		case len(senders[ref]) > 0:
			i.broadcast(ref, senders[ref], receivers[ref])
		default:
			for _, s := range receivers[ref] {
				i.leaveOut(s.node, outside)
			}
		}
	}
}

// broadcast joins those who send a signal and those who wait for it. A pool that could get it in two places, or from itself, is refused: one step would be several of its own.
func (i *importer) broadcast(ref string, senders, receivers []*step) {
	b := &broadcast{name: ref}
	if n := i.nodes[local(ref)]; n != nil {
		b.name = cmp.Or(n.attrs["name"], ref)
	}
	for _, s := range senders {
		m := half(b.sent, func(m *mail) *pool { return m.from.pool }, s)
		if m == nil {
			m = &mail{node: s.node, from: end{s.scope.pool, s}}
			b.sent = append(b.sent, m)
		}
		m.join(end{step: s})
	}
	for _, s := range receivers {
		switch {
		case s.scope.of != nil || s.kind == "boundaryEvent":
			i.unsupported(s.node, "waits within a part of the process for a signal that is sent in the drawing, which is not supported", "Draw message flows.")
		case len(s.in) > 1:
			i.unsupported(s.node, "waits for a signal that is sent in the drawing, and is reached by several flows, which is not supported", "Draw a gateway that joins them.")
		case half(b.waiting, func(m *mail) *pool { return m.to.pool }, s) != nil:
			i.unsupported(s.node, "is another place of its pool that waits for the same signal, which is not supported", "Draw message flows.")
		case half(b.sent, func(m *mail) *pool { return m.from.pool }, s) != nil:
			i.unsupported(s.node, "waits for a signal that its own pool sends, which is not supported", "Draw a sequence flow.")
		default:
			m := &mail{node: s.node, to: end{s.scope.pool, s}}
			m.join(m.to)
			b.waiting = append(b.waiting, m)
		}
	}
	if len(b.waiting) > maxHearers {
		i.unsupported(receivers[0].node, "waits for a signal for which more than four pools wait, which is not supported", "Draw message flows.")
	}
	i.broadcasts = append(i.broadcasts, b)
}

// half returns the half of a signal that a step's pool has; nil: none.
func half(of []*mail, owner func(*mail) *pool, s *step) *mail {
	if n := slices.IndexFunc(of, func(m *mail) bool { return owner(m) == s.scope.pool }); n >= 0 {
		return of[n]
	}
	return nil
}

// hears reports whether an element waits for a signal that is sent in the drawing.
func (s *step) hears() bool { return s.signalRef() != "" && s.catches() && len(s.mails) > 0 }

// hearers has the places counted by which elements of a process wait for signals; begin has those by which some begin it.
func (u *unfolder) hearers(a *area, begin map[*step]string) {
	for _, s := range a.steps {
		if !s.hears() {
			continue
		}
		place, marked := begin[s], 1
		if place == "" && len(s.in) > 0 {
			place, marked = u.place[s.in[0]], 0
		}
		if place == "" { // it is never reached
			continue
		}
		by := []string{u.count(place, "waits for "+s.label(), "“"+s.label()+"” is waited for", marked)}
		if a.running != "" {
			by = append(by, u.count(a.running, "not ended", "not ended", 1))
		}
		u.w.awaits[s.mails[0]] = by
	}
}

// broadcasts writes the events of each signal: for each pool that sends it, one for each set of pools that wait just then.
func (w *writer) broadcasts(all []*broadcast, names spell.Names) {
	for _, b := range all {
		for _, sent := range b.sent {
			for set := 1<<len(b.waiting) - 1; set >= 0; set-- { // all of them first
				sync := []string{w.party[sent.from.pool] + " = " + w.from[sent]}
				var hear, idle []string
				for n, m := range b.waiting {
					party := w.party[m.to.pool]
					if set>>n&1 == 1 {
						sync, hear = append(sync, party+" = "+w.to[m]), append(hear, m.to.pool.label())
						continue
					}
					idle = append(idle, idles(party, w.awaits[m]))
				}
				w.signal(names, b.name, hear, sync, idle)
			}
		}
	}
}

// idles returns the condition that a party does not wait: one of the places that it would wait by is not marked.
func idles(party string, counters []string) string {
	of := make([]string, len(counters))
	for n, c := range counters {
		of[n] = party + "." + c + " == 0"
	}
	if len(of) == 1 {
		return of[0]
	}
	return "any(" + strings.Join(of, ", ") + ")"
}

// signal writes one event of a signal: who hears it, and under which conditions nobody else does.
func (w *writer) signal(names spell.Names, signal string, hear, sync, idle []string) {
	title := signal + ", heard by " + strings.Join(hear, " and ")
	if len(hear) == 0 {
		title = signal + ", heard by nobody"
	}
	name := names.Fresh(title)
	w.Open("event", name)
	w.Title(name, title)
	w.Set("sync", "{\n"+strings.Join(sync, "\n")+"\n}")
	if len(idle) > 0 {
		w.Set("only_while", "["+strings.Join(idle, ", ")+"]")
	}
	w.Close()
}
