package engine

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// meaning says which states, and which steps, of two drafts are the same in a picture: it gives both
// names that do not depend on the draft.
type meaning struct {
	places []uint32 // by place: its number, which is the same on both sides; 0: it says nothing
	steps  []string // by composed transition
}

// meanings numbers the places of two drafts. What only one of them has as a party or a net says
// nothing, nor does a counter that only one has and that stands where it stood, nor a flag that is
// down: it says no more than that it is not up.
func meanings(base, head *Draft) [2]meaning {
	numbers := map[string]uint32{}
	var both [2]meaning
	for side, d := range [2]*Draft{base, head} {
		other := [2]*Draft{head, base}[side]
		both[side].places = make([]uint32, len(d.places))
		for i, p := range d.places {
			name := d.Net.Places[i].String()
			if !other.hasNet(d.owners[i].Name) || p.Kind == hclspec.FlagFalse || p.Counter != "" && p.Marked && !other.hasCounter(d.owners[i].Name, p.Counter) {
				continue
			}
			if numbers[name] == 0 {
				numbers[name] = uint32(len(numbers)) + 1
			}
			both[side].places[i] = numbers[name]
		}
		for t := range d.Net.Transitions {
			both[side].steps = append(both[side].steps, d.happens(t))
		}
	}
	return both
}

func (d *Draft) hasNet(name string) bool {
	return slices.ContainsFunc(d.parties, func(p *hclspec.Party) bool { return p.Name == name })
}

func (d *Draft) hasCounter(net, counter string) bool {
	_, has := d.counters[net+"."+counter]
	return has
}

// happens names a composed transition: by its event, or else by the party's transition it is.
func (d *Draft) happens(t int) string {
	tr := d.Net.Transitions[t]
	if tr.Event >= 0 {
		return d.events[tr.Event].Name
	}
	var parts []string
	for _, p := range tr.Parts {
		parts = append(parts, d.named(p))
	}
	return strings.Join(parts, ",")
}

// of is the meaning of a marking, as a key.
func (m meaning) of(marking petri.Marking) string {
	var said []uint32
	for _, p := range marking {
		if p < len(m.places) && m.places[p] != 0 { // history is nobody's
			said = append(said, m.places[p])
		}
	}
	slices.Sort(said)
	key := make([]byte, 0, 4*len(said))
	for _, n := range said {
		key = binary.BigEndian.AppendUint32(key, n)
	}
	return string(key)
}

// step is what happens in a step, as a key.
func (m meaning) step(step []int) string {
	var names []string
	for _, t := range step {
		names = append(names, m.steps[t])
	}
	slices.Sort(names)
	return strings.Join(names, " + ")
}
