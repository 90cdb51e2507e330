package load

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// A condition becomes a choice of places, one of which must be marked. It speaks of one net: a party with its states, flags and counters, a
// norm, or the contract. any(...) joins several. A comparison of several counters becomes a choice of values of all of them.

// maxAlternatives bounds the choices of places in all conditions of one event. The event becomes a transition for each.
const maxAlternatives = 10_000

const multiplied = "Each any(...) multiplies them by the number of its conditions, a counter by the number of its values, and a comparison of several counters by that of the combinations for which it is so."

// guardEvents reads the conditions of events: only_while = terminate.held, or a list of which all must be met.
func (l *loader) guardEvents(blocks []*hclsyntax.Block) {
	for _, b := range blocks {
		attr, given := b.Body.Attributes["only_while"]
		if b.Type != "event" || !given || l.events[b.Labels[0]] != b.LabelRanges[0] {
			continue
		}
		for _, event := range l.eventsOf(syntax.Ref{Name: b.Labels[0]}) {
			before := len(l.Diags)
			l.guardEvent(event, attr)
			if len(l.Diags) > before {
				break // each instance would repeat it
			}
		}
	}
}

// guardEvent adds the conditions in one attribute to an event. An event that is possible only after a breach answers the breach.
func (l *loader) guardEvent(event *hclspec.Event, attr *hclsyntax.Attribute) {
	met := map[topic][]*hclspec.Place{}
	others := 1 // combinations of conditions that are not about one token alone
	l.everyOf(event, syntax.EachOf, attr.Expr, func(e hclsyntax.Expression) {
		nets, need := l.condition(event, e)
		if len(need) == 0 {
			return
		}
		alone := len(nets) == 1 && !slices.ContainsFunc(need, func(a hclspec.Alternative) bool {
			return len(a.Places) != 1 || a.Places[0].Token() != need[0].Places[0].Token()
		})
		if alone {
			l.notBoth(e, nets[0], met, need.Places())
		} else {
			others = expr.BoundedProduct(others, len(need))
		}
		alternatives := others
		for _, places := range met {
			alternatives = expr.BoundedProduct(alternatives, len(places))
		}
		if alternatives > maxAlternatives {
			l.Mistake(diag.Expansion, e.Range(), fmt.Sprintf("The conditions of event %q have more than %d combinations.", event.Name, maxAlternatives), multiplied)
			return
		}
		event.Needs = append(event.Needs, need.At(e.Range()))
		l.answer(need)
	})
}

// eachOf calls use for each condition of a norm that must be met: a list, or joined by &&.
func eachOf(e hclsyntax.Expression, use func(hclsyntax.Expression)) {
	syntax.EachOf(e, func(e hclsyntax.Expression) {
		if op, ok := bare(e).(*hclsyntax.BinaryOpExpr); ok && op.Op == hclsyntax.OpLogicalAnd {
			eachOf(op.LHS, use)
			eachOf(op.RHS, use)
			return
		}
		use(e)
	})
}

// everyOf calls use for each condition that must be met: all(q.S0) is one for each of several, !any(a, b) is !a and !b.
func (l *loader) everyOf(event *hclspec.Event, list func(hclsyntax.Expression, func(hclsyntax.Expression)), e hclsyntax.Expression, use func(hclsyntax.Expression)) {
	list(e, func(e hclsyntax.Expression) {
		if none := l.noneOf(event, e); none != nil {
			for _, one := range none {
				l.everyOf(event, list, one, use)
			}
			return
		}
		if spread, several := l.distributed(event, list, e); several {
			for _, one := range spread {
				use(one)
			}
			return
		}
		call, ok := e.(*hclsyntax.FunctionCallExpr)
		if !ok || call.Name != howWords[withAll] {
			use(e)
			return
		}
		if len(call.Args) == 0 {
			l.Mistake(diag.MissingAttribute, e.Range(), "all() names no condition.", "Write all(purchaser.waiting).")
		}
		for _, arg := range call.Args {
			of := l.severalIn(arg)
			if of.name.Name == "" && len(call.Args) > 1 {
				l.everyOf(event, list, arg, use)
				continue
			}
			if of.name.Name == "" {
				l.Mistake(diag.WhichInstances, arg.Range(), "There are not several of what this is about.", "Write the condition alone. all(purchaser.waiting) says it of each of several parties, all(rent.fulfilled) of each occurrence.")
				return
			}
			for _, one := range of.written(arg) {
				use(one)
			}
		}
	})
}

// ofAny returns a condition for each of several that it is about; the condition itself where the event happens with each of them, or there are not several.
func (l *loader) ofAny(event *hclspec.Event, e hclsyntax.Expression) []hclsyntax.Expression {
	of := l.severalIn(e)
	f := l.families[of.name.Name]
	if f == nil || slices.ContainsFunc(f.scopes, func(s *scope) bool { return s.separate(event) }) {
		return []hclsyntax.Expression{e}
	}
	return of.written(e)
}

