package behaviour_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/petri"

	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec"
)

// idleOf has the words for a norm that does not bind, by kind.
var idleOf = map[string]string{"obligation": "not owed", "prohibition": "not in force", "permission": "not given", "power": "not held"}

// A player plays a draft from the definitions of nets.
type player struct{ *compile.Draft }

// follow returns the markings that a draft can be in after steps with these names.
func (p player) follow(names []string) []petri.Marking {
	at := []petri.Marking{p.Net.Initial}
	for _, name := range names {
		var next []petri.Marking
		for _, m := range at {
			for _, to := range p.after(m, name) {
				if !slices.ContainsFunc(next, func(o petri.Marking) bool { return slices.Equal(o, to) }) {
					next = append(next, to)
				}
			}
		}
		at = next
	}
	return at
}

func (p player) after(m petri.Marking, name string) (list []petri.Marking) {
	moving := slices.ContainsFunc(m, func(i int) bool { return p.Net.Places[i].Name == "due" }) // time waits for it
	for _, step := range p.Net.Steps(m, petri.One) {
		tr := p.Net.Transitions[step[0]]
		moving = moving || tr.Moving
		own := tr.Name
		if tr.Moving {
			own = "tick"
		}
		if next, contact := p.Net.Fire(m, step); own == name && contact < 0 {
			list = append(list, next)
		}
	}
	if name == "tick" && !moving { // time passes, and no clock of this draft runs
		list = append(list, m)
	}
	return list
}

// says returns the words for the places of a marking, by net; places in which a norm does not bind yet, or any more, are left out.
func (p player) says(m petri.Marking) map[string][]string {
	all := map[string][]string{}
	for _, i := range m {
		if place := p.Net.Places[i]; place.Net != "" && !quietPlace(p.Draft, place) {
			all[place.Net] = append(all[place.Net], placeWords(place.Name))
		}
	}
	return all
}

// quietPlace reports whether a place is of a norm that has not begun, or of a contract that has not ended.
func quietPlace(d *compile.Draft, place petri.Place) bool {
	return place.Name == "dormant" || place.Name == "off" || place.Net == "contract" && place.Name == "in_force"
}

var leftPlace = regexp.MustCompile(`^left-(\d+)$`)

func placeWords(name string) string {
	if m := leftPlace.FindStringSubmatch(name); m != nil {
		return strings.Replace(m[1]+" ticks left", "1 ticks", "1 tick", 1)
	}
	return strings.ReplaceAll(name, "_", " ")
}

// state returns the words for a party or norm in a marking.
func (p player) state(m petri.Marking, net string) string {
	said := strings.Join(p.says(m)[net], ", ")
	for _, n := range p.Spec.Norms {
		if n.Name != net {
			continue
		}
		stake := stakeIn(p, m, net)
		to := "to"
		switch {
		case stake.state == "":
			if said == "" || !slices.Contains([]string{"fulfilled", "lifted", "expired", "exercised"}, said) {
				return idleOf[n.Kind.String()]
			}
			return said
		case stake.state == "breached" || n.Kind.String() == "prohibition":
			to = "towards"
		case n.Kind.String() == "power":
			to = "against"
		case n.Kind.String() == "permission":
			to = "by"
		}
		by := map[string]string{"in_force": "for", "given": "to"}[stake.state]
		if by == "" {
			by = "by"
		}
		said = strings.ReplaceAll(stake.state, "_", " ") + " " + by + " the " + strings.ReplaceAll(stake.bearer, " and ", " and the ")
		if stake.to != "" {
			said += " " + to + " the " + stake.to
		}
		if stake.left > 0 {
			said += ", " + placeWords(fmt.Sprint("left-", stake.left))
		}
		return said
	}
	if said == "" && net == "contract" {
		return "in force"
	}
	if said == "" {
		return "not in the contract"
	}
	return said
}

// A stakeOf is a norm in a marking; no state: it does not bind, and is not breached.
type stakeOf struct {
	kind, state, bearer, to string
	left                    int
}

func (s stakeOf) borneBy(party string) bool {
	return slices.Contains(strings.Split(s.bearer, " and "), party)
}

func stakeIn(p player, m petri.Marking, norm string) (s stakeOf) {
	for _, n := range p.Spec.Norms {
		if n.Name != norm {
			continue
		}
		s.kind, s.bearer, s.to = n.Kind.String(), n.Bearer(), n.Counterparty()
		for _, i := range m {
			switch place := p.Net.Places[i]; {
			case place.Net != norm:
			case strings.HasPrefix(place.Name, "by-"):
				s.bearer = place.Name[3:]
			case strings.HasPrefix(place.Name, "to-"):
				s.to = place.Name[3:]
			case leftPlace.MatchString(place.Name):
				s.left, _ = strconv.Atoi(strings.TrimPrefix(place.Name, "left-"))
			case slices.Contains([]string{"owed", "in_force", "given", "held", "breached"}, place.Name):
				s.state = place.Name
			}
		}
	}
	return s
}

