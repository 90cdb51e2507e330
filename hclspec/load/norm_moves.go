package load

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
)

// Norms become moves of events: the effect of each event on the token of each norm that watches it. A norm never holds up an event. The order
// in which moves are added is their rank (see Move):
//
//	a norm's own acts, breaches, deadline and end; then its beginnings; then the norms that lift it,
//	the end of the contract last; then the clocks that only count down.

// maxMoves bounds the moves that norms and timers of a contract compile to.
const maxMoves = 1_000_000

// compileNorms makes the net of every norm and the moves of every event.
func (l *loader) compileNorms(all []*norm) {
	for _, n := range all {
		l.makeNet(n)
	}
	for _, n := range all { // a change of one norm is an occasion of another
		if n.answer != nil {
			n.answer.starts = append(n.answer.starts, occasion{norm: n, to: construct.Breached})
			n.answer.rest()
		}
		for _, o := range append(n.starts, n.ends...) {
			if o.norm != nil && o.to == construct.Breached {
				o.norm.Answered = true
			}
		}
	}
	for _, n := range all {
		n.Answered = n.Answered || n.overtaken(all)
	}
	l.end = l.contractNet(all)
	for _, phase := range []func(*norm){l.ownMoves, func(n *norm) { l.startMoves(n, l.end) }, l.liftMoves} {
		for _, n := range all {
			phase(n)
		}
	}
	for _, n := range all {
		if n.endsContract {
			l.endMoves(n, all, l.end)
		}
	}
	for _, n := range all {
		l.count(n.clock)
	}
}

// makeNet makes the places of a norm. It binds from the start unless it has events to begin by.
func (l *loader) makeNet(n *norm) {
	n.Net = &hclspec.Party{Prose: n.Prose, Name: n.Name, Of: n.Name, IsNet: true, Made: n.Kind.String(), Range: n.Range}
	life := n.Kind.Construct()
	for _, name := range []string{construct.Dormant, life.On, life.Done, life.Late, life.Off} {
		if name != "" && n.Net.PlaceNamed(name) == nil {
			title := strings.ReplaceAll(name, "_", " ")
			if name == construct.Dormant {
				title = "not yet " + strings.ReplaceAll(life.On, "_", " ")
			}
			n.Net.Places = append(n.Net.Places, &hclspec.Place{Prose: hclspec.Prose{Title: title}, Name: name, Kind: hclspec.State, Range: n.Range})
		}
	}
	n.clock = newClock(n.Net, n.ticks)
	n.On().Marked = true
	n.clock.start()
	if len(n.starts) > 0 {
		n.rest()
	}
	l.spec.Norms = append(l.spec.Norms, n.Norm)
	l.spec.Parties = append(l.spec.Parties, n.Net)
}

// contractNet makes the net with contract.in_force and contract.ended; nil unless something can end the contract.
func (l *loader) contractNet(all []*norm) *hclspec.Party {
	for _, n := range all {
		if !n.endsContract {
			continue
		}
		if l.taken("contract") {
			l.Mistake(diag.ReservedName, n.Range, "Nothing may be called contract where something ends the contract.",
				"Formulas say contract.in_force and contract.ended. Rename the other.")
		}
		end := &hclspec.Party{Name: "contract", Of: "contract", IsNet: true, Made: "contract", Range: n.Range}
		end.Places = []*hclspec.Place{
			{Prose: hclspec.Prose{Title: "in force"}, Name: "in_force", Kind: hclspec.State, Marked: true, Range: n.Range},
			{Name: "ended", Kind: hclspec.State, Range: n.Range}}
		l.spec.Parties = append(l.spec.Parties, end)
		return end
	}
	return nil
}

