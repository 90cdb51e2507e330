package compare_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec/load"
)

// What is required of the rings: that nobody turns back, and what else a contract may ask for.
const ringPromises = `
requirement "onwards" {
  ctl = "AG (p0.S4 -> A[!p0.S1 W p0.S0])"
}
requirement "apart" {
  ctl = "AG !(p0.S0 && p0.S1)"
}
requirement "again" {
  ctl = "AG EF (p0.S0 && p1.S0 && p2.S0)"
}
requirement "begins" {
  ctl = "A[p1.S0 W happened(e0)]"
}
`

const (
	wayBack  = "  transition \"back\" {\n    from = S4\n    to   = S1\n  }\n" // breaks "onwards"
	shortcut = "  transition \"cut\" {\n    from = S6\n    to   = S8\n  }\n"  // breaks nothing
)

// BenchmarkCompareLarge is all of a review of two versions of a contract of some 300,000 states each, five parties
// and four promises: of two new steps one breaks a promise. It is checked, the difference told, the step found to
// be to blame, and a repair verified, within what a user has by default.
func BenchmarkCompareLarge(b *testing.B) {
	base := testkit.DraftOf(b, testkit.Rings(5, 12, "")+ringPromises)
	head := testkit.DraftOf(b, testkit.Rings(5, 12, shortcut+wayBack)+ringPromises)
	budget := finding.Budget{Jobs: 2, Memory: 2 << 30, States: 20_000_000}
	b.ReportAllocs()
	for b.Loop() {
		review := blame.Compare(context.Background(), base, head, budget)
		b.ReportMetric(float64(review.Head.Model.States.Int64()), "states")
		f := review.Findings[0]
		switch d := review.Difference; {
		case review.Base.Model.States.Int64() < 200_000 || review.Head.Model.States.Int64() < 200_000:
			b.Fatal(review.Base.Model.States, review.Head.Model.States)
		case d.All.Relation != delta.More || len(d.Views) != 5 || d.States.Unknown != "":
			b.Fatal(d.All.Relation, d.All.Reason, d.States.Unknown)
		case f.Kind != finding.New || f.Refusal == nil || f.Blame == nil || len(f.Blame.Blocks) != 1 || f.Blame.Blocks[0].Name != `party "p0" / transition "back"`:
			b.Fatal(f.Kind, f.Refusal, f.Blame)
		case len(f.Repairs) == 0:
			b.Fatal("nothing mends it")
		}
	}
}

// BenchmarkCompareLargeMany is the same where fourteen steps are new, of which only two together break the promise:
// every one is tried, and many pairs, as far as that may go with models of this size.
func BenchmarkCompareLargeMany(b *testing.B) {
	there, on := "  transition \"aside\" {\n    from = S4\n    to   = X\n  }\n", "  transition \"aback\" {\n    from = X\n    to   = S1\n  }\n"
	const aside = "  state \"X\" {}\n"
	base := testkit.Rings(5, 12, aside) + ringPromises
	head := testkit.Rings(5, 12, aside+there+on) + ringPromises
	for i := range 12 {
		party, from := 1+i%4, 3+i/4*2
		before := fmt.Sprintf("party \"p%d\" {\n", party)
		head = strings.Replace(head, before, before+fmt.Sprintf("  transition \"cut%d\" {\n    from = S%d\n    to   = S%d\n  }\n", i, from, from+2), 1)
	}
	was, now := testkit.DraftOf(b, base), testkit.DraftOf(b, head)
	b.ReportAllocs()
	for b.Loop() {
		review := blame.Compare(context.Background(), was, now, finding.Budget{Jobs: 2, Memory: 2 << 30, States: 20_000_000})
		f := review.Findings[0]
		if f.Kind != finding.New || f.Blame == nil {
			b.Fatal(f.Kind, f.Blame)
		}
		b.ReportMetric(float64(review.Head.Model.States.Int64()), "states")
		b.ReportMetric(float64(len(f.Blame.Blocks)), "blamed")
		b.ReportMetric(float64(len(f.Repairs)), "repairs")
		b.Log(f.Blame.Smallest, f.Blame.Reason, f.Blame.Blocks)
	}
}

// BenchmarkCompareAlike reviews forty contracts of some 20,000 states each, which an amendment breaks alike.
func BenchmarkCompareAlike(b *testing.B) {
	var base, head []*compile.Draft
	for i := range 40 {
		named := func(text string) *compile.Draft {
			src := load.Text(map[string][]byte{"c.contract.hcl": []byte(strings.Replace(text, `"c"`, fmt.Sprintf(`"c%d"`, i), 1))}, fmt.Sprint(i), nil)
			return compile.Compile(src, fmt.Sprint(i), nil)
		}
		base = append(base, named(testkit.Rings(4, 12, "")+ringPromises))
		head = append(head, named(testkit.Rings(4, 12, shortcut+wayBack)+ringPromises))
	}
	for b.Loop() {
		for _, c := range engine.CompareAll(context.Background(), base, head, finding.Budget{Jobs: 2, Memory: 2 << 30}) {
			if f := c.Findings[0]; f.Kind != finding.New || len(f.Blame.Blocks) != 1 || len(f.Repairs) == 0 {
				b.Fatal(f.Kind, f.Blame)
			}
		}
	}
}
