package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec"
)

// describeEvents adds who takes part in each event, and its conditions. Its effects on norms and clocks are clauses of those.
func (in *inventory) describeEvents() {
	instances := map[int][]*hclspec.Event{}
	var order []int
	for _, e := range in.contract.Events {
		if i := in.find(Event, -1, cmp.Or(e.Of, e.Name)); i >= 0 && !e.Moving {
			if instances[i] == nil {
				order = append(order, i)
			}
			instances[i] = append(instances[i], e)
		}
	}
	last := -1 // of those that happen by themselves
	for _, i := range order {
		in.sync(i, instances[i])
		in.conditions(i, instances[i][0])
		if instances[i][0].Due == nil {
			continue
		}
		if last >= 0 {
			in.say(i, "due_after", naming(last))
		}
		last = i
	}
}

// sync adds the participants of an event: as in the source, and as they were compiled.
func (in *inventory) sync(i int, instances []*hclspec.Event) {
	var ways []value
	for _, e := range instances {
		one := several(nil)
		one.join = " or "
		for _, way := range e.Ways {
			one.list = append(one.list, in.way(way))
		}
		if e.Name == in.things[i].name {
			ways = append(ways, one)
		} else {
			ways = append(ways, row(literal("["), in.index(i, e.Name), literal("] "), one))
		}
	}
	compiled := several(ways)
	by, sync := in.parts(instances[0])
	if len(by) > 0 {
		in.clause(i, clause{word: "by", value: several(by), also: compiled})
		if !happensOnce(instances[0]) {
			in.say(i, "repeats", literal("true"))
		}
	}
	switch {
	case len(sync) > 0:
		in.clause(i, clause{word: "sync", value: several(sync), also: compiled})
	case len(by) == 0:
		in.clause(i, clause{word: "sync", value: compiled})
	}
}

// happensOnce reports whether an event that says who does it happens once only.
func happensOnce(e *hclspec.Event) bool {
	return slices.ContainsFunc(slices.Concat(e.Ways...), func(s hclspec.Sync) bool { return s.Party.Made == "event" })
}

func (in *inventory) way(way []hclspec.Sync) value {
	var all []value
	for _, s := range way {
		if m, written := in.parties[s.Party]; written {
			all = append(all, row(in.party(m), literal(" = "), in.label(m.party, s.Label)))
		}
	}
	return several(all)
}

// parts returns who does an event, and who takes part by a transition, as the source has them.
func (in *inventory) parts(e *hclspec.Event) (by, sync []value) {
	for _, p := range e.Parts {
		who := in.partyNamed(p.Party)
		for _, or := range p.Or {
			who = row(who, literal(", "), in.partyNamed(or))
		}
		if p.Label == "" {
			by = append(by, named(p.How, who))
			continue
		}
		with := literal(p.Label)
		if m, ok := in.memberNamed(p.Party); ok {
			with = in.label(m.party, p.Label)
		}
		if p.How != "" {
			with = row(literal(p.How+"("), with, literal(")"))
		}
		sync = append(sync, row(who, literal(" = "), with))
	}
	return by, sync
}

// named returns the value of those of several that take part: each(purchaser).
func named(how string, who value) value {
	if how == "" {
		return who
	}
	return row(literal(how+"("), who, literal(")"))
}

func (in *inventory) label(party int, name string) value {
	if i := in.find(label, party, name); i >= 0 {
		return naming(i)
	}
	return literal(name)
}

// party returns the value of a party or of one of its instances.
func (in *inventory) party(m member) value {
	if m.instance < 0 {
		return naming(m.party)
	}
	return row(naming(m.party), literal("["), naming(m.instance), literal("]"))
}

// memberNamed returns the party or instance of a name.
func (in *inventory) memberNamed(name string) (member, bool) {
	of, index, indexed := cutIndex(name)
	i := in.find(Party, -1, of)
	if i < 0 {
		i = in.find(Net, -1, of)
	}
	if i < 0 || !indexed {
		return member{i, -1}, i >= 0
	}
	at := in.find(instance, i, index)
	return member{i, at}, at >= 0
}

