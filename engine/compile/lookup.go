package compile

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// A lookup finds what formulas name. A contract has as many formulas as names, so none of its tables is searched from end to end.
type lookup struct {
	events      map[string]*hclspec.Event
	transitions map[string][]int    // by event: its composed transitions
	members     map[string][]string // by party of which there are several: its instances, in canonical order
	parties     map[string]*hclspec.Party
	suggest     *hclspec.Suggester        // while the draft is compiled; nil later, when several goroutines may ask
	atoms       *known                    // what an atom may be; nil before the first suggestion
	counted     *known                    // what may be compared; likewise
	beyond      map[*hclspec.Formula]bool // what comes after the limit of all formulas' size

	mutex sync.Mutex
	ways  map[string]*ctl.Formula // by event: what enabled(e) means, once it was asked; nil where it speaks of too many places
}

// tables builds the lookup of a draft that is composed.
func (d *Draft) tables() {
	l := &lookup{events: map[string]*hclspec.Event{}, transitions: map[string][]int{}, members: map[string][]string{}, parties: map[string]*hclspec.Party{}, ways: map[string]*ctl.Formula{}}
	for _, e := range d.Events {
		l.events[e.Name] = e
	}
	for i, t := range d.Net.Transitions {
		if t.Event >= 0 {
			name := d.Events[t.Event].Name
			l.transitions[name] = append(l.transitions[name], i)
		}
	}
	for _, p := range d.Parties {
		l.parties[p.Name] = p
		if p.Index != "" {
			l.members[p.Of] = append(l.members[p.Of], p.Name)
		}
	}
	d.lookup = l
}

// known are names, sorted.
type known struct {
	names []string
	bare  map[string]string // by what follows the last dot: the first name that ends so
}

func newKnown(names []string) *known {
	slices.Sort(names)
	k := &known{names, map[string]string{}}
	for _, name := range names {
		own := name[strings.LastIndexByte(name, '.')+1:]
		if _, taken := k.bare[own]; !taken {
			k.bare[own] = name
		}
	}
	return k
}

// nearestAtom returns the atom that an unknown name may have been meant to be; empty when there is none.
func (d *Draft) nearestAtom(name string) string {
	l := d.lookup
	if l.suggest.Spend(1) && l.atoms == nil {
		l.atoms = newKnown(append(slices.Collect(maps.Keys(d.PlaceOf)), slices.Collect(maps.Keys(d.Meant))...))
	}
	return l.atoms.nearest(name, l.suggest)
}

// nearestCounter returns the counter that an unknown name may have been meant to be, in whichever party; empty when there is none.
func (d *Draft) nearestCounter(name string) string {
	l := d.lookup
	if l.suggest.Spend(1) && l.counted == nil {
		l.counted = newKnown(slices.Collect(maps.Keys(d.Counters)))
	}
	_, own, _ := strings.Cut(name, ".")
	return cmp.Or(l.counted.nearest(name, l.suggest), l.counted.nearest(own, l.suggest))
}

// nearest returns the one name that ends in a name written without its party, else the nearest.
func (k *known) nearest(name string, s *hclspec.Suggester) string {
	if k == nil {
		return ""
	}
	if full, ok := k.bare[name]; ok {
		return full
	}
	return s.Nearest(name, k.names)
}
