package load

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/expr"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// A part records how one party, or several of a kind, take part in an event.
type part struct {
	scopes []*scope
	how    how
	label  string
	made   bool      // it is by this party, which needs no transition of its own for it
	named  string    // the party, as Part has it
	or     []string  // likewise
	at     hcl.Range // of the label
	whole  hcl.Range // of the value
}

// how selects the instances that take part.
type how uint8

const (
	single   how = iota // one party, or one that is named
	withEach            // each(L): one event for each
	withAny             // any(L): one event, with any one of them
	withAll             // all(L): one event, with all of them together
)

var howWords = []string{"", "each", "any", "all"}

// declareEvent makes the event, or one for each instance that takes part separately.
func (l *loader) declareEvent(b *hclsyntax.Block) {
	before := len(l.Diags)
	parts, whole := l.parts(b)
	all := l.separately(b, parts)
	l.Nameless = !whole || len(l.Diags) > before
	defer func() { l.Nameless = false }()
	kept := len(all) > 0 && l.affordableEvent(b, parts, len(all))
	if !whole || !kept {
		l.Dropped[b.Labels[0]] = true
	}
	if !kept {
		return
	}
	at := 0
	l.forEach(all, func(in instance) {
		e := &hclspec.Event{Prose: l.Prose(b.Body), Name: in.called(b.Labels[0]), Of: b.Labels[0], Range: syntax.HeaderRange(b)}
		e.Ways, e.Parts = ways(parts, at), written(parts)
		if syntax.IsOwnAct(b) && e.Title != "" {
			e.Title = doers(parts) + ": " + e.Title
		}
		l.once(e, b)
		l.byItself(e, b)
		l.spec.Events = append(l.spec.Events, e)
		at++
	})
}

// doers names those of whom any one does an event.
func doers(parts []part) string {
	var all []string
	for _, p := range parts {
		for _, s := range p.scopes {
			all = append(all, cmp.Or(s.party.Title, s.party.Name))
		}
	}
	if all = slices.Compact(all); len(all) > 3 {
		all = []string{all[0], "another"}
	}
	return strings.Join(all, " or ")
}

// written returns the participants of an event as the source has them.
func written(parts []part) []hclspec.Part {
	var all []hclspec.Part
	for _, p := range parts {
		q := hclspec.Part{Party: p.named, Or: p.or, How: howWords[p.how], Label: p.label}
		if p.made {
			q.Label = ""
		}
		all = append(all, q)
	}
	return all
}

// separately returns the instances of an event: those of the parties that take part each separately. Several such parties go in step.
func (l *loader) separately(b *hclsyntax.Block, parts []part) []instance {
	var first *part
	for i, p := range parts {
		if p.how != withEach {
			continue
		}
		if first == nil {
			first = &parts[i]
			continue
		}
		if a, c := indicesOf(first.scopes), indicesOf(p.scopes); !slices.Equal(a, c) {
			l.Mistake(diag.WhichInstances, p.whole, fmt.Sprintf("Event %q cannot happen with each of %s and each of %s.",
				b.Labels[0], first.scopes[0].party.Of, p.scopes[0].party.Of),
				fmt.Sprintf("Two each in one event go in step, so both need the same indices; these are %s and %s.", listed(a), listed(c)))
			return nil
		}
	}
	if first == nil {
		return []instance{{}}
	}
	return instancesOf(first.scopes)
}

// listed joins a few names for a message.
func listed(all []string) string {
	if len(all) > 3 {
		return fmt.Sprintf("%s to %s", all[0], all[len(all)-1])
	}
	return strings.Join(all, ", ")
}

// affordableEvent charges the labels that an event expands to, and reports whether the limit holds. It runs before any are made.
func (l *loader) affordableEvent(b *hclsyntax.Block, parts []part, n int) bool {
	width, choices := 0, max(n, 1)
	for _, p := range parts {
		switch p.how {
		case withAny:
			choices = expr.BoundedProduct(choices, len(p.scopes))
			width++
		case withAll:
			width += len(p.scopes)
		default:
			width++
		}
	}
	size := expr.BoundedProduct(choices, width)
	if l.expanded+size > maxExpanded {
		l.Mistake(diag.Expansion, syntax.HeaderRange(b), fmt.Sprintf("Event %q expands to %d labels, which are too many.", b.Labels[0], size),
			fmt.Sprintf("Instances of parties and events together have at most %d places, transitions and labels.", maxExpanded))
		return false
	}
	l.expanded += size
	return true
}

