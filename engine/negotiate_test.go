package engine_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/petri"
)

// early lets the seller close as soon as acceptance stands; soon lets acceptance stand as soon as the purchase has
// started, and the seller close only when the goods are taken. Either is sound.
var (
	early = []edit{
		{"seller.contract.hcl", `  transition "end" {`, "  transition \"close-early\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n\n  transition \"end\" {"},
		{"sale.contract.hcl", `event "P_GAV_F" {`, "event \"CLOSE\" {\n  sync = {\n    seller    = close-early\n    purchaser = PurchaserGAC_T\n  }\n}\n\nevent \"P_GAV_F\" {"},
	}
	soon = []edit{
		{"purchaser.contract.hcl", `  transition "PurchaserGAC_T" {`, "  transition \"accept-early\" {\n    label = PurchaserGAC_T\n    from  = P2\n    to    = P2\n  }\n\n  transition \"PurchaserGAC_T\" {"},
		{"purchaser.contract.hcl", `  transition "PurchaserGAV_F" {`, "  transition \"taken\" {\n    from = P3\n    to   = P3\n  }\n\n  transition \"PurchaserGAV_F\" {"},
		{"sale.contract.hcl", `event "P_GAV_T" {`, "event \"END\" {\n  sync = {\n    seller    = end\n    purchaser = taken\n  }\n}\n\nevent \"P_GAV_T\" {"},
	}
)

func negotiated(t *testing.T, base, a, b fs.FS) engine.ContractNegotiation {
	t.Helper()
	var drafts [3][]*engine.Draft
	for i, files := range []fs.FS{base, a, b} {
		if files != nil {
			drafts[i] = []*engine.Draft{draft(t, files, petri.One)}
		}
	}
	return engine.Negotiate(context.Background(), drafts[0], drafts[1], drafts[2], engine.Budget{Jobs: 2})[0]
}

// inShort writes a negotiation in short.
func inShort(n engine.ContractNegotiation) string {
	var b strings.Builder
	word := func(a engine.Answer) string {
		switch {
		case !a.Given:
			return "-"
		case !a.Promised:
			return "(" + a.Verdict.String() + ")"
		case a.Requirement.Waived():
			return "waived"
		}
		return a.Verdict.String()
	}
	for i := range n.Promises {
		p := &n.Promises[i]
		fmt.Fprintf(&b, "%s: %s, %s, %s, %s; %s, %s\n", p.Name, word(p.Base), word(p.A), word(p.B), word(p.Merge), p.Effect(&p.A), p.Effect(&p.B))
	}
	for _, c := range n.Conflicts {
		fmt.Fprintf(&b, "conflict: %s %s %q, %s %s %q, was %q\n", c.A.Action, c.A.Name, c.SaysA, c.B.Action, c.B.Name, c.SaysB, c.Was)
	}
	for _, j := range n.Broken {
		fmt.Fprintf(&b, "broken: %s %s\n  A: %s\n  B: %s\n", n.Promises[j.Promise].Name, j.Undoes, guilty(j.GuiltA), guilty(j.GuiltB))
	}
	for _, c := range n.Courses {
		var run []string
		for _, f := range c.Run {
			run = append(run, f.Event+strings.Join(f.Transitions[:min(len(f.Transitions), 1-min(len(f.Event), 1))], ""))
		}
		fmt.Fprintf(&b, "%s: %s, %s, %s\n", strings.Join(run, " "), c.A, c.B, c.Merge)
	}
	return b.String()
}

func guilty(g *engine.Guilt) string {
	if g == nil {
		return "-"
	}
	var list []string
	for _, k := range g.Blocks {
		list = append(list, fmt.Sprintf("%s %s %v %s:%d", k.Action, k.Name, k.Terms, k.Source.Filename, k.Source.Start.Line))
	}
	return strings.Join(list, "; ") + g.Reason
}

func TestNegotiation(t *testing.T) {
	base := example(t, "sale")
	n := negotiated(t, base, example(t, "sale", early...), example(t, "sale", soon...))
	t.Log("\n" + inShort(n))
}