// A topic is the token that a condition is about: the state of a net, one of its flags, or one of its counters.
type topic struct {
	net   *hclspec.Party
	token string
}

// notBoth reports a condition on one token that excludes those before it. Met has the places that meet all of them so far.
func (l *loader) notBoth(e hclsyntax.Expression, net *hclspec.Party, met map[topic][]*hclspec.Place, need []*hclspec.Place) {
	key := topic{net, need[0].Token()}
	first, again := met[key]
	if !again {
		met[key] = need
		return
	}
	both := slices.DeleteFunc(slices.Clone(need), func(p *hclspec.Place) bool { return !slices.Contains(first, p) })
	if len(both) == 0 {
		what := fmt.Sprintf("Two of these conditions on %q are never met at once, and all of a list must be.", net.Name)
		if len(first)+len(need) == 2 && need[0].Kind == hclspec.State {
			what = fmt.Sprintf("%s.%s and %[1]s.%[3]s are never so at once, and all of a list must be.", net.Name, first[0].Name, need[0].Name)
		}
		if net.Made == "event" {
			what = "That an event has happened and has not is never so at once, and all of a list must be."
		}
		l.Mistake(diag.Contradiction, e.Range(), what, "Where either will do, write any(..., ...) around them.")
		return
	}
	met[key] = both
}

// answer records that an event follows a breach: one that its breach makes possible.
func (l *loader) answer(need hclspec.Need) {
	places := need.Places()
	for _, n := range l.spec.Norms {
		if slices.Contains(places, n.Breached()) && !slices.Contains(places, n.On()) {
			n.Answered = true
		}
	}
}

// condition reads one condition of an event, or of a norm if there is none: these may be joined by ||. It returns the nets that it is about, and the places of which one must be marked; none after a
// mistake.
func (l *loader) condition(event *hclspec.Event, e hclsyntax.Expression) (nets []*hclspec.Party, need hclspec.Need) {
	inner, not := opposite(e)
	call, joined := inner.(*hclsyntax.FunctionCallExpr)
	if some := l.someOf(e); some != nil && (event == nil || joined) {
		call, joined, not = &hclsyntax.FunctionCallExpr{Name: "any", Args: some}, true, false
	} else if op, ok := inner.(*hclsyntax.BinaryOpExpr); ok {
		if op.Op != hclsyntax.OpLogicalOr || event != nil || not {
			return l.comparison(event, op, not)
		}
		call, joined = &hclsyntax.FunctionCallExpr{Name: "any", Args: []hclsyntax.Expression{op.LHS, op.RHS}}, true
	}
	if !joined || call.Name == happened {
		net, places := l.simple(event, e)
		if net == nil { // about several
			return nil, hclspec.Being(places...)
		}
		return []*hclspec.Party{net}, hclspec.Being(places...)
	}
	if not || call.Name != "any" || len(call.Args) == 0 {
		l.Mistake(diag.UnknownFunction, e.Range(), "A condition or any(..., ...) is expected here.", "Write only_while = any(pay.owed, late.owed), or a list of which all must be so. Within any(...) a list may stand, too.")
		return nil, nil
	}
	seen := newAlternatives()
	var args []hclsyntax.Expression
	for _, arg := range call.Args {
		args = append(args, l.ofAny(event, arg)...)
	}
	for _, arg := range args {
		of, some := l.condition(event, arg)
		if len(some) == 0 {
			return nil, nil
		}
		for _, a := range some {
			if seen.add(a.Places) {
				need = append(need, a)
			}
		}
		for _, net := range of {
			if !slices.Contains(nets, net) {
				nets = append(nets, net)
			}
		}
	}
	return nets, need
}

// opposite returns a condition without brackets and negations around it, and whether these turn it into its opposite.
func opposite(e hclsyntax.Expression) (inner hclsyntax.Expression, not bool) {
	for {
		op, ok := bare(e).(*hclsyntax.UnaryOpExpr)
		if !ok || op.Op != hclsyntax.OpLogicalNot {
			return bare(e), not
		}
		e, not = op.Val, !not
	}
}

// alternatives finds alternatives that are there already: a tree of places.
type alternatives struct {
	whole bool
	next  map[*hclspec.Place]*alternatives
}

func newAlternatives() *alternatives { return &alternatives{next: map[*hclspec.Place]*alternatives{}} }

// add adds places, and reports whether they are new.
func (a *alternatives) add(places []*hclspec.Place) bool {
	for _, p := range places {
		if a.next[p] == nil {
			a.next[p] = newAlternatives()
		}
		a = a.next[p]
	}
	known := a.whole
	a.whole = true
	return !known
}

