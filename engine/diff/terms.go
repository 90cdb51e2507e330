package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/redlinehq/redline/hclspec"
)

// terms returns the attributes that differ in a thing that both sides have.
func (p *pairing) terms(base, head int) []Term {
	var list []Term
	was, now := p.base.things[base], p.head.things[head]
	before, after := was.clauses, now.clauses
	if slices.ContainsFunc([]string{"from", "to", "consume", "produce", "read"}, func(word string) bool { return !p.same(clauseOf(before, word), clauseOf(after, word)) }) {
		before, after = was.written(), now.written()
	}
	for _, word := range words(before, after) {
		a, b := clauseOf(before, word), clauseOf(after, word)
		switch {
		case was.element == Transition && word == "set": // listed with counters
		case word == "due_after" && p.sameBefore(base, head):
		case word == "label":
			list = append(list, p.labels(a.value, b.value)...)
		case !p.same(a, b):
			list = append(list, Term{word, p.base.wording(a), p.head.wording(b)})
		}
	}
	list = slices.DeleteFunc(list, func(t Term) bool { return t.Was == t.Now }) // the difference is listed at its declaration
	list = append(list, p.counterTerms(base, head)...)
	slices.SortStableFunc(list, inWordOrder)
	return list
}

// sameBefore reports whether of what happens by itself the same comes before a thing on both sides, apart from what only one of them has.
func (p *pairing) sameBefore(base, head int) bool {
	before := func(in *inventory, i int, other []int) int {
		for i >= 0 {
			v := clauseOf(in.things[i].clauses, "due_after").value
			if i = v.thing(); i >= 0 && other[i] >= 0 {
				return i
			}
		}
		return i
	}
	i, j := before(p.base, base, p.toHead), before(p.head, head, p.toBase)
	return i < 0 && j < 0 || i >= 0 && p.toHead[i] == j
}

// written returns the clauses as the source has them: a state in which a transition stays may be in read instead of in from and to, and a place
// that keeps its token in consume and produce instead of in read.
func (t *thing) written() []clause {
	if !t.reads {
		return t.keeping()
	}
	places := clauseOf(t.keeping(), "read").value.list
	read := clause{word: "read", value: several(slices.Concat(clauseOf(t.clauses, "from").value.list, places))}
	return append(slices.DeleteFunc(t.keeping(), func(c clause) bool { return slices.Contains([]string{"from", "to", "read"}, c.word) }), read)
}

// keeping returns the clauses with the places in consume and produce that the source has there.
func (t *thing) keeping() []clause {
	list := slices.Clone(t.clauses)
	if len(t.kept) == 0 {
		return list
	}
	for _, word := range []string{"consume", "produce", "read"} {
		places := slices.Clone(clauseOf(list, word).value.list)
		list = slices.DeleteFunc(list, func(c clause) bool { return c.word == word })
		if word != "read" {
			places = append(places, t.kept...)
		} else {
			places = slices.DeleteFunc(places, func(v value) bool { return slices.ContainsFunc(t.kept, func(k value) bool { return k.ref == v.ref }) })
		}
		if len(places) > 0 {
			list = append(list, clause{word: word, value: several(places)})
		}
	}
	return list
}

// words returns the attributes of two lists of clauses, each once.
func words(was, now []clause) []string {
	var list []string
	for _, c := range slices.Concat(was, now) {
		if !slices.Contains(list, c.word) {
			list = append(list, c.word)
		}
	}
	return list
}

// wordOrder has the attributes of all elements in the order of reports.
var wordOrder = []string{"firing", "tick", "start", "calendar", "holidays", "ends", "final", "count", "for_each", "after", "bearer", "counterparty", "from", "to", "initial", "consume", "produce",
	"read", "when", "set", "require", "label", "since", "changes", "marked", "exposed", "document", "holder", "moves", "by", "repeats", "sync", "only_while", "due_after", "not_before", "fulfil", "of",
	"exercise", "within", "before", "lasts", "times", "every", "at_most", "breach", "until", "reparation", "lifts", "suspends", "suspended_by", "resumes", "extends", "assigns", "ends_contract", "survives", "formula", "scenario", "assuming", "rests_on", "run", "expires", "approver",
	"states", "flags", "counters", "places", "transitions"}

func inWordOrder(a, b Term) int {
	return slices.Index(wordOrder, a.Word) - slices.Index(wordOrder, b.Word)
}

// clauseOf returns the clause of an attribute, or an empty clause.
func clauseOf(list []clause, word string) clause {
	if i := slices.IndexFunc(list, func(c clause) bool { return c.word == word }); i >= 0 {
		return list[i]
	}
	return clause{word: word}
}

// same reports whether two clauses have the same value or the same meaning.
func (p *pairing) same(a, b clause) bool {
	equal := func(v, w value) bool { return v.written(p.name(true)) == w.written(p.name(false)) }
	return equal(a.value, b.value) || !a.also.empty() && !b.also.empty() && equal(a.also, b.also)
}

// wording returns a clause in the words of its contract.
func (in *inventory) wording(c clause) string {
	if c.text != "" {
		return c.text
	}
	return in.text(c.value)
}

// labels returns the term of a changed label, unless the label only followed the rename of its transition.
func (p *pairing) labels(was, now value) []Term {
	term := Term{"label", p.base.text(was), p.head.text(now)}
	if term.Was == term.Now || p.toHead[was.thing()] == now.thing() && p.followed()[now.thing()] {
		return nil
	}
	return []Term{term}
}

