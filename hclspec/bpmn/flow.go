package bpmn

import (
	"fmt"
	"slices"
	"strings"
)

// maxWays bounds the transitions of one exclusive gateway.
const maxWays = 400

// connect finds what flows join, and refuses what they would mean otherwise.
func (i *importer) connect() {
	at := map[string]*step{}
	for _, p := range i.pools {
		for _, s := range p.steps {
			at[s.id()] = s
		}
	}
	delete(at, "")
	for _, p := range i.pools {
		for _, f := range p.flows {
			i.sequence(p, f, at)
		}
	}
	i.messages(at)
	for _, p := range i.pools {
		starts := 0
		for _, s := range p.steps {
			if s.kind == "startEvent" {
				starts++
			}
			i.arity(s)
		}
		if starts == 0 && len(p.steps) > 0 {
			i.unsupported(p.node, "has no start event, so it is not said where it begins", "Draw one.")
		}
	}
}

func (i *importer) sequence(p *pool, f *flow, at map[string]*step) {
	for _, end := range []struct {
		ref string
		to  **step
	}{{f.attrs["sourceRef"], &f.from}, {f.attrs["targetRef"], &f.to}} {
		s := at[end.ref]
		switch {
		case s != nil && s.pool == p:
			*end.to = s
		case s != nil:
			i.mistake(codeUnreadable, f.at, fmt.Sprintf("%s leads into another process, to %s.", upper(f.called()), s.called()), "Between processes there are message flows.")
		case i.nodes[end.ref] == nil:
			i.mistake(codeUnreadable, f.at, fmt.Sprintf("%s names %q, and nothing has that id.", upper(f.called()), end.ref), "")
		default:
			i.mistake(codeUnreadable, f.at, fmt.Sprintf("%s leads to or from %s, which no token passes.", upper(f.called()), i.nodes[end.ref].called()), "")
		}
	}
	if f.from == nil || f.to == nil {
		return
	}
	f.from.out, f.to.in = append(f.from.out, f), append(f.to.in, f)
	conditional := slices.ContainsFunc(f.children, func(n *node) bool { return n.kind == "conditionExpression" })
	if conditional && f.from.kind != "exclusiveGateway" {
		i.unsupported(f.node, "has a condition, and comes from no exclusive gateway: any number of such flows may be taken", "Put a gateway there that says how many are.")
	}
}

// arity refuses elements with flows that they can't have, or that would have to mean something.
func (i *importer) arity(s *step) {
	switch {
	case s.kind == "startEvent" && len(s.in) > 0:
		i.unsupported(s.node, "is a start event at which a sequence flow arrives", "")
	case s.kind == "endEvent" && len(s.out) > 0:
		i.unsupported(s.node, "is an end event from which a sequence flow leaves", "")
	case s.kind != "startEvent" && len(s.in) == 0:
		i.unsupported(s.node, "is reached by no sequence flow, so it is not said when it happens", "")
	case strings.HasSuffix(s.kind, "Gateway") && len(s.out) == 0:
		i.unsupported(s.node, "is a gateway from which no sequence flow leaves", "")
	case s.kind == "exclusiveGateway" && len(s.in)*len(s.out) > maxWays:
		i.unsupported(s.node, fmt.Sprintf("has %d flows that arrive and %d that leave, which are too many ways", len(s.in), len(s.out)), "")
	case s.kind == "eventBasedGateway":
		for _, f := range s.out {
			if !f.to.catches() || len(f.to.in) > 1 {
				i.unsupported(f.to.node, fmt.Sprintf("follows %s, which a receive task or an event that waits for a message does, with no other flow arriving", s.called()), "")
			}
		}
	case s.kind != "exclusiveGateway":
		for n, f := range s.out {
			if f.to.kind == "eventBasedGateway" && slices.ContainsFunc(s.out[:n], func(o *flow) bool { return o.to == f.to }) {
				i.unsupported(f.node, fmt.Sprintf("is another flow from %s to %s: two tokens at once would wait there for one message", s.called(), f.to.called()), "Draw one flow.")
			}
		}
	}
}

// catches says whether an element does nothing but receive.
func (s *step) catches() bool { return s.kind == "intermediateCatchEvent" || s.kind == "receiveTask" }

// throws says whether it does nothing but send.
func (s *step) throws() bool {
	return s.kind == "sendTask" || s.message && (s.kind == "intermediateThrowEvent" || s.kind == "endEvent")
}

// A way is what an element does to tokens at one moment.
type way struct {
	take, put []*flow
	begin     bool   // it takes the token that is there at first
	end       bool   // it marks the place of its end event
	to        string // of a choice, where it leads
}

// ways lists what a token can do at an element. An event-based gateway does nothing: its flows are one place.
func (s *step) ways() []way {
	var all []way
	switch s.kind {
	case "startEvent":
		return []way{{begin: true, put: s.out}}
	case "parallelGateway":
		return []way{{take: s.in, put: s.out}}
	case "eventBasedGateway":
		return nil
	case "exclusiveGateway":
		for _, in := range s.in {
			for _, out := range s.out {
				all = append(all, way{take: []*flow{in}, put: []*flow{out}, to: or(out.attrs["name"], out.to.label())})
			}
		}
		return all
	}
	for _, in := range s.in {
		all = append(all, way{take: []*flow{in}, put: s.out, end: s.kind == "endEvent"})
	}
	return all
}

// label is what people call an element, or its id.
func (n *node) label() string { return or(n.attrs["name"], n.id(), n.kind) }

func or(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}
