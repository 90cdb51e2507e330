package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// Norms become moves of events: the effect of each event on the token of each norm that watches it. A norm never holds up an event. The order
// in which moves are added is their rank (see Move):
//
//	a norm's own acts, breaches, deadline and end; then its beginnings; then the norms that lift it,
//	and the end of the contract; then suspension and extension; then the clocks that only count down.

// maxMoves bounds the moves that norms and timers of a contract compile to.
const maxMoves = 1_000_000

// compileNorms makes the net of every norm and the moves of every event.
func (l *loader) compileNorms(all []*norm) {
	for _, n := range all { // a change of one norm is an occasion of another
		if n.answer != nil {
			for _, r := range n.repairedBy() {
				r.starts = append(r.starts[:len(r.starts):len(r.starts)], occasion{norm: n, to: construct.Breached})
			}
		}
	}
	for _, n := range all {
		l.makeNet(n)
		for _, o := range append(n.starts, n.ends...) {
			if o.norm != nil && o.to == construct.Breached {
				for _, other := range o.norms() {
					other.Answered = true
				}
			}
		}
	}
	for _, n := range all {
		n.Answered = n.Answered || n.overtaken(all)
	}
	l.readEnds(all)
	l.end, l.compiled = l.contractNet(all), all
	l.endForGood(all)
	for _, n := range all {
		if !n.nobodys {
			l.readRequire(n)
		}
	}
	for _, phase := range []func(*norm){l.ownMoves, l.startMoves, l.holdMoves, l.liftMoves, l.assignMoves} {
		for _, n := range all {
			phase(n)
		}
	}
	for _, n := range all {
		if n.endsContract {
			l.endMoves(l.changes(n, n.ender()), n, all)
		}
	}
	l.endMoves(l.entries(l.ends), nil, all)
	for _, n := range all {
		l.suspendMoves(n)
		l.extendMoves(n)
	}
	for _, n := range all {
		l.runSchedule(n)
		l.turnRing(n)
		l.repeatMoves(n)
	}
	for _, n := range all {
		l.count(n.clock)
		if n.schedule != nil && n.Nth == 1 {
			l.count(n.schedule)
		}
	}
}

// makeNet makes the places of a norm. It binds from the start unless it has events to begin by.
func (l *loader) makeNet(n *norm) {
	n.Net = madeNet(n.Kind.String(), n.Name, "", n.Range)
	n.Net.Prose = n.Prose
	life := n.Kind.Construct()
	names := []string{construct.Dormant, life.On, life.Done, life.Late, life.Off}
	if len(n.suspenders) > 0 {
		names = append(names, construct.Suspended)
	}
	for _, name := range names {
		if name != "" && n.Net.PlaceNamed(name) == nil && (name != life.Done || !n.Repeats) {
			title := strings.ReplaceAll(name, "_", " ")
			if name == construct.Dormant {
				title = "not yet " + strings.ReplaceAll(life.On, "_", " ")
			}
			addState(n.Net, name, title)
		}
	}
	n.clock = newClock(n.Net, n.ticks+n.Extensible)
	if n.clock.more = n.Extensible; len(n.suspenders) > 0 {
		n.clock.keep(n.Net)
	}
	if n.Nth > 0 {
		n.Net.Of, n.Net.Index = n.Of, strconv.Itoa(n.Nth)
		if n.ticks == 0 {
			n.clock = newSwitch(n.Net)
		}
	}
	n.makeTenures()
	n.parts, n.Needs = n.makeParts(), nil
	for _, part := range n.parts {
		n.Needs = append(n.Needs, part.yes)
	}
	waits := len(n.starts) > 0 || n.Nth > 1
	n.On().Marked, n.Net.PlaceNamed(construct.Dormant).Marked = !waits, waits
	if n.lead > 0 { // its acts start the clock
		n.clock = newClock(n.Net, n.lead)
		for _, p := range n.clock.left {
			p.Title = strings.Replace(p.Title, "left", "to go", 1)
		}
		n.Lead = n.clock.left
	} else {
		n.clock.run(!waits)
	}
	if n.nobodys {
		n.Net.Made, n.Net.Title = "clock", "the suspension of "+n.suspends[0].Name
		n.On().Title, n.exercised().Title = "off", "on"
	} else {
		l.spec.Norms = append(l.spec.Norms, n.Norm)
	}
	l.spec.Parties = append(l.spec.Parties, n.Net)
	l.makeSchedule(n)
	l.makeRing(n)
}

