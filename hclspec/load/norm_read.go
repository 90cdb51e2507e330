package load

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/duration"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// maxDuration is the longest duration, in ticks.
const maxDuration = 4_000

// declareNorms reads obligations, prohibitions, permissions and powers, once parties and events are known. It declares all names first, since
// norms refer to each other.
func (l *loader) declareNorms(blocks []*hclsyntax.Block) {
	l.norms = map[string]*norm{}
	taken := syntax.Names{} // all nets share the names of formulas
	for _, p := range l.spec.Parties {
		taken[p.Of] = p.Range
	}
	var all []*norm
	for _, b := range blocks {
		kind := slices.Index(construct.NormWords(), b.Type)
		if kind < 0 || !l.declareOwn(taken, b) {
			continue
		}
		n := &norm{block: b, Norm: &hclspec.Norm{Prose: l.Prose(b.Body), Name: b.Labels[0], Kind: hclspec.NormKind(kind), Range: syntax.HeaderRange(b)}}
		l.norms[n.Name] = n
		all = append(all, n)
		if _, borne := b.Body.Attributes["bearer"]; !borne {
			l.Dropped[n.Name] = true // its act, too, has nobody
		}
	}
	before := len(l.Diags)
	for _, n := range all {
		l.readSuspends(n)
	}
	for _, n := range all {
		l.readNorm(n)
	}
	for _, n := range all {
		if n.suspension != nil {
			all = append(all, n.suspension)
		}
	}
	l.assign(all)
	l.checkExtended(all)
	l.beginNorms(all)
	all = l.occurrences(all)
	if len(l.Diags) == before {
		l.compileNorms(all)
		l.guardEvents(blocks)
	}
}

// beginNorms makes the norms of a waiting phase begin with the phase, unless they have other beginnings.
func (l *loader) beginNorms(all []*norm) {
	answers := map[*norm]bool{}
	for _, n := range all {
		answers[n.answer] = true
	}
	for _, n := range all {
		begin, waits := l.begins[l.Generated[n.block].Phase]
		if waits && len(n.starts) == 0 && !answers[n] {
			n.starts = slices.Clone(begin)
			l.oneRoleEach(n)
		}
	}
}

// readNorm reads the attributes of one norm.
func (l *loader) readNorm(n *norm) {
	if l.listsNothing(n) {
		return
	}
	n.Bearers = l.tenure(n, "bearer", true)
	n.Counterparties = l.tenure(n, "counterparty", false)
	l.notToItself(n)
	kind := n.Kind.Construct()
	n.acts = l.occasions(n, kind.Act, true)
	switch _, given := n.block.Body.Attributes[kind.Act]; {
	case !given && kind.OwnAct:
		n.acts = l.occasionsIn(syntax.OwnAct(n.block), true)
	case !given:
		l.Lacking(n.block.Body, n.Range, fmt.Sprintf("The %s %q names no event.", n.Kind, l.written(n.block)),
			fmt.Sprintf("Write %s = EVENT: %s.", kind.Act, kind.Means))
	}
	for _, o := range n.acts {
		n.Acts = append(n.Acts, o.event)
	}
	n.starts = append(l.occasions(n, "when", false), l.occasions(n, "from", false)...)
	n.breaches, n.ends = l.occasions(n, "breach", true), l.occasions(n, "until", false)
	l.readBefore(n)
	n.ticks = l.duration(n.block.Body, "within") + l.duration(n.block.Body, "lasts")
	n.endsContract, n.Survives = l.Truth(n.block.Body, "ends_contract"), l.Truth(n.block.Body, "survives")
	l.readTimes(n)
	l.readRepeats(n)
	over := l.readBy(n)
	l.readAnswers(n)
	l.readResumes(n)
	l.readAssigns(n)
	l.readExtends(n)
	l.notOfItself(n)
	l.oneRoleEach(n)
	if n.lead == 0 {
		n.lasting = l.spelled(n.block.Body, n.ticks, "within", "lasts")
	}
	n.apart = l.spelled(n.block.Body, n.every, "every")
	n.Terms = n.terms()
	n.breaches = append(n.breaches, over...)
}

// listsNothing reports attributes of a norm that are empty lists: what such a norm means is anybody's guess.
func (l *loader) listsNothing(n *norm) (found bool) {
	for _, a := range syntax.SortedAttributes(n.block.Body.Attributes) {
		if list, ok := a.Expr.(*hclsyntax.TupleConsExpr); ok && len(list.Exprs) == 0 {
			l.Mistake(diag.MissingAttribute, a.Expr.Range(), fmt.Sprintf("In the %s %q, %q is an empty list.", n.Kind, l.written(n.block), a.Name), "Name at least one, or take the attribute out.")
			found = true
		}
	}
	return found
}

