package diff

import (
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
)

// Names maps the names of one version of a contract to those of the other. It accepts names as in changes (seller.ready, GAC), and as in
// formulas and runs, with the index of an instance (purchaser[0].ready, GAC[1]).
type Names struct {
	*pairing
	reversed bool // from head to base
}

// Head returns the name on head of an element of base. ok is false if base has no such element, or head no longer has it.
func (n *Names) Head(e Element, name string) (string, bool) { return n.forth().element(e, name) }

// Reversed returns the same mapping with base and head exchanged.
func (n *Names) Reversed() *Names {
	return &Names{&pairing{base: n.head, head: n.base, toHead: n.toBase, toBase: n.toHead}, true}
}

// HeadPlace returns the name on head of a place or counter in a formula of base: party.state, party.flag and the places FLAG_T and FLAG_F,
// paid=3, document.holder, norm.owed. ok is false if head has none.
func (n *Names) HeadPlace(name string) (string, bool) { return n.forth().place(name) }

// HeadSubject returns the subject on head of a finding on base: party.element, event.NAME, document.NAME and the like.
func (n *Names) HeadSubject(subject string) (string, bool) {
	w := n.forth()
	return w.say(w.from.subject(subject))
}

// HeadFormula returns a copy of a formula of base in head's names. A name without a counterpart on head stays. A displaced one is replaced
// by a name that head does not have.
func (n *Names) HeadFormula(f *ctl.Formula) *ctl.Formula { return n.forth().formula(f, nil) }

func (n *Names) forth() way {
	w := way{from: n.base, to: n.head, at: n.toHead}
	if n.lost != nil {
		w.lost = n.lost()
	}
	return w
}

// A way maps the names of one side to those of the other.
type way struct {
	from, to *inventory
	at       []int
	lost     map[int]Displaced // things of from
	noting   func(Displaced)   // called for each displaced thing that a formula names; may be nil
	missing  func(thing)       // called for each element that a formula names and the other side lacks; may be nil
}

// say returns a value of one side in the names of the other. It returns false if a name has no counterpart.
func (w way) say(v value) (string, bool) {
	switch {
	case v.ref > 0:
		i := w.at[v.thing()]
		if i < 0 {
			return "", false
		}
		return w.to.things[i].name, true
	case v.list == nil:
		return v.words, true
	}
	var b strings.Builder
	for _, part := range v.list {
		s, ok := w.say(part)
		if !ok {
			return "", false
		}
		b.WriteString(s)
	}
	return b.String(), true
}

// known is like say, for a value that names something. It returns false for plain text.
func (w way) known(v value) (string, bool) {
	named := false
	v.each("", func(string, int) { named = true })
	if s, ok := w.say(v); ok && named {
		return s, true
	}
	return "", false
}

func (w way) element(e Element, name string) (string, bool) {
	switch e {
	case TheContract, FinalStates:
		if i := w.from.find(e, -1, name); i >= 0 && w.at[i] >= 0 {
			return w.to.things[w.at[i]].name, true
		}
		return "", false
	case Party, Net:
		return w.known(w.from.partyNamed(name))
	case Event:
		return w.known(w.from.event(name, nil))
	case Waiver:
		e = Requirement
	case Acceptance:
		if i := w.from.find(e, -1, name); i >= 0 && w.at[i] >= 0 {
			return w.to.things[w.at[i]].name, true
		}
		return "", false
	case State, flag, Counter, Place, Transition:
		at := strings.LastIndexByte(name, '.')
		if at < 0 {
			return "", false
		}
		m, ok := w.from.memberNamed(name[:at])
		i := w.from.find(e, m.party, name[at+1:])
		if !ok || i < 0 {
			return "", false
		}
		return w.say(row(w.from.party(m), literal("."), naming(i)))
	}
	return w.known(w.from.nameOr(e, name))
}

func (w way) place(name string) (string, bool) {
	v := w.from.atom(name, nil)
	if s, ok := w.known(v); ok && len(v.list) == 3 {
		// goods.title.seller: the holder's phase is the document's.
		return w.holder(v, s), true
	} else if ok {
		return s, true
	}
	return "", false
}

// holder removes the phase from the name of a document's holder, or of the party that a norm is borne by or owed to.
func (w way) holder(v value, s string) string {
	of := v.list[0]
	if of.list != nil { // an occurrence of a norm
		of = of.list[0]
	}
	if of.ref == 0 {
		return s
	}
	if e := w.from.things[of.thing()].element; e != Document && !e.OfNorm() {
		return s
	}
	phase, _, dotted := strings.Cut(w.to.things[w.at[of.thing()]].name, ".")
	before, _ := w.say(row(v.list[:2]...))
	if rest, ok := strings.CutPrefix(s, before+phase+"."); dotted && ok {
		return before + rest
	}
	return s
}

// formula returns a copy of a formula in the names of the other side.
func (w way) formula(f *ctl.Formula, bound []variable) *ctl.Formula {
	if f == nil {
		return nil
	}
	if f.Op == ctl.ForAll || f.Op == ctl.ForSome {
		if all := w.ofRounds(f, bound); all != nil {
			return all
		}
	}
	g := *f
	switch {
	case f.Op == ctl.ForAll || f.Op == ctl.ForSome:
		g.Range.Name = w.or(w.from.severalNamed(f.Range.Name), f.Range.Name)
		bound = append(bound[:len(bound):len(bound)], w.from.variable(f))
	case f.Call != nil:
		call := *f.Call
		call.Args = make([]ctl.Ref, len(f.Call.Args))
		for i, e := range f.Call.Args {
			call.Args[i] = e
			call.Args[i].Name = w.or(w.from.argument(f.Call, e.Name, bound), e.Name)
		}
		g.Call, g.Name = &call, call.String()
	case f.Compare != nil:
		g.Compare = f.Compare.Renamed(func(name string) string { return w.or(w.from.atom(name, bound), name) })
		g.Name = g.Compare.String()
	case f.Op == ctl.Atom:
		g.Name = w.or(w.from.atom(f.Name, bound), f.Name)
	}
	g.Left, g.Right = w.formula(f.Left, bound), w.formula(f.Right, bound)
	return &g
}

// or returns a value in the names of the other side, or the name itself if that has none. A displaced name becomes one that the other side
// does not have.
func (w way) or(v value, name string) string {
	if w.displaces(v) || w.endless(v, name) {
		return w.unspoken(name)
	}
	if s, ok := w.say(v); ok {
		if len(v.list) == 3 {
			return w.holder(v, s)
		}
		return s
	}
	if w.to.unchanging(name) { // it would be read as what never comes
		return w.unspoken(name)
	}
	return name
}
