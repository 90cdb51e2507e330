package bpmn

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestEveryElementIsReadOrNamed: of what the standard has at the place of an element, or inside of one, what redline gives no meaning is
// refused by its id, and what says nothing of the order of things is left out by its id. Nothing else is said.
func TestEveryElementIsReadOrNamed(t *testing.T) {
	process := func(more, within, attrs string) string {
		return bpmn(`<process id="p"><startEvent id="s"/><task id="t" ` + attrs + `>` + within + `</task><endEvent id="e"/>` + more +
			`<sequenceFlow id="f" sourceRef="s" targetRef="t"/><sequenceFlow id="g" sourceRef="t" targetRef="e"/></process>`)
	}
	said := func(text string) string {
		t.Helper()
		out, diags, err := Import(strings.NewReader(text), "x.bpmn", "x", 1)
		if err != nil || (out == nil) != diags.HasErrors() {
			t.Fatal(err)
		}
		return told(diags)
	}
	for _, kind := range []string{"complexGateway", "adHocSubProcess", "transaction", "event", "implicitThrowEvent", "subConversation"} {
		if have := said(process("<"+kind+` id="it"/>`, "", "")); strings.Count(have, "\n") != 1 || !strings.Contains(have, `error[bpmn-unsupported]: `+upper(kind)+` "it" is not supported.`) {
			t.Errorf("%s: %s", kind, have)
		}
	}
	for _, kind := range []string{"timerEventDefinition", "errorEventDefinition", "escalationEventDefinition", "cancelEventDefinition", "compensateEventDefinition",
		"conditionalEventDefinition", "linkEventDefinition", "signalEventDefinition", "terminateEventDefinition"} {
		if have := said(process("", "<"+kind+` id="it"/>`, "")); strings.Count(have, "\n") != 1 || !strings.Contains(have, `error[bpmn-unsupported]: `+upper(kind)+` "it" of task "t" is not supported.`) {
			t.Errorf("%s: %s", kind, have)
		}
	}
	for name, usual := range map[string]string{"isForCompensation": "false", "instantiate": "false", "parallelMultiple": "false", "eventGatewayType": "Exclusive", "startQuantity": "1", "completionQuantity": "1"} {
		if have := said(process("", "", name+`="other"`)); strings.Count(have, "\n") != 1 || !strings.Contains(have, `error[bpmn-unsupported]: Task "t" `) {
			t.Errorf("%s: %s", name, have)
		}
		if have := said(process("", "", name+`="`+usual+`"`)); have != "" {
			t.Errorf("%s as usual: %s", name, have)
		}
	}
	for kind, what := range silent {
		for _, text := range []string{process("<"+kind+` id="it"/>`, "", ""), process("", "<"+kind+` id="it"/>`, "")} {
			if have := said(text); strings.Count(have, "\n") != 1 || !strings.Contains(have, "warning[bpmn-left-out]: Left out: "+what+" (1).") {
				t.Errorf("%s: %s", kind, have)
			}
		}
	}
}

// TestAChoiceIsNotLost: a flow that leaves an element that chooses, and leads nowhere, is an error at the flow: without it the party would always choose
// otherwise. Where nothing is chosen, and where a flow comes from nowhere, it is left out.
func TestAChoiceIsNotLost(t *testing.T) {
	for kind, chooses := range map[string]bool{"exclusiveGateway": true, "inclusiveGateway": true, "eventBasedGateway": true, "parallelGateway": false, "task": false} {
		for _, from := range []string{`sourceRef="g"`, `targetRef="g"`} {
			text, diags, err := Import(strings.NewReader(bpmn(`<process id="p"><startEvent id="s"/><sequenceFlow id="yes" name="paid" `+from+`/><`+kind+` id="g" name="paid?"/><receiveTask id="r"/><endEvent id="e"/>
<sequenceFlow id="f" sourceRef="s" targetRef="g"/><sequenceFlow id="no" sourceRef="g" targetRef="r"/><sequenceFlow id="h" sourceRef="r" targetRef="e"/></process>`)), "x.bpmn", "x", 1)
			if err != nil {
				t.Fatal(err)
			}
			want := `error[bpmn-unsupported]: SequenceFlow "yes" (paid) leads nowhere: ` + kind + ` "g" (paid?) could never choose it.`
			if lost := chooses && strings.HasPrefix(from, "source"); lost != strings.Contains(told(diags), want) || lost != (text == nil) {
				t.Errorf("%s, %s: %s", kind, from, told(diags))
			}
		}
	}
}

