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
	"github.com/redlinehq/redline/hclspec/phase"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// contract reads the one contract block.
func (l *loader) contract(blocks []*hclsyntax.Block) {
	for _, b := range blocks {
		switch {
		case b.Type != "contract":
		case l.header != nil:
			l.Mistake(diag.DuplicateName, syntax.HeaderRange(b), "This directory has a second contract block.",
				fmt.Sprintf("The first is at %s. A directory is one contract.", diag.At(l.header.DefRange())))
		default:
			l.header = b
			l.readHeader(b)
		}
	}
}

// refuseEmpty reports a contract in which nothing can be the case: without a header, without parties, or with parties that all lack states.
// A party without states beside others is sound, since norms may be borne by it or owed to it. Call it last, and only for a text without other
// mistakes: they come first, and the missing part may be what they are about.
func (l *loader) refuseEmpty() {
	const add = "Beside the contract block, add party \"seller\" { ... } and, on a line of its own within the braces, state \"S0\" {}."
	switch {
	case l.header == nil:
		l.Mistake(diag.EmptyContract, syntax.FileRange(l.Order[0]), "There is no contract block.",
			"One of the files needs contract \"name\" { ... }.")
	case len(l.spec.Parties) == 0:
		l.Mistake(diag.EmptyContract, syntax.HeaderRange(l.header), fmt.Sprintf("Contract %q has no party.", l.spec.Name), add)
	case !slices.ContainsFunc(l.spec.Parties, func(p *hclspec.Party) bool { return len(p.Places) > 0 }):
		l.Mistake(diag.EmptyContract, l.spec.Parties[0].Range, fmt.Sprintf("No party of contract %q has a state.", l.spec.Name),
			fmt.Sprintf("Within the braces of %q, add state \"S0\" {} on a line of its own.", l.spec.Parties[0].Of))
	}
}

func (l *loader) readHeader(b *hclsyntax.Block) {
	l.ValidName("contract", b.Labels[0], b.LabelRanges[0])
	l.spec.Name, l.spec.Range = b.Labels[0], syntax.HeaderRange(b)
	l.spec.Prose = l.Prose(b.Body)
	l.spec.Final = l.Formula(b.Body, "final", hclspec.CTL)
	l.readCalendar(b.Body)
	l.readStart(b.Body)
	if attr, given := b.Body.Attributes["firing"]; given {
		l.spec.Firing = l.firing(attr.Expr)
	}
}

func (l *loader) firing(e hclsyntax.Expression) hclspec.Firing {
	name, r, ok := l.Reference(e, "a firing rule")
	switch {
	case !ok || name == "one":
	case name == "all":
		return hclspec.FireAll
	default:
		l.Unknown(r, fmt.Sprintf("There is no firing rule %q.", name), name, func() []string { return []string{"one", "all"} })
	}
	return hclspec.FireOne
}

// declareParties reads parties and their places. Transitions are read once all places are known.
func (l *loader) declareParties(blocks []*hclsyntax.Block) {
	taken := syntax.Names{}
	for _, b := range blocks {
		if b.Type != "party" && b.Type != "net" {
			continue
		}
		name := b.Labels[0]
		if slices.Contains(construct.Roots, name) {
			l.Reserved(construct.Roots, b.Type, name, b.LabelRanges[0])
			continue
		}
		if l.declareOwn(taken, b) {
			l.declareFamily(b)
		}
	}
}

// declareParty makes one instance of a party or net with its places.
func (l *loader) declareParty(b *hclsyntax.Block, in instance) *scope {
	name := b.Labels[0]
	s := &scope{
		party: &hclspec.Party{Name: in.called(name), Of: name, Index: in.index, IsNet: b.Type == "net", Prose: l.Prose(b.Body), Range: syntax.HeaderRange(b)},
		block: b, instance: in, taken: syntax.Names{}, transitions: syntax.Names{},
		places: map[string]*hclspec.Place{}, flags: map[string]pair{}, counters: map[string]*counter{}, labels: map[string]bool{},
	}
	s.party.Plays = l.player(b, in)
	for _, inner := range b.Body.Blocks {
		l.declarePlace(s, inner)
	}
	l.spec.Parties = append(l.spec.Parties, s.party)
	l.scopes[s.party.Name] = s
	return s
}

