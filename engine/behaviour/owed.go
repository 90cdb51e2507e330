package behaviour

import (
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// Observations of norms belong to states. In each state every norm of either draft has a term. While the norm is live, the term is its state
// (owed, in force, given, held, breached), its bearer, its counterparty, and the ticks left. Otherwise the term is absent, as for a norm that
// the draft does not have. The end of the contract is a term that every party observes. The bearer and the counterparty of a norm observe the
// norm; to every other party it is absent.
//
// For the comparison a term is an arc from a state to itself, a glance. Two states have the same terms if the same
// glances can be taken there, so relations between systems with glances are those between states with labels (R. De Nicola,
// F. Vaandrager 1995, Three logics for branching bisimulation, section 4), with one exception: where time is not observed, a tick that
// changes a term must not be silent. It is observed as a shift. Any other step that changes a norm is seen by the parties to it.
//
// The fate of a norm is its term without the ticks. If the first difference is one of ticks alone, a reader would see a run
// after which the parties still owe the same. So the drafts are compared again by fates: see comparison.owing.

// A norm is an observed norm of either draft, or the end of the contract.
type norm struct {
	name  string       // on head, or on base if only base has it
	of    [2]*normSide // nil: that side lacks it
	who   []int        // parties that observe it on either side, sorted
	shift [2]int       // sight of a change of it, by side that has it
	pass  [2]int       // sight of a change of its ticks alone, likewise
}

// A normSide is a norm in one of the drafts.
type normSide struct {
	source       string // its name in that draft
	kind, title  string
	gain         []string // who is better off with it, by their names as reported
	bear         []string // who bears it at some time, likewise
	favours      string   // of a power over what others owe: these, as in a tenure; else ""
	suspends     bool     // a power that suspends obligations while it is in use
	tenures      []tenure // never none
	who          []int    // parties that observe it, sorted
	on, breached int      // places of the composed net; breached is -1 if there is none
	suspended    int      // likewise
	fulfilled    int      // likewise
	state        string   // name of on
	acts         []string // what fulfils or uses it, or what it forbids, by their names as reported, sorted
	allActs      bool     // it takes all of them; else one
	begins       []string // the events that begin it, likewise
	left, kept   []int    // places of its clock: left[i] is marked while i+1 ticks are left, kept[i] while the norm is suspended with so many
	over         []after  // the places that are marked once it binds no more, whether it is breached or not
}

// An after is a place of a norm that is marked once it binds no more, and its name: fulfilled, lifted, exercised, expired.
type after struct {
	place int
	name  string
}

// A tenure has who bears a norm, and to whom it is owed, in states in which some places are marked.
type tenure struct {
	bearer, counterparty string // names as reported; see finding.NormState
	while                []int
}

// A term is the state of a norm, as observed.
type term struct {
	norm int // index in Observables.norms
	finding.NormState
}

// A glance is a term that a state of one side has: all places of all are marked, and none of none.
type glance struct {
	sight      int // index in Observables.All
	norm, code int // the norm and the code of its state: see postures
	all, none  []int
}

// owe adds the norms of both drafts, with their terms and glances.
func (x *Observables) owe(drafts [2]*compile.Draft, n compile.Naming) {
	at := map[[2]string]int{}
	parties := Positions(x.Parties)
	for side, d := range drafts {
		for _, s := range normSides(d, n.Of(side), parties) {
			key := [2]string{s.name, ""}
			if s.kind == finding.EndOfContract {
				key[1] = s.kind
			}
			i, known := at[key]
			if !known {
				i = len(x.norms)
				at[key], x.norms = i, append(x.norms, norm{name: s.name})
			}
			x.norms[i].of[side] = s.normSide
			x.norms[i].who = distinctSorted(x.norms[i].who, s.who)
		}
	}
	slices.SortStableFunc(x.norms, func(a, b norm) int { return hclspec.Natural(a.name, b.name) })
	for i := range x.norms {
		x.addTerms(i)
	}
}

func distinctSorted(lists ...[]int) []int {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(lists...))))
}

type namedNorm struct {
	name string
	*normSide
}

