package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// Norms and timers watch events: an event moves their tokens, and may need a timer to stand so. What
// they watch is put on the composed transitions, since a norm is moved by whatever other norms do.

// watch completes the composed transitions of each event.
func (d *Draft) watch() {
	at := d.PlacesAt()
	moves := map[*hclspec.Event][]petri.Move{}
	for _, e := range d.Spec.Events {
		moves[e] = placed(e.Moves, at)
	}
	for i := range d.Net.Transitions {
		t := &d.Net.Transitions[i]
		if t.Event < 0 {
			continue
		}
		e := d.Events[t.Event]
		t.Moves, t.Moving = moves[e], e.Moving
		t.Read = slices.Compact(slices.Sorted(slices.Values(append(indices(e.Needs, at), t.Read...))))
	}
}

// PlacesAt says where in the composed net each of the drafter's places is.
func (d *Draft) PlacesAt() map[*hclspec.Place]int {
	at := make(map[*hclspec.Place]int, len(d.AllPlaces))
	for i, p := range d.AllPlaces {
		at[p] = i
	}
	return at
}

// placed finds the places of moves. They are sorted by the place they start from, each place's in order of rank.
func placed(moves []hclspec.Move, at map[*hclspec.Place]int) []petri.Move {
	var list []petri.Move
	for _, v := range moves {
		list = append(list, petri.Move{If: indices(v.If, at), From: at[v.From], To: at[v.To]})
	}
	slices.SortStableFunc(list, func(a, b petri.Move) int { return cmp.Compare(a.From, b.From) })
	return list
}

// watched writes what an event moves and needs, for the digest. Moves that do the same one for the
// other are sorted: which stands first in the text means nothing.
func (d *Draft) watched(e *hclspec.Event, at map[*hclspec.Place]int) string {
	list := placed(e.Moves, at)
	var b strings.Builder
	for _, p := range slices.Compact(indices(e.Needs, at)) {
		fmt.Fprintf(&b, " needs %s", d.Net.Places[p])
	}
	for len(list) > 0 {
		same := slices.IndexFunc(list, func(v petri.Move) bool { return v.From != list[0].From || v.To != list[0].To })
		if same < 0 {
			same = len(list)
		}
		run := slices.SortedFunc(slices.Values(list[:same]), func(a, b petri.Move) int { return slices.Compare(a.If, b.If) })
		for _, v := range run {
			fmt.Fprintf(&b, " moves %s %s", d.Net.Places[v.From], d.Net.Places[v.To])
			for _, p := range v.If {
				fmt.Fprintf(&b, " if %s", d.Net.Places[p])
			}
		}
		list = list[same:]
	}
	return b.String()
}

// canonicalNorms lists what norms say of their bearers, sorted.
func (d *Draft) canonicalNorms() []string {
	var lines []string
	for _, n := range d.Spec.Norms {
		lines = append(lines, CanonicalNorm(n)+"\n")
	}
	slices.Sort(lines)
	return lines
}

func CanonicalNorm(n *hclspec.Norm) string {
	line := fmt.Sprintf("%s %s bearer %s answered %t", n.Kind, n.Name, n.Bearer.Name, n.Answered)
	var acts []string
	for _, e := range n.Acts {
		acts = append(acts, " "+e.Name)
	}
	slices.Sort(acts)
	line += strings.Join(acts, "")
	if n.Counterparty != nil { // moves nothing, and yet it is what is owed to whom
		line += " to " + n.Counterparty.Name
	}
	for _, t := range n.Terms { // the same moves can be said of one norm or of another: see how they are told
		line += fmt.Sprintf(" %s %q", t.Word, t.Value)
	}
	return line
}

// Moved tells what a firing does to the nets that watch it.
func (d *Draft) Moved(transition int, before petri.Marking) []finding.Change {
	var list []finding.Change
	for _, v := range d.Net.Moved(before, transition) {
		name := d.Net.Places[v.From].Net
		if len(list) == 0 || list[len(list)-1].Party != name {
			list = append(list, finding.Change{Party: name, Called: d.Calls[name]})
		}
		c := &list[len(list)-1]
		c.Before, c.After = d.told(c.Before, v.From), d.told(c.After, v.To)
	}
	return list
}

// told adds a place to words, unless it says nothing.
func (d *Draft) told(words []string, place int) []string {
	spec := d.AllPlaces[place]
	if spec.Kind == hclspec.ClockOff {
		return words
	}
	if spec.Kind == hclspec.State {
		return append([]string{Word(spec)}, words...)
	}
	return append(words, Word(spec))
}

// Loud are the nets that have something to say in a marking.
func (d *Draft) Loud(m petri.Marking) map[string]bool {
	nets := map[string]bool{}
	for _, p := range m {
		if p < len(d.Owners) && !IsSilent(d.Owners[p], d.AllPlaces[p]) { // a history place is nobody's
			nets[d.Owners[p].Name] = true
		}
	}
	return nets
}

// IsWatcher reports whether a net only watches events.
func IsWatcher(net *hclspec.Party) bool {
	return net.Made == "clock" || net.Made == "contract" || construct.IsNorm(net.Made)
}

// IsSilent reports whether a place says nothing to a reader who wants to know where all stand: what does
// not bind yet, a clock that was never started, a contract in force.
func IsSilent(net *hclspec.Party, p *hclspec.Place) bool {
	switch net.Made {
	case "clock":
		return p.Name != "running" && p.Name != "over" && p.Kind != hclspec.ClockLeft
	case "contract":
		return p.Name == "in_force"
	}
	return p.Kind == hclspec.CounterBound || p.Kind == hclspec.Begun || p.Kind == hclspec.ClockOff || IsWatcher(net) && p.Name == "dormant"
}
