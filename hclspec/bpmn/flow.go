package bpmn

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// connect finds what flows join, and refuses what they would mean otherwise.
func (i *importer) connect() {
	at := map[string]*step{}
	i.each(func(s *step) {
		if s.id() != "" {
			at[s.id()] = s
		}
	})
	for _, p := range i.pools {
		if p.course != nil {
			i.sequences(p.course, at)
		}
	}
	i.each(func(s *step) { i.border(s, at) })
	i.signals()
	i.messages(at)
	i.each(i.arity)
	if !i.failed() {
		i.each(i.joins)
	}
}

// each calls f for every step of every pool.
func (i *importer) each(f func(*step)) {
	for _, p := range i.pools {
		p.course.all(f)
	}
}

// sequences connects the sequence flows and the links of a scope.
func (i *importer) sequences(c *scope, at map[string]*step) {
	for _, f := range c.flows {
		i.sequence(c, f, at)
	}
	for _, s := range c.steps {
		if s.inner != nil {
			i.sequences(s.inner, at)
		}
		if s.trigger != link || !s.throws() {
			continue
		}
		to := slices.IndexFunc(c.steps, func(o *step) bool { return o.trigger == link && o.catches() && o.ref == s.ref })
		if to < 0 {
			i.unsupported(s.node, fmt.Sprintf("leads to the link %q, and there is none", s.ref), "")
			continue
		}
		f := &flow{node: &node{kind: "link", at: s.at, attrs: map[string]string{"name": "link " + s.ref}}, from: s, to: c.steps[to]}
		c.flows, s.out, f.to.in = append(c.flows, f), append(s.out, f), append(f.to.in, f)
	}
}

func (i *importer) sequence(c *scope, f *flow, at map[string]*step) {
	for _, end := range []struct {
		ref string
		to  **step
	}{{f.attrs["sourceRef"], &f.from}, {f.attrs["targetRef"], &f.to}} {
		s := at[end.ref]
		switch {
		case s != nil && s.scope == c:
			*end.to = s
		case s != nil && s.scope.pool != c.pool:
			i.mistake(codeUnreadable, f.at, fmt.Sprintf("%s leads into another process, to %s.", upper(f.called()), s.called()), "Between processes there are message flows.")
		case s != nil:
			i.mistake(codeUnreadable, f.at, fmt.Sprintf("%s leads into or out of a sub-process, at %s.", upper(f.called()), s.called()), "Lead it to the sub-process.")
		case i.nodes[end.ref] == nil:
			i.mistake(codeUnreadable, f.at, fmt.Sprintf("%s names %q, and nothing has that id.", upper(f.called()), end.ref), "")
		default:
			i.mistake(codeUnreadable, f.at, fmt.Sprintf("%s leads to or from %s, which no token passes.", upper(f.called()), i.nodes[end.ref].called()), "")
		}
	}
	if f.from != nil && f.to != nil {
		f.from.out, f.to.in = append(f.from.out, f), append(f.to.in, f)
	}
}

// border finds the element at whose border an event is.
func (i *importer) border(s *step, at map[string]*step) {
	if s.kind != "boundaryEvent" {
		return
	}
	switch host := at[s.attrs["attachedToRef"]]; {
	case host == nil || host.scope != s.scope || !host.task():
		i.mistake(codeUnreadable, s.at, upper(s.called())+" is at the border of nothing that lasts.", "Its attachedToRef names a task or a sub-process.")
	default:
		host.bounds = append(host.bounds, s)
	}
}

