package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// overtaken reports whether every event that breaches a norm also begins another one, or exercises a power.
func (n *norm) overtaken(all []*norm) bool {
	by := n.breaches
	if n.Kind == hclspec.Prohibition {
		by = n.acts
	}
	if n.Kind == hclspec.Obligation && (n.ticks > 0 || n.By != "") || len(by) == 0 {
		return false
	}
	for _, breach := range by {
		if !slices.ContainsFunc(all, func(o *norm) bool { return o != n && o.answers(breach.event) }) {
			return false
		}
	}
	return true
}

// answers reports whether an event begins a norm, or exercises it if it is a power.
func (n *norm) answers(e *hclspec.Event) bool {
	if n.nobodys {
		return false
	}
	list := n.starts
	if n.Kind == hclspec.Power {
		list = slices.Concat(list, n.acts)
	}
	return slices.ContainsFunc(list, func(o occasion) bool { return o.event == e })
}

// leadMoves starts the clock of an obligation with before with the first of its acts, or with all of them, unless the act lifts it by way of
// others.
func (l *loader) leadMoves(n *norm) {
	if n.lead == 0 {
		return
	}
	l.moves(n.Range, l.minus(while(n.last(l.entries(n.acts)), n.On()), l.changes(n, n.Kind.Construct().Off)), n.clock.off, n.clock.top())
}

// top returns the place of its clock that is marked when a norm begins; nil if none is.
func (n *norm) top() *hclspec.Place {
	if n.lead > 0 {
		return nil
	}
	return n.clock.top()
}

// An entry is one way for an occasion to occur: by an event, while all of some places are marked.
type entry struct {
	event *hclspec.Event
	given []*hclspec.Place
}

func (e entry) and(list ...*hclspec.Place) entry {
	e.given = append(e.given[:len(e.given):len(e.given)], list...)
	return e
}

// A norm is a Norm while it is read.
type norm struct {
	*hclspec.Norm
	block                        *hclsyntax.Block
	starts, acts, breaches, ends []occasion
	ticks                        int    // 0: no deadline
	lead                         int    // how many ticks before something it has to be done; 0: it is not said
	ahead                        moment // and before what
	lasting, apart               string // its deadline, and the time between its occurrences, as the source has them
	answer                       *norm
	until                        *timer // the day by which it has to be fulfilled; nil: none
	gaps                         []int  // by occurrence: the ticks to the next, if these vary
	overdue                      *clock // runs while it is owed since that day
	endsContract                 bool
	lifts                        []*norm
	suspends, suspenders         []*norm     // the obligations that a power suspends; the powers that suspend an obligation
	suspension                   *norm       // the power of nobody by which its own suspended_by suspends an obligation; nil: none
	nobodys                      bool        // it is such a power
	resumes                      []occasion  // what ends the suspension
	extends, extenders           []extension // the obligations to whose time a power adds; the powers that add to an obligation's
	assigns, assigners           []*norm     // the obligations that a power passes on; the powers that pass on an obligation
	assignee                     *hclspec.Party
	bearing, owing               []*hclspec.Party // by whom an obligation can come to be borne, and to whom owed, each from the first on; none: as declared
	clock                        *clock

	atMost       bool             // its occurrences are so many debts at once
	ring         []*hclspec.Place // ring[k] is marked if the one with index k is next; nil unless atMost
	times, every int              // how often it arises, and after how many ticks the next time; 0: it has no occurrences, or no schedule
	follows      bool             // it has as many occurrences as the norm whose reparation it is
	all          []*norm          // its occurrences, or itself
	schedule     *clock           // nil unless ticks bring its occurrences about

	require  []hclspec.Need // what must be so when what brings it about happens
	together bool           // all its acts fulfil it, in any order
	parts    []pair         // by act, if all are needed: whether it has happened
}

// An extension is the ticks that a power adds to the time of an obligation. By is the other of the two.
type extension struct {
	by    *norm
	ticks int
	words string // the ticks as the source has them
}

// An occasion is an event, a change of another norm, as in deliver.breached, or that the contract ends for good: contract.ended.
type occasion struct {
	ended bool // the contract has ended
	event *hclspec.Event
	while []*hclspec.Place // places that must be marked
	norm  *norm
	index string // of one of its occurrences; empty: any of them
	to    string // the place that the norm reaches
	at    hcl.Range
}

