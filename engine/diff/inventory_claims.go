package diff

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec"
)

// describeNorms adds the clauses of norms.
func (in *inventory) describeNorms() {
	for _, n := range in.contract.Norms {
		i := in.norms[n.Net]
		if n.Nth > 1 { // all occurrences have the same
			continue
		}
		for _, term := range n.Terms {
			in.say(i, term.Word, in.term(term))
		}
	}
}

// term returns the value of a norm's attribute, with its names as references.
func (in *inventory) term(t hclspec.Term) value {
	names := strings.Split(t.Value, ", ")
	var all []value
	switch t.Word {
	case "bearer", "counterparty", "to":
		if len(names) == 1 {
			return in.partyNamed(t.Value)
		}
		for _, name := range names {
			all = append(all, in.partyNamed(name))
		}
	case "within", "by", "lasts", "times", "every", "at_most", "repeats", "ends_contract", "survives":
		return literal(t.Value)
	case "before":
		since, lasts, _ := strings.Cut(t.Value, " = ")
		return in.since(strings.Split(since, ", "), lasts)
	case "require":
		return in.required(t.Value)
	case "extends":
		for _, each := range names {
			name, longer, _ := strings.Cut(each, " = ")
			all = append(all, row(in.norm(name), literal(" = "+longer)))
		}
	case "reparation", "lifts", "suspends", "assigns":
		for _, name := range names {
			all = append(all, in.norm(name))
		}
	default:
		inner, all := strings.CutPrefix(t.Value, "all(")
		if !all {
			return several(in.occasions(names))
		}
		return row(literal("all("), several(in.occasions(strings.Split(strings.TrimSuffix(inner, ")"), ", "))), literal(")"))
	}
	return several(all)
}

// dottedName matches the names of states, flags and counters in a condition: seller.delay, purchaser[0].paid.
var dottedName = hclspec.LazyRegexp(`[\pL][\pL\pN_-]*(\[[^\]]+\])?(\.[\pL][\pL\pN_-]*)+`)

// required returns a condition as text with its names as references.
func (in *inventory) required(text string) value {
	v := row()
	at := 0
	for _, m := range dottedName().FindAllStringIndex(text, -1) {
		v.list = append(v.list, literal(text[at:m[0]]), in.atom(text[m[0]:m[1]], nil))
		at = m[1]
	}
	v.list = append(v.list, literal(text[at:]))
	return v
}

func (in *inventory) norm(name string) value {
	for _, e := range normElements {
		if i := in.find(e, -1, name); i >= 0 {
			return naming(i)
		}
	}
	if of, index, indexed := cutIndex(name); indexed {
		if v := in.norm(of); v.ref > 0 {
			return row(v, literal("["+index+"]"))
		}
	}
	return literal(name)
}

// occasions returns values for events and states of norms. All instances of an event together are the event.
func (in *inventory) occasions(names []string) []value {
	given := map[int]int{}
	for _, name := range names {
		if v := in.event(name, nil); v.list != nil {
			given[v.list[0].thing()]++
		}
	}
	var all []value
	for _, name := range names {
		v := in.event(name, nil)
		switch {
		case v.list != nil && given[v.list[0].thing()] == in.instances(v.list[0].thing()):
			all = append(all, v.list[0])
		case v.ref == 0 && v.list == nil:
			at := strings.LastIndexByte(name, '.')
			all = append(all, row(in.norm(name[:max(at, 0)]), literal(name[max(at, 0):])))
		default:
			all = append(all, v)
		}
	}
	return in.once(all)
}

// final adds the final states.
func (in *inventory) final() {
	if f := in.contract.Final; f != nil {
		i := in.add(thing{element: FinalStates, parent: -1, at: f.Range})
		in.clause(i, in.formula("final", f))
	}
}