// cutIndex splits a name such as purchaser[0] into party and index.
func cutIndex(name string) (of, index string, indexed bool) {
	of, rest, indexed := strings.Cut(name, "[")
	index, closed := strings.CutSuffix(rest, "]")
	if !indexed || !closed {
		return name, "", false
	}
	return of, index, true
}

// partyNamed returns the value of a party's name.
func (in *inventory) partyNamed(name string) value {
	if m, ok := in.memberNamed(name); ok {
		return in.party(m)
	}
	return literal(name)
}

// event returns the value of an event's name, which may have an index: delivery[0].
func (in *inventory) event(name string, bound []variable) value {
	if i := in.find(Event, -1, name); i >= 0 {
		return naming(i)
	}
	of, index, indexed := cutIndex(name)
	i := in.find(Event, -1, of)
	switch {
	case i < 0 || !indexed:
		return literal(name)
	case binds(bound, index):
		return row(naming(i), literal("["+index+"]"))
	}
	return row(naming(i), literal("["), in.index(i, name), literal("]"))
}

// index returns the value of the party's instance that an event's instance belongs to.
func (in *inventory) index(event int, name string) value {
	_, index, _ := cutIndex(name)
	if party, ok := in.beside[event]; ok && party >= 0 {
		if i := in.find(instance, party, index); i >= 0 {
			return naming(i)
		}
	}
	return literal(index)
}

// conditions adds the conditions of an event: how parties and norms have to be, and the time since other events.
func (in *inventory) conditions(i int, e *hclspec.Event) {
	words, meant := map[string][]value{}, map[string][]value{}
	needs := e.Needs
	if e.Due != nil {
		needs = e.Due.While
		for _, timer := range e.Due.Timers {
			words["after"], meant["after"] = append(words["after"], in.timed(timer)), append(meant["after"], in.ticking(timer))
		}
	}
	for _, need := range needs {
		p := need.Places()[0]
		net := in.owners[p]
		if net == nil {
			continue
		}
		word, said := "only_while", in.condition(e, need)
		means := said
		if net.Made == "clock" {
			word, said, means = map[string]string{"over": "not_before", "running": "within"}[p.Name], in.timed(net), in.ticking(net)
		}
		words[word], meant[word] = append(words[word], said), append(meant[word], means)
	}
	for _, word := range []string{"only_while", "after", "not_before", "within"} {
		in.clause(i, clause{word: word, value: several(in.once(words[word])), also: several(in.once(meant[word]))})
	}
}

// ticking returns the meaning of a timer: that of two times after the same, of which one is written "2 months" and the other "60 days", is one.
func (in *inventory) ticking(timer *hclspec.Party) value {
	if len(timer.Since) == 0 {
		return literal(timer.Lasts)
	}
	return in.since(timer.Since, fmt.Sprint(len(timer.Places)))
}

// timed returns the value of a timer: delivery = 3, any(delivery, deliver.breached) = 3.
// Of one that runs until a day, the day.
func (in *inventory) timed(timer *hclspec.Party) value {
	if len(timer.Since) == 0 {
		return literal(timer.Lasts)
	}
	return in.since(timer.Since, timer.Lasts)
}

// since returns the value of a time from any of some events and changes of norms, or before any of them.
func (in *inventory) since(names []string, lasts string) value {
	return row(in.moment(names), literal(" = "+lasts))
}

// moment returns the value of one of some events and changes of norms, whichever comes.
func (in *inventory) moment(names []string) value {
	since := in.occasions(names)
	if len(since) == 1 {
		return since[0]
	}
	return row(literal("any("), several(since), literal(")"))
}

