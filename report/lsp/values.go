package lsp

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// Kinds of elements that attributes take.
var (
	actors = []string{"party", "net"}
	norms  = construct.NormWords()
	duties = slices.DeleteFunc(construct.NormWords(), func(norm string) bool { return construct.NormOf(norm).Breaker == "" })
	truths = []string{"true", "false"}
)

// A valueKinds describes the values of an attribute: kinds of elements inside the open blocks and outside of all blocks, and words of the
// language.
type valueKinds struct {
	inside, outside, words []string
}

// occasion describes the values that begin or end a norm: an event, or an outcome of another norm.
var occasion = valueKinds{outside: append([]string{"event"}, norms...)}

// moment describes what a time of an event is counted from.
var moment = valueKinds{outside: append([]string{"event"}, norms...), words: []string{"any"}}

// takes has the values of attributes, by the block around them. The key "" is for any block.
var takes = withNorms(map[string]map[string]valueKinds{
	"": {
		"from": {inside: []string{"state"}}, "to": {inside: []string{"state"}}, "read": {inside: []string{"place", "state"}},
		"consume": {inside: []string{"place"}}, "produce": {inside: []string{"place"}},
		"initial": {words: truths}, "marked": {words: truths}, "exposed": {words: truths}, "ends_contract": {words: truths}, "repeats": {words: truths}, "since": occasion, "ends": occasion,
		"by": {outside: []string{"party"}, words: []string{"each", "any", "all"}}, "survives": {words: truths},
		"firing": {words: []string{"one", "all"}}, "over": {words: []string{"ideal", "all"}}, "assuming": {outside: actors, words: []string{"progress"}}, "rests_on": {outside: actors},
		"bearer": {outside: actors}, "counterparty": {outside: actors}, "holder": {outside: actors},
		"fulfil": {outside: []string{"event"}}, "breach": {outside: []string{"event"}},
		"of": {outside: []string{"event"}}, "exercise": {outside: []string{"event"}}, "after": {outside: []string{"event", "phase"}},
		"until": occasion, "reparation": {outside: []string{"obligation"}}, "lifts": {outside: []string{"obligation"}}, "suspends": {outside: []string{"obligation"}}, "suspended_by": occasion, "resumes": occasion, "assigns": {outside: []string{"obligation"}},
		"only_while": {outside: slices.Concat(norms, actors), words: []string{"any", "contract", "happened"}}, "document": {outside: []string{"document"}}, "template": {outside: []string{"template"}},
	},
	"variable":   {"type": {words: []string{"string", "number", "bool", "duration", "list(string)"}}},
	"parameter":  {"type": {words: []string{"string", "number", "bool", "duration", "event", "list(string)"}}},
	"power":      {"to": {outside: actors}},
	"obligation": {"by": {}},
	"counter":    {"from": {}, "to": {}, "initial": {}},
	"scenario": {"events": {outside: []string{"event"}, words: []string{hclspec.Tick}}, "expect": {words: []string{"possible", "impossible"}},
		"breach": {outside: slices.Concat(duties, actors)}, "ends": {words: []string{"fulfilled", "ended"}}},
})

// withNorms adds the attributes that begin norms.
func withNorms(takes map[string]map[string]valueKinds) map[string]map[string]valueKinds {
	for _, n := range construct.Norms {
		if takes[n.Word] == nil {
			takes[n.Word] = map[string]valueKinds{}
		}
		takes[n.Word][n.Begins] = occasion
	}
	return takes
}

