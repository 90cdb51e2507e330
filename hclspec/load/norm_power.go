package load

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// A power can suspend obligations. The suspension lasts while the power is exercised. It ends with what resumes, after which the power is held
// again, and with the end of the power. Meanwhile an obligation that would be owed is suspended: it can be fulfilled or lifted, it cannot be
// breached, and its clock keeps the ticks left. So an obligation has one place more, and a place for each number of ticks kept. It is suspended
// exactly while it binds and one of its powers is exercised.

// readSuspends reads the obligations that a power suspends. It comes before all else of norms, since any of them may ask for a suspension.
func (l *loader) readSuspends(n *norm) {
	if _, own := n.block.Body.Attributes["suspended_by"]; own {
		n.suspension = &norm{block: n.block, nobodys: true, suspends: []*norm{n}, Norm: &hclspec.Norm{Name: n.Name + "[suspended]", Kind: hclspec.Power, Range: n.Range}}
		n.suspenders = append(n.suspenders, n.suspension)
	}
	attr, given := n.block.Body.Attributes["suspends"]
	if !given {
		return
	}
	syntax.EachOf(attr.Expr, func(e hclsyntax.Expression) {
		if other := l.another(e, "suspends"); other != nil {
			n.suspends, n.Relieves = append(n.suspends, other), append(n.Relieves, other.Norm)
			other.suspenders = append(other.suspenders, n)
		}
	})
}

// readSuspension reads what suspends an obligation by its own words, and what resumes it. That is a power of nobody, which such an occasion exercises.
func (l *loader) readSuspension(n *norm) {
	by, given := n.block.Body.Attributes["suspended_by"]
	resumes, ends := n.block.Body.Attributes["resumes"]
	switch {
	case given && !ends:
		l.Mistake(diag.MissingAttribute, by.NameRange, fmt.Sprintf("It is not said when the obligation %q is owed again.", l.written(n.block)), "Write resumes = EVENT beside it; or until in place of suspended_by, which lifts the obligation for good.")
	case ends && !given:
		l.Mistake(diag.MissingAttribute, resumes.NameRange, fmt.Sprintf("It is not said what suspends the obligation %q.", l.written(n.block)), "Write suspended_by = EVENT beside it.")
	}
	if !given {
		return
	}
	s := n.suspension
	s.acts, s.resumes, s.Survives = l.occasions(n, "suspended_by", false), l.occasions(n, "resumes", false), n.Survives
	for _, o := range slices.Concat(s.acts, s.resumes) {
		if o.norm == n {
			l.Mistake(diag.Contradiction, o.at, fmt.Sprintf("The obligation %q can't be suspended or resumed by what it comes to itself.", l.written(n.block)), "Name an event.")
		}
	}
	l.oneRole(n, s.acts, s.resumes)
}

// readResumes reads what ends a suspension by a power.
func (l *loader) readResumes(n *norm) {
	if n.Kind == hclspec.Obligation {
		l.readSuspension(n)
		return
	}
	body := n.block.Body
	suspends, given := body.Attributes["suspends"]
	resumes, ends := body.Attributes["resumes"]
	n.resumes = l.occasions(n, "resumes", false)
	switch {
	case ends && !given:
		l.Mistake(diag.MissingAttribute, resumes.NameRange, fmt.Sprintf("The power %q suspends nothing that could be resumed.", l.written(n.block)), "Write suspends = [OBLIGATION] beside it.")
	case given && !ends && len(n.ends) == 0:
		l.Mistake(diag.MissingAttribute, suspends.NameRange, fmt.Sprintf("It is not said when what the power %q suspends is owed again.", l.written(n.block)),
			"Write resumes = EVENT, after which the power is held again; or until = EVENT, which ends the power and the suspension.")
	case given && n.endsContract:
		l.Mistake(diag.Contradiction, suspends.NameRange, fmt.Sprintf("The power %q ends the contract, after which there is nothing to suspend.", l.written(n.block)), "Let it do one of them.")
	}
	for _, other := range n.suspends {
		if slices.Contains(n.lifts, other) {
			l.Mistake(diag.Contradiction, suspends.Expr.Range(), fmt.Sprintf("The power %q both suspends and lifts the obligation %q.", l.written(n.block), l.written(other.block)), "Let it do one of them.")
		}
	}
	l.oneRole(n, n.acts, n.ends, n.resumes)
}

