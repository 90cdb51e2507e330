package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/hclspec"
)

// Who observes what. Everybody sees time pass.

// observer sees some of the sights; nil: all.
type observer func(s sight) bool

// party is the observer that a party is: it sees what it takes part in.
func (x *sights) party(name string) observer {
	at := positions(x.parties)[name]
	return func(s sight) bool { return s.deed == x.time || slices.Contains(s.who, at) }
}

// chosen observes what a user names: events, and what parties take part in; of several of a kind,
// each. It is nil, for all, where neither draft has any of it.
func (x *sights) chosen(names []string) observer {
	deeds, who := map[int]bool{}, map[int]bool{}
	for _, name := range names {
		for i, d := range x.deeds {
			if d.kind == eventDeed && covers(name, d.name) {
				deeds[i] = true
			}
		}
		for i, p := range x.parties {
			if covers(name, p) {
				who[i] = true
			}
		}
	}
	if len(deeds)+len(who) == 0 {
		return nil
	}
	return func(s sight) bool {
		return deeds[s.deed] || s.deed == x.time || slices.ContainsFunc(s.who, func(p int) bool { return who[p] })
	}
}

// observed names what an observer sees; nil: all.
func (x *sights) observed(o observer) []string {
	if o == nil {
		return nil
	}
	list := []string{}
	for _, s := range x.all { // in order of deeds
		if o(s) {
			list = append(list, x.deeds[s.deed].name)
		}
	}
	return slices.Compact(list)
}

// A language numbers what an observer sees in one step: a multiset of deeds. Word 0 is nothing.
type language struct {
	relabel []uint32      // by label of the systems
	words   []observation // by word, its deeds, sorted
}

// language is what an observer sees of each label.
func (x *lexicon) language(o observer) language {
	said := make([]observation, len(x.labels))
	for l, sights := range x.labels {
		for _, s := range sights {
			if o == nil || o(x.all[s]) {
				said[l] = append(said[l], x.all[s].deed)
			}
		}
		slices.Sort(said[l])
	}
	words := slices.Clone(said)
	slices.SortFunc(words, slices.Compare[observation])
	words = slices.CompactFunc(words, slices.Equal[observation]) // nothing is first
	g := language{relabel: make([]uint32, len(said)), words: words}
	for l := range said {
		at, _ := slices.BinarySearchFunc(words, said[l], slices.Compare[observation])
		g.relabel[l] = uint32(at)
	}
	return g
}

// say tells an observation to a reader.
func (x *sights) say(seen observation) string {
	var words []string
	for _, d := range seen {
		words = append(words, x.titles[d])
	}
	return strings.Join(words, " + ")
}

func (x *sights) says(list []observation) []string {
	var words []string
	for _, seen := range list {
		words = append(words, x.say(seen))
	}
	slices.Sort(words)
	return words
}

// views is the difference as each party sees it, in order of their names.
func (x *sights) views() []View {
	var list []View
	for _, name := range x.parties {
		v := View{Party: name, In: delta.InHead}
		switch {
		case x.in[0][name] && x.in[1][name]:
			v.In = delta.InBoth
		case x.in[0][name]:
			v.In = delta.InBase
		}
		v.Observed = x.observed(x.party(name))
		list = append(list, v)
	}
	return list
}

// Observable reports each name that none of the drafts has as a party or an event, and which may have
// been meant. While one of them is ill-formed, nobody knows all that it declares.
func Observable(names []string, drafts ...*Draft) error {
	var known []string
	for _, d := range drafts {
		if d.Spec == nil {
			return nil
		}
		x := sightsOf(d, d, naming{})
		known = append(known, x.parties...)
		for _, e := range x.deeds {
			if e.kind == eventDeed {
				known = append(known, e.name)
			}
		}
	}
	var unknown []error
	for _, name := range names {
		if slices.ContainsFunc(known, func(k string) bool { return covers(name, k) }) {
			continue
		}
		hint := ""
		if near := hclspec.Nearest(name, known); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		unknown = append(unknown, fmt.Errorf("there is no party or event %q to observe%s", name, hint))
	}
	return errors.Join(unknown...)
}
