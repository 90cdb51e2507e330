package bpmn

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/hclspec/spell"
)

// A writer writes a collaboration as a contract.
type writer struct {
	spell.Text
	capacity int
	parties  spell.Names
	party    map[*pool]string
	from     map[*mail]string // the label at its sender, and the other at its receiver
	to       map[*mail]string
	net      string             // in which messages wait; empty: none do
	wait     map[*mail]buffer   // where
	awaits   map[*mail][]string // the counters by which a pool waits for a signal
}

func (i *importer) write(name string) ([]byte, error) {
	w := &writer{capacity: i.capacity, parties: spell.Names{}, party: map[*pool]string{}, from: map[*mail]string{}, to: map[*mail]string{}, wait: map[*mail]buffer{}, awaits: map[*mail][]string{}}
	w.Note("From " + spell.Quote(i.file) + ", which is in BPMN. A place is a sequence flow; a transition is what happens to a token at an element.\n" +
		"Exclusive gateways choose freely." + w.waiting(i.mails))
	called := spell.Names{}.Fresh(name, "collaboration")
	w.Open("contract", called)
	w.Title(called, name)
	w.Close()
	for _, p := range i.pools {
		w.party[p] = w.parties.Fresh(p.label())
	}
	for _, p := range i.pools {
		if p.drawn() {
			w.pool(p)
		} else {
			w.closed(p, i.mails)
		}
	}
	w.buffers(i.mails)
	names := spell.Names{}
	w.events(i.mails, names)
	w.broadcasts(i.broadcasts, names)
	return w.Text.Contract()
}

// closed writes a pool of which nothing is known: it can do whatever message flows ask of it.
func (w *writer) closed(p *pool, mails []*mail) {
	w.Open("party", w.party[p])
	w.Title(w.party[p], p.attrs["name"])
	w.Open("state", "ready")
	w.Close()
	names := spell.Names{}
	for _, m := range mails {
		for _, e := range []struct {
			of    *pool
			word  string
			label map[*mail]string
		}{{m.from.pool, "send ", w.from}, {m.to.pool, "receive ", w.to}} {
			if e.of == p {
				e.label[m] = names.Fresh(e.word + m.label())
				w.Open("transition", e.label[m])
				w.Set("from", "ready")
				w.Set("to", "ready")
				w.Close()
			}
		}
	}
	w.Close()
}

// pool writes a party: places first, then what happens at each element.
func (w *writer) pool(p *pool) {
	w.Open("party", w.party[p])
	w.Title(w.party[p], p.attrs["name"])
	u := &unfolder{w: w, names: spell.Names{}, place: map[*flow]string{}, skipped: map[*flow]string{}, region: map[string]*area{}, goes: map[string]*area{},
		areas: map[*scope]*area{}, armed: map[*step]*counter{}}
	u.course(p.course)
	for _, c := range u.counters {
		w.Open("counter", c.name)
		w.Title(c.name, c.title)
		w.Set("to", strconv.Itoa(c.most))
		if c.initial > 0 {
			w.Set("initial", strconv.Itoa(c.initial))
		}
		w.Close()
	}
	taken := spell.Names{}
	for _, x := range u.actions {
		w.action(p, x, taken)
	}
	w.Close()
}

// action writes a transition. Those by which a party takes part in one message flow share a label.
func (w *writer) action(p *pool, x action, taken spell.Names) {
	name := taken.Fresh(x.called)
	w.Open("transition", name)
	w.Title(name, x.called)
	if x.mail != nil {
		labels := w.to
		if x.mail.from.pool == p {
			labels = w.from
		}
		if labels[x.mail] == "" {
			labels[x.mail] = name
		} else {
			w.Set("label", labels[x.mail])
		}
	}
	w.List("consume", x.take)
	w.List("produce", x.put)
	w.List("read", x.read)
	if x.need != "" {
		w.Set("require", x.need)
	}
	var set []string
	for _, c := range slices.Sorted(maps.Keys(x.set)) {
		set = append(set, c+" = "+x.set[c])
	}
	if len(set) > 0 {
		w.Set("set", "{ "+strings.Join(set, ", ")+" }")
	}
	w.Close()
}

// waiting is the event-based gateway at either end of a flow.
func (f *flow) waiting() *step {
	switch {
	case f.from.kind == "eventBasedGateway":
		return f.from
	case f.to.kind == "eventBasedGateway":
		return f.to
	}
	return nil
}

// gateway is the flow that stands for all those around an event-based gateway; nil: the flow is at none.
func gateway(f *flow) *flow {
	if s := f.waiting(); s != nil {
		return s.out[0]
	}
	return nil
}
