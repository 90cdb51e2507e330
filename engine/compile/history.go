package compile

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// History in formulas. Whether an event has happened is not part of a marking. So the composed net gets a history place for each event that
// a formula asks about: firing marks it for good, and no transition depends on it. The state model then distinguishes markings by what has
// happened. A contract without such formulas is explored as before.

// remember adds history places for the events that the texts ask about, in canonical order.
func (d *Draft) remember(texts []*hclspec.Formula) {
	asked := map[string]bool{}
	for _, text := range texts {
		for _, event := range d.remembered(text) {
			asked[event] = true
		}
	}
	for _, e := range d.Events {
		if _, already := d.History[e.Name]; asked[e.Name] && !already {
			d.rememberEvent(e)
		}
	}
}

// remembered returns the names of the events whose past a text asks about. It returns none for an ill-formed text: Resolve reports that.
func (d *Draft) remembered(text *hclspec.Formula) []string {
	f, diag := phrase.Parse(text)
	if diag == nil {
		f, diag = d.expand(f, text)
	}
	if diag != nil {
		return nil
	}
	var events []string
	for atom := range f.Atoms() {
		if atom.Call == nil || atom.Call.Function != "happened" && atom.Call.Function != "before" {
			continue
		}
		for _, e := range atom.Call.Args {
			events = append(events, e.Name)
		}
	}
	return events
}

// rememberEvent adds a history place for an event.
func (d *Draft) rememberEvent(e *hclspec.Event) {
	if d.History == nil {
		d.History = map[string]int{}
	}
	place := len(d.Net.Places)
	d.History[e.Name] = place
	d.Net.Places = append(d.Net.Places, petri.Place{Name: "happened(" + e.Name + ")"})
	for _, i := range d.TransitionsOf(e) {
		d.Net.Transitions[i].Marks = append(d.Net.Transitions[i].Marks, place)
	}
}

// TransitionsOf returns the composed transitions of an event.
func (d *Draft) TransitionsOf(e *hclspec.Event) []int { return d.lookup.transitions[e.Name] }

// Present returns a marking without its history places, which come last and belong to no party.
func (d *Draft) Present(m petri.Marking) petri.Marking {
	end, _ := slices.BinarySearch(m, len(d.AllPlaces))
	return m[:end]
}

// Places returns the number of places without history places, which come last.
func (d *Draft) Places() int { return len(d.AllPlaces) }

// WithoutHistory returns the draft without history places, or the draft itself if it has none. Both have the same behaviour, since no transition
// depends on history. Formulas that ask about the past cannot be checked on the result.
func (d *Draft) WithoutHistory() *Draft {
	if len(d.History) == 0 {
		return d
	}
	less := *d
	net := *d.Net
	net.Places, net.Transitions = net.Places[:len(d.AllPlaces)], slices.Clone(net.Transitions)
	for i := range net.Transitions {
		net.Transitions[i].Marks = nil
	}
	less.Net, less.History = &net, nil
	return &less
}

// FinalNow returns the formula of the final states, or nil if none is declared or if it depends on history.
func (d *Draft) FinalNow() *ctl.Formula {
	if d.Final == nil || d.Recalls(d.Final) {
		return nil
	}
	return d.Final
}

// Recalls reports whether a formula refers to a history place.
func (d *Draft) Recalls(f *ctl.Formula) bool {
	for atom := range f.Atoms() {
		if atom.Means != nil && d.Recalls(atom.Means) || atom.Means == nil && atom.Place >= len(d.AllPlaces) {
			return true
		}
	}
	return false
}

// RecallingTexts returns the draft with additional history places for the events that the given formulas ask about, such as those of
// another version. It returns the draft itself if it has them all.
func (d *Draft) RecallingTexts(texts []*hclspec.Formula) *Draft {
	if len(texts) == 0 {
		return d
	}
	more := *d
	net := *d.Net
	net.Places, net.Transitions = slices.Clone(net.Places), slices.Clone(net.Transitions)
	for i := range net.Transitions {
		net.Transitions[i].Marks = slices.Clone(net.Transitions[i].Marks)
	}
	more.Net, more.History = &net, map[string]int{}
	for event, place := range d.History {
		more.History[event] = place
	}
	more.remember(texts)
	if len(more.History) == len(d.History) {
		return d
	}
	return &more
}

// texts returns all formulas of the contract, that of the final states first.
func (d *Draft) texts() []*hclspec.Formula {
	var all []*hclspec.Formula
	if d.Spec.Final != nil {
		all = append(all, d.Spec.Final)
	}
	for _, r := range d.Spec.Requirements {
		all = append(all, r.Formula)
	}
	return all
}

// call resolves happened(e), enabled(e) and before(e1, e2).
func (d *Draft) call(atom *ctl.Formula, text *hclspec.Formula) *hcl.Diagnostic {
	switch atom.Call.Function {
	case phrase.Ran:
		return d.ran(atom, text)
	case phrase.InBreach:
		return d.inBreach(atom, text)
	case phrase.Fulfilled:
		atom.Means = d.fulfilled(atom.Call)
		return nil
	}
	var events []*hclspec.Event
	for _, arg := range atom.Call.Args {
		e := d.Event(arg.Name)
		if e == nil {
			return d.unknownEvent(arg, text)
		}
		events = append(events, e)
	}
	switch atom.Call.Function {
	case "happened":
		atom.Place = d.History[events[0].Name]
	case "before":
		atom.Means = d.before(events[0], events[1])
	case "enabled":
		return d.enabled(atom, events[0], text)
	default:
		panic("compile: no meaning for " + atom.Name + "")
	}
	return nil
}

