package blame_test

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/codes"
)

// compareFiles reviews an amendment.
func compareFiles(t *testing.T, base, head fs.FS) finding.ContractReview {
	t.Helper()
	return blame.Compare(context.Background(), testkit.Draft(t, base, petri.One), testkit.Draft(t, head, petri.One), finding.Budget{Jobs: 2})
}

// blamed says of each new violation what is to blame, and what repairs it.
func blamed(c finding.ContractReview) string {
	var b strings.Builder
	for _, f := range c.Findings {
		if f.Kind != finding.New && f.Kind != finding.Weakened {
			continue
		}
		fmt.Fprintf(&b, "%s\n", f.Name)
		if f.Blame == nil {
			continue
		}
		for _, block := range f.Blame.Blocks {
			fmt.Fprintf(&b, "  %s %s", block.Action, block.Name)
			if block.Terms != nil {
				fmt.Fprintf(&b, ": %s", strings.Join(block.Terms, ", "))
			}
			fmt.Fprintf(&b, " (%s:%d)\n", block.Source.Filename, block.Source.Start.Line)
		}
		if !f.Blame.Smallest {
			fmt.Fprintf(&b, "  not known to be the smallest: %s\n", f.Blame.Reason)
		}
		for _, r := range f.Repairs {
			fmt.Fprintf(&b, "  > %s\n", r.What)
		}
	}
	return b.String()
}