// TestSignalsThatAreRefused: each with its reason, and nothing else is said.
func TestSignalsThatAreRefused(t *testing.T) {
	const signal = `<signalEventDefinition signalRef="s"/>`
	send := `<process id="sender"><startEvent id="a"/><endEvent id="b">` + signal + `</endEvent><sequenceFlow id="c" sourceRef="a" targetRef="b"/></process>`
	wait := func(id string) string {
		return `<process id="p` + id + `"><startEvent id="` + id + `">` + signal + `</startEvent><endEvent id="e` + id + `"/><sequenceFlow id="f` + id + `" sourceRef="` + id + `" targetRef="e` + id + `"/></process>`
	}
	for parts, want := range map[string]string{
		send + strings.Replace(wait("x"), "<endEvent", `<startEvent id="y">`+signal+`</startEvent><sequenceFlow id="g" sourceRef="y" targetRef="ex"/><endEvent`, 1):                                                                                           `StartEvent "y" is another place of its pool that waits for the same signal`,
		strings.Replace(send, "<endEvent", `<startEvent id="y">`+signal+`</startEvent><sequenceFlow id="g" sourceRef="y" targetRef="b"/><endEvent`, 1):                                                                                                        `StartEvent "y" waits for a signal that its own pool sends`,
		send + wait("x") + wait("y") + wait("z") + wait("v") + wait("w"):                                                                                                                                                                                      `StartEvent "x" waits for a signal for which more than four pools wait`,
		send + `<process id="p"><startEvent id="k"/><task id="l"/><boundaryEvent id="m" attachedToRef="l">` + signal + `</boundaryEvent><sequenceFlow id="n" sourceRef="k" targetRef="l"/></process>`:                                                         `BoundaryEvent "m" waits within a part of the process`,
		send + `<process id="p"><startEvent id="k"/><startEvent id="l"/><intermediateCatchEvent id="m">` + signal + `</intermediateCatchEvent><sequenceFlow id="n" sourceRef="k" targetRef="m"/><sequenceFlow id="o" sourceRef="l" targetRef="m"/></process>`: `IntermediateCatchEvent "m" waits for a signal that is sent in the drawing, and is reached by several flows`,
	} {
		out, diags, err := Import(strings.NewReader(bpmn(`<signal id="s" name="fire"/>`+parts)), "x.bpmn", "x", 1)
		if have := told(diags); err != nil || out != nil || strings.Count(have, "\n") != 1 || !strings.Contains(have, want) {
			t.Errorf("want %s\nhave %s%v", want, have, err)
		}
	}
}

// A drawn is a process drawn at random: its elements, each "KIND NAME", and the flows between them, by number.
type drawn struct {
	elements []string
	flows    [][2]int
}

