package behaviour_test

import (
	"context"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

const back = "  transition \"back\" {\n    from = S2\n    to = S1\n  }\n"

// BenchmarkDifference reviews two versions of a contract of 248,832 states, one party of which got a
// new transition: both state models, their difference, and that of each of five parties.
func BenchmarkDifference(b *testing.B) {
	base, head := testkit.DraftOf(b, testkit.Rings(5, 12, "")), testkit.DraftOf(b, testkit.Rings(5, 12, back))
	budget := finding.Budget{Jobs: 2, Memory: 2 << 30}
	b.ReportAllocs()
	for b.Loop() {
		review := blame.Compare(context.Background(), base, head, budget)
		if d := review.Difference; d.All.Relation != delta.More || len(d.Views) != 5 || review.Head.Model.States.Int64() < 200_000 {
			b.Fatal(d.All.Relation, d.All.Reason, review.Head.Model.States)
		}
	}
}
