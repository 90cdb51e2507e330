package behaviour

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/hclspec"
)

// This file has the observers. All of them see time pass.

// An Observer reports whether it sees a sight; nil sees all.
type Observer func(s Sight) bool

// sees reports whether the observer sees a sight. An observer of everything sees each norm like the parties to it.
func (o Observer) sees(s Sight) bool {
	if o == nil {
		return len(s.not) == 0
	}
	return o(s)
}

// party returns the observer for a party, which sees what it takes part in. What a party of both drafts takes part in or sees on one side alone, it
// observes on both: otherwise it would seem to be new to the party that it happens at all. See participations.
func (x *Observables) party(name string) Observer {
	at := Positions(x.Parties)[name]
	var shared []int
	if x.in[0][name] && x.in[1][name] {
		shared = x.left(func(party int) bool { return party == at })
	}
	return func(s Sight) bool {
		return s.Action == x.Time && x.Time >= 0 || slices.Contains(s.Who, at) || slices.Contains(shared, s.Action)
	}
}

// byName reports whether an observer sees each action always or never. An event that happens now with one party and now with another is one
// action to an observer of everything, and each party sees it only sometimes.
func (x *Observables) byName(o Observer) bool {
	for i, s := range x.All[:x.plain] { // in order of actions
		if i > 0 && x.All[i-1].Action == s.Action && o.sees(x.All[i-1]) != o.sees(s) {
			return false
		}
	}
	return true
}

// Chosen returns the observer of the events and parties with the given names. The name of several parties or events of one kind means each
// of them. It returns nil, for all, if neither draft has any of them.
func (x *Observables) Chosen(names []string) Observer {
	actions, who := map[int]bool{}, map[int]bool{}
	for _, name := range names {
		for i, d := range x.Actions {
			if d.Kind == EventAction && compile.Covers(name, d.Name) {
				actions[i] = true
			}
		}
		for i, p := range x.Parties {
			if compile.Covers(name, p) {
				who[i] = true
			}
		}
	}
	if len(actions)+len(who) == 0 {
		return nil
	}
	named := func(p int) bool { return who[p] }
	for _, d := range x.left(named) {
		actions[d] = true
	}
	return func(s Sight) bool {
		return actions[s.Action] || s.Action == x.Time && x.Time >= 0 || slices.ContainsFunc(s.Who, named) && !slices.ContainsFunc(s.not, named)
	}
}

// left returns the actions in which some of the parties take part on one side only. They are observed with any participants, so that the
// observations are the same on both sides.
func (x *Observables) left(named func(party int) bool) (list []int) {
	var has, takes [2]map[int]bool
	for side, of := range x.Of {
		has[side], takes[side] = map[int]bool{}, map[int]bool{}
		for _, s := range of {
			d := x.All[s].Action
			has[side][d] = true
			takes[side][d] = takes[side][d] || slices.ContainsFunc(x.All[s].Who, named)
		}
	}
	for d := range x.Actions {
		if has[0][d] && has[1][d] && takes[0][d] != takes[1][d] {
			list = append(list, d)
		}
	}
	return list
}

// observed returns the names of what an observer sees; nil for all.
func (x *Observables) observed(o Observer) []string {
	if o == nil {
		return nil
	}
	list := []string{}
	for _, s := range x.All[:x.plain] { // in order of actions
		if o(s) {
			list = append(list, x.Actions[s.Action].Name)
		}
	}
	return slices.Compact(list)
}

// An aspect is how much of norms is observed.
type aspect uint8

const (
	stepsAlone aspect = iota
	outcomes          // steps alone, and of which outcome they are
	withFates         // the state of each norm without its ticks
	withTicks
	timedFates   // the same as withFates, where no step that changes them is observed by that alone: see comparison.byItself
	untimedBonds // whom each norm binds, which no step changes unless it is observed: see comparison.untimed
	untimedTicks
)

// steps reports whether nothing of norms is observed.
func (as aspect) steps() bool { return as <= outcomes }

// stepAs returns what is observed of a step with a sight.
func (x *Observables) stepAs(s Sight, as aspect) int {
	if as == outcomes {
		return s.way*len(x.Actions) + s.Action
	}
	return s.Action
}

// untimed reports whether a change of the terms of norms alone is no observation.
func (as aspect) untimed() bool { return as >= untimedBonds }

// fates reports whether norms are observed without their ticks.
func (as aspect) fates() bool { return as == withFates || as == timedFates || as == untimedBonds }

// A language numbers what an observer sees in one step: a multiset of actions, or an observation of a norm. Word 0 is nothing.
type language struct {
	relabel []uint32      // by label of the systems
	words   []Observation // by word, its actions, sorted
	groups  []uint32      // by word; nil without norms: see delta.View
	as      aspect
}

// language returns the observation of each label.
func (x *lexicon) language(o Observer, as aspect) language {
	said := make([]Observation, len(x.labels))
	for l, sights := range x.labels {
		said[l] = x.seenBy(o, sights, as)
	}
	words := slices.Clone(said)
	slices.SortFunc(words, slices.Compare[Observation])
	words = slices.CompactFunc(words, slices.Equal[Observation]) // nothing is first
	g := language{relabel: make([]uint32, len(said)), words: words, as: as}
	for l := range said {
		at, _ := slices.BinarySearchFunc(words, said[l], slices.Compare[Observation])
		g.relabel[l] = uint32(at)
		if sights := x.labels[l]; len(said[l]) == 0 && len(sights) > 0 && x.All[sights[0]].Action == glanceAction {
			g.relabel[l] = delta.Dropped
		}
	}
	if !as.steps() {
		for _, w := range words {
			g.groups = append(g.groups, x.group(w, as))
		}
	}
	return g
}

