package bpmn

import "fmt"

// messages finds the ends of message flows.
func (i *importer) messages(at map[string]*step) {
	pools := map[string]*pool{}
	for _, p := range i.pools {
		if id := p.id(); id != "" {
			pools[id] = p
		}
	}
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
		i.join(m, m.from)
		i.join(m, m.to)
	}
	for _, p := range i.pools {
		for _, s := range p.steps {
			if s.message && s.mail == nil && len(i.mails) > 0 {
				i.leftOut(s.node, "that it is about a message, since no message flow leads there; it happens by itself")
			}
		}
	}
}

func (i *importer) end(m *mail, attribute string, at map[string]*step, pools map[string]*pool) end {
	ref := local(m.attrs[attribute])
	switch {
	case at[ref] != nil:
		return end{at[ref].pool, at[ref]}
	case pools[ref] != nil:
		if len(pools[ref].steps) > 0 {
			i.unsupported(m.node, fmt.Sprintf("leads to or from all of %s, whose elements are drawn", pools[ref].called()), "Lead it to the element that sends or receives.")
		}
		return end{pool: pools[ref]}
	case i.nodes[ref] == nil:
		i.mistake(codeUnreadable, m.at, fmt.Sprintf("%s names %q, and nothing has that id.", upper(m.called()), m.attrs[attribute]), "")
	default:
		i.unsupported(m.node, "leads to or from "+i.nodes[ref].called()+", which is not supported", "")
	}
	return end{}
}

// sends refuses senders that don't send.
func (i *importer) sends(m *mail, e end) {
	if s := e.step; s != nil && (s.kind == "startEvent" || s.catches() || !s.throws() && !task(s)) {
		i.unsupported(m.node, "comes from "+s.called()+", which sends no message", "")
	}
}

// receives refuses receivers that don't receive.
func (i *importer) receives(m *mail, e end) {
	if s := e.step; s != nil && (s.throws() || !s.catches() && !task(s) && !(s.kind == "startEvent" && s.message)) {
		i.unsupported(m.node, "leads to "+s.called()+", which receives no message", "")
	}
}

func task(s *step) bool {
	switch s.kind {
	case "task", "userTask", "manualTask", "serviceTask", "scriptTask", "businessRuleTask", "sendTask", "receiveTask":
		return true
	}
	return false
}

// join has an element take part in a message flow: in one, since it happens at one moment.
func (i *importer) join(m *mail, e end) {
	switch {
	case e.step == nil:
	case e.step.mail != nil:
		i.unsupported(m.node, fmt.Sprintf("is a second message flow at %s, after %s: what comes first is not said", e.step.called(), e.step.mail.called()),
			"Draw one element for each message.")
	default:
		e.step.mail = m
	}
}
