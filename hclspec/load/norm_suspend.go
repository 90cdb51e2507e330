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
	attr, given := n.block.Body.Attributes["suspends"]
	if !given {
		return
	}
	syntax.EachOf(attr.Expr, func(e hclsyntax.Expression) {
		if other := l.another(e, "suspends"); other != nil {
			n.suspends = append(n.suspends, other)
			other.suspenders = append(other.suspenders, n)
		}
	})
}

// readResumes reads what ends a suspension.
func (l *loader) readResumes(n *norm) {
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

// exercised returns the place of a power that is marked while its suspension lasts.
func (n *norm) exercised() *hclspec.Place { return n.Net.PlaceNamed(n.Kind.Construct().Done) }

// resuming returns the ways in which the suspension of a power ends and the power is held again.
func (l *loader) resuming(n *norm) (all []entry) {
	if len(n.suspends) == 0 {
		return nil
	}
	for _, e := range l.minus(l.entries(n.resumes), l.entries(n.ends)) {
		all = append(all, n.while(l.inForce(n, e), n.exercised())...)
	}
	return all
}

// released returns the ways in which the suspension of a power ends with the power.
func (l *loader) released(n *norm) (all []entry) {
	if len(n.suspends) == 0 {
		return nil
	}
	by := slices.Concat(l.entries(n.ends), l.minus(l.contractEnds(n), l.resuming(n)))
	if l.end != nil && !n.Survives { // the end of the contract has exercised it, so that it is not held again
		for _, e := range l.minus(l.entries(n.resumes), l.entries(n.ends)) {
			by = append(by, e.and(l.end.PlaceNamed("ended")))
		}
	}
	for _, e := range by {
		all = append(all, e.and(n.exercised()))
	}
	return all
}

// covering returns the ways in which a power that suspends an obligation is exercised after an event.
func (l *loader) covering(n *norm, event *hclspec.Event) (all []entry) {
	for _, p := range n.suspenders {
		ends := slices.Concat(l.resuming(p), l.released(p))
		all = append(all, l.minus([]entry{{event, []*hclspec.Place{p.exercised()}}}, ends)...)
		for _, e := range l.changes(p, p.exercised().Name) {
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
		for _, e := range l.changes(p, p.exercised().Name) {
			all = append(all, e.and(n.On()))
		}
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
		for i, kept := range n.clock.kept {
			l.move(n.Range, e, n.clock.left[i], kept)
		}
	}
	for _, e := range l.resumed(n) {
		l.move(n.Range, e, n.Suspended(), n.On())
		for i, kept := range n.clock.kept {
			l.move(n.Range, e, kept, n.clock.left[i])
		}
	}
}

// holdMoves adds the moves of a power whose suspension ends.
func (l *loader) holdMoves(n *norm) {
	for _, e := range l.resuming(n) {
		l.move(n.Range, e, n.exercised(), n.On())
		if top := n.clock.top(); top != nil {
			l.move(n.Range, e, n.clock.off, top)
		}
	}
	for _, e := range l.released(n) {
		l.move(n.Range, e, n.exercised(), n.Net.PlaceNamed(n.Kind.Construct().Off))
	}
}
