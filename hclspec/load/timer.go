package load

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// A timer records how long ago something last happened: before, running or over.
type timer struct {
	net   *hclspec.Party
	clock *clock
	ends  bool    // with the contract
	ran   bool    // its moves are added
	last  []entry // the ticks on which its time is over
}

// timeEvents reads the times of events: not_before = { delivery = 3 }, within = { delivery = 5 }, after = { deliver.breached = 10 }. Norms have been
// compiled by then, unless they have mistakes.
func (l *loader) timeEvents(blocks []*hclsyntax.Block) {
	l.timing = true
	for _, name := range slices.Sorted(maps.Keys(l.timers)) {
		l.runDate(l.timers[name])
	}
	for _, b := range blocks {
		if b.Type != "event" {
			continue
		}
		timed := l.eventsOf(syntax.Ref{Name: b.Labels[0]})
		for _, word := range lasting("event") {
			if attr, given := b.Body.Attributes[word]; given && len(timed) > 0 && l.events[b.Labels[0]] == b.LabelRanges[0] {
				l.timeEvent(timed, attr)
			}
		}
		for _, e := range timed {
			l.notDueAnyMore(e)
		}
	}
}

// notDueAnyMore lets the end of the contract for good keep an event from happening by itself.
func (l *loader) notDueAnyMore(e *hclspec.Event) {
	if e.Due == nil || e.Survives {
		return
	}
	for _, end := range l.endings {
		if end.event != e {
			l.move(e.Range, end, e.Due.Now, e.Due.Not)
		}
	}
}

func (l *loader) timeEvent(timed []*hclspec.Event, attr *hclsyntax.Attribute) {
	object, ok := attr.Expr.(*hclsyntax.ObjectConsExpr)
	if t, given := l.dateOf(attr.Expr, attr.Name, timed[0].Survives); given {
		if t != nil {
			l.dueWhile(timed)
			l.timed(timed, attr, t)
		}
		return
	}
	if !ok || len(object.Items) == 0 {
		l.Mistake(diag.NotAReference, attr.Expr.Range(), "An event and a duration are expected here, in braces.",
			fmt.Sprintf("Write %s = { EVENT = 3 }.", attr.Name))
		return
	}
	l.dueWhile(timed)
	seen := syntax.Names{}
	for _, item := range object.Items {
		since, ok := l.countedFrom(item.KeyExpr, false)
		if !ok || !l.Once(seen, since.words, item.KeyExpr.Range()) || l.waitsForItself(timed, since, item.KeyExpr) {
			continue
		}
		if n := l.eventTicks(attr.Name, item.ValueExpr); n > 0 {
			l.timed(timed, attr, l.timer(since, n, l.spelling(item.ValueExpr, n), l.spec.Ends != nil && !timed[0].Survives))
		}
	}
}

// dueWhile has what only_while asks of events that happen by themselves be asked when they fall due.
func (l *loader) dueWhile(timed []*hclspec.Event) {
	for _, e := range timed {
		if e.Due != nil {
			e.Due.While, e.Needs = e.Needs, nil
		}
	}
}

// timed makes events depend on a timer, as an attribute says.
func (l *loader) timed(events []*hclspec.Event, attr *hclsyntax.Attribute, t *timer) {
	for _, e := range events {
		switch attr.Name {
		case "not_before":
			e.Needs = append(e.Needs, hclspec.Being(t.net.PlaceNamed("over")).At(attr.SrcRange))
		case "within":
			e.Needs = append(e.Needs, hclspec.Being(t.net.PlaceNamed("running")).At(attr.SrcRange))
		default:
			l.fallDue(e, t)
		}
	}
}

// fallDue makes an event that happens by itself due when the time of a timer is over.
func (l *loader) fallDue(e *hclspec.Event, t *timer) {
	e.Due.Timers = append(e.Due.Timers, t.net)
	for _, last := range meeting(e.Due.While, t.last) {
		l.moves(e.Range, l.minus([]entry{last}, t.endings(l)), e.Due.Not, e.Due.Now)
	}
}

// A moment is what a time is counted from: an event, a change of a norm, or any of several.
type moment struct {
	by    []occasion
	name  string // of the events and changes, as part of a net's name
	words string // as in "the 3 ticks after delivery"
	at    hcl.Range
}

