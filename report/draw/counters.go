package draw

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/hclspec"
)

// written returns a party as it is written: a counter is one place, and the variants of a transition for its values are one transition.
func written(p *hclspec.Party) *hclspec.Party {
	if !slices.ContainsFunc(p.Places, func(q *hclspec.Place) bool { return q.Counter != "" }) {
		return p
	}
	out := *p
	counters := map[string]*hclspec.Place{}
	out.Places = nil
	for _, place := range p.Places {
		switch counter := counters[place.Counter]; {
		case place.Counter == "":
			out.Places = append(out.Places, place)
		case place.Kind == hclspec.CounterBound:
		case counter == nil:
			counters[place.Counter] = &hclspec.Place{Prose: place.Prose, Name: place.Counter, Kind: hclspec.CounterValue, Counter: place.Counter}
			out.Places = append(out.Places, counters[place.Counter])
		}
		if counter := counters[place.Counter]; counter != nil && place.Marked && place.Kind == hclspec.CounterValue {
			counter.Title = fmt.Sprintf("%s, %d at first", cmp.Or(place.Title, place.Counter), place.Value)
		}
	}
	out.Transitions = nil
	merged := map[string]*hclspec.Transition{}
	for _, t := range p.Transitions {
		name := cmp.Or(t.Of, t.Name)
		if merged[name] == nil {
			first := *t
			first.Name, first.Consume, first.Produce, first.Read = name, nil, nil, nil
			merged[name] = &first
			out.Transitions = append(out.Transitions, &first)
		}
		merge(merged[name], t, counters)
	}
	return &out
}

// merge adds the arcs of a variant. A counter that any variant changes is produced; any other is read.
func merge(to, t *hclspec.Transition, counters map[string]*hclspec.Place) {
	for _, p := range t.Consume {
		if p.Counter == "" {
			to.Consume = with(to.Consume, p)
		}
	}
	for _, p := range t.Produce {
		if p.Counter != "" {
			p = counters[p.Counter]
			to.Read = slices.DeleteFunc(to.Read, func(q *hclspec.Place) bool { return q == p })
		}
		to.Produce = with(to.Produce, p)
	}
	for _, p := range t.Read {
		if p.Counter != "" {
			p = counters[p.Counter]
		}
		if !slices.Contains(to.Produce, p) {
			to.Read = with(to.Read, p)
		}
	}
}

// with adds a place to a list unless the list has it.
func with(list []*hclspec.Place, p *hclspec.Place) []*hclspec.Place {
	if slices.Contains(list, p) {
		return list
	}
	return append(list, p)
}
