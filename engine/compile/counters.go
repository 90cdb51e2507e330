package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// A counter is a set of places, one for each value, of which exactly one is marked. This file gives comparisons of counters their meaning
// and their words.

// indexCounters lists the places of each counter by party.counter, in ascending order of value.
func (d *Draft) indexCounters() {
	d.Counters = map[string][]int{}
	for i, p := range d.AllPlaces {
		if p.Kind == hclspec.CounterValue {
			name := d.Net.Places[i].Net + "." + p.Counter
			d.Counters[name] = append(d.Counters[name], i)
		}
	}
	for _, values := range d.Counters {
		slices.SortFunc(values, func(a, b int) int { return d.AllPlaces[a].Value - d.AllPlaces[b].Value })
	}
}

// compare resolves a comparison to the disjunction of the values that satisfy it.
func (d *Draft) compare(atom *ctl.Formula, text *hclspec.Formula) *hcl.Diagnostic {
	c := atom.Compare
	of := c.Of
	values, ok := d.Counters[of.Name]
	if !ok {
		return d.notCounter(of, text)
	}
	var satisfying []*ctl.Formula
	for _, i := range values {
		if satisfies(d.AllPlaces[i].Value, c.Sign, c.Number) {
			satisfying = append(satisfying, d.Marked(i))
		}
	}
	atom.Compare = &ctl.Comparison{Of: of, Sign: c.Sign, Number: c.Number}
	atom.Name, atom.Means = fmt.Sprintf("%s %s %d", of.Name, c.Sign, c.Number), Join(ctl.Or, satisfying)
	return nil
}

// satisfies reports whether a value compares to a number as the sign says. An unknown sign means ==.
func satisfies(value int, sign string, number int) bool {
	order := cmp.Compare(value, number)
	switch sign {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	case "!=":
		return order != 0
	}
	return order == 0
}

// Marked returns the atom that holds when a place is marked.
func (d *Draft) Marked(place int) *ctl.Formula {
	return &ctl.Formula{Op: ctl.Atom, Name: d.Net.Places[place].String(), Place: place}
}

// notCounter returns the diagnostic for a comparison whose left side is not a counter.
func (d *Draft) notCounter(of ctl.Ref, text *hclspec.Formula) *hcl.Diagnostic {
	at := text.Source(of.From, of.To)
	if _, known := d.PlaceOf[of.Name]; known {
		return phrase.Diagnostic("wrong-kind", at, fmt.Sprintf("%q is no counter.", of.Name),
			"Only a counter can be compared with a number. A state, flag, place or document is so or not.")
	}
	hint := "What is compared is party.counter."
	if near := d.nearestCounter(of.Name); near != "" {
		hint += " " + hclspec.Meant(of.Name, near)
	}
	return phrase.Diagnostic("unknown-name", at, fmt.Sprintf("There is no counter %q.", of.Name), hint)
}

// Compared renders a comparison in words, such as “purchaser: instalments paid >= 2”.
func (d *Draft) Compared(c *ctl.Comparison) string {
	place := d.Counters[c.Of.Name][0]
	counter := *d.AllPlaces[place]
	counter.Kind = hclspec.Plain
	return fmt.Sprintf("“%s: %s %s %d”", d.Net.Places[place].Net, Word(&counter), c.Sign, c.Number)
}

// uncompared returns the diagnostic for a counter used as a truth value.
func (d *Draft) uncompared(atom *ctl.Formula, text *hclspec.Formula) *hcl.Diagnostic {
	return phrase.Diagnostic("wrong-kind", text.Source(atom.From, atom.To), fmt.Sprintf("%q is a counter: it is neither true nor false.", atom.Name),
		fmt.Sprintf("Compare it with a number, as in %s >= 2.", atom.Name))
}

// counted returns the place of the counter value from which a transition would leave the bounds.
func counted(t *hclspec.Transition) *hclspec.Place {
	return t.Read[slices.IndexFunc(t.Read, func(p *hclspec.Place) bool { return p.Counter == t.Beyond.Counter })]
}

// Ranges renders ascending numbers compactly, such as 1, 3 to 5.
func Ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		part := fmt.Sprint(numbers[i])
		if j > i {
			part += fmt.Sprintf(" to %d", numbers[j])
		}
		parts, i = append(parts, part), j+1
	}
	return strings.Join(parts, ", ")
}

// SourceName returns the name of a transition in the text.
func SourceName(t *hclspec.Transition) string { return cmp.Or(t.Of, t.Name) }

// Recounted returns the changes that a transition makes to counters, one for each counter.
func (d *Draft) Recounted(party string, t *hclspec.Transition) []finding.Change {
	var list []finding.Change
	for _, before := range t.Consume {
		for _, after := range t.Produce {
			if before.Kind == hclspec.CounterValue && after.Counter == before.Counter {
				list = append(list, finding.Change{Party: party, Called: d.Calls[party], Before: []string{Word(before)}, After: []string{fmt.Sprint(after.Value)}})
			}
		}
	}
	if t.Beyond != nil {
		list = append(list, finding.Change{Party: party, Called: d.Calls[party], Before: []string{Word(counted(t))}, After: []string{fmt.Sprintf("%d, out of bounds", t.Beyond.Value)}})
	}
	return list
}

// WithoutCounters returns the places without those of counters and those that only record that something has begun.
func WithoutCounters(places []*hclspec.Place) []*hclspec.Place {
	return slices.DeleteFunc(slices.Clone(places), func(p *hclspec.Place) bool { return p.Counter != "" || p.Kind == hclspec.Begun })
}

// VariantsOnce keeps one of several adjacent findings with the same code and subject. They stem from the variants of a transition or the
// ways of an event.
func VariantsOnce(list []finding.Diagnostic) []finding.Diagnostic {
	return slices.CompactFunc(list, func(a, b finding.Diagnostic) bool { return a.Code == b.Code && a.Subject == b.Subject })
}
