package verify_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestPurchasers is the size of the state model for n purchasers: 3^(n+1)+1 states under rule one, and
// those of the table under rule all.
func TestPurchasers(t *testing.T) {
	all := []int64{0, 8, 14, 30, 70}
	for n := 1; n <= 6; n++ {
		r := verify.Check(context.Background(), testkit.Purchasers(t, n, petri.One, ""), finding.Budget{Jobs: 2})
		if want := int64(math.Pow(3, float64(n+1))) + 1; r.Model.States.Int64() != want || testkit.Fails(r) != "" {
			t.Errorf("%d purchasers: %s, want %d states; fails: %s", n, testkit.Size(r), want, testkit.Fails(r))
		}
		if n >= len(all) {
			continue
		}
		r = verify.Check(context.Background(), testkit.Purchasers(t, n, petri.All, ""), finding.Budget{Jobs: 2})
		if r.Model.States.Int64() != all[n] {
			t.Errorf("%d purchasers, rule all: %s, want %d states", n, testkit.Size(r), all[n])
		}
	}
}

// another is a second purchaser who is not like the first. Each variant adds or drops one thing.
const another = `
party "other" {
  state "Q0" {}
  state "Q1" {}
  state "Q2" {}
  state "Q3" {}
  transition "ready" {
    from = Q0
    to   = Q1
  }
  transition "RFG" {
    from = Q1
    to   = Q1
  }
  transition "GAV_T" {
    from = Q1
    to   = Q2
  }
  transition "take" {
    from = Q2
    to   = Q3
  }
  transition "GAC" {
    from = Q3
    to   = Q3
  }
  transition "GAV_F" {
    from = Q3
    to   = Q0
  }
}
event "OTHER_GAV_T" {
  sync = {
    seller = SellerGAV_T
    other  = GAV_T
  }
}
event "OTHER_GAV_F" {
  sync = {
    seller = SellerGAV_F
    other  = GAV_F
  }
}
`

const otherReady = `  transition "ready" {
    from = Q0
    to   = Q1
  }
`

const otherIdles = otherReady + `  transition "idle" {
    from = Q0
    to   = Q0
  }
`

// TestPurchasersMayWait is the table of section 2.4: whether the request is answered depends on what the
// other purchaser may do, and on u or U.
func TestPurchasersMayWait(t *testing.T) {
	both := func(ready string) []testkit.Edit {
		return []testkit.Edit{
			{File: "more.contract.hcl", Old: otherReady, New: ready},
			{File: "purchasers.contract.hcl", Old: "purchaser = all(PurchaserRFG_T)", New: "purchaser = all(PurchaserRFG_T)\n    other = RFG"},
			{File: "purchasers.contract.hcl", Old: "purchaser = all(PurchaserGAC_T)", New: "purchaser = all(PurchaserGAC_T)\n    other = GAC"},
		}
	}
	for _, row := range []struct {
		name     string
		edits    []testkit.Edit
		one, all int64
		verdicts string // with Au, AU, EU, Eu
		deadEnds int64
	}{
		{"one purchaser", nil, 10, 8, "TTTT", 0},
		{"two, both come", both(otherReady), 28, 14, "TTTT", 0},
		{"two, the second may idle for ever in its first state", both(otherIdles), 28, 15, "TFTT", 0},
		{"two, the second never requests", both(""), 4, 2, "TFFT", 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			files := testkit.Example(t, "purchasers").(fstest.MapFS)
			files["more.contract.hcl"] = &fstest.MapFile{Data: []byte("# nobody else\n")}
			if row.edits != nil {
				files["more.contract.hcl"] = &fstest.MapFile{Data: []byte(another)}
			}
			apply(t, files, append(row.edits, testkit.Edit{File: "purchasers.contract.hcl", Old: "default     = 2", New: "default     = 1"}))
			files["asks.contract.hcl"] = &fstest.MapFile{Data: []byte(waits())}
			r := testkit.Check(t, files, petri.One)
			if r.Model.States.Int64() != row.one || r.Model.DeadEnds.Int64() != row.deadEnds {
				t.Errorf("rule one: %s, want %d states and %d dead ends", testkit.Size(r), row.one, row.deadEnds)
			}
			if got := verdicts(t, r); got != row.verdicts {
				t.Errorf("with Au, AU, EU, Eu: %s, want %s", got, row.verdicts)
			}
			if r = testkit.Check(t, files, petri.All); r.Model.States.Int64() != row.all {
				t.Errorf("rule all: %s, want %d states", testkit.Size(r), row.all)
			}
		})
	}
}