// ways returns the ways in which the event's instance at an index can happen, one for each choice of parties that take part as any.
func ways(parts []part, at int) [][]hclspec.Sync {
	all := [][]hclspec.Sync{nil}
	for _, p := range parts {
		var longer [][]hclspec.Sync
		for _, way := range all {
			for _, choice := range p.choices(at) {
				longer = append(longer, slices.Concat(way, choice))
			}
		}
		all = longer
	}
	return all
}

// choices returns the sets of scopes that may take part together, as syncs.
func (p part) choices(at int) [][]hclspec.Sync {
	switch p.how {
	case withEach:
		return [][]hclspec.Sync{p.syncs(p.scopes[at])}
	case withAny:
		var all [][]hclspec.Sync
		for _, s := range p.scopes {
			all = append(all, p.syncs(s))
		}
		return all
	}
	return [][]hclspec.Sync{p.syncs(p.scopes...)}
}

func (p part) syncs(scopes ...*scope) []hclspec.Sync {
	var all []hclspec.Sync
	for _, s := range scopes {
		all = append(all, hclspec.Sync{Party: s.party, Label: p.label, Range: p.at})
	}
	return all
}

// parts reads who takes part in an event, and reports whether all of it could be read.
func (l *loader) parts(b *hclsyntax.Block) (all []part, whole bool) {
	by, done := b.Body.Attributes["by"]
	sync, synced := b.Body.Attributes["sync"]
	_, itself := b.Body.Attributes["after"]
	switch {
	case itself && !l.canBeItself(b):
		return nil, false
	case itself && !synced:
		return nil, true
	case !done && !synced:
		l.Lacking(b.Body, syntax.HeaderRange(b), fmt.Sprintf("Event %q has neither by nor sync.", b.Labels[0]),
			"Write by = PARTY: who does it; or sync = { PARTY = TRANSITION }: who takes part, and by which transition.")
		return nil, false
	}
	if attr, given := b.Body.Attributes["repeats"]; given && !done {
		l.Mistake(diag.Contradiction, attr.NameRange, fmt.Sprintf("Event %q has repeats, but no by.", b.Labels[0]),
			"Without by it happens as often as the transitions of its parties let it.")
	}
	seen := map[*scope]hcl.Range{}
	whole = true
	if done {
		all, whole = l.by(b, by.Expr, seen)
	}
	if synced {
		more, ok := l.sync(b, sync, seen)
		all, whole = append(all, more...), whole && ok
	}
	return all, whole
}

// by reads who does an event: a party, or a list of which all do it together.
func (l *loader) by(b *hclsyntax.Block, e hclsyntax.Expression, seen map[*scope]hcl.Range) (all []part, whole bool) {
	items := 0
	syntax.EachOf(e, func(e hclsyntax.Expression) {
		items++
		which, called := e, false
		if call, ok := e.(*hclsyntax.FunctionCallExpr); ok && call.Name == howWords[withAny] && len(call.Args) > 1 {
			if p, ok := l.either(b, call, seen); ok {
				all = append(all, p)
			}
			return
		} else if ok && len(call.Args) == 1 {
			which, called = call.Args[0], true
		}
		ref, scopes := l.doer(which, seen)
		if len(scopes) == 0 {
			return
		}
		ok, before := true, len(l.Diags)
		p := part{scopes: scopes, named: ref.String(), whole: e.Range(), at: syntax.HeaderRange(b), label: b.Labels[0] + "!", made: true}
		several := l.families[ref.Name].many && !ref.Indexed
		if p.how, ok = l.instancesBy(e, ref, several, called, l.Generated[b].Phase != ""); !ok {
			if syntax.IsOwnAct(b) { // it is said of the bearer
				l.Diags = l.Diags[:before]
			}
			return
		}
		for _, s := range scopes {
			s.act(b)
		}
		all = append(all, p)
	})
	if items == 0 {
		l.Mistake(diag.MissingAttribute, e.Range(), fmt.Sprintf("Event %q is done by nobody.", b.Labels[0]), "Name at least one: by = PARTY.")
	}
	return all, len(all) == items && items > 0
}

