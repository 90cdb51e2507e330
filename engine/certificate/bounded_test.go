package certificate_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/certificate"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/structure"
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
	proof, err := certificate.Bounded(context.Background(), verdict(c, f, holds), sums)
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
			c.Acts = nil
			ctx := context.Background()
			net := structure.New(c.Net)
			if safe, err := net.OneSafe(ctx); err != nil || !safe {
				return
			}
			x, err := space.Enclose(ctx, c.Net, space.Limits{})
			if errors.Is(err, space.ErrNotSymbolic) {
				return
			}
			if err == nil {
				x, err = x.Within(ctx, net.Reasons())
			}
			if err != nil {
				t.Fatal(err)
			}
			if x.Count().Int64() > int64(c.graph.Len()) {
				more++
			}
			holds := truth(c, f)
			proof, err := certificate.Enclosed(ctx, verdict(c, f, holds), x)
			if err != nil || !accepted(t, proof, c.Problem, f) {
				t.Fatalf("%s is %t, and the certificate is refused, or %v\n%s", f.CTL(), holds, err, describe(c))
			}
			if _, err := certificate.Enclosed(ctx, verdict(c, f, !holds), x); err == nil {
				t.Fatalf("%s is %t, and something was made to prove the contrary\n%s", f.CTL(), holds, describe(c))
			}
			proved++
		})
	}
	if proved < 80 || more < 20 {
		t.Errorf("%d proved, %d nets with states that are not reachable: too few to tell", proved, more)
	}
}
