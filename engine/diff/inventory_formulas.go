package diff

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// formula returns a clause that is compared as a tree and printed in the notation of its author.
func (in *inventory) formula(word string, f *hclspec.Formula) clause {
	said, diag := phrase.ParseAsWritten(f)
	if diag != nil {
		return clause{word: word, value: row(literal(f.Notation.String()), literal(f.Text)), text: f.Text}
	}
	text := said.CTL()
	if f.Notation == hclspec.Table1 {
		text = said.Table1()
	}
	if f.Pattern != nil {
		text = phrase.PatternAttributes(f)
	}
	if f.Ideal {
		text += ", over ideal runs"
	}
	if f.Scenario != nil {
		text = expected(f)
	}
	tree, _ := phrase.Parse(f)
	v := row()
	in.tokens(&v.list, tree, nil)
	if f.Ideal && asksOfRuns(said) {
		v.list = append(v.list, literal("ideal")) // before(a, b) is rewritten only once it is known what it means
	}
	return clause{word: word, value: v, text: text}
}

// expected returns the steps of a scenario and what is expected of them.
func expected(f *hclspec.Formula) string {
	s := f.Scenario
	switch s.Expect {
	case hclspec.ExpectBreach:
		return s.String() + ": breach of " + s.Party
	case hclspec.ExpectEnds:
		return s.String() + ": ends with " + f.Text
	}
	return s.String() + ": " + s.Expect.String()
}

// asksOfRuns reports whether a formula has an atom about runs, before(a, b).
func asksOfRuns(f *ctl.Formula) bool {
	for atom := range f.Atoms() {
		if atom.Call != nil && atom.Call.Function == "before" {
			return true
		}
	}
	return false
}

// tokens appends a tree in prefix order.
func (in *inventory) tokens(list *[]value, f *ctl.Formula, bound []variable) {
	if f == nil {
		return
	}
	*list = append(*list, number(int(f.Op)))
	switch {
	case f.Op == ctl.ForAll || f.Op == ctl.ForSome:
		over, v := in.severalNamed(f.Range.Name), in.variable(f)
		if rounds := in.contract.Rounds[f.Range.Name]; len(rounds) > 0 {
			over, v.round = literal("rounds"), rounds[0] // which phase it is, is said by what it is about
		}
		*list = append(*list, literal(f.Name), over)
		bound = append(slices.Clip(bound), v)
	case f.Call != nil:
		*list = append(*list, literal(f.Call.Function))
		for _, e := range f.Call.Args {
			*list = append(*list, in.argument(f.Call, e.Name, bound))
		}
	case f.Compare != nil:
		*list = append(*list, in.compared(f.Compare, bound)...)
	case f.Op == ctl.Atom:
		*list = append(*list, plainFlag(in.atom(f.Name, bound)))
	}
	in.tokens(list, f.Left, bound)
	in.tokens(list, f.Right, bound)
}

// compared returns the values of a comparison.
func (in *inventory) compared(c *ctl.Comparison, bound []variable) []value {
	if of, n, plain := c.Plain(); plain {
		return []value{in.atom(of.Name, bound), literal(c.Sign), number(n)}
	}
	amount := func(a ctl.Amount) value {
		all := row(number(a.Number))
		for _, t := range a.Terms {
			all.list = append(all.list, number(t.Times), in.atom(t.Of.Name, bound))
		}
		return all
	}
	return []value{amount(c.Left), literal(c.Sign), amount(c.Right)}
}

// argument returns the value of an argument of a call: an event or, of in_breach, a party.
func (in *inventory) argument(c *ctl.Call, name string, bound []variable) value {
	if v, first := inRound(name, bound); v != "" {
		return row(literal(v+"."), in.argument(c, first, bound))
	}
	switch c.Function {
	case phrase.InBreach:
		return in.partyNamed(name)
	case phrase.Fulfilled:
		return in.norm(name)
	}
	return in.event(name, bound)
}

// severalNamed returns the value of the party or norm over whose instances a quantifier ranges.
func (in *inventory) severalNamed(name string) value {
	if v := in.partyNamed(name); v.ref > 0 {
		return v
	}
	return in.norm(name)
}

// A variable is a bound variable of a quantifier, with the party or norm over whose instances it ranges; -1: none.
type variable struct {
	name  string
	party int
	round string // over the rounds of a phase, the first; else empty
}