// terms returns the attributes of a norm in a fixed order, so that two drafts can be compared.
func (n *norm) terms() []hclspec.Term {
	kind := n.Kind.Construct()
	var all []hclspec.Term
	add := func(word string, values ...string) {
		if text := strings.Join(slices.Sorted(slices.Values(values)), ", "); text != "" {
			all = append(all, hclspec.Term{Word: word, Value: text})
		}
	}
	add("bearer", hclspec.Parted(n.Bearer())...)
	add("counterparty", hclspec.Parted(n.Counterparty())...)
	add(kind.Begins, occasionNames(n.starts)...)
	if acts := occasionNames(n.acts); n.together {
		slices.Sort(acts)
		add(kind.Act, "all("+strings.Join(acts, ", ")+")")
	} else {
		add(kind.Act, acts...)
	}
	if n.Repeats {
		add("repeats", "true")
	}
	if n.ticks > 0 {
		add(kind.Lasts, n.lasting)
	}
	add("by", n.By)
	if n.lead > 0 {
		add("before", strings.Join(occasionNames(n.ahead.by), ", ")+" = "+n.lasting)
	}
	if n.times > 0 {
		add(map[bool]string{false: "times", true: "at_most"}[n.atMost], strconv.Itoa(n.times))
	}
	if n.every > 0 {
		add("every", n.apart)
	}
	add("breach", occasionNames(n.breaches[:len(n.breaches)-len(n.ahead.by)])...)
	add("until", occasionNames(n.ends)...)
	if n.suspension != nil {
		add("suspended_by", occasionNames(n.suspension.acts)...)
		add("resumes", occasionNames(n.suspension.resumes)...)
	}
	if n.answer != nil {
		add("reparation", n.answer.Name)
	}
	add("lifts", namesOf(n.lifts)...)
	add("suspends", namesOf(n.suspends)...)
	add("resumes", occasionNames(n.resumes)...)
	var longer []string
	for _, x := range n.extends {
		longer = append(longer, x.by.Name+" = "+x.words)
	}
	add("extends", longer...)
	add("assigns", namesOf(n.assigns)...)
	if n.assignee != nil {
		add("to", n.assignee.Name)
	}
	if n.endsContract {
		add("ends_contract", "true")
	}
	if n.Survives {
		add("survives", "true")
	}
	return all
}

func namesOf(list []*norm) (names []string) {
	for _, n := range list {
		names = append(names, n.Name)
	}
	return names
}

// contractEnded is what formulas and occasions call the end of the contract.
const contractEnded = "contract.ended"

func occasionNames(list []occasion) []string {
	var names []string
	for _, o := range list {
		switch {
		case o.ended:
			names = append(names, contractEnded)
		case o.event != nil:
			names = append(names, o.event.Name)
		default:
			names = append(names, syntax.Ref{Name: o.norm.Name, Index: o.index, Indexed: o.index != ""}.String()+"."+o.to)
		}
	}
	return names
}

// A turn is a place that a norm comes to.
type turn struct {
	norm *norm
	to   string
}

// changes returns the ways in which a norm comes to a place from another one. A circle of norms that wait for each other is a mistake. After a mistake in
// any norm none has a net, and there are no ways.
func (l *loader) changes(n *norm, to string) []entry {
	if n.Net == nil {
		return nil
	}
	key := turn{n, to}
	if known, found := l.came[key]; found {
		if known == nil {
			l.Mistake(diag.Contradiction, n.Range, fmt.Sprintf("Whether the %s %q comes to be %s depends on itself, by way of others that wait for it.",
				n.Kind, l.written(n.block), strings.ReplaceAll(to, "_", " ")), "Name an event in one of them.")
			l.came[key] = []entry{}
		}
		return l.came[key]
	}
	l.came[key] = nil
	l.came[key] = append([]entry{}, l.changed(n, to)...)
	return l.came[key]
}

func (l *loader) changed(n *norm, to string) (all []entry) {
	switch life := n.Kind.Construct(); to {
	case life.On:
		if len(n.suspenders) > 0 {
			_, owed := l.divide(n, l.arising(n))
			return append(owed, l.resumed(n)...)
		}
		return append(l.arising(n), l.resuming(n)...)
	case construct.Suspended:
		at, _ := l.divide(n, l.arising(n))
		return append(at, l.suspending(n)...)
	case life.Done:
		return while(l.fulfilling(n), n.Binding()...)
	case life.Off:
		return l.lifted(n)
	}
	if n.ticks > 0 { // an obligation is breached
		all = append(all, l.timeUp(n))
	}
	return append(all, while(n.oldest(l.entries(n.breaches)), n.On())...)
}

// fulfilling returns the ways in which what a norm asks is done: by its acts, or on the tick on which these are long enough ago.
func (l *loader) fulfilling(n *norm) []entry {
	if n.lead > 0 {
		return []entry{l.timeUp(n)}
	}
	return n.oldest(n.last(l.entries(n.acts)))
}

// timeUp returns the tick on which the time of a norm is over.
func (l *loader) timeUp(n *norm) entry { return entry{l.tick, n.clock.left[:1]} }

// while returns the entries restricted to the time while one of some places is marked.
func while(by []entry, places ...*hclspec.Place) (all []entry) {
	for _, e := range by {
		for _, p := range places {
			all = append(all, e.and(p))
		}
	}
	return all
}

