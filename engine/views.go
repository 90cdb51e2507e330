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

// sees reports whether somebody sees a sight. Who sees all sees each norm as those do that have part in it.
func (o observer) sees(s sight) bool {
	if o == nil {
		return len(s.not) == 0
	}
	return o(s)
}

// party is the observer that a party is: it sees what it takes part in.
func (x *sights) party(name string) observer {
	at := positions(x.parties)[name]
	return func(s sight) bool { return s.deed == x.time && x.time >= 0 || slices.Contains(s.who, at) }
}

// byName reports whether an observer sees each deed whoever takes part in it, or never. An event that happens now with this party,
// now with that one, is one deed to who sees all, and only now and then one to each of them.
func (x *sights) byName(o observer) bool {
	for i, s := range x.all[:x.plain] { // in order of deeds
		if i > 0 && x.all[i-1].deed == s.deed && o.sees(x.all[i-1]) != o.sees(s) {
			return false
		}
	}
	return true
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
	named := func(p int) bool { return who[p] }
	for _, d := range x.left(named) {
		deeds[d] = true
	}
	return func(s sight) bool {
		return deeds[s.deed] || s.deed == x.time && x.time >= 0 || slices.ContainsFunc(s.who, named) && !slices.ContainsFunc(s.not, named)
	}
}

// left lists the deeds of both sides in which some of the parties take part on one side, and none of them on the other: they are
// looked at whoever takes part in them, so that what is observed is the same on both sides.
func (x *sights) left(named func(party int) bool) (list []int) {
	var has, takes [2]map[int]bool
	for side, of := range x.of {
		has[side], takes[side] = map[int]bool{}, map[int]bool{}
		for _, s := range of {
			d := x.all[s].deed
			has[side][d] = true
			takes[side][d] = takes[side][d] || slices.ContainsFunc(x.all[s].who, named)
		}
	}
	for d := range x.deeds {
		if has[0][d] && has[1][d] && takes[0][d] != takes[1][d] {
			list = append(list, d)
		}
	}
	return list
}

// observed names what an observer sees; nil: all.
func (x *sights) observed(o observer) []string {
	if o == nil {
		return nil
	}
	list := []string{}
	for _, s := range x.all[:x.plain] { // in order of deeds
		if o(s) {
			list = append(list, x.deeds[s.deed].name)
		}
	}
	return slices.Compact(list)
}

// A language numbers what an observer sees in one step: a multiset of deeds, or something of norms. Word 0 is nothing.
type language struct {
	relabel []uint32      // by label of the systems
	words   []observation // by word, its deeds, sorted
	groups  []uint32      // by word; nil where no norms are looked at: see delta.Asking
}

// language is what an observer sees of each label: of steps alone, or of norms, too.
func (x *lexicon) language(o observer, norms bool) language {
	said := make([]observation, len(x.labels))
	for l, sights := range x.labels {
		said[l] = x.seenBy(o, sights, norms)
	}
	words := slices.Clone(said)
	slices.SortFunc(words, slices.Compare[observation])
	words = slices.CompactFunc(words, slices.Equal[observation]) // nothing is first
	g := language{relabel: make([]uint32, len(said)), words: words}
	for l := range said {
		at, _ := slices.BinarySearchFunc(words, said[l], slices.Compare[observation])
		g.relabel[l] = uint32(at)
		if sights := x.labels[l]; len(said[l]) == 0 && len(sights) > 0 && x.all[sights[0]].deed == glanceDeed {
			g.relabel[l] = delta.Dropped
		}
	}
	if norms {
		for _, w := range words {
			g.groups = append(g.groups, x.group(w))
		}
	}
	return g
}

// seenBy is what an observer sees of some sights at once. That something else is owed is seen where nothing else is.
func (x *sights) seenBy(o observer, sights []int, norms bool) (said observation) {
	shifts := false
	for _, i := range sights {
		switch s := x.all[i]; {
		case !o.sees(s) || s.deed < 0 && !norms:
		case s.deed == glanceDeed:
			said = append(said, x.glanced(s.term))
		case s.deed == shiftDeed:
			shifts = true
		default:
			said = append(said, s.deed)
		}
	}
	if shifts && len(said) == 0 {
		return observation{x.shifted()}
	}
	slices.Sort(said)
	return said
}

// glanced and shifted are what is observed of norms, in numbers beyond those of deeds.
func (x *sights) glanced(term int) int { return len(x.deeds) + 1 + term }
func (x *sights) shifted() int         { return len(x.deeds) }

// group numbers what is one finding: how one norm stands, or that something else is owed; 0 is no finding.
func (x *sights) group(word observation) uint32 {
	if len(word) == 0 || word[0] < x.shifted() {
		return 0
	}
	if word[0] == x.shifted() {
		return 1
	}
	return uint32(2 + x.terms[word[0]-x.glanced(0)].norm)
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
