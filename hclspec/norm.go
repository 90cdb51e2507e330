package hclspec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/construct"
)

// A Norm is an obligation, a prohibition, a permission or a power. Its effects are moves of events (Event.Moves), which move the token of its
// net. Its bearer and terms are here, for the checks that need them.
type Norm struct {
	Prose
	Name           string // rent[3] for one of several occurrences
	Of             string // the name in the source, if it has occurrences; else empty
	Nth, Times     int    // it is the Nth of so many occurrences, counted from 1; 0: it has none
	Kind           NormKind
	Bearers        []Tenure // bearers as declared, then those to whom powers can pass it on
	Counterparties []Tenure // counterparties, in the same order; empty if none is declared
	Acts           []*Event // the events that fulfil the obligation, are forbidden or permitted, or exercise the power
	Lead           []*Place // of an obligation with before: marked while its acts have happened and the time until it is fulfilled runs
	AtMost         bool     // its occurrences are so many debts at once, each of which can begin again
	Missed         []Start  // of the last of these: the ways in which one would begin if there were room
	Needs          []*Place // by act, if it takes all of them to fulfil it: marked once that has happened
	Starts         []Start  // the ways it begins; none: it binds from the start
	Net            *Party
	Schedule       *Party  // the clock that brings its occurrences about, and begins anew with each; nil: they have none
	Breachable     bool    // a deadline or an event can break it
	By             string  // the day by which the obligation has to be fulfilled, as 2027-03-31; empty: none
	Answered       bool    // a norm, an event or the end of the contract follows its breach
	Relieves       []*Norm // of a power: the obligations that it lifts, suspends or extends
	Extensible     int     // how many ticks powers can add to its time
	Repeats        bool    // of a power: what exercises it leaves it held
	Survives       bool    // the end of the contract neither lifts it nor keeps it from beginning
	Terms          []Term  // its attributes, to be compared between drafts
	Range          hcl.Range
}

// A Tenure is who bears a norm, or to whom it is owed, while a place is marked.
type Tenure struct {
	Parties []*Party // in order of names; several bear it jointly
	While   *Place   // nil: always
}

// What the names of places begin with that say by whom a norm is borne, and to whom it is owed, where powers can pass it on.
const (
	BorneBy = "by-"
	OwedTo  = "to-"
)

// String returns the names of the parties: seller, or seller and guarantor.
func (t Tenure) String() string { return Named(t.Parties, func(p *Party) string { return p.Name }) }

// Named returns what parties are called, joined as in a sentence. No name has blanks, so that Parted splits it again.
func Named(list []*Party, name func(*Party) string) string {
	var all []string
	for _, p := range list {
		all = append(all, name(p))
	}
	return strings.Join(all, and)
}

// Parted returns the names that Named has joined.
func Parted(names string) []string { return strings.Split(names, and) }

const and, or = " and ", " or "

// Includes reports whether one of the parties is, or plays in a phase for, the same person as another party.
func (t Tenure) Includes(p *Party) bool {
	return slices.ContainsFunc(t.Parties, func(o *Party) bool { return o.Person() == p.Person() })
}

// Borne reports whether a party bears the norm, at some time at least.
func (n *Norm) Borne(by *Party) bool {
	return slices.ContainsFunc(n.Bearers, func(t Tenure) bool { return t.Includes(by) })
}

// Keeper returns the names of all who can bear the norm, as in a sentence: "seller", "seller and guarantor" if they bear it together, "seller or carrier"
// if it can be passed on.
func (n *Norm) Keeper() string {
	var all []string
	for _, t := range n.Bearers {
		all = append(all, Named(t.Parties, (*Party).Person))
	}
	return strings.Join(all, or)
}

// RenameKeeper returns what Keeper returns with each party by another name.
func RenameKeeper(keeper string, name func(string) string) string {
	var all []string
	for _, bearers := range strings.Split(keeper, or) {
		list := Parted(bearers)
		for i := range list {
			list[i] = name(list[i])
		}
		all = append(all, strings.Join(list, and))
	}
	return strings.Join(all, or)
}

// Bearer returns who bears the norm at first, as in a sentence: seller, or seller and guarantor.
func (n *Norm) Bearer() string { return declared(n.Bearers) }