// contractNet makes the net with contract.in_force and contract.ended; nil unless something can end the contract.
func (l *loader) contractNet(all []*norm) *hclspec.Party {
	at := l.spec.Range
	if first := slices.IndexFunc(all, func(n *norm) bool { return n.endsContract }); first >= 0 {
		at = all[first].Range
	} else if len(l.ends) == 0 {
		return nil
	}
	if l.taken("contract") {
		l.Mistake(diag.ReservedName, at, "Nothing may be called contract where something ends the contract.",
			"Formulas say contract.in_force and contract.ended. Rename the other.")
	}
	end := madeNet("contract", "contract", "", at)
	addState(end, "in_force", "in force")
	addState(end, "ended", "")
	l.spec.Parties = append(l.spec.Parties, end)
	return end
}

// readEnds reads what ends the contract for good: ends = [expiry, pay.fulfilled].
func (l *loader) readEnds(all []*norm) {
	attr, given := l.endsAttribute()
	if !given {
		return
	}
	for _, o := range l.occasionsIn(attr.Expr, false) {
		if l.mayEnd(o) {
			l.ends = append(l.ends, o)
		}
	}
	if items := 0; len(l.ends) == 0 && !slices.ContainsFunc(all, func(n *norm) bool { return n.endsContract }) {
		if syntax.EachOf(attr.Expr, func(hclsyntax.Expression) { items++ }); items == 0 && !l.partlyRead() {
			l.Mistake(diag.MissingAttribute, attr.Expr.Range(), hclspec.NothingEnds, hclspec.LetItEnd)
		}
	}
}

// partlyRead reports whether a block is left out or lacks an attribute that may be misspelt. It may be the one that is missed.
func (l *loader) partlyRead() bool { return len(l.Dropped)+len(l.Excused)+l.Unnamed > 0 }

// nothingEnds reports that a text asks for the end of a contract that nothing ends, unless what ends it may be what could not be read.
func (l *loader) nothingEnds(at hcl.Range) {
	if _, given := l.endsAttribute(); given || l.partlyRead() {
		return
	}
	for _, n := range l.norms {
		if _, given := n.block.Body.Attributes["ends_contract"]; given && l.compiled == nil {
			return
		}
	}
	l.Mistake(diag.UnknownName, at, hclspec.NothingEnds, hclspec.LetItEnd)
}

// mayEnd reports whether an occasion may end the contract, and reports the mistake otherwise. A breach that does has a consequence.
func (l *loader) mayEnd(o occasion) bool {
	if o.ended {
		l.Mistake(diag.Contradiction, o.at, "The end of the contract would end it.", "Name what ends it: ends = [termination, pay.fulfilled].")
	}
	if o.norm == nil || !l.checkNth(o) {
		return o.event != nil
	}
	if o.to != construct.Breached && o.to != o.norm.Kind.Construct().Done {
		l.Mistake(diag.WrongKind, o.at, fmt.Sprintf("That %q comes to be %s doesn't end a contract.", l.written(o.norm.block), strings.ReplaceAll(o.to, "_", " ")),
			"What ends it is an event, or that something is fulfilled, exercised or breached: ends = [termination, pay.fulfilled].")
		return false
	}
	for _, n := range o.norms() {
		n.Answered = n.Answered || o.to == construct.Breached
	}
	return true
}

// endsAttribute returns the attribute of the contract block that says what ends it for good.
func (l *loader) endsAttribute() (*hclsyntax.Attribute, bool) {
	if l.header == nil {
		return nil, false
	}
	attr, given := l.header.Body.Attributes["ends"]
	return attr, given
}

// endForGood records all ways in which the contract ends for good, and which events can still happen then: those that a norm names that survives.
// What only brings it about can't, if it ends the contract, or is part of what ends with it. What a prohibition forbids can, as no contract is needed for it.
func (l *loader) endForGood(all []*norm) {
	if _, given := l.endsAttribute(); !given || l.end == nil {
		return
	}
	l.spec.Ends = &hclspec.Ends{By: occasionNames(l.ends), InForce: l.end.PlaceNamed("in_force")}
	l.endings = l.entries(l.ends)
	mortal := map[*hclspec.Event]bool{}
	for _, o := range l.ends {
		mortal[o.event] = true
	}
	for _, n := range all {
		if n.endsContract {
			l.endings = append(l.endings, l.changes(n, n.ender())...)
		}
		for _, o := range slices.Concat(n.starts, n.acts, n.breaches, n.ends, n.resumes) {
			mortal[o.event] = mortal[o.event] || !n.Survives
		}
	}
	for _, n := range all {
		for i, o := range slices.Concat(n.starts, n.acts, n.breaches, n.ends, n.resumes) {
			if o.event != nil && n.Survives && (i >= len(n.starts) || !mortal[o.event]) {
				o.event.Survives = true
			}
		}
		for _, o := range n.acts {
			o.event.Survives = o.event.Survives || n.Kind == hclspec.Prohibition
		}
	}
}