// doer reads a party that does an event. It returns no scopes after a mistake.
func (l *loader) doer(e hclsyntax.Expression, seen map[*scope]hcl.Range) (syntax.Ref, []*scope) {
	ref, ok := l.partyRef(e, "a party")
	if !ok {
		return ref, nil
	}
	scopes := l.find(ref)
	if len(scopes) == 0 || !l.apart(seen, ref, scopes, "") {
		return ref, nil
	}
	l.Refer(ref.At, scopes[0].party.Range)
	if scopes[0].party.IsNet {
		l.Mistake(diag.WrongKind, ref.At, fmt.Sprintf("%q is a net: nobody acts for it, so nothing is done by it.", l.written(scopes[0].block)),
			"Name a party, and let the net take part with sync.")
		return ref, nil
	}
	return ref, scopes
}

// either reads any(seller, buyer): one of these parties does the event, whichever it is. Of several of a kind it takes any of them, too.
func (l *loader) either(b *hclsyntax.Block, call *hclsyntax.FunctionCallExpr, seen map[*scope]hcl.Range) (part, bool) {
	p := part{how: withAny, whole: call.Range(), at: syntax.HeaderRange(b), label: b.Labels[0] + "!", made: true}
	for _, arg := range call.Args {
		ref, scopes := l.doer(arg, seen)
		if len(scopes) == 0 {
			return part{}, false
		}
		if p.scopes = append(p.scopes, scopes...); p.named == "" {
			p.named = ref.String()
		} else {
			p.or = append(p.or, ref.String())
		}
	}
	for _, s := range p.scopes {
		s.act(b)
	}
	return p, true
}

// instancesBy reads which of several do an event: each(P), any(P), all(P).
func (l *loader) instancesBy(e hclsyntax.Expression, ref syntax.Ref, several, called, phase bool) (how, bool) {
	name := l.written(l.families[ref.Name].block)
	call, _ := e.(*hclsyntax.FunctionCallExpr)
	switch {
	case called && !slices.Contains(howWords[1:], call.Name):
		l.Mistake(diag.UnknownFunction, call.NameRange, fmt.Sprintf("There is no function %q in by.", call.Name), l.Guess(call.Name, howWords[1:]))
	case called && !several && !(phase && !ref.Indexed):
		l.Mistake(diag.WhichInstances, e.Range(), fmt.Sprintf("There is only one %q here.", ref), fmt.Sprintf("%s(...) is for several of a kind: write %s without it.", call.Name, ref))
	case !called && several:
		l.Mistake(diag.WhichInstances, e.Range(), fmt.Sprintf("There are several of %q: say which of them do it.", name),
			fmt.Sprintf("all(%s): all together; any(%[1]s): any one of them; each(%[1]s): each by itself, as an event of its own; %[1]s[...]: this one.", name))
	case called && several:
		return how(slices.Index(howWords, call.Name)), true
	default:
		return single, true
	}
	return single, false
}

// act adds the transition by which a party does an event. It changes nothing in the party.
func (s *scope) act(b *hclsyntax.Block) {
	name := b.Labels[0]
	t := &hclspec.Transition{Name: name + "!", Label: name + "!", Made: true, Range: syntax.HeaderRange(b)}
	if _, taken := s.transitions[name]; !taken {
		t.Of = name
	}
	s.party.Transitions = append(s.party.Transitions, t)
}

// once lets an event that says who does it happen once, unless it repeats.
func (l *loader) once(e *hclspec.Event, b *hclsyntax.Block) {
	if _, done := b.Body.Attributes["by"]; !done || l.Truth(b.Body, "repeats") {
		return
	}
	net := onceNet(e, e.Name+"!")
	l.happens(e, net, net.Places[0], net.Places[1])
}

