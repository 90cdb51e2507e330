package testkit

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// DrawAlike draws the text of a contract of a seller and three alike parties. In some, one of the parties is tied to something that the others
// are not.
func DrawAlike(t *rapid.T) string {
	var b strings.Builder
	transitions := func(party string, states int, names ...string) {
		fmt.Fprintf(&b, "party %q {\n", party)
		if party == "p" {
			b.WriteString("  count = 3\n")
		}
		for s := range states {
			fmt.Fprintf(&b, "  state \"%s%d\" {}\n", strings.ToUpper(party), s)
		}
		for _, name := range names {
			from, to := rapid.IntRange(0, states-1).Draw(t, "from"), rapid.IntRange(0, states-1).Draw(t, "to")
			fmt.Fprintf(&b, "  transition %q {\n    from = %s%d\n    to = %s%d\n  }\n", name, strings.ToUpper(party), from, strings.ToUpper(party), to)
		}
		b.WriteString("}\n")
	}
	b.WriteString("contract \"alike\" {\n  firing = one\n}\n")
	transitions("p", 3, "start", "go", "join", "own")
	transitions("s", 2, "give", "close", "own")
	fmt.Fprintf(&b, "event \"each\" {\n  sync = {\n    s = give\n    p = each(go)\n  }\n}\nevent \"all\" {\n  sync = {\n    s = close\n    p = %s(join)\n  }\n}\n",
		rapid.SampledFrom([]string{"all", "each", "any"}).Draw(t, "how"))
	if rapid.IntRange(0, 2).Draw(t, "odd") == 0 {
		b.WriteString("party \"odd\" {\n  state \"D0\" {}\n  state \"D1\" {}\n  transition \"once\" {\n    from = D0\n    to = D1\n  }\n}\n" +
			"event \"odd\" {\n  sync = {\n    odd = once\n    p[1] = start\n  }\n}\n")
	}
	return b.String()
}
