package certificate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/certificate"
	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/structure"
	"github.com/redlinehq/redline/engine/symbolic"
)

// TestWhatStructureProvesIsAccepted: of what follows from the structure of a net, and of nothing that is false, there is a certificate, and it is
// accepted.
func TestWhatStructureProvesIsAccepted(t *testing.T) {
	safe, simple, others := 0, 0, 0
	for range 5 {
		rapid.Check(t, func(t *rapid.T) {
			c, f := drawCase(t)
			if c == nil {
				return
			}
			net := structure.New(c.Net)
			proved, err := net.OneSafe(context.Background())
			if err != nil || !proved {
				return // what is one-safe for reasons that structure does not see
			}
			safe++
			sums := net.Reasons()
			if !byStructure(t, c, oneSafe, true, sums) {
				t.Fatalf("it is one-safe, and there is no certificate\n%s", describe(c))
			}
			always := f
			if rapid.Bool().Draw(t, "always") {
				always = &ctl.Formula{Op: ctl.AG, Left: drawFormula(t, len(c.Net.Places), 1)}
			}
			c.Acts = nil
			g, err := net.Simplify(context.Background(), always)
			if err != nil {
				t.Fatal(err)
			}
			constant := g.Op == ctl.True || g.Op == ctl.False
			for _, holds := range []bool{true, false} {
				proved := byStructure(t, c, always, holds, slices.Concat(sums, net.Reasons()))
				switch {
				case proved && truth(c, always) != holds:
					t.Fatalf("%s, as %t, has a certificate, and is not so\n%s", always.CTL(), holds, describe(c))
				case proved && constant:
					simple++
				case proved:
					others++
				case constant && holds == (g.Op == ctl.True):
					t.Fatalf("%s is %t, says structure, and there is no certificate\n%s", always.CTL(), holds, describe(c))
				}
			}
		})
	}
	if safe < 100 || simple < 20 || others < 20 {
		t.Errorf("%d nets one-safe, %d constants and %d others proved: too few to tell", safe, simple, others)
	}
}

var oneSafe = &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.True}}

// byStructure reports whether there is a certificate from sums, which must be accepted.
func byStructure(t *rapid.T, c *netCase, f *ctl.Formula, holds bool, sums []*ctl.Sum) bool {
	proof, err := certificate.FromSums(context.Background(), verdict(c, f, holds), sums)
	var none *certificate.ErrNone
	if errors.As(err, &none) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	if !accepted(t, proof, c.Problem, f) {
		t.Fatalf("the certificate of %s from %v is refused\n%s", f.CTL(), sums, describe(c))
	}
	return true
}

// TestWhatIsTrueHasACertificateOfMoreStates: where the structure of a net shows that it is one-safe, whatever is true has a certificate made of states
// that need not be reachable, and what is false has none.
func TestWhatIsTrueHasACertificateOfMoreStates(t *testing.T) {
	proved, more := 0, 0
	for range 5 {
		rapid.Check(t, func(t *rapid.T) {
			c, f := drawCase(t)
			if c == nil || c.Rule != petri.One {
				return
			}
			ctx := context.Background()
			net := structure.New(c.Net)
			if safe, err := net.OneSafe(ctx); err != nil || !safe {
				return
			}
			x, err := symbolic.Enclose(ctx, c.Net, space.Limits{})
			if err == nil {
				x, err = x.Within(ctx, net.Reasons())
			}
			if err != nil {
				t.Fatal(err)
			}
			if n, err := x.Cardinality(ctx, x.Sets(ctx).All()); err == nil && n.Int64() > int64(c.graph.Len()) {
				more++
			}
			holds := truth(c, f)
			proof, err := certificate.FromInvariant(ctx, verdict(c, f, holds), x)
			if err != nil || !accepted(t, proof, c.Problem, f) {
				t.Fatalf("%s is %t, and the certificate is refused, or %v\n%s", f.CTL(), holds, err, describe(c))
			}
			if _, err := certificate.FromInvariant(ctx, verdict(c, f, !holds), x); err == nil {
				t.Fatalf("%s is %t, and something was made to prove the contrary\n%s", f.CTL(), holds, describe(c))
			}
			proved++
		})
	}
	if proved < 80 || more < 20 {
		t.Errorf("%d proved, %d nets with states that are not reachable: too few to tell", proved, more)
	}
}

// TestManyWhoShare: 30 parties each take three of 24 things, of which each has its place, in an order of their own, and give them back together. What
// is reachable has a large diagram, in any order of the places; what the structure of the net says of it has a small one, and so
// have the steps from there, each by itself.
func TestManyWhoShare(t *testing.T) {
	const things, parties = 24, 30
	n := &petri.Net{Places: make([]petri.Place, 2*things+4*parties)}
	for p := range n.Places {
		n.Places[p] = petri.Place{Net: "n", Name: fmt.Sprint(p)}
	}
	for i := range things {
		n.Initial = append(n.Initial, 2*i) // 2i: it is there; 2i+1: it is not
	}
	for i := range parties {
		at := 2*things + 4*i
		n.Initial = append(n.Initial, at)
		done := petri.Transition{Event: -1, In: []int{at + 3}, Out: []int{at}}
		for k := range 3 {
			thing := 2 * ((i*7 + k*(5+i%3)) % things)
			n.Transitions = append(n.Transitions, petri.Transition{Event: -1, In: []int{thing, at + k}, Out: []int{thing + 1, at + k + 1}})
			done.In, done.Out = append(done.In, thing+1), append(done.Out, thing)
		}
		slices.Sort(done.In)
		slices.Sort(done.Out)
		n.Transitions = append(n.Transitions, done)
	}
	if err := n.Sane(); err != nil {
		t.Fatal(err)
	}
	x := structure.New(n)
	if safe, err := x.OneSafe(t.Context()); err != nil || !safe {
		t.Fatal(safe, err)
	}
	v := certificate.Verdict{Problem: checker.Problem{Net: n}, Formula: oneSafe, Holds: true}
	model, err := symbolic.Enclose(t.Context(), n, space.Limits{})
	if err == nil {
		model, err = model.Within(t.Context(), x.Reasons())
	}
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := certificate.FromInvariant(t.Context(), v, model)
	if err != nil {
		t.Fatal(err)
	}
	sieved, err := certificate.FromSums(t.Context(), v, x.Reasons())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*checker.Certificate{drawn, sieved} {
		if err := checker.Check(t.Context(), c, v.Problem, v.Formula, checker.Limits{Nodes: 200_000}); err != nil || len(c.Nodes) > 2000 {
			t.Errorf("of %d nodes: %v", len(c.Nodes), err)
		}
	}
}
