package load

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// maxValues bounds the values of one counter.
const maxValues = 1_000

// valueNames are reserved for other values in expressions; no counter may have such a name.
var valueNames = []string{"local", "var", "param", "count", "each"}

// declareCounter adds a counter to a party: one place for each value.
func (l *loader) declareCounter(s *scope, p hclspec.Place, b *hclsyntax.Block) {
	if slices.Contains(valueNames, p.Name) {
		l.Dropped[p.Name] = true
		l.Mistake(diag.ReservedName, b.LabelRanges[0], fmt.Sprintf("%q cannot be the name of a counter.", p.Name),
			"In an expression it means something else.")
		return
	}
	from, to, initial, ok := l.bounds(b)
	if !ok || !l.affordableCounter(b, to-from+1) {
		l.Dropped[p.Name] = true
		return
	}
	c := &counter{name: p.Name, from: from, title: p.Prose, at: p.Range}
	for v := from; v <= to; v++ {
		q := p
		q.Name, q.Kind, q.Counter, q.Value, q.Marked = fmt.Sprintf("%s=%d", p.Name, v), hclspec.CounterValue, p.Name, v, v == initial
		c.values = append(c.values, &q)
	}
	s.party.Places = append(s.party.Places, c.values...)
	s.counters[p.Name] = c
	s.known[knownCounters] = append(s.known[knownCounters], p.Name)
}

// affordableCounter charges n values of a counter, and reports whether the limit for all counters holds. It reports the excess once.
func (l *loader) affordableCounter(b *hclsyntax.Block, n int) bool {
	if l.counterValues > maxExpanded {
		return false
	}
	if l.counterValues += n; l.counterValues <= maxExpanded {
		return true
	}
	l.Mistake(diag.Expansion, syntax.HeaderRange(b), fmt.Sprintf("With counter %q the counters have %d values.", b.Labels[0], l.counterValues),
		fmt.Sprintf("All of a contract have at most %d.", maxExpanded))
	return false
}

// bounds reads the smallest and the largest value of a counter, and its initial one.
func (l *loader) bounds(b *hclsyntax.Block) (from, to, initial int, ok bool) {
	last, given := b.Body.Attributes["to"]
	if !given {
		l.Lacking(b.Body, syntax.HeaderRange(b), fmt.Sprintf("Counter %q has no to.", b.Labels[0]),
			"Write to = 12: the largest value it may take. It counts from 0 unless from says otherwise.")
		return
	}
	from, okFrom := l.Integer(b.Body, "from", 0)
	to, okTo := l.Integer(b.Body, "to", 0)
	initial, okInitial := l.Integer(b.Body, "initial", from)
	if !okFrom || !okTo || !okInitial {
		return
	}
	switch {
	case to < from:
		l.Mistake(diag.Contradiction, last.Expr.Range(), fmt.Sprintf("Counter %q counts from %d to %d.", b.Labels[0], from, to),
			"The last value must not be smaller than the first.")
	case to-from >= maxValues:
		l.Mistake(diag.Expansion, last.Expr.Range(), fmt.Sprintf("Counter %q has %d values.", b.Labels[0], to-from+1),
			"Each value is a place. A counter has at most 1,000: count in larger units.")
	case initial < from || initial > to:
		l.Mistake(diag.Contradiction, l.initialRange(b), fmt.Sprintf("Counter %q starts at %d and counts from %d to %d.", b.Labels[0], initial, from, to),
			"The first value must be one of its values.")
	default:
		return from, to, initial, true
	}
	return
}

func (l *loader) initialRange(b *hclsyntax.Block) hcl.Range {
	return b.Body.Attributes["initial"].Expr.Range()
}
