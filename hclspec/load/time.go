package load

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/duration"
	"github.com/redlinehq/redline/hclspec/expr"
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
	title := "time passes"
	if l.unit != "" {
		title += ": " + duration.Length{N: 1, Unit: l.unit}.String()
	}
	l.tick = &hclspec.Event{Prose: hclspec.Prose{Title: title}, Name: "tick", Of: "tick", Moving: true, Range: at}
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
	if x, said := l.calendar.Declared(l.unit); said {
		l.spec.TickLength = x.String()
	}
	for _, p := range l.spec.Parties {
		for _, place := range p.Places {
			if n := 0; place.Kind == hclspec.ClockLeft || place.Kind == hclspec.ClockKept {
				fmt.Sscanf(place.Name[len("left-"):], "%d", &n)
				_, words, _ := strings.Cut(place.Title, " ")
				_, words, _ = strings.Cut(words, " ")
				place.Title = duration.Length{N: n, Unit: l.unit}.String() + " " + words // left, to go
			}
		}
	}
}

// readCalendar reads how long units count: calendar = { month = "30 days" }. Each is given in a shorter one.
func (l *loader) readCalendar(body *hclsyntax.Body) {
	attr, given := body.Attributes["calendar"]
	if !given {
		return
	}
	l.calendar = duration.Calendar{}
	l.Pairs(attr.Expr, "a unit of time", func(name string, r hcl.Range, e hclsyntax.Expression) {
		if name == "holidays" {
			l.readHolidays(e)
			return
		}
		name = strings.ReplaceAll(name, "_", " ")
		at := duration.Rank(name)
		if at < 0 {
			l.Unknown(r, fmt.Sprintf("There is no unit of time %q.", name), name, func() []string {
				return []string{"hour", "day", "business_day", "week", "month", "quarter", "year", "holidays"}
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
		l.spec.Calendar = append(l.spec.Calendar, name+" = "+x.String())
	})
	slices.Sort(l.spec.Calendar)
	x := duration.Length{N: 1, Unit: "business day"}
	if week, said := l.calendar["week"]; said && week.Unit == x.Unit && week.N == 7 || l.calendar[x.Unit].N > 0 {
		if len(l.spec.Holidays) > 0 {
			l.Mistake(diag.Contradiction, attr.Expr.Range(), "Business days are counted as all days are here, so none is left out.", "Leave holidays out, or what the calendar says of business days.")
		}
	}
}

// maxHolidays is the largest number of holidays of a contract: those of some ninety years.
const maxHolidays = 1_000

// readHolidays reads the days from Monday to Friday that are no business days: holidays = ["2026-12-25", "2026-12-28"], the earliest first.
func (l *loader) readHolidays(e hclsyntax.Expression) {
	v, ok := l.Evaluate(e)
	if !ok {
		return
	}
	if v.IsNull() || !v.CanIterateElements() || v.Type().IsMapType() || v.Type().IsObjectType() {
		l.Mistake(diag.WrongType, e.Range(), "A list of days is expected here.", "Write holidays = [\"2026-12-25\", \"2026-12-28\"].")
		return
	}
	list, last := v.AsValueSlice(), time.Time{}
	if len(list) > maxHolidays {
		l.Mistake(diag.ValueTooLarge, e.Range(), fmt.Sprintf("These are %d holidays, and a contract has at most %d.", len(list), maxHolidays), "Leave out those of years in which nothing is due any more.")
		return
	}
	written, each := e.(*hclsyntax.TupleConsExpr)
	for i, v := range list {
		at := e.Range()
		if each {
			at = written.Exprs[i].Range()
		}
		day, known := dayIn(v)
		switch {
		case !known && !v.IsNull() && v.Type() == cty.String:
			l.Mistake(diag.BadDuration, at, fmt.Sprintf("A holiday is a day of the calendar as YYYY-MM-DD; this is %q.", v.AsString()), hclspec.NotDay(v.AsString()))
		case !known:
			l.Mistake(diag.WrongType, at, "A holiday is a day, as \"2026-12-25\".", "This is "+expr.Describe(v)+".")
		case day.Equal(last):
			l.Mistake(diag.DuplicateName, at, fmt.Sprintf("%s stands before it already.", day.Format(time.DateOnly)), "Write each day once.")
		case day.Before(last):
			l.Mistake(diag.BadDuration, at, fmt.Sprintf("%s stands after %s, which is later.", day.Format(time.DateOnly), last.Format(time.DateOnly)), "Write holidays in order, the earliest first.")
		default:
			l.spec.Holidays, last = append(l.spec.Holidays, day.Format(time.DateOnly)), day
		}
	}
}

// lasting has the attributes that are durations, by block. Of events they are in braces, by what they are counted from.
func lasting(block string) []string {
	switch {
	case block == "event":
		return []string{"not_before", "within", "after"}
	case construct.IsNorm(block):
		return []string{"within", "by", "lasts", "every", "before", "extends"}
	}
	return nil
}

// chooseTick makes the finest unit of all durations in words the tick.
func (l *loader) chooseTick(blocks []*hclsyntax.Block) {
	var all []duration.Length
	var at []hcl.Range
	var days []dated
	monthly := map[*hclsyntax.Block]duration.Length{}
	for _, b := range blocks {
		for _, word := range lasting(b.Type) {
			attr, given := b.Body.Attributes[word]
			if !given {
				continue
			}
			values := []hclsyntax.Expression{attr.Expr}
			object, braces := attr.Expr.(*hclsyntax.ObjectConsExpr)
			if braces || word == "before" || word == "extends" { // without braces it is reported where it is read
				values = nil
			}
			if braces {
				for _, item := range object.Items {
					values = append(values, item.ValueExpr)
				}
			}
			for _, e := range values {
				if v, ok := l.Evaluate(e); ok {
					if x, ok := inWords(v); ok && word == "every" && l.recursFromStart(b, x) {
						monthly[b] = x
					} else if ok {
						all, at = append(all, x), append(at, e.Range())
					} else if day, ok := dateIn(v); ok && !l.start.IsZero() {
						days = append(days, dated{day, word != "not_before", e.Range()})
					}
				}
			}
		}
	}
	l.months = l.inMonths(all, days)
	for _, b := range blocks {
		if x, recurs := monthly[b]; recurs {
			all, at = append(all, l.monthlyLength(b, x, all, days)), append(at, b.Body.Attributes["every"].Expr.Range())
		}
	}
	for _, d := range days {
		if x := l.fromStart(d); x.N > 0 { // else it is reported where it is read
			all, at = append(all, x), append(at, d.at)
		}
	}
	misfit := 0
	l.ownUnit, misfit = l.calendar.Tick(all)
	if l.unit = l.ownUnit; l.finest != "" && len(all) > 0 && misfit < 0 && l.calendar.Fit(all, l.finest) {
		l.unit = l.finest
	}
	if l.noTick = misfit >= 0; l.noTick {
		x := all[misfit]
		if given := slices.IndexFunc(days, func(d dated) bool { return d.at == at[misfit] }); given >= 0 {
			l.Mistake(diag.BadDuration, at[misfit], fmt.Sprintf("From the start of the contract to this day are %s, which are no fixed number of %ss, and other durations of this contract are in these.", x, l.unit),
				fmt.Sprintf("Say in the contract block how long a %s counts, as in calendar = { business_day = \"1 day\" }; or use days.", x.Unit))
			return
		}
		inUnit := func(x duration.Length) bool { return x.Unit == l.unit }
		if i := slices.IndexFunc(all, inUnit); i >= 0 && duration.LessFrequent(all, l.unit, x.Unit) {
			l.Mistake(diag.BadDuration, at[i], fmt.Sprintf("%s: other times of this contract are in %ss, as %s at %s, which is no fixed number of %ss.", all[i], x.Unit, x, diag.At(at[misfit]), l.unit), l.sayHowLong(x.Unit))
			return
		}
		other := "the unit of the other durations of this contract"
		if i := slices.IndexFunc(all, inUnit); i >= 0 {
			other = fmt.Sprintf("the unit of the time at %s", diag.At(at[i]))
		}
		l.Mistake(diag.BadDuration, at[misfit], fmt.Sprintf("%s is no fixed number of %ss, which is %s.", x, l.unit, other),
			l.sayHowLong(x.Unit))
	}
}

// sayHowLong returns the hint to declare how long a unit counts.
func (l *loader) sayHowLong(unit string) string {
	return fmt.Sprintf("Say in the contract block how long a %s counts, as in calendar = { %s = %q }; or use one unit.", unit, strings.ReplaceAll(unit, " ", "_"), duration.Usual(unit, l.unit))
}

// inWords returns the duration in a value; false if it is no text, or none that is a duration.
func inWords(v cty.Value) (duration.Length, bool) {
	if v.IsNull() || v.Type() != cty.String {
		return duration.Length{}, false
	}
	return duration.Parse(v.AsString())
}

// countsTicks reports, where a phase is used, that its template counts in ticks what the contract has in units, and what to write. What the phase gives may be of the wrong type,
// which is said already: then it adds what to write.
func (l *loader) countsTicks(e hclsyntax.Expression, v cty.Value) bool {
	a := l.ArgumentIn(e)
	if a == nil || a.Mistake == nil && (l.unit == "" || v.IsNull() || v.Type() != cty.Number) {
		return false
	}
	n, first, text := duration.Length{N: 14, Unit: cmp.Or(l.unit, "day")}, "Write a number of ticks", "\"14 days\""
	if a.Mistake == nil {
		n.N, _ = expr.WholeNumber(v)
		text = fmt.Sprintf("%q", n.String())
	}
	if l.unit != "" {
		first = "Write the other durations of this contract as numbers of ticks, too"
	}
	what, advice := fmt.Sprintf("Template %q counts in ticks what its parameter %q is", a.Template, a.Parameter), fmt.Sprintf("Give it as %s, say.", text)
	switch {
	case a.Typed:
		advice = fmt.Sprintf("%s; or take source and digest out of the template, if it has them, say type = duration in its parameter, and give %s.", first, text)
	case a.Lasts && a.Usual:
		what = fmt.Sprintf("Parameter %q of template %q is %s if it is left out", a.Parameter, a.Template, duration.Length{N: n.N, Unit: "tick"})
		advice = fmt.Sprintf("Write with = { %s = %s }, say.", a.Parameter, text)
	case a.Lasts:
		what = fmt.Sprintf("Parameter %q of template %q is given as a number of ticks", a.Parameter, a.Template)
	}
	if a.Mistake == nil {
		l.Mistake(diag.BadDuration, a.At, what+", and durations of this contract have a unit.", advice)
		a.Mistake = l.Diags[len(l.Diags)-1]
	} else if a.Typed && a.Mistake.Extra == diag.WrongType && !strings.Contains(a.Mistake.Detail, "ticks") {
		a.Mistake.Detail += " The template counts in ticks. " + advice
	}
	return true
}

// duration reads a number of ticks; 0 if it is not given.
func (l *loader) duration(body *hclsyntax.Body, attribute string) int {
	attr, given := body.Attributes[attribute]
	if !given {
		return 0
	}
	if _, braces := attr.Expr.(*hclsyntax.ObjectConsExpr); braces {
		l.Mistake(diag.BadDuration, attr.Expr.Range(), fmt.Sprintf("%s is one duration here. It runs from what brings this about.", attribute), fmt.Sprintf("Write %s = 3 and, for what it runs from, when = [x, y]. Only an event names in braces what a time is counted from.", attribute))
		return 0
	}
	return l.eventTicks(attribute, attr.Expr)
}

// lengthInTicks returns the number of ticks of a duration in words; 0 after a mistake.
func (l *loader) lengthInTicks(attribute string, e hclsyntax.Expression, text string) int {
	x, ok := duration.Parse(text)
	if !ok {
		l.Mistake(diag.BadDuration, e.Range(), fmt.Sprintf("%s is no duration: %q.", attribute, text),
			l.adviseDuration(attribute, text))
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

// adviseDuration returns what to write in place of a text that is no duration.
func (l *loader) adviseDuration(attribute, text string) string {
	advice, day := duration.Advise(text), hclspec.AsDay(text)
	switch {
	case day == "":
		return advice
	case attribute == "within":
		advice += fmt.Sprintf(" In an obligation write by = %q; an event has a day without braces, as in not_before = %[1]q.", day)
	default:
		advice += fmt.Sprintf(" Write event \"over\" { after = %q }, which happens by itself when that day is over, and name that event.", day)
	}
	if l.header == nil || l.header.Body.Attributes["start"] == nil {
		advice += " The contract block then has start = \"2026-01-01\", the day on which it begins."
	}
	return advice
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

// A contract that says on which day it starts may name days: by = "2027-03-31". The time until a day is a timer that runs from the start. It is over
// when the day begins, or when it ends.

// A dated is a day that the source names.
type dated struct {
	day time.Time
	end bool // the end of the day is meant
	at  hcl.Range
}

// readStart reads the day on which the contract begins.
func (l *loader) readStart(body *hclsyntax.Body) {
	if l.spec.Start = l.day(body, "start", diag.BadDuration, ""); l.spec.Start != "" {
		l.start, _ = time.Parse(time.DateOnly, l.spec.Start)
	}
}

// dayIn returns the day in a value; false if it is none.
func dayIn(v cty.Value) (time.Time, bool) {
	if v.IsNull() || v.Type() != cty.String || !hclspec.IsDay(v.AsString()) {
		return time.Time{}, false
	}
	day, err := time.Parse(time.DateOnly, v.AsString())
	return day, err == nil
}

// dateIn returns the day in a value that may also name it as so long before another; false if it is none.
func dateIn(v cty.Value) (time.Time, bool) {
	if v.IsNull() || v.Type() != cty.String {
		return time.Time{}, false
	}
	return duration.DayIn(v.AsString())
}

// moment returns when a time until a day is over.
func (d dated) moment() time.Time {
	if d.end {
		return d.day.AddDate(0, 0, 1)
	}
	return d.day
}

// monthsFromStart returns how many months after the start of the contract a moment is; false if these are no whole number, or the start is a day that
// some months lack.
func (l *loader) monthsFromStart(at time.Time) (int, bool) {
	n := 12*(at.Year()-l.start.Year()) + int(at.Month()) - int(l.start.Month())
	return n, n > 0 && at.Day() == l.start.Day() && at.Day() <= 28
}

// inMonths reports whether the time to every day is a whole number of months, and all durations are in months or longer units, of which there is one.
func (l *loader) inMonths(all []duration.Length, days []dated) bool {
	month := duration.Rank("month")
	if _, declared := l.calendar["month"]; declared || len(all) == 0 || l.finest != "" && duration.Rank(l.finest) < month {
		return false
	}
	return !slices.ContainsFunc(all, func(x duration.Length) bool { return duration.Rank(x.Unit) < month }) &&
		!slices.ContainsFunc(days, func(d dated) bool { _, whole := l.monthsFromStart(d.moment()); return !whole })
}

// recursFromStart reports whether an obligation recurs by the calendar: from the start of the contract, every so many months, quarters or years.
func (l *loader) recursFromStart(b *hclsyntax.Block, every duration.Length) bool {
	_, when := b.Body.Attributes["when"]
	_, waits := l.begins[l.Generated[b].Phase]
	_, declared := l.calendar[every.Unit]
	_, month := l.calendar["month"]
	return !l.start.IsZero() && !when && !waits && !declared && !month && duration.Rank(every.Unit) >= duration.Rank("month")
}

// monthlyLength returns the time from one occurrence of an obligation to the next, if it recurs by the calendar: as it is written where all is in months, or
// else in days, of which their number varies.
func (l *loader) monthlyLength(b *hclsyntax.Block, every duration.Length, all []duration.Length, days []dated) duration.Length {
	fine := slices.ContainsFunc(all, func(x duration.Length) bool { return duration.Rank(x.Unit) < duration.Rank("month") })
	if !fine && (l.months || len(days) == 0) && (l.finest == "" || duration.Rank(l.finest) >= duration.Rank("month")) {
		return every
	}
	n, _ := l.calendar.In(every, "month")
	l.monthly[b] = n
	return duration.Length{N: l.daysBetween(0, n), Unit: "day"}
}

// daysBetween returns the days between two moments, so many months after the start of the contract. A month after the 31st is the last day of a month that
// has fewer.
func (l *loader) daysBetween(from, to int) int {
	after := func(months int) time.Time {
		first := l.start.AddDate(0, 0, 1-l.start.Day()).AddDate(0, months, 0)
		return first.AddDate(0, 0, min(l.start.Day(), first.AddDate(0, 1, -1).Day())-1)
	}
	return int(after(to).Sub(after(from)).Hours() / 24)
}

// readMonthly reads the ticks between the occurrences of an obligation that recurs by the calendar.
func (l *loader) readMonthly(n *norm) {
	months := min(l.monthly[n.block], maxDuration)
	at := n.block.Body.Attributes["every"].Expr.Range()
	for k := range max(n.times-1, 1) {
		gap, fits := l.calendar.In(duration.Length{N: l.daysBetween(k*months, (k+1)*months), Unit: "day"}, l.unit)
		if !fits { // chooseTick has reported it
			return
		}
		if gap > maxDuration {
			l.Mistake(diag.BadDuration, at, fmt.Sprintf("every is more than %d %ss, the unit of the shortest duration here.", maxDuration, l.unit), "Write the shorter durations in a longer unit, or make this one shorter.")
			return
		}
		n.gaps, n.every = append(n.gaps, gap), max(n.every, gap)
	}
	l.needTime(at)
}

// fromStart returns the time from the start of the contract to a day; not positive if the day is before.
func (l *loader) fromStart(d dated) duration.Length {
	if l.months {
		n, _ := l.monthsFromStart(d.moment())
		return duration.Length{N: n, Unit: "month"}
	}
	return duration.Length{N: int(d.moment().Sub(l.start).Hours() / 24), Unit: "day"}
}
