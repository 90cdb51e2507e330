package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
)

// BenchmarkPurchasers checks all that the sale to many purchasers requires (section 2.4 of the paper), on decision diagrams:
// 3^(n+1) + 1 states.
func BenchmarkPurchasers(b *testing.B) {
	for _, n := range []int{10, 25, 50, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				r := verify.Check(context.Background(), testkit.Purchasers(b, n, petri.One, ""), finding.Budget{Engine: finding.Symbolic})
				for _, q := range r.Requirements {
					if q.Verdict != finding.Holds {
						b.Fatal(q.Name, q.Verdict, q.Reason)
					}
				}
			}
		})
	}
}

// BenchmarkCertificates makes and checks the certificates of these verdicts.
func BenchmarkCertificates(b *testing.B) {
	for _, n := range []int{10, 25, 50, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			budget := finding.Budget{Engine: finding.Symbolic}
			d := testkit.Purchasers(b, n, petri.One, "")
			r := verify.Check(context.Background(), d, budget)
			for b.Loop() {
				size := 0
				for _, c := range verify.Certify(context.Background(), d, budget, r) {
					if c.Data == nil {
						b.Fatal(c.Requirement, c.Reason)
					}
					size += len(c.Data)
				}
				b.ReportMetric(float64(size), "size-B")
			}
		})
	}
}

// BenchmarkReviewPurchasers reviews an amendment of the sale to many purchasers: the seller may withdraw the goods, or a purchaser the
// request, before it is taken up or after. Promises are broken, so there is a difference, blame and repairs.
func BenchmarkReviewPurchasers(b *testing.B) {
	for _, row := range []struct{ name, who, before, added string }{
		{"seller", "seller", "  transition \"end\" {", "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n\n"},
		{"request", "purchaser", "  transition \"take\" {", "  transition \"withdraw\" {\n    from = P1\n    to   = P0\n  }\n\n"},
		{"agreed", "purchaser", "  transition \"take\" {", "  transition \"withdraw\" {\n    from = P2\n    to   = P0\n  }\n\n"},
	} {
		for _, n := range []int{6, 8, 10, 50, 100} {
			b.Run(fmt.Sprintf("%s/%d", row.name, n), func(b *testing.B) {
				base := testkit.Purchasers(b, n, petri.One, "")
				head := testkit.PurchasersOf(b, n, petri.One, row.who+".contract.hcl", func(text string) string {
					return strings.Replace(text, row.before, row.added+row.before, 1)
				})
				for b.Loop() {
					r := blame.Compare(context.Background(), base, head, finding.Budget{Jobs: 2, Memory: 2 << 30, States: 20_000_000})
					explained := 0
					for _, f := range r.Findings {
						if f.Kind == finding.New && f.Blame != nil && len(f.Blame.Blocks) == 1 && len(f.Repairs) > 0 {
							explained++
						}
					}
					if explained == 0 || r.Difference.All.Relation != delta.More {
						b.Fatal(explained, r.Difference.All.Relation)
					}
					states, _ := r.Head.Model.States.Float64()
					b.ReportMetric(states, "states")
				}
			})
		}
	}
}
