package bpmn

import (
	"slices"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/spell"
)

// A writer writes a collaboration as a contract.
type writer struct {
	spell.Text
	parties spell.Names
	party   map[*pool]string
	label   map[*step]string // of elements with a message flow
	open    map[*mail]string // of pools without process, by message flow, the label at
	from    map[*mail]string // its sender, and the other at its receiver
	net     string           // in which messages wait; empty: none do
	wait    map[*mail]buffer // where
}

func (i *importer) write(name string) ([]byte, error) {
	w := &writer{parties: spell.Names{}, party: map[*pool]string{}, label: map[*step]string{}, open: map[*mail]string{}, from: map[*mail]string{}, wait: map[*mail]buffer{}}
	w.Note("From " + spell.Quote(i.file) + ", which is in BPMN. A place is a sequence flow; a transition is what happens to a token at an element.\n" +
		"Exclusive gateways choose freely." + waiting(i.mails))
	called := spell.Names{}.New(name, "collaboration")
	w.Open("contract", called)
	w.Title(called, name)
	w.Close()
	for _, p := range i.pools {
		w.party[p] = w.parties.New(p.label())
	}
	for _, p := range i.pools {
		if len(p.steps) == 0 {
			w.closed(p, i.mails)
		} else {
			w.pool(p)
		}
	}
	w.buffers(i.mails)
	w.events(i.mails)
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
		}{{m.from.pool, "send ", w.from}, {m.to.pool, "receive ", w.open}} {
			if e.of == p {
				e.label[m] = names.New(e.word + m.label())
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
	names, place := spell.Names{}, map[*flow]string{}
	begin := names.New("begin")
	w.place(begin, hclspec.NotBegun, true)
	for _, f := range p.flows {
		if gate := gateway(f); gate != nil { // the flows around it are one place
			if place[gate] == "" {
				place[gate] = names.New("wait " + f.waiting().label())
				w.place(place[gate], "waiting: "+f.waiting().label(), false)
			}
			place[f] = place[gate]
			continue
		}
		place[f] = names.New(f.attrs["name"], f.from.label()+" to "+f.to.label())
		w.place(place[f], "from “"+f.from.label()+"” to “"+f.to.label()+"”", false)
	}
	ends := map[*step]string{}
	for _, s := range p.steps {
		if s.kind == "endEvent" {
			called := "ended " + s.attrs["name"]
			if s.attrs["name"] == "" && p.ends() > 1 {
				called += s.id()
			}
			ends[s] = names.New(called)
			w.place(ends[s], or(s.attrs["name"], "ended"), false)
		}
	}
	taken := spell.Names{}
	for _, s := range p.steps {
		w.step(s, taken, place, begin, ends[s])
	}
	w.Close()
}

// ends counts the end events.
func (p *pool) ends() int {
	n := 0
	for _, s := range p.steps {
		if s.kind == "endEvent" {
			n++
		}
	}
	return n
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

func (w *writer) place(name, title string, marked bool) {
	w.Open("place", name)
	w.Title(name, title)
	if marked {
		w.Set("marked", "true")
	}
	w.Close()
}

func (w *writer) step(s *step, taken spell.Names, place map[*flow]string, begin, ended string) {
	label := ""
	for n, way := range s.ways() {
		called := s.label()
		if way.to != "" {
			called += ": " + way.to
		}
		name := taken.New(called)
		if n == 0 {
			label = name
		}
		w.Open("transition", name)
		w.Title(name, called)
		if s.mail != nil && n > 0 {
			w.Set("label", label)
		}
		take, put := places(way.take, place), places(way.put, place)
		if way.begin {
			take = append(take, begin)
		}
		if way.end {
			put = append(put, ended)
		}
		w.List("consume", take)
		w.List("produce", put)
		w.Close()
	}
	w.label[s] = label
}

func places(flows []*flow, place map[*flow]string) []string {
	var names []string
	for _, f := range flows {
		if !slices.Contains(names, place[f]) {
			names = append(names, place[f])
		}
	}
	return names
}
