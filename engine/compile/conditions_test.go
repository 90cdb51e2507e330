package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestConditionsOnOneState: of conditions that all exclude states of one party only what is left counts, so that several parties multiply what is left of each, and
// no combination asks a party to be in two states.
func TestConditionsOnOneState(t *testing.T) {
	for _, parties := range []int{1, 2, 5} {
		var b strings.Builder
		var none []string
		b.WriteString("contract \"c\" {}\nparty \"clerk\" {}\n")
		for i := range parties {
			fmt.Fprintf(&b, "party \"p%d\" {\n", i)
			for _, s := range []string{"working", "prepared", "refused", "committed", "aborted"} {
				fmt.Fprintf(&b, "  state %q {}\n", s)
			}
			b.WriteString("}\n")
			for _, s := range []string{"working", "prepared", "refused"} {
				none = append(none, fmt.Sprintf("!p%d.%s", i, s))
			}
		}
		fmt.Fprintf(&b, "event \"close\" {\n  by = clerk\n  only_while = [%s]\n}\n", strings.Join(none, ", "))
		d := testkit.DraftOf(t, b.String())
		ways := 0
		for i := range d.Net.Transitions {
			if e := d.Net.Transitions[i].Event; e >= 0 && d.Events[e].Name == "close" {
				ways++
			}
		}
		if want := 1 << parties; ways != want { // each is committed or aborted
			t.Errorf("%d parties: %d ways, want %d", parties, ways, want)
		}
	}
}