// simple reads a condition on the state of one net: buyer.waiting, !buyer.LATE, pay.owed.
func (l *loader) simple(event *hclspec.Event, e hclsyntax.Expression) (*hclspec.Party, []*hclspec.Place) {
	e = bare(e)
	if op, ok := e.(*hclsyntax.UnaryOpExpr); ok && op.Op == hclsyntax.OpLogicalNot {
		net, need := l.simple(event, op.Val)
		return net, l.others(e, net, need)
	}
	if call, ok := e.(*hclsyntax.FunctionCallExpr); ok && call.Name == happened && len(call.Args) == 1 {
		return l.past(event, call.Args[0])
	}
	way, ok := syntax.Steps(e)
	for i := 1; i < len(way); i++ {
		if d := l.documents.specs[syntax.Joined(way[:i]).Name]; d != nil {
			l.Refer(syntax.Joined(way[:i]).At, d.Range)
			return l.documentCondition(event, d, syntax.Joined(way[i:]))
		}
	}
	if !ok || len(way) < 2 || way[len(way)-1].Index {
		l.Mistake(diag.NotAReference, e.Range(), "What a party, an obligation, a power or the contract comes to is expected here.", "Write it as buyer.waiting, terminate.held, contract.in_force or happened(payment).")
		return nil, nil
	}
	whose, last := syntax.Joined(way[:len(way)-1]), way[len(way)-1]
	if l.families[whose.Name] != nil {
		return l.partyCondition(event, whose, last)
	}
	return l.normCondition(whose, last)
}

// others returns the places of a net that share their token with those of a condition, and are not among them.
func (l *loader) others(e hclsyntax.Expression, net *hclspec.Party, need []*hclspec.Place) []*hclspec.Place {
	if len(need) == 0 {
		return nil
	}
	if net == nil {
		l.Mistake(diag.WhichInstances, e.Range(), "There are several of these: say which of them is meant.", "Write all(!rent.owed) if none of them may be so, any(!rent.owed) if one of them may not, !rent[3].owed of the third.")
		return nil
	}
	var all []*hclspec.Place
	for _, p := range net.Places {
		if p.Token() == need[0].Token() && !slices.Contains(need, p) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		l.Mistake(diag.Contradiction, e.Range(), fmt.Sprintf("%s has nothing else to be in, so this is never so.", net.Name), "")
	}
	return all
}

// partyCondition reads a state or a flag of a party.
func (l *loader) partyCondition(event *hclspec.Event, whose syntax.Ref, last syntax.Step) (*hclspec.Party, []*hclspec.Place) {
	s := l.conditionOn(event, whose)
	if s == nil {
		return nil, nil
	}
	l.Refer(whose.At, s.party.Range)
	p, f := s.places[last.Text], s.flags[last.Text]
	switch {
	case f.yes != nil:
		p = f.yes
	case p == nil || p.Kind != hclspec.State:
		l.lacksCondition(s, last)
		return nil, nil
	}
	l.Refer(last.At, p.Range)
	return s.party, []*hclspec.Place{p}
}

// lacksCondition reports a name that is no state or flag of a party.
func (l *loader) lacksCondition(s *scope, last syntax.Step) {
	what := fmt.Sprintf("%q is no state or flag of %s %q.", last.Text, s.block.Type, l.called(s))
	known := s.knownOf([]int{knownStates, knownFlags})
	switch {
	case s.counters[last.Text] != nil:
		l.Mistake(diag.WrongKind, last.At, what, fmt.Sprintf("It is a counter: compare it, as in %s.%s > 0.", l.called(s), last.Text))
	case s.places[last.Text] != nil:
		l.Mistake(diag.WrongKind, last.At, what, "It is a place: a transition of the event's can read it.")
	case !l.Dropped[last.Text]:
		l.Mistake(diag.UnknownName, last.At, what, l.Hint(last.Text, func() []string { return known }))
	}
}

