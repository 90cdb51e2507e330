package hclspec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/construct"
)

// contract reads the one contract block.
func (l *loader) contract(blocks []*hclsyntax.Block) {
	for _, b := range blocks {
		switch {
		case b.Type != "contract":
		case l.header != nil:
			l.mistake(codeDuplicateName, headerRange(b), "This directory has a second contract block.",
				fmt.Sprintf("The first is at %s. A directory is one contract.", place(l.header.DefRange())))
		default:
			l.header = b
			l.readHeader(b)
		}
	}
	if l.header == nil && !l.met["contract"] {
		l.mistake(codeEmptyContract, fileRange(l.order[0]), "There is no contract block.",
			"One of the files needs contract \"name\" { ... }.")
	}
}

func (l *loader) readHeader(b *hclsyntax.Block) {
	l.validName("contract", b.Labels[0], b.LabelRanges[0])
	l.spec.Name, l.spec.Range = b.Labels[0], headerRange(b)
	l.spec.Prose = l.prose(b.Body)
	l.spec.Final = l.formula(b.Body, "final", CTL)
	if attr, given := b.Body.Attributes["firing"]; given {
		l.spec.Firing = l.firing(attr.Expr)
	}
}

func (l *loader) firing(e hclsyntax.Expression) Firing {
	name, r, ok := l.reference(e, "a firing rule")
	switch {
	case !ok || name == "one":
	case name == "all":
		return FireAll
	default:
		l.unknown(r, fmt.Sprintf("There is no firing rule %q.", name), name, func() []string { return []string{"one", "all"} })
	}
	return FireOne
}

// declareParties reads parties and their places; transitions wait until all places are known.
func (l *loader) declareParties(blocks []*hclsyntax.Block) {
	taken := names{}
	for _, b := range blocks {
		if b.Type != "party" && b.Type != "net" {
			continue
		}
		name := b.Labels[0]
		if slices.Contains(construct.Roots, name) {
			l.mistake(codeReservedName, b.LabelRanges[0], fmt.Sprintf("%q cannot be the name of a %s.", name, b.Type),
				"These words mean something else: "+strings.Join(construct.Roots, ", ")+".")
			continue
		}
		if l.declareOwn(taken, b) {
			l.declareFamily(b)
		}
	}
	if len(l.order) > 0 && !l.met["party"] && !l.met["net"] && l.header != nil {
		l.mistake(codeEmptyContract, headerRange(l.header), fmt.Sprintf("The contract %q has no parties.", l.spec.Name),
			"A contract needs at least one party \"name\" { ... }.")
	}
}

func (l *loader) declareParty(b *hclsyntax.Block, in instance) *scope {
	name := b.Labels[0]
	s := &scope{
		party: &Party{Name: in.called(name), Of: name, Index: in.index, IsNet: b.Type == "net", Prose: l.prose(b.Body), Range: headerRange(b)},
		block: b, instance: in, taken: names{}, transitions: names{},
		places: map[string]*Place{}, flags: map[string]pair{}, counters: map[string]*counter{}, labels: map[string]bool{},
	}
	s.party.Plays = l.player(b, in)
	for _, inner := range b.Body.Blocks {
		l.declarePlace(s, inner)
	}
	l.spec.Parties = append(l.spec.Parties, s.party)
	l.scopes[s.party.Name] = s
	return s
}

// player is the party that plays a role: the one, or of several the one of the same index; empty for what is no
// role. Of a role that is itself several, all are played by one.
func (l *loader) player(b *hclsyntax.Block, in instance) string {
	player := l.generated[b].player
	switch {
	case player == nil:
		return ""
	case several(player) != nil:
		return in.called(player.Labels[0])
	}
	return player.Labels[0]
}

func (l *loader) declarePlace(s *scope, b *hclsyntax.Block) {
	if b.Type == "transition" || !l.declareOwn(s.taken, b) {
		return
	}
	p := Place{Prose: l.prose(b.Body), Name: b.Labels[0], Range: headerRange(b)}
	switch b.Type {
	case "state":
		p.Exposed = l.exposed(s, b.Body)
		p.Kind, p.Marked = State, len(s.known[knownStates]) == 0
		s.add(p, knownStates)
	case "place":
		p.Marked, p.Exposed = l.truth(b.Body, "marked"), l.exposed(s, b.Body)
		l.holds(s, &p, b.Body)
		s.add(p, knownPlaces)
	case "counter":
		l.declareCounter(s, p, b)
	case "flag":
		l.declareFlag(s, p, l.truth(b.Body, "initial"), b.LabelRanges[0])
	}
}

// exposed reads whether a party at this place has performed and not been performed for.
func (l *loader) exposed(s *scope, body *hclsyntax.Body) bool {
	attr, given := body.Attributes["exposed"]
	if given && s.party.IsNet {
		l.mistake(codeUnknownAttribute, attr.NameRange, fmt.Sprintf("There is no attribute \"exposed\" in net %q: it is nobody, and nobody is exposed.", l.called(s)),
			"Only parties perform and are performed for. Say it of a state or place of the party that waits.")
		return false
	}
	return l.truth(body, "exposed")
}

func (l *loader) declareFlag(s *scope, p Place, initial bool, r hcl.Range) {
	p.Flag = p.Name
	yes, no := p, p
	yes.Name, yes.Kind, yes.Marked = p.Name+"_T", FlagTrue, initial
	no.Name, no.Kind, no.Marked = p.Name+"_F", FlagFalse, !initial
	free := l.vacant(s.taken, "flag's place", yes.Name, r)
	if !l.vacant(s.taken, "flag's place", no.Name, r) || !free {
		l.dropped[p.Name] = true
		return
	}
	s.party.Places = append(s.party.Places, &yes, &no)
	s.places[yes.Name], s.places[no.Name] = &yes, &no
	s.flags[p.Name] = pair{&yes, &no}
	s.known[knownFlags] = append(s.known[knownFlags], p.Name)
}

// missing reports a name that is not what is wanted here: it may be something else, or nothing.
func (l *loader) missing(s *scope, name string, r hcl.Range, wanted ...int) {
	what := strings.TrimSuffix(kindNames[wanted[0]], "s")
	whose := fmt.Sprintf("%s %q", s.block.Type, l.called(s))
	if detail := s.otherKind(name); detail != "" {
		l.mistake(codeWrongKind, r, fmt.Sprintf("%q is not a %s of %s.", name, what, whose), detail)
		return
	}
	if l.dropped[name] {
		return
	}
	detail := fmt.Sprintf("It has no %s at all.", kindNames[wanted[0]])
	if slices.ContainsFunc(wanted, func(kind int) bool { return len(s.known[kind]) > 0 }) {
		detail = l.hint(name, func() []string { return s.knownOf(wanted) })
	}
	l.mistake(codeUnknownName, r, fmt.Sprintf("There is no %s %q in %s.", what, name, whose), detail)
}

// called is a party's name where its block stands: in a template, its role.
func (l *loader) called(s *scope) string { return l.written(s.block) }

// written is the name a block's header has: without the phase's name where it stands in a template.
func (l *loader) written(b *hclsyntax.Block) string {
	if o := l.generated[b]; o.phase != "" {
		return o.name
	}
	return b.Labels[0]
}

// declareOwn declares the name of a block that a drafter or a phase wrote. The name from a phase has the phase's before it.
func (l *loader) declareOwn(n names, b *hclsyntax.Block) bool {
	if l.generated[b].phase == "" {
		return l.declareBlock(n, b)
	}
	l.ask()
	return l.vacant(n, b.Type, b.Labels[0], b.LabelRanges[0])
}