// readBy reads the day by which an obligation has to be fulfilled: by = "2027-03-31". It returns the ticks that breach it: on which that day is over
// or, if it arises later, the one after it has arisen.
func (l *loader) readBy(n *norm) []occasion {
	attr, given := n.block.Body.Attributes["by"]
	if !given {
		return nil
	}
	for _, word := range []string{"before", "times", "every", "at_most"} {
		if _, both := n.block.Body.Attributes[word]; both {
			l.Mistake(diag.Contradiction, attr.NameRange, fmt.Sprintf("The obligation %q has both by and %s.", l.written(n.block), word), "Declare another obligation for one of them.")
			return nil
		}
	}
	if len(n.suspenders) > 0 {
		l.Mistake(diag.Contradiction, attr.NameRange, fmt.Sprintf("The obligation %q can be suspended, and a day does not wait.", l.written(n.block)), "Give it time with within, or drop it from suspends.")
		return nil
	}
	t, day := l.dateOf(attr.Expr, "by", n.Survives)
	if !day {
		l.notDay(attr)
	}
	if t == nil {
		return nil
	}
	n.By, n.until = t.net.Lasts, t
	net := madeNet("clock", n.Name+"[overdue]", n.Name+" after "+n.By, n.Range)
	n.overdue = newClock(net, 1)
	l.spec.Parties = append(l.spec.Parties, net)
	return []occasion{{event: l.tick, while: t.clock.left[:1], at: attr.Expr.Range()}, {event: l.tick, while: n.overdue.left[:1], at: attr.Expr.Range()}}
}

// readBefore reads how long before an event an obligation has to be done: before = { delivery = "10 days" }. The event breaches what is still owed.
func (l *loader) readBefore(n *norm) {
	attr, given := n.block.Body.Attributes["before"]
	if !given {
		return
	}
	for _, word := range []string{"within", "times", "every", "at_most"} {
		if other, both := n.block.Body.Attributes[word]; both {
			l.Mistake(diag.Contradiction, other.NameRange, fmt.Sprintf("The obligation %q has both before and %s.", l.written(n.block), word), "Declare another obligation for one of them.")
			return
		}
	}
	object, ok := attr.Expr.(*hclsyntax.ObjectConsExpr)
	switch {
	case !ok || len(object.Items) != 1:
		l.Mistake(diag.NotAReference, attr.Expr.Range(), "One event and a duration are expected here, in braces.", "Write before = { delivery = 10 }; for several events before = { any(delivery, dispatch) = 10 }.")
		return
	case len(n.suspenders) > 0:
		l.Mistake(diag.Contradiction, attr.NameRange, fmt.Sprintf("The obligation %q can be suspended, and what is to be done before an event can't.", l.written(n.block)), "Drop before, or drop it from suspends.")
		return
	}
	m, ok := l.countedFrom(object.Items[0].KeyExpr, true)
	if !ok {
		return
	}
	if n.lead = l.eventTicks("before", object.Items[0].ValueExpr); n.lead > 0 {
		n.ahead, n.breaches = m, append(n.breaches, m.by...)
		n.lasting = l.spelling(object.Items[0].ValueExpr, n.lead)
	}
}

// readAnswers reads the reparation of a norm and the norms that it lifts.
func (l *loader) readAnswers(n *norm) {
	if attr, given := n.block.Body.Attributes["reparation"]; given {
		n.answer = l.another(attr.Expr, "reparation")
	}
	if attr, given := n.block.Body.Attributes["lifts"]; given {
		syntax.EachOf(attr.Expr, func(e hclsyntax.Expression) {
			if other := l.another(e, "lifts"); other != nil {
				n.lifts, n.Relieves = append(n.lifts, other), append(n.Relieves, other.Norm)
			}
		})
	}
	n.Breachable = n.Kind.Construct().Late == construct.Breached && (n.ticks > 0 || n.By != "" || len(n.breaches) > 0) || n.Kind == hclspec.Prohibition
	n.Answered = n.answer != nil || n.endsContract
	_, late := n.block.Body.Attributes["within"]
	broken := len(n.breaches) > 0 || n.By != ""
	if n.Kind == hclspec.Obligation && !late && !broken && n.Answered {
		l.Lacking(n.block.Body, n.Range, fmt.Sprintf("Nothing can break the obligation %q, yet it says what follows its breach.", l.written(n.block)),
			"Give it a deadline (within = 3) or an event that breaks it (breach = EVENT).")
	}
}