// normSides returns the norms of a draft, and the end of the contract.
func normSides(d *compile.Draft, to compile.SideNaming, parties map[string]int) (list []namedNorm) {
	at := d.PlacesAt()
	for _, p := range d.Parties {
		if p.Made == "contract" {
			ended := slices.IndexFunc(p.Places, func(p *hclspec.Place) bool { return p.Name == "ended" })
			s := &normSide{kind: finding.EndOfContract, on: at[p.Places[ended]], state: "ended", tenures: make([]tenure, 1), breached: -1, suspended: -1, fulfilled: -1}
			for i := range len(parties) {
				s.who = append(s.who, i)
			}
			list = append(list, namedNorm{"contract", s})
		}
	}
	for _, n := range d.Spec.Norms {
		s := &normSide{source: n.Name, kind: n.Kind.String(), title: n.Title, gain: gains(n, to), bear: names(n.Bearers, to), favours: favours(n, to), tenures: tenuresOf(n, at, to), on: at[n.On()], state: n.On().Name, breached: -1, suspended: -1, fulfilled: -1}
		if p := n.Suspended(); p != nil {
			s.suspended = at[p]
		}
		if b := n.Breached(); b != nil {
			s.breached = at[b]
		}
		for _, e := range n.Acts {
			s.acts = append(s.acts, to.Event(e.Name))
		}
		slices.Sort(s.acts)
		for _, start := range n.Starts {
			s.begins = append(s.begins, to.Event(start.Event.Name))
		}
		s.allActs = n.Needs != nil
		s.suspends = slices.ContainsFunc(n.Terms, func(t hclspec.Term) bool { return t.Word == "suspends" })
		kind := construct.NormOf(s.kind)
		for _, p := range n.Net.Places {
			if p.Name == "fulfilled" {
				s.fulfilled = at[p]
			}
			if slices.Contains([]string{kind.Done, kind.Off, kind.Late}, p.Name) {
				s.over = append(s.over, after{at[p], p.Name})
			}
			switch p.Kind { // from one tick left upwards
			case hclspec.ClockLeft:
				if n.Lead != nil {
					continue // that time makes nothing due
				}
				s.left = append(s.left, at[p])
			case hclspec.ClockKept:
				s.kept = append(s.kept, at[p])
			}
		}
		for _, t := range slices.Concat(n.Bearers, n.Counterparties) {
			for _, p := range t.Parties {
				if i, known := parties[to.Reader(p)]; known {
					s.who = append(s.who, i)
				}
			}
		}
		s.who = distinctSorted(s.who)
		list = append(list, namedNorm{to.Head(diff.NormElement(n.Kind), n.Name), s})
	}
	return list
}

// tenuresOf returns who bears a norm, and to whom it is owed: each combination.
func tenuresOf(n *hclspec.Norm, at map[*hclspec.Place]int, to compile.SideNaming) (list []tenure) {
	owed := n.Counterparties
	if len(owed) == 0 {
		owed = make([]hclspec.Tenure, 1)
	}
	for _, b := range n.Bearers {
		for _, c := range owed {
			t := tenure{bearer: hclspec.Named(b.Parties, to.Reader), counterparty: hclspec.Named(c.Parties, to.Reader)}
			for _, p := range []*hclspec.Place{b.While, c.While} {
				if p != nil {
					t.while = append(t.while, at[p])
				}
			}
			list = append(list, t)
		}
	}
	return list
}

// gains returns who is better off with a norm, by their names as reported: who uses it, or else to whom it is owed.
func gains(n *hclspec.Norm, to compile.SideNaming) []string {
	if n.Kind == hclspec.Power || n.Kind == hclspec.Permission {
		return names(n.Bearers, to)
	}
	return names(n.Counterparties, to)
}

// names returns the parties of all of some tenures, by their names as reported.
func names(list []hclspec.Tenure, to compile.SideNaming) (all []string) {
	for _, t := range list {
		for _, p := range t.Parties {
			all = append(all, to.Reader(p))
		}
	}
	return all
}