func apply(t *testing.T, files fstest.MapFS, edits []testkit.Edit) {
	t.Helper()
	for _, e := range edits {
		text := string(files[e.File].Data)
		if strings.Count(text, e.Old) != 1 {
			t.Fatalf("%s: %q stands there %d times", e.File, e.Old, strings.Count(text, e.Old))
		}
		files[e.File] = &fstest.MapFile{Data: []byte(strings.Replace(text, e.Old, e.New, 1))}
	}
}

var untils = []string{"Au", "AU", "EU", "Eu"}

func waits() string {
	var b strings.Builder
	for i, u := range untils {
		fmt.Fprintf(&b, "requirement \"wait-%d\" { table1 = \"all p in purchaser: G(p.P1 -> (p.P1 %s p.P2))\" }\n", i, u)
	}
	return b.String()
}

func verdicts(t *testing.T, r *finding.Result) string {
	got := ""
	for i := range untils {
		got += map[finding.Verdict]string{finding.Holds: "T", finding.Violated: "F"}[testkit.Requirement(t, r, fmt.Sprintf("wait-%d", i)).Verdict]
	}
	return got
}

// TestWhichInstance: the run and the claim of a requirement on every purchaser name the one that fails.
func TestWhichInstance(t *testing.T) {
	d := testkit.Purchasers(t, 3, petri.One, `requirement "r" { ctl = "all p in purchaser: AG !p.P3" }
requirement "s" { ctl = "some p in purchaser: AG !p.P3" }
requirement "first" { ctl = "all p in purchaser: (AG !p.P3 || AG !purchaser[1].P2)" }
`)
	r := verify.Check(context.Background(), d, finding.Budget{Jobs: 1})
	for _, name := range []string{"r", "s", "first"} {
		q := testkit.Requirement(t, r, name)
		if q.Verdict != finding.Violated || q.Trace == nil {
			t.Fatalf("%s: %s (%s)", name, q.Verdict, q.Reason)
		}
	}
	if q := testkit.Requirement(t, r, "r"); q.Formula != "all p in purchaser: AG !p.P3" || !strings.Contains(q.Trace.Claim, "Purchaser 1: ") {
		t.Errorf("%s: %s", q.Formula, q.Trace.Claim)
	}
}

// TestRangeMistakes are formulas that range over what there is not.
func TestRangeMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"all p in seller: p.S0":       "wrong-kind",
		"all p in purchasr: p.P0":     "unknown-name",
		"all p in purchaser: p.P9":    "unknown-name",
		"purchaser.P0":                "unknown-name",
		"purchaser[9].P0":             "unknown-name",
		"some p in purchaser: seller": "wrong-kind",
	} {
		d := testkit.Purchasers(t, 2, petri.One, fmt.Sprintf("requirement \"r\" { ctl = %q }\n", text))
		r := verify.Check(context.Background(), d, finding.Budget{Jobs: 1})
		if q := testkit.Requirement(t, r, "r"); q.Verdict != finding.IllFormed || len(r.Diagnostics) == 0 || string(r.Diagnostics[0].Code) != want {
			t.Errorf("%s: %s, %v; want %s", text, q.Verdict, r.Diagnostics, want)
		}
	}
}

