package compile

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// A counter is a set of places, one for each value, of which exactly one is marked. This file gives comparisons of counters their meaning
// and their words.

// indexCounters lists the places of each counter by party.counter, in ascending order of value.
func (d *Draft) indexCounters() {
	d.Counters = map[string][]int{}
	for i, p := range d.AllPlaces {
		if p.Kind == hclspec.CounterValue {
			name := d.Net.Places[i].Net + "." + p.Counter
			d.Counters[name] = append(d.Counters[name], i)
		}
	}
	for _, values := range d.Counters {
		slices.SortFunc(values, func(a, b int) int { return d.AllPlaces[a].Value - d.AllPlaces[b].Value })
	}
}

// compare resolves a comparison to the values, or to the bound on a sum of values, that satisfy it.
func (d *Draft) compare(atom *ctl.Formula, text *hclspec.Formula) *hcl.Diagnostic {
	for _, of := range atom.Compare.Refs() {
		if _, ok := d.Counters[of.Name]; !ok {
			return d.notCounter(of, atom.Compare, text)
		}
	}
	sum, ok := d.difference(atom.Compare)
	if !ok {
		return phrase.Diagnostic("value-too-large", text.Source(atom.From, atom.To), "The numbers of this comparison are too large to compute with.",
			"What is added up lies between -2^53 and 2^53.")
	}
	atom.Name = atom.Compare.String()
	if len(sum.counters) <= 1 {
		atom.Means = d.satisfying(sum, atom.Compare.Sign)
	} else {
		atom.Means = d.bounding(sum, atom.Compare)
	}
	return nil
}

// A difference is the left side of a comparison less its right side: counters, each times a number other than 0, and a number.
type difference struct {
	counters []string // in order of appearance
	times    map[string]int
	number   int
}

// maxAmount bounds what a comparison adds up to.
const maxAmount = 1 << 53

// difference returns the difference of the sides of a comparison; false if it could be too large to compute with.
func (d *Draft) difference(c *ctl.Comparison) (difference, bool) {
	s, size := difference{times: map[string]int{}}, 0.0
	add := func(a ctl.Amount, sign int) {
		s.number += sign * a.Number
		size += math.Abs(float64(a.Number))
		for _, t := range a.Terms {
			values := d.Counters[t.Of.Name]
			least, most := d.AllPlaces[values[0]].Value, d.AllPlaces[values[len(values)-1]].Value
			if size += math.Abs(float64(t.Times)) * float64(max(1, -least, most)); size > maxAmount {
				return
			}
			if _, again := s.times[t.Of.Name]; !again {
				s.counters = append(s.counters, t.Of.Name)
			}
			s.times[t.Of.Name] += sign * t.Times
		}
	}
	if of, n, plain := c.Plain(); plain { // any number will do
		return difference{[]string{of.Name}, map[string]int{of.Name: 1}, -n}, true
	}
	add(c.Left, 1)
	add(c.Right, -1)
	s.counters = slices.DeleteFunc(s.counters, func(name string) bool { return s.times[name] == 0 })
	return s, size <= maxAmount
}

// satisfying returns the disjunction of the values of one counter for which a difference compares to 0 as a sign says. Without a counter it is a constant.
func (d *Draft) satisfying(s difference, sign string) *ctl.Formula {
	if len(s.counters) == 0 {
		return truth(satisfies(s.number, sign, 0))
	}
	var some []*ctl.Formula
	name := s.counters[0]
	for _, i := range d.Counters[name] {
		if satisfies(s.times[name]*d.AllPlaces[i].Value, sign, -s.number) {
			some = append(some, d.Marked(i))
		}
	}
	return Join(ctl.Or, some)
}

func truth(value bool) *ctl.Formula {
	if value {
		return &ctl.Formula{Op: ctl.True}
	}
	return &ctl.Formula{Op: ctl.False}
}

