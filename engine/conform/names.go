package conform

import (
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/hclspec"
)

// A book finds the transitions that the names in a log mean.
type book struct {
	draft   *compile.Draft
	events  map[string][]int // composed transitions by event, and by the name of an event's block
	own     map[string][]int // those that no event mentions, by canonical name
	all     map[string][]int // all, by canonical name
	parties map[string]bool  // every name of a party
	found   map[string][]int // earlier results of meant
}

func index(d *compile.Draft) *book {
	b := &book{draft: d, events: map[string][]int{}, own: map[string][]int{}, all: map[string][]int{}, parties: map[string]bool{}, found: map[string][]int{}}
	kinds := map[string][]int{}
	for t := range d.Net.Transitions {
		name := explain.TransitionName(d, t)
		b.all[name] = append(b.all[name], t)
		event := explain.Event(d, t)
		if event == nil {
			b.own[name] = append(b.own[name], t)
			continue
		}
		b.events[event.Name] = append(b.events[event.Name], t)
		if event.Of != event.Name {
			kinds[event.Of] = append(kinds[event.Of], t)
		}
	}
	for name, ts := range kinds {
		if b.events[name] == nil {
			b.events[name] = ts
		}
	}
	for _, p := range d.Spec.Parties {
		for _, name := range b.callings(p) {
			b.parties[name] = true
		}
	}
	return b
}

// callings returns the names by which a log may call a party.
func (b *book) callings(p *hclspec.Party) []string {
	return []string{p.Name, p.Of, p.Person(), p.Title, explain.Called(b.draft, p)}
}

// of returns the transitions that the event and the transition of a line mean, with any participants.
func (b *book) of(l *Line) []int {
	if l.Event == "" {
		return b.all[l.Transition]
	}
	ts := b.events[l.Event]
	if ts == nil {
		ts = b.own[l.Event]
	}
	if l.Transition == "" {
		return ts
	}
	named := b.all[l.Transition]
	return slices.DeleteFunc(slices.Clone(ts), func(t int) bool { return !slices.Contains(named, t) })
}

// by returns those of some transitions in which all parties of a line take part. The passing of time has no participants and fits any.
func (b *book) by(ts []int, parties []string) []int {
	if len(parties) == 0 {
		return ts
	}
	return slices.DeleteFunc(slices.Clone(ts), func(t int) bool {
		actors := explain.Actors(b.draft, t)
		return len(actors) > 0 && slices.ContainsFunc(parties, func(name string) bool {
			return !slices.ContainsFunc(actors, func(p *hclspec.Party) bool { return slices.Contains(b.callings(p), name) })
		})
	})
}

// meant returns the transitions that a line can mean.
func (b *book) meant(l *Line) []int {
	key := fmt.Sprintf("%q %q %q", l.Event, l.Transition, l.Parties)
	ts, known := b.found[key]
	if !known {
		ts = b.by(b.of(l), l.Parties)
		b.found[key] = ts
	}
	return ts
}

// names returns the names that a line of this kind can have, sorted.
func (b *book) names(l *Line) []string {
	var all []string
	if l.Event == "" {
		for name := range b.all {
			all = append(all, name)
		}
	} else {
		for name := range b.events {
			all = append(all, name)
		}
		for name := range b.own {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
