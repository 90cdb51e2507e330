package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
)

// An inventory lists the elements that a drafter wrote, with what each says about others. It is read back from the compiled contract: the
// instances of a party are one thing, a document's net is its moves, and the variants of a transition are what it requires and sets.
type inventory struct {
	contract *hclspec.Contract
	things   []thing
	named    map[called]int // things by element, parent and name

	parties map[*hclspec.Party]member // parties that a drafter wrote
	owners  map[*hclspec.Place]*hclspec.Party
	norms   map[*hclspec.Party]int    // norms by their nets
	lives   map[int]map[string]bool   // places of the norms' nets, by norm
	numbers map[int]int               // number of instances, by event
	begun   map[*hclspec.Party]string // event by which a phase's net begins
	beside  map[int]int               // the party of an event that has an instance for each of that party
	own     map[int][]int             // things by parent; computed on demand
}

// A thing is an element of a contract, or an instance or label.
type thing struct {
	element Element
	name    string // without its parent's
	parent  int    // -1: none
	clauses []clause
	counts  *counts // for a transition that tests or changes counters
	reads   bool    // for a transition: its source says in read in which states it can happen
	kept    []value // for a transition: places that its source consumes and produces
	parts   int     // number of elements that belong to it
	person  string  // for a party: who plays this role in a phase; empty: itself
	at      hcl.Range
	prose   hclspec.Prose
}

// Two kinds of things are not elements. They are reported with the thing they belong to.
const (
	instance Element = 128 + iota // one instance of a party; its name is the index
	label                         // the name that events use for transitions of a party
)

// A clause is the value of one attribute of a thing.
type clause struct {
	word  string
	value value
	also  value  // its meaning: if that is the same, nothing has changed
	text  string // the value as the source has it; empty: as the value reads
}

// A member is a party, or one instance of it.
type member struct{ party, instance int } // instance -1: the party has none

// A called is a key within which a name is unique.
type called struct {
	element Element
	parent  int
	name    string
}

// take returns the inventory of a contract, in which some parties are one with a role that they play (see playing).
func take(c *hclspec.Contract, as map[string]*hclspec.Party) *inventory {
	in := &inventory{contract: c, named: map[called]int{}, parties: map[*hclspec.Party]member{}, owners: map[*hclspec.Place]*hclspec.Party{},
		norms: map[*hclspec.Party]int{}, lives: map[int]map[string]bool{}, beside: map[int]int{}, numbers: map[int]int{}, begun: map[*hclspec.Party]string{}}
	in.add(thing{element: TheContract, name: c.Name, parent: -1, at: c.Range, prose: c.Prose})
	families := in.declareParties(as)
	in.declareEvents()
	in.declareOthers()
	in.say(0, "firing", literal(c.Firing.String()))
	in.say(0, "tick", literal(c.Tick))
	in.say(0, "start", literal(c.Start))
	in.say(0, "calendar", literal(strings.Join(c.Calendar, ", ")))
	in.say(0, "holidays", literal(strings.Join(c.Holidays, ", ")))
	if c.Ends != nil {
		in.say(0, "ends", several(in.occasions(c.Ends.By)))
	}
	in.final()
	for _, f := range families {
		in.describeParty(f)
	}
	in.describeEvents()
	in.describeDocuments()
	in.describeNorms()
	in.describeRequirements()
	in.describeAcceptances()
	return in
}

// add enters a thing, unless it is there already, and returns its index.
func (in *inventory) add(t thing) int {
	k := called{t.element, t.parent, t.name}
	if i, again := in.named[k]; again {
		return i
	}
	i := len(in.things)
	in.things = append(in.things, t)
	in.named[k] = i
	if t.parent >= 0 && t.element < instance {
		in.things[t.parent].parts++
	}
	return i
}

// find returns the index of a thing, or -1.
func (in *inventory) find(e Element, parent int, name string) int {
	if i, ok := in.named[called{e, parent, name}]; ok {
		return i
	}
	return -1
}

func (in *inventory) say(thing int, word string, v value) {
	in.clause(thing, clause{word: word, value: v})
}

func (in *inventory) clause(thing int, c clause) {
	if !c.value.empty() {
		in.things[thing].clauses = append(in.things[thing].clauses, c)
	}
}

// full returns a name as in reports: seller.ready.
func (in *inventory) full(i int) string {
	t := &in.things[i]
	switch {
	case t.element == Waiver:
		return in.things[t.parent].name
	case t.element == instance:
		return in.things[t.parent].name + "[" + t.name + "]"
	case t.parent >= 0:
		return in.things[t.parent].name + "." + t.name
	}
	return t.name
}