func (in *inventory) describeRequirements() {
	for _, r := range in.contract.Requirements {
		i := in.find(Requirement, -1, r.Name)
		word := "formula"
		if r.Formula.Scenario != nil {
			word = "scenario"
		}
		in.clause(i, in.formula(word, r.Formula))
		in.say(i, "assuming", several(in.actors(r.Assuming)))
		switch {
		case r.RestsOn == nil:
		case len(r.RestsOn.On) == 0:
			in.say(i, "rests_on", literal("nobody"))
		default:
			in.say(i, "rests_on", several(in.actors(r.RestsOn.On)))
		}
		if w := r.Waiver; w != nil {
			at := in.add(thing{element: Waiver, parent: i, at: w.Range})
			in.say(at, "run", literal(w.Run))
			in.say(at, "expires", literal(w.Expires))
			in.say(at, "approver", literal(w.Approver))
		}
	}
}

// actors returns the parties that are named. All instances of a party together are the party.
func (in *inventory) actors(list []*hclspec.Progress) []value {
	given := map[int][]member{}
	var all []value
	var order []int
	for _, progress := range list {
		for _, p := range progress.Parties {
			m, ok := in.parties[p]
			if !ok && p.Made == "clock" { // time, which is no element
				all = append(all, literal(p.Name))
			}
			if !ok || slices.Contains(given[m.party], m) {
				continue
			}
			if given[m.party] == nil {
				order = append(order, m.party)
			}
			given[m.party] = append(given[m.party], m)
		}
	}
	number := map[int]int{}
	for _, m := range in.parties {
		number[m.party]++
	}
	for _, party := range order {
		if len(given[party]) == number[party] {
			all = append(all, naming(party))
			continue
		}
		for _, m := range given[party] {
			all = append(all, in.party(m))
		}
	}
	return all
}

// describeAcceptances adds accept and retire blocks. The same acceptance twice counts once.
func (in *inventory) describeAcceptances() {
	for _, a := range in.contract.Accepts {
		name := a.Code
		if a.On != "" {
			name += " on " + a.On
		}
		before := len(in.things)
		if i := in.add(thing{element: Acceptance, name: name, parent: -1, at: a.Range}); i == before {
			in.say(i, "code", literal(a.Code))
			in.say(i, "on", in.subject(a.On))
			if a.Run != "" {
				in.say(i, "run", literal(a.Run))
			}
		}
	}
	for _, r := range in.contract.Retires {
		i := in.add(thing{element: Acceptance, name: "retire " + r.Name, parent: -1, at: r.Range})
		in.say(i, "digest", literal(r.Digest))
	}
}

// claims has the words before the names of elements that belong to no party.
var claims = func() map[string][]Element {
	all := map[string][]Element{"event": {Event}, "document": {Document}, "requirement": {Requirement}}
	for _, e := range normElements {
		all[e.String()] = []Element{e}
	}
	return all
}()

// ownElements has the kinds of elements of a party, in the order in which names are looked up.
var ownElements = []Element{State, flag, Counter, Place, Transition}

// subject returns the value of the subject of an acceptance or finding: party.element, event.NAME and the like.
func (in *inventory) subject(on string) value {
	word, name, _ := strings.Cut(on, ".")
	if list, ok := claims[word]; ok && !in.isParty(word) {
		v := literal(name)
		if word == "event" {
			v = in.event(name, nil)
		} else if i := in.find(list[0], -1, name); i >= 0 {
			v = naming(i)
		}
		return row(literal(word+"."), v)
	}
	at := strings.LastIndexByte(on, '.')
	if at < 0 {
		return literal(on)
	}
	m, ok := in.memberNamed(on[:at])
	if !ok {
		return literal(on)
	}
	return row(in.party(m), literal("."), in.element(m.party, on[at+1:]))
}

func (in *inventory) isParty(name string) bool {
	_, ok := in.memberNamed(name)
	return ok
}

// element returns the value of a party's element, or of one of a flag's places.
func (in *inventory) element(party int, name string) value {
	for _, e := range ownElements {
		if i := in.find(e, party, name); i >= 0 {
			return naming(i)
		}
	}
	for _, suffix := range []string{"_T", "_F"} {
		if base, ok := strings.CutSuffix(name, suffix); ok {
			if i := in.find(flag, party, base); i >= 0 {
				return row(naming(i), literal(suffix))
			}
		}
	}
	if i := strings.IndexAny(name, "=!"); i > 0 {
		if c := in.find(Counter, party, name[:i]); c >= 0 {
			return row(naming(c), literal(name[i:]))
		}
	}
	return literal(name)
}
