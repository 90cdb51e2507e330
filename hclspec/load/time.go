package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/duration"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// Time is discrete. The event tick exists once there is a duration. It moves all running clocks on by one, and can happen only while one runs,
// so time alone never keeps a contract going. A clock of n ticks has n+1 places, off and n to 1 left; while off it costs no states.

// count makes tick move a clock on, unless another move applies to it.
func (l *loader) count(c *clock) {
	for i := 1; i < len(c.left); i++ {
		l.move(c.off.Range, entry{event: l.tick}, c.left[i], c.left[i-1])
	}
}

// needTime makes the event tick on the first call.
func (l *loader) needTime(at hcl.Range) {
	if l.tick != nil {
		return
	}
	l.tick = &hclspec.Event{Prose: hclspec.Prose{Title: l.passes()}, Name: "tick", Of: "tick", Moving: true, Range: at}
	if first, taken := l.events["tick"]; taken {
		l.Mistake(diag.ReservedName, first, "No event may be called tick where there are durations.", "tick is the event that time passes.")
	}
	if l.taken("time") {
		l.Mistake(diag.ReservedName, at, "Nothing may be called time where there are durations.", "Time is a net of its own, which ticks.")
	}
	pass := &hclspec.Transition{Prose: l.tick.Prose, Name: "pass", Label: "pass", Range: at}
	time := &hclspec.Party{Name: "time", Of: "time", IsNet: true, Made: "clock", Transitions: []*hclspec.Transition{pass}, Range: at}
	l.tick.Ways = [][]hclspec.Sync{{{Party: time, Label: "pass", Range: at}}}
	l.spec.Parties = append(l.spec.Parties, time)
}

// addTime appends tick to the events. Only formulas can name it.
func (l *loader) addTime() {
	if l.tick == nil {
		return
	}
	l.spec.Events = append(l.spec.Events, l.tick)
	if l.spec.Tick = l.unit; l.unit == "" {
		return
	}
	for _, p := range l.spec.Parties {
		for _, place := range p.Places {
			if n := 0; place.Kind == hclspec.ClockLeft || place.Kind == hclspec.ClockKept {
				fmt.Sscanf(place.Name[len("left-"):], "%d", &n)
				place.Title = duration.Length{N: n, Unit: l.unit}.String() + " left"
			}
		}
	}
}

// passes returns the title of the tick.
func (l *loader) passes() string {
	if l.unit == "" {
		return "time passes"
	}
	return "time passes: " + duration.Length{N: 1, Unit: l.unit}.String()
}

// readCalendar reads how long units count: calendar = { month = "30 days" }. Each is given in a shorter one.
func (l *loader) readCalendar(body *hclsyntax.Body) {
	attr, given := body.Attributes["calendar"]
	if !given {
		return
	}
	l.calendar = duration.Calendar{}
	l.Pairs(attr.Expr, "a unit of time", func(name string, r hcl.Range, e hclsyntax.Expression) {
		name = strings.ReplaceAll(name, "_", " ")
		at := duration.Rank(name)
		if at < 0 {
			l.Unknown(r, fmt.Sprintf("There is no unit of time %q.", name), name, func() []string {
				return []string{"hour", "day", "business_day", "week", "month", "quarter", "year"}
			})
			return
		}
		v, ok := l.Evaluate(e)
		if !ok {
			return
		}
		x, said := inWords(v)
		if !said || duration.Rank(x.Unit) >= at {
			l.Mistake(diag.BadDuration, e.Range(), fmt.Sprintf("A shorter duration in words is expected here: how long a %s counts.", name), "Write for example month = \"30 days\", year = \"365 days\", week = \"5 business days\".")
			return
		}
		l.calendar[name] = x
	})
}

// lasting has the attributes that are durations, by block. Of events they are in braces, by what they are counted from.
func lasting(block string) []string {
	switch {
	case block == "event":
		return []string{"not_before", "within", "after"}
	case construct.IsNorm(block):
		return []string{"within", "lasts", "every"}
	}
	return nil
}

// chooseTick makes the finest unit of all durations in words the tick.
func (l *loader) chooseTick(blocks []*hclsyntax.Block) {
	var all []duration.Length
	var at []hcl.Range
	for _, b := range blocks {
		for _, word := range lasting(b.Type) {
			attr, given := b.Body.Attributes[word]
			if !given {
				continue
			}
			values := []hclsyntax.Expression{attr.Expr}
			if object, ok := attr.Expr.(*hclsyntax.ObjectConsExpr); ok {
				values = nil
				for _, item := range object.Items {
					values = append(values, item.ValueExpr)
				}
			}
			for _, e := range values {
				if v, ok := l.Evaluate(e); ok {
					if x, ok := inWords(v); ok {
						all, at = append(all, x), append(at, e.Range())
					}
				}
			}
		}
	}
	misfit := 0
	l.ownUnit, misfit = l.calendar.Tick(all)
	if l.unit = l.ownUnit; l.finest != "" && len(all) > 0 && misfit < 0 && l.calendar.Fit(all, l.finest) {
		l.unit = l.finest
	}
	if misfit >= 0 {
		x := all[misfit]
		l.Mistake(diag.BadDuration, at[misfit], fmt.Sprintf("%s is no fixed number of %ss, and other durations of this contract are in these.", x, l.unit),
			fmt.Sprintf("Say in the contract block how long a %s counts, as in calendar = { month = \"30 days\" }; or use one unit.", x.Unit))
	}
}

