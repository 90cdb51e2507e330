package load

import (
	"cmp"
	"fmt"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// A counter is a whole number within bounds: a place for each value, one of which is marked.
type counter struct {
	name   string
	values []*hclspec.Place       // in ascending order of value, once all are known
	at     map[int]*hclspec.Place // by value
	bound  *hclspec.Place         // nil until a transition needs it
	never  *hclspec.Place         // likewise
	given  bool                   // its bounds come from variables, locals or parameters, or its values from what transitions do
	place  hclspec.Place          // what its values have in common
}

// add adds the place of a value.
func (c *counter) add(value int) {
	p := c.place
	p.Name, p.Value = fmt.Sprintf("%s=%d", c.name, value), value
	c.values, c.at[value] = append(c.values, &p), &p
}

// beyond returns the counter's bound, which is always marked, so that a transition that would leave the bounds can't fire.
func (c *counter) beyond(s *scope) *hclspec.Place {
	if c.bound == nil {
		c.bound = &hclspec.Place{Prose: c.place.Prose, Name: c.name + "!", Kind: hclspec.CounterBound, Counter: c.name, Marked: true, Range: c.place.Range}
		s.party.Places = append(s.party.Places, c.bound)
	}
	return c.bound
}

// impossible returns a place that is never marked, so that what reads it can't happen.
func (c *counter) impossible(s *scope) *hclspec.Place {
	if c.never == nil {
		c.never = &hclspec.Place{Prose: c.place.Prose, Name: c.name + "?", Kind: hclspec.CounterBound, Counter: c.name, Range: c.place.Range}
		s.party.Places = append(s.party.Places, c.never)
	}
	return c.never
}

func indicesOf(scopes []*scope) []string {
	var all []string
	for _, s := range scopes {
		all = append(all, s.party.Index)
	}
	return all
}

// A family is the set of parties of one party or net block: one, or several alike.
type family struct {
	block   *hclsyntax.Block
	many    bool // it has count or for_each, if only for one
	indices []string
	scopes  []*scope // by indices; fewer after a mistake, which every instance would repeat
}

// An instance is one of several: its index and its values in expressions.
type instance struct {
	index string
	self  map[string]cty.Value // count.index or each.key
}

// called returns the name of an instance; a single thing keeps its own.
func (i instance) called(name string) string {
	if i.self == nil {
		return name
	}
	return name + "[" + i.index + "]"
}

// instancesOf returns the instances of scopes.
func instancesOf(scopes []*scope) []instance {
	var all []instance
	for _, s := range scopes {
		all = append(all, s.instance)
	}
	return all
}

// A scope is a party and the names its blocks declare.
type scope struct {
	party       *hclspec.Party
	block       *hclsyntax.Block
	taken       syntax.Names // of states, flags and places
	transitions syntax.Names
	places      map[string]*hclspec.Place // by Place.Name
	flags       map[string]pair
	known       [4][]string // states, flags, plain places, counters, in source order
	counters    map[string]*counter
	labels      map[string]bool
	labelNames  []string
	vague       bool // a label could not be read
	instance    instance
	expansions  []*expansion // the transitions, in source order
	recounts    []*recount   // what changes its counters beside these
}

// A pair is the two places of a flag, one of which is marked.
type pair struct{ yes, no *hclspec.Place }

// Indices of scope.known.
const (
	knownStates = iota
	knownFlags
	knownPlaces
	knownCounters
)

func (s *scope) add(p hclspec.Place, kind int) {
	s.party.Places = append(s.party.Places, &p)
	s.places[p.Name] = &p
	s.known[kind] = append(s.known[kind], p.Name)
}

// kindNames are the plurals of the kinds in scope.known.
var kindNames = [...]string{"states", "flags", "places", "counters"}

// knownOf returns the names of some kinds.
func (s *scope) knownOf(kinds []int) []string {
	var all []string
	for _, kind := range kinds {
		all = append(all, s.known[kind]...)
	}
	return all
}

// otherKind returns a hint for a name of another kind than wanted; empty if the name is unknown.
func (s *scope) otherKind(name string) string {
	if _, ok := s.flags[name]; ok {
		return "It is a flag: test it with when and turn it with set."
	}
	if s.counters[name] != nil {
		return "It is a counter: test it with require and change it with set, or let the counter say what changes it."
	}
	p, ok := s.places[name]
	switch {
	case !ok:
		return ""
	case p.Kind == hclspec.State:
		return "It is a state: move by from and to."
	case p.Kind == hclspec.Plain:
		return "It is a place: use consume, produce and read."
	}
	return fmt.Sprintf("It belongs to flag %q: test it with when and turn it with set.", p.Flag)
}

// kindOf returns what a name of a party stands for, with an article; empty if it is unknown.
func (s *scope) kindOf(name string) string {
	p, transition := s.places[name], s.transitions[name]
	switch {
	case s.flags[name].yes != nil:
		return "a flag"
	case s.counters[name] != nil:
		return "a counter"
	case p != nil && p.Kind == hclspec.State:
		return "a state"
	case p != nil:
		return "a place"
	case transition.Filename != "":
		return "a transition"
	}
	return ""
}

// noTransition says what a name stands for that is expected to be a transition's; empty if it is unknown.
func (s *scope) noTransition(name string) string {
	if what := s.kindOf(name); what != "" {
		return fmt.Sprintf("%s is %s. ", name, what)
	}
	return ""
}

// otherLabel says which label a transition has, if it has one that is not its name. It returns "" for any other name.
func (s *scope) otherLabel(transition string) string {
	for _, t := range s.party.Transitions {
		if cmp.Or(t.Of, t.Name) == transition && t.Labelled && t.Label != transition {
			return fmt.Sprintf("The transition %s has the label %s: write %[2]s.", transition, t.Label)
		}
	}
	return ""
}

func (f pair) place(value bool) *hclspec.Place {
	if value {
		return f.yes
	}
	return f.no
}