// wait returns the observed label of steps in which time passes and nothing else happens; delta.Silent if there are none.
func (g *language) wait(time int) uint32 {
	if at, seen := slices.BinarySearchFunc(g.words, Observation{time}, slices.Compare[Observation]); seen && g.as.steps() {
		return uint32(at)
	}
	return delta.Silent
}

// seenBy returns the observation of some sights at once. A change of the terms of norms is observed only if nothing else is.
func (x *Observables) seenBy(o Observer, sights []int, as aspect) (said Observation) {
	shifts := false
	for _, i := range sights {
		switch s := x.All[i]; {
		case !x.seen(o, s) || s.Action < 0 && as.steps():
		case s.Action == glanceAction:
			said = append(said, x.glanced(x.termAs(s.term, as)))
		case s.Action < 0:
			shifts = shifts || s.Action == shiftAction || as == withTicks
		default:
			said = append(said, x.stepAs(s, as))
		}
	}
	if shifts && len(said) == 0 {
		return Observation{x.shifted()}
	}
	slices.Sort(said)
	return said
}

// glanced returns the observation of a term. It is a number beyond those of actions.
func (x *Observables) glanced(term int) int { return len(x.Actions) + 1 + term }

// termAs returns the term that stands for another one as far as that is observed: without its ticks or, of those that bind the same, the first.
func (x *Observables) termAs(of int, as aspect) int {
	switch t := x.terms[of]; as {
	case withFates, timedFates:
		return slices.Index(x.terms, term{t.norm, withoutTicks(t.NormState)})
	case untimedBonds:
		return slices.IndexFunc(x.terms, func(o term) bool { return o.norm == t.norm && sameBond(o.NormState, t.NormState) })
	}
	return of
}

// shifted returns the observation of a shift. It is a number beyond those of actions.
func (x *Observables) shifted() int { return len(x.Actions) }

// group returns the number of a word's finding: a shift, a norm, or with fates a term; 0 is no finding.
func (x *Observables) group(word Observation, as aspect) uint32 {
	if len(word) == 0 || word[0] < x.shifted() {
		return 0
	}
	if word[0] == x.shifted() {
		return 1
	}
	if as.fates() {
		return uint32(2 + word[0] - x.glanced(0))
	}
	return uint32(2 + x.terms[word[0]-x.glanced(0)].norm)
}

// say describes an observation to a reader.
func (x *Observables) describe(seen Observation) string {
	var words []string
	for _, d := range seen {
		words = append(words, x.titles[d])
	}
	return strings.Join(words, " + ")
}

func (x *Observables) describeAll(list []Observation) []string {
	var words []string
	for _, seen := range list {
		words = append(words, x.describe(seen))
	}
	slices.Sort(words)
	return words
}

// views returns the views of each party, in order of names.
func (x *Observables) views() []finding.View {
	var list []finding.View
	for _, name := range x.Parties {
		v := finding.View{Party: name, In: diff.InHead}
		switch {
		case x.in[0][name] && x.in[1][name]:
			v.In = diff.InBoth
		case x.in[0][name]:
			v.In = diff.InBase
		}
		v.Observed = x.observed(x.party(name))
		list = append(list, v)
	}
	return list
}

// Observable returns an error for each name that no draft has as a party or an event, with a suggestion. It returns nil if a draft is
// ill-formed, since its names are then not all known.
func Observable(names []string, drafts ...*compile.Draft) error {
	var known []string
	for _, d := range drafts {
		if d.Spec == nil {
			return nil
		}
		x := ObservablesOf(d, d, compile.Naming{})
		known = append(known, x.Parties...)
		for _, e := range x.Actions {
			if e.Kind == EventAction {
				known = append(known, e.Name)
			}
		}
	}
	var unknown []error
	for _, name := range names {
		if slices.ContainsFunc(known, func(k string) bool { return compile.Covers(name, k) }) {
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

// observer returns an observer with the actions as labels.
func (c *comparison) observer(o Observer, as aspect) product.Observer {
	seen := product.Observer{Idle: product.Hidden, Wait: product.Hidden}
	if as.steps() && slices.ContainsFunc(c.All, func(s Sight) bool { return s.Action == c.Time && c.seen(o, s) }) {
		seen.Wait = c.Time
	}
	if c.idle >= 0 {
		seen.Idle = c.idle
	}
	for side, sights := range c.Of {
		for _, s := range sights {
			label := product.Hidden
			if o.sees(c.All[s]) {
				label = c.stepAs(c.All[s], as)
			}
			seen.Labels[side] = append(seen.Labels[side], label)
		}
	}
	if !as.steps() {
		c.watch(&seen, o, as)
	}
	return seen
}

// watch adds observations of norms to an observer.
func (c *comparison) watch(seen *product.Observer, o Observer, as aspect) {
	seen.Group = func(label int) int { return int(c.group(Observation{label}, as)) }
	for side := range c.sides {
		for _, g := range c.glancesOf(side, as) {
			s := c.All[g.sight]
			if !o.sees(s) {
				continue
			}
			seen.Glances[side] = append(seen.Glances[side], product.Glance{Label: c.glanced(s.term), All: g.all, None: g.none})
			if c.terms[s.term].State != "" {
				seen.Watched[side] = append(seen.Watched[side], g.all...)
			}
		}
	}
}
