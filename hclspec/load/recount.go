package load

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

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
		c.spell(item.ValueExpr.Range(), false)
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
