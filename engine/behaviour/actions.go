package behaviour

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// This file numbers the observable actions of two drafts. An action is an event, a transition that fires alone, or the passing of time. An
// action that both drafts have, even under different names, is one action. A transition of a composed net is observed as an action with its
// participants: an event that happens with any of several parties is one action, and each of them observes it only when it takes part.

// Action is an observable action.
type Action struct {
	Kind actionKind
	Name string // the event, or party.transition; its name on head, or on base if only base has it
}

type actionKind uint8

const (
	EventAction actionKind = iota
	TransitionAction
	TimeAction // tick
)

func (d Action) compare(e Action) int {
	return cmp.Or(hclspec.Natural(d.Name, e.Name), cmp.Compare(d.Kind, e.Kind))
}

// A Sight is how a composed transition is observed: its action, and its participants, sorted. Observations of norms have one of the special
// actions below.
type Sight struct {
	Action int
	Who    []int
	way    int   // of several outcomes of an action with the same participants, which both drafts have: the number of this one, from 1
	term   int   // of a glance: the observed term
	not    []int // of a glance: observed only without any of these parties
}

const (
	glanceAction = -1 - iota // the state of a norm
	shiftAction              // a change of the terms of norms
	passAction               // a change of the ticks of a norm alone
)

// Observables has everything that can be observed of both drafts, numbered in order of names.
type Observables struct {
	Actions []Action
	titles  []string // of the actions, or their names
	Parties []string // names as reported: on head, or on base if only base has the party
	in      [2]map[string]bool
	All     []Sight
	plain   int      // the first so many of All are sights of transitions
	Of      [2][]int // sights, by side and composed transition
	Time    int      // the action of time passing; -1: neither draft has clocks
	idle    int      // the same where time also passes where no clock runs; -1: it doesn't
	blind   bool     // time is not observed
	unit    string   // of a tick; see unitOf
	norms   []norm   // in order of their names
	terms   []term
	glances [2][]glance // by side
	fates   [2][]glance // by side: glances without ticks
}

// ObservablesOf returns everything that can be observed of base and head.
func ObservablesOf(base, head *compile.Draft, n compile.Naming) *Observables {
	x := &Observables{Time: -1, in: [2]map[string]bool{{}, {}}}
	drafts := [2]*compile.Draft{base, head}
	actions := map[Action]string{} // with their titles
	for side, d := range drafts {
		to := n.Of(side)
		for _, p := range d.Parties {
			if !p.IsNet && p.Made == "" {
				x.in[side][to.Reader(p)] = true
			}
		}
		for t := range d.Net.Transitions {
			actions[ActionOf(to, d, t)] = cmp.Or(title(d, t), actions[ActionOf(to, d, t)])
		}
	}
	x.Actions, x.Parties = slices.SortedFunc(maps.Keys(actions), Action.compare), slices.SortedFunc(maps.Keys(Union(x.in[0], x.in[1])), hclspec.Natural)
	x.titles = titled(x.Actions, actions)
	x.Time = slices.IndexFunc(x.Actions, func(e Action) bool { return e.Kind == TimeAction })
	x.number(drafts, n)
	x.unit = x.unitOf(drafts)
	x.overlookTime(drafts)
	x.plain = len(x.All)
	x.owe(drafts, n)
	return x
}

// unitOf returns the unit of a tick: that of both drafts, or of the one that has clocks; empty if it has none, or another one on each side.
func (x *Observables) unitOf(drafts [2]*compile.Draft) string {
	switch base, head := drafts[0].Spec.Tick, drafts[1].Spec.Tick; {
	case base == head, !x.clocked(0):
		return head
	case !x.clocked(1):
		return base
	}
	return ""
}

// later returns a number of ticks with its unit, or the zero Later for none.
func (x *Observables) later(ticks int) finding.Later {
	if ticks == 0 {
		return finding.Later{}
	}
	return finding.Later{Ticks: ticks, Unit: x.unit}
}

// clocked reports whether time passes on a side.
func (x *Observables) clocked(side int) bool {
	return slices.ContainsFunc(x.Of[side], func(s int) bool { return x.All[s].Action == x.Time })
}

// overlookTime sets where time is observed to pass. Where one transition fires at a time, it may always pass. Where all fire at once, it passes
// only while a clock runs: no step may leave out what can happen. Then it is observed only if both drafts have clocks.
func (x *Observables) overlookTime(drafts [2]*compile.Draft) {
	x.idle = x.Time
	if drafts[0].Rule == petri.One && drafts[1].Rule == petri.One {
		return
	}
	x.idle = -1
	x.blind = !x.clocked(0) || !x.clocked(1)
}

// seen reports whether an observer sees a sight: see overlookTime.
func (x *Observables) seen(o Observer, s Sight) bool {
	return o.sees(s) && (!x.blind || s.Action != x.Time)
}

// titled returns the titles of actions, with their names added if two have the same title.
func titled(actions []Action, titles map[Action]string) []string {
	shared := map[string]int{}
	for _, title := range titles {
		shared[title]++
	}
	var list []string
	for _, d := range actions {
		switch title := titles[d]; {
		case title == "":
			list = append(list, d.Name)
		case shared[title] > 1:
			list = append(list, title+" ("+d.Name+")")
		default:
			list = append(list, title)
		}
	}
	return list
}

// title returns the title of a composed transition, which may be empty.
func title(d *compile.Draft, t int) string {
	tr := d.Net.Transitions[t]
	if tr.Event >= 0 {
		return d.Events[tr.Event].Title
	}
	return d.Part(tr.Parts[0]).Title
}

