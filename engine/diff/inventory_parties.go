package diff

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/redlinehq/redline/hclspec"
)

// wait returns the transition by which a net begins, or nil if it does not wait. It is made for a phase that comes after an event, with the place
// that the net waits in, as the last of the net.
func wait(p *hclspec.Party) *hclspec.Transition {
	places, transitions := p.Places, p.Transitions
	if len(places) < 2 || len(transitions) < 2 {
		return nil
	}
	waiting, begin := places[len(places)-2], transitions[len(transitions)-2]
	if waiting.Name != "waiting" || places[len(places)-1].Name != "begun" || begin.Name != "begin" || !begin.Labelled ||
		transitions[len(transitions)-1].Name != "begun" || !slices.Equal(begin.Consume, []*hclspec.Place{waiting}) ||
		waiting.Range != p.Range || begin.Range != p.Range {
		return nil
	}
	return begin
}

// writtenPlaces returns the places of a party that a drafter wrote.
func writtenPlaces(p *hclspec.Party) []*hclspec.Place {
	if begin := wait(p); begin != nil {
		return p.Places[:len(p.Places)-2]
	}
	return p.Places
}

// acting returns the transitions of a party that a drafter wrote.
func acting(p *hclspec.Party) []*hclspec.Transition {
	all := p.Transitions
	if begin := wait(p); begin != nil {
		all = all[:len(all)-2]
	}
	return slices.DeleteFunc(slices.Clone(all), func(t *hclspec.Transition) bool { return t.Made })
}

// describeParty adds the clauses of a party, and of its places and transitions.
func (in *inventory) describeParty(f *family) {
	in.number(f)
	say := &instanceClauses{inventory: in, at: map[clauseKey]int{}}
	for _, p := range f.parties {
		say.who = in.parties[p]
		in.begins(say, f, p)
		in.describePlaces(say, f, p)
		in.describeTransitions(say, f, p)
	}
	say.enter(len(f.parties))
}

// number adds the number or the keys of a party's instances, if it has any.
func (in *inventory) number(f *family) {
	if f.parties[0].Index == "" {
		return
	}
	counted := true
	var keys []value
	for i, p := range f.parties {
		counted = counted && p.Index == strconv.Itoa(i)
		keys = append(keys, literal(p.Index))
	}
	if counted {
		in.say(f.thing, "count", number(len(keys)))
	} else {
		in.say(f.thing, "for_each", several(keys))
	}
}

// begins adds the event that a phase waits for.
func (in *inventory) begins(say *instanceClauses, f *family, p *hclspec.Party) {
	if begin := wait(p); begin != nil {
		say.that(f.thing, "after", in.event(in.begun[p], nil))
	}
}

func (in *inventory) describePlaces(say *instanceClauses, f *family, p *hclspec.Party) {
	marked := map[*hclspec.Place]bool{}
	begin := wait(p)
	for _, place := range writtenPlaces(p) {
		marked[place] = place.Marked || begin != nil && slices.Contains(begin.Produce, place)
	}
	bounds := map[int][2]int{} // of counters
	for _, place := range writtenPlaces(p) {
		e, name := elementOf(place)
		i := in.find(e, f.thing, name)
		switch place.Kind {
		case hclspec.FlagTrue:
			say.whether(i, "initial", marked[place])
		case hclspec.FlagFalse, hclspec.CounterBound:
		case hclspec.CounterValue:
			if marked[place] {
				say.that(i, "initial", number(place.Value))
				say.that(i, "changes", several(in.recounts(place.Changes, p)))
			}
			bounds[i] = place.Bounds
		default:
			say.whether(i, "marked", marked[place])
			say.whether(i, "exposed", place.Exposed)
			say.that(i, "since", several(in.occasions(place.Since)))
			if place.Document != "" {
				say.that(i, "document", in.nameOr(Document, place.Document))
			}
		}
	}
	for _, i := range slices.Sorted(maps.Keys(bounds)) {
		say.that(i, "from", number(bounds[i][0]))
		say.that(i, "to", number(bounds[i][1]))
	}
}

// nameOr returns the value of a thing of the whole contract. An unknown name stays text.
func (in *inventory) nameOr(e Element, name string) value {
	if i := in.find(e, -1, name); i >= 0 {
		return naming(i)
	}
	if v := in.norm(name); v.list != nil && slices.Contains(normElements[:], e) {
		return v
	}
	return literal(name)
}

// An instanceClauses collects the clauses of a party's instances, so that clauses that all have alike are entered once.
type instanceClauses struct {
	*inventory
	who       member
	collected []instanceClause
	at        map[clauseKey]int // in said
}

// A clauseKey is an attribute of a thing.
type clauseKey struct {
	thing int
	word  string
}

// A saying is one attribute of one thing, with the values of all instances that have it.
type instanceClause struct {
	thing int
	clause
	by     []int   // instances
	values []value // of each
}

func (g *instanceClauses) whether(thing int, word string, so bool) {
	if so {
		g.that(thing, word, literal("true"))
	}
}

func (g *instanceClauses) that(thing int, word string, v value) {
	if v.empty() {
		return
	}
	i, again := g.at[clauseKey{thing, word}]
	if !again {
		i = len(g.collected)
		g.at[clauseKey{thing, word}] = i
		g.collected = append(g.collected, instanceClause{thing: thing, clause: clause{word: word}})
	}
	s := &g.collected[i]
	s.by, s.values = append(s.by, g.who.instance), append(s.values, v)
}