// player returns the party that plays a role; empty if the block is no role. If the party is several, the one that the phase names plays, or that with the same index. If
// only the role is several, one party plays all of them.
func (l *loader) player(b *hclsyntax.Block, in instance) string {
	player, index := l.Generated[b].Player, l.Generated[b].Index
	switch {
	case player == nil:
		return ""
	case index != "":
		return player.Labels[0] + "[" + index + "]"
	case phase.Several(player) != nil:
		return in.called(player.Labels[0])
	}
	return player.Labels[0]
}

func (l *loader) declarePlace(s *scope, b *hclsyntax.Block) {
	if b.Type == "transition" || !l.declareOwn(s.taken, b) {
		return
	}
	p := hclspec.Place{Prose: l.Prose(b.Body), Name: b.Labels[0], Range: syntax.HeaderRange(b)}
	switch b.Type {
	case "state":
		p.Exposed = l.exposed(s, b.Body)
		p.Kind, p.Marked = hclspec.State, len(s.known[knownStates]) == 0
		s.add(p, knownStates)
	case "place":
		p.Marked, p.Exposed = l.Truth(b.Body, "marked"), l.exposed(s, b.Body)
		l.holds(s, &p, b.Body)
		s.add(p, knownPlaces)
	case "counter":
		l.declareCounter(s, p, b)
	case "flag":
		l.declareFlag(s, p, l.Truth(b.Body, "initial"), b.LabelRanges[0])
	}
}

// exposed reads whether a party at this place has performed and not been performed for. A net cannot be exposed.
func (l *loader) exposed(s *scope, body *hclsyntax.Body) bool {
	attr, given := body.Attributes["exposed"]
	if given && s.party.IsNet {
		l.Mistake(diag.UnknownAttribute, attr.NameRange, fmt.Sprintf("There is no attribute \"exposed\" in net %q: it is nobody, and nobody is exposed.", l.called(s)),
			"Only parties perform and are performed for. Say it of a state or place of the party that waits.")
		return false
	}
	return l.Truth(body, "exposed")
}

func (l *loader) declareFlag(s *scope, p hclspec.Place, initial bool, r hcl.Range) {
	p.Flag = p.Name
	yes, no := p, p
	yes.Name, yes.Kind, yes.Marked = p.Name+"_T", hclspec.FlagTrue, initial
	no.Name, no.Kind, no.Marked = p.Name+"_F", hclspec.FlagFalse, !initial
	free := l.Vacant(s.taken, "flag's place", yes.Name, r)
	if !l.Vacant(s.taken, "flag's place", no.Name, r) || !free {
		l.Dropped[p.Name] = true
		return
	}
	s.party.Places = append(s.party.Places, &yes, &no)
	s.places[yes.Name], s.places[no.Name] = &yes, &no
	s.flags[p.Name] = pair{&yes, &no}
	s.known[knownFlags] = append(s.known[knownFlags], p.Name)
}

// followEvents reads what leads to states, since = payment or a list, and what changes counters. The party comes to such a state from whatever state it
// is in.
func (l *loader) followEvents() {
	l.everyScope(func(s *scope) {
		l.followIn(s)
		l.recountIn(s)
	})
}

func (l *loader) followIn(s *scope) {
	led := map[*hclspec.Event]hcl.Range{}
	for _, b := range s.block.Body.Blocks {
		attr, given := b.Body.Attributes["since"]
		to := s.places[firstLabel(b)]
		if b.Type != "state" || !given || to == nil {
			continue
		}
		list := l.ownOf(s, l.occasionsIn(attr.Expr, false))
		for _, o := range list {
			if o.event == nil {
				continue
			}
			if first, again := led[o.event]; again {
				l.Mistake(diag.Contradiction, o.at, fmt.Sprintf("Event %q leads %q to two states at once.", o.event.Name, l.called(s)), fmt.Sprintf("The other is at %s.", diag.At(first)))
				return
			}
			led[o.event] = o.at
		}
		to.Since = occasionNames(list)
		for _, o := range list {
			l.follow(s, o, to)
		}
	}
}

// follow adds the moves by which an occasion leads a party to a state.
func (l *loader) follow(s *scope, o occasion, to *hclspec.Place) {
	if !l.comesAbout(o) {
		return
	}
	for _, by := range l.entries([]occasion{o}) {
		if l.movesItself(s, by.event, o.at) {
			return
		}
		for _, from := range s.party.Places {
			if from.Kind == hclspec.State && from != to {
				l.move(to.Range, by, from, to)
			}
		}
	}
}

