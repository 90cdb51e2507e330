package symbolic_test

import (
	"context"
	"os"
	"testing"

	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec/examples/corpus"
)

// large is a business process with 237,624 states and 1,204,840 arcs where the IBM library is
// present, and 15 purchasers that share a seller otherwise.
func large(b *testing.B) *petri.Net {
	file := corpus.Path("corpus/ibm/B3.s00000275__s00002417.pnml")
	if _, err := os.Stat(file); err != nil {
		return testnets.SequentialSale(15)
	}
	return testnets.ReadPNML(b, file)
}

// report gives firings per second and bytes per state, for the last of b.N graphs.
func report(b *testing.B, g *space.Graph) {
	b.ReportMetric(float64(g.Arcs())*float64(b.N)/b.Elapsed().Seconds(), "firings/s")
	b.ReportMetric(float64(g.Bytes())/float64(g.Len()), "bytes/state")
}

func BenchmarkExplore(b *testing.B) {
	for _, c := range []struct {
		name string
		net  *petri.Net
	}{{"large", large(b)}, {"sale", testnets.Sale(1)}, {"seq-12", testnets.SequentialSale(12)}, {"par-6", testnets.ParallelSale(6)}} {
		b.Run(c.name, func(b *testing.B) {
			var g *space.Graph
			for b.Loop() {
				g = testnets.Explore(b, c.net, petri.One)
			}
			report(b, g)
		})
	}
}

// BenchmarkExploreAndLabel also checks that from every state one can be reached in which only
// places that nothing consumes are marked.
func BenchmarkExploreAndLabel(b *testing.B) {
	net := large(b)
	final := sinks(net)
	var g *space.Graph
	for b.Loop() {
		g = testnets.Explore(b, net, petri.One)
		x := g.Sets()
		done := x.Initial()
		if len(final) > 0 {
			done = x.Minus(x.All(), x.All())
		}
		for _, p := range final {
			done = x.Union(done, x.Where(p))
		}
		can, err := x.Until(context.Background(), x.All(), done)
		if err != nil {
			b.Fatal(err)
		}
		cannot, err := x.Until(context.Background(), x.All(), x.Minus(x.All(), can))
		if err != nil {
			b.Fatal(err)
		}
		if !x.Equal(x.Intersect(cannot, x.Initial()), x.Minus(x.All(), x.All())) {
			b.Fatal("some state cannot complete")
		}
	}
	report(b, g)
}

// sinks are the places that no transition consumes.
func sinks(n *petri.Net) []int {
	used := make([]bool, len(n.Places))
	for _, t := range n.Transitions {
		for _, p := range t.In {
			used[p] = true
		}
	}
	var list []int
	for p, u := range used {
		if !u {
			list = append(list, p)
		}
	}
	return list
}
