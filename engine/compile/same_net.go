package compile

import (
	"fmt"
	"slices"
	"strings"
)

// SameNet reports whether two drafts compose to the same net, including names. Then their behaviour is equal, however many states there
// are. Requirements and exposure may differ. The cost is linear in the nets' size, but for sorting.
func SameNet(a, b *Draft) bool { return a.netForm() == b.netForm() }

// netForm renders everything that the composed net depends on, one line for each element, sorted.
func (d *Draft) netForm() string {
	lines := []string{fmt.Sprintf("firing %s ends %t", d.Rule, d.Spec.Ends != nil)}
	for i, p := range d.Parties {
		lines = append(lines, fmt.Sprintf("net %s made %s nobody %t", p.Name, p.Made, p.IsNet))
		for _, t := range d.Transitions[i] {
			lines = append(lines, fmt.Sprintf("transition %s.%s of %s label %s consume%s produce%s read%s", p.Name, t.Name, SourceName(t), t.Label,
				names(t.Consume), names(t.Produce), names(t.Read)))
		}
	}
	for i, p := range d.Net.Places[:len(d.AllPlaces)] {
		_, marked := slices.BinarySearch(d.Net.Initial, i)
		lines = append(lines, fmt.Sprintf("place %s marked %t", p, marked))
	}
	at, turn := d.PlacesAt(), d.inTurn()
	for _, e := range d.canonicalEvents() {
		lines = append(lines, fmt.Sprintf("event %s%s%s%s moving %t survives %t", e.Name, syncs(e), d.watched(e, at), turn[e], e.Moving, e.Survives))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