// Event returns the event with a name, or nil.
func (d *Draft) Event(name string) *hclspec.Event { return d.lookup.events[name] }

// unknownEvent returns the diagnostic for an unknown event, with a suggestion if there is one.
func (d *Draft) unknownEvent(arg ctl.Ref, text *hclspec.Formula) *hcl.Diagnostic {
	var known []string
	hint := ""
	var all []*hclspec.Event
	if d.lookup.suggest.Spend(len(d.Events)) {
		all = d.canonicalEvents()
	}
	for _, e := range all {
		known = append(known, e.Name)
		if e.Of == arg.Name && hint == "" {
			hint = fmt.Sprintf("%s happens with each of several separately. Name one, such as %s; or say it of all: all p in PARTY: ... %s[p] ...", arg.Name, e.Name, arg.Name)
		}
	}
	if near := d.lookup.suggest.Nearest(arg.Name, known); hint == "" && near != "" {
		hint = hclspec.Meant(arg.Name, near)
	}
	return phrase.Diagnostic("unknown-name", text.Source(arg.From, arg.To), fmt.Sprintf("There is no event %q.", arg.Name), hint)
}

// before returns a formula: the second event never happens before the first has, nor in one step with it. A[!happened(second) W
// happened(first) && !happened(second)].
func (d *Draft) before(first, second *hclspec.Event) *ctl.Formula {
	notYet := func() *ctl.Formula {
		return &ctl.Formula{Op: ctl.Not, Left: d.happened(second)}
	}
	return &ctl.Formula{Op: ctl.AW, Left: notYet(), Right: &ctl.Formula{Op: ctl.And, Left: d.happened(first), Right: notYet()}}
}

// happened returns the atom for the history place of an event.
func (d *Draft) happened(e *hclspec.Event) *ctl.Formula {
	call := &ctl.Call{Function: "happened", Args: []ctl.Ref{{Name: e.Name}}}
	return &ctl.Formula{Op: ctl.Atom, Name: call.String(), Call: call, Place: d.History[e.Name]}
}

// maxEnabled bounds the places in the formula of enabled(e), which grows with the ways in which e can happen.
const maxEnabled = 100_000

// enabled resolves enabled(e): some transition of the event can fire. It returns a diagnostic if the formula is too large.
func (d *Draft) enabled(atom *ctl.Formula, e *hclspec.Event, text *hclspec.Formula) *hcl.Diagnostic {
	if atom.Means = d.ways(e); atom.Means == nil {
		return phrase.Diagnostic("value-too-large", text.Source(atom.From, atom.To), fmt.Sprintf("%s speaks of more than %d places.", atom.Name, maxEnabled),
			"The event can happen in too many ways to ask whether it can.")
	}
	return nil
}

// ways returns the formula of enabled(e), or nil if it has more than maxEnabled places. It is built once and is safe for concurrent use.
func (d *Draft) ways(e *hclspec.Event) *ctl.Formula {
	l := d.lookup
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if f, known := l.ways[e.Name]; known {
		return f
	}
	l.ways[e.Name] = d.waysOf(e)
	return l.ways[e.Name]
}

// waysOf builds the formula for ways.
func (d *Draft) waysOf(e *hclspec.Event) *ctl.Formula {
	var ways []*ctl.Formula
	size := 0
	for _, i := range d.TransitionsOf(e) {
		needs := d.needs(&d.Net.Transitions[i])
		if size += len(needs); size > maxEnabled {
			return nil
		}
		ways = append(ways, Join(ctl.And, needs))
	}
	return Join(ctl.Or, ways)
}

// needs returns the conditions under which a transition can fire, to be joined by &&.
func (d *Draft) needs(t *petri.Transition) []*ctl.Formula {
	var needs []*ctl.Formula
	for _, p := range slices.Concat(t.In, t.Read) {
		needs = append(needs, d.Marked(p))
	}
	if t.Moving {
		needs = append(needs, d.Moves(t))
	}
	return needs
}

// Moves returns the formula that holds where firing a transition would move a token of what watches it.
func (d *Draft) Moves(t *petri.Transition) *ctl.Formula {
	var some, stays []*ctl.Formula
	for i, v := range t.Moves {
		if i > 0 && t.Moves[i-1].From != v.From {
			stays = nil
		}
		var all []*ctl.Formula
		for _, p := range append([]int{v.From}, v.If...) {
			all = append(all, d.Marked(p))
		}
		applies := Join(ctl.And, all)
		switch {
		case v.Stays():
			stays = append(stays, applies)
			continue
		case len(stays) > 0:
			applies = Join(ctl.And, []*ctl.Formula{applies, {Op: ctl.Not, Left: Join(ctl.Or, stays)}})
		}
		some = append(some, applies)
	}
	return Join(ctl.Or, some)
}

// Join joins formulas by && or ||, in a tree of logarithmic depth. For none it returns the neutral element: true for &&, false for ||.
func Join(op ctl.Op, list []*ctl.Formula) *ctl.Formula {
	switch {
	case len(list) == 0 && op == ctl.And:
		return &ctl.Formula{Op: ctl.True}
	case len(list) == 0:
		return &ctl.Formula{Op: ctl.False}
	case len(list) == 1:
		return list[0]
	}
	half := len(list) / 2
	return &ctl.Formula{Op: op, Left: Join(op, list[:half]), Right: Join(op, list[half:])}
}