// countedFrom reads what a time is counted from: delivery, deliver.breached, any(delivery, deliver.breached). Plain allows events only. It returns false
// after a mistake.
func (l *loader) countedFrom(e hclsyntax.Expression, plain bool) (moment, bool) {
	list := []hclsyntax.Expression{e}
	key, _ := e.(*hclsyntax.ObjectConsKeyExpr)
	if key != nil {
		switch of := key.Wrapped.(type) {
		case *hclsyntax.FunctionCallExpr:
			if list = of.Args; of.Name != "any" || len(list) == 0 {
				hint := "Write any(delivery, deliver.breached) = 3."
				if of.Name == howWords[withAll] {
					hint = "Times in not_before and within are asked all at once: write { delivery = 3, payment = 3 }."
				}
				l.Mistake(diag.UnknownFunction, of.Range(), "An event, what an obligation or the like comes to, or any(..., ...) of several is expected here.", hint)
				return moment{}, false
			}
		case *hclsyntax.TupleConsExpr:
			l.Mistake(diag.NotAReference, of.Range(), "An event, or what an obligation or the like comes to, is expected here.", "To count from any of several, write any(delivery, deliver.breached) = 3.")
			return moment{}, false
		}
	}
	var m moment
	var names, words []string
	for _, e := range list {
		some := l.occasionsIn(e, plain)
		if len(some) == 0 || slices.ContainsFunc(some, func(o occasion) bool { return !l.checkNth(o) || (o.norm != nil || o.ended) && l.compiled == nil }) {
			return moment{}, false // where norms have mistakes, it is not known when they change
		}
		name, said := some[0].called(len(some) > 1)
		m.by, names, words = append(m.by, some...), append(names, name), append(words, said)
	}
	m.name, m.words, m.at = strings.Join(names, "-or-"), strings.Join(words, " or "), m.by[0].declared()
	return m, true
}

// called returns the name of an occasion, and its words in "the 3 ticks after": of one of several events the name of the block.
func (o occasion) called(several bool) (name, words string) {
	switch name = occasionNames([]occasion{o})[0]; {
	case o.ended:
		return name, "the contract ended"
	case o.norm != nil && slices.Contains([]string{construct.Breached, "fulfilled", "lifted", "exercised"}, o.to):
		return name, strings.TrimSuffix(name, "."+o.to) + " was " + o.to
	case o.norm != nil:
		return name, strings.TrimSuffix(name, "."+o.to) + " came to be " + strings.ReplaceAll(o.to, "_", " ")
	case several:
		name = o.event.Of
	}
	return name, name
}

// declared returns the header of the block that an occasion is about.
func (o occasion) declared() hcl.Range {
	switch {
	case o.ended:
		return o.at
	case o.norm != nil:
		return o.norm.Range
	}
	return o.event.Range
}

// waitsForItself reports an event that would have to wait for what it brings about itself.
func (l *loader) waitsForItself(timed []*hclspec.Event, since moment, at hclsyntax.Expression) bool {
	for _, e := range l.entries(since.by) {
		if slices.Contains(timed, e.event) && e.event.Due == nil {
			l.Mistake(diag.Contradiction, at.Range(), fmt.Sprintf("Event %q would have to wait for itself.", e.event.Of), "Name another event.")
			return true
		}
	}
	return false
}

func (l *loader) eventTicks(attribute string, e hclsyntax.Expression) int {
	v, ok := l.Evaluate(e)
	if !ok {
		return 0
	}
	return l.ticks(attribute, e, v)
}

// endings returns the ways in which the contract ends for good, if the timer ends with it.
func (t *timer) endings(l *loader) []entry {
	if t.ends {
		return l.endings
	}
	return nil
}

// timer returns the timer of a moment and a duration. Equal ones are shared, but those that end with the contract with no others.
func (l *loader) timer(since moment, ticks int, lasts string, ends bool) *timer {
	name := fmt.Sprintf("%d-after-%s", ticks, since.name)
	if l.spec.Ends != nil && !ends {
		name += "-at-any-time"
	}
	if l.timers[name] != nil {
		return l.timers[name]
	}
	title := fmt.Sprintf("the %d ticks after %s", ticks, since.words)
	if ticks == 1 {
		title = "the tick after " + since.words
	}
	if l.unit != "" {
		title = fmt.Sprintf("the %s after %s", lasts, since.words)
	}
	t := l.newTimer(name, title, lasts, ticks, since, ends)
	l.timers[name] = t
	l.runTimer(t, since)
	l.followBreach(since.by)
	return t
}

