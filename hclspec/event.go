package hclspec

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

func (l *loader) declareEvents(blocks []*hclsyntax.Block) {
	for _, b := range blocks {
		if b.Type == "event" && l.declareBlock(l.events, b) {
			e := &Event{Prose: l.prose(b.Body), Name: b.Labels[0], Of: b.Labels[0], Range: headerRange(b)}
			e.Ways = [][]Sync{l.sync(b)}
			l.spec.Events = append(l.spec.Events, e)
		}
	}
}

// sync reads which label an event has in which party.
func (l *loader) sync(b *hclsyntax.Block) []Sync {
	attr, given := b.Body.Attributes["sync"]
	if !given {
		l.lacking(b.Body, headerRange(b), fmt.Sprintf("Event %q has no sync.", b.Labels[0]),
			"Write sync = { party = Label }: who takes part, and by which transition.")
		return nil
	}
	var all []Sync
	before := len(l.diags)
	l.pairs(attr.Expr, "a party", func(name string, r hcl.Range, value hclsyntax.Expression) {
		if s, ok := l.syncOne(b.Labels[0], name, r, value); ok {
			all = append(all, s)
		}
	})
	if object, ok := attr.Expr.(*hclsyntax.ObjectConsExpr); ok && len(object.Items) == 0 && len(l.diags) == before {
		l.mistake(codeMissingAttribute, attr.Expr.Range(), fmt.Sprintf("Event %q concerns no party.", b.Labels[0]),
			"Name at least one: sync = { party = Label }.")
	}
	return all
}

func (l *loader) syncOne(event, party string, r hcl.Range, value hclsyntax.Expression) (Sync, bool) {
	s, known := l.scopes[party]
	if !known {
		l.unknown(r, fmt.Sprintf("There is no party %q.", party), party, func() []string { return l.partyNames })
		return Sync{}, false
	}
	l.refer(r, s.party.Range)
	label, at, ok := l.reference(value, "a label of "+party)
	if !ok {
		return Sync{}, false
	}
	if !s.labels[label] {
		if !s.vague && !l.dropped[label] {
			l.mistake(codeEventMissingLabel, at,
				fmt.Sprintf("Event %q can never happen: %s %q has no transition labelled %q.", event, s.block.Type, party, label),
				l.hint(label, func() []string { return s.labelNames }))
		}
		return Sync{}, false
	}
	return Sync{Party: s.party, Label: label, Range: at}, true
}