// readRepeats reads whether a power can be exercised again and again while it is held. Such a power has no place that says that it was exercised.
func (l *loader) readRepeats(n *norm) {
	attr, given := n.block.Body.Attributes["repeats"]
	if n.Repeats = l.Truth(n.block.Body, "repeats"); !given || !n.Repeats {
		return
	}
	power := l.written(n.block)
	switch _, suspends := n.block.Body.Attributes["suspends"]; {
	case suspends:
		l.Mistake(diag.Contradiction, attr.NameRange, fmt.Sprintf("The power %q suspends, and is held again once that is over.", power), "Leave repeats out: resumes = EVENT says when it can suspend again.")
	case n.endsContract:
		l.Mistake(diag.Contradiction, attr.NameRange, fmt.Sprintf("The power %q ends the contract, which happens once.", power), "Let it do one of them.")
	}
}

// repeatMoves adds the moves of what exercises a power that repeats, which stays held unless it ends by the same event. They move nothing. With firing = all
// two events that concern one power happen one after the other, as events that use it up do.
func (l *loader) repeatMoves(n *norm) {
	if n.Repeats {
		l.moves(n.Range, l.exercising(n), n.On(), n.On())
	}
}

// exercising returns the ways in which a power is exercised.
func (l *loader) exercising(n *norm) []entry { return l.changes(n, n.Kind.Construct().Done) }

// exercised returns the place of a power that is marked once it was exercised, while its suspension lasts if it suspends; nil: it repeats.
func (n *norm) exercised() *hclspec.Place { return n.Net.PlaceNamed(n.Kind.Construct().Done) }

// resuming returns the ways in which the suspension of a power ends and the power is held again.
func (l *loader) resuming(n *norm) (all []entry) {
	if len(n.suspends) == 0 {
		return nil
	}
	for _, e := range l.minus(l.entries(n.resumes), l.entries(n.ends)) {
		all = append(all, while(l.inForce(n, e), n.exercised())...)
	}
	return all
}

// released returns the ways in which the suspension of a power ends with the power.
func (l *loader) released(n *norm) []entry {
	if len(n.suspends) == 0 {
		return nil
	}
	by := slices.Concat(l.entries(n.ends), l.minus(l.contractEnds(n), l.resuming(n)))
	if l.end != nil && !n.Survives { // the end of the contract has exercised it, so that it is not held again
		by = append(by, while(l.minus(l.entries(n.resumes), l.entries(n.ends)), l.end.PlaceNamed("ended"))...)
	}
	return while(by, n.exercised())
}

// covering returns the ways in which a power that suspends an obligation is exercised after an event.
func (l *loader) covering(n *norm, event *hclspec.Event) (all []entry) {
	for _, p := range n.suspenders {
		ends := slices.Concat(l.resuming(p), l.released(p))
		all = append(all, l.minus([]entry{{event, []*hclspec.Place{p.exercised()}}}, ends)...)
		for _, e := range l.exercising(p) {
			if e.event == event {
				all = append(all, e)
			}
		}
	}
	return all
}

// divide returns the ways in which an obligation begins in two parts: those in which it is suspended at once, and the others.
func (l *loader) divide(n *norm, by []entry) (suspended, owed []entry) {
	for _, e := range by {
		covering := l.covering(n, e.event)
		for _, c := range covering {
			suspended = append(suspended, e.and(c.given...))
		}
		owed = append(owed, l.minus([]entry{e}, covering)...)
	}
	return suspended, owed
}

// suspending returns the ways in which an obligation that is owed is suspended, unless what ends it comes first.
func (l *loader) suspending(n *norm) (all []entry) {
	for _, p := range n.suspenders {
		all = append(all, while(l.exercising(p), n.On())...)
	}
	return l.minus(all, l.leaving(n))
}

// resumed returns the ways in which an obligation that is suspended is owed again, unless what ends it comes first.
func (l *loader) resumed(n *norm) (all []entry) {
	for _, p := range n.suspenders {
		for _, e := range slices.Concat(l.resuming(p), l.released(p)) {
			all = append(all, l.minus([]entry{e.and(n.Suspended())}, l.covering(n, e.event))...)
		}
	}
	return l.minus(all, l.leaving(n))
}

// leaving returns the ways in which an obligation ceases to bind.
func (l *loader) leaving(n *norm) []entry {
	life := n.Kind.Construct()
	return slices.Concat(l.changes(n, life.Done), l.changes(n, construct.Breached), l.changes(n, life.Off))
}