// followers returns, by place, the party whose state or counter follows what leads there.
func followers(d *compile.Draft) map[int][]*hclspec.Party {
	at, all := d.PlacesAt(), map[int][]*hclspec.Party{}
	for _, p := range d.Parties {
		for _, place := range p.Places {
			if len(place.Since)+len(place.Changes) > 0 && !p.IsNet {
				all[at[place]] = []*hclspec.Party{p}
			}
		}
	}
	return all
}

// concerned returns, by place of a norm, who bears the norm or is owed it, and by the place of its end the parties to the contract.
func concerned(d *compile.Draft) map[int][]*hclspec.Party {
	at, all := d.PlacesAt(), map[int][]*hclspec.Party{}
	for _, n := range d.Spec.Norms {
		var who []*hclspec.Party
		for _, t := range slices.Concat(n.Bearers, n.Counterparties) {
			who = append(who, t.Parties...)
		}
		for _, place := range n.Net.Places {
			all[at[place]] = who
		}
	}
	for _, p := range d.Parties {
		for _, place := range p.Places {
			if p.Made == "contract" && place.Name == "ended" {
				all[at[place]] = d.Parties
			}
		}
	}
	return all
}

// readers returns the numbers of the parties among some.
func (x *Observables) readers(all []*hclspec.Party, to compile.SideNaming) (list []int) {
	for _, p := range all {
		if at, known := slices.BinarySearchFunc(x.Parties, to.Reader(p), hclspec.Natural); known && !p.IsNet {
			list = append(list, at)
		}
	}
	return list
}

// partakers returns who takes part in a transition, or comes to another state or value by it. What happens by itself is seen by all.
func (x *Observables) partakers(d *compile.Draft, t int, to compile.SideNaming, follower map[int][]*hclspec.Party) (list []int) {
	if e := explain.Event(d, t); e != nil && e.Due != nil {
		for p := range x.Parties {
			list = append(list, p)
		}
	}
	for _, p := range d.Net.Transitions[t].Parts {
		list = append(list, x.readers([]*hclspec.Party{d.Parties[p.Net]}, to)...)
	}
	return append(list, x.moved(d, t, to, follower)...)
}

// moved returns the parties at the places that a transition moves tokens to.
func (x *Observables) moved(d *compile.Draft, t int, to compile.SideNaming, at map[int][]*hclspec.Party) (list []int) {
	for _, v := range d.Net.Transitions[t].Moves {
		list = append(list, x.readers(at[v.To], to)...)
	}
	return list
}

// number sets the sight of every transition. Who bears a norm or is owed it sees what changes it, as all see what ends the contract.
func (x *Observables) number(drafts [2]*compile.Draft, n compile.Naming) {
	actionAt := Positions(x.Actions)
	var seen [2][]Sight
	for side, d := range drafts {
		to, follower, party := n.Of(side), followers(d), concerned(d)
		for t := range d.Net.Transitions {
			seen[side] = append(seen[side], Sight{Action: actionAt[ActionOf(to, d, t)], Who: distinctSorted(x.partakers(d, t, to, follower), x.moved(d, t, to, party))})
		}
	}
	x.tellOutcomes(drafts, n, seen)
	x.All = slices.Concat(seen[0], seen[1])
	slices.SortFunc(x.All, compareSights)
	x.All = slices.CompactFunc(x.All, func(a, b Sight) bool { return compareSights(a, b) == 0 })
	for side := range seen {
		for _, s := range seen[side] {
			at, _ := slices.BinarySearchFunc(x.All, s, compareSights)
			x.Of[side] = append(x.Of[side], at)
		}
	}
}

// tellOutcomes numbers the outcomes of the actions of which transitions with the same participants are several. They are known by the parties' transitions, and not numbered if the
// drafts have other ones.
func (x *Observables) tellOutcomes(drafts [2]*compile.Draft, n compile.Naming, seen [2][]Sight) {
	var outcomes [2][]string             // by transition
	var of [2]map[string]map[string]bool // by sight
	key := func(s Sight) string { return fmt.Sprint(s.Action, s.Who) }
	for side, d := range drafts {
		of[side] = map[string]map[string]bool{}
		for t, s := range seen[side] {
			var parts []string
			for _, p := range d.Net.Transitions[t].Parts {
				parts = append(parts, n.Of(side).Reader(d.Parties[p.Net])+"."+d.Part(p).Name)
			}
			slices.Sort(parts)
			outcome := strings.Join(parts, " ")
			outcomes[side] = append(outcomes[side], outcome)
			if of[side][key(s)] == nil {
				of[side][key(s)] = map[string]bool{}
			}
			of[side][key(s)][outcome] = true
		}
	}
	for side := range seen {
		for t := range seen[side] {
			s := &seen[side][t]
			if all := of[0][key(*s)]; len(all) > 1 && maps.Equal(all, of[1][key(*s)]) {
				s.way = 1 + slices.Index(slices.Sorted(maps.Keys(all)), outcomes[side][t])
			}
		}
	}
}

func compareSights(a, b Sight) int {
	return cmp.Or(cmp.Compare(a.Action, b.Action), slices.Compare(a.Who, b.Who), cmp.Compare(a.way, b.way))
}

// Union returns the keys of both maps.
func Union[V any](a, b map[string]V) map[string]bool {
	both := map[string]bool{}
	for _, m := range []map[string]V{a, b} {
		for name := range m {
			both[name] = true
		}
	}
	return both
}

// Positions returns the index of each element of a list.
func Positions[K comparable](list []K) map[K]int {
	at := make(map[K]int, len(list))
	for i, k := range list {
		at[k] = i
	}
	return at
}