// favours returns the bearers of the obligations that a power lifts, suspends or extends, or "" if the power's own bearer is one of them.
func favours(n *hclspec.Norm, to compile.SideNaming) string {
	var all []*hclspec.Party
	for _, r := range n.Relieves {
		for _, p := range r.Bearers[0].Parties {
			switch {
			case n.Bearers[0].Includes(p):
				return ""
			case !slices.Contains(all, p):
				all = append(all, p)
			}
		}
	}
	return hclspec.Named(all, to.Reader)
}

// addTerms adds the terms of a norm, and the glances at it on both sides, with and without ticks.
func (x *Observables) addTerms(i int) {
	n := &x.norms[i]
	for side, s := range n.of {
		if s != nil {
			n.shift[side], n.pass[side] = x.special(Sight{Action: shiftAction, Who: s.who}), x.special(Sight{Action: passAction, Who: s.who})
		}
		lives := s.lives()
		x.glances[side] = append(x.glances[side], x.looks(i, s, lives)...)
		x.fates[side] = append(x.fates[side], x.looks(i, s, s.fates(lives))...)
	}
}

// looks returns the glances at a norm of one side, which is nil if that side lacks it: at its absence, and at each life.
func (x *Observables) looks(i int, s *normSide, lives []life) []glance {
	n, absent := &x.norms[i], x.term(i, finding.NormState{})
	gone := glance{sight: x.special(Sight{Action: glanceAction, term: absent, Who: n.who}), norm: i}
	if s == nil {
		return []glance{gone}
	}
	gone.none = []int{s.on}
	for _, p := range []int{s.breached, s.suspended} {
		if p >= 0 {
			gone.none = append(gone.none, p)
		}
	}
	list := []glance{gone}
	others := slices.DeleteFunc(slices.Clone(n.who), func(p int) bool { return slices.Contains(s.who, p) })
	for _, l := range lives {
		list = append(list, glance{sight: x.special(Sight{Action: glanceAction, term: x.term(i, l.NormState), Who: s.who}), norm: i, code: l.code, all: l.all})
		if len(others) > 0 { // absent for the others, which have no part in it on this side
			list = append(list, glance{sight: x.special(Sight{Action: glanceAction, term: absent, Who: others, not: s.who}), norm: i, code: l.code, all: l.all})
		}
	}
	return list
}

// A life is a state of a live norm, and the places that are marked in it.
type life struct {
	finding.NormState
	code int
	all  []int
}

// Codes of the states of a norm: 0 while it is absent, codeBreached once it is breached, else codeLive or codeSuspended plus the ticks left. To
// each of these the number of its tenure is added, times codeTenure.
const (
	codeBreached  = 1
	codeLive      = 2
	codeTenure    = 1 << 10 // more than any deadline
	codeSuspended = 1 << 13 // more than any number of tenures
)

// fateCode returns a code without the ticks.
func fateCode(code int16) int16 {
	return code - code%codeTenure + min(code%codeTenure, codeLive)
}

// lives returns the states of a norm that is live; none of a norm that is nil.
func (s *normSide) lives() (list []life) {
	if s == nil {
		return nil
	}
	for i, t := range s.tenures {
		list = append(list, s.binding(t, s.state, i*codeTenure+codeLive, s.on, s.left)...)
		if s.suspended >= 0 {
			list = append(list, s.binding(t, "suspended", i*codeTenure+codeSuspended+codeLive, s.suspended, s.kept)...)
		}
		if s.breached >= 0 {
			list = append(list, t.life("breached", i*codeTenure+codeBreached, s.breached))
		}
	}
	return list
}

// binding returns the states of a norm that binds: one for each number of ticks left.
func (s *normSide) binding(by tenure, state string, code, on int, clock []int) (list []life) {
	if len(clock) == 0 {
		return []life{by.life(state, code, on)}
	}
	for i, p := range slices.Backward(clock) {
		l := by.life(state, code+i+1, on, p)
		l.Ticks = i + 1
		list = append(list, l)
	}
	return list
}

// life returns a state of a norm that some places show.
func (t tenure) life(state string, code int, shown ...int) life {
	return life{finding.NormState{State: state, Bearer: t.bearer, Counterparty: t.counterparty}, code, append(shown, t.while...)}
}