// drawProcess draws a process that has a meaning: a start event or two, end events, and elements in between, each of which is reached.
func drawProcess(r *rand.Rand) drawn {
	d := drawn{elements: []string{"startEvent"}}
	if r.IntN(4) == 0 {
		d.elements = append(d.elements, "startEvent")
	}
	starts := len(d.elements)
	for range 1 + r.IntN(5) {
		d.elements = append(d.elements, []string{"task", "userTask", "exclusiveGateway", "parallelGateway", "exclusiveGateway", "parallelGateway", "intermediateThrowEvent"}[r.IntN(7)])
	}
	ends := len(d.elements)
	for range 1 + r.IntN(2) {
		d.elements = append(d.elements, "endEvent")
	}
	for i := range ends {
		d.flows = append(d.flows, [2]int{i, starts + r.IntN(len(d.elements)-starts)})
	}
	for i := starts; i < len(d.elements); i++ { // everything is reached
		d.flows = append(d.flows, [2]int{r.IntN(min(i, ends)), i})
	}
	for range r.IntN(3) {
		d.flows = append(d.flows, [2]int{r.IntN(ends), starts + r.IntN(len(d.elements)-starts)})
	}
	if r.IntN(2) == 0 { // somebody waits for one of several messages
		gate := len(d.elements)
		d.elements = append(d.elements, "eventBasedGateway", "receiveTask", "receiveTask")
		for k := range 1 + r.IntN(2) {
			d.flows = append(d.flows, [2]int{r.IntN(ends), gate}, [2]int{gate + 1 + k, starts + r.IntN(gate-starts)})
		}
		d.flows = append(d.flows, [2]int{gate, gate + 1}, [2]int{gate, gate + 2})
	}
	return d
}

func (d drawn) text() string {
	var b strings.Builder
	b.WriteString(`<process id="p">`)
	for i, kind := range d.elements {
		fmt.Fprintf(&b, `<%s id="x%d"/>`, kind, i)
	}
	for i, f := range d.flows {
		fmt.Fprintf(&b, `<sequenceFlow id="f%d" name="flow%[1]d" sourceRef="x%d" targetRef="x%d"/>`, i, f[0], f[1])
	}
	b.WriteString(`</process>`)
	return bpmn(b.String())
}

// A move is what happens at an element: what it is called, and the places of which it takes tokens and on which it puts some.
type move struct {
	called    string
	take, put []string
}

// moves is the token game, as the package's comment defines it, read off the drawing.
func (d drawn) moves() []move {
	place := func(f int) string {
		for _, end := range d.flows[f] {
			if d.elements[end] == "eventBasedGateway" {
				return fmt.Sprint("wait ", end)
			}
		}
		return fmt.Sprint("flow ", f)
	}
	var all []move
	for i, kind := range d.elements {
		var in, out []string
		var leads []int
		for n, f := range d.flows {
			if f[1] == i {
				in = append(in, place(n))
			}
			if f[0] == i {
				out, leads = append(out, place(n)), append(leads, n)
			}
		}
		name := fmt.Sprint("x", i)
		switch kind {
		case "startEvent":
			all = append(all, move{name, []string{"begin"}, out})
		case "parallelGateway":
			all = append(all, move{name, in, out})
		case "eventBasedGateway":
		case "exclusiveGateway":
			for _, from := range in {
				for k, to := range out {
					all = append(all, move{fmt.Sprintf("%s: flow%d", name, leads[k]), []string{from}, []string{to}})
				}
			}
		case "endEvent":
			for _, from := range in {
				all = append(all, move{name, []string{from}, []string{"end " + name}})
			}
		default:
			for _, from := range in {
				all = append(all, move{name, []string{from}, out})
			}
		}
	}
	return all
}

// written are the moves of a contract's only party.
func written(t *testing.T, c *hclspec.Contract) []move {
	t.Helper()
	if len(c.Parties) != 1 {
		t.Fatalf("%d parties", len(c.Parties))
	}
	names := func(lists ...[]*hclspec.Place) []string {
		var all []string
		for _, list := range lists {
			for _, p := range list {
				all = append(all, p.Name)
			}
		}
		return all
	}
	var all []move
	for _, tr := range c.Parties[0].Transitions {
		called := tr.Title
		if called == "" {
			called = tr.Name
		}
		all = append(all, move{called, names(tr.Consume, tr.Read), names(tr.Produce, tr.Read)})
	}
	return all
}

// A marking is which places have a token. An element that would put a second one on a place makes a contact, after which nothing is asked.
type marking map[string]bool

// after returns the marking after a move, and whether it can happen; nil where it makes a contact.
func (m marking) after(v move) (marking, bool) {
	for _, p := range v.take {
		if !m[p] {
			return nil, false
		}
	}
	now := maps.Clone(m)
	for _, p := range v.take {
		delete(now, p)
	}
	for _, p := range v.put {
		if now[p] {
			return nil, true
		}
		now[p] = true
	}
	return now, true
}