// Counterparty returns to whom the norm is owed at first, likewise; nobody is "".
func (n *Norm) Counterparty() string { return declared(n.Counterparties) }

func declared(list []Tenure) string {
	if len(list) == 0 {
		return ""
	}
	return list[0].String()
}

// A Start is one way for a norm to begin: by an event, while all of some places are marked.
type Start struct {
	Event *Event
	While []*Place
}

// NormKind classifies a norm by its effect on its bearer. The kinds are in the order of construct.Norms.
type NormKind uint8

const (
	Obligation NormKind = iota
	Prohibition
	Permission
	Power
)

// Construct returns the words of the kind.
func (k NormKind) Construct() construct.Norm { return construct.Norms[k] }

func (k NormKind) String() string { return construct.Norms[k].Word }

// Written returns the name in the source.
func (n *Norm) Written() string { return cmp.Or(n.Of, n.Name) }

// WrittenTitle returns the title in the source, without the number of an occurrence.
func (n *Norm) WrittenTitle() string {
	if n.Nth == 0 {
		return n.Title
	}
	return strings.TrimSuffix(n.Title, " ("+Ordinal(n.Nth)+")")
}

// Called returns the words for the norm in a sentence: obligation "deliver", or 3rd obligation "rent".
func (n *Norm) Called() string {
	if n.Nth == 0 {
		return fmt.Sprintf("%s %q", n.Kind, n.Name)
	}
	return fmt.Sprintf("%s %s %q", Ordinal(n.Nth), n.Kind, n.Of)
}

// WithArticle returns a name after an article, unless it has an index: the seller, purchaser[0].
func WithArticle(article, name string) string {
	if strings.HasSuffix(name, "]") {
		return name
	}
	return article + name
}

// Ordinal returns a number as 1st, 2nd, 3rd, 11th.
func Ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n, suffix)
}

// Ordinals lists numbers in order, such as 1st, 3rd to 12th.
func Ordinals(numbers []int) string {
	var said []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		one := Ordinal(numbers[i])
		switch {
		case j == i+1:
			one += ", " + Ordinal(numbers[j])
		case j > i:
			one += " to " + Ordinal(numbers[j])
		}
		said, i = append(said, one), j+1
	}
	return strings.Join(said, ", ")
}

// Ranges renders ascending numbers compactly, such as 1, 3 to 5.
func Ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		part := fmt.Sprint(numbers[i])
		if j > i {
			part += fmt.Sprintf(" to %d", numbers[j])
		}
		parts, i = append(parts, part), j+1
	}
	return strings.Join(parts, ", ")
}

// On returns the place that is marked while the norm binds.
func (n *Norm) On() *Place { return n.Net.PlaceNamed(n.Kind.Construct().On) }

// Binding returns the places of which one is marked while the norm binds: owed and suspended.
func (n *Norm) Binding() []*Place {
	if p := n.Suspended(); p != nil {
		return []*Place{n.On(), p}
	}
	return []*Place{n.On()}
}

// Suspended returns the place that is marked while the norm is suspended; nil if nothing can suspend it.
func (n *Norm) Suspended() *Place { return n.Net.PlaceNamed(construct.Suspended) }

// Breached returns the place that is marked once the norm has been breached; nil if it cannot be.
func (n *Norm) Breached() *Place { return n.Net.PlaceNamed(construct.Breached) }

// PlaceNamed returns the party's place of that name; nil if it has none.
func (p *Party) PlaceNamed(name string) *Place {
	for _, place := range p.Places {
		if place.Name == name {
			return place
		}
	}
	return nil
}

// A Move is the effect of an event on a net that watches it: while the places If are marked, a token on From goes to To. Without a token there
// the event happens all the same. Of an event's moves from one place the first that applies counts. Which ones apply is decided before any
// token moves. A move from a place to itself keeps those after it from moving the token.
type Move struct {
	If       []*Place
	From, To *Place
	Beyond   *Beyond // nil unless it would take a counter out of its bounds; To is then the counter's CounterBound, see Transition.Beyond
}

// Stays reports whether a move leaves the token where it is.
func (m *Move) Stays() bool { return m.From == m.To }
