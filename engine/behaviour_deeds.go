package engine

import (
	"cmp"
	"slices"
)

// What can be observed of two drafts. A deed is an event, or a transition that fires alone, or time; what
// is one in both drafts, under whatever name, is one deed. A transition of a composed net is seen as a
// deed and by those who take part in it: an event that happens with any of several is one deed, and
// each of them sees it only when it happens with him.

// deed is something that can be observed.
type deed struct {
	kind deedKind
	name string // the event's, or party.transition; on head, of what only base has on base
}

type deedKind uint8

const (
	eventDeed deedKind = iota
	transitionDeed
	timeDeed // tick
)

func (d deed) compare(e deed) int {
	return cmp.Or(natural(d.name, e.name), cmp.Compare(d.kind, e.kind))
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sight is how a composed transition is seen: what it does, and who takes part, sorted. What can be seen of norms
// has one of the deeds below.
type sight struct {
	deed int
	who  []int
	term int   // of a glance: what is seen
	not  []int // of a glance: it is seen by who sees none of these
}

const (
	glanceDeed = -1 - iota // how a norm stands
	shiftDeed              // that something else than before is owed
)

// sights are all that both drafts have to be seen, numbered in order of their names.
type sights struct {
	deeds   []deed
	titles  []string // of the deeds, or their names
	parties []string // as a reader knows them: on head, of those that only base has on base
	in      [2]map[string]bool
	all     []sight
	plain   int      // how many of all are sights of transitions: the first ones
	of      [2][]int // by side and composed transition, its sight
	time    int      // the deed of time passing; -1: neither draft has clocks
	norms   []norm   // in order of their names
	terms   []term
	glances [2][]glance // by side
}

// sightsOf numbers what can be seen of base and head.
func sightsOf(base, head *Draft, n naming) *sights {
	x := &sights{time: -1, in: [2]map[string]bool{{}, {}}}
	drafts := [2]*Draft{base, head}
	deeds := map[deed]string{} // with their titles
	for side, d := range drafts {
		to := n.of(side)
		for _, p := range d.parties {
			if !p.IsNet && p.Made == "" {
				x.in[side][to.reader(p)] = true
			}
		}
		for t := range d.Net.Transitions {
			deeds[to.deed(d, t)] = cmp.Or(d.title(t), deeds[to.deed(d, t)])
		}
	}
	x.deeds, x.parties = sortedKeys(deeds, deed.compare), sortedKeys(union(x.in[0], x.in[1]), natural)
	x.titles = titled(x.deeds, deeds)
	x.time = slices.IndexFunc(x.deeds, func(e deed) bool { return e.kind == timeDeed })
	x.number(drafts, n)
	x.plain = len(x.all)
	x.owe(drafts, n)
	return x
}

// titled tells deeds by their titles, and by their names besides where two have one title.
func titled(deeds []deed, titles map[deed]string) []string {
	shared := map[string]int{}
	for _, title := range titles {
		shared[title]++
	}
	var list []string
	for _, d := range deeds {
		switch title := titles[d]; {
		case title == "":
			list = append(list, d.name)
		case shared[title] > 1:
			list = append(list, title+" ("+d.name+")")
		default:
			list = append(list, title)
		}
	}
	return list
}

// title is what a composed transition is called; empty: it has no title.
func (d *Draft) title(t int) string {
	tr := d.Net.Transitions[t]
	if tr.Event >= 0 {
		return d.events[tr.Event].Title
	}
	return d.part(tr.Parts[0]).Title
}

// number gives every transition its sight.
func (x *sights) number(drafts [2]*Draft, n naming) {
	deedAt, partyAt := positions(x.deeds), positions(x.parties)
	var seen [2][]sight
	for side, d := range drafts {
		to := n.of(side)
		for t := range d.Net.Transitions {
			s := sight{deed: deedAt[to.deed(d, t)]}
			for _, p := range d.Net.Transitions[t].Parts {
				if at, known := partyAt[to.reader(d.parties[p.Net])]; known && !d.parties[p.Net].IsNet {
					s.who = append(s.who, at)
				}
			}
			slices.Sort(s.who)
			s.who = slices.Compact(s.who)
			seen[side] = append(seen[side], s)
		}
	}
	x.all = slices.Concat(seen[0], seen[1])
	slices.SortFunc(x.all, compareSights)
	x.all = slices.CompactFunc(x.all, func(a, b sight) bool { return compareSights(a, b) == 0 })
	for side := range seen {
		for _, s := range seen[side] {
			at, _ := slices.BinarySearchFunc(x.all, s, compareSights)
			x.of[side] = append(x.of[side], at)
		}
	}
}

func compareSights(a, b sight) int {
	return cmp.Or(cmp.Compare(a.deed, b.deed), slices.Compare(a.who, b.who))
}

func union[V any](a, b map[string]V) map[string]bool {
	both := map[string]bool{}
	for _, m := range []map[string]V{a, b} {
		for name := range m {
			both[name] = true
		}
	}
	return both
}

func sortedKeys[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	var list []K
	for k := range m {
		list = append(list, k)
	}
	slices.SortFunc(list, compare)
	return list
}

func positions[K comparable](list []K) map[K]int {
	at := make(map[K]int, len(list))
	for i, k := range list {
		at[k] = i
	}
	return at
}
