package load

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
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
	if i.index == "" {
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

// madeNet returns a net that the source has not.
func madeNet(kind, name, title string, at hcl.Range) *hclspec.Party {
	return &hclspec.Party{Prose: hclspec.Prose{Title: title}, Name: name, Of: name, IsNet: true, Made: kind, Range: at}
}

// addState adds a state to a made net. The first one is marked.
func addState(net *hclspec.Party, name, title string) *hclspec.Place {
	p := &hclspec.Place{Prose: hclspec.Prose{Title: title}, Name: name, Kind: hclspec.State, Marked: len(net.Places) == 0, Range: net.Range}
	net.Places = append(net.Places, p)
	return p
}

// separate reports whether an event happens with each of several by itself, and is that of the index of this one; the event may be nil.
func (s *scope) separate(e *hclspec.Event) bool {
	return e != nil && e.Name == e.Of+"["+s.party.Index+"]"
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

// without says what to do where a party has no transition at all; empty if it has one.
func (s *scope) without() string {
	switch {
	case len(s.labelNames) > 0:
		return ""
	case s.party.Plays != "":
		return "The role declares none. A role has transitions of its own: those of the party that plays it do not come along. Declare them in the block of the role, or write by instead of sync."
	}
	return "It declares none."
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

// A counter may say itself what changes it: changes = { payment = paid + 1, deliver.breached = 0 }. Such a change is a move of the event: of the
// token of the counter, for each combination of the values of the counters in the new value. So it holds nothing up, and the party need take no
// part in the event.

// A recount is one change of a counter: the expansion computes its new value.
type recount struct {
	*expansion
	key  hclsyntax.Expression // what changes it
	text *hclspec.Comparison  // the new value
}

// counter returns the counter that it changes.
func (r *recount) counter() *counter { return r.changes[0].counter }

// readRecounts reads the new values of the counters of a party. When they take them is read once events and norms are known.
func (l *loader) readRecounts(s *scope) {
	for _, b := range s.block.Body.Blocks {
		attr, given := b.Body.Attributes["changes"]
		of := s.counters[firstLabel(b)]
		if b.Type != "counter" || !given || of == nil {
			continue
		}
		object, ok := attr.Expr.(*hclsyntax.ObjectConsExpr)
		if !ok || len(object.Items) == 0 {
			l.Mistake(diag.NotAReference, attr.Expr.Range(), "Events and new values are expected here, in braces.", fmt.Sprintf("Write changes = { EVENT = %s + 1 }.", of.name))
			continue
		}
		for _, item := range object.Items {
			s.recounts = append(s.recounts, l.readRecount(s, of, item))
		}
	}
}

func (l *loader) readRecount(s *scope, of *counter, item hclsyntax.ObjectConsItem) *recount {
	c := &comparing{trial: newTrial(l, "paid > 0 ? 12 / paid : 0"), own: s, sound: true, text: &hclspec.Comparison{}}
	c.add(of.name, of)
	x := &expansion{trial: c.trial, transition: &hclspec.Transition{Name: of.name, Range: item.ValueExpr.Range()}, what: fmt.Sprintf("The new value of counter %q", of.name)}
	x.arcs = &arcs{loader: l, scope: s}
	r := &recount{expansion: x, text: c.text}
	if key, ok := item.KeyExpr.(*hclsyntax.ObjectConsKeyExpr); ok {
		r.key = key.Wrapped
	}
	if call, ok := item.ValueExpr.(*hclsyntax.FunctionCallExpr); ok && call.Name == choice {
		l.Mistake(diag.UnknownFunction, call.NameRange, "A counter changes to one value: nobody chooses it.", "Let an event for each value change it, or a transition with set, where who takes part chooses.")
		x.failed = true
	}
	to := item.ValueExpr
	if !x.failed {
		to = c.counting(to)
		x.failed = !c.sound
	}
	x.changes = []change{{of, to, nil, item.ValueExpr}}
	if x.fix(); !x.failed {
		c.spell(item.ValueExpr, false)
	}
	return r
}

// together returns scopes in groups: those of which one computes a new value from another's counters are in one. Most are alone.
func together(scopes []*scope) (groups [][]*scope) {
	of, parent := map[*counter]*scope{}, map[*scope]*scope{} // disjoint sets (Tarjan 1975), each with one of them as its first
	for _, s := range scopes {
		parent[s] = s
		for _, c := range s.counters {
			of[c] = s
		}
	}
	first := func(s *scope) *scope {
		for ; parent[s] != s; s = parent[s] {
			parent[s] = parent[parent[s]]
		}
		return s
	}
	for _, s := range scopes {
		for _, r := range s.recounts {
			for _, c := range r.counters {
				if other := of[c]; other != nil {
					parent[first(other)] = first(s)
				}
			}
		}
	}
	at := map[*scope]int{}
	for _, s := range scopes {
		i, known := at[first(s)]
		if !known {
			i = len(groups)
			at[first(s)], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}

// recountIn adds the moves of all changes of counters of a party.
func (l *loader) recountIn(s *scope) {
	earlier := map[*counter][]entry{}
	seen := map[*counter]syntax.Names{}
	for _, r := range s.recounts {
		of := r.counter()
		if seen[of] == nil {
			seen[of] = syntax.Names{}
		}
		list := l.ownOf(s, l.occasionsIn(r.key, false))
		for _, o := range list {
			if !l.comesAbout(o) || !l.Once(seen[of], occasionNames([]occasion{o})[0], o.at) || l.countsItself(s, of, o) {
				r.failed = true
			}
		}
		by := l.entries(list)
		if r.failed || len(by) == 0 || !r.charged(r.transition.Range, r.what, r.changes[0].to) {
			continue
		}
		outcomes := r.outcomes(0)
		if r.failed {
			continue
		}
		for _, p := range of.values {
			p.Changes = append(p.Changes, hclspec.Recount{By: occasionNames(list), To: r.text})
		}
		first := l.minus(by, earlier[of]) // of two at once the first in the text counts
		earlier[of] = append(earlier[of], by...)
		for _, e := range first {
			for _, o := range outcomes {
				l.moveBeyond(r.transition.Range, e.and(o.given...), o.from, o.to, o.beyond)
			}
		}
	}
}

// countsItself reports an occasion on which a transition of the party already changes the counter.
func (l *loader) countsItself(s *scope, of *counter, o occasion) bool {
	for _, e := range l.entries([]occasion{o}) {
		if t := s.movedBy(e.event, func(p *hclspec.Place) bool { return p.Counter == of.name }); t != nil {
			l.Mistake(diag.Contradiction, o.at, fmt.Sprintf("In event %q the transition %q of %q changes counter %q already.", e.event.Name, cmp.Or(t.Of, t.Name), l.called(s), of.name),
				"Drop it here, or drop the transition from the event's sync.")
			return true
		}
	}
	return false
}

// An outcome is where the token of a counter goes while others have some values.
type outcome struct {
	given    []*hclspec.Place
	from, to *hclspec.Place
	beyond   *hclspec.Beyond
}

// alike reports whether two outcomes are of the same value, whatever others are.
func (o outcome) alike(p outcome) bool {
	return o.from == p.from && o.to == p.to && (o.beyond == nil || o.beyond.Value == p.beyond.Value)
}

// outcomes returns what becomes of the counter for the values of counters i and up; the first is the counter itself. It leaves out another that makes
// no difference, and values that stay.
func (r *recount) outcomes(i int) []outcome {
	if i == len(r.counters) {
		return []outcome{r.outcome()}
	}
	var all, before []outcome
	same := i > 0
	for v, place := range r.counters[i].values {
		r.set(i, v)
		rest := r.outcomes(i + 1)
		if r.failed {
			return nil
		}
		same = same && len(rest) == 1 && len(rest[0].given) == 0 && (before == nil || rest[0].alike(before[0]))
		before = rest
		for _, o := range rest {
			if i > 0 {
				o.given = append([]*hclspec.Place{place}, o.given...)
			}
			all = append(all, o)
		}
	}
	if same {
		return before
	}
	if i == 0 {
		all = slices.DeleteFunc(all, func(o outcome) bool { return o.from == o.to })
	}
	return all
}

// outcome returns what becomes of the counter with the values under way.
func (r *recount) outcome() outcome {
	of := r.counter()
	o := outcome{from: of.at[r.values[0]]}
	value := r.result(r.changes[0], r.changes[0].to)
	if o.to = of.at[value]; o.to == nil {
		o.to = of.beyond(r.scope)
		o.beyond = &hclspec.Beyond{Counter: of.name, Value: value, Range: r.transition.Range}
	}
	return o
}