// happens makes a net of its own take part in an event, by a transition between two of its states.
func (l *loader) happens(e *hclspec.Event, net *hclspec.Party, from, to *hclspec.Place) {
	net.Transitions = []*hclspec.Transition{{Name: "happen", Label: "happen", Passive: true, Made: true, Consume: []*hclspec.Place{from}, Produce: []*hclspec.Place{to}, Range: e.Range}}
	l.spec.Parties = append(l.spec.Parties, net)
	e.Join(net, "happen")
}

// onceNet returns a net that says whether an event has happened.
func onceNet(e *hclspec.Event, name string) *hclspec.Party {
	net := madeNet("event", name, "", e.Range)
	addState(net, "before", "has not happened")
	addState(net, "after", "has happened")
	return net
}

// canBeItself reports whether an event with after may happen by itself, and reports the mistake otherwise.
func (l *loader) canBeItself(b *hclsyntax.Block) bool {
	after := b.Body.Attributes["after"]
	for _, word := range []string{"by", "repeats", "not_before", "within"} {
		if attr, given := b.Body.Attributes[word]; given {
			why := map[string]string{"by": "so nobody does it", "repeats": "and can do so again and again"}[word]
			l.Mistake(diag.Contradiction, attr.NameRange, fmt.Sprintf("Event %q happens by itself when its time is over, %s.", b.Labels[0], cmp.Or(why, "at that moment")),
				fmt.Sprintf("Drop %s, or drop after.", word))
			return false
		}
	}
	if l.spec.Firing == hclspec.FireAll {
		l.Mistake(diag.Contradiction, after.NameRange, fmt.Sprintf("Event %q happens before all else once it is due, so nothing can happen at one moment with it.", b.Labels[0]),
			"Drop after, or drop firing = all from the contract block.")
		return false
	}
	return true
}

// byItself gives an event that happens by itself a net that says whether it is due.
func (l *loader) byItself(e *hclspec.Event, b *hclsyntax.Block) {
	if _, itself := b.Body.Attributes["after"]; !itself {
		return
	}
	net := madeNet("event", e.Name+"!", "event "+e.Name, e.Range)
	e.Due = &hclspec.Due{Not: addState(net, construct.NotDue, "is not due"), Now: addState(net, construct.Due, "is due")}
	l.happens(e, net, e.Due.Now, e.Due.Not)
}

// sync reads the labels of an event by party, and reports whether all items could be read.
func (l *loader) sync(b *hclsyntax.Block, attr *hclsyntax.Attribute, seen map[*scope]hcl.Range) (all []part, whole bool) {
	object, ok := attr.Expr.(*hclsyntax.ObjectConsExpr)
	if !ok {
		l.Mistake(diag.NotAReference, attr.Expr.Range(), "A party in braces is expected here.", "Write it in braces: { name = value }.")
		return nil, false
	}
	if len(object.Items) == 0 {
		l.Mistake(diag.MissingAttribute, attr.Expr.Range(), fmt.Sprintf("Event %q concerns no party.", b.Labels[0]),
			"Name at least one: sync = { PARTY = TRANSITION }.")
	}
	for _, item := range object.Items {
		if p, ok := l.syncOne(b, seen, item); ok {
			all = append(all, p)
		}
	}
	return all, len(all) == len(object.Items)
}

