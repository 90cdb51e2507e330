package engine_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/petri"
)

// BenchmarkPurchasers checks all that the sale to many purchasers requires (section 2.4 of the paper), on decision diagrams:
// 3^(n+1) + 1 states.
func BenchmarkPurchasers(b *testing.B) {
	for _, n := range []int{10, 25, 50, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				r := purchasers(b, n, petri.One, "").Check(context.Background(), engine.Budget{Engine: engine.Symbolic})
				for _, q := range r.Requirements {
					if q.Verdict != engine.Holds {
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
			budget := engine.Budget{Engine: engine.Symbolic}
			d := purchasers(b, n, petri.One, "")
			r := d.Check(context.Background(), budget)
			for b.Loop() {
				size := 0
				for _, c := range d.Certify(context.Background(), budget, r) {
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