// gains reports how a party fares from one state of a norm to another: 1 better, -1 worse, 0 neither.
func gains(party string, before, after stakeOf) int {
	value := func(s stakeOf) float64 {
		if s.state == "" || !s.borneBy(party) && party != s.to {
			return 0
		}
		weight := 0.0
		switch { // the sooner a duty is due the heavier; other norms weigh the more the longer they last
		case s.state == "breached":
			weight = 1000
		case s.kind == "obligation" && s.left > 0:
			weight = 100 - float64(s.left)
		case s.kind == "obligation":
			weight = 1
		case s.left > 0:
			weight = float64(s.left)
		default:
			weight = 500
		}
		if s.kind == "obligation" || s.kind == "prohibition" {
			weight = -weight
		}
		if !s.borneBy(party) {
			weight = -weight
		}
		return weight
	}
	switch was, now := value(before), value(after); {
	case now > was:
		return 1
	case now < was:
		return -1
	}
	return 0
}

// sides reports whether a counterparty has won some party that bears a norm and lost none, 1, or lost some and won none, -1. More that owe it
// something or are bound to it are better for it, more that hold something against it worse.
func sides(party string, before, after stakeOf) int {
	won, lost := 0, 0
	for _, p := range testkit.PartyNames {
		switch now := after.borneBy(p); {
		case now && !before.borneBy(p):
			won++
		case !now && before.borneBy(p):
			lost++
		}
	}
	theirs := before.to == party && after.to == party && !before.borneBy(party) && !after.borneBy(party) && before.state != "" && after.state != ""
	if !theirs || won > 0 == (lost > 0) {
		return 0
	}
	if better := won > 0; better == (after.kind == "obligation" || after.kind == "prohibition") {
		return 1
	}
	return -1
}

// effects describes what differs between two markings, sorted.
func (p player) effects(from, to petri.Marking) (list []string) {
	words := func(m, other petri.Marking) map[string][]string {
		all := map[string][]string{}
		for _, i := range m {
			if place := p.Net.Places[i]; place.Net != "" && place.Name != "off" && !slices.Contains(other, i) {
				all[place.Net] = append(all[place.Net], placeWords(place.Name))
			}
		}
		return all
	}
	gone, come := words(from, to), words(to, from)
	for _, i := range append(slices.Clone(from), to...) {
		net := p.Net.Places[i].Net
		slices.Sort(gone[net])
		slices.Sort(come[net])
		line := net + ": " + strings.Join(gone[net], ", ") + " → " + strings.Join(come[net], ", ")
		if len(gone[net])+len(come[net]) > 0 && !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	slices.Sort(list)
	return list
}

// givenUp reports whether a norm is used up on one side alone by an act that counts there alone, and that takes all who gain by it.
func (s *saidReader) givenUp(side int, norm string, said [2][]string, names []string) bool {
	var of [2]*hclspec.Norm
	for i, p := range s.players {
		for _, n := range p.Spec.Norms {
			if n.Name == s.named(i, norm) {
				of[i] = n
			}
		}
	}
	used := func(words string) bool { return words == "fulfilled" || words == "exercised" }
	idle := func(words string) bool {
		return used(words) || slices.Contains([]string{"lifted", "expired"}, words) || strings.HasPrefix(words, "not ")
	}
	if of[0] == nil || of[1] == nil || len(said[side]) != 1 || !used(said[side][0]) || slices.ContainsFunc(said[1-side], idle) {
		return false
	}
	gain := of[side].Counterparties
	if of[side].Kind == hclspec.Power {
		gain = of[side].Bearers
	}
	counts := func(n *hclspec.Norm, name string) bool {
		return slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool { return e.Name == name })
	}
	at := slices.IndexFunc(names, func(name string) bool { return counts(of[side], name) && !counts(of[1-side], name) })
	p := s.players[side]
	return at >= 0 && len(gain) > 0 && !slices.ContainsFunc(p.Net.Transitions, func(t petri.Transition) bool {
		return t.Name == names[at] && slices.ContainsFunc(parties(gain), func(party string) bool {
			return !slices.ContainsFunc(t.Parts, func(part petri.Part) bool { return p.Parties[part.Net].Name == party && !p.Part(part).Passive })
		})
	})
}
