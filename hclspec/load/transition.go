package load

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// connectParties reads the transitions and what changes counters, party by party. The transitions are expanded once all values of counters are known.
func (l *loader) connectParties() {
	var scopes []*scope
	each := func(do func(*scope)) {
		l.everyScope(func(s *scope) {
			l.Owner = l.called(s)
			defer func() { l.Owner = "" }()
			do(s)
		})
	}
	each(func(s *scope) {
		l.connectParty(s)
		scopes = append(scopes, s)
	})
	for _, some := range together(scopes) {
		l.fillCounters(some)
	}
	each(func(s *scope) {
		for _, c := range s.expansions {
			if c.trial == nil {
				s.party.Transitions = append(s.party.Transitions, c.transition)
			} else {
				s.party.Transitions = append(s.party.Transitions, c.expand()...)
			}
		}
	})
}

func (l *loader) connectParty(s *scope) {
	for _, b := range s.block.Body.Blocks {
		if b.Type == "transition" && l.declareOwn(s.transitions, b) {
			s.expansions = append(s.expansions, l.declareTransition(s, b))
		}
	}
	l.readRecounts(s)
}

// declareTransition reads one transition. It has a trial if it has to do with counters, and no mistake.
func (l *loader) declareTransition(s *scope, b *hclsyntax.Block) *expansion {
	t := &hclspec.Transition{Prose: l.Prose(b.Body), Name: b.Labels[0], Label: b.Labels[0], Range: syntax.HeaderRange(b)}
	l.label(s, t, b.Body)
	before := len(l.Diags)
	a := &arcs{loader: l, scope: s}
	for _, attr := range syntax.SortedAttributes(b.Body.Attributes) {
		a.attribute(attr)
	}
	a.ends(b)
	sound := len(l.Diags) == before && !a.vague // one mistake, one message
	if sound {
		a.connect(t)
	}
	if len(l.Diags) == before && !a.vague && !l.Excused[b.Body] && len(t.Consume)+len(t.Produce)+len(t.Read) == 0 && !a.counts() {
		l.Mistake(diag.NoArcs, t.Range, fmt.Sprintf("Transition %q of %s %q does nothing.", t.Name, s.block.Type, l.called(s)),
			"Give it from and to, set, when, consume, produce, read or require.")
	}
	t.Terms = a.terms()
	if sound && a.counts() {
		return a.expansion(t)
	}
	return &expansion{transition: t}
}

// terms returns the conditions and changes of counters, spelled canonically.
func (a *arcs) terms() []hclspec.Term {
	var all []hclspec.Term
	if a.require != nil {
		all = append(all, hclspec.Term{Word: "require", Value: a.filledIn(a.require)})
	}
	for _, c := range a.changes {
		all = append(all, hclspec.Term{Word: "set", Value: c.counter.name + " = " + a.filledIn(c.written)})
	}
	return all
}

func (l *loader) label(s *scope, t *hclspec.Transition, body *hclsyntax.Body) {
	if attr, given := body.Attributes["label"]; given {
		name, r, ok := l.Reference(attr.Expr, "a label")
		if !ok || !l.ValidName("label", name, r) {
			s.vague = true
			return
		}
		t.Label, t.Labelled = name, true
	}
	if !s.labels[t.Label] {
		s.labels[t.Label] = true
		s.labelNames = append(s.labelNames, t.Label)
	}
}

// A mention is a place, or a place of a flag, in an attribute of a transition.
type mention struct {
	place *hclspec.Place
	at    hcl.Range
}

// arcs collects the attributes of one transition, in source order.
type arcs struct {
	*loader
	scope                  *scope
	consume, produce, read []mention
	require                hclsyntax.Expression // over counters; may be nil
	changes                []change             // of counters
	tested                 int                  // flags in when
	vague                  bool                 // something could not be read
}

func (a *arcs) attribute(attr *hclsyntax.Attribute) {
	switch attr.Name {
	case "from":
		a.state(&a.consume, attr.Expr)
	case "to":
		a.state(&a.produce, attr.Expr)
	case "when":
		a.each(attr, func(f pair, value bool, r hcl.Range) {
			a.read, a.tested = append(a.read, mention{f.place(value), r}), a.tested+1
		})
	case "set":
		a.turns(attr)
	case "require":
		a.require = attr.Expr
	case "consume":
		a.list(&a.consume, attr.Expr, knownPlaces)
	case "produce":
		a.list(&a.produce, attr.Expr, knownPlaces)
	case "read":
		a.list(&a.read, attr.Expr, knownPlaces, knownStates)
	}
}

func (a *arcs) state(to *[]mention, e hclsyntax.Expression) {
	name, r, ok := a.Reference(e, "a state")
	if !ok {
		return
	}
	p := a.scope.places[name]
	if p == nil || p.Kind != hclspec.State {
		a.lacks(name, r, knownStates)
		return
	}
	a.Refer(r, p.Range)
	*to = append(*to, mention{p, r})
}

func (a *arcs) lacks(name string, r hcl.Range, kinds ...int) {
	a.vague = true
	a.missing(a.scope, name, r, kinds...)
}

func (a *arcs) list(to *[]mention, e hclsyntax.Expression, kinds ...int) {
	seen := syntax.Names{}
	a.References(e, "a place", func(name string, r hcl.Range) {
		p := a.scope.places[name]
		switch {
		case p == nil || p.Kind != hclspec.Plain && !(p.Kind == hclspec.State && slices.Contains(kinds, knownStates)):
			a.lacks(name, r, kinds...)
		case a.Once(seen, name, r):
			a.Refer(r, p.Range)
			*to = append(*to, mention{p, r})
		}
	})
}

