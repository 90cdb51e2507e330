package product_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/internal/families"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
)

// amended is a family of nets and one with one arc changed: the last party's second transition needs, besides, what its first makes
// again, or nothing of others any more.
func amended(name string, n int, change func(*petri.Net)) *versions {
	v := &versions{observer: product.Observer{Idle: product.Hidden, Wait: product.Hidden}}
	for side := range v.nets {
		net := families.New(name, n).Net
		if side == product.Head {
			change(net)
		}
		v.nets[side] = net
		for i := range net.Transitions {
			v.like[side] = append(v.like[side], i)
		}
	}
	v.observer.Labels = v.like
	return v
}

// reads makes the transition of a name read a place of a name, too.
func reads(n *petri.Net, transition, place string) {
	t := slices.IndexFunc(n.Transitions, func(t petri.Transition) bool { return t.Name == transition })
	p := slices.IndexFunc(n.Places, func(p petri.Place) bool { return p.Name == place })
	n.Transitions[t].Read = []int{p}
}

// drops makes the transition of a name no longer need and make what the last of its arcs do.
func drops(n *petri.Net, transition string) {
	t := &n.Transitions[slices.IndexFunc(n.Transitions, func(t petri.Transition) bool { return t.Name == transition })]
	t.In, t.Out = t.In[:1], t.Out[:1]
}

// party hides all but the transitions of the second party.
func (v *versions) party() {
	for side, n := range v.nets {
		v.observer.Labels[side] = slices.Clone(v.like[side])
		for i, t := range n.Transitions {
			if !strings.HasSuffix(t.Name, "_1") {
				v.observer.Labels[side][i] = product.Hidden
			}
		}
	}
}

// BenchmarkCompare compares large nets with one place more to be marked for a transition, or with nothing else than that: as everybody sees it,
// and as one party does; and which markings they reach.
func BenchmarkCompare(b *testing.B) {
	none := func(*petri.Net) {}
	for _, c := range []struct {
		name, what string
		change     func(*petri.Net)
	}{
		{"seq", "same", none},
		{"seq", "read", func(n *petri.Net) { reads(n, "browse_1", "S0_0") }},
		{"par", "same", none},
		{"par", "read", func(n *petri.Net) { reads(n, "browse_1", "S0_1") }},
		{"par", "drop", func(n *petri.Net) { drops(n, "order_1") }},
		{"phil", "read", func(n *petri.Net) { reads(n, "take1_1", "F_5") }},
		{"bar", "same", none},
		{"bar", "read", func(n *petri.Net) { reads(n, "ship_0", "P1_0") }},
	} {
		for _, n := range []int{50, 100, 200} {
			v := amended(c.name, n, c.change)
			seen := v.observer
			v.party()
			for _, who := range []struct {
				name string
				product.Observer
			}{{"all", seen}, {"party", v.observer}} {
				b.Run(fmt.Sprint(c.name, "/", c.what, "/", n, "/", who.name), func(b *testing.B) { v.benchmark(b, who.Observer) })
			}
			b.Run(fmt.Sprint(c.name, "/", c.what, "/", n, "/states"), v.benchmarkStates)
		}
	}
}

func (v *versions) benchmark(b *testing.B, o product.Observer) {
	for b.Loop() {
		w, err := product.New(b.Context(), v.nets[product.Base], v.nets[product.Head], v.like)
		if err != nil {
			b.Fatal(err)
		}
		a, err := w.Compare(b.Context(), o, v.like, 5, product.Limits{Bytes: 1 << 30})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(a.Relation), "relation")
	}
}

func (v *versions) benchmarkStates(b *testing.B) {
	for b.Loop() {
		w, err := product.New(b.Context(), v.nets[product.Base], v.nets[product.Head], v.like)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := w.CompareStates(b.Context(), senseOf(v), 3, product.Limits{Bytes: 1 << 30}); err != nil {
			b.Fatal(err)
		}
	}
}
