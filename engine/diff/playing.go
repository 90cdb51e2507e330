package diff

import (
	"slices"

	"github.com/redlinehq/redline/hclspec"
)

// Blocks can be put in the place of a phase that expands to them, or the other way round. Then the parts of a party become those of its role in the
// phase, and it is left without any. Both are the same person, so they are one thing, by the name of the role.

// playing returns the parties of a contract without parts of their own, each with the one role that it plays whose parts are those of its namesake in
// another contract: at least two thirds of all, by name.
func playing(c, other *hclspec.Contract) map[string]*hclspec.Party {
	as := map[string]*hclspec.Party{}
	for _, was := range other.Parties {
		i := slices.IndexFunc(c.Parties, func(p *hclspec.Party) bool { return p.Name == was.Name })
		if of := parts(was); i >= 0 && len(of) > 0 && was.Index == "" && was.Made == "" && len(parts(c.Parties[i])) == 0 {
			for _, role := range c.Parties {
				if own := parts(role); role.Plays == was.Name && role.Index == "" && 3*common(of, own) >= len(of)+len(own) {
					if as[was.Name] != nil {
						as[was.Name] = nil // two roles have its parts
						break
					}
					as[was.Name] = role
				}
			}
		}
	}
	return as
}

// person returns the party that plays a role in a phase, without its index; "" of any other party.
func person(p *hclspec.Party) string {
	of, _, _ := cutIndex(p.Plays)
	return of
}

// samePerson reports whether two parties can be one: no party that plays the one is, on the other side, another party than plays the other. A role
// that is given to another party is not renamed, though the parties of both contracts have it in their names.
func (p *pairing) samePerson(base, head int) bool {
	player := func(in *inventory, i int) int { return in.find(in.things[i].element, -1, in.things[i].person) }
	i, j := player(p.base, base), player(p.head, head)
	return (i < 0 || p.toHead[i] < 0 || p.toHead[i] == j) && (j < 0 || p.toBase[j] < 0 || p.toBase[j] == i)
}

// parts returns the names of what a drafter wrote in a party.
func parts(p *hclspec.Party) map[called]bool {
	all := map[called]bool{}
	for _, place := range writtenPlaces(p) {
		e, name := elementOf(place)
		all[called{e, -1, name}] = true
	}
	for _, t := range acting(p) {
		all[called{Transition, -1, t.Name}] = true
	}
	return all
}

func common(a, b map[called]bool) (n int) {
	for k := range a {
		if b[k] {
			n++
		}
	}
	return n
}