// bounding returns the formula that a difference of several counters compares to 0 as a comparison says: bounds on the sum of the weights of
// marked places, of which each counter has exactly one.
func (d *Draft) bounding(s difference, c *ctl.Comparison) *ctl.Formula {
	most := func(factor, bound int, sign string) *ctl.Formula {
		f := d.atMost(s, factor, bound)
		if f.Op == ctl.Atom {
			f.Compare = &ctl.Comparison{Left: c.Left, Sign: sign, Right: c.Right}
			f.Name = f.Compare.String()
		}
		return f
	}
	switch c.Sign {
	case "<":
		return most(1, -1, "<")
	case "<=":
		return most(1, 0, "<=")
	case ">":
		return most(-1, -1, ">")
	case ">=":
		return most(-1, 0, ">=")
	}
	both := Join(ctl.And, []*ctl.Formula{most(1, 0, "<="), most(-1, 0, ">=")})
	if c.Sign == "!=" {
		return &ctl.Formula{Op: ctl.Not, Left: both}
	}
	return both
}

// atMost returns the formula that a factor times a difference is at most a bound. Every counter has its least summand as weight 0.
func (d *Draft) atMost(s difference, factor, bound int) *ctl.Formula {
	var weights []ctl.Weight
	bound -= factor * s.number
	greatest := 0
	for _, name := range s.counters {
		values, by := d.Counters[name], factor*s.times[name]
		value := func(i int) int { return by * d.AllPlaces[values[i]].Value }
		least, most := value(0), value(len(values)-1)
		if least > most {
			least, most = most, least
		}
		for i, place := range values {
			weights = append(weights, ctl.Weight{Place: place, By: value(i) - least})
		}
		bound, greatest = bound-least, greatest+most-least
	}
	if bound >= greatest {
		return truth(true)
	}
	return ctl.AtMost(weights, bound)
}

// satisfies reports whether a value compares to a number as the sign says. An unknown sign means ==.
func satisfies(value int, sign string, number int) bool {
	order := cmp.Compare(value, number)
	switch sign {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	case "!=":
		return order != 0
	}
	return order == 0
}

// Marked returns the atom that holds when a place is marked.
func (d *Draft) Marked(place int) *ctl.Formula {
	return &ctl.Formula{Op: ctl.Atom, Name: d.Net.Places[place].String(), Place: place}
}

// writtenDay matches a day as durations and deadlines have it.
var writtenDay = regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)

// notCounter returns the diagnostic for a comparison whose left side is not a counter.
func (d *Draft) notCounter(of ctl.Ref, in *ctl.Comparison, text *hclspec.Formula) *hcl.Diagnostic {
	at := text.Source(of.From, of.To)
	if _, known := d.PlaceOf[of.Name]; known {
		return phrase.Diagnostic("wrong-kind", at, fmt.Sprintf("%q is no counter.", of.Name),
			"Only counters are added and compared. A state, flag, place or document is so or not: \"or\" is ||, \"and\" is &&, \"both or neither\" is <->.")
	}
	if what, hint := d.otherKind(of.Name); what != "" {
		if refs := in.Refs(); len(refs) == 2 && (in.Sign == "=" || in.Sign == "==" || in.Sign == "!=") {
			name := refs[0].Name + "." + refs[1].Name
			if _, is := d.PlaceOf[name]; is || d.meant[name] != nil {
				hint = "Write " + strings.Repeat("!", strings.Count(in.Sign, "!")) + name + "."
			}
		}
		return phrase.Diagnostic("wrong-kind", at, fmt.Sprintf("%q is %s: it is no counter.", of.Name, what), hint)
	}
	hint := "What is compared is party.counter."
	if d.hyphened(of.Name) {
		hint = "A hyphen between letters and digits is part of a name: write blanks around the minus."
	}
	if day := writtenDay.FindString(text.Text); day != "" && (of.Name == "now" || of.Name == "today" || strings.Contains(of.Name, day[:4])) {
		hint = fmt.Sprintf("No formula names a day. Write event \"over\" { after = %q }, which happens by itself when that day is over, and ask for happened(over).", day)
	} else if near := d.nearestCounter(of.Name); near != "" {
		hint += " " + hclspec.Meant(of.Name, near)
	}
	return phrase.Diagnostic("unknown-name", at, fmt.Sprintf("There is no counter %q.", of.Name), hint)
}

// hyphened reports whether a name is that of a counter up to one of its hyphens.
func (d *Draft) hyphened(name string) bool {
	for at, r := range name {
		if r == '-' && d.Counters[name[:at]] != nil {
			return true
		}
	}
	return false
}