// newTimer makes the net of a timer, which has not begun.
func (l *loader) newTimer(name, title, lasts string, ticks int, since moment, ends bool) *timer {
	t := &timer{ends: ends, net: madeNet("clock", name, title, since.at)}
	t.net.Lasts, t.net.Since = lasts, occasionNames(since.by)
	addState(t.net, "before", hclspec.NotBegun)
	addState(t.net, "running", "running")
	addState(t.net, "over", "over")
	t.clock = newClock(t.net, ticks)
	l.spec.Parties = append(l.spec.Parties, t.net)
	return t
}

// followBreach records that something follows the breach of norms, if a time is counted from breaches alone.
func (l *loader) followBreach(since []occasion) {
	if slices.ContainsFunc(since, func(o occasion) bool { return o.norm == nil || o.to != construct.Breached }) {
		return
	}
	for _, o := range since {
		for _, n := range o.norms() {
			n.Answered = true
		}
	}
}

// once reports whether a moment comes at most once: a breach is final.
func (m moment) once() bool {
	return len(m.by) == 1 && m.by[0].norm != nil && m.by[0].to == construct.Breached && len(m.by[0].norms()) == 1
}

// starts returns the ways in which the moment comes from which a timer counts.
func (t *timer) starts(l *loader, since moment) (all []entry) {
	for _, e := range l.entries(since.by) {
		if t.ends {
			all = append(all, l.beforeEnd(e)...)
		} else {
			all = append(all, e)
		}
	}
	return all
}

// runTimer starts a timer whenever its moment comes, and restarts it if it runs already, also on the tick on which its time is over.
func (l *loader) runTimer(t *timer, since moment) {
	lefts := t.clock.left
	top := lefts[len(lefts)-1]
	states, clocks := []string{"before", "over"}, append([]*hclspec.Place{t.clock.off}, lefts[:len(lefts)-1]...)
	if since.once() {
		states, clocks = states[:1], clocks[:1]
	}
	for _, e := range t.endings(l) {
		for _, state := range []string{"running", "over"} {
			l.move(t.net.Range, e, t.net.PlaceNamed(state), t.net.PlaceNamed("before"))
		}
		for _, left := range lefts {
			l.move(t.net.Range, e, left, t.clock.off)
		}
	}
	var ticks []entry
	for _, e := range t.starts(l, since) {
		for _, from := range states {
			l.move(t.net.Range, e, t.net.PlaceNamed(from), t.net.PlaceNamed("running"))
		}
		for _, from := range clocks {
			l.move(t.net.Range, e, from, top)
		}
		if e.event == l.tick && !since.once() {
			ticks = append(ticks, e)
		}
	}
	t.last = l.minus([]entry{{event: l.tick, given: lefts[:1]}}, ticks)
	for _, last := range t.last {
		l.move(t.net.Range, last, t.net.PlaceNamed("running"), t.net.PlaceNamed("over"))
		l.move(t.net.Range, last, lefts[0], t.clock.off)
	}
	for i := 1; i < len(lefts); i++ {
		passes := []entry{{event: l.tick}}
		if lefts[i] == top { // elsewhere the moves to the top come first
			passes = l.minus(passes, ticks)
		}
		l.moves(t.net.Range, passes, lefts[i], lefts[i-1])
	}
}

// dateOf returns the timer that runs until a day that an attribute names, and whether it names one. The timer is nil after a mistake.
func (l *loader) dateOf(e hclsyntax.Expression, word string, survives bool) (*timer, bool) {
	if _, braces := e.(*hclsyntax.ObjectConsExpr); braces {
		return nil, false
	}
	v, ok := l.Evaluate(e)
	if !ok {
		return nil, true
	}
	day, given := dateIn(v)
	if !given {
		return nil, false
	}
	d := dated{day, word != "not_before", e.Range()}
	if l.start.IsZero() {
		if l.header != nil && l.header.Body.Attributes["start"] != nil { // it is reported
			return nil, true
		}
		l.Mistake(diag.MissingAttribute, e.Range(), fmt.Sprintf("%s names a day, and it is not said on which day the contract starts.", word), "Write start = \"2027-01-01\" in the contract block.")
		return nil, true
	}
	x := l.fromStart(d)
	if x.N < 1 {
		l.Mistake(diag.BadDuration, e.Range(), fmt.Sprintf("%s names a day that is not after the start of the contract, %s.", word, l.spec.Start), "")
		return nil, true
	}
	n, ok := l.calendar.In(x, l.unit)
	switch {
	case !ok: // chooseTick has reported it
		return nil, true
	case n > maxDuration:
		l.Mistake(diag.BadDuration, e.Range(), fmt.Sprintf("This day is more than %d %ss after the start of the contract, and time is counted in %[2]ss.", maxDuration, l.unit),
			"Write durations in a longer unit. Only where all durations are in months or years, and all days whole months after the start, is time counted in months.")
		return nil, true
	}
	l.needTime(e.Range())
	return l.dateTimer(d, n, survives), true
}