// TestAcceptSeveral: what is accepted of purchaser is accepted of all, and said once; of purchaser[1], of one only.
func TestAcceptSeveral(t *testing.T) {
	for on, want := range map[string]string{
		"event.IDLE":    "event.IDLE true",
		"event.IDLE[1]": "event.IDLE[0] false, event.IDLE[2] false, event.IDLE[1] true",
		"event.RFG":     "event.IDLE false",
	} {
		d := testkit.Purchasers(t, 3, petri.One, fmt.Sprintf(`event "IDLE" { sync = { purchaser = each(PurchaserRFG_T) } }
accept "idle-self-loop" {
  on     = %s
  reason = "for the test"
}
`, on))
		var got []string
		for _, diag := range verify.Check(context.Background(), d, finding.Budget{Jobs: 1}).Diagnostics {
			if diag.Code == "idle-self-loop" {
				got = append(got, fmt.Sprint(diag.Subject, " ", diag.Accepted != ""))
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("on %s: %s, want %s", on, strings.Join(got, ", "), want)
		}
	}
}

// TestMeaningOfRanges: another purchaser changes the contract, and not the wording of a requirement.
func TestMeaningOfRanges(t *testing.T) {
	base, head := testkit.Purchasers(t, 2, petri.One, ""), testkit.Purchasers(t, 3, petri.One, "")
	if base.Digest == head.Digest {
		t.Error("another purchaser is no change")
	}
	c := blame.Compare(context.Background(), base, head, finding.Budget{Jobs: 2})
	for _, f := range c.Findings {
		if f.Kind != finding.Kept {
			t.Errorf("%s: %v", f.Name, f.Kind)
		}
	}
}

// TestManyByHand is the law that count, each, any and all are no more than what they stand for: a
// contract written out by hand has the same states, arcs and verdicts.
func TestManyByHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSeveral(t)
		sugar, hand := loadLaw(t, s.sugar()), loadLaw(t, s.hand())
		for _, rule := range []petri.Rule{petri.One, petri.All} {
			many, written := compile.Compile(sugar, "x", &rule), compile.Compile(hand, "x", &rule)
			if !testkit.Bisimilar(t, many, written) {
				t.Fatalf("rule %s: not bisimilar\n%s\n%s", rule, s.sugar(), s.hand())
			}
			a, b := testkit.Checked(many), testkit.Checked(written)
			if testkit.Size(a) != testkit.Size(b) || testkit.Fails(a) != testkit.Fails(b) {
				t.Fatalf("rule %s: %s, %s; by hand %s, %s\n%s\n%s", rule, testkit.Size(a), testkit.Fails(a), testkit.Size(b), testkit.Fails(b), s.sugar(), s.hand())
			}
		}
	})
}

func loadLaw(t *rapid.T, text string) *load.Source {
	src, err := load.Dir(fstest.MapFS{"a.contract.hcl": {Data: []byte(text)}}, ".", "x", nil)
	if err != nil || src.Contract == nil {
		t.Fatalf("%v %v\n%s", err, src.Diagnostics, text)
	}
	return src
}

// several is a random contract with one single party and n of another, alike.
type several struct {
	n      int
	one    []move
	many   []move
	events []how
}

// A move is a transition between two states.
type move struct{ label, from, to string }

// how a label of the single party, and one of the many, make an event.
type how struct{ one, many, word string }

func drawSeveral(t *rapid.T) several {
	s := several{n: rapid.IntRange(1, 3).Draw(t, "n"), one: drawMoves(t), many: drawMoves(t)}
	for range rapid.IntRange(0, 3).Draw(t, "events") {
		s.events = append(s.events, how{
			rapid.SampledFrom(s.one).Draw(t, "one").label,
			rapid.SampledFrom(s.many).Draw(t, "many").label,
			rapid.SampledFrom([]string{"each", "any", "all", ""}).Draw(t, "how"),
		})
	}
	return s
}