// TestBlameOnDiagrams: of two changes the one is to blame that needs no other, and taking it back helps, however many states there are.
func TestBlameOnDiagrams(t *testing.T) {
	const end = `  transition "end" {`
	base := testkit.Purchasers(t, 30, petri.One, "")
	head := testkit.PurchasersOf(t, 30, petri.One, "seller.contract.hcl", func(text string) string {
		return strings.Replace(strings.Replace(text, `  flag "GAV"`, "  state \"S4\" {}\n"+`  flag "GAV"`, 1), end, "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n\n"+end, 1)
	})
	got := blamed(blame.Compare(context.Background(), base, head, finding.Budget{Jobs: 2}))
	const want = `goods-not-withdrawn
  added party "seller" / transition "withdraw" (x/seller.contract.hcl:31)
  > Leave out transition "withdraw" of party "seller".
`
	if !strings.Contains(got, want) || strings.Contains(got, "S4") {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
}

// TestBlame holds the paper's drafting mistakes, and others, to who is to blame and what helps.
func TestBlame(t *testing.T) {
	for _, row := range []struct {
		name, example string
		edits         []testkit.Edit
		want          string
	}{
		{"withdraw", "sale", []testkit.Edit{{File: "seller.contract.hcl", Old: `  transition "end" {`, New: "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n  transition \"end\" {"}}, `goods-not-withdrawn
  added party "seller" / transition "withdraw" (x/seller.contract.hcl:30)
  > Leave out transition "withdraw" of party "seller".
accept-only-available
  added party "seller" / transition "withdraw" (x/seller.contract.hcl:30)
  > Leave out transition "withdraw" of party "seller".
`},
		{"grab", "sale", []testkit.Edit{{File: "purchaser.contract.hcl", Old: `  transition "take" {`, New: "  transition \"grab\" {\n    from = P1\n    to   = P3\n  }\n  transition \"take\" {"}}, `accept-only-available
  added party "purchaser" / transition "grab" (x/purchaser.contract.hcl:27)
  > Leave out transition "grab" of party "purchaser".
`},
		{"cancel", "sale", []testkit.Edit{{File: "purchaser.contract.hcl", Old: `  transition "take" {`, New: "  transition \"cancel\" {\n    from = P1\n    to   = P0\n  }\n  transition \"take\" {"}}, `goods-not-withdrawn
  added party "purchaser" / transition "cancel" (x/purchaser.contract.hcl:27)
  > Leave out transition "cancel" of party "purchaser".
`},
		{"test on state", "sale", []testkit.Edit{{File: "seller.contract.hcl", Old: `when  = { GAV = false }`, New: "from  = S0\n    to    = S0"}}, `discharge
  changed party "seller" / transition "SellerGAV_F": from, to (x/seller.contract.hcl:42)
  > Put transition "SellerGAV_F" of party "seller" as it was.
`},
		{"idle", "sale", []testkit.Edit{{File: "sale.contract.hcl", Old: "event \"P_GAV_F\" {\n  title = \"the purchaser sees that no more goods are available\"\n  sync = {\n    seller    = SellerGAV_F\n    purchaser = PurchaserGAV_F\n  }\n}\n\n", New: ""}}, `goods-not-withdrawn
  removed event "P_GAV_F" (x/sale.contract.hcl:3)
  > Put back event "P_GAV_F".
accept-only-available
  removed event "P_GAV_F" (x/sale.contract.hcl:3)
  > Put back event "P_GAV_F".
`},
		{"payment first", "letter-of-credit", testkit.PaymentFirst, `documents-before-payment
  changed party "bank" / transition "t3": consume (x/bank.contract.hcl:29)
  changed party "seller" / transition "t3": consume (x/seller.contract.hcl:39)
  > Take back the whole amendment.
bank-pays-against-documents
  changed party "bank" / transition "t3": consume (x/bank.contract.hcl:29)
  changed party "seller" / transition "t3": consume (x/seller.contract.hcl:39)
  > Take back the whole amendment.
`},
		{"a promise that never was kept", "sale", []testkit.Edit{{File: "sale.contract.hcl", Old: `requirement "discharge" {`, New: "requirement \"rest\" {\n  ctl = \"AF AG seller.S0\"\n}\n\nrequirement \"discharge\" {"}}, `rest
  added requirement "rest" (x/sale.contract.hcl:41)
  > Leave out requirement "rest".
`},
		{"a promise reworded and broken", "sale", []testkit.Edit{
			{File: "sale.contract.hcl", Old: "AG (seller.GAV -> A[seller.GAV U purchaser.P3])", New: "AG (seller.GAV -> EF purchaser.P3)"},
			{File: "purchaser.contract.hcl", Old: `  transition "take" {`, New: "  transition \"cancel\" {\n    from = P1\n    to   = P0\n  }\n  transition \"take\" {"}}, `goods-not-withdrawn
  added party "purchaser" / transition "cancel" (x/purchaser.contract.hcl:27)
  > Leave out transition "cancel" of party "purchaser".
`},
		{"a state that is lost in between", "sale", []testkit.Edit{
			{File: "purchaser.contract.hcl", Old: `  state "P3"`, New: "  state \"P4\" {}\n  state \"P3\""},
			{File: "purchaser.contract.hcl", Old: `  transition "take" {`, New: "  transition \"lose\" {\n    from = P1\n    to   = P4\n  }\n  transition \"take\" {"}}, `discharge
  added party "purchaser" / transition "lose" (x/purchaser.contract.hcl:28)
  added party "purchaser" / state "P4" (x/purchaser.contract.hcl:7)
  > Leave out transition "lose" of party "purchaser" and leave out state "P4" of party "purchaser".
  > Leave out transition "lose" of party "purchaser".
goods-not-withdrawn
  added party "purchaser" / transition "lose" (x/purchaser.contract.hcl:28)
  added party "purchaser" / state "P4" (x/purchaser.contract.hcl:7)
  > Leave out transition "lose" of party "purchaser" and leave out state "P4" of party "purchaser".
  > Leave out transition "lose" of party "purchaser".
`},
	} {
		t.Run(row.name, func(t *testing.T) {
			head := testkit.Example(t, row.example, row.edits...)
			c := compareFiles(t, testkit.Example(t, row.example), head)
			if got := blamed(c); got != row.want {
				t.Errorf("got:\n%swant:\n%s", got, row.want)
			}
			applied(t, testkit.Example(t, row.example), head, c)
		})
	}
}

// applied makes each repair's edits to the bytes of head, and reviews what comes of it.
func applied(t *testing.T, base, head fs.FS, c finding.ContractReview) {
	t.Helper()
	for _, f := range c.Findings {
		for _, r := range f.Repairs {
			again := compareFiles(t, base, edited(t, head, r.Edits))
			remaining(t, f.Name, r, testkit.Check(t, edited(t, head, r.Edits), petri.One))
			for _, now := range again.Findings {
				known := slices.ContainsFunc(c.Findings, func(was finding.Finding) bool {
					return was.Name == now.Name && was.Kind == now.Kind && now.Name != f.Name
				})
				if !known && (now.Kind == finding.New || now.Kind == finding.Weakened || now.Kind == finding.Undecided || now.Kind == finding.Meaningless) {
					t.Errorf("%s: %s: after it %s is %s", f.Name, r.What, now.Name, now.Kind)
				}
			}
		}
	}
}

// remaining holds what a repair says of the other violations to a check of the edited text alone.
func remaining(t *testing.T, of string, r finding.Repair, checked *finding.Result) {
	t.Helper()
	others, undecided, itself := 0, 0, false
	for _, q := range checked.Requirements {
		switch {
		case q.Verdict == finding.Unknown:
			undecided++
		case q.Verdict != finding.Violated:
		case q.Name == of:
			itself = true
		default:
			others++
		}
	}
	for _, d := range checked.Diagnostics {
		others += map[bool]int{true: 1}[d.Class == codes.Violation && d.Accepted == ""]
	}
	if r.Others != others || r.Undecided != undecided || r.OldWays != itself {
		t.Errorf("%s: %s: it says that %d others remain, %d undecided, old ways %t; that is %d, %d, %t", of, r.What, r.Others, r.Undecided, r.OldWays, others, undecided, itself)
	}
}

// TestRepairSaysWhatRemains repairs one violation of several: of the amendment's own, and of base's, and of the same promise in other ways.
func TestRepairSaysWhatRemains(t *testing.T) {
	text := func(more string) fs.FS {
		return fstest.MapFS{"x.contract.hcl": {Data: []byte(`contract "c" {}
party "clerk" {
  state "A" {}
  state "B" {}
  flag "checked" {}
  flag "paid" {}
  transition "check" {
    from = A
    to   = A
    set  = { checked = true }
  }
  transition "stop" {
    from = A
    to   = B
  }
` + more + `}
requirement "checked-first" { ctl = "AG (clerk.paid -> clerk.checked)" }
requirement "unpaid"        { ctl = "AG !clerk.paid" }
requirement "stays"         { ctl = "AG clerk.A" }
`)}}
	}
	pay := func(name, when string) string {
		return fmt.Sprintf("  transition %q {\n    from = A\n    to   = A\n    set  = { paid = true }\n%s  }\n", name, when)
	}
	for _, row := range []struct{ name, was, now string }{
		{"another that base has", "", pay("rush", "")},
		{"another of the amendment", "", pay("pay", "    when = { checked = true }\n") + pay("rush", "")},
		{"old ways", pay("rush", ""), pay("rush", "") + pay("haste", "")},
	} {
		t.Run(row.name, func(t *testing.T) {
			base, head := text(row.was), text(row.now)
			c := compareFiles(t, base, head)
			n, ways := 0, false
			for _, f := range c.Findings {
				for _, r := range f.Repairs {
					if n++; r.Others == 0 {
						t.Errorf("%s: %s: no other violation remains", f.Name, r.What)
					}
					ways = ways || r.OldWays
				}
			}
			if n == 0 || ways != (row.name == "old ways") {
				t.Errorf("%d repairs; of ways of base that remain: %t", n, ways)
			}
			applied(t, base, head, c)
		})
	}
}

func edited(t *testing.T, files fs.FS, edits []finding.Edit) fs.FS {
	t.Helper()
	out := fstest.MapFS{}
	for name, f := range files.(fstest.MapFS) {
		out[name] = &fstest.MapFile{Data: f.Data}
	}
	for _, e := range slices.Backward(edits) {
		name := strings.TrimPrefix(e.Range.Filename, "x/")
		if out[name] == nil {
			out[name] = &fstest.MapFile{}
		}
		src := out[name].Data
		if got := string(src[e.Range.Start.Byte:e.Range.End.Byte]); got != e.Old {
			t.Fatalf("%q stands where %q should", got, e.Old)
		}
		out[name] = &fstest.MapFile{Data: slices.Concat(src[:e.Range.Start.Byte], []byte(e.New), src[e.Range.End.Byte:])}
	}
	return out
}

// TestRemedies are repairs that neither draft has: a condition that stands elsewhere, steps exchanged.
func TestRemedies(t *testing.T) {
	text := func(transitions string) fs.FS {
		return fstest.MapFS{"x.contract.hcl": {Data: []byte(`contract "c" {}
party "clerk" {
  state "A" {}
  state "B" {}
  state "C" {}
  flag "checked" {}
  flag "paid" {}
` + transitions + `}
requirement "checked-first" { ctl = "AG (clerk.paid -> clerk.checked)" }
`)}}
	}
	steps := func(list ...string) string {
		var b strings.Builder
		for i := 0; i < len(list); i += 4 {
			fmt.Fprintf(&b, "  transition %q {\n    from = %s\n    to   = %s\n    %s\n  }\n", list[i], list[i+1], list[i+2], list[i+3])
		}
		return b.String()
	}
	checked := []string{"check", "A", "A", "set = { checked = true }", "pay", "A", "C", "set = { paid = true }\n    when = { checked = true }"}
	for _, row := range []struct{ name, was, now, want string }{
		{"a condition", steps(checked...), steps(append(checked, "rush", "A", "C", "set = { paid = true }")...), `checked-first
  added party "clerk" / transition "rush" (x/x.contract.hcl:19)
  > Leave out transition "rush" of party "clerk".
  > Let transition "rush" of party "clerk" wait for checked = true.
`},
		{"an exchange", "", steps("pay", "A", "B", "set = { paid = true }", "check", "B", "C", "set = { checked = true }"), `checked-first
  added party "clerk" / transition "pay" (x/x.contract.hcl:8)
  > Leave out transition "pay" of party "clerk".
  > Exchange the steps "pay" and "check" of party "clerk".
`},
	} {
		t.Run(row.name, func(t *testing.T) {
			base, head := text(row.was), text(row.now)
			c := compareFiles(t, base, head)
			if got := blamed(c); got != row.want {
				t.Errorf("got:\n%swant:\n%s", got, row.want)
			}
			applied(t, base, head, c)
		})
	}
}

// TestGuiltyTogether names two changes of which each alone does no harm.
func TestGuiltyTogether(t *testing.T) {
	text := func(a, b string) fs.FS {
		return fstest.MapFS{"x.contract.hcl": {Data: []byte(`contract "c" {}
party "seller" {
  state "A" {}
  state "B" {}
  flag "wary" { initial = ` + a + ` }
  transition "hand" {
    from = A
    to   = B
    when = { wary = false }
  }
}
party "buyer" {
  state "A" {}
  state "B" {}
  flag "wary" { initial = ` + b + ` }
  transition "pay" {
    from = A
    to   = B
    when = { wary = false }
  }
}
requirement "not-both" { ctl = "AG !(seller.B && buyer.B)" }
`)}}
	}
	c := compareFiles(t, text("true", "true"), text("false", "false"))
	want := `not-both
  changed party "seller" / flag "wary": initial (x/x.contract.hcl:5)
  changed party "buyer" / flag "wary": initial (x/x.contract.hcl:15)
  > Put flag "wary" of party "seller" as it was.
  > Put flag "wary" of party "buyer" as it was.
`
	if got := blamed(c); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

// TestGuiltApart finds two changes of which each alone is enough: one is blamed, and both are taken back.
func TestGuiltApart(t *testing.T) {
	c := compareFiles(t, testkit.Example(t, "sale"), testkit.Example(t, "sale",
		testkit.Edit{File: "purchaser.contract.hcl", Old: `  transition "take" {`, New: "  transition \"grab\" {\n    from = P1\n    to   = P3\n  }\n  transition \"take\" {"},
		testkit.Edit{File: "seller.contract.hcl", Old: `  transition "end" {`, New: "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n  transition \"end\" {"}))
	want := `  added party "purchaser" / transition "grab" (x/purchaser.contract.hcl:27)
  > Leave out transition "grab" of party "purchaser" and leave out transition "withdraw" of party "seller".
`
	if got := blamed(c); !strings.Contains(got, want) {
		t.Errorf("got:\n%swant in it:\n%s", got, want)
	}
}

// TestGuiltOfMany finds a pair among more changes than pairs are tried of.
func TestGuiltOfMany(t *testing.T) {
	text := func(initial, to string) fs.FS {
		var b strings.Builder
		b.WriteString("contract \"c\" {}\nrequirement \"not-both\" { ctl = \"AG !(p3.B && p30.B)\" }\n")
		for i := range 40 {
			flag, end := "true", to
			if i == 3 || i == 30 {
				flag, end = initial, "B"
			}
			fmt.Fprintf(&b, "party \"p%d\" {\n  state \"A\" {}\n  state \"B\" {}\n  flag \"wary\" { initial = %s }\n", i, flag)
			fmt.Fprintf(&b, "  transition \"go\" {\n    from = A\n    to   = %s\n    when = { wary = false }\n  }\n}\n", end)
		}
		return fstest.MapFS{"x.contract.hcl": {Data: []byte(b.String())}}
	}
	base, head := text("true", "B"), text("false", "A")
	want := `not-both
  changed party "p3" / flag "wary": initial (x/x.contract.hcl:36)
  changed party "p30" / flag "wary": initial (x/x.contract.hcl:306)
  > Put flag "wary" of party "p3" as it was.
  > Put flag "wary" of party "p30" as it was.
`
	if got := blamed(compareFiles(t, base, head)); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

// TestBlameThroughRenames: an amendment that renames things and breaks a promise is blamed for what it breaks.
func TestBlameThroughRenames(t *testing.T) {
	base := testkit.Example(t, "sale").(fstest.MapFS)
	for _, row := range []struct{ was, now, from, party string }{
		{"P1", "asked", "asked", "purchaser"},
		{"P3", "accepted", "P1", "purchaser"},
		{"purchaser", "buyer", "P1", "buyer"},
		{"discharge", "back", "P1", "purchaser"},
		{"RFG\"", "Request\"", "P1", "purchaser"},
	} {
		head := fstest.MapFS{}
		for name, f := range base {
			text := strings.ReplaceAll(string(f.Data), row.was, row.now)
			text = strings.Replace(text, "  transition \"take\" {", "  transition \"cancel\" {\n    from = "+row.from+"\n    to   = P0\n  }\n  transition \"take\" {", 1)
			head[name] = &fstest.MapFile{Data: []byte(text)}
		}
		c := compareFiles(t, base, head)
		want := "goods-not-withdrawn\n  added party \"" + row.party + "\" / transition \"cancel\" (x/purchaser.contract.hcl:27)\n  > Leave out transition \"cancel\" of party \"" + row.party + "\".\n"
		if got := blamed(c); got != want {
			t.Errorf("%s, now %s: got:\n%swant:\n%s", row.was, row.now, got, want)
		}
		applied(t, base, head, c)
	}
}

// TestBlockOnBothSides: a block says where it stands on either side, also where it has another name on base.
func TestBlockOnBothSides(t *testing.T) {
	base := testkit.Example(t, "sale")
	head := fstest.MapFS{}
	for name, f := range base.(fstest.MapFS) {
		text := strings.ReplaceAll(string(f.Data), "S2", "started")
		text = strings.Replace(text, "    from = S1\n    to   = started\n", "    from = S1\n    to   = S3\n", 1)
		head[name] = &fstest.MapFile{Data: []byte(text)}
	}
	c := compareFiles(t, base, head)
	for _, f := range c.Findings {
		if f.Blame == nil {
			continue
		}
		b := f.Blame.Blocks[0]
		line := func(files fs.FS, name string, n int) string {
			src, err := fs.ReadFile(files, strings.TrimPrefix(name, "x/"))
			if err != nil {
				t.Fatal(err)
			}
			return strings.Split(string(src), "\n")[n-1]
		}
		if got := line(head, b.Source.Filename, b.Source.Start.Line); strings.TrimSpace(got) != "to   = S3" {
			t.Errorf("%s: on head %q", f.Name, got)
		}
		if got := line(base, b.Was.Filename, b.Was.Start.Line); strings.TrimSpace(got) != `transition "SellerRFG_T" {` {
			t.Errorf("%s: on base %q", f.Name, got)
		}
	}
}

// TestGuiltyBeginning: a state that has become the first one is told as that.
func TestGuiltyBeginning(t *testing.T) {
	const idle = "  state \"idle\" { title = \"without a nomination\" }\n"
	const ready = "  state \"ready\" { title = \"ready to deliver\" }\n"
	base, head := testkit.Example(t, "gas-supply"), testkit.Example(t, "gas-supply", testkit.Edit{File: "supplier.contract.hcl", Old: idle + ready, New: ready + idle})
	c := compareFiles(t, base, head)
	want := "kept-is-settled\n  changed party \"supplier\" / state \"ready\" (x/supplier.contract.hcl:4)\n  > Let state \"ready\" of party \"supplier\" no longer come first.\n"
	if got := blamed(c); !strings.HasPrefix(got, want) {
		t.Errorf("got:\n%swant first:\n%s", got, want)
	}
	applied(t, base, head, c)
	f := &c.Findings[0]
	if got, want := f.Head.Trace.Claim, "at the start, “take-or-pay: fulfilled” can't be reached from there on a run without a breach, though nothing is ever breached"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if want := []string{"the buyer nominates a quantity"}; !slices.Equal(f.Lost, want) {
		t.Errorf("%q is lost, not %q", f.Lost, want)
	}
}

// TestSmallestRepairFirst: where taking back either of two changes helps, the one of less text is suggested first.
func TestSmallestRepairFirst(t *testing.T) {
	text := func(detour, to string) fs.FS {
		return fstest.MapFS{"x.contract.hcl": {Data: []byte(`contract "c" {}
party "a" {
  state "s" {}
  state "m" {}
  state "ok" {}
  state "bad" {}
` + detour + `  transition "go" {
    from = s
    to   = ok
  }
  transition "slip" {
    from = m
    to   = ` + to + `
  }
}
requirement "r" { ctl = "AG !a.bad" }
`)}}
	}
	const detour = "  transition \"detour\" {\n    title = \"the goods go by another way\"\n    from  = s\n    to    = m\n  }\n"
	c := compareFiles(t, text("", "ok"), text(detour, "bad"))
	const want = `r
  added party "a" / transition "detour" (x/x.contract.hcl:7)
  changed party "a" / transition "slip": to (x/x.contract.hcl:18)
  > Put transition "slip" of party "a" as it was.
  > Leave out transition "detour" of party "a".
`
	if got := blamed(c); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}