// condition returns the value of a condition of an event: pay.owed, any(buyer.waiting, !buyer.LATE).
func (in *inventory) condition(e *hclspec.Event, need hclspec.Need) value {
	var all []value
	var single []*hclspec.Place
	for i, a := range need {
		switch {
		case a.By == nil:
			single = append(single, a.Places...)
		case i == 0 || need[i-1].By != a.By:
			all = append(all, in.comparison(e, a.By))
		}
	}
	grouped := map[string]bool{}
	for _, p := range single {
		net := in.owners[p]
		if of := in.occurrence(net); of != nil && in.everyOccurrence(of, p, single) {
			all = append(all, row(in.norm(of.Of), literal("."+p.Name)))
			continue
		}
		key := fmt.Sprintf("%s %s %d", net.Name, p.Counter, p.Kind)
		switch p.Kind {
		case hclspec.FlagTrue:
			all = append(all, in.standing(e, p))
		case hclspec.FlagFalse:
			all = append(all, row(literal("!"), in.standing(e, p)))
		default:
			if !grouped[key] {
				all = append(all, in.among(e, p, single)...)
			}
			grouped[key] = true
		}
	}
	if all = in.once(all); len(all) == 1 {
		return all[0]
	}
	return row(literal("any("), several(all), literal(")"))
}

// occurrence returns the norm of a net, if it is one of several occurrences; else nil.
func (in *inventory) occurrence(net *hclspec.Party) *hclspec.Norm {
	for _, n := range in.contract.Norms {
		if n.Net == net && n.Nth > 0 {
			return n
		}
	}
	return nil
}

// everyOccurrence reports whether a state of an occurrence is among some places with the same state of each other occurrence.
func (in *inventory) everyOccurrence(of *hclspec.Norm, state *hclspec.Place, among []*hclspec.Place) bool {
	return !slices.ContainsFunc(in.contract.Norms, func(n *hclspec.Norm) bool {
		return n.Of == of.Of && !slices.ContainsFunc(among, func(p *hclspec.Place) bool { return in.owners[p] == n.Net && p.Name == state.Name })
	})
}

// comparison returns the value of a condition on several counters, as it is written.
func (in *inventory) comparison(e *hclspec.Event, by *hclspec.Comparison) value {
	all := row(literal(by.Text[0]))
	for i, p := range by.Counters {
		all.list = append(all.list, in.standing(e, p), literal(by.Text[i+1]))
	}
	return all
}

// recounts returns the values of what changes a counter, as it is written: the party's own counters without its name.
func (in *inventory) recounts(list []hclspec.Recount, own *hclspec.Party) []value {
	var all []value
	for _, r := range list {
		one := row(in.moment(r.By), literal(" = "), literal(r.To.Text[0]))
		for i, p := range r.To.Counters {
			name := in.standing(nil, p)
			if in.owners[p] == own {
				name = naming(in.find(Counter, in.parties[own].party, p.Counter))
			}
			one.list = append(one.list, name, literal(r.To.Text[i+1]))
		}
		all = append(all, one)
	}
	return all
}

// standing returns the value of a place in a condition: buyer.waiting, pay.owed.
func (in *inventory) standing(e *hclspec.Event, p *hclspec.Place) value {
	net := in.owners[p]
	m, written := in.parties[net]
	if !written {
		if v, known := in.placeOf(net.Name, p.Name, nil); known {
			return v
		}
		return literal(net.Name + "." + p.Name)
	}
	element, name := elementOf(p)
	if i := in.find(element, m.party, name); i >= 0 {
		return row(in.ownOr(e, net), literal("."), naming(i))
	}
	return row(in.ownOr(e, net), literal("."+name))
}

// among returns the values of conditions on the state of a net, or on a counter: those that a condition offers, or what it excludes if that is
// one thing, or the bound of a counter.
func (in *inventory) among(e *hclspec.Event, like *hclspec.Place, need []*hclspec.Place) []value {
	var some, others []*hclspec.Place
	for _, p := range in.owners[like].Places {
		if p.Kind == like.Kind && p.Counter == like.Counter {
			if slices.Contains(need, p) {
				some = append(some, p)
			} else {
				others = append(others, p)
			}
		}
	}
	if event, made := memorised(in.owners[like]); made && len(some) == 1 {
		not := ""
		if some[0].Marked {
			not = "!"
		}
		return []value{row(literal(not+"happened("), in.event(event, nil), literal(")"))}
	}
	counts := like.Kind == hclspec.CounterValue
	compared := func(op string, p *hclspec.Place) []value {
		return []value{row(in.standing(e, p), literal(fmt.Sprintf(" %s %d", op, p.Value)))}
	}
	switch { // values of counters ascend
	case len(some) > 1 && len(others) > 0 && counts && others[len(others)-1].Value < some[0].Value:
		return compared(">=", some[0])
	case len(some) > 1 && counts && (len(others) == 0 || others[0].Value > some[len(some)-1].Value):
		return compared("<=", some[len(some)-1])
	case len(some) > 1 && len(others) == 1 && counts:
		return compared("!=", others[0])
	case len(some) > 1 && len(others) == 1:
		return []value{row(literal("!"), in.standing(e, others[0]))}
	}
	var all []value
	for _, p := range some {
		if counts {
			all = append(all, compared("==", p)...)
		} else {
			all = append(all, in.standing(e, p))
		}
	}
	return all
}

