package bpmn

import (
	"slices"
	"strconv"

	"github.com/redlinehq/redline/hclspec/spell"
)

// A buffer is where messages of one flow wait: a counter of the net of messages, and the labels by which it changes.
type buffer struct{ counter, sent, received string }

// waits reports whether messages of a flow wait to be received. Where one end is a pool without process they do not: it receives at any moment, and what it sends it could
// as well send when it is received.
func (w *writer) waits(m *mail) bool { return w.capacity > 0 && m.from.step != nil && m.to.step != nil }

// waiting says in the contract's first lines what becomes of messages; empty: there are none that wait.
func (w *writer) waiting(mails []*mail) string {
	if !slices.ContainsFunc(mails, w.waits) {
		return ""
	}
	return " A message waits from when it is sent until it is received. How many of a\n" +
		"kind can wait is what its counter counts to: one more is an error, counter-out-of-bounds."
}

// buffers writes the net in which messages wait.
func (w *writer) buffers(mails []*mail) {
	if !slices.ContainsFunc(mails, w.waits) {
		return
	}
	w.net = w.parties.Fresh("messages")
	w.Open("net", w.net)
	w.Title(w.net, "Messages that wait to be received")
	counters, labels := spell.Names{}, spell.Names{}
	for _, m := range mails {
		if !w.waits(m) {
			continue
		}
		b := buffer{counters.Fresh(m.label()), labels.Fresh(m.label() + " sent"), labels.Fresh(m.label() + " received")}
		w.wait[m] = b
		w.Open("counter", b.counter)
		w.Title(b.counter, "messages that wait: "+m.title())
		w.Set("to", strconv.Itoa(w.capacity))
		w.Close()
	}
	for _, m := range mails {
		if b, ok := w.wait[m]; ok {
			w.Open("transition", b.sent)
			w.Set("set", "{ "+b.counter+" = "+b.counter+" + 1 }")
			w.Close()
			w.Open("transition", b.received)
			w.Set("require", b.counter+" > 0")
			w.Set("set", "{ "+b.counter+" = "+b.counter+" - 1 }")
			w.Close()
		}
	}
	w.Close()
}

// events writes the events of each message flow: one where it is received when it is sent, or else one for either.
func (w *writer) events(mails []*mail, names spell.Names) {
	for _, m := range mails {
		from, to := w.from[m], w.to[m]
		if b, ok := w.wait[m]; ok {
			w.event(names.Fresh(m.label()+" sent"), m.title()+" sent", w.party[m.from.pool], from, w.net, b.sent)
			w.event(names.Fresh(m.label()+" received"), m.title()+" received", w.net, b.received, w.party[m.to.pool], to)
			continue
		}
		w.event(names.Fresh(m.label()), m.attrs["name"]+m.told, w.party[m.from.pool], from, w.party[m.to.pool], to)
	}
}

func (w *writer) event(name, title, from, with, to, by string) {
	w.Open("event", name)
	w.Title(name, title)
	w.Set("sync", "{\n"+from+" = "+with+"\n"+to+" = "+by+"\n}")
	w.Close()
}