// readExtends reads the obligations to whose time a power adds, and how much: extends = { deliver = "5 days" }.
func (l *loader) readExtends(n *norm) {
	attr, given := n.block.Body.Attributes["extends"]
	if !given {
		return
	}
	object, ok := attr.Expr.(*hclsyntax.ObjectConsExpr)
	if !ok || len(object.Items) == 0 {
		l.Mistake(diag.NotAReference, attr.Expr.Range(), "Obligations and durations are expected here, in braces.", "Write extends = { deliver = 5 }.")
		return
	}
	seen := syntax.Names{}
	for _, item := range object.Items {
		other := l.another(item.KeyExpr, "extends")
		ticks := l.eventTicks("extends", item.ValueExpr)
		if other == nil || ticks == 0 || !l.Once(seen, other.Name, item.KeyExpr.Range()) {
			continue
		}
		words := l.spelling(item.ValueExpr, ticks)
		n.extends, n.Relieves = append(n.extends, extension{other, ticks, words}), append(n.Relieves, other.Norm)
		other.extenders = append(other.extenders, extension{n, ticks, words})
		other.Extensible += ticks
	}
}

// checkExtended reports obligations whose time no power can add to.
func (l *loader) checkExtended(all []*norm) {
	for _, n := range all {
		acts := map[*hclspec.Event]*norm{}
		for _, x := range n.extenders {
			at, name := x.by.block.Body.Attributes["extends"].Expr.Range(), l.written(n.block)
			switch {
			case n.By != "" || n.lead > 0:
				l.Mistake(diag.Contradiction, at, fmt.Sprintf("The obligation %q is due by a day or before an event, and these do not move.", name), "Give it time with within, or leave it out here.")
			case n.ticks == 0:
				l.Mistake(diag.Contradiction, at, fmt.Sprintf("The obligation %q has no deadline that could be extended.", name), "Give it one with within, or leave it out here.")
			case n.atMost:
				l.Mistake(diag.Contradiction, at, fmt.Sprintf("The obligation %q arises any number of times, and each has a time of its own.", name), "Use times in place of at_most, or leave it out here.")
			case n.ticks+n.Extensible > maxDuration:
				l.Mistake(diag.BadDuration, at, fmt.Sprintf("With all extensions the obligation %q would have %d ticks, and a deadline has at most %d.", name, n.ticks+n.Extensible, maxDuration), "Use a longer tick.")
			case slices.ContainsFunc(x.by.lifts, func(o *norm) bool { return o == n }):
				l.Mistake(diag.Contradiction, at, fmt.Sprintf("The power %q both extends and lifts the obligation %q.", l.written(x.by.block), name), "Let it do one of them.")
			case slices.ContainsFunc(x.by.acts, func(o occasion) bool { return acts[o.event] != nil }):
				l.Mistake(diag.Contradiction, at, fmt.Sprintf("One event exercises two powers that extend the obligation %q.", name), "Give each an event of its own, or let one power add both times.")
			default:
				for _, o := range x.by.acts {
					acts[o.event] = x.by
				}
				continue
			}
			break
		}
	}
}

// another reads the name of an obligation; nil after a mistake.
func (l *loader) another(e hclsyntax.Expression, what string) *norm {
	name, r, ok := l.Path(e, "an obligation")
	if !ok {
		return nil
	}
	n := l.norms[name]
	if n == nil {
		l.Unknown(r, fmt.Sprintf("There is no obligation %q.", name), name, l.obligationNames)
		return nil
	}
	l.Refer(r, n.Range)
	if n.Kind != hclspec.Obligation {
		l.Mistake(diag.WrongKind, r, fmt.Sprintf("%q is a %s, and %s names obligations.", l.written(n.block), n.Kind, what), "")
		return nil
	}
	return n
}

// occasions reads the occasions in an attribute of a norm.
func (l *loader) occasions(n *norm, attribute string, plain bool) []occasion {
	attr, given := n.block.Body.Attributes[attribute]
	if !given {
		return nil
	}
	e := hclsyntax.Expression(attr.Expr)
	call, ok := e.(*hclsyntax.FunctionCallExpr)
	switch all := ok && call.Name == howWords[withAll]; {
	case all && attribute == n.Kind.Construct().Begins:
		l.Mistake(diag.UnknownFunction, e.Range(), fmt.Sprintf("One of several events begins the %s %q, and not all of them.", n.Kind, l.written(n.block)),
			fmt.Sprintf("Write %s = [x, y] and require = any(happened(x), happened(y)): then it begins with the last of two that happen once.", attribute))
		return nil
	case all && attribute == "fulfil":
		n.together = len(call.Args) > 0
		e = &hclsyntax.TupleConsExpr{Exprs: call.Args, SrcRange: call.Range(), OpenRange: call.OpenParenRange}
	}
	return l.occasionsIn(e, plain)
}