// inWords returns the duration in a value; false if it is no text, or none that is a duration.
func inWords(v cty.Value) (duration.Length, bool) {
	if v.IsNull() || v.Type() != cty.String {
		return duration.Length{}, false
	}
	return duration.Parse(v.AsString())
}

// lengthInTicks returns the number of ticks of a duration in words; 0 after a mistake.
func (l *loader) lengthInTicks(attribute string, e hclsyntax.Expression, text string) int {
	x, ok := duration.Parse(text)
	if !ok {
		l.Mistake(diag.BadDuration, e.Range(), fmt.Sprintf("%s is no duration: %q.", attribute, text),
			"Write a whole number and a unit, as in \"30 days\", \"2 weeks\", \"1 month\" or \"2 business days\".")
		return 0
	}
	n, ok := l.calendar.In(x, l.unit)
	switch {
	case !ok: // chooseTick has reported it
		return 0
	case n > maxDuration:
		l.Mistake(diag.BadDuration, e.Range(), fmt.Sprintf("%s is more than %d %ss, the unit of the shortest duration here.", x, maxDuration, l.unit),
			"Write the shorter durations in a longer unit, or make this one shorter.")
		return 0
	}
	l.needTime(e.Range())
	return n
}

// spelled returns the duration in the first attribute that is given, as the source has it; empty if none is.
func (l *loader) spelled(body *hclsyntax.Body, ticks int, attributes ...string) string {
	for _, word := range attributes {
		if attr, given := body.Attributes[word]; given {
			return l.spelling(attr.Expr, ticks)
		}
	}
	return ""
}

// spelling returns a duration as the source has it.
func (l *loader) spelling(e hclsyntax.Expression, ticks int) string {
	if l.unit == "" {
		return strconv.Itoa(ticks)
	}
	if v, ok := l.Evaluate(e); ok {
		if x, ok := inWords(v); ok {
			return x.String()
		}
	}
	return duration.Length{N: ticks, Unit: l.unit}.String()
}

// timeEvents reads the times of events: not_before = { delivery = 3 }, within = { delivery = 5 }, after = { deliver.breached = 10 }. Norms have been
// compiled by then, unless they have mistakes.
func (l *loader) timeEvents(blocks []*hclsyntax.Block) {
	timers := map[string]*timer{}
	for _, b := range blocks {
		if b.Type != "event" {
			continue
		}
		timed := l.eventsOf(syntax.Ref{Name: b.Labels[0]})
		for _, word := range lasting("event") {
			if attr, given := b.Body.Attributes[word]; given && len(timed) > 0 && l.events[b.Labels[0]] == b.LabelRanges[0] {
				l.timeEvent(timers, timed, attr)
			}
		}
	}
}

func (l *loader) timeEvent(timers map[string]*timer, timed []*hclspec.Event, attr *hclsyntax.Attribute) {
	object, ok := attr.Expr.(*hclsyntax.ObjectConsExpr)
	if !ok || len(object.Items) == 0 {
		l.Mistake(diag.NotAReference, attr.Expr.Range(), "An event and a duration are expected here, in braces.",
			fmt.Sprintf("Write %s = { EVENT = 3 }.", attr.Name))
		return
	}
	for _, e := range timed {
		if e.Due != nil { // what only_while asks is asked when it falls due
			e.Due.While, e.Needs = e.Needs, nil
		}
	}
	seen := syntax.Names{}
	for _, item := range object.Items {
		since, ok := l.countedFrom(item.KeyExpr)
		if !ok || !l.Once(seen, since.words, item.KeyExpr.Range()) || l.waitsForItself(timed, since, item.KeyExpr) {
			continue
		}
		if n := l.eventTicks(attr.Name, item.ValueExpr); n > 0 {
			l.timed(timed, attr.Name, l.timer(timers, since, n, l.spelling(item.ValueExpr, n)))
		}
	}
}

// timed makes events depend on a timer.
func (l *loader) timed(events []*hclspec.Event, word string, t *timer) {
	for _, e := range events {
		switch word {
		case "not_before":
			e.Needs = append(e.Needs, hclspec.Being(t.net.PlaceNamed("over")))
		case "within":
			e.Needs = append(e.Needs, hclspec.Being(t.net.PlaceNamed("running")))
		default:
			l.fallDue(e, t)
		}
	}
}

