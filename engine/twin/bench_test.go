package twin_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/internal/families"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/twin"
)

// amended is a family of nets and one with one arc changed: the last party's second transition needs, besides, what its first makes
// again, or nothing of others any more.
func amended(name string, n int, change func(*petri.Net)) *versions {
	v := &versions{observer: twin.Observer{Idle: twin.Hidden}}
	for side := range v.nets {
		net := families.New(name, n).Net
		if side == twin.Head {
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

func BenchmarkCompare(b *testing.B) {
	changes := map[string]map[string]func(*petri.Net){
		"seq":  {"none": func(*petri.Net) {}, "reads": func(n *petri.Net) { reads(n, "browse_1", "S0_0") }},
		"par":  {"none": func(*petri.Net) {}, "reads": func(n *petri.Net) { reads(n, "browse_1", "S0_1") }, "drops": func(n *petri.Net) { drops(n, "order_1") }},
		"bar":  {"none": func(*petri.Net) {}, "reads": func(n *petri.Net) { reads(n, "pay_1", "S1_0") }, "end": func(n *petri.Net) { reads(n, "ship_0", "P1_0") }},
		"phil": {"none": func(*petri.Net) {}, "reads": func(n *petri.Net) { reads(n, "take1_1", "F_5") }},
	}
	for _, name := range []string{"seq", "par", "bar", "phil"} {
		for _, n := range []int{50, 100, 200} {
			for _, what := range []string{"none", "reads", "drops", "end"} {
				change := changes[name][what]
				if change == nil {
					continue
				}
				b.Run(fmt.Sprint(name, "/", what, "/", n), func(b *testing.B) {
					v := amended(name, n, change)
					for b.Loop() {
						w, err := twin.New(b.Context(), v.nets[twin.Base], v.nets[twin.Head], v.like)
						if err != nil {
							b.Fatal(err)
						}
						a, err := w.Compare(b.Context(), v.observer, v.like, 5, twin.Limits{Bytes: 1 << 30})
						if err != nil {
							b.Fatal(err)
						}
						b.ReportMetric(float64(a.Relation), "relation")
					}
				})
			}
		}
	}
}