func (in *inventory) variable(f *ctl.Formula) variable {
	several := in.severalNamed(f.Range.Name)
	if several.ref == 0 {
		return variable{name: f.Name, party: -1}
	}
	return variable{name: f.Name, party: several.thing()}
}

// inRound returns a name with the first round in place of a variable that stands for rounds, and the variable; "" for any other name.
func inRound(name string, bound []variable) (variable, first string) {
	word, rest, dotted := strings.Cut(name, ".")
	for _, v := range slices.Backward(bound) {
		if v.name == word && dotted && v.round != "" {
			return word, v.round + "." + rest
		} else if v.name == word {
			break
		}
	}
	return "", ""
}

func binds(bound []variable, name string) bool {
	return slices.ContainsFunc(bound, func(v variable) bool { return v.name == name })
}

// atom returns the value of a place's name in a formula.
func (in *inventory) atom(name string, bound []variable) value {
	if v, first := inRound(name, bound); v != "" {
		return row(literal(v+"."), in.atom(first, bound))
	}
	first, rest, _ := strings.Cut(name, ".")
	for _, v := range slices.Backward(bound) {
		if v.name == first && v.party >= 0 {
			return row(literal(first+"."), in.element(v.party, rest))
		}
	}
	for at := strings.LastIndexByte(name, '.'); at > 0; at = strings.LastIndexByte(name[:at], '.') {
		net, rest := name[:at], name[at+1:]
		if v, ok := in.placeOf(net, rest, bound); ok {
			return v
		}
	}
	return literal(name)
}

// placeOf returns the value of a place of a net, or of a document's holder. It returns false if there is none.
func (in *inventory) placeOf(net, rest string, bound []variable) (value, bool) {
	if m, ok := in.memberNamed(net); ok {
		v := in.element(m.party, rest)
		known := v.ref > 0 || v.list != nil || rest == "waiting" || rest == "begun" // the last two are made
		return row(in.party(m), literal("."), v), known
	}
	if of, index, indexed := cutIndex(net); indexed && binds(bound, index) {
		if m, ok := in.memberNamed(of); ok {
			return row(naming(m.party), literal("["+index+"]"), literal("."), in.element(m.party, rest)), true
		}
	}
	if v := in.norm(net); v.ref > 0 || v.list != nil {
		i := v.thing()
		if v.list != nil {
			i = v.list[0].thing()
		}
		for _, held := range []string{hclspec.BorneBy, hclspec.OwedTo} {
			if who, is := strings.CutPrefix(rest, held); is {
				return row(v, literal("."+held), in.holder(net, who)), true
			}
		}
		if in.hasState(i, rest) {
			return row(v, literal("."+rest)), true
		}
	}
	if i := in.find(Document, -1, net); i >= 0 {
		return row(naming(i), literal("."), in.holder(net, rest)), true
	}
	return value{}, false
}

// plainFlag replaces seller.GAV_T by seller.GAV, another name of the same place.
func plainFlag(v value) value {
	if len(v.list) < 2 {
		return v
	}
	last := len(v.list) - 1
	if flag := v.list[last].list; len(flag) == 2 && flag[1].words == "_T" {
		return row(append(slices.Clone(v.list[:last]), flag[0])...)
	}
	return v
}

// holder returns the value of a document's holder, as formulas name it.
func (in *inventory) holder(document, name string) value {
	if phase, _, ok := strings.Cut(document, "."); ok {
		if m, ok := in.memberNamed(phase + "." + name); ok {
			return in.party(m)
		}
	}
	return in.partyNamed(name)
}

// hasState reports whether formulas may ask for a state of a norm. That an obligation is suspended they may ask where nothing suspends it, too.
func (in *inventory) hasState(norm int, place string) bool {
	return in.lives[norm][place] || place == construct.Suspended && in.things[norm].element == Obligation
}

// unchanging reports whether a name stands for what this contract has no place for: another holder of a document, say, or that an obligation is suspended.
func (in *inventory) unchanging(name string) bool {
	at := max(strings.LastIndexByte(name, '.'), 0)
	of, own := name[:at], strings.TrimPrefix(name[at:], ".")
	v := in.norm(of)
	switch {
	case v.ref > 0:
		return !in.lives[v.thing()][own]
	case v.list != nil:
		return !in.lives[v.list[0].thing()][own]
	}
	return of == "contract" || in.find(Document, -1, of) >= 0
}
