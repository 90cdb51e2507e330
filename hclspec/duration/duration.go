// Package duration reads durations in words, such as "30 days", and converts them to other units. A contract counts time in ticks; the tick is
// one of the units that its text writes (see Tick).
package duration

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/hclspec"
)

// A Length is a number of units: 30 days.
type Length struct {
	N    int
	Unit string
}

func (x Length) String() string {
	if x.N == 1 {
		return "1 " + x.Unit
	}
	return fmt.Sprintf("%d %ss", x.N, x.Unit)
}

// A unit is a length of time that durations are written in.
type unit struct {
	name string
	is   Length // in a shorter unit; without a number if that depends on the calendar
}

// units are all units, short ones first.
var units = []unit{{name: "minute"}, {"hour", Length{60, "minute"}}, {"day", Length{24, "hour"}}, {name: "business day"}, {"week", Length{7, "day"}},
	{name: "month"}, {"quarter", Length{3, "month"}}, {"year", Length{4, "quarter"}}}

// Rank returns the place of a unit in the order of units, short ones first; -1 if there is no such unit.
func Rank(name string) int {
	return slices.IndexFunc(units, func(u unit) bool { return u.name == name })
}

// most is the largest number of units that a conversion counts. A longer length is that long.
const most = 1 << 40

var inWords = regexp.MustCompile(`^([0-9]{1,12}) +(minute|hour|day|business day|week|month|quarter|year)s?$`)

// Parse reads a duration in words. It returns false if the text is none.
func Parse(text string) (Length, bool) {
	m := inWords.FindStringSubmatch(text)
	if m == nil {
		return Length{}, false
	}
	n, err := strconv.Atoi(m[1])
	return Length{n, m[2]}, err == nil && n > 0
}

// written matches a number and what follows it.
var written = hclspec.LazyRegexp(`^\s*(-?[0-9]+(?:\.[0-9]+)?)\s*(\pL[\pL\s]*)?$`)

// Advise returns what to write in place of a text that Parse refuses.
func Advise(text string) string {
	m := written().FindStringSubmatch(text)
	if m == nil {
		if hclspec.AsDay(text) != "" {
			return "This is a day."
		}
		return another
	}
	var names []string
	for _, u := range units {
		names = append(names, u.name)
	}
	number, word := m[1], strings.TrimSuffix(strings.ToLower(strings.Join(strings.Fields(m[2]), " ")), "s")
	n, err := strconv.Atoi(number)
	known := slices.Contains(names, word)
	switch {
	case !known && (number == "0" || number[0] == '-'):
		return another
	case word == "":
		return fmt.Sprintf("Write the unit, too, as in \"%s days\".", number)
	case !known:
		if near := hclspec.Nearest(word, names); near != "" {
			return fmt.Sprintf("Did you mean %q?", Length{n, near})
		}
		return "There is no such unit. There are: " + strings.Join(names, "s, ") + "s."
	case strings.Contains(number, ".") && Rank(word) == 0:
		return "Write a whole number."
	case strings.Contains(number, "."):
		return fmt.Sprintf("Write a whole number; for a part of a %s, one of a shorter unit.", word)
	case number[0] == '-' || n == 0 && err == nil:
		return fmt.Sprintf("Write %q or more.", Length{1, word})
	case len(number) > 12:
		return "It has too many digits."
	}
	return fmt.Sprintf("Write %q.", Length{n, word})
}

// another is the advice on a text that resembles no duration.
const another = "Write a whole number and a unit, as in \"30 days\", \"2 weeks\", \"1 month\" or \"2 business days\"."

// A Calendar is what a contract says of the lengths of units, by unit. Each is given in a shorter unit.
type Calendar map[string]Length

// In converts a length to another unit. It returns false if the length has no fixed number of that unit.
func (c Calendar) In(x Length, unit string) (n int, ok bool) {
	for n = x.N; x.Unit != unit; {
		is, declared := c[x.Unit]
		if !declared {
			is = units[Rank(x.Unit)].is
		}
		if is.N == 0 {
			return 0, false
		}
		n, x.Unit = min(n*is.N, most), is.Unit
	}
	return n, true
}

// InBaseUnit returns a length in the shortest unit of which it has a fixed number whatever a calendar says: 1 week as 10,080 minutes, 1 year as 12
// months.
func (x Length) InBaseUnit() Length {
	for is := units[Rank(x.Unit)].is; is.N > 0; is = units[Rank(x.Unit)].is {
		x = Length{min(x.N*is.N, most), is.Unit}
	}
	return x
}

// Declared returns how long the calendar says a unit is, in the shortest unit that it goes down to. It returns false if it does not say.
func (c Calendar) Declared(unit string) (x Length, said bool) {
	for at := (Length{1, unit}); ; {
		is, declared := c[at.Unit]
		if !declared {
			is = units[Rank(at.Unit)].is
		}
		if is.N == 0 {
			return x, said
		}
		if at = (Length{min(at.N*is.N, most), is.Unit}); declared {
			x, said = at, true
		}
	}
}

// misfit returns the index of the first length that is no whole number of a unit; -1 if all are.
func (c Calendar) misfit(all []Length, unit string) int {
	return slices.IndexFunc(all, func(x Length) bool { _, ok := c.In(x, unit); return !ok })
}

// Usual returns how long a unit may be said to be where another does not divide it: an example for a drafter.
func Usual(name, in string) Length {
	if in == "business day" {
		return Length{map[string]int{"week": 5, "month": 21, "quarter": 63, "year": 250}[name], in}
	}
	return Length{map[string]int{"business day": 1, "month": 30, "quarter": 91, "year": 365}[name], "day"}
}

// Fit reports whether all lengths are whole numbers of a unit.
func (c Calendar) Fit(all []Length, unit string) bool { return c.misfit(all, unit) < 0 }

// Tick returns the unit of a tick: the finest unit of all lengths. The others have to be whole numbers of it, or of a finer unit in the
// calendar. If there is no such unit, misfit is the index of a length that is no whole number of the unit returned; else it is -1. Without
// lengths the unit is empty.
func (c Calendar) Tick(all []Length) (unit string, misfit int) {
	in := map[string]bool{} // units that the text writes
	for _, x := range all {
		in[x.Unit] = true
	}
	misfit = -1
	for range 2 { // of lengths alone; else of the calendar, too
		for _, u := range units {
			if !in[u.name] {
				continue
			}
			at := c.misfit(all, u.name)
			if at < 0 {
				return u.name, -1
			}
			if misfit < 0 {
				unit, misfit = u.name, at
			}
		}
		for _, x := range c {
			in[x.Unit] = true
		}
	}
	return unit, misfit
}

// LessFrequent reports whether fewer durations are in a unit than in another one.
func LessFrequent(all []Length, unit, other string) bool {
	balance := 0
	for _, x := range all {
		switch x.Unit {
		case unit:
			balance--
		case other:
			balance++
		}
	}
	return balance > 0
}