// entries returns the ways in which occasions can occur, with changes of norms resolved to their events.
func (l *loader) entries(list []occasion) []entry {
	var all []entry
	for _, o := range list {
		if o.norm == nil {
			e := entry{event: o.event}
			if o.while != nil {
				e.given = []*hclspec.Place{o.while}
			}
			all = append(all, e)
			continue
		}
		by := o.norm.acts
		if o.to == construct.Breached && o.norm.Kind == hclspec.Obligation {
			by = o.norm.breaches
			if o.norm.ticks > 0 {
				all = append(all, entry{l.tick, []*hclspec.Place{o.norm.clock.left[0]}})
			}
		}
		for _, act := range by {
			all = append(all, entry{act.event, []*hclspec.Place{o.norm.On()}})
		}
	}
	return all
}

// ownMoves adds the moves that end the binding of a norm.
func (l *loader) ownMoves(n *norm) {
	life := n.Kind.Construct()
	if life.Done != "" {
		l.leave(n, l.entries(n.acts), life.Done)
	}
	l.leave(n, l.entries(n.breaches), construct.Breached)
	if n.ticks > 0 { // before its end: the same tick may be the breach of another norm that ends this one, and others count on this breach
		l.leave(n, []entry{{l.tick, []*hclspec.Place{n.clock.left[0]}}}, life.Late)
	}
	l.leave(n, l.entries(n.ends), life.Off)
}

// leave moves a binding norm to another place, and stops its clock.
func (l *loader) leave(n *norm, by []entry, to string) {
	for _, e := range by {
		l.move(n.Range, e, n.On(), n.Net.PlaceNamed(to))
		for _, left := range n.clock.left {
			l.move(n.Range, e, left, n.clock.off)
		}
	}
}

// startMoves adds the moves that begin a norm. It can begin again after it was fulfilled or has ended, but not after a breach, which is final.
// While it binds they do nothing, and its time runs on.
func (l *loader) startMoves(n *norm, end *hclspec.Party) {
	life := n.Kind.Construct()
	for _, e := range l.entries(n.starts) {
		n.Starts = append(n.Starts, hclspec.Start{Event: e.event, While: e.given})
		if end != nil && !n.Survives {
			e.given = append(e.given[:len(e.given):len(e.given)], end.PlaceNamed("in_force"))
		}
		for _, from := range []string{construct.Dormant, life.Done, life.Off} {
			if from == "" || from == construct.Breached {
				continue
			}
			l.move(n.Range, e, n.Net.PlaceNamed(from), n.On())
			if n.ticks > 0 {
				l.move(n.Range, e.and(n.Net.PlaceNamed(from)), n.clock.off, n.clock.left[n.ticks-1])
			}
		}
	}
}

// liftMoves adds the moves that exercising a power makes in the obligations it lifts.
func (l *loader) liftMoves(n *norm) {
	for _, other := range n.lifts {
		l.leave(other, l.entries([]occasion{{norm: n, to: n.Kind.Construct().Done}}), other.Kind.Construct().Off)
	}
}

// endMoves adds the moves that end the contract: no norm binds any more, except those that survive and those that the same event begins.
func (l *loader) endMoves(n *norm, all []*norm, end *hclspec.Party) {
	to := construct.Breached
	if n.Kind == hclspec.Power {
		to = hclspec.Power.Construct().Done
	}
	by := l.entries([]occasion{{norm: n, to: to}})
	for _, e := range by {
		l.move(n.Range, e, end.PlaceNamed("in_force"), end.PlaceNamed("ended"))
	}
	for _, other := range all {
		if other != n && !other.Survives {
			l.leave(other, by, other.Kind.Construct().Off)
		}
	}
}

// move adds a move to an event, within the limit.
func (l *loader) move(at hcl.Range, by entry, from, to *hclspec.Place) {
	if l.moved++; l.moved == maxMoves {
		l.Mistake(diag.Expansion, at, fmt.Sprintf("Up to here obligations and deadlines compile to %d moves of tokens, which are too many.", maxMoves),
			"Each end of the contract concerns every norm, and each norm every tick of its deadline. Shorten deadlines, or drop ends_contract.")
	}
	if l.moved < maxMoves {
		by.event.Moves = append(by.event.Moves, hclspec.Move{If: by.given, From: from, To: to})
	}
}