// conditionOn returns the party that a condition of an event is about. Where the event happens with each of several, their name means the one
// that it happens with.
func (l *loader) conditionOn(event *hclspec.Event, whose syntax.Ref) *scope {
	found := l.find(whose)
	if len(found) > 1 || l.families[whose.Name].many && !whose.Indexed {
		for _, s := range found {
			if s.separate(event) {
				return s
			}
		}
		l.Mistake(diag.WhichInstances, whose.At, fmt.Sprintf("There are several of %q: say which of them is meant.", whose.Name),
			fmt.Sprintf("Name one, as in %s[0]; or put the condition into any(...), if one is enough, or all(...), if each has to be so.", whose.Name))
		return nil
	}
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// normCondition reads a state of a norm or of the contract: terminate.held, contract.in_force. Of a norm with occurrences it means any of them,
// and there is no single net.
func (l *loader) normCondition(whose syntax.Ref, last syntax.Step) (*hclspec.Party, []*hclspec.Place) {
	before := len(l.Diags)
	nets := l.normNets(whose)
	if len(nets) == 0 {
		switch {
		case len(l.Diags) > before:
		case whose.Name == "contract" && !whose.Indexed && (last.Text == "in_force" || last.Text == "ended"):
			l.nothingEnds(whose.At)
		default:
			l.Unknown(whose.At, fmt.Sprintf("There is no party, obligation, prohibition, permission or power %q.", whose.Name), whose.Name,
				func() []string { return append(l.normNames(), l.partyNames...) })
		}
		return nil, nil
	}
	var known []string
	for _, p := range nets[0].Places {
		if p.Kind == hclspec.State || p.Kind == hclspec.Held {
			known = append(known, p.Name)
		}
	}
	if !slices.Contains(known, last.Text) {
		if last.Text == construct.Suspended && l.norms[whose.Name] != nil {
			l.Mistake(diag.UnknownName, last.At, fmt.Sprintf("Nothing suspends %q, so it never is suspended.", whose.Name), fmt.Sprintf("A power does: suspends = [%s]; or an event: suspended_by = EVENT in the obligation.", whose.Name))
			return nil, nil
		}
		if n := l.norms[whose.Name]; n != nil && n.Repeats && len(n.Acts) > 0 && last.Text == n.Kind.Construct().Done {
			l.Mistake(diag.UnknownName, last.At, fmt.Sprintf("The power %q repeats, so it is never used up.", whose.Name), fmt.Sprintf("Ask whether it was exercised: happened(%s).", n.Acts[0].Of))
			return nil, nil
		}
		l.Unknown(last.At, fmt.Sprintf("%q is not how %q may stand.", last.Text, whose.Name), last.Text, func() []string { return known })
		return nil, nil
	}
	var need []*hclspec.Place
	for _, net := range nets {
		need = append(need, net.PlaceNamed(last.Text))
	}
	if len(nets) > 1 {
		return nil, need
	}
	return nets[0], need
}

// normNets returns the nets of a norm, one for each occurrence, or that of the contract; none if there is none or after a mistake.
func (l *loader) normNets(whose syntax.Ref) (nets []*hclspec.Party) {
	n := l.norms[whose.Name]
	switch {
	case n == nil && whose.Name == "contract" && l.end != nil:
		return []*hclspec.Party{l.end}
	case n == nil:
		return nil
	}
	l.Refer(whose.At, n.Range)
	all := n.all
	if whose.Indexed {
		one := l.nth(n, whose.Index, whose.At)
		if one == nil {
			return nil
		}
		all = []*norm{one}
	}
	for _, one := range all {
		nets = append(nets, one.Net)
	}
	return nets
}

// readRequire reads what must be so when that happens which brings a norm about. All occurrences ask the same.
func (l *loader) readRequire(n *norm) {
	attr, given := n.block.Body.Attributes["require"]
	switch {
	case !given:
		return
	case n.Nth > 1:
		n.require = n.all[0].require
	case len(n.starts) == 0:
		l.Mistake(diag.MissingAttribute, attr.NameRange, fmt.Sprintf("The %s %q is there from the start, so nothing asks what it requires.", n.Kind, l.written(n.block)),
			fmt.Sprintf("Say what brings it about: %s = EVENT. That is when it is asked.", n.Kind.Construct().Begins))
	default:
		n.require = l.needs(attr)
	}
	n.Terms = append(slices.Clone(n.Terms), hclspec.Term{Word: "require", Value: l.filledIn(attr.Expr)})
}

// needs reads conditions that must all be met, within the limit.
func (l *loader) needs(attr *hclsyntax.Attribute) (all []hclspec.Need) {
	alternatives := 1
	l.everyOf(nil, eachOf, attr.Expr, func(e hclsyntax.Expression) {
		_, need := l.condition(nil, e)
		if len(need) == 0 {
			return
		}
		if alternatives = expr.BoundedProduct(alternatives, len(need)); alternatives > maxAlternatives {
			l.Mistake(diag.Expansion, e.Range(), fmt.Sprintf("These conditions have more than %d combinations.", maxAlternatives), multiplied)
			return
		}
		all = append(all, need)
	})
	return all
}

// required returns the entries restricted to what a norm requires.
func (n *norm) required(by []entry) []entry { return meeting(n.require, by) }

// meeting returns the entries restricted to the case that conditions are met.
func meeting(needs []hclspec.Need, by []entry) []entry {
	for _, need := range needs {
		var lists [][]*hclspec.Place
		for _, a := range need {
			lists = append(lists, a.Places)
		}
		by = either(by, lists...)
	}
	return by
}
