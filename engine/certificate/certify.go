package certificate

import (
	"context"
	"fmt"

	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

// maxNodes limits the diagrams of one certificate under construction.
const maxNodes = 20_000_000

// A Verdict is the input of a certificate: a problem, a formula, and whether it holds.
type Verdict struct {
	checker.Problem
	Contract, Requirement, Text string // digest, name, and canonical formula
	Formula                     *ctl.Formula
	Holds                       bool
}

// FromGraph returns the certificate of a verdict, made from an explicit state graph. An *ErrNone says why there is none.
func FromGraph(ctx context.Context, v Verdict, g *space.Graph) (*checker.Certificate, error) {
	m := listed(g, v.Net)
	if len(v.Acts) > 0 {
		m.fair = &parties{g, v.Net, v.Acts}
	}
	return certify(ctx, v, m)
}

// FromDiagrams returns the certificate of a verdict, made from decision diagrams of the reachable states. An *ErrNone says why there is none.
func FromDiagrams(ctx context.Context, v Verdict, x *symbolic.Model) (*checker.Certificate, error) {
	return certify(ctx, v, drawn(ctx, x, v.Net, v.Acts))
}

// FromInvariant returns the certificate of a verdict, made from decision diagrams of a set of states that includes the reachable ones and is
// closed under firing. For a claim that always holds, the certificate has all states of that set in which it does, since the reachable ones
// may have no small diagram. The checker finds contacts that these states make. An *ErrNone says why there is none.
func FromInvariant(ctx context.Context, v Verdict, x *symbolic.Model) (*checker.Certificate, error) {
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

// keep copies the nodes that the sets need from a forest.
func keep(c *checker.Certificate, f *checker.Forest) {
	needed := map[checker.Node]bool{}
	most := checker.Blank
	for _, rings := range c.Sets {
		for _, r := range rings {
			needed[r.Set] = true
			most = max(most, r.Set)
		}
	}
	for n := most; n > checker.Blank; n-- { // children come before their parents
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