// fates returns the lives without their ticks.
func (s *normSide) fates(lives []life) (list []life) {
	for _, l := range lives {
		if l.Ticks > 0 {
			l = life{withoutTicks(l.NormState), int(fateCode(int16(l.code))), slices.Delete(slices.Clone(l.all), 1, 2)} // the clock's place
		}
		if len(list) == 0 || list[len(list)-1].NormState != l.NormState {
			list = append(list, l)
		}
	}
	return list
}

func withoutTicks(s finding.NormState) finding.NormState {
	s.Ticks = 0
	return s
}

func (x *Observables) term(norm int, s finding.NormState) int {
	t := term{norm, s}
	at := slices.Index(x.terms, t)
	if at < 0 {
		at = len(x.terms)
		x.terms = append(x.terms, t)
	}
	return at
}

// special returns the number of a sight that no transition has.
func (x *Observables) special(s Sight) int {
	at := slices.IndexFunc(x.All[x.plain:], func(o Sight) bool {
		return o.Action == s.Action && o.term == s.term && slices.Equal(o.Who, s.Who) && slices.Equal(o.not, s.not)
	})
	if at < 0 {
		at = len(x.All) - x.plain
		x.All = append(x.All, s)
	}
	return x.plain + at
}

// has reports whether a marking satisfies a glance.
func (g *glance) has(m petri.Marking) bool {
	marked := func(p int) bool {
		_, found := slices.BinarySearch(m, p)
		return found
	}
	return !slices.ContainsFunc(g.all, func(p int) bool { return !marked(p) }) && !slices.ContainsFunc(g.none, marked)
}

// idle returns whether a norm neither binds nor is breached in a marking, and the name of what it has come to there; "" if it has not begun.
func (s *normSide) idle(m petri.Marking) (come string, idle bool) {
	for _, p := range []int{s.on, s.breached, s.suspended} {
		if m.Has(p) {
			return "", false
		}
	}
	for _, o := range s.over {
		if m.Has(o.place) {
			return o.name, true
		}
	}
	return "", true
}

// A postures computes the states of the norms of one side in a marking.
type postures struct {
	norms     int
	live      map[int]int    // norms, by the place that is marked while they are live
	suspended map[int]int    // norms, by the place that is marked while they are suspended
	broken    map[int]int    // norms, by the place of their breach
	left      map[int][2]int // norms and ticks left, by the place of the clock
	tenures   []heldBy       // of the norms that have several
}

func (x *Observables) postures(side int) *postures {
	p := &postures{norms: len(x.norms), live: map[int]int{}, suspended: map[int]int{}, broken: map[int]int{}, left: map[int][2]int{}}
	for i, n := range x.norms {
		s := n.of[side]
		if s == nil {
			continue
		}
		p.live[s.on], p.suspended[s.suspended], p.broken[s.breached] = i, i, i
		for t, by := range s.tenures[1:] {
			p.tenures = append(p.tenures, heldBy{i, int16(t + 1), by.while})
		}
		for _, clock := range [][]int{s.left, s.kept} {
			for t, place := range clock {
				p.left[place] = [2]int{i, t + 1}
			}
		}
	}
	return p
}

// of returns the code of each norm in a marking.
func (p *postures) of(m petri.Marking) []int16 {
	codes, ticks := make([]int16, p.norms), make([]int16, p.norms)
	for _, place := range m {
		if i, found := p.live[place]; found {
			codes[i] = codeLive
		} else if i, found := p.suspended[place]; found {
			codes[i] = codeSuspended + codeLive
		} else if i, found := p.broken[place]; found {
			codes[i] = codeBreached
		} else if l, found := p.left[place]; found {
			ticks[l[0]] = int16(l[1])
		}
	}
	for i := range codes {
		if codes[i] >= codeLive {
			codes[i] += ticks[i]
		}
	}
	for _, t := range p.tenures {
		if codes[t.norm] > 0 && t.in(m) {
			codes[t.norm] += t.number * codeTenure
		}
	}
	return codes
}

// A heldBy is a tenure of a norm, but for its first.
type heldBy struct {
	norm   int
	number int16
	while  []int
}

// in reports whether it is the norm's tenure in a marking.
func (h *heldBy) in(m petri.Marking) bool {
	return !slices.ContainsFunc(h.while, func(p int) bool { return !m.Has(p) })
}