// entries returns the ways in which occasions can occur, with changes of norms resolved to their events.
func (l *loader) entries(list []occasion) []entry {
	var all []entry
	for _, o := range list {
		if o.ended { // once: what ends it may come about again later
			for _, e := range l.endings { // none where what ends it has mistakes: then it has no net either
				all = append(all, e.and(l.end.PlaceNamed("in_force")))
			}
			continue
		}
		if o.norm == nil {
			all = append(all, entry{o.event, o.while})
			continue
		}
		for _, n := range o.norms() {
			all = append(all, l.changes(n, o.to)...)
		}
	}
	return all
}

// ownMoves adds the moves that end the binding of a norm.
func (l *loader) ownMoves(n *norm) {
	life := n.Kind.Construct()
	if life.Done != "" && !n.Repeats {
		acts := l.fulfilling(n)
		if n.atMost {
			replacing := l.replacing(n, l.beginnings(n))
			l.replaceMoves(n, replacing)
			acts = l.minus(while(acts, n.On()), replacing)
		}
		l.leave(n, acts, life.Done, n.Binding()...)
		l.partMoves(n)
		l.leadMoves(n)
	}
	breaches := n.oldest(l.entries(n.breaches))
	if n.Suspended() != nil {
		breaches = while(breaches, n.On())
	}
	l.leave(n, breaches, construct.Breached, n.On())
	if n.ticks > 0 { // before its end: the same tick may be the breach of another norm that ends this one, and others count on this breach
		l.leave(n, []entry{l.timeUp(n)}, life.Late, n.On())
	}
	l.lift(n, l.entries(n.ends))
}

// leave moves a norm from some places at which it binds to another, and stops its clock.
func (l *loader) leave(n *norm, by []entry, to string, from ...*hclspec.Place) {
	clock := n.clock.running()
	if len(from) > 1 {
		clock = slices.Concat(clock, n.clock.kept)
	}
	for _, e := range by {
		for _, p := range from {
			l.move(n.Range, e, p, n.Net.PlaceNamed(to))
		}
		for _, left := range clock {
			l.move(n.Range, e, left, n.clock.off)
		}
		for _, part := range n.parts {
			l.move(n.Range, e, part.yes, part.no)
		}
		if n.overdue != nil {
			l.move(n.Range, e, n.overdue.left[0], n.overdue.off)
		}
	}
}

// lift ends a norm. Of one with occurrences those to come never arise.
func (l *loader) lift(n *norm, by []entry) {
	to := n.Kind.Construct().Off
	l.leave(n, by, to, n.Binding()...)
	if n.once() {
		l.moves(n.Range, by, n.Net.PlaceNamed(construct.Dormant), n.Net.PlaceNamed(to))
		l.stopSchedule(n, by)
	}
}

// startMoves adds the moves that begin a norm. It can begin again after it was fulfilled or has ended, but not after a breach, which is final.
// While it binds they do nothing, and its time runs on. An occurrence begins once.
func (l *loader) startMoves(n *norm) {
	again := n.begun()
	for _, e := range l.beginnings(n) {
		n.Starts = append(n.Starts, hclspec.Start{Event: e.event, While: e.given})
		for _, o := range l.overtaking(n) { // written out, what keeps them from arising would multiply
			o = o.and(append(slices.Clone(e.given), n.Net.PlaceNamed(construct.Dormant))...)
			l.move(n.Range, o, n.Net.PlaceNamed(construct.Dormant), n.Net.PlaceNamed(construct.Dormant))
			if n.clock != nil {
				l.move(n.Range, o, n.clock.off, n.clock.off)
			}
		}
		binding := l.inForce(n, e)
		for _, from := range again {
			l.beginLate(n, e.and(from))
			if len(n.suspenders) == 0 {
				for _, e := range binding {
					l.begin(n, e, from, n.On(), n.top())
				}
				continue
			}
			suspended, owed := l.divide(n, binding)
			for _, e := range suspended {
				l.begin(n, e, from, n.Suspended(), n.clock.frozen())
			}
			for _, e := range owed {
				l.begin(n, e, from, n.On(), n.top())
			}
		}
	}
}