// courses lists what can happen within so many steps, a word for each; "contact" ends one.
func courses(moves []move, m marking, steps int) []string {
	seen := map[string]bool{}
	var follow func(m marking, word string, left int)
	follow = func(m marking, word string, left int) {
		seen[word] = true
		if left == 0 {
			return
		}
		for _, v := range moves {
			if after, can := m.after(v); can && after == nil {
				seen[word+", "+v.called+", contact"] = true
			} else if can {
				follow(after, word+", "+v.called, left-1)
			}
		}
	}
	follow(m, "begin", steps)
	return slices.Sorted(maps.Keys(seen))
}

// TestTokenGame: what can happen in a contract, step by step, is what tokens can do in the drawing, by the token game played on the drawing itself.
func TestTokenGame(t *testing.T) {
	contacts, read := 0, 0
	for seed := range uint64(200) {
		d := drawProcess(rand.New(rand.NewPCG(seed, 3)))
		out, diags, err := Import(strings.NewReader(d.text()), "x.bpmn", "x", 1)
		if err != nil {
			t.Fatal(err)
		}
		if out == nil { // two ends of one drawing may not fit together, as a receiver that two flows lead to
			continue
		}
		read++
		c := load.Text(map[string][]byte{"x.contract.hcl": out}, ".", nil).Contract
		if c == nil {
			t.Fatalf("seed %d: %s\n%s", seed, told(diags), out)
		}
		start := marking{}
		for _, p := range c.Parties[0].Places {
			if p.Marked {
				start[p.Name] = true
			}
		}
		have, want := courses(written(t, c), start, 5), courses(d.moves(), marking{"begin": true}, 5)
		if !slices.Equal(have, want) {
			t.Fatalf("seed %d: %v %v\n%s\nhave %d courses, want %d:\n%s\n\n%s", seed, d.elements, d.flows, out, len(have), len(want), strings.Join(have, "\n"), strings.Join(want, "\n"))
		}
		if slices.ContainsFunc(want, func(w string) bool { return strings.HasSuffix(w, "contact") }) {
			contacts++
		}
	}
	if read < 150 || contacts < 20 || contacts > read-10 {
		t.Errorf("%d drawings are read, %d of them with contacts: too few to tell", read, contacts)
	}
	t.Logf("%d drawings are read, %d of them with contacts", read, contacts)
}

// TestTwoTokensAtOneGateway: two flows from one task to an event-based gateway are two tokens, of which one place would have one.
func TestTwoTokensAtOneGateway(t *testing.T) {
	twice := drawn{[]string{"startEvent", "task", "eventBasedGateway", "receiveTask", "endEvent"}, [][2]int{{0, 1}, {1, 2}, {1, 2}, {2, 3}, {3, 4}}}
	out, diags, err := Import(strings.NewReader(twice.text()), "x.bpmn", "x", 1)
	if want := `SequenceFlow "f2" (flow2) is another flow from task "x1" to eventBasedGateway "x2": two tokens at once`; err != nil || out != nil || !strings.Contains(told(diags), want) {
		t.Errorf("%s %v", told(diags), err)
	}
	twice.elements[1] = "exclusiveGateway" // one of them is taken
	if out, diags, err := Import(strings.NewReader(twice.text()), "x.bpmn", "x", 1); err != nil || out == nil {
		t.Errorf("%s %v", told(diags), err)
	}
}

// TestImportIsDetermined: the same text becomes the same bytes.
func TestImportIsDetermined(t *testing.T) {
	for seed := range uint64(30) {
		text := drawProcess(rand.New(rand.NewPCG(seed, 4))).text()
		first, said, _ := Import(strings.NewReader(text), "x.bpmn", "x", 1)
		for range 3 {
			again, also, _ := Import(strings.NewReader(text), "x.bpmn", "x", 1)
			if string(again) != string(first) || told(also) != told(said) {
				t.Fatalf("seed %d: another contract", seed)
			}
		}
	}
}