// enter adds the clauses: one value if all n instances have the same, else each instance's own.
func (g *instanceClauses) enter(n int) {
	self := strconv.Itoa
	for _, s := range g.collected {
		first := s.values[0].written(self)
		alike := len(s.by) == n && !slices.ContainsFunc(s.values[1:], func(v value) bool { return v.written(self) != first })
		c := s.clause
		c.value = s.values[0]
		if !alike {
			c.value = several(nil)
			for i, v := range s.values {
				c.value.list = append(c.value.list, row(literal("["), naming(s.by[i]), literal("] "), v))
			}
		}
		g.clause(s.thing, c)
	}
}

// describeTransitions adds the clauses of each transition, with its variants taken together.
func (in *inventory) describeTransitions(say *instanceClauses, f *family, p *hclspec.Party) {
	variants := map[int][]*hclspec.Transition{}
	var order []int
	for _, t := range acting(p) {
		i := in.find(Transition, f.thing, cmp.Or(t.Of, t.Name))
		if variants[i] == nil {
			order = append(order, i)
		}
		variants[i] = append(variants[i], t)
	}
	for _, i := range order {
		t := variants[i][0]
		if ok := slices.IndexFunc(variants[i], func(t *hclspec.Transition) bool { return t.Beyond == nil }); ok >= 0 {
			t = variants[i][ok] // a variant that leaves the bounds has no target
		}
		in.moves(say, i, f.thing, t)
		in.things[i].reads, in.things[i].kept = t.Reads, nil
		for _, name := range t.Kept {
			in.things[i].kept = append(in.things[i].kept, naming(in.find(Place, f.thing, name)))
		}
		say.that(i, "label", naming(in.find(label, f.thing, t.Label)))
		if counts := in.counting(variants[i], f.thing, say.who.instance); counts != nil {
			if in.things[i].counts == nil {
				in.things[i].counts = counts
			} else {
				in.things[i].counts.merge(counts)
			}
		}
	}
}

// moves adds the effects of a transition on states, flags and places.
func (in *inventory) moves(say *instanceClauses, i, party int, t *hclspec.Transition) {
	m := &arcs{inventory: in, party: party, words: map[string][]value{}}
	m.states(t)
	m.flags(t)
	for word, list := range map[string][]*hclspec.Place{"consume": t.Consume, "produce": t.Produce, "read": t.Read} {
		for _, p := range list {
			if p.Kind == hclspec.Plain {
				m.words[word] = append(m.words[word], m.place(p))
			}
		}
	}
	for _, word := range arcWords {
		if list := m.words[word]; list != nil {
			say.that(i, word, several(list))
		}
	}
}

// arcWords has the attributes of a transition, in the order of reports.
var arcWords = []string{"from", "to", "consume", "produce", "read", "when", "set"}

// An arcs has the values of a transition's attributes.
type arcs struct {
	*inventory
	party int
	words map[string][]value
}

func (m *arcs) place(p *hclspec.Place) value {
	e, name := elementOf(p)
	return naming(m.find(e, m.party, name))
}

// states adds from and to. A consumed state is in from, a produced one in to, and one that is read in both: see thing.written.
func (m *arcs) states(t *hclspec.Transition) {
	for _, list := range []struct {
		places   []*hclspec.Place
		from, to bool
	}{{t.Consume, true, false}, {t.Produce, false, true}, {t.Read, true, true}} {
		for _, p := range list.places {
			if p.Kind != hclspec.State {
				continue
			}
			if list.from {
				m.words["from"] = append(m.words["from"], m.place(p))
			}
			if list.to {
				m.words["to"] = append(m.words["to"], m.place(p))
			}
		}
	}
}

// flags adds set and when. set changes a flag's value, and when reads it. Other arcs to flags, which no drafter can write, are reported
// like those of places.
func (m *arcs) flags(t *hclspec.Transition) {
	for _, p := range t.Read {
		if isFlag(p) {
			m.words["when"] = append(m.words["when"], m.flag(p, p.Kind == hclspec.FlagTrue))
		}
	}
	for _, p := range t.Produce {
		if !isFlag(p) {
			continue
		}
		if slices.ContainsFunc(t.Consume, func(q *hclspec.Place) bool { return isFlag(q) && q.Flag == p.Flag && q.Kind != p.Kind }) {
			m.words["set"] = append(m.words["set"], m.flag(p, p.Kind == hclspec.FlagTrue))
		} else {
			m.words["produce"] = append(m.words["produce"], m.flag(p, p.Kind == hclspec.FlagTrue))
		}
	}
	for _, p := range t.Consume {
		if isFlag(p) && !slices.ContainsFunc(t.Produce, func(q *hclspec.Place) bool { return isFlag(q) && q.Flag == p.Flag && q.Kind != p.Kind }) {
			m.words["consume"] = append(m.words["consume"], m.flag(p, p.Kind == hclspec.FlagTrue))
		}
	}
}

func isFlag(p *hclspec.Place) bool {
	return p.Kind == hclspec.FlagTrue || p.Kind == hclspec.FlagFalse
}

func (m *arcs) flag(p *hclspec.Place, is bool) value {
	return row(m.place(p), literal(" = "), literal(strconv.FormatBool(is)))
}
