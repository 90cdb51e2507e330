package behaviour

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// A state that one draft lacks is told apart from what the other draft comes to by the same steps, if that is one state only.

// beside returns in what the end of a run differs from the state that the other draft is in after the same steps: for each party and net of both drafts
// that differs, how it is on base and on head. It returns nil if the other draft can't take the steps, or could be in several states, or if following it
// takes too much work.
func (c *comparison) beside(side int, way walk) []finding.Change {
	own, other := c.follow(c.Observables, side), c.follow(c.Observables, 1-side)
	sequence, err := own.replayed(way)
	if err != nil {
		return nil
	}
	end, refused, err := other.Along(sequence)
	if err != nil || refused < len(sequence) || len(end) != 1 {
		return nil
	}
	ends := [2][]row{}
	ends[side], ends[1-side] = rows(own.Draft, way.markings[len(way.markings)-1], c.Names.Of(side)), rows(other.Draft, other.marks[end[0]], c.Names.Of(1-side))
	var list []finding.Change
	for _, now := range ends[1] {
		was := slices.IndexFunc(ends[0], func(r row) bool { return r.net == now.net })
		if was >= 0 && !slices.Equal(ends[0][was].places, now.places) {
			change := finding.Change{Party: now.Party, Called: now.Called, Before: ends[0][was].Places, After: now.Places}
			change.Before, change.After = without(change.Before, now.Places), without(change.After, ends[0][was].Places)
			list = append(list, change)
		}
	}
	return list
}

// without returns the words that are not among others.
func without[T comparable](words, others []T) (list []T) {
	for _, w := range words {
		if !slices.Contains(others, w) {
			list = append(list, w)
		}
	}
	return list
}

// A row is where a party or net is: its marked places in words, and by their names on head.
type row struct {
	net string // its name on head
	finding.PartyState
	places []string
}

// rows returns where each party and net of a draft is in a marking, but for bookkeeping.
func rows(d *compile.Draft, m petri.Marking, n compile.SideNaming) (list []row) {
	at := map[string]int{}
	for _, p := range d.Present(m) {
		net, place := d.Owners[p], d.AllPlaces[p]
		if net.Bookkeeping() || place.Kind == hclspec.ClockOff || compile.IsSilent(net, place) && place.Kind != hclspec.State {
			continue
		}
		full := n.Place(d, p)
		i, known := at[net.Name]
		if !known {
			i = len(list)
			at[net.Name] = i
			list = append(list, row{net: strings.TrimSuffix(netOf(full), "."), PartyState: finding.PartyState{Party: net.Name, Called: d.Calls[net.Name]}})
		}
		r := &list[i]
		if word := compile.Word(place); place.Kind == hclspec.State {
			r.Places = append([]string{word}, r.Places...) // the state comes first
		} else {
			r.Places = append(r.Places, word)
		}
		r.places = append(r.places, full)
	}
	return list
}
