package bpmn

import (
	"fmt"
	"maps"
	"slices"
)

// messages finds the ends of message flows.
func (i *importer) messages(at map[string]*step) {
	pools := map[string]*pool{}
	for _, p := range i.pools {
		if id := p.id(); id != "" {
			pools[id] = p
		}
	}
	i.mails = slices.DeleteFunc(i.mails, func(m *mail) bool {
		whole := pools[local(m.attrs["sourceRef"])].drawn() || pools[local(m.attrs["targetRef"])].drawn()
		if whole {
			i.leaveOut(m.node, "message flows to or from a whole pool whose elements are drawn")
		}
		return whole
	})
	for _, m := range i.mails {
		m.from, m.to = i.end(m, "sourceRef", at, pools), i.end(m, "targetRef", at, pools)
		if m.from.pool == nil || m.to.pool == nil {
			continue
		}
		if m.from.pool == m.to.pool {
			i.mistake(codeUnreadable, m.at, upper(m.called())+" leads from a pool to itself.", "Within a pool there are sequence flows.")
			continue
		}
		i.sends(m, m.from)
		i.receives(m, m.to)
		m.join(m.from)
		m.join(m.to)
	}
	tell(i.mails)
	i.each(func(s *step) {
		if s.trigger == message && len(s.mails) == 0 && len(i.mails) > 0 {
			i.leaveOut(s.node, "messages without a message flow")
		}
	})
}

func (i *importer) end(m *mail, attribute string, at map[string]*step, pools map[string]*pool) end {
	ref := local(m.attrs[attribute])
	switch {
	case at[ref] != nil:
		return end{at[ref].scope.pool, at[ref]}
	case pools[ref] != nil:
		return end{pool: pools[ref]}
	case i.nodes[ref] == nil:
		i.mistake(codeUnreadable, m.at, fmt.Sprintf("%s names %q, and nothing has that id.", upper(m.called()), m.attrs[attribute]), "")
	default:
		i.unsupported(m.node, "leads to or from "+i.nodes[ref].called()+", which is not supported", "")
	}
	return end{}
}

// drawn reports whether there is anything in a pool.
func (p *pool) drawn() bool { return p != nil && p.course != nil && len(p.course.steps) > 0 }

// label is what people call a message flow: its name, or its id if that is a person's, or whose it is.
func (m *mail) label() string {
	if m.attrs["name"] != "" || m.id() != "" && !generated.MatchString(m.id()) || m.from.pool == nil || m.to.pool == nil {
		return m.node.label()
	}
	return "message of " + m.from.pool.label() + " to " + m.to.pool.label()
}

// title is the label of a message flow, with where it is sent or received if that tells it from others of the same label, or else with a number.
func (m *mail) title() string { return m.label() + m.told }

// tell gives message flows of one label titles of their own.
func tell(mails []*mail) {
	for _, where := range []func(m *mail) string{(*mail).senders, (*mail).receivers} {
		for _, alike := range titled(mails) {
			for _, m := range alike {
				m.told += where(m)
			}
		}
	}
	for _, alike := range titled(mails) {
		for n, m := range alike {
			m.told += fmt.Sprintf(" (%d)", n+1)
		}
	}
}

// titled returns the groups of several message flows that have one title.
func titled(mails []*mail) map[string][]*mail {
	all := map[string][]*mail{}
	for _, m := range mails {
		all[m.title()] = append(all[m.title()], m)
	}
	maps.DeleteFunc(all, func(_ string, alike []*mail) bool { return len(alike) == 1 })
	return all
}

func (m *mail) senders() string   { return m.from.at(" at ") }
func (m *mail) receivers() string { return m.to.at(" for ") }

// at returns the label of an end after a word, "" of a whole pool.
func (e end) at(word string) string {
	if e.step == nil {
		return ""
	}
	return word + "“" + e.step.label() + "”"
}

// sends refuses senders that don't send.
func (i *importer) sends(m *mail, e end) {
	if s := e.step; s != nil && (s.catches() || s.inner != nil || !s.task() && !(s.throws() && s.trigger == message)) {
		i.unsupported(m.node, "comes from "+s.called()+", which sends no message", "")
	}
}

// receives refuses receivers that don't receive.
func (i *importer) receives(m *mail, e end) {
	if s := e.step; s != nil && (s.throws() || s.inner != nil || !s.task() && !(s.catches() && s.trigger == message)) {
		i.unsupported(m.node, "leads to "+s.called()+", which receives no message", "")
	}
}

// join has an element take part in a message flow.
func (m *mail) join(e end) {
	if e.step != nil {
		e.step.mails = append(e.step.mails, m)
	}
}
