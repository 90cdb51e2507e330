package load

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/hclspec"
)

// accelerated returns a loan: when a penalty is not paid, what is left is due, and neither an instalment nor a penalty any more.
func accelerated(instalments, every, within, penalty int) string {
	return fmt.Sprintf(`
party "borrower" {}
event "disbursement" { by = borrower }
obligation "instalment" {
  bearer     = borrower
  when       = disbursement
  times      = %d
  every      = %d
  within     = %d
  until      = balance.owed
  reparation = penalty
}
obligation "penalty" {
  bearer = borrower
  within = %d
  until  = balance.owed
}
obligation "balance" {
  bearer = borrower
  when   = penalty.breached
}
`, instalments, every, within, penalty)
}

// TestAcceleration: a loan of a hundred instalments is read, with moves for each two of them and not for each value of all their clocks.
func TestAcceleration(t *testing.T) {
	for _, instalments := range []int{12, 40} {
		src := loadText(t, complete(accelerated(instalments, 30, 40, 30)))
		if src.Contract == nil || len(src.Diagnostics) > 0 {
			t.Fatalf("%d instalments: %v", instalments, src.Diagnostics)
		}
		moves := 0
		for _, e := range src.Contract.Events {
			moves += len(e.Moves)
		}
		if most := 4 * (40 + 30) * instalments * instalments; moves > most {
			t.Errorf("%d instalments: %d moves, more than %d", instalments, moves, most)
		}
	}
}

// TestClocksStartWithWhatArises: on any tick, the clock of an occurrence starts if the occurrence comes to be owed, and not if it never arises since another
// is breached on the same tick. One of several debts at once arises all the same.
func TestClocksStartWithWhatArises(t *testing.T) {
	began, stayed := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		ticks := rapid.IntRange(1, 4)
		text := complete(accelerated(rapid.IntRange(2, 3).Draw(r, "instalments"), ticks.Draw(r, "every"), ticks.Draw(r, "within"), ticks.Draw(r, "penalty")))
		if rapid.Bool().Draw(r, "of itself") { // no chain of two
			text = strings.Replace(strings.Replace(text, "  reparation = penalty\n", "", 1), "penalty.breached", "instalment.breached", 1)
		}
		text += "obligation \"debt\" {\n  bearer = borrower\n  when = instalment.breached\n  until = balance.owed\n  within = 2\n  at_most = 2\n}\n"
		c := loadText(t, text).Contract
		if c == nil {
			r.Fatal(text)
		}
		for range 50 {
			marked := drawMarking(r, c)
			for _, n := range c.Norms {
				off, state := n.Net.PlaceNamed("off"), 0
				for !marked[n.Net.Places[state]] || n.Net.Places[state].Kind != hclspec.State {
					state++
				}
				from := n.Net.Places[state]
				if off == nil || !marked[off] || from == n.On() {
					continue
				}
				for _, e := range c.Events {
					to, clock := movedTo(e, marked, from), movedTo(e, marked, off)
					if (to == n.On()) != (clock != off) {
						r.Fatalf("%s comes to be %s on %s, and its clock %s\n%s", n.Name, to.Name, e.Name, clock.Name, text)
					}
					if to == n.On() {
						began++
					} else if to != from {
						stayed++
					}
				}
			}
		}
	})
	if began < 100 || stayed < 100 {
		t.Errorf("%d begin, %d end before", began, stayed)
	}
}

// drawMarking draws a place for each token, often one of the first two: the last tick is one of these.
func drawMarking(t *rapid.T, c *hclspec.Contract) map[*hclspec.Place]bool {
	marked := map[*hclspec.Place]bool{}
	for _, p := range c.Parties {
		tokens := map[string][]*hclspec.Place{}
		for _, q := range p.Places {
			tokens[q.Token()] = append(tokens[q.Token()], q)
		}
		for _, token := range slices.Sorted(maps.Keys(tokens)) {
			all := tokens[token]
			if rapid.Bool().Draw(t, "near") {
				all = all[:min(2, len(all))]
			}
			marked[rapid.SampledFrom(all).Draw(t, "place")] = true
		}
	}
	return marked
}

// movedTo returns the place to which an event takes the token of a place.
func movedTo(e *hclspec.Event, marked map[*hclspec.Place]bool, from *hclspec.Place) *hclspec.Place {
	for _, v := range e.Moves {
		if v.From == from && !slices.ContainsFunc(v.If, func(p *hclspec.Place) bool { return !marked[p] }) {
			return v.To
		}
	}
	return from
}
