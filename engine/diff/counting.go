package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec"
)

// counts has a transition's use of counters: the source text, and a row for each combination of values at which the transition can fire.
type counts struct {
	require value   // from the source; empty: it requires nothing, or the source is not known
	sets    []value // from the source, one for each counter that is set
	rows    []counted
	values  map[int][]int // of each counter
}

// A counted is one variant of a transition.
type counted struct {
	instance int // -1: the party has no instances
	counters []counter
}

// A counter has a counter's value before and after. If beyond is set, after is outside its bounds.
type counter struct {
	thing         int
	before, after int
	beyond        bool
}

// counting returns the counts of a transition from its variants, or nil if it uses no counter.
func (in *inventory) counting(variants []*hclspec.Transition, party, of int) *counts {
	c := &counts{values: map[int][]int{}}
	for _, t := range variants {
		if r := in.counted(t, party); len(r) > 0 {
			c.rows = append(c.rows, counted{of, r})
		}
	}
	if c.rows == nil {
		return nil
	}
	for _, term := range variants[0].Terms {
		said := in.spelled(term.Value, party)
		if term.Word == "require" {
			c.require = said
		} else {
			c.sets = append(c.sets, said)
		}
	}
	if c.require.list == nil {
		c.require = literal("")
	}
	in.possible(c, variants[0], party)
	return c
}

// merge adds the rows of another instance.
func (c *counts) merge(other *counts) { c.rows = append(c.rows, other.rows...) }

// counted returns the counters of a variant, in canonical order.
func (in *inventory) counted(t *hclspec.Transition, party int) []counter {
	after := map[string]int{}
	for _, p := range t.Produce {
		if p.Kind == hclspec.CounterValue {
			after[p.Counter] = p.Value
		}
	}
	var list []counter
	for _, p := range slices.Concat(t.Consume, t.Read) {
		if p.Kind != hclspec.CounterValue {
			continue
		}
		c := counter{thing: in.find(Counter, party, p.Counter), before: p.Value, after: p.Value}
		if v, moved := after[p.Counter]; moved {
			c.after = v
		}
		if t.Beyond != nil && t.Beyond.Counter == p.Counter {
			c.after, c.beyond = t.Beyond.Value, true
		}
		c.beyond = c.beyond || t.Never()
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b counter) int { return a.thing - b.thing })
	return list
}

// possible sets the values of the counters.
func (in *inventory) possible(c *counts, t *hclspec.Transition, party int) {
	for _, p := range slices.Concat(t.Consume, t.Read) {
		if p.Kind != hclspec.CounterValue {
			continue
		}
		i := in.find(Counter, party, p.Counter)
		for _, q := range in.owners[p].Places {
			if q.Kind == hclspec.CounterValue && q.Counter == p.Counter {
				c.values[i] = append(c.values[i], q.Value)
			}
		}
	}
}

// spelled returns the text of an expression, with the names of counters as references.
func (in *inventory) spelled(text string, party int) value {
	v := row()
	for text != "" {
		n := strings.IndexFunc(text, func(r rune) bool { return !wordly(r) })
		if n == 0 {
			n = strings.IndexFunc(text, wordly)
		}
		if n < 0 {
			n = len(text)
		}
		word := text[:n]
		dotted := len(v.list) > 0 && strings.HasSuffix(v.list[len(v.list)-1].words, ".")
		if i := in.find(Counter, party, word); i >= 0 && !dotted {
			v.list = append(v.list, naming(i))
		} else {
			v.list = append(v.list, literal(word))
		}
		text = text[n:]
	}
	return v
}

func wordly(r rune) bool {
	return r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= 0x80
}

// value returns the rows as a value, to be compared.
func (c *counts) value() value {
	all := make([]value, 0, len(c.rows))
	for _, r := range c.rows {
		one := row()
		if r.instance >= 0 {
			one.list = append(one.list, naming(r.instance))
		}
		moves := make([]value, 0, len(r.counters))
		for _, m := range r.counters {
			if m.beyond {
				moves = append(moves, row(naming(m.thing), number(m.before), literal("!")))
			} else {
				moves = append(moves, row(naming(m.thing), number(m.before), literal("→"), number(m.after)))
			}
		}
		one.list = append(one.list, several(moves))
		all = append(all, one)
	}
	return several(all)
}

// within returns the values after firing by those before, for the rows that the other side can have too: values that it knows, and an
// instance that it has. A row that leaves the bounds has only the value outside them.
func (c *counts) within(s shared) map[string][]map[int]int {
	all := map[string][]map[int]int{}
	for _, r := range c.rows {
		if start, ok := s.start(r); ok {
			all[start] = append(all[start], s.after(r)) // several where there is a choice
		}
	}
	for _, choices := range all {
		slices.SortFunc(choices, func(a, b map[int]int) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	return all
}

// A shared has what one side has in common with the other: the other's values of counters, and the numbering of shared things.
type shared struct {
	number func(thing int) int // -1: the other has none
	values map[int][]int       // of counters, as numbered
}

// start returns a key for a row's values before firing, and whether the other side can have them.
func (s shared) start(r counted) (string, bool) {
	words := make([]string, 0, len(r.counters))
	for _, m := range r.counters {
		i := s.number(m.thing)
		if _, known := slices.BinarySearch(s.values[i], m.before); !known {
			return "", false
		}
		words = append(words, fmt.Sprint(i, "=", m.before))
	}
	slices.Sort(words)
	if r.instance >= 0 {
		i := s.number(r.instance)
		words = append(words, fmt.Sprint("[", i, "]"))
		return strings.Join(words, " "), i >= 0
	}
	return strings.Join(words, " "), true
}

// after returns a row's values after firing.
func (s shared) after(r counted) map[int]int {
	all := map[int]int{}
	for _, m := range r.counters {
		if m.beyond {
			return map[int]int{s.number(m.thing): m.after}
		}
		all[s.number(m.thing)] = m.after
	}
	return all
}

// agree reports whether two choices have as many rows, and these agree one by one.
func agree(a, b []map[int]int) bool { return slices.EqualFunc(a, b, rowsAgree) }

// rowsAgree reports whether two rows have the same value for every counter that both have.
func rowsAgree(a, b map[int]int) bool {
	for thing, v := range a {
		if w, both := b[thing]; both && v != w {
			return false
		}
	}
	return true
}