// suspendMoves adds the moves between owed and suspended, and those of the clock. They come after all that ends the obligation.
func (l *loader) suspendMoves(n *norm) {
	if n.Suspended() == nil {
		return
	}
	for _, e := range l.suspending(n) {
		l.move(n.Range, e, n.On(), n.Suspended())
		l.halt(n, e, n.clock.left, n.clock.kept)
	}
	for _, e := range l.resumed(n) {
		l.move(n.Range, e, n.Suspended(), n.On())
		l.halt(n, e, n.clock.kept, n.clock.left)
	}
}

// A power can add to the time of an obligation that is owed. The obligation's clock has a place for each tick that all powers together can add, each
// once. It never has more ticks left than that.

// extendMoves adds the moves by which powers add to the time of an obligation that is owed or suspended, and remains so.
func (l *loader) extendMoves(n *norm) {
	for _, x := range n.extenders {
		for _, e := range l.exercising(x.by) {
			l.shift(n, e, n.clock.left, n.clock.left, x.ticks)
			l.shift(n, e, n.clock.kept, n.clock.kept, x.ticks)
		}
	}
}

// shift adds the moves from each place of a clock to the place that has some ticks more, or the most that it can have.
func (l *loader) shift(n *norm, e entry, from, to []*hclspec.Place, more int) {
	for i, p := range from {
		if q := to[min(i+more, len(to)-1)]; q != p {
			l.move(n.Range, e, p, q)
		}
	}
}

// halt adds the moves by which a clock stops or goes on. If the same event extends its time, it moves by that as well.
func (l *loader) halt(n *norm, e entry, from, to []*hclspec.Place) {
	for _, x := range n.extenders {
		for _, longer := range l.exercising(x.by) {
			if longer.event == e.event {
				l.shift(n, e.and(longer.given...), from, to, x.ticks)
			}
		}
	}
	l.shift(n, e, from, to, 0)
}

// holdMoves adds the moves of a power whose suspension ends.
func (l *loader) holdMoves(n *norm) {
	for _, e := range l.resuming(n) {
		l.move(n.Range, e, n.exercised(), n.On())
		if top := n.clock.top(); top != nil {
			l.move(n.Range, e, n.clock.off, top)
		}
	}
	l.moves(n.Range, l.released(n), n.exercised(), n.Net.PlaceNamed(n.Kind.Construct().Off))
}

// A power can pass an obligation on: what its bearer owes another party owes from then on, what its bearer is owed is owed to another party. Only
// an obligation that something passes on has places for that, one for each party that it can come to. Exercising the power moves the token from
// the power's bearer to the other party, unless the obligation has been breached: a breach is of who was bound then.

// maxTenures bounds the combinations of bearer and counterparty to which an obligation can come.
const maxTenures = 8

// tenure reads the parties that bear a norm, or to whom it is owed; none if they are not given or wrong.
func (l *loader) tenure(n *norm, attribute string, needed bool) []hclspec.Tenure {
	attr, given := n.block.Body.Attributes[attribute]
	if !given {
		if needed {
			l.Lacking(n.block.Body, n.Range, fmt.Sprintf("The %s %q has no %s.", n.Kind, l.written(n.block), attribute),
				"Write bearer = PARTY: whose it is.")
		}
		return nil
	}
	var all []*hclspec.Party
	seen := syntax.Names{}
	syntax.EachOf(attr.Expr, func(e hclsyntax.Expression) {
		for _, p := range l.jointly(n, attribute, e) {
			if l.Once(seen, p.Name, e.Range()) {
				all = append(all, p)
			}
		}
	})
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b *hclspec.Party) int { return hclspec.Natural(a.Name, b.Name) })
	return []hclspec.Tenure{{Parties: all}}
}

// readAssigns reads the obligations that a power passes on, and to whom.
func (l *loader) readAssigns(n *norm) {
	assigns, given := n.block.Body.Attributes["assigns"]
	to, named := n.block.Body.Attributes["to"]
	switch {
	case given && !named:
		l.Lacking(n.block.Body, assigns.NameRange, fmt.Sprintf("It is not said to whom the power %q assigns.", l.written(n.block)), "Write to = PARTY beside it.")
		return
	case named && !given:
		l.Mistake(diag.MissingAttribute, to.NameRange, fmt.Sprintf("The power %q assigns nothing.", l.written(n.block)), "Write assigns = [OBLIGATION] beside it.")
		return
	case !given:
		return
	}
	n.assignee = l.person("to", to.Expr)
	syntax.EachOf(assigns.Expr, func(e hclsyntax.Expression) {
		if other := l.another(e, "assigns"); other != nil {
			n.assigns = append(n.assigns, other)
			other.assigners = append(other.assigners, n)
		}
	})
}

