package negotiate_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/negotiate"
	"github.com/redlinehq/redline/engine/petri"
)

// early lets the seller close as soon as acceptance stands; soon lets acceptance stand as soon as the purchase has
// started, and the seller close only when the goods are taken. Either is sound.
var (
	early = []testkit.Edit{
		{File: "seller.contract.hcl", Old: `  transition "end" {`, New: "  transition \"close-early\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n\n  transition \"end\" {"},
		{File: "sale.contract.hcl", Old: `event "P_GAV_F" {`, New: "event \"CLOSE\" {\n  sync = {\n    seller    = close-early\n    purchaser = PurchaserGAC_T\n  }\n}\n\nevent \"P_GAV_F\" {"},
	}
	soon = []testkit.Edit{
		{File: "purchaser.contract.hcl", Old: `  transition "PurchaserGAC_T" {`, New: "  transition \"accept-early\" {\n    label = PurchaserGAC_T\n    from  = P2\n    to    = P2\n  }\n\n  transition \"PurchaserGAC_T\" {"},
		{File: "purchaser.contract.hcl", Old: `  transition "PurchaserGAV_F" {`, New: "  transition \"taken\" {\n    from = P3\n    to   = P3\n  }\n\n  transition \"PurchaserGAV_F\" {"},
		{File: "sale.contract.hcl", Old: `event "P_GAV_T" {`, New: "event \"END\" {\n  sync = {\n    seller    = end\n    purchaser = taken\n  }\n}\n\nevent \"P_GAV_T\" {"},
	}
)

func negotiated(t *testing.T, base, a, b fs.FS) finding.ContractNegotiation {
	t.Helper()
	var drafts [3][]*compile.Draft
	for i, files := range []fs.FS{base, a, b} {
		if files != nil {
			drafts[i] = []*compile.Draft{testkit.Draft(t, files, petri.One)}
		}
	}
	return negotiate.Negotiate(context.Background(), drafts[0], drafts[1], drafts[2], finding.Budget{Jobs: 2})[0]
}

// inShort writes a negotiation in short.
func inShort(n finding.ContractNegotiation) string {
	var b strings.Builder
	word := func(a finding.Answer) string {
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
		fmt.Fprintf(&b, "broken: %s %s\n  A: %s\n  B: %s\n", n.Promises[j.Promise].Name, j.Undoes, guilty(j.BlameA), guilty(j.BlameB))
	}
	for _, c := range n.Runs {
		var run []string
		for _, f := range c.Run {
			run = append(run, f.Event+strings.Join(f.Transitions[:min(len(f.Transitions), 1-min(len(f.Event), 1))], ""))
		}
		fmt.Fprintf(&b, "%s: %s, %s, %s\n", strings.Join(run, " "), c.A, c.B, c.Merge)
	}
	return b.String()
}

func guilty(g *finding.Blame) string {
	if g == nil {
		return "-"
	}
	var list []string
	for _, k := range g.Blocks {
		list = append(list, fmt.Sprintf("%s %s %v %s:%d", k.Action, k.Name, k.Terms, k.Source.Filename, k.Source.Start.Line))
	}
	return strings.Join(list, "; ") + g.Reason
}

const deadline = `contract "c" {}
party "p" {
  state "A" {}
  state "B" {}
  state "C" {}
  flag "paid" {}
  transition "pay" {
    from = A
    to   = B
    set  = { paid = true }
  }
  transition "take" {
    from = A
    to   = C
  }
}
requirement "paid-first" { ctl = "AG (p.C -> p.paid)" }
`