// comesAbout reports whether it is known in which ways an occasion comes about. Otherwise a mistake is reported.
func (l *loader) comesAbout(o occasion) bool {
	return o.norm == nil && !o.ended || l.compiled != nil && l.checkNth(o)
}

func firstLabel(b *hclsyntax.Block) string { return append(b.Labels, "")[0] }

// ownOf returns occasions without the events of other instances: where an event happens with each of several, each follows its own.
func (l *loader) ownOf(s *scope, list []occasion) []occasion {
	own := func(o occasion) bool {
		return s.separate(o.event) && o.event.Concerns(s.party)
	}
	return slices.DeleteFunc(slices.Clone(list), func(o occasion) bool {
		return o.event != nil && !own(o) && slices.ContainsFunc(list, func(p occasion) bool { return own(p) && p.event.Of == o.event.Of })
	})
}

// movesItself reports an event in which the party already leaves or enters a state by a transition of its own.
func (l *loader) movesItself(s *scope, e *hclspec.Event, at hcl.Range) bool {
	t := s.movedBy(e, func(p *hclspec.Place) bool { return p.Kind == hclspec.State })
	if t != nil {
		l.Mistake(diag.Contradiction, at, fmt.Sprintf("In event %q, %q already goes from one state to another: by its transition %q.", e.Name, l.called(s), cmp.Or(t.Of, t.Name)),
			"Drop since, or that transition from the event's sync.")
	}
	return t != nil
}

// movedBy returns a transition of the party that takes part in an event, and moves the token of one of some places; nil if there is none.
func (s *scope) movedBy(e *hclspec.Event, of func(*hclspec.Place) bool) *hclspec.Transition {
	for _, t := range s.party.Transitions {
		label := func(w hclspec.Sync) bool { return w.Party == s.party && w.Label == t.Label }
		if slices.ContainsFunc(e.Ways, func(way []hclspec.Sync) bool { return slices.ContainsFunc(way, label) }) && slices.ContainsFunc(slices.Concat(t.Consume, t.Produce), of) {
			return t
		}
	}
	return nil
}

// missing reports a name that is unknown or of another kind than wanted here.
func (l *loader) missing(s *scope, name string, r hcl.Range, wanted ...int) {
	what := strings.TrimSuffix(kindNames[wanted[0]], "s")
	whose := fmt.Sprintf("%s %q", s.block.Type, l.called(s))
	if detail := s.otherKind(name); detail != "" {
		l.Mistake(diag.WrongKind, r, fmt.Sprintf("%q is not a %s of %s.", name, what, whose), detail)
		return
	}
	if l.Dropped[name] {
		return
	}
	if other := l.owner(name); other != "" {
		l.Mistake(diag.UnknownName, r, fmt.Sprintf("There is no %s %q in %s.", what, name, whose), fmt.Sprintf("%s %s", other, syntax.OwnOnly))
		return
	}
	detail := fmt.Sprintf("It has no %s at all.", kindNames[wanted[0]])
	if slices.ContainsFunc(wanted, func(kind int) bool { return len(s.known[kind]) > 0 }) {
		detail = l.Hint(name, func() []string { return s.knownOf(wanted) })
	}
	l.Mistake(diag.UnknownName, r, fmt.Sprintf("There is no %s %q in %s.", what, name, whose), detail)
}

// owner returns a sentence that names the first party with a name for a state, flag, counter or place; empty if there is none.
func (l *loader) owner(name string) string {
	if !l.Afford(len(l.partyNames)) {
		return ""
	}
	for _, party := range l.partyNames {
		for _, s := range l.families[party].scopes[:min(1, len(l.families[party].scopes))] {
			if _, has := s.taken[name]; has {
				return fmt.Sprintf("%q has one.", party)
			}
		}
	}
	return ""
}

// called returns the name of a party in its block: in a template, the role.
func (l *loader) called(s *scope) string { return l.written(s.block) }

// written returns the name in the source of a block: in a template, without the phase's name.
func (l *loader) written(b *hclsyntax.Block) string {
	if o := l.Generated[b]; o.Phase != "" {
		return o.Name
	}
	return b.Labels[0]
}

// declareOwn declares the name of a block, and reports whether it is free. A name that a phase made is not checked again: it has a dot.
func (l *loader) declareOwn(n syntax.Names, b *hclsyntax.Block) bool {
	if l.Generated[b].Phase == "" {
		return l.DeclareBlock(n, b)
	}
	l.CheckContext()
	return l.Vacant(n, b.Type, b.Labels[0], b.LabelRanges[0])
}
