package words

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
)

// recounted says by what the two versions count that is not the same in both: the day on which they begin, and how long a tick is. It returns "" if
// all is.
func recounted(d *finding.Difference, in Medium) string {
	return Joined(" ", moved(d, in), retimed(d))
}

// moved says that the versions do not begin on the same day: whatever is compared is counted from the start of each. It returns "" if they do.
func moved(d *finding.Difference, in Medium) string {
	was, now, differs := d.Start()
	switch {
	case !differs:
		return ""
	case was == "":
		return "Only now does the contract say when it begins: " + in.Prose(now) + "."
	case now == "":
		return "The contract does not say any more when it begins; it was " + in.Prose(was) + "."
	}
	return "It begins on " + in.Prose(now) + ", no longer on " + in.Prose(was) + ": what is counted from the start is on other days."
}

// retimed says that a tick is not known to be as long as before. It returns "" if it is.
func retimed(d *finding.Difference) string {
	switch t := d.Tick; {
	case t == nil:
		return ""
	case t.Was == "":
		return "Durations had no unit and are in " + units(t.Now) + " now: whether they are as long as before is not known."
	case t.Now == "":
		return "Durations were in " + units(t.Was) + " and have no unit now: whether they are as long as before is not known."
	}
	return "But time was counted in " + units(d.Tick.Was) + ", and is counted in " + units(d.Tick.Now) + " now: what is due after a time is due after another one."
}

// units returns the plural of how long a tick is: "months of 30 days". What no contract says how long it is, is that of the calendar.
func units(tick string) string {
	if unit, holidays, some := strings.Cut(tick, " with "); some {
		return units(unit) + " with " + holidays
	}
	unit, length, said := strings.Cut(tick, " of ")
	switch {
	case said:
		return unit + "s of " + length
	case unit == "month" || unit == "quarter" || unit == "year":
		return unit + "s of the calendar"
	}
	return unit + "s"
}

// countedFrom says from what and by what both versions are counted where they are compared. It returns "" if that is the same in both.
func countedFrom(d *finding.Difference) string {
	_, _, moved := d.Start()
	switch {
	case moved && d.Tick != nil:
		return "in ticks from the start of each version"
	case moved:
		return "from the start of each version"
	case d.Tick != nil:
		return "in ticks"
	}
	return ""
}

// count returns 1 for true and 0 for false.
func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// NoPartySees describes a difference that no party can see.
func NoPartySees(d *finding.Difference) string {
	switch from := countedFrom(d); {
	case from != "":
		return "for each party the same steps, and the same is owed, counted " + from
	case d.States.HeldOtherwise():
		return "for each party the same steps, obligations and rights; amounts, or what else is held or counted, differ"
	case d.States.Undecided != "":
		return "for each party the same steps, obligations and rights; whether amounts, or what else is held or counted, differ is not decided"
	}
	return "no party can see a change"
}

// holidayChange says which days are holidays now, and which are no more. Both lists are in order. Named lists days by their names, the first of many.
func holidayChange(was, now string, named func(days []string) string) string {
	before, after := strings.Split(was, ", "), strings.Split(now, ", ")
	said := func(days, others []string, one, several string) string {
		days = slices.DeleteFunc(slices.Clone(days), func(day string) bool {
			_, found := slices.BinarySearch(others, day)
			return found || day == ""
		})
		switch len(days) {
		case 0:
			return ""
		case 1:
			return named(days) + " is " + one
		}
		return named(days) + " are " + several
	}
	return Joined(", and ", said(after, before, "a holiday now", "holidays now"), said(before, after, "no holiday any more", "no holidays any more"))
}