// syncOne reads the part of one party in an event.
func (l *loader) syncOne(b *hclsyntax.Block, seen map[*scope]hcl.Range, item hclsyntax.ObjectConsItem) (part, bool) {
	ref, ok := l.partyRef(item.KeyExpr, "a party")
	if !ok {
		return part{}, false
	}
	scopes := l.find(ref)
	hint := ""
	if by, given := b.Body.Attributes["by"]; given && len(scopes) > 0 && by.Expr.Range().ContainsPos(seen[scopes[0]].Start) {
		hint = " Who takes part by sync does it, too: leave it out of by."
	}
	if len(scopes) == 0 || !l.apart(seen, ref, scopes, hint) {
		return part{}, false
	}
	l.Refer(ref.At, scopes[0].party.Range)
	p := part{scopes: scopes, named: ref.String(), whole: item.ValueExpr.Range()}
	if p.how, p.label, p.at, ok = l.participation(ref, item.ValueExpr, l.Generated[b].Phase != ""); !ok {
		return part{}, false
	}
	s := scopes[0] // labels are the same in all of them
	if ref.Indexed {
		s = l.families[ref.Name].scopes[0] // the first instance is always connected
	}
	if !s.labels[p.label] {
		if !s.vague && !l.Dropped[p.label] {
			l.Mistake(diag.EventMissingLabel, p.at,
				fmt.Sprintf("Event %q can never happen: %s %q has no transition %q.", b.Labels[0], s.block.Type, s.party.Of, p.label),
				cmp.Or(s.otherLabel(p.label), s.without(), s.noTransition(p.label)+l.Hint(p.label, func() []string { return s.labelNames })))
			s.vague = len(s.labelNames) == 0 // one mistake, one message
		}
		return part{}, false
	}
	return p, true
}

// apart reports whether no scope takes part twice. Otherwise it reports the mistake, with a hint after it.
func (l *loader) apart(seen map[*scope]hcl.Range, ref syntax.Ref, scopes []*scope, hint string) bool {
	for _, s := range scopes {
		if first, again := seen[s]; again {
			l.Mistake(diag.DuplicateName, ref.At, fmt.Sprintf("%q stands here twice.", s.party.Name), fmt.Sprintf("It was first used at %s.", diag.At(first))+hint)
			return false
		}
		seen[s] = ref.At
	}
	return true
}

// participation reads a label, or each(L), any(L), all(L), as the number of the party requires. In a phase these three are also allowed for a
// role that a single party plays: the template does not know how many there are.
func (l *loader) participation(ref syntax.Ref, e hclsyntax.Expression, phase bool) (how, string, hcl.Range, bool) {
	call, called := e.(*hclsyntax.FunctionCallExpr)
	several := l.families[ref.Name].many && !ref.Indexed
	ref.Name = l.written(l.families[ref.Name].block)
	switch {
	case called && !slices.Contains(howWords, call.Name):
		l.Mistake(diag.UnknownFunction, call.NameRange, fmt.Sprintf("There is no function %q in sync.", call.Name), cmp.Or(l.Guess(call.Name, howWords[1:]), everyHow(ref.Name, "Label")))
		return single, "", e.Range(), false
	case called && len(call.Args) != 1:
		l.Mistake(diag.NotAReference, e.Range(), fmt.Sprintf("The name of one label of %s is expected in the brackets.", ref.Name),
			fmt.Sprintf("Write %s(Label).", call.Name))
		return single, "", e.Range(), false
	case called && !several && !(phase && !ref.Indexed):
		l.Mistake(diag.WhichInstances, e.Range(), fmt.Sprintf("There is only one %q here.", ref), fmt.Sprintf("%s(...) is for several of a kind: write %s without it.", call.Name, ref))
		return single, "", e.Range(), false
	case !called && several:
		l.Mistake(diag.WhichInstances, e.Range(), fmt.Sprintf("There are several of %q: say which of them take part.", ref.Name), everyHow(ref.Name, cmp.Or(hcl.ExprAsKeyword(e), "Label")))
		return single, "", e.Range(), false
	}
	which := single
	if called {
		e = call.Args[0]
	}
	if called && several {
		which = how(slices.Index(howWords, call.Name))
	}
	label, at, ok := l.Reference(e, "a label of "+ref.Name)
	return which, label, at, ok
}

// everyHow returns the hint that lists the ways in which several of a kind can take part by a label.
func everyHow(party, label string) string {
	return fmt.Sprintf("all(%s): all together; any(%[1]s): any one of them; each(%[1]s): each by itself, as an event of its own; %s[...] = %[1]s: this one.", label, party)
}