// value offers the values that an attribute can have.
func (o *offers) value(attribute string) []offer {
	switch attribute {
	case "when", "set":
		if _, known := takes[o.block().typ][attribute]; known {
			break
		}
		return o.changes(attribute)
	case "label":
		return o.labels(o.party())
	case "sync":
		if party := o.key(); party != "" {
			return o.labels(party)
		}
		return o.kinds(actors...)
	case "moves":
		return o.moves()
	case "not_before", "within", "after":
		switch {
		case o.block().typ == "phase":
		case o.block().typ == "event" && o.key() == "":
			return o.take(moment)
		default:
			return o.figures()
		}
	case "changes":
		if o.key() == "" {
			return o.take(moment)
		}
		return slices.Concat(o.inside("counter"), o.kinds(actors...), o.figures())
	case "before":
		if o.key() == "" {
			return o.take(valueKinds{outside: []string{"event"}, words: []string{"any"}})
		}
		return o.figures()
	case "extends":
		if o.key() == "" {
			return o.take(valueKinds{outside: []string{"obligation"}})
		}
		return o.figures()
	case "lasts", "at_most", "count", "start":
		return o.figures()
	case "on":
		return append(o.atoms(), words(itemKeyword, "event", "requirement")...)
	}
	if attribute == "until" && o.block().typ == "phase" {
		return o.ofTemplate()
	}
	t, known := takes[o.block().typ][attribute]
	if !known {
		t, known = takes[""][attribute]
	}
	switch {
	case !known:
		return o.anything()
	case t.inside == nil && t.outside == nil && t.words == nil:
		return o.figures()
	}
	return o.take(t)
}

// changes offers what stands in when and set: flags and what they are or, in set, counters and how a value is computed.
func (o *offers) changes(attribute string) []offer {
	counters := o.inside("counter")
	switch key := o.key(); {
	case attribute == "set" && slices.ContainsFunc(counters, func(c offer) bool { return c.name == key }):
		return slices.Concat(counters, words(itemFunction, "between"), o.figures())
	case key != "":
		return words(itemKeyword, truths...)
	case attribute == "set":
		return append(o.inside("flag"), counters...)
	}
	return o.inside("flag")
}

func (o *offers) take(t valueKinds) []offer {
	var all []offer
	if len(t.inside) > 0 {
		all = o.inside(t.inside...)
	}
	if len(t.outside) > 0 {
		all = append(all, o.kinds(t.outside...)...)
	}
	return append(all, words(itemKeyword, t.words...)...)
}

// moves offers the events that move a document, then the direction, then the parties.
func (o *offers) moves() []offer {
	depth := 0
	for _, f := range slices.Backward(o.frames) {
		if f.body {
			break
		}
		depth++
	}
	switch {
	case o.key() != "" && depth > 1:
		return o.kinds(actors...)
	case depth > 1:
		return words(itemProperty, "from", "to")
	case o.key() != "":
		return nil
	}
	return o.kinds("event")
}

// block returns the innermost open block.
func (o *offers) block() frame {
	if open := o.blocks(); len(open) > 0 {
		return open[len(open)-1]
	}
	return frame{}
}

// kinds offers elements of some kinds outside of all blocks, or beside the open one in a template.
func (o *offers) kinds(kinds ...string) []offer {
	return o.outside(func(e *hclspec.Element) bool {
		return slices.Contains(kinds, e.Kind) || slices.Contains(kinds, "event") && happens(e)
	})
}

// ofTemplate offers the events of the template of the open phase.
func (o *offers) ofTemplate() (all []offer) {
	for _, phase := range o.names.opened(o.blocks()) {
		for _, template := range o.names.templates(phase) {
			for _, inside := range o.names.inner[template] {
				for _, e := range inside {
					if happens(e) {
						all = append(all, offer{e.Name, detail(e), itemName})
					}
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b offer) int { return cmp.Compare(a.name, b.name) })
	return all
}

// happens reports whether an element is an event, or brings one along.
func happens(e *hclspec.Element) bool {
	return e.Kind == "event" || e.Block != nil && syntax.HasOwnAct(e.Block)
}

// figures offers the parts of a number expression.
func (o *offers) figures() []offer {
	return append(words(itemKeyword, "local", "var"), words(itemFunction, expr.FunctionNames()...)...)
}

// anything offers all names in scope, for attributes that takes does not have.
func (o *offers) anything() []offer {
	all := o.inside()
	all = append(all, o.outside(func(e *hclspec.Element) bool { return !slices.Contains(unspoken, e.Kind) })...)
	all = append(all, words(itemKeyword, "local", "var", "true", "false")...)
	return append(all, words(itemFunction, expr.FunctionNames()...)...)
}