// assign finds to whom each obligation can be passed on, and as what: a power passes on as bearer what its own bearer owes, and as counterparty
// what that is owed.
func (l *loader) assign(all []*norm) {
	for _, n := range all {
		if len(n.assigners) == 0 || len(n.Bearers) == 0 {
			continue
		}
		n.bearing = slices.Clone(n.Bearers[0].Parties)
		if len(n.Counterparties) > 0 {
			n.owing = slices.Clone(n.Counterparties[0].Parties)
		}
		for more := true; more; { // who takes it over may pass it on
			more = false
			for _, p := range n.assigners {
				side := p.side(n)
				if side != nil && p.assignee != nil && !slices.Contains(*side, p.assignee) {
					*side, more = append(*side, p.assignee), true
				}
			}
		}
		l.checkAssigned(n)
	}
}

// side returns the list of parties to which a power passes an obligation on: those that bear it if the power's bearer is one of them, or those to
// whom it is owed; nil if it is neither.
func (n *norm) side(of *norm) *[]*hclspec.Party {
	for _, side := range []*[]*hclspec.Party{&of.bearing, &of.owing} {
		if n.passer(*side) != nil {
			return side
		}
	}
	return nil
}

// passer returns the party of a list that is the bearer of a power, or plays in a phase for it; nil if none is.
func (n *norm) passer(list []*hclspec.Party) *hclspec.Party {
	for _, p := range list {
		if len(n.Bearers) > 0 && n.Bearers[0].Includes(p) {
			return p
		}
	}
	return nil
}

// notToItself reports a norm that a party has towards itself, and nobody towards another.
func (l *loader) notToItself(n *norm) {
	if len(n.Bearers) == 0 || len(n.Counterparties) == 0 {
		return
	}
	self := n.Bearers[0].Parties[0].Person()
	if !slices.ContainsFunc(slices.Concat(n.Bearers[0].Parties, n.Counterparties[0].Parties), func(p *hclspec.Party) bool { return p.Person() != self }) {
		l.Mistake(diag.Contradiction, n.block.Body.Attributes["counterparty"].Expr.Range(), fmt.Sprintf("%s is bearer and counterparty of the %s %q.", self, n.Kind, l.written(n.block)),
			"What one owes to oneself is owed to nobody: name the other party, or leave counterparty out.")
	}
}

// checkAssigned reports powers that can't pass an obligation on.
func (l *loader) checkAssigned(n *norm) {
	for _, p := range n.assigners {
		if len(p.Bearers) == 0 || p.assignee == nil {
			continue
		}
		at, power, name := p.block.Body.Attributes["assigns"].Expr.Range(), l.written(p.block), l.written(n.block)
		side := p.side(n)
		switch {
		case len(p.Bearers[0].Parties) > 1:
			l.Mistake(diag.Contradiction, at, fmt.Sprintf("The power %q has several bearers, and one party alone assigns.", power), "Declare a power for each.")
		case side == nil:
			l.Mistake(diag.Contradiction, at, fmt.Sprintf("The power %q is of %s, who neither owes %q nor is owed it.", power, p.Bearer(), name),
				"Who bears the power assigns what it owes, or what is owed to it: name that party as bearer of the power.")
		case side == &n.bearing && len(n.Bearers[0].Parties) > 1, side == &n.owing && len(n.Counterparties[0].Parties) > 1:
			l.Mistake(diag.Contradiction, at, fmt.Sprintf("Several parties have the obligation %q together, and one of them can't assign it.", name), "Declare an obligation for each of them.")
		case p.passer(*side).Person() == p.assignee.Person():
			l.Mistake(diag.Contradiction, p.block.Body.Attributes["to"].Expr.Range(), fmt.Sprintf("%s assigns %q to itself.", p.assignee.Name, name), "Name another party.")
		case p.passer(n.bearing) != nil && p.passer(n.owing) != nil:
			l.Mistake(diag.Contradiction, at, fmt.Sprintf("%s can come to owe %q, and to be owed it.", p.Bearer(), name), "What one owes to oneself is owed to nobody. Name another bearer, or another counterparty.")
		case side == &n.bearing && n.block.Body.Attributes[n.Kind.Construct().Act] == nil && !n.performedBy(p.assignee):
			l.Mistake(diag.Contradiction, at, fmt.Sprintf("%q is fulfilled by an event of its own, which is its first bearer's.", name),
				fmt.Sprintf("Declare who does it when: event %q { by = %s }, and another for %s.", n.block.Labels[0], p.Bearer(), p.assignee.Name))
		case len(n.bearing)*max(1, len(n.owing)) > maxTenures:
			l.Mistake(diag.Expansion, at, fmt.Sprintf("%q can be assigned in more than %d ways.", name, maxTenures), "Let fewer powers assign it.")
		default:
			continue
		}
		return
	}
	for _, p := range n.bearing {
		if slices.ContainsFunc(n.owing, func(o *hclspec.Party) bool { return o.Person() == p.Person() }) {
			l.Mistake(diag.Contradiction, n.Range, fmt.Sprintf("%s can come to owe %q, and to be owed it.", p.Name, l.written(n.block)), "What one owes to oneself is owed to nobody. Let the power that assigns it name another party in to.")
			return
		}
	}
}