// followed returns the labels of head that equal the transition's own name on both sides.
func (p *pairing) followed() map[int]bool {
	if p.following != nil {
		return p.following
	}
	p.following = map[int]bool{}
	for i, t := range p.base.things {
		j := p.toHead[i]
		if t.element != Transition || j < 0 {
			continue
		}
		was, now := clauseOf(t.clauses, "label").value, clauseOf(p.head.things[j].clauses, "label").value
		if p.toHead[was.thing()] == now.thing() && p.base.text(was) == t.name && p.head.text(now) == p.head.things[j].name {
			p.following[now.thing()] = true
		}
	}
	return p.following
}

// counterTerms returns the terms of a transition on flags and counters: require and set. There are none if its rows are the same, or if its
// text is the same and the rows agree wherever both sides have them.
func (p *pairing) counterTerms(base, head int) []Term {
	was, now := p.base.things[base], p.head.things[head]
	if was.element != Transition {
		return nil
	}
	a, b := clauseOf(was.clauses, "set"), clauseOf(now.clauses, "set")
	flags, alike := p.same(a, b), p.countsAlike(was.counts, now.counts)
	if flags && alike {
		return nil
	}
	set := Term{"set", p.base.sets(a, was.counts), p.head.sets(b, now.counts)}
	require := Term{"require", p.base.requires(was.counts), p.head.requires(now.counts)}
	if !alike && set.Was == set.Now && require.Was == require.Now {
		// The text is the same, and means other numbers.
		set = Term{"set", p.base.computedSets(a, was.counts), p.head.computedSets(b, now.counts)}
		require = Term{"require", p.base.admitted(was.counts), p.head.admitted(now.counts)}
	}
	return slices.DeleteFunc([]Term{set, require}, func(t Term) bool { return t.Was == t.Now })
}

func (p *pairing) countsAlike(a, b *counts) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if a.value().written(p.name(true)) == b.value().written(p.name(false)) {
		return true
	}
	if a.require.list == nil && a.sets == nil || a.said().written(p.name(true)) != b.said().written(p.name(false)) {
		return false
	}
	number := func(i int) int { return p.toHead[i] }
	before := a.within(shared{number, b.values})
	after := b.within(shared{func(i int) int {
		if p.toBase[i] < 0 {
			return -1
		}
		return i
	}, p.moved(a.values)})
	return maps.EqualFunc(before, after, agree)
}

// moved returns the values of base's counters by their numbers on head.
func (p *pairing) moved(values map[int][]int) map[int][]int {
	all := map[int][]int{}
	for i, v := range values {
		all[p.toHead[i]] = v
	}
	return all
}

// collected returns everything that the source says about counters.
func (c *counts) said() value { return row(c.require, several(c.sets)) }

func (in *inventory) requires(c *counts) string {
	switch {
	case c == nil:
		return ""
	case c.require.empty() && c.sets == nil:
		return in.admitted(c)
	}
	return in.text(c.require)
}

// sets returns the flags and counters that are set, as in the source if that is known.
func (in *inventory) sets(flags clause, c *counts) string {
	if c != nil && c.require.empty() && c.sets == nil {
		return in.computedSets(flags, c)
	}
	list := flags.value.list
	if c != nil {
		list = slices.Concat(list, c.sets)
	}
	return in.text(several(list))
}

// admitted returns the values of its counters for which a transition can fire.
func (in *inventory) admitted(c *counts) string {
	if c == nil {
		return ""
	}
	var list []string
	for _, r := range c.rows {
		var one []string
		for _, m := range r.counters {
			if m.beyond && m.after == m.before { // it can't fire
				continue
			}
			one = append(one, fmt.Sprintf("%s = %d", in.things[m.thing].name, m.before))
		}
		if one != nil {
			list = append(list, in.of(r)+strings.Join(one, " and "))
		}
	}
	if list == nil {
		return "no value"
	}
	return shortened(list, " or ")
}

func (in *inventory) of(r counted) string {
	if r.instance < 0 {
		return ""
	}
	return "[" + in.things[r.instance].name + "] "
}

// computedSets returns the flags set, and the value after for each value before.
func (in *inventory) computedSets(flags clause, c *counts) string {
	list := []string{}
	if !flags.value.empty() {
		list = append(list, in.text(flags.value))
	}
	if c == nil {
		return strings.Join(list, ", ")
	}
	type end struct {
		name  string
		after int
	}
	before := map[end][]int{}
	for _, r := range c.rows {
		for _, m := range r.counters {
			if m.after != m.before {
				to := end{in.of(r) + in.things[m.thing].name, m.after}
				before[to] = append(before[to], m.before)
			}
		}
	}
	var moves []string
	for to, from := range before {
		slices.Sort(from)
		any := ""
		if from = slices.Compact(from); len(from) > 1 {
			any = "any of "
		}
		moves = append(moves, fmt.Sprintf("%s from %s%s to %d", to.name, any, hclspec.Ranges(from), to.after))
	}
	slices.SortFunc(moves, hclspec.Natural)
	return strings.Join(append(list, shortened(moves, ", ")), ", ")
}

// maxListed is the most values that are listed.
const maxListed = 12

func shortened(list []string, between string) string {
	if n := len(list); n > maxListed {
		return fmt.Sprintf("%s%sand %d more", strings.Join(list[:maxListed], between), between, n-maxListed)
	}
	return strings.Join(list, between)
}
