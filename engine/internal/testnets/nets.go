package testnets

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// Heap returns the bytes of live heap memory after a collection.
func Heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Net reads a net from lines "name[:label] = in in ?read -> out out"; the first line lists the
// places that start marked. Places are numbered by first mention.
func Net(name, text string) *petri.Net {
	n, place := &petri.Net{Name: name}, map[string]int{}
	at := func(p string) int {
		if _, ok := place[p]; !ok {
			place[p] = len(n.Places)
			n.Places = append(n.Places, petri.Place{Net: name, Name: p})
		}
		return place[p]
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, p := range strings.Fields(lines[0]) {
		n.Initial = append(n.Initial, at(p))
	}
	for _, line := range lines[1:] {
		head, arcs, _ := strings.Cut(line, "=")
		in, out, _ := strings.Cut(arcs, "->")
		t := petri.Transition{Event: -1}
		t.Name, t.Label, _ = strings.Cut(strings.TrimSpace(head), ":")
		for _, p := range strings.Fields(in) {
			if p, read := strings.CutPrefix(p, "?"); read {
				t.Read = append(t.Read, at(p))
			} else {
				t.In = append(t.In, at(p))
			}
		}
		for _, p := range strings.Fields(out) {
			t.Out = append(t.Out, at(p))
		}
		for _, list := range [][]int{t.In, t.Out, t.Read} {
			slices.Sort(list)
		}
		n.Transitions = append(n.Transitions, t)
	}
	slices.Sort(n.Initial)
	if err := n.Sane(); err != nil {
		panic(err)
	}
	return n
}

// SequentialSale is n purchasers whom one seller serves one at a time: 2^n (2+n) states.
func SequentialSale(n int) *petri.Net {
	var b strings.Builder
	b.WriteString("S0")
	for i := range n {
		fmt.Fprintf(&b, " P0_%d", i)
	}
	for i := range n {
		fmt.Fprint(&b, strings.ReplaceAll(`
browse_# = P0_# -> P1_#
order_# = P1_# S0 -> P2_# S1
pay_# = P2_# S1 -> P3_# S2
deliver_# = P3_# S2 -> P0_# S3`, "#", fmt.Sprint(i)))
	}
	b.WriteString("\nreset = S3 -> S0")
	return Net("seq", b.String())
}

// ParallelSale is n purchasers with a seller each: 6^n states.
func ParallelSale(n int) *petri.Net {
	var marked, rest strings.Builder
	for i := range n {
		fmt.Fprintf(&marked, " P0_%d S0_%d", i, i)
		fmt.Fprint(&rest, strings.ReplaceAll(`
browse_# = P0_# -> P1_#
order_# = P1_# S0_# -> P2_# S1_#
pay_# = P2_# S1_# -> P3_# S2_#
deliver_# = P3_# S2_# -> P0_# S3_#
reset_# = S3_# -> S0_#`, "#", fmt.Sprint(i)))
	}
	return Net("par", strings.TrimSpace(marked.String())+rest.String())
}

// Explore returns the complete state graph of a net, and fails the test on an error.
func Explore(t testing.TB, n *petri.Net, r petri.Rule) *space.Graph {
	t.Helper()
	g, err := space.Explore(context.Background(), n, r, space.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const Seller = `S0 GAV_F
ready = S0 -> S1
RFG_T:RFG_T = S1 GAV_F -> S2 GAV_T
GAC_T:GAC_T = S2 -> S3
end = S3 GAV_T -> S0 GAV_F
GAV_T:GAV_T = ?GAV_T ->
GAV_F:GAV_F = ?GAV_F ->`

const Purchaser = `P0
ready = P0 -> P1
RFG_T:RFG_T = ?P1 ->
GAV_T:GAV_T = P1 -> P2
take = P2 -> P3
GAC_T:GAC_T = ?P3 ->
GAV_F:GAV_F = P3 -> P0`

// Sale is the paper's sale with n purchasers.
func Sale(n int) *petri.Net {
	var all []string
	for range n {
		all = append(all, Purchaser)
	}
	return SaleOf(Seller, all...)
}

// SaleOf is a sale between these parties: RFG and GAC happen with all purchasers together, and
// GAV_T and GAV_F with each. No purchaser is ready on his own.
func SaleOf(seller string, purchasers ...string) *petri.Net {
	nets := []*petri.Net{Net("seller", seller)}
	together := func(name, sellers, theirs string) petri.Event {
		e := petri.Event{Name: name, Sync: []petri.Sync{{Net: 0, Label: sellers}}}
		for i := range purchasers {
			e.Sync = append(e.Sync, petri.Sync{Net: i + 1, Label: theirs})
		}
		return e
	}
	events := []petri.Event{together("RFG", "RFG_T", "RFG_T"), together("GAC", "GAC_T", "GAC_T")}
	for i, text := range purchasers {
		nets = append(nets, Net(fmt.Sprintf("purchaser%d", i), text))
		for _, v := range []string{"GAV_T", "GAV_F"} {
			events = append(events, petri.Event{Name: v, Sync: []petri.Sync{{Net: 0, Label: v}, {Net: i + 1, Label: v}}})
		}
	}
	return petri.Compose(nets, events)
}

// Set returns the set of the states for which has is true.
func Set(has []bool) space.Set {
	a := make(space.Set, (len(has)+63)/64)
	for s, h := range has {
		if h {
			a[s/64] |= 1 << (s % 64)
		}
	}
	return a
}