// either returns the entries restricted to the time while all places of one of some lists are marked.
func either(by []entry, lists ...[]*hclspec.Place) (all []entry) {
	for _, e := range by {
		for _, list := range lists {
			all = append(all, e.and(list...))
		}
	}
	return all
}

// arising returns the ways in which a norm begins to bind.
func (l *loader) arising(n *norm) (all []entry) {
	for _, e := range l.beginnings(n) {
		all = append(all, while(l.inForce(n, e), n.begun()...)...)
	}
	if n.once() { // its end comes before, and that of the contract
		all = l.minus(all, append(l.entries(n.ends), l.overtaking(n)...))
	}
	if n.atMost {
		all = append(all, l.replacing(n, l.beginnings(n))...)
	}
	return all
}

// lifted returns the ways in which a norm is lifted or expires: by its end, its time, a power or the end of the contract, unless what fulfils
// or breaches it comes first.
func (l *loader) lifted(n *norm) []entry {
	life := n.Kind.Construct()
	var first []entry
	if life.Done != "" && !n.Repeats {
		first = append(first, l.changes(n, life.Done)...)
	}
	if n.Kind == hclspec.Obligation {
		first = append(first, l.changes(n, construct.Breached)...)
	}
	ends, lifts, over := l.entries(n.ends), l.lifting(n), l.expiring(n)
	all := append(while(l.minus(slices.Concat(ends, lifts, over), first), n.Binding()...), l.released(n)...)
	if n.once() { // those to come end, too
		all = append(all, while(slices.Concat(ends, l.minus(lifts, l.beginnings(n))), n.Net.PlaceNamed(construct.Dormant))...)
	}
	return all
}

// lifting returns the ways in which powers lift a norm.
func (l *loader) lifting(n *norm) (all []entry) {
	for _, other := range l.compiled {
		for _, lifted := range other.lifts {
			if slices.Contains(lifted.all, n) {
				all = append(all, l.exercising(other)...)
			}
		}
	}
	return all
}

// expiring returns the ways in which the contract ends for a norm, or its own time ends without a breach.
func (l *loader) expiring(n *norm) (all []entry) {
	if life := n.Kind.Construct(); n.ticks > 0 && life.Late == life.Off {
		all = append(all, l.timeUp(n))
	}
	return append(all, l.contractEnds(n)...)
}

// contractEnds returns the ways in which the contract ends for a norm.
func (l *loader) contractEnds(n *norm) (all []entry) {
	if !n.Survives {
		all = l.entries(l.ends)
	}
	for _, other := range l.compiled {
		if other.endsContract && !n.Survives && other != n {
			all = append(all, l.changes(other, other.ender())...)
		}
	}
	return all
}

// ender returns the place to which a norm comes when it ends the contract.
func (n *norm) ender() string {
	if n.Kind == hclspec.Power {
		return n.Kind.Construct().Done
	}
	return construct.Breached
}

// minus returns the entries restricted to the case that none of some others occurs. What it returns is disjoint if the entries are.
func (l *loader) minus(by, others []entry) []entry {
	for _, o := range others {
		var kept []entry
		for _, e := range by {
			if e.event != o.event || l.apartFrom(e, o) {
				kept = append(kept, e)
				continue
			}
			for _, p := range o.given { // in the first of them that is not marked they differ
				if slices.Contains(e.given, p) {
					continue
				}
				for _, q := range l.unlike(p) {
					kept = append(kept, e.and(q))
				}
				e = e.and(p)
			}
		}
		if by = kept; len(by) > maxAlternatives {
			l.Mistake(diag.Expansion, o.event.Range, fmt.Sprintf("What event %q brings about depends on too much at once.", o.event.Name), "Let fewer obligations, permissions and the like end or begin by what others come to.")
			return nil
		}
	}
	return by
}

// apartFrom reports whether two entries never occur at once, since they need a token in two places.
func (l *loader) apartFrom(e, o entry) bool {
	return slices.ContainsFunc(o.given, func(p *hclspec.Place) bool {
		return !slices.Contains(e.given, p) && slices.ContainsFunc(l.unlike(p), func(q *hclspec.Place) bool { return slices.Contains(e.given, q) })
	})
}

// unlike returns the places of a net of which one is marked where a place is not: the other states, the other times of a clock. A party that
// waits for its phase has no state.
func (l *loader) unlike(p *hclspec.Place) []*hclspec.Place {
	if known, found := l.besides[p]; found {
		return known
	}
	if l.besides == nil {
		l.besides, l.owners = map[*hclspec.Place][]*hclspec.Place{}, map[*hclspec.Place]*hclspec.Party{}
		for _, net := range l.spec.Parties {
			for _, p := range net.Places {
				l.owners[p] = net
			}
		}
	}
	var all []*hclspec.Place
	for _, other := range l.owners[p].Places {
		if other != p && (other.Token() == p.Token() || other.Kind == hclspec.Plain && other.Title == hclspec.NotBegun) {
			all = append(all, other)
		}
	}
	l.besides[p] = all
	return all
}
