package space_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
)

// net reads a net from lines "name[:label] = in in ?read -> out out"; the first line lists the
// places that start marked. Places are numbered by first mention.
func net(name, text string) *petri.Net {
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

// seq is n purchasers whom one seller serves one at a time: 2^n (2+n) states.
func seq(n int) *petri.Net {
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
	return net("seq", b.String())
}

// par is n purchasers with a seller each: 6^n states.
func par(n int) *petri.Net {
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
	return net("par", strings.TrimSpace(marked.String())+rest.String())
}

func explore(t testing.TB, n *petri.Net, r petri.Rule) *space.Graph {
	t.Helper()
	g, err := space.Explore(context.Background(), n, r, space.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
