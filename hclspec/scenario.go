package hclspec

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A Scenario is a requirement about one course of events: what a contract makes of these steps, in this order. Its Formula has the text of
// Ends, if it is given.
type Scenario struct {
	Begins []string // events with the first of which it begins: of a phase that waits; what happens before is free. None: it begins with the contract
	Steps  []string // names of events, or Tick
	Expect Expected
	Party  string   // whose breach is expected; only of ExpectBreach
	Duties []string // only of ExpectFulfilled: the obligations and prohibitions that are meant; none: all
	Unit   string   // of a tick; empty: a tick has no length
}

// Tick is the step of a scenario by which time passes.
const Tick = "tick"

// MaxSteps bounds the steps of a scenario, each tick counted.
const MaxSteps = 10_000

// Expected says what has to be so of the steps of a scenario.
type Expected uint8

const (
	ExpectPossible   Expected = iota // some run has these steps
	ExpectImpossible                 // no run has them
	ExpectBreach                     // some run has them, and after each of them the party is in breach
	ExpectFulfilled                  // likewise, and after each nothing is owed and nothing is breached
	ExpectEnds                       // likewise, and after each the formula is true
)

func (e Expected) String() string {
	return [...]string{"possible", "impossible", "breach", "fulfilled", "ends"}[e]
}

// Listed returns the steps for readers. Ticks in a row are one step: "3 ticks", or "3 days". The beginning of a phase that waits is one, too.
func (s *Scenario) Listed() []string {
	var list []string
	if len(s.Begins) > 0 {
		list = append(list, "anything until "+strings.Join(s.Begins, " or "))
	}
	for rest := s.Steps; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(step string) bool { return step != Tick })
		switch {
		case n < 0:
			n = len(rest)
		case n == 0:
			list, rest = append(list, rest[0]), rest[1:]
			continue
		}
		list, rest = append(list, Ticks(n, s.Unit)), rest[n:]
	}
	return list
}

// Ticks returns the words for a number of ticks of a unit, or of none: "1 tick", "3 days".
func Ticks(n int, unit string) string {
	unit = cmp.Or(unit, Tick)
	if n == 1 {
		return "1 " + unit
	}
	return strconv.Itoa(n) + " " + unit + "s"
}

// String returns the steps as one text.
func (s *Scenario) String() string { return strings.Join(s.Listed(), ", ") }