// occasionsIn reads an event or a change of a norm, or a list of them; plain allows events only.
func (l *loader) occasionsIn(e hclsyntax.Expression, plain bool) []occasion {
	var all []occasion
	seen := syntax.Names{}
	if call, ok := e.(*hclsyntax.FunctionCallExpr); ok && call.Name == howWords[withAny] && len(call.Args) > 0 {
		e = &hclsyntax.TupleConsExpr{Exprs: call.Args, SrcRange: call.Range()} // any(a, b) is [a, b]: whichever comes
	}
	syntax.EachOf(e, func(e hclsyntax.Expression) {
		if way, ok := syntax.Steps(e); ok && !plain && l.isChange(way) {
			all = append(all, l.change(way, e.Range())...)
			return
		}
		if n := l.norms[hcl.ExprAsKeyword(e)]; n != nil && !plain && l.eventsOf(syntax.Ref{Name: n.Name}) == nil {
			l.unknownEvent(syntax.Ref{Name: n.Name, At: e.Range()}, "Write "+n.turns()+" for what becomes of it.")
			return
		}
		for _, event := range l.eventsAt(e) {
			l.Refer(e.Range(), event.Range)
			if l.Once(seen, event.Name, e.Range()) {
				all = append(all, occasion{event: event, at: e.Range()})
			}
		}
	})
	return all
}

// isChange reports whether a reference means a change of a norm, rather than an event. A phase's events and norms have dots in their names.
func (l *loader) isChange(way []syntax.Step) bool {
	last := way[len(way)-1]
	if len(way) < 2 || last.Index {
		return false
	}
	_, event := l.events[syntax.Joined(way).Name]
	return !event && (!way[len(way)-2].Index || l.norms[syntax.Joined(way[:len(way)-1]).Name] != nil)
}

// notDay reports a value that is no day.
func (l *loader) notDay(attr *hclsyntax.Attribute) {
	advice := "For a duration write within."
	if v, _ := l.Evaluate(attr.Expr); !v.IsNull() && v.Type() == cty.String {
		if _, lasts := inWords(v); !lasts {
			advice = hclspec.NotDay(v.AsString())
		}
	}
	l.Mistake(diag.BadDuration, attr.Expr.Range(), "A day is expected here, as \"2027-03-31\".", advice)
}

// change reads a change of a norm, as deliver.breached.
func (l *loader) change(way []syntax.Step, at hcl.Range) []occasion {
	whose, last := syntax.Joined(way[:len(way)-1]), way[len(way)-1]
	other := l.norms[whose.Name]
	if whose.Name == "contract" && !whose.Indexed && other == nil {
		return l.endOf(last, at)
	}
	if other == nil {
		if l.families[whose.Name] != nil || l.documents.specs[whose.Name] != nil {
			l.unknownEvent(syntax.Ref{Name: whose.Name + "." + last.Text, At: at}, "")
			return nil
		}
		l.Unknown(whose.At, fmt.Sprintf("There is no obligation, prohibition, permission or power %q.", whose.Name), whose.Name, l.normNames)
		return nil
	}
	l.Refer(whose.At, other.Range)
	known := other.Kind.Construct().Turns
	if len(other.suspenders) > 0 {
		known = append(slices.Clone(known), construct.Suspended)
	}
	if !slices.Contains(known, last.Text) {
		l.Unknown(last.At, fmt.Sprintf("%q is nothing that comes about in the %s %q.", last.Text, other.Kind, l.written(other.block)),
			last.Text, func() []string { return known })
		return nil
	}
	return []occasion{{norm: other, index: whose.Index, to: last.Text, at: at}}
}

// endOf reads contract.ended, which takes that the contract block says what ends it.
func (l *loader) endOf(what syntax.Step, at hcl.Range) []occasion {
	attr, given := l.endsAttribute()
	switch {
	case what.Text != "ended":
		l.Unknown(what.At, fmt.Sprintf("%q is nothing that comes about in the contract.", what.Text), what.Text, func() []string { return []string{"ended"} })
		return nil
	case !given:
		l.Mistake(diag.MissingAttribute, at, "The contract block does not say what ends the contract.", "Write there ends = [expiry, termination], with the events that do.")
		return nil
	}
	l.Refer(at, attr.NameRange)
	return []occasion{{ended: true, at: at}}
}