// performedBy reports whether a party that takes an obligation over can do the event of its own that fulfils it. Of occurrences each may be borne by another.
func (n *norm) performedBy(p *hclspec.Party) bool {
	for _, several := range []string{"times", "at_most"} {
		if n.block.Body.Attributes[several] != nil {
			return false
		}
	}
	return slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool {
		return slices.ContainsFunc(slices.Concat(e.Ways...), func(s hclspec.Sync) bool { return s.Party == p })
	})
}

// makeTenures adds the places that say who bears an obligation that can be passed on, and to whom it is owed. An event of its own is done by who bears it then.
func (n *norm) makeTenures() {
	n.Bearers = n.tenures(n.Bearers, n.bearing, "bearer", hclspec.BorneBy, "borne by ")
	n.Counterparties = n.tenures(n.Counterparties, n.owing, "counterparty", hclspec.OwedTo, "owed to ")
	for _, e := range n.Acts {
		for _, way := range e.Ways {
			for i := range way {
				at := slices.IndexFunc(n.Bearers, func(t hclspec.Tenure) bool { return t.Includes(way[i].Party) })
				if e.Range == n.Range && at >= 0 {
					way[i].While = n.Bearers[at].While
				}
			}
		}
	}
}

func (n *norm) tenures(declared []hclspec.Tenure, list []*hclspec.Party, side, prefix, title string) []hclspec.Tenure {
	if len(list) < 2 || len(declared) == 0 || len(declared[0].Parties) > 1 {
		return declared
	}
	var all []hclspec.Tenure
	for i, party := range list {
		name := hclspec.HolderName(n.Name, party.Name)
		p := &hclspec.Place{Prose: hclspec.Prose{Title: title + name}, Name: prefix + name, Kind: hclspec.Held, Flag: side, Marked: i == 0, Range: n.Range}
		n.Net.Places = append(n.Net.Places, p)
		all = append(all, hclspec.Tenure{Parties: []*hclspec.Party{party}, While: p})
	}
	return all
}

// assignMoves adds the moves by which powers pass an obligation on. What has been breached stays with who was bound, and what has been fulfilled for
// good with who has performed.
func (l *loader) assignMoves(n *norm) {
	done := n.Net.PlaceNamed(n.Kind.Construct().Done)
	final := len(n.starts) == 0 || !slices.Contains(n.begun(), done)
	for _, power := range n.assigners {
		if len(power.Bearers) == 0 { // a mistake
			continue
		}
		side := n.Bearers
		if power.passer(n.bearing) == nil {
			side = n.Counterparties
		}
		var from, to *hclspec.Place
		for _, t := range side {
			if power.Bearers[0].Includes(t.Parties[0]) {
				from = t.While
			}
			if t.Parties[0] == power.assignee {
				to = t.While
			}
		}
		for _, p := range n.Net.Places {
			if p.Kind != hclspec.State || p.Name == construct.Breached || p == done && final {
				continue
			}
			by := while(l.exercising(power), p)
			if p == n.On() {
				by = l.minus(by, l.changes(n, construct.Breached))
			}
			if final {
				by = l.minus(by, l.changes(n, done.Name))
			}
			l.moves(n.Range, by, from, to)
		}
	}
}