// TestNegotiation tells what comes of two redlines: what neither breaks, what one repairs and the other undoes,
// what one adds, what they can't agree on, and contracts that only some sides have.
func TestNegotiation(t *testing.T) {
	file := func(old, new string) fs.FS {
		if old != "" && !strings.Contains(deadline, old) {
			t.Fatalf("%q stands nowhere", old)
		}
		return fstest.MapFS{"c.contract.hcl": {Data: []byte(strings.Replace(deadline, old, new, 1))}}
	}
	base, take := file("", ""), "  transition \"take\" {\n    from = A\n"
	repaired := file(take, "  transition \"take\" {\n    from = B\n")
	for _, row := range []struct {
		name       string
		base, a, b fs.FS
		want       string
	}{
		{"neither breaks it", testkit.Example(t, "sale"), testkit.Example(t, "sale", early...), testkit.Example(t, "sale", soon...), `discharge: holds, holds, holds, holds; none, none
goods-only-on-request: holds, holds, holds, holds; none, none
goods-not-withdrawn: holds, holds, holds, violated; none, none
accept-only-available: holds, holds, holds, violated; none, none
broken: goods-not-withdrawn 
  A: added party "seller" / transition "close-early" [] x/seller.contract.hcl:30
  B: added party "purchaser" / transition "accept-early" [] x/purchaser.contract.hcl:33
broken: accept-only-available 
  A: added party "seller" / transition "close-early" [] x/seller.contract.hcl:30
  B: added party "purchaser" / transition "accept-early" [] x/purchaser.contract.hcl:33
purchaser.ready seller.ready RFG P_GAV_T CLOSE: impossible, impossible, possible
purchaser.ready seller.ready RFG P_GAV_T purchaser.take CLOSE: possible, impossible, possible
purchaser.ready seller.ready RFG P_GAV_T GAC: impossible, possible, possible
purchaser.ready seller.ready RFG P_GAV_T purchaser.take GAC END: impossible, possible, possible
purchaser.ready seller.ready RFG P_GAV_T purchaser.take GAC seller.end: possible, impossible, impossible
`},
		{"one undoes what the other repairs", base, repaired, file("flag \"paid\" {}", "flag \"paid\" {}\n  transition \"forget\" {\n    from = B\n    to = B\n    set = { paid = false }\n  }"), `paid-first: violated, holds, violated, violated; wins, none
broken: paid-first A
  A: -
  B: added party "p" / transition "forget" [] x/c.contract.hcl:7
p.pay p.take: possible, impossible, possible
p.take: impossible, possible, impossible
p.pay p.forget: impossible, possible, possible
`},
		{"a promise that only one adds, and another that it gives up", repaired, file(take, "  transition \"take\" {\n    from = B\n    when = { paid = true }\n"), file(deadline[strings.Index(deadline, "requirement"):], "requirement \"one-way\" { ctl = \"AG (p.C -> AG p.C)\" }\n"), `paid-first: holds, holds, (violated), (holds); none, breaks
one-way: -, -, holds, holds; none, wins
p.take: impossible, possible, impossible
p.pay p.take: possible, impossible, impossible
`},
		{"a conflict", base, file("to   = C", "to   = A"), file("to   = C", "to   = B"), `paid-first: violated, holds, holds, -; wins, wins
conflict: changed party "p" / transition "take" "to   = A", changed party "p" / transition "take" "to   = B", was "to   = C"
p.take p.pay: possible, impossible, unknown
p.take p.take: possible, impossible, unknown
`},
		{"removed and changed", base, nil, repaired, `paid-first: violated, -, holds, -; none, wins
conflict: removed contract x "", changed contract x "", was ""
p.pay p.take: unknown, possible, unknown
p.take: unknown, impossible, unknown
`},
		{"removed and left alone", base, nil, base, "paid-first: violated, -, violated, -; none, none\n"},
		{"added by one", nil, base, nil, "paid-first: -, violated, -, violated; unkept, none\n"},
		{"added by both", nil, base, repaired, `paid-first: -, violated, holds, -; unkept, wins
conflict: added party "p" "", added party "p" "", was ""
`},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := inShort(negotiated(t, row.base, row.a, row.b)); got != row.want {
				t.Errorf("got:\n%swant:\n%s", got, row.want)
			}
		})
	}
}

// TestJointRunNeedsMore: where the run that shows what both together break takes steps of changes that are not to blame, that is said of them.
func TestJointRunNeedsMore(t *testing.T) {
	const base = `contract "c" {}
party "p" {
  state "s0" {}
  state "s1" {}
  state "s2" {}
  state "bad" {}
  flag "open" {}
  transition "first" {
    from = s0
    to   = s1
  }
  transition "second" {
    from = s1
    to   = s2
  }
}
requirement "never-bad" { never = "p.bad" }
`
	end := "requirement \"never"
	opens := strings.Replace(base, "  transition \"first\"", "  transition \"unlock\" { set = { open = true } }\n  transition \"first\"", 1)
	short := strings.Replace(opens, "  transition \"second\"", "  transition \"short\" {\n    from = s0\n    to   = s2\n  }\n  transition \"second\"", 1)
	falls := strings.Replace(base, "}\n"+end, "  transition \"fall\" {\n    from = s2\n    to   = bad\n    when = { open = true }\n  }\n}\n"+end, 1)
	file := func(text string) fs.FS { return fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}} }
	for a, more := range map[string]bool{opens: false, short: true} {
		n := negotiated(t, file(base), file(a), file(falls))
		if len(n.Broken) != 1 || len(n.Broken[0].BlameA.Blocks) != 1 || n.Broken[0].BlameA.More != more || n.Broken[0].BlameB.More {
			t.Errorf("more %t\n%s", more, inShort(n))
		}
	}
}