// Compared renders a comparison in words, such as “purchaser: instalments paid >= 2” or “seller: delay” + “buyer: delay” > 3.
func (d *Draft) Compared(c *ctl.Comparison) string {
	word := func(of ctl.Ref) string {
		place := d.Counters[of.Name][0]
		counter := *d.AllPlaces[place]
		counter.Kind = hclspec.Plain
		return fmt.Sprintf("%s: %s", d.Net.Places[place].Net, Word(&counter))
	}
	if _, _, plain := c.Plain(); plain {
		return "“" + c.Spelled(word) + "”"
	}
	return c.Spelled(func(of ctl.Ref) string { return "“" + word(of) + "”" })
}

// uncompared returns the diagnostic for a counter used as a truth value.
func (d *Draft) uncompared(atom *ctl.Formula, text *hclspec.Formula) *hcl.Diagnostic {
	return phrase.Diagnostic("wrong-kind", text.Source(atom.From, atom.To), fmt.Sprintf("%q is a counter: it is neither true nor false.", atom.Name),
		fmt.Sprintf("Compare it with a number, as in %s >= 2.", atom.Name))
}

// counted returns the place of the counter value from which a transition would leave the bounds.
func counted(t *hclspec.Transition) *hclspec.Place {
	return t.Read[slices.IndexFunc(t.Read, func(p *hclspec.Place) bool { return p.Counter == t.Beyond.Counter })]
}

// SourceName returns the name of a transition in the text.
func SourceName(t *hclspec.Transition) string { return cmp.Or(t.Of, t.Name) }

// Recounted returns the changes that a transition makes to counters, one for each counter.
func (d *Draft) Recounted(party string, t *hclspec.Transition) []finding.Change {
	var list []finding.Change
	for _, before := range t.Consume {
		for _, after := range t.Produce {
			if before.Kind == hclspec.CounterValue && after.Counter == before.Counter {
				list = append(list, finding.Change{Party: party, Called: d.Calls[party], Before: []string{Word(before)}, After: []string{fmt.Sprint(after.Value)}})
			}
		}
	}
	if t.Beyond != nil {
		list = append(list, finding.Change{Party: party, Called: d.Calls[party], Before: []string{Word(counted(t))}, After: []string{fmt.Sprintf("%d, out of bounds", t.Beyond.Value)}})
	}
	return list
}

// recounted returns the change that a move makes to a counter.
func (d *Draft) recounted(transition int, v petri.Move) finding.Change {
	party := d.Net.Places[v.From].Net
	c := finding.Change{Party: party, Called: d.Calls[party], Before: []string{Word(d.AllPlaces[v.From])}, After: []string{fmt.Sprint(d.AllPlaces[v.To].Value)}}
	if b := d.BeyondMove(transition, v); b != nil {
		c.After = []string{fmt.Sprintf("%d, out of bounds", b.Value)}
	}
	return c
}

// BeyondMove returns the value out of bounds to which a move of a transition would take a counter; nil if there is none.
func (d *Draft) BeyondMove(transition int, v petri.Move) *hclspec.Beyond {
	if d.AllPlaces[v.To].Kind != hclspec.CounterBound {
		return nil
	}
	at := d.PlacesAt()
	for _, m := range d.Events[d.Net.Transitions[transition].Event].Moves {
		if m.From == d.AllPlaces[v.From] && m.To == d.AllPlaces[v.To] && slices.Equal(indices(m.If, at), v.If) {
			return m.Beyond
		}
	}
	panic("compile: a move to a counter's bound is none of its event")
}

// WithoutCounters returns the places without those of counters and those that only record that something has begun.
func WithoutCounters(places []*hclspec.Place) []*hclspec.Place {
	return slices.DeleteFunc(slices.Clone(places), func(p *hclspec.Place) bool { return p.Counter != "" || p.Kind == hclspec.Begun })
}

// VariantsOnce keeps one of several adjacent findings with the same code and subject. They stem from the variants of a transition or the
// ways of an event.
func VariantsOnce(list []finding.Diagnostic) []finding.Diagnostic {
	return slices.CompactFunc(list, func(a, b finding.Diagnostic) bool { return a.Code == b.Code && a.Subject == b.Subject })
}