// oneRoleEach reports an event that would have two effects on one norm at once. It may fulfil or breach one occurrence and bring about the next.
func (l *loader) oneRoleEach(n *norm) {
	if n.times > 0 {
		l.oneRole(n, n.starts, n.ends)
		l.oneRole(n, n.acts, n.breaches, n.ends)
		return
	}
	l.oneRole(n, n.starts, n.acts, n.breaches, n.ends)
}

func (l *loader) oneRole(n *norm, lists ...[]occasion) {
	seen := map[*hclspec.Event]hcl.Range{}
	for _, list := range lists {
		for _, o := range list {
			if first, again := seen[o.event]; again && o.event != nil {
				l.Mistake(diag.Contradiction, o.at, fmt.Sprintf("Event %q has two parts in the %s %q.", o.event.Name, n.Kind, l.written(n.block)),
					fmt.Sprintf("The other is at %s. It can bring it about, fulfil it, break it or end it: one of these.", diag.At(first)))
				return
			}
			seen[o.event] = o.at
		}
	}
}

// notOfItself reports a norm that would begin or end by its own change: the event of that change already has an effect on it.
func (l *loader) notOfItself(n *norm) {
	for _, o := range slices.Concat(n.starts, n.ends, n.resumes) {
		if o.norm == n {
			l.Mistake(diag.Contradiction, o.at, fmt.Sprintf("The %s %q can't begin or end by what it comes to itself.", n.Kind, l.written(n.block)),
				"One event has one part in it. Name an event that comes later: each time it happens, what was fulfilled or has ended begins anew.")
		}
	}
	if n.answer == n {
		l.Mistake(diag.Contradiction, n.block.Body.Attributes["reparation"].Expr.Range(), fmt.Sprintf("The obligation %q can't be its own reparation.", l.written(n.block)),
			"What is breached stays so. Declare another obligation, and name that.")
	}
}

// ticks returns the number of ticks of a duration, and adds time to the contract; 0 after a mistake.
func (l *loader) ticks(attribute string, e hclsyntax.Expression, v cty.Value) int {
	switch {
	case l.countsTicks(e, v):
		return 0
	case !v.IsNull() && v.Type() == cty.String:
		return l.lengthInTicks(attribute, e, v.AsString())
	case v.IsNull() || v.Type() != cty.Number:
		l.Mistake(diag.WrongType, e.Range(), attribute+" must be a duration: a number of ticks, or a text such as \"30 days\".", "This is "+expr.Describe(v)+".")
		return 0
	}
	f := v.AsBigFloat()
	unit, measure := cmp.Or(l.unit, "tick"), "tick"
	if l.unit != "" {
		measure = "unit"
	}
	n, exact := f.Int64()
	if !f.IsInt() || exact != 0 || n < 1 || n > maxDuration {
		advice := ""
		switch {
		case f.Cmp(big.NewFloat(maxDuration)) > 0:
			advice = fmt.Sprintf("Use a longer %s.", measure)
		case !f.IsInt() && f.Sign() > 0:
			advice = fmt.Sprintf("Use a shorter %s.", measure)
		}
		l.Mistake(diag.BadDuration, e.Range(), fmt.Sprintf("%s must be a whole number of %ss, 1 to %d; this is %s.", attribute, unit, maxDuration, f.Text('g', 10)), advice)
		return 0
	}
	if l.unit != "" {
		l.Mistake(diag.BadDuration, e.Range(), fmt.Sprintf("%s has no unit, and other durations of this contract have one.", attribute), fmt.Sprintf("Write it as %q, say.", duration.Length{N: int(n), Unit: l.unit}))
		return 0
	}
	l.needTime(e.Range())
	return int(n)
}

// over reads the runs that a requirement is about: over = ideal.
func (l *loader) over(b *hclsyntax.Block, f *hclspec.Formula) {
	attr, given := b.Body.Attributes["over"]
	if !given {
		return
	}
	name, r, ok := l.Reference(attr.Expr, "a kind of run")
	switch {
	case !ok || name == "all":
	case name != "ideal":
		l.Unknown(r, fmt.Sprintf("There are no %q runs.", name), name, func() []string { return []string{"all", "ideal"} })
	case f != nil:
		f.Ideal = true
	}
}

// isNormWord reports whether an accept block means a norm by a word, rather than a party of that name.
func (l *loader) isNormWord(word string) bool {
	return construct.IsNorm(word) && l.families[word] == nil
}