// each reads { FLAG = true, ... }.
func (a *arcs) each(attr *hclsyntax.Attribute, use func(f pair, value bool, r hcl.Range)) {
	a.Pairs(attr.Expr, "a flag", func(name string, r hcl.Range, e hclsyntax.Expression) {
		if f, ok := a.scope.flags[name]; !ok {
			a.lacks(name, r, knownFlags)
		} else if value, ok := a.flag(f, name, r, e); ok {
			use(f, value, r)
		}
	})
}

// turns reads { FLAG = true, counter = counter + 1, ... }.
func (a *arcs) turns(attr *hclsyntax.Attribute) {
	a.Pairs(attr.Expr, "a flag or a counter", func(name string, r hcl.Range, e hclsyntax.Expression) {
		f, known := a.scope.flags[name]
		if c := a.scope.counters[name]; c != nil {
			a.Refer(r, c.place.Range)
			a.changes = append(a.changes, changeOf(c, e))
		} else if !known {
			a.lacks(name, r, knownFlags, knownCounters)
		} else if value, ok := a.flag(f, name, r, e); ok {
			a.consume = append(a.consume, mention{f.place(!value), r})
			a.produce = append(a.produce, mention{f.place(value), r})
		}
	})
}

// changeOf reads the new value of a counter: an expression, or between(1, 3) for any one from 1 to 3.
func changeOf(c *counter, e hclsyntax.Expression) change {
	if call, ok := e.(*hclsyntax.FunctionCallExpr); ok && call.Name == choice && len(call.Args) == 2 {
		return change{c, call.Args[0], call.Args[1], e}
	}
	return change{c, e, nil, e}
}

// flag evaluates the value of a flag in an attribute.
func (a *arcs) flag(f pair, name string, r hcl.Range, e hclsyntax.Expression) (value, ok bool) {
	a.Refer(r, f.yes.Range)
	v, ok := a.Evaluate(e)
	a.vague = a.vague || !ok
	if ok && (v.IsNull() || v.Type() != cty.Bool) {
		a.Mistake(diag.WrongType, e.Range(), fmt.Sprintf("Flag %q must be true or false.", name), "This is "+expr.DescribeFor(cty.Bool, v)+".")
		return false, false
	}
	return ok && v.True(), ok
}

// ends checks that a transition has both from and to, or neither.
func (a *arcs) ends(b *hclsyntax.Block) {
	from, hasFrom := b.Body.Attributes["from"]
	to, hasTo := b.Body.Attributes["to"]
	if hasFrom && !hasTo {
		a.Lacking(b.Body, from.NameRange, fmt.Sprintf("Transition %q has from but no to.", b.Labels[0]), other("to", "from", from.Expr))
	}
	if hasTo && !hasFrom {
		a.Lacking(b.Body, to.NameRange, fmt.Sprintf("Transition %q has to but no from.", b.Labels[0]), other("from", "to", to.Expr))
	}
}

// other returns the hint to add the end that a transition lacks beside the one that it has.
func other(lacks, has string, e hclsyntax.Expression) string {
	if name := hcl.ExprAsKeyword(e); name != "" {
		return fmt.Sprintf("Add %s = STATE; to stay in %s, %[1]s = %[2]s.", lacks, name)
	}
	return fmt.Sprintf("Add %s = STATE; to stay in one state, the same as %s.", lacks, has)
}

// connect makes the arcs of t. A place both consumed and produced is read. A place that is read may not also be consumed or produced: the
// transition could not fire, or would put a second token on the place. The exception is a guard that repeats what set implies.
func (a *arcs) connect(t *hclspec.Transition) {
	consumed, produced, read := places(a.consume), places(a.produce), places(a.read)
	for _, m := range a.read {
		if consumed[m.place] == produced[m.place] {
			t.Read = append(t.Read, m.place)
			t.Reads = t.Reads || m.place.Kind == hclspec.State
		} else if produced[m.place] || m.place.Flag == "" {
			a.contradiction(t, m)
		}
	}
	for _, m := range a.consume {
		switch {
		case !produced[m.place]:
			t.Consume = append(t.Consume, m.place)
		case !read[m.place]:
			t.Read = append(t.Read, m.place)
			if m.place.Kind == hclspec.Plain {
				t.Kept = append(t.Kept, m.place.Name)
			}
		}
	}
	for _, m := range a.produce {
		if !consumed[m.place] {
			t.Produce = append(t.Produce, m.place)
		}
	}
}

func (a *arcs) contradiction(t *hclspec.Transition, m mention) {
	summary := fmt.Sprintf("Transition %q both reads and moves the token of %q.", t.Name, m.place.Name)
	detail := "A place that is read keeps its token. Consume and produce it, or only read it."
	if m.place.Flag != "" {
		value := m.place.Kind == hclspec.FlagTrue
		summary = fmt.Sprintf("Transition %q needs %s to be %t already, so it cannot set it to %[3]t.", t.Name, m.place.Flag, value)
		detail = fmt.Sprintf("Write when = { %s = %t }, or delete when.", m.place.Flag, !value)
		if a.tested > 1 {
			detail = fmt.Sprintf("In when, write %s = %t, or leave %[1]s out.", m.place.Flag, !value)
		}
	}
	a.Mistake(diag.Contradiction, m.at, summary, detail)
}

func places(all []mention) map[*hclspec.Place]bool {
	set := make(map[*hclspec.Place]bool, len(all))
	for _, m := range all {
		set[m.place] = true
	}
	return set
}