// A family has the parties that one block of a party or net stands for.
type family struct {
	thing   int
	parties []*hclspec.Party
}

// declareParties enters parties, instances, places, transitions and labels.
func (in *inventory) declareParties(as map[string]*hclspec.Party) []*family {
	var all []*family
	at := map[string]*family{}
	for _, p := range in.contract.Parties {
		for _, place := range p.Places {
			in.owners[place] = p
		}
		if p.Made != "" || as[p.Name] != nil {
			continue
		}
		of := cmp.Or(p.Of, p.Name)
		f := at[of]
		if f == nil {
			element := Party
			if p.IsNet {
				element = Net
			}
			f = &family{thing: in.add(thing{element: element, name: of, parent: -1, person: person(p), at: p.Range, prose: p.Prose})}
			at[of], all = f, append(all, f)
		}
		f.parties = append(f.parties, p)
		in.declareMember(f, p)
	}
	for _, p := range in.contract.Parties {
		if role := as[p.Name]; role != nil {
			in.parties[p] = in.parties[role]
			in.named[called{Party, -1, p.Name}] = in.parties[role].party
		}
	}
	return all
}

func (in *inventory) declareMember(f *family, p *hclspec.Party) {
	m := member{f.thing, -1}
	if p.Index != "" {
		m.instance = in.add(thing{element: instance, name: p.Index, parent: f.thing, at: p.Range})
	}
	in.parties[p] = m
	for _, place := range writtenPlaces(p) {
		e, name := elementOf(place)
		in.add(thing{element: e, name: name, parent: f.thing, at: place.Range, prose: place.Prose})
	}
	for _, t := range acting(p) {
		in.add(thing{element: label, name: t.Label, parent: f.thing})
		in.add(thing{element: Transition, name: cmp.Or(t.Of, t.Name), parent: f.thing, at: t.Range, prose: t.Prose})
	}
}

// elementOf returns the kind and the name of the element that a place was compiled from.
func elementOf(p *hclspec.Place) (Element, string) {
	switch p.Kind {
	case hclspec.State:
		return State, p.Name
	case hclspec.FlagTrue, hclspec.FlagFalse:
		return flag, p.Flag
	case hclspec.CounterValue, hclspec.CounterBound:
		return Counter, p.Counter
	}
	return Place, p.Name
}

// declareEvents enters all events except the passing of time.
func (in *inventory) declareEvents() {
	for _, e := range in.contract.Events {
		if e.Moving {
			continue
		}
		i := in.add(thing{element: Event, name: cmp.Or(e.Of, e.Name), parent: -1, at: e.Range, prose: e.Prose})
		in.numbers[i]++
		if _, known := in.beside[i]; !known && e.Name != in.things[i].name {
			in.beside[i] = in.each(e)
		}
		for _, s := range slices.Concat(e.Ways[:min(1, len(e.Ways))]...) { // the phase begins in every way of the event
			if s.Label == "begin" {
				in.begun[s.Party] = e.Name
			}
		}
	}
}

// each returns the party whose instances each have an instance of the event, or -1.
func (in *inventory) each(e *hclspec.Event) int {
	for _, way := range e.Ways {
		for _, s := range way {
			if e.Name == e.Of+"["+s.Party.Index+"]" && s.Party.Index != "" {
				return in.parties[s.Party].party
			}
		}
	}
	return -1
}

// declareOthers enters documents, norms and requirements, so that others can name them.
func (in *inventory) declareOthers() {
	for _, d := range in.contract.Documents {
		in.add(thing{element: Document, name: d.Name, parent: -1, at: d.Range, prose: d.Prose})
	}
	for _, n := range in.contract.Norms {
		prose := n.Prose
		prose.Title = n.WrittenTitle()
		i := in.add(thing{element: NormElement(n.Kind), name: n.Written(), parent: -1, at: n.Range, prose: prose})
		in.norms[n.Net], in.lives[i] = i, map[string]bool{}
		for _, p := range n.Net.Places {
			in.lives[i][p.Name] = true
		}
	}
	for _, r := range in.contract.Requirements {
		in.add(thing{element: Requirement, name: r.Name, parent: -1, at: r.Range, prose: r.Prose})
	}
}

// NormElement returns the element of a kind of norm.
func NormElement(k hclspec.NormKind) Element {
	return normElements[k]
}
