package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

// rings is a contract of n parties, each of which goes round k states by itself, but for a handshake of
// neighbours: k^n states, about n arcs each. The change is put into the first party.
func rings(n, k int, change string) string {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	for i := range n {
		fmt.Fprintf(&b, "party \"p%d\" {\n", i)
		for j := range k {
			fmt.Fprintf(&b, "  state \"S%d\" {}\n", j)
		}
		for j := range k {
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = S%d\n    to = S%d\n  }\n", j, j, (j+1)%k)
		}
		if i == 0 {
			b.WriteString(change)
		}
		b.WriteString("}\n")
	}
	for i := range n - 1 {
		fmt.Fprintf(&b, "event \"e%d\" {\n  sync = {\n    p%d = t0\n    p%d = t0\n  }\n}\n", i, i, i+1)
	}
	return b.String()
}

const back = "  transition \"back\" {\n    from = S2\n    to = S1\n  }\n"

// BenchmarkDifference reviews two versions of a contract of 248,832 states, one party of which got a
// new transition: both state models, their difference, and that of each of five parties.
func BenchmarkDifference(b *testing.B) {
	base, head := draftOf(b, rings(5, 12, "")), draftOf(b, rings(5, 12, back))
	budget := engine.Budget{Jobs: 2, Memory: 2 << 30}
	b.ReportAllocs()
	for b.Loop() {
		review := engine.Compare(context.Background(), base, head, budget)
		if d := review.Difference; d.All.Relation != delta.More || len(d.Views) != 5 || review.Head.Model.States.Int64() < 200_000 {
			b.Fatal(d.All.Relation, d.All.Reason, review.Head.Model.States)
		}
	}
}