func drawMoves(t *rapid.T) []move {
	state := rapid.SampledFrom([]string{"s0", "s1", "s2"})
	var all []move
	for range rapid.IntRange(1, 4).Draw(t, "moves") {
		all = append(all, move{rapid.SampledFrom([]string{"a", "b"}).Draw(t, "label"), state.Draw(t, "from"), state.Draw(t, "to")})
	}
	return all
}

func writeParty(b *strings.Builder, name, count string, moves []move) {
	fmt.Fprintf(b, "party %q {\n%s  state \"s0\" {}\n  state \"s1\" {}\n  state \"s2\" {}\n", name, count)
	for i, m := range moves {
		fmt.Fprintf(b, "  transition \"t%d\" {\n    from = %s\n    to = %s\n    label = %s\n  }\n", i, m.from, m.to, m.label)
	}
	b.WriteString("}\n")
}

func (s several) sugar() string {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	writeParty(&b, "one", "", s.one)
	writeParty(&b, "many", fmt.Sprintf("  count = %d\n", s.n), s.many)
	for i, e := range s.events {
		way := fmt.Sprintf("many = %s(%s)", e.word, e.many)
		if e.word == "" {
			way = fmt.Sprintf("many[%d] = %s", s.n-1, e.many)
		}
		fmt.Fprintf(&b, "event \"e%d\" {\n  sync = {\n    one = %s\n    %s\n  }\n}\n", i, e.one, way)
	}
	for i, f := range []string{"all p in many: AG EF p.s0", "some p in many: EF p.s2", "AG (all p in many: p.s0 -> some q in many: AF q.s1)"} {
		fmt.Fprintf(&b, "requirement \"r%d\" { ctl = %q }\n", i, f)
	}
	return b.String()
}

// hand writes out each instance as a party of its own, and each way of an event as an event of its own.
func (s several) hand() string {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	writeParty(&b, "one", "", s.one)
	for i := range s.n {
		writeParty(&b, fmt.Sprintf("many%d", i), "", s.many)
	}
	for i, e := range s.events {
		s.eventByHand(&b, i, e)
	}
	each := func(op, format string) string {
		var parts []string
		for i := range s.n {
			parts = append(parts, "("+strings.ReplaceAll(format, "$", fmt.Sprintf("many%d", i))+")")
		}
		return "(" + strings.Join(parts, op) + ")"
	}
	some := each(" || ", "AF $.s1")
	for i, f := range []string{each(" && ", "AG EF $.s0"), each(" || ", "EF $.s2"), "AG " + each(" && ", "$.s0 -> "+some)} {
		fmt.Fprintf(&b, "requirement \"r%d\" { ctl = %q }\n", i, f)
	}
	return b.String()
}

func (s several) eventByHand(b *strings.Builder, i int, e how) {
	write := func(way int, instances ...int) {
		fmt.Fprintf(b, "event \"e%d-%d\" {\n  sync = {\n    one = %s\n", i, way, e.one)
		for _, k := range instances {
			fmt.Fprintf(b, "    many%d = %s\n", k, e.many)
		}
		b.WriteString("  }\n}\n")
	}
	var all []int
	for k := range s.n {
		all = append(all, k)
	}
	switch e.word {
	case "each", "any":
		for k := range s.n {
			write(k, k)
		}
	case "all":
		write(0, all...)
	default:
		write(0, s.n-1)
	}
}

// BenchmarkManyPurchasers loads and composes the sale with 40 purchasers: it takes far less than a second.
func BenchmarkManyPurchasers(b *testing.B) {
	for b.Loop() {
		if d := testkit.Purchasers(b, 40, petri.One, ""); len(d.Net.Places) != 40*4+6 {
			b.Fatal(len(d.Net.Places))
		}
	}
}

// BenchmarkTenThousandPlaces is a contract at the size a person never writes.
func BenchmarkTenThousandPlaces(b *testing.B) {
	for b.Loop() {
		if d := testkit.Purchasers(b, 2_500, petri.One, ""); len(d.Net.Places) != 10_006 {
			b.Fatal(len(d.Net.Places))
		}
	}
}