// dateTimer returns the timer that is over some ticks after the start of the contract, when a day begins or ends. One that does not survive stops when
// the contract ends for good. What ends it is read after the norms that ask for the timer.
func (l *loader) dateTimer(d dated, ticks int, survives bool) *timer {
	_, mayEnd := l.endsAttribute()
	ends := mayEnd && !survives
	text := d.day.Format(time.DateOnly)
	name, title := "before-"+text, "the time before "+text
	if d.end {
		name, title = "until-"+text, "the time until the end of "+text
	}
	if mayEnd && !ends {
		name += "-at-any-time"
	}
	t := l.timers[name]
	if t == nil {
		t = l.newTimer(name, title, text, ticks, moment{at: l.spec.Range}, ends)
		l.timers[name] = t
		t.net.PlaceNamed("before").Marked, t.net.PlaceNamed("running").Marked = false, true
		t.clock.run(true)
	}
	if l.timing {
		l.runDate(t)
	}
	return t
}

// runDate adds the moves of a timer that runs until a day.
func (l *loader) runDate(t *timer) {
	if !t.ran {
		t.ran = true
		l.runTimer(t, moment{})
	}
}

// A clock counts ticks down.
type clock struct {
	off  *hclspec.Place
	left []*hclspec.Place // left[i] is marked when i+1 ticks are left
	kept []*hclspec.Place // kept[i] is marked while the clock stands still with i+1 ticks left; none: it never does
	on   *hclspec.Place   // of a clock that only says whether it runs; nil: it counts ticks
	more int              // how many ticks can be added to those with which it starts
}

// newClock adds the places of a clock to a net; with no ticks it adds none.
func newClock(net *hclspec.Party, ticks int) *clock {
	c := &clock{}
	if ticks == 0 {
		return c
	}
	c.off = &hclspec.Place{Name: "off", Kind: hclspec.ClockOff, Marked: true, Range: net.Range}
	net.Places = append(net.Places, c.off)
	for i := range ticks {
		p := &hclspec.Place{Name: fmt.Sprintf("left-%d", i+1), Kind: hclspec.ClockLeft, Range: net.Range}
		p.Title = fmt.Sprintf("%d ticks left", i+1)
		if i == 0 {
			p.Title = "1 tick left"
		}
		c.left = append(c.left, p)
	}
	net.Places = append(net.Places, c.left...)
	return c
}

// keep adds the places of a clock that can stand still.
func (c *clock) keep(net *hclspec.Party) {
	for i, left := range c.left {
		p := *left
		p.Name, p.Kind = fmt.Sprintf("kept-%d", i+1), hclspec.ClockKept
		c.kept = append(c.kept, &p)
	}
	net.Places = append(net.Places, c.kept...)
}

// newSwitch adds a clock that does not count: places that are marked while a norm without a deadline is owed, and while it is not.
func newSwitch(net *hclspec.Party) *clock {
	c := newClock(net, 1)
	c.on, c.left = c.left[0], nil
	c.on.Name, c.on.Title, c.on.Kind = "on", "", hclspec.ClockOff
	return c
}

// running returns the places of which one is marked while the clock runs.
func (c *clock) running() []*hclspec.Place {
	if c.on != nil {
		return []*hclspec.Place{c.on}
	}
	return c.left
}

// top returns the place that is marked when the clock starts; nil if it has no places.
func (c *clock) top() *hclspec.Place {
	if all := c.running(); len(all) > 0 {
		return all[len(all)-1-c.more]
	}
	return nil
}

// frozen returns the place that is marked when the clock stands still at its start; like top if it does not count.
func (c *clock) frozen() *hclspec.Place {
	if len(c.kept) > 0 {
		return c.kept[len(c.kept)-1-c.more]
	}
	return c.top()
}

// run sets whether the clock runs in the initial marking.
func (c *clock) run(on bool) {
	if top := c.top(); top != nil {
		c.off.Marked, top.Marked = !on, on
	}
}
