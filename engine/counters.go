package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
)

// A counter is the places of its values: one of them is marked. This file says what comparing it
// means, and what is to be said of it in words.

// indexCounters lists the places of each counter, by party.counter, in the order of their values.
func (d *Draft) indexCounters() {
	d.counters = map[string][]int{}
	for i, p := range d.places {
		if p.Kind == hclspec.CounterValue {
			name := d.Net.Places[i].Net + "." + p.Counter
			d.counters[name] = append(d.counters[name], i)
		}
	}
	for _, values := range d.counters {
		slices.SortFunc(values, func(a, b int) int { return d.places[a].Value - d.places[b].Value })
	}
}

// compare resolves a comparison to the disjunction of the values that satisfy it.
func (d *Draft) compare(atom *ctl.Formula, text *hclspec.Formula) *hcl.Diagnostic {
	c := atom.Compare
	of := c.Of
	values, ok := d.counters[of.Name]
	if !ok {
		return d.notCounter(of, text)
	}
	var satisfying []*ctl.Formula
	for _, i := range values {
		if satisfies(d.places[i].Value, c.Sign, c.Number) {
			satisfying = append(satisfying, d.marked(i))
		}
	}
	atom.Compare = &ctl.Comparison{Of: of, Sign: c.Sign, Number: c.Number}
	atom.Name, atom.Means = fmt.Sprintf("%s %s %d", of.Name, c.Sign, c.Number), either(satisfying)
	return nil
}

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

// marked is the atom of one place.
func (d *Draft) marked(place int) *ctl.Formula {
	return &ctl.Formula{Op: ctl.Atom, Name: d.Net.Places[place].String(), Place: place}
}

// either is the disjunction of formulas, as deep as the logarithm of their number.
func either(list []*ctl.Formula) *ctl.Formula {
	switch n := len(list); n {
	case 0:
		return &ctl.Formula{Op: ctl.False}
	case 1:
		return list[0]
	default:
		return &ctl.Formula{Op: ctl.Or, Left: either(list[:n/2]), Right: either(list[n/2:])}
	}
}

// notCounter says that what is compared is no counter.
func (d *Draft) notCounter(of ctl.Ref, text *hclspec.Formula) *hcl.Diagnostic {
	at := text.Source(of.From, of.To)
	if _, known := d.placeOf[of.Name]; known {
		return diagnostic("wrong-kind", at, fmt.Sprintf("%q is no counter.", of.Name),
			"Only a counter can be compared with a number. A state, flag, place or document is so or not.")
	}
	hint := "What is compared is party.counter."
	if near := d.nearestCounter(of.Name); near != "" {
		hint += " " + hclspec.Meant(of.Name, near)
	}
	return diagnostic("unknown-name", at, fmt.Sprintf("There is no counter %q.", of.Name), hint)
}

// compared puts a comparison into words, as in “purchaser: instalments paid >= 2”.
func (d *Draft) compared(c *ctl.Comparison) string {
	place := d.counters[c.Of.Name][0]
	counter := *d.places[place]
	counter.Kind = hclspec.Plain
	return fmt.Sprintf("“%s: %s %s %d”", d.Net.Places[place].Net, word(&counter), c.Sign, c.Number)
}

// uncompared says that a counter stands where something is to be true or false.
func (d *Draft) uncompared(atom *ctl.Formula, text *hclspec.Formula) *hcl.Diagnostic {
	return diagnostic("wrong-kind", text.Source(atom.From, atom.To), fmt.Sprintf("%q is a counter: it is neither true nor false.", atom.Name),
		fmt.Sprintf("Compare it with a number, as in %s >= 2.", atom.Name))
}

// outOfBounds is the contact of a counter's bound: what would leave the bounds, from which value.
func (d *Draft) outOfBounds(e *space.ContactError) Diagnostic {
	for _, t := range e.Steps[len(e.Steps)-1] {
		for _, p := range d.Net.Transitions[t].Parts {
			if part := d.part(p); part.Beyond != nil {
				return d.beyond(d.parties[p.Net], part)
			}
		}
	}
	panic("engine: a counter's bound is in contact and no transition goes beyond it")
}

func (d *Draft) beyond(party *hclspec.Party, t *hclspec.Transition) Diagnostic {
	name := party.Name + "." + t.Beyond.Counter
	values := d.counters[name]
	return d.finding("counter-out-of-bounds", name, t.Beyond.Range,
		fmt.Sprintf("%s.%s would take counter %s from %d to %d; it counts from %d to %d.", party.Name, source(t), name,
			counted(t).Value, t.Beyond.Value, d.places[values[0]].Value, d.places[values[len(values)-1]].Value),
		"Say with require when it may happen, or let the counter count further. No requirement has a verdict until this is mended.")
}

// counted is the place of the value that a transition would take out of bounds.
func counted(t *hclspec.Transition) *hclspec.Place {
	return t.Read[slices.IndexFunc(t.Read, func(p *hclspec.Place) bool { return p.Counter == t.Beyond.Counter })]
}

// neverCounted names the values a counter never takes, a finding for each counter.
func (c *checked[S]) neverCounted(seen survey) []Diagnostic {
	var list []Diagnostic
	for _, name := range slices.Sorted(maps.Keys(c.counters)) {
		var never []int
		for _, place := range c.counters[name] {
			if !seen.marked[place] {
				never = append(never, c.places[place].Value)
			}
		}
		if len(never) > 0 {
			list = append(list, c.finding("state-never-reached", name, c.places[c.counters[name][0]].Range,
				fmt.Sprintf("Counter %s never stands at %s.", name, ranges(never)), ""))
		}
	}
	return list
}

// ranges writes ascending numbers as 1, 3 to 5.
func ranges(numbers []int) string {
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

// source is the name a transition has in the text.
func source(t *hclspec.Transition) string { return cmp.Or(t.Of, t.Name) }

// recounted are the counters of a part that a transition changes, a change for each.
func (d *Draft) recounted(party string, t *hclspec.Transition) []Change {
	var list []Change
	for _, before := range t.Consume {
		for _, after := range t.Produce {
			if before.Kind == hclspec.CounterValue && after.Counter == before.Counter {
				list = append(list, Change{party, d.calls[party], []string{word(before)}, []string{fmt.Sprint(after.Value)}})
			}
		}
	}
	if t.Beyond != nil {
		list = append(list, Change{party, d.calls[party], []string{word(counted(t))}, []string{fmt.Sprintf("%d, out of bounds", t.Beyond.Value)}})
	}
	return list
}

// uncounted leaves the places of counters out, and those that say nothing to a reader.
func uncounted(places []*hclspec.Place) []*hclspec.Place {
	return slices.DeleteFunc(slices.Clone(places), func(p *hclspec.Place) bool { return p.Counter != "" || p.Kind == hclspec.Begun })
}

// variantsOnce keeps one of several findings that say the same: of the variants of a transition, or of the
// ways an event happens.
func variantsOnce(list []Diagnostic) []Diagnostic {
	return slices.CompactFunc(list, func(a, b Diagnostic) bool { return a.Code == b.Code && a.Subject == b.Subject })
}
