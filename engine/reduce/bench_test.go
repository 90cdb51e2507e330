package reduce_test

import (
	"context"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/families"
	"github.com/redlinehq/redline/engine/reduce"
)

func BenchmarkReduce(b *testing.B) {
	for _, name := range families.Names() {
		x := families.New(name, 200)
		for _, q := range []struct {
			name string
			f    *ctl.Formula
		}{{"home", x.Home}, {"safe", x.Safe}, {"resp", x.Resp}} {
			b.Run(x.Net.Name+"/"+q.name, func(b *testing.B) {
				left := 0
				for b.Loop() {
					r, err := reduce.Reduce(context.Background(), x.Net, q.f)
					if err != nil {
						b.Fatal(err)
					}
					left, _ = r.Size()
				}
				b.ReportMetric(float64(left), "left")
			})
		}
	}
}
