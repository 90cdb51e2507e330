package bpmn

import (
	"fmt"
	"slices"
	"strings"
)

// silent maps the kinds of elements that say nothing of the order of things to what they are, in words.
var silent = silentKinds()

func silentKinds() map[string]string {
	silent := map[string]string{}
	for what, kinds := range map[string]string{
		"remarks and frames":                              "textAnnotation association group category categoryValue relationship auditing monitoring",
		"lanes and performers":                            "laneSet resource resourceRole performer humanPerformer potentialOwner partnerRole partnerEntity",
		"data":                                            "dataObject dataObjectReference dataStoreReference dataStore dataInput dataOutput dataInputAssociation dataOutputAssociation ioSpecification inputSet outputSet property itemDefinition",
		"software and tools' own data":                    "interface endPoint extensionElements extension script",
		"conditions, so that choices are free":            "conditionExpression",
		"declarations of errors, signals and escalations": "error signal escalation",
		"conversations and correlations":                  "correlationKey messageFlowAssociation correlationSubscription conversation callConversation conversationLink conversationAssociation",
		"what is done inside a called process":            "globalTask globalUserTask globalManualTask globalScriptTask globalBusinessRuleTask",
		"that something is done several times":            "standardLoopCharacteristics multiInstanceLoopCharacteristics",
	} {
		for kind := range strings.FieldsSeq(kinds) {
			silent[kind] = what
		}
	}
	return silent
}

// steps are the kinds of elements that tokens pass.
var steps = []string{
	"startEvent", "endEvent", "intermediateCatchEvent", "intermediateThrowEvent", "boundaryEvent",
	"task", "userTask", "manualTask", "serviceTask", "scriptTask", "businessRuleTask", "sendTask", "receiveTask", "callActivity", "subProcess",
	"exclusiveGateway", "parallelGateway", "inclusiveGateway", "eventBasedGateway",
}

// triggers are what events can be about.
var triggers = map[string]trigger{
	"messageEventDefinition": message, "timerEventDefinition": free, "conditionalEventDefinition": free, "signalEventDefinition": free,
	"errorEventDefinition": failure, "escalationEventDefinition": escalation, "terminateEventDefinition": terminate, "linkEventDefinition": link,
}

// meaningful are the attributes of elements that tokens pass which mean something else unless they have their usual value.
var meaningful = []struct{ name, usual, why, instead string }{
	{"isForCompensation", "false", "is for compensation, which is not supported", ""},
	{"instantiate", "false", "begins a process, which only start events do here", "Put a start event with a message before it."},
	{"triggeredByEvent", "false", "begins by itself, by an event, which is not supported", ""},
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
		case "message", "signal", "documentation", "import":
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
		i.leaveOut(n, "software and tools' own data")
		return
	}
	if what, ok := silent[n.kind]; ok {
		i.leaveOut(n, what)
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
			if n.attrs["sourceRef"] == "" || n.attrs["targetRef"] == "" {
				i.leaveOut(n, "message flows that lead nowhere")
				continue
			}
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
	p.course = &scope{pool: p}
	i.fill(p.course, n.children)
}

// fill collects what stands in a process or a sub-process.
func (i *importer) fill(c *scope, drawn []*node) {
	var loose []*node
	for _, e := range drawn {
		switch {
		case slices.Contains(steps, e.kind) && !e.foreign:
			i.named(e)
			s := &step{node: e, scope: c}
			c.steps = append(c.steps, s)
			i.step(s)
		case e.kind == "sequenceFlow" && (e.attrs["sourceRef"] == "" || e.attrs["targetRef"] == ""):
			loose = append(loose, e)
		case e.kind == "sequenceFlow":
			i.named(e)
			c.flows = append(c.flows, &flow{node: e})
			i.parts(e)
		case e.kind == "documentation" || e.kind == "incoming" || e.kind == "outgoing":
		default:
			i.named(e)
			i.other(e)
		}
	}
	i.loose(c, loose)
}

// loose leaves out sequence flows without one of their ends, and refuses those that are a choice of a gateway: without them it would always choose otherwise.
func (i *importer) loose(c *scope, flows []*node) {
	for _, f := range flows {
		from := f.attrs["sourceRef"]
		at := slices.IndexFunc(c.steps, func(s *step) bool { return from != "" && s.id() == from && s.chooses() })
		if at < 0 {
			i.leaveOut(f, "sequence flows that lead nowhere")
			continue
		}
		i.unsupported(f, "leads nowhere: "+c.steps[at].called()+" could never choose it", "Draw what follows it, or an end event.")
	}
}

// chooses reports whether an element passes its token on to some of what follows it.
func (s *step) chooses() bool {
	return slices.Contains([]string{"exclusiveGateway", "inclusiveGateway", "eventBasedGateway"}, s.kind)
}

// local is a name without its prefix, as references may have one.
func local(ref string) string { return ref[strings.LastIndexByte(ref, ':')+1:] }

// step looks at what stands in an element: what makes it mean something else is refused.
func (i *importer) step(s *step) {
	if s.kind == "sendTask" || s.kind == "receiveTask" {
		s.trigger = message
	}
	parts := s.children
	if s.kind == "subProcess" {
		inner := &scope{pool: s.scope.pool, of: s}
		if i.fill(inner, parts); len(inner.steps) > 0 {
			s.inner = inner
		}
		parts = nil
	}
	about := 0
	for _, part := range parts {
		switch t, known := triggers[part.kind]; {
		case part.kind == "documentation" || part.kind == "incoming" || part.kind == "outgoing":
		case known && s.mayBe(t):
			if s.trigger, s.ref = t, or(part.attrs["errorRef"], part.attrs["escalationRef"], part.attrs["name"]); t == free && s.catches() && s.signalRef() == "" {
				i.leaveOut(s.node, outside)
			}
			about++
		default:
			i.other(part)
		}
	}
	if about > 1 {
		i.unsupported(s.node, "is about several things, which is not supported", "")
	}
	if s.kind == "callActivity" {
		i.leaveOut(s.node, "what is done inside a called process")
	}
	for _, a := range meaningful {
		if value, ok := s.attrs[a.name]; ok && !strings.EqualFold(strings.TrimSpace(value), a.usual) {
			i.unsupported(s.node, a.why, a.instead)
		}
	}
	if about == 0 && (s.kind == "intermediateCatchEvent" || s.kind == "boundaryEvent") && !slices.ContainsFunc(s.children, func(n *node) bool { return strings.HasSuffix(n.kind, "EventDefinition") }) {
		i.unsupported(s.node, "does not say what it waits for", "")
	}
}

// mayBe reports whether an element can be about something.
func (s *step) mayBe(t trigger) bool {
	switch t {
	case message, free:
		return strings.HasSuffix(s.kind, "Event")
	case failure, escalation:
		return s.kind == "endEvent" || s.kind == "boundaryEvent" || t == escalation && s.kind == "intermediateThrowEvent"
	case terminate:
		return s.kind == "endEvent"
	}
	return strings.HasPrefix(s.kind, "intermediate")
}

// withoutProcess refuses pools whose process is not there.
func (i *importer) withoutProcess() {
	for _, p := range i.pools {
		if p.process != "" && (i.nodes[local(p.process)] == nil || i.nodes[local(p.process)].kind != "process") {
			i.mistake(codeUnreadable, p.at, fmt.Sprintf("There is no process %q, which is that of pool %q.", p.process, p.id()), "")
		}
	}
}