// beginLate has an obligation that arises when the day by which it is due is over be due by the next tick.
func (l *loader) beginLate(n *norm, e entry) {
	if n.until == nil {
		return
	}
	late := []entry{e.and(n.until.net.PlaceNamed("over"))}
	if e.event == l.tick {
		late = append(late, e.and(n.until.clock.left[0]))
	}
	l.moves(n.Range, late, n.overdue.off, n.overdue.left[0])
}

// begin moves a norm to where it binds, and its clock to a place; nil: it has no clock. An occurrence that ends at once never arises, and no time of it runs.
func (l *loader) begin(n *norm, e entry, from, to, clock *hclspec.Place) {
	l.move(n.Range, e, from, to)
	if clock == nil {
		return
	}
	e = e.and(from)
	if n.once() { // its clock stays off where it ends: written out, the values of all clocks by which it may end would multiply
		for _, o := range l.entries(n.ends) {
			if o.event == e.event && !l.apartFrom(e, o) {
				l.move(n.Range, e.and(o.given...), n.clock.off, n.clock.off)
			}
		}
	}
	l.move(n.Range, e, n.clock.off, clock)
}

// begun returns the places from which a norm can begin.
func (n *norm) begun() (all []*hclspec.Place) {
	life := n.Kind.Construct()
	list := []string{construct.Dormant, life.Done, life.Off}
	switch {
	case n.once():
		list = list[:1]
	case len(n.suspends) > 0:
		list = []string{construct.Dormant, life.Off}
	}
	for _, from := range list {
		if p := n.Net.PlaceNamed(from); p != nil && from != construct.Breached {
			all = append(all, p)
		}
	}
	return all
}

// beginnings returns the ways in which a norm begins. Of one with a schedule the first begins by what it names, the others by ticks.
func (l *loader) beginnings(n *norm) []entry {
	if n.schedule != nil && n.Nth > 1 {
		return n.inTurn([]entry{{l.tick, n.schedule.left[:1]}})
	}
	return n.inTurn(n.required(l.entries(n.starts)))
}

// inForce restricts an entry to the time before the end of the contract, for a norm that does not survive it.
func (l *loader) inForce(n *norm, e entry) []entry {
	if l.end == nil || n.Survives {
		return []entry{e}
	}
	return l.beforeEnd(e)
}

// beforeEnd restricts an entry to the time before the end of the contract. An end for good brings nothing about itself.
func (l *loader) beforeEnd(e entry) []entry {
	return l.minus([]entry{e.and(l.end.PlaceNamed("in_force"))}, l.endings)
}

// liftMoves adds the moves that exercising a power makes in the obligations it lifts.
func (l *loader) liftMoves(n *norm) {
	for _, lifted := range n.lifts {
		for _, other := range lifted.all {
			l.lift(other, l.exercising(n))
		}
	}
}

// endMoves adds the moves that end the contract, by a norm or none: no norm binds any more, except those that survive and those that the same
// event begins. Of one with every nothing more arises, also if it survives.
func (l *loader) endMoves(by []entry, n *norm, all []*norm) {
	for _, e := range by { // none where nothing ends the contract, which then has no net
		l.move(l.end.Range, e, l.end.PlaceNamed("in_force"), l.end.PlaceNamed("ended"))
	}
	for _, other := range all {
		if other != n && !other.Survives {
			l.leave(other, by, other.Kind.Construct().Off, other.Binding()...)
		}
		l.stopSchedule(other, by)
	}
}

// move adds a move to an event, within the limit.
func (l *loader) move(at hcl.Range, by entry, from, to *hclspec.Place) {
	l.moveBeyond(at, by, from, to, nil)
}

// moves adds a move to the event of each of some entries.
func (l *loader) moves(at hcl.Range, by []entry, from, to *hclspec.Place) {
	for _, e := range by {
		l.move(at, e, from, to)
	}
}

// moveBeyond adds a move that may take a counter out of its bounds.
func (l *loader) moveBeyond(at hcl.Range, by entry, from, to *hclspec.Place, beyond *hclspec.Beyond) {
	if l.moved++; l.moved == maxMoves {
		l.Mistake(diag.Expansion, at, fmt.Sprintf("Up to here obligations and deadlines compile to %d moves of tokens, which are too many.", maxMoves),
			"Each end of the contract concerns every obligation, prohibition, permission and power, and every tick of its deadline. Shorten deadlines, or drop ends_contract.")
	}
	if l.moved < maxMoves {
		by.event.Moves = append(by.event.Moves, hclspec.Move{If: by.given, From: from, To: to, Beyond: beyond})
	}
}
