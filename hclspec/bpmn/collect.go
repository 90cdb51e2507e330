package bpmn

import (
	"fmt"
	"strings"
)

// What is drawn, and says nothing of the course of things.
var silent = map[string]string{
	"laneSet": "who does what within a party is not told apart", "textAnnotation": "it is a remark", "association": "it is a remark's", "group": "it is a frame",
	"category": "it is a frame's", "dataObject": "data are not followed", "dataObjectReference": "data are not followed", "dataStoreReference": "data are not followed",
	"dataStore": "data are not followed", "dataInput": "data are not followed", "dataOutput": "data are not followed", "dataInputAssociation": "data are not followed",
	"dataOutputAssociation": "data are not followed", "ioSpecification": "data are not followed", "property": "data are not followed", "itemDefinition": "data are not followed",
	"interface": "it is about software", "endPoint": "it is about software", "resource": "who does what within a party is not told apart",
	"resourceRole": "who does what within a party is not told apart", "performer": "who does what within a party is not told apart",
	"humanPerformer": "who does what within a party is not told apart", "potentialOwner": "who does what within a party is not told apart",
	"extensionElements": "it is a tool's own", "extension": "it is a tool's own", "conditionExpression": "conditions are about data, and the choice is free",
	"script": "what a task computes is not followed", "error": "nothing that uses it is read", "signal": "nothing that uses it is read", "escalation": "nothing that uses it is read",
	"relationship":   "it joins documents",
	"correlationKey": "a party is in one course of things only", "messageFlowAssociation": "a party is in one course of things only",
}

// steps are the kinds of elements that tokens pass, and whether they are about a message.
var steps = map[string]bool{
	"startEvent": false, "endEvent": false, "intermediateCatchEvent": false, "intermediateThrowEvent": false,
	"task": false, "userTask": false, "manualTask": false, "serviceTask": false, "scriptTask": false, "businessRuleTask": false, "sendTask": true, "receiveTask": true,
	"exclusiveGateway": false, "parallelGateway": false, "eventBasedGateway": false,
}

// meaningful are the attributes of elements that tokens pass which mean something else unless they have their usual value.
var meaningful = []struct{ name, usual, why, instead string }{
	{"isForCompensation", "false", "is for compensation, which is not supported", ""},
	{"instantiate", "false", "begins a process, which only start events do here", "Put a start event with a message before it."},
	{"parallelMultiple", "false", "waits for several things, which is not supported", ""},
	{"eventGatewayType", "Exclusive", "waits for all of what follows it, which is not supported", "Put a parallel gateway there."},
	{"startQuantity", "1", "waits for more than one token, which is not supported", ""},
	{"completionQuantity", "1", "puts more than one token on what follows, which is not supported", ""},
}

// collect finds what there is in a document.
func (i *importer) collect(doc *node) {
	if len(doc.children) != 1 || doc.children[0].kind != "definitions" {
		at := doc.at
		at.Line, at.Column = max(at.Line, 1), max(at.Column, 1)
		i.mistake(codeUnreadable, at, "The file has no <definitions> of BPMN 2.0.", "Its namespace is "+space+".")
		return
	}
	var processes []*node
	for _, n := range doc.children[0].children {
		switch n.kind {
		case "collaboration":
			i.named(n)
			i.collaboration(n)
		case "process":
			i.named(n)
			processes = append(processes, n)
		case "message", "documentation", "import":
			i.named(n)
		default:
			i.other(n)
		}
	}
	for _, n := range processes {
		i.process(n)
	}
	i.withoutProcess()
	if len(i.pools) == 0 && !i.failed() {
		i.mistake(codeUnreadable, doc.children[0].at, "The file has neither a pool nor a process.", "")
	}
}

// named keeps an element by its id, of which there is one.
func (i *importer) named(n *node) {
	switch first := i.nodes[n.id()]; {
	case n.id() == "" || n.foreign:
	case first != nil:
		i.mistake(codeUnreadable, n.at, fmt.Sprintf("The id %q is not unique: line %d has it, too.", n.id(), first.at.Line), "")
	default:
		i.nodes[n.id()] = n
	}
}

// other is an element of no kind that is read.
func (i *importer) other(n *node) {
	if n.foreign {
		i.leftOut(n, "it is a tool's own, in a namespace that is not BPMN's")
		return
	}
	if why, ok := silent[n.kind]; ok {
		i.leftOut(n, why)
		return
	}
	i.unsupported(n, "is not supported", "")
}

func (i *importer) collaboration(c *node) {
	for _, n := range c.children {
		i.named(n)
		switch n.kind {
		case "participant":
			i.pools = append(i.pools, &pool{node: n, process: n.attrs["processRef"]})
			i.parts(n)
		case "messageFlow":
			i.mails = append(i.mails, &mail{node: n})
			i.parts(n)
		case "documentation":
		default:
			i.other(n)
		}
	}
}

// parts looks through what stands in an element that has none.
func (i *importer) parts(n *node) {
	for _, part := range n.children {
		switch part.kind {
		case "documentation", "incoming", "outgoing", "interfaceRef", "endPointRef":
		default:
			i.other(part)
		}
	}
}

// process collects the elements of a process, which is its pool's or a party by itself.
func (i *importer) process(n *node) {
	var p *pool
	for _, q := range i.pools {
		switch {
		case q.process == "" || local(q.process) != n.id():
		case p != nil:
			i.unsupported(q.node, fmt.Sprintf("has the process of another pool, %q", p.id()), "Draw the process once for each.")
		default:
			p = q
		}
	}
	if p == nil {
		p = &pool{node: n, process: n.id()}
		i.pools = append(i.pools, p)
	}
	for _, e := range n.children {
		i.named(e)
		switch about, isStep := steps[e.kind]; {
		case isStep:
			s := &step{node: e, pool: p, message: about}
			p.steps = append(p.steps, s)
			i.step(s)
		case e.kind == "sequenceFlow":
			p.flows = append(p.flows, &flow{node: e})
			i.parts(e)
		case e.kind == "documentation":
		default:
			i.other(e)
		}
	}
}

// local is a name without its prefix, as references may have one.
func local(ref string) string { return ref[strings.LastIndexByte(ref, ':')+1:] }

// step looks at what stands in an element: what makes it mean something else is refused.
func (i *importer) step(s *step) {
	for _, part := range s.children {
		switch part.kind {
		case "documentation", "incoming", "outgoing":
		case "messageEventDefinition":
			s.message = true
		default:
			i.other(part)
		}
	}
	for _, a := range meaningful {
		if value, ok := s.attrs[a.name]; ok && !strings.EqualFold(strings.TrimSpace(value), a.usual) {
			i.unsupported(s.node, a.why, a.instead)
		}
	}
	switch {
	case s.attrs["default"] != "" && s.kind != "exclusiveGateway":
		i.unsupported(s.node, "has a default flow, which is taken only if no other is", "Put an exclusive gateway there.")
	case s.kind == "intermediateCatchEvent" && !s.message:
		i.unsupported(s.node, "waits for something that is no message, which is not supported", "")
	}
}

// withoutProcess refuses pools whose process is not there.
func (i *importer) withoutProcess() {
	for _, p := range i.pools {
		if p.process != "" && (i.nodes[local(p.process)] == nil || i.nodes[local(p.process)].kind != "process") {
			i.mistake(codeUnreadable, p.at, fmt.Sprintf("There is no process %q, which is that of pool %q.", p.process, p.id()), "")
		}
	}
}
