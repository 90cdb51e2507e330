package explain

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// mostLargest is the number of parts that LargestParts names.
const mostLargest = 5

// A part is a party, norm or clock, or several made by one block, with the number of states that each has by itself.
type part struct {
	name          string
	states, alike int
}

// LargestParts names the parts of a contract with the most states of their own, in a sentence: what is in several of them at a time multiplies. It
// returns "" if no two have any to speak of. It counts places, and explores nothing.
func LargestParts(d *compile.Draft) string {
	parts, at := []part{}, map[string]int{}
	for i := range d.Owners {
		p := d.Owners[i]
		if i > 0 && d.Owners[i-1] == p {
			continue
		}
		n, name := ownStates(p), Called(d, p)
		if p.Index != "" {
			name = p.Of
		}
		if k, there := at[name]; there && parts[k].states == n {
			parts[k].alike++
		} else if n > 1 {
			at[name] = len(parts)
			parts = append(parts, part{name, n, 1})
		}
	}
	if len(parts) == 0 || len(parts) == 1 && parts[0].alike == 1 {
		return ""
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		return cmp.Compare(float64(b.alike)*math.Log(float64(b.states)), float64(a.alike)*math.Log(float64(a.states)))
	})
	var said []string
	for i, p := range parts[:min(len(parts), mostLargest)] {
		one := p.name + " " + map[bool]string{true: "has "}[i == 0] + finding.Grouped(fmt.Sprint(p.states)) + map[bool]string{true: " by itself"}[i == 0]
		if p.alike > 1 {
			one += fmt.Sprintf(" (%d times)", p.alike)
		}
		said = append(said, one)
	}
	return "States multiply over what can change side by side: " + strings.Join(said, ", ")
}

// ownStates returns how many states a party, norm or clock can be in by its text alone, whatever the others are in.
func ownStates(p *hclspec.Party) int {
	states, clock, product, counters := 0, 0, 1, map[string]int{}
	for _, place := range p.Places {
		switch place.Kind {
		case hclspec.FlagTrue:
			product *= 2
		case hclspec.CounterValue:
			counters[place.Counter]++
		case hclspec.ClockLeft:
			clock++
		case hclspec.Plain, hclspec.State:
			states++
		}
	}
	for _, n := range counters {
		product *= n
	}
	switch {
	case clock > 0 && states == 0: // a timer, which may be off
		states = clock + 1
	case clock > 0: // a norm, whose clock runs in one of its states
		states += clock - 1
	}
	return max(states, 1) * product
}