// fallDue makes an event that happens by itself due when the time of a timer is over.
func (l *loader) fallDue(e *hclspec.Event, t *timer) {
	e.Due.Timers = append(e.Due.Timers, t.net)
	for _, last := range meeting(e.Due.While, t.last) {
		l.move(e.Range, last, e.Due.Not, e.Due.Now)
	}
}

// A moment is what a time is counted from: an event, a change of a norm, or any of several.
type moment struct {
	by    []occasion
	name  string // of the events and changes, as part of a net's name
	words string // as in "the 3 ticks after delivery"
	at    hcl.Range
}

// countedFrom reads what a time is counted from: delivery, deliver.breached, any(delivery, deliver.breached). It returns false after a mistake.
func (l *loader) countedFrom(e hclsyntax.Expression) (moment, bool) {
	list := []hclsyntax.Expression{e}
	key, _ := e.(*hclsyntax.ObjectConsKeyExpr)
	if key != nil {
		switch of := key.Wrapped.(type) {
		case *hclsyntax.FunctionCallExpr:
			if list = of.Args; of.Name != "any" || len(list) == 0 {
				l.Mistake(diag.UnknownFunction, of.Range(), "An event, a change of a norm, or any(..., ...) of several is expected here.", "Write any(delivery, deliver.breached) = 3.")
				return moment{}, false
			}
		case *hclsyntax.TupleConsExpr:
			l.Mistake(diag.NotAReference, of.Range(), "An event or a change of a norm is expected here.", "To count from any of several, write any(delivery, deliver.breached) = 3.")
			return moment{}, false
		}
	}
	var m moment
	var names, words []string
	for _, e := range list {
		some := l.occasionsIn(e, false)
		if len(some) == 0 || slices.ContainsFunc(some, func(o occasion) bool { return !l.checkNth(o) || o.norm != nil && l.compiled == nil }) {
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
	if o.norm != nil {
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

// timer returns the timer of a moment and a duration. Equal ones are shared.
func (l *loader) timer(timers map[string]*timer, since moment, ticks int, lasts string) *timer {
	name := fmt.Sprintf("%d-after-%s", ticks, since.name)
	if timers[name] != nil {
		return timers[name]
	}
	t := &timer{net: &hclspec.Party{Name: name, Of: name, IsNet: true, Made: "clock", Lasts: lasts, Since: occasionNames(since.by), Range: since.at}}
	if t.net.Title = fmt.Sprintf("the %d ticks after %s", ticks, since.words); ticks == 1 {
		t.net.Title = "the tick after " + since.words
	}
	if l.unit != "" {
		t.net.Title = fmt.Sprintf("the %s after %s", lasts, since.words)
	}
	for i, state := range []string{"before", "running", "over"} {
		title := []string{hclspec.NotBegun, "running", "over"}[i]
		t.net.Places = append(t.net.Places, &hclspec.Place{Prose: hclspec.Prose{Title: title}, Name: state, Kind: hclspec.State, Marked: i == 0, Range: t.net.Range})
	}
	t.clock = newClock(t.net, ticks)
	timers[name] = t
	l.spec.Parties = append(l.spec.Parties, t.net)
	l.runTimer(t, since)
	l.followBreach(since.by)
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

// runTimer starts a timer whenever its moment comes, and restarts it if it runs already, also on the tick on which its time is over.
func (l *loader) runTimer(t *timer, since moment) {
	lefts := t.clock.left
	top := lefts[len(lefts)-1]
	states, clocks := []string{"before", "over"}, append([]*hclspec.Place{t.clock.off}, lefts[:len(lefts)-1]...)
	if since.once() {
		states, clocks = states[:1], clocks[:1]
	}
	var ticks []entry
	for _, e := range l.entries(since.by) {
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
		for _, e := range passes {
			l.move(t.net.Range, e, lefts[i], lefts[i-1])
		}
	}
}

// A clock counts ticks down.
type clock struct {
	off  *hclspec.Place
	left []*hclspec.Place // left[i] is marked when i+1 ticks are left
	kept []*hclspec.Place // kept[i] is marked while the clock stands still with i+1 ticks left; none: it never does
	on   *hclspec.Place   // of a clock that only says whether it runs; nil: it counts ticks
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
		return all[len(all)-1]
	}
	return nil
}

// frozen returns the place that is marked when the clock stands still at its start; like top if it does not count.
func (c *clock) frozen() *hclspec.Place {
	if len(c.kept) > 0 {
		return c.kept[len(c.kept)-1]
	}
	return c.top()
}

func (c *clock) start() { c.run(true) }

func (c *clock) stop() { c.run(false) }

// run sets whether the clock runs in the initial marking.
func (c *clock) run(on bool) {
	if top := c.top(); top != nil {
		c.off.Marked, top.Marked = !on, on
	}
}

// A timer records how long ago something last happened: before, running or over.
type timer struct {
	net   *hclspec.Party
	clock *clock
	last  []entry // the ticks on which its time is over
}