// memorised returns the event of a net that says whether it has happened.
func memorised(net *hclspec.Party) (event string, ok bool) {
	if net.Made != "event" {
		return "", false
	}
	event, _, ok = strings.Cut(net.Name, "!")
	return event, ok
}

// ownOr returns the value of a party in a condition of an event: without an index if the event happens with each of several, and this is the
// one that it happens with.
func (in *inventory) ownOr(e *hclspec.Event, net *hclspec.Party) value {
	m := in.parties[net]
	if m.instance >= 0 && e != nil && e.Name == e.Of+"["+net.Index+"]" {
		return naming(m.party)
	}
	return in.party(m)
}

// once sorts values and drops duplicates, in place.
func (in *inventory) once(list []value) []value {
	slices.SortStableFunc(list, func(a, b value) int { return strings.Compare(in.text(a), in.text(b)) })
	return slices.CompactFunc(list, func(a, b value) bool { return in.text(a) == in.text(b) })
}

// describeDocuments adds the first holder of each document and the events that move it, unless places hold it.
func (in *inventory) describeDocuments() {
	for _, p := range in.contract.Parties {
		i := in.find(Document, -1, p.Name)
		if p.Made != "document" || i < 0 {
			continue
		}
		for _, place := range p.Places {
			if place.Marked && place.Holder != "" {
				in.say(i, "holder", in.partyNamed(place.Holder))
			}
		}
		in.say(i, "moves", several(in.transfers(p)))
	}
}

// transfers returns the moves of a document. The moves by all instances of an event are one if the document goes to or from the event's own
// party.
func (in *inventory) transfers(net *hclspec.Party) []value {
	type alike struct {
		said  value
		event int
		of    []value // what is said of each instance
	}
	groups := map[string]*alike{}
	var order []string
	for _, t := range net.Transitions {
		from, to := t.Consume[0].Holder, t.Produce[0].Holder
		event := in.event(cmp.Or(t.Of, t.Name), nil)
		g := alike{event: -1, said: transfer(event, in.partyNamed(from), in.partyNamed(to))}
		if len(event.list) > 0 && event.list[0].ref > 0 {
			g.event = event.list[0].thing()
			g.of = []value{g.said}
			_, index, _ := cutIndex(cmp.Or(t.Of, t.Name))
			g.said = transfer(naming(g.event), in.itself(from, index), in.itself(to, index))
		}
		key := in.text(g.said)
		if groups[key] == nil {
			groups[key], order = &g, append(order, key)
		} else {
			groups[key].of = append(groups[key].of, g.of...)
		}
	}
	var all []value
	for _, key := range order {
		if g := groups[key]; g.event < 0 || len(g.of) == in.instances(g.event) {
			all = append(all, g.said)
		} else {
			all = append(all, g.of...)
		}
	}
	return all
}

func transfer(event, from, to value) value {
	said := row(event)
	if !from.empty() {
		said.list = append(said.list, literal(" from "), from)
	}
	if !to.empty() {
		said.list = append(said.list, literal(" to "), to)
	}
	return said
}

// itself returns the value of a party's name. The instance with the event's own index is written as [*].
func (in *inventory) itself(name, index string) value {
	if of, at, indexed := cutIndex(name); indexed && at == index {
		if m, ok := in.memberNamed(of); ok {
			return row(naming(m.party), literal("[*]"))
		}
	}
	return in.partyNamed(name)
}

// instances returns the number of instances of an event.
func (in *inventory) instances(event int) int { return in.numbers[event] }
