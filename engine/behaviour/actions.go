package behaviour

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
)

// What can be observed of two drafts. A deed is an event, or a transition that fires alone, or time; what
// is one in both drafts, under whatever name, is one deed. A transition of a composed net is seen as a
// deed and by those who take part in it: an event that happens with any of several is one deed, and
// each of them sees it only when it happens with him.

// Action is something that can be observed.
type Action struct {
	Kind actionKind
	Name string // the event's, or party.transition; on head, of what only base has on base
}

type actionKind uint8

const (
	EventAction actionKind = iota
	TransitionAction
	TimeAction // tick
)

func (d Action) compare(e Action) int {
	return cmp.Or(finding.Natural(d.Name, e.Name), cmp.Compare(d.Kind, e.Kind))
}

// Sight is how a composed transition is seen: what it does, and who takes part, sorted. What can be seen of norms
// has one of the deeds below.
type Sight struct {
	Deed int
	Who  []int
	term int   // of a glance: what is seen
	not  []int // of a glance: it is seen by who sees none of these
}

const (
	glanceDeed = -1 - iota // how a norm stands
	shiftDeed              // that something else than before is owed
)

// Sights are all that both drafts have to be seen, numbered in order of their names.
type Sights struct {
	Deeds   []Action
	titles  []string // of the deeds, or their names
	Parties []string // as a reader knows them: on head, of those that only base has on base
	in      [2]map[string]bool
	All     []Sight
	plain   int      // how many of all are sights of transitions: the first ones
	Of      [2][]int // by side and composed transition, its sight
	Time    int      // the deed of time passing; -1: neither draft has clocks
	norms   []norm   // in order of their names
	terms   []term
	glances [2][]glance // by side
}

// SightsOf numbers what can be seen of base and head.
func SightsOf(base, head *compile.Draft, n compile.Naming) *Sights {
	x := &Sights{Time: -1, in: [2]map[string]bool{{}, {}}}
	drafts := [2]*compile.Draft{base, head}
	deeds := map[Action]string{} // with their titles
	for side, d := range drafts {
		to := n.Of(side)
		for _, p := range d.Parties {
			if !p.IsNet && p.Made == "" {
				x.in[side][to.Reader(p)] = true
			}
		}
		for t := range d.Net.Transitions {
			deeds[DeedOf(to, d, t)] = cmp.Or(title(d, t), deeds[DeedOf(to, d, t)])
		}
	}
	x.Deeds, x.Parties = SortedKeys(deeds, Action.compare), SortedKeys(Union(x.in[0], x.in[1]), finding.Natural)
	x.titles = titled(x.Deeds, deeds)
	x.Time = slices.IndexFunc(x.Deeds, func(e Action) bool { return e.Kind == TimeAction })
	x.number(drafts, n)
	x.plain = len(x.All)
	x.owe(drafts, n)
	return x
}

// titled tells deeds by their titles, and by their names besides where two have one title.
func titled(deeds []Action, titles map[Action]string) []string {
	shared := map[string]int{}
	for _, title := range titles {
		shared[title]++
	}
	var list []string
	for _, d := range deeds {
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

// title is what a composed transition is called; empty: it has no title.
func title(d *compile.Draft, t int) string {
	tr := d.Net.Transitions[t]
	if tr.Event >= 0 {
		return d.Events[tr.Event].Title
	}
	return d.Part(tr.Parts[0]).Title
}

// number gives every transition its sight.
func (x *Sights) number(drafts [2]*compile.Draft, n compile.Naming) {
	deedAt, partyAt := Positions(x.Deeds), Positions(x.Parties)
	var seen [2][]Sight
	for side, d := range drafts {
		to := n.Of(side)
		for t := range d.Net.Transitions {
			s := Sight{Deed: deedAt[DeedOf(to, d, t)]}
			for _, p := range d.Net.Transitions[t].Parts {
				if at, known := partyAt[to.Reader(d.Parties[p.Net])]; known && !d.Parties[p.Net].IsNet {
					s.Who = append(s.Who, at)
				}
			}
			slices.Sort(s.Who)
			s.Who = slices.Compact(s.Who)
			seen[side] = append(seen[side], s)
		}
	}
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

func compareSights(a, b Sight) int {
	return cmp.Or(cmp.Compare(a.Deed, b.Deed), slices.Compare(a.Who, b.Who))
}

func Union[V any](a, b map[string]V) map[string]bool {
	both := map[string]bool{}
	for _, m := range []map[string]V{a, b} {
		for name := range m {
			both[name] = true
		}
	}
	return both
}

func SortedKeys[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	var list []K
	for k := range m {
		list = append(list, k)
	}
	slices.SortFunc(list, compare)
	return list
}

func Positions[K comparable](list []K) map[K]int {
	at := make(map[K]int, len(list))
	for i, k := range list {
		at[k] = i
	}
	return at
}
