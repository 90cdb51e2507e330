package certificate

import (
	"context"
	"fmt"

	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// maxNodes bounds the diagrams of one certificate while it is made.
const maxNodes = 20_000_000

// A Verdict is what a certificate is made of: what it is about, and what is claimed of it.
type Verdict struct {
	checker.Problem
	Contract, Requirement, Text string // digest, name, and canonical formula
	Formula                     *ctl.Formula
	Holds                       bool
}

// Listed makes the certificate of a verdict from states one by one. An *ErrNone says why there is none.
func Listed(ctx context.Context, v Verdict, g *space.Graph) (*checker.Certificate, error) {
	m := listed(g, v.Net)
	if len(v.Acts) > 0 {
		m.fair = &parties{g, v.Net, v.Acts}
	}
	return certify(ctx, v, m)
}

// Drawn makes it from decision diagrams.
func Drawn(ctx context.Context, v Verdict, x *symbolic.Model) (*checker.Certificate, error) {
	return certify(ctx, v, drawn(ctx, x, v.Net, v.Acts))
}

// Enclosed makes it from decision diagrams of states that enclose those which are reachable, and are closed under firing. Of what holds always it
// shows all in which that is so, for what is reachable may have no small diagram. If they make contacts the checker will see it.
func Enclosed(ctx context.Context, v Verdict, x *symbolic.Model) (*checker.Certificate, error) {
	m := drawn(ctx, x, v.Net, v.Acts)
	m.steps = 0
	return certify(ctx, v, m)
}

func certify[S any](ctx context.Context, v Verdict, m model[S]) (*checker.Certificate, error) {
	claims := checker.Claims(v.Formula, v.Holds, len(v.Acts) > 0)
	sets, err := prove(ctx, m, claims)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.Requirement, err)
	}
	c := &checker.Certificate{Contract: v.Contract, Requirement: v.Requirement, Formula: v.Text, Holds: v.Holds, Order: m.order}
	f := checker.NewForest(ctx, m.order, maxNodes)
	err = checker.Guard(func() {
		for _, rings := range sets {
			var list []checker.Ring
			for _, r := range rings {
				list = append(list, checker.Ring{Set: m.write(f, r.set), Actor: r.actor})
			}
			c.Sets = append(c.Sets, list)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("%s: writing its certificate: %w", v.Requirement, err)
	}
	keep(c, f)
	return c, nil
}

// keep takes the nodes of a forest that the sets need.
func keep(c *checker.Certificate, f *checker.Forest) {
	needed := map[checker.Node]bool{}
	most := checker.Blank
	for _, rings := range c.Sets {
		for _, r := range rings {
			needed[r.Set] = true
			most = max(most, r.Set)
		}
	}
	for n := most; n > checker.Blank; n-- { // branches come before what they are of
		if needed[n] {
			_, low, high := f.Parts(n)
			needed[low] = true
			needed[high] = true
		}
	}
	number := map[checker.Node]checker.Node{checker.None: checker.None, checker.Blank: checker.Blank}
	for n := checker.Blank + 1; n <= most; n++ {
		if !needed[n] {
			continue
		}
		level, low, high := f.Parts(n)
		c.Nodes = append(c.Nodes, checker.Part{Level: level, Low: number[low], High: number[high]})
		number[n] = checker.Node(len(c.Nodes) + 1)
	}
	for _, rings := range c.Sets {
		for i := range rings {
			rings[i].Set = number[rings[i].Set]
		}
	}
}