// arity refuses elements with flows that they can't have, or that would have to mean something.
func (i *importer) arity(s *step) {
	switch {
	case (s.kind == "startEvent" || s.kind == "boundaryEvent") && len(s.in) > 0:
		i.unsupported(s.node, "is an event at which no sequence flow can arrive, and one does", "")
	case s.kind == "endEvent" && len(s.out) > 0:
		i.unsupported(s.node, "is an end event from which a sequence flow leaves", "")
	case s.trigger == escalation && escalates(s):
		i.unsupported(s.node, "raises an escalation that is caught at the border of a sub-process which goes on, which is not supported", "")
	case len(s.in) == 0 && s.kind != "boundaryEvent" && !s.begins():
		i.leaveOut(s.node, "elements that no sequence flow reaches, so they never happen")
	case s.kind == "eventBasedGateway" && len(s.out) == 0:
		i.unsupported(s.node, "is a gateway from which no sequence flow leaves", "")
	case len(s.ways()) > maxWays || len(s.optional()) > maxOptional:
		i.unsupported(s.node, fmt.Sprintf("has %d flows that arrive and %d that leave, which are too many ways", len(s.in), len(s.out)), "")
	case s.kind == "eventBasedGateway":
		for _, f := range s.out {
			if !f.to.catches() && !f.to.task() {
				i.unsupported(f.to.node, fmt.Sprintf("follows %s, which only tasks and events that wait do", s.called()), "")
			}
		}
	case s.kind != "exclusiveGateway":
		for n, f := range s.out {
			if f.to.kind == "eventBasedGateway" && slices.ContainsFunc(s.out[:n], func(o *flow) bool { return o.to == f.to }) {
				i.unsupported(f.node, fmt.Sprintf("is another flow from %s to %s: two tokens at once would wait there for one message", s.called(), f.to.called()), "Draw one flow.")
			}
		}
	}
	switch {
	case s.severalMails() && len(s.bounds) > 0:
		i.unsupported(s.node, "has several message flows, and may be broken off between them, which is not supported", "Draw a sub-process.")
	case len(s.mails) > 0 && slices.ContainsFunc(s.children, repeats):
		i.unsupported(s.node, "has message flows, and may be done several times, which is not supported", "Draw a loop.")
	case len(s.mails) > 1 && s.kind == "endEvent":
		i.unsupported(s.node, "sends several messages at the end", "Draw an event for each before it.")
	}
}

// escalates reports whether an escalation is caught, and something goes on after it as before.
func escalates(s *step) bool {
	if !s.throws() {
		return false
	}
	_, by := handler(s)
	return by != nil && (s.kind != "endEvent" || !by.interrupts())
}

func repeats(n *node) bool { return strings.HasSuffix(n.kind, "LoopCharacteristics") }

// begins reports whether an element takes the token that its scope begins with. Without a start event all do that no flow reaches (OMG formal/2011-01-03, section 13.2.1).
func (s *step) begins() bool {
	if s.kind == "startEvent" {
		return true
	}
	return len(s.in) == 0 && s.kind != "boundaryEvent" && !(s.trigger == link && s.catches()) &&
		!slices.ContainsFunc(s.scope.steps, func(o *step) bool { return o.kind == "startEvent" })
}

// catches reports whether an element does nothing but wait.
func (s *step) catches() bool {
	return s.kind == "intermediateCatchEvent" || s.kind == "receiveTask" || s.kind == "boundaryEvent" || s.kind == "startEvent" && s.trigger != plain
}

// throws reports whether it does nothing but send.
func (s *step) throws() bool {
	return s.kind == "sendTask" || s.kind == "intermediateThrowEvent" || s.kind == "endEvent"
}

// task reports whether an element lasts: a task or a sub-process.
func (s *step) task() bool {
	return strings.HasSuffix(strings.ToLower(s.kind), "task") || s.kind == "callActivity" || s.kind == "subProcess"
}

// generated matches ids that a tool has made up, which say nothing to people.
var generated = regexp.MustCompile(`^(sid-|_)?[0-9A-Fa-f-]{16,}$|^[A-Z][A-Za-z]*_[0-9a-z]{7}$`)

// plainWords are what people call elements without a name.
var plainWords = map[string]string{"exclusiveGateway": "choice", "parallelGateway": "together", "inclusiveGateway": "one or more", "eventBasedGateway": "what comes first", "startEvent": "start",
	"endEvent": "end", "intermediateCatchEvent": "event", "intermediateThrowEvent": "event", "boundaryEvent": "interruption", "subProcess": "part", "callActivity": "part"}

// label is what people call an element: its name, or its id if that is a person's, or its kind.
func (n *node) label() string {
	id := n.id()
	if generated.MatchString(id) {
		id = ""
	}
	return or(n.attrs["name"], id, plainWords[n.kind], strings.ToLower(strings.TrimSuffix(n.kind, "Task")), "task")
}

func or(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}
