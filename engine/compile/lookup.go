package compile

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// A lookup holds the tables by which formulas find what they name. A contract may have as many formulas as names, so no table is searched
// linearly.
type lookup struct {
	events      map[string]*hclspec.Event
	transitions map[string][]int            // by event: its composed transitions
	made        map[string][]*hclspec.Event // by the name of a block that makes several events
	members     map[string][]string         // by party of which there are several: its instances, in canonical order
	parties     map[string]*hclspec.Party
	norms       map[string]*hclspec.Norm
	documents   map[string]bool
	suggest     *hclspec.Suggester        // while the draft is compiled; nil later, when several goroutines may ask
	atoms       *known                    // names of atoms; nil before the first suggestion
	counted     *known                    // names of counters; likewise
	beyond      map[*hclspec.Formula]bool // formulas beyond maxFormulas

	mutex sync.Mutex
	ways  map[string]*ctl.Formula // by event: the formula of enabled(e), built on demand; nil if too large
}

// tables builds the lookup of a composed draft.
func (d *Draft) tables() {
	l := &lookup{events: map[string]*hclspec.Event{}, transitions: map[string][]int{}, members: map[string][]string{}, parties: map[string]*hclspec.Party{}, made: map[string][]*hclspec.Event{}, ways: map[string]*ctl.Formula{},
		norms: map[string]*hclspec.Norm{}, documents: map[string]bool{}}
	for _, e := range d.canonicalEvents() {
		if l.events[e.Name] = e; e.Name != e.Of {
			l.made[e.Of] = append(l.made[e.Of], e)
		}
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
	for phase, rounds := range d.Spec.Rounds {
		l.members[phase] = rounds
	}
	for _, n := range d.Spec.Norms {
		l.norms[n.Name] = n
	}
	for _, doc := range d.Spec.Documents {
		l.documents[doc.Name] = true
	}
	d.lookup = l
}

// unchanging returns the meaning of a name for what an amendment can bring about and nothing in this contract does: that the contract has ended, that
// an obligation is suspended, or borne by or owed to somebody else, that another party holds a document. It is a constant; nil for any other name.
func (d *Draft) unchanging(name string) *ctl.Formula {
	constant := func(so bool) *ctl.Formula {
		return &ctl.Formula{Op: map[bool]ctl.Op{false: ctl.False, true: ctl.True}[so]}
	}
	at := strings.LastIndexByte(name, '.')
	if at < 0 {
		return nil
	}
	of, own := name[:at], name[at+1:]
	switch n := d.lookup.norms[of]; {
	case of == "contract" && d.lookup.parties[of] == nil && (own == "in_force" || own == "ended"):
		return constant(own == "in_force")
	case d.lookup.documents[of] && d.holder(of, own) != nil:
		return constant(false)
	case n == nil || n.Kind != hclspec.Obligation:
	case own == construct.Suspended:
		return constant(false)
	default:
		for i, prefix := range []string{hclspec.BorneBy, hclspec.OwedTo} {
			who, is := strings.CutPrefix(own, prefix)
			party, list := d.holder(of, who), [][]hclspec.Tenure{n.Bearers, n.Counterparties}[i]
			if is && party != nil {
				return constant(len(list) > 0 && list[0].Includes(party))
			}
		}
	}
	return nil
}

// holder returns the party that a name means beside that of a document or norm: of one in a phase, who plays in it, if anybody of that name does.
func (d *Draft) holder(of, name string) *hclspec.Party {
	phase, _, _ := strings.Cut(of, ".")
	if p := cmp.Or(d.lookup.parties[phase+"."+name], d.lookup.parties[name]); p != nil && p.Made == "" {
		return p
	}
	return nil
}

// A known is a sorted list of names to suggest from.
type known struct {
	names []string
	bare  map[string]string // by last part: the first name that ends in it
}

// newKnown returns the lists for a set of names. It sorts the argument.
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

// nearestAtom returns the known atom nearest to an unknown name, or "".
func (d *Draft) nearestAtom(name string) string {
	l := d.lookup
	if l.suggest.Spend(1) && l.atoms == nil {
		names := slices.Collect(maps.Keys(d.meant))
		for name, p := range d.PlaceOf {
			if k := d.AllPlaces[p].Kind; k != hclspec.ClockOff && k != hclspec.ClockLeft && k != hclspec.ClockKept { // of which drafters do not know
				names = append(names, name)
			}
		}
		l.atoms = newKnown(names)
	}
	return l.atoms.nearest(name, l.suggest)
}

// nearestCounter returns the counter nearest to an unknown name, of any party, or "".
func (d *Draft) nearestCounter(name string) string {
	l := d.lookup
	if l.suggest.Spend(1) && l.counted == nil {
		l.counted = newKnown(slices.Collect(maps.Keys(d.Counters)))
	}
	_, own, _ := strings.Cut(name, ".")
	return cmp.Or(l.counted.nearest(name, l.suggest), l.counted.nearest(own, l.suggest))
}

// nearest returns the first name that ends in the given one after its last dot, else the nearest by spelling, or "".
func (k *known) nearest(name string, s *hclspec.Suggester) string {
	if k == nil {
		return ""
	}
	if full, ok := k.bare[name]; ok {
		return full
	}
	return s.Nearest(name, k.names)
}
