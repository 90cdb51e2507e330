package draw

import (
	"slices"

	"github.com/redlinehq/redline/engine/finding"
)

// mostOrdered is the number of parties up to which all orders of lifelines are tried.
const mostOrdered = 7

// uncrossed returns the parties in an order in which the messages of a run cross as few lifelines as possible. Of several such orders it
// returns the one nearest to the given order. Beyond mostOrdered parties it returns the given order.
func uncrossed(parties []string, run []finding.Firing) []string {
	if len(parties) < 3 || len(parties) > mostOrdered {
		return parties
	}
	best, fewest := parties, crossings(parties, run)
	permuted(nil, parties, func(order []string) {
		if n := crossings(order, run); n < fewest {
			best, fewest = slices.Clone(order), n
		}
	})
	return best
}

// permuted calls visit with the elements of done followed by each order of rest, in lexicographic order of positions.
func permuted(done, rest []string, visit func([]string)) {
	if len(rest) == 0 {
		visit(done)
	}
	for i := range rest {
		permuted(append(slices.Clone(done), rest[i]), slices.Concat(rest[:i], rest[i+1:]), visit)
	}
}

// crossings counts how often messages cross the lifelines of parties that do not take part in them.
func crossings(order []string, run []finding.Firing) int {
	n := 0
	for _, f := range run {
		who := actors(f)
		if len(who) < 2 {
			continue
		}
		first, last := span(who, order)
		for _, p := range order[first:last] {
			if !slices.Contains(who, p) {
				n++
			}
		}
	}
	return n
}

// span returns the positions of the outermost of some parties.
func span(who, order []string) (first, last int) {
	first, last = len(order)-1, 0
	for _, p := range who {
		at := slices.Index(order, p)
		first, last = min(first, at), max(last, at)
	}
	return first, last
}
