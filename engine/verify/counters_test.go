package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/load"
)

// A term or condition of the law below, as HCL and as Go: over counters a and b.
type term struct {
	text       string
	a, b       bool // which counters it names
	value      func(a, b int) int
	admissible func(a, b int) bool
}

var values = []term{
	{text: "0", value: func(a, b int) int { return 0 }},
	{text: "1", value: func(a, b int) int { return 1 }},
	{text: "a + 1", a: true, value: func(a, b int) int { return a + 1 }},
	{text: "a - 1", a: true, value: func(a, b int) int { return a - 1 }},
	{text: "b", b: true, value: func(a, b int) int { return b }},
	{text: "b + 1", b: true, value: func(a, b int) int { return b + 1 }},
	{text: "a + b", a: true, b: true, value: func(a, b int) int { return a + b }},
	{text: "max(a, b)", a: true, b: true, value: func(a, b int) int { return max(a, b) }},
	{text: "min(b + 1, 1)", b: true, value: func(a, b int) int { return min(b+1, 1) }},
}

var conditions = []term{
	{admissible: func(a, b int) bool { return true }},
	{text: "a < 1", a: true, admissible: func(a, b int) bool { return a < 1 }},
	{text: "a == b", a: true, b: true, admissible: func(a, b int) bool { return a == b }},
	{text: "b != 0", b: true, admissible: func(a, b int) bool { return b != 0 }},
	{text: "a + b <= 1", a: true, b: true, admissible: func(a, b int) bool { return a+b <= 1 }},
	{text: "!(a > 0) || b == 1", a: true, b: true, admissible: func(a, b int) bool { return a <= 0 || b == 1 }},
	{text: "a >= 1 && b < 1", a: true, b: true, admissible: func(a, b int) bool { return a >= 1 && b < 1 }},
}

// A counted is one transition over the counters a: 0 to toA, and b: -1 to toB.
type counted struct {
	name       string
	from, to   string // states; empty: no move
	when       term
	setA, setB *term
}

type countedParty struct {
	toA, toB    int
	transitions []counted
}

func drawCounted(t *rapid.T) countedParty {
	p := countedParty{toA: rapid.IntRange(1, 3).Draw(t, "to a"), toB: rapid.IntRange(0, 2).Draw(t, "to b")}
	state := rapid.SampledFrom([]string{"S0", "S1"})
	for i := range rapid.IntRange(1, 4).Draw(t, "transitions") {
		c := counted{name: fmt.Sprintf("t%d", i), when: rapid.SampledFrom(conditions).Draw(t, "require")}
		if rapid.Bool().Draw(t, "moves") {
			c.from, c.to = state.Draw(t, "from"), state.Draw(t, "to")
		}
		if v := rapid.SampledFrom(values).Draw(t, "a"); rapid.Bool().Draw(t, "set a") {
			c.setA = &v
		}
		if v := rapid.SampledFrom(values).Draw(t, "b"); rapid.Bool().Draw(t, "set b") || c.setA == nil {
			c.setB = &v
		}
		p.transitions = append(p.transitions, c)
	}
	return p
}

// uses says which counters the transition tests or changes.
func (c counted) uses() (a, b bool) {
	a, b = c.when.a || c.setA != nil, c.when.b || c.setB != nil
	for _, v := range []*term{c.setA, c.setB} {
		if v != nil {
			a, b = a || v.a, b || v.b
		}
	}
	return a, b
}

const around = `
contract "c" { firing = %s }
party "q" {
  state "Q0" {}
  state "Q1" {}
  transition "there" {
    from  = Q0
    to    = Q1
    label = both
  }
  transition "back" {
    from = Q1
    to   = Q0
  }
}
event "both" {
  sync = {
    p = t0
    q = both
  }
}
party "p" {
  state "S0" {}
  state "S1" {}
%s}
requirement "r0" {
  ctl = "AG (%s -> EF %s)"
}
requirement "r1" {
  ctl = "AF (%s)"
}
`

// sugar writes the contract with counters.
func (p countedParty) sugar(firing string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  counter \"a\" { to = %d }\n  counter \"b\" {\n    from    = -1\n    to      = %d\n    initial = 0\n  }\n", p.toA, p.toB)
	for _, c := range p.transitions {
		fmt.Fprintf(&b, "  transition %q {\n%s", c.name, c.move())
		if c.when.text != "" {
			fmt.Fprintf(&b, "    require = %s\n", c.when.text)
		}
		b.WriteString("    set = {\n")
		if c.setA != nil {
			fmt.Fprintf(&b, "      a = %s\n", c.setA.text)
		}
		if c.setB != nil {
			fmt.Fprintf(&b, "      b = %s\n", c.setB.text)
		}
		b.WriteString("    }\n  }\n")
	}
	return fmt.Sprintf(around, firing, b.String(), "p.a >= 1", "p.b == 0", "p.b > 0")
}

func (c counted) move() string {
	if c.from == "" {
		return ""
	}
	return fmt.Sprintf("    from = %s\n    to   = %s\n", c.from, c.to)
}

// byHand writes the same with a place for each value and a transition for each combination.
func (p countedParty) byHand(firing string) string {
	var b strings.Builder
	for a := range p.toA + 1 {
		fmt.Fprintf(&b, "  place %q { marked = %t }\n", at("a", a), a == 0)
	}
	for v := -1; v <= p.toB; v++ {
		fmt.Fprintf(&b, "  place %q { marked = %t }\n", at("b", v), v == 0)
	}
	b.WriteString("  place \"bound\" { marked = true }\n")
	for _, c := range p.transitions {
		p.combinations(&b, c)
	}
	return fmt.Sprintf(around, firing, b.String(), p.some("a", 1, p.toA), at("p.b", 0), p.some("b", 1, p.toB))
}

func at(counter string, value int) string {
	if value < 0 {
		return fmt.Sprintf("%s_m%d", counter, -value)
	}
	return fmt.Sprintf("%s_%d", counter, value)
}

func (p countedParty) some(counter string, from, to int) string {
	list := []string{"false"}
	for v := from; v <= to; v++ {
		list = append(list, at("p."+counter, v))
	}
	return "(" + strings.Join(list, " || ") + ")"
}

func (p countedParty) combinations(out *strings.Builder, c counted) {
	useA, useB := c.uses()
	for a := 0; a <= p.toA && (useA || a == 0); a++ {
		for b := -1; b <= p.toB && (useB || b == -1); b++ {
			if c.when.admissible(a, b) {
				p.combination(out, c, a, b)
			}
		}
	}
}

func (p countedParty) combination(out *strings.Builder, c counted, a, b int) {
	var consume, produce, read []string
	newA, newB := a, b
	if c.setA != nil {
		newA = c.setA.value(a, b)
	}
	if c.setB != nil {
		newB = c.setB.value(a, b)
	}
	if newA < 0 || newA > p.toA || newB < -1 || newB > p.toB {
		newA, newB, produce = a, b, []string{"bound"}
	}
	useA, useB := c.uses()
	count := func(counter string, before, after int, used bool) {
		switch {
		case used && before == after:
			read = append(read, at(counter, before))
		case used:
			consume, produce = append(consume, at(counter, before)), append(produce, at(counter, after))
		}
	}
	count("a", a, newA, useA)
	count("b", b, newB, useB)
	fmt.Fprintf(out, "  transition \"%s-%d\" {\n%s    label = %s\n    consume = [%s]\n    produce = [%s]\n    read = [%s]\n  }\n", c.name, 10*a+b+1, c.move(), c.name,
		strings.Join(consume, ", "), strings.Join(produce, ", "), strings.Join(read, ", "))
}

// outcome is what a text comes to: its size and its verdicts, or why there are none; and its draft, where it has a state model.
func outcome(t *rapid.T, text string) (string, *compile.Draft) {
	src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, ".", "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	if src.Contract == nil {
		return fmt.Sprint(src.Diagnostics), nil
	}
	d := compile.Compile(src, "x", nil)
	r := testkit.Checked(d)
	if r.Model.States == nil {
		return "ill-formed", nil
	}
	return testkit.Size(r) + " " + testkit.Fails(r), d
}

// Expanding counters by hand gives the same state model and the same verdicts.
func TestCountersByHand(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 40)
	sound := 0
	rapid.Check(t, func(t *rapid.T) {
		for range 3 {
			p, firing := drawCounted(t), rapid.SampledFrom([]string{"one", "all"}).Draw(t, "firing")
			sugar, hand := p.sugar(firing), p.byHand(firing)
			got, a := outcome(t, sugar)
			want, b := outcome(t, hand)
			if strings.Contains(got, "can never fire") || strings.Contains(want, "event-missing-label") {
				continue
			}
			if got != want {
				t.Fatalf("%s\nby hand %s\n%s\n%s", got, want, sugar, hand)
			}
			if want != "ill-formed" {
				sound++
				if !testkit.Bisimilar(t, a, b) {
					t.Fatalf("not bisimilar\n%s\n%s", sugar, hand)
				}
			}
		}
	})
	if sound < 20 {
		t.Errorf("only %d contracts stay within their bounds", sound)
	}
}

const instalments = `
contract "c" {}
party "purchaser" {
  counter "paid" {
    title = "instalments paid"
    to    = 3
  }
  transition "pay" {
    title = "the purchaser pays"
    set   = { paid = paid + 1 }
  }
}
requirement "all" {
  ctl = "AF purchaser.paid >= 3"
}
`

func TestCounterOutOfBounds(t *testing.T) {
	for _, rule := range []petri.Rule{petri.One, petri.All} {
		r := testkit.Check(t, fstest.MapFS{"c.contract.hcl": {Data: []byte(instalments)}}, rule)
		if len(r.Diagnostics) != 1 || r.Requirements[0].Verdict != finding.IllFormed {
			t.Fatalf("%+v", r)
		}
		d := r.Diagnostics[0]
		if d.Code != "counter-out-of-bounds" || d.Subject != "purchaser.paid" || d.Source.Start.Line != 10 || len(d.Trace.Prefix) != 4 {
			t.Errorf("%+v", d)
		}
		if want := "purchaser.pay can raise paid above 3, its highest value. Write require = paid < 3."; d.Message+" "+d.Detail != want {
			t.Errorf("%s %s", d.Message, d.Detail)
		}
		if first := d.Trace.Prefix[0]; fmt.Sprint(first.Transitions, first.Changed) != "[purchaser.pay] [{purchaser  [instalments paid: 0] [1] }]" {
			t.Errorf("%+v", first)
		}
	}
}

// TestCounterAdvice: the condition that a message advises mends the contract, and none is advised where no simple one does.
func TestCounterAdvice(t *testing.T) {
	check := func(attributes string) *finding.Result {
		text := strings.Replace(instalments, "set   = { paid = paid + 1 }", attributes, 1)
		if text == instalments {
			t.Fatal("nothing was replaced")
		}
		return testkit.Check(t, fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, petri.One)
	}
	for set, want := range map[string]string{
		"{ paid = paid + 1 }":          "raise paid above 3, its highest value. Write require = paid < 3.",
		"{ paid = paid + 2 }":          "raise paid above 3, its highest value. Write require = paid < 2.",
		"{ paid = paid - 1 }":          "lower paid below 0, its lowest value. Write require = paid > 0.",
		"{ paid = paid == 1 ? 4 : 1 }": "raise paid above 3, its highest value. Say with require when it may happen.",
		"{ paid = paid + 9 }":          "raise paid above 3, its highest value. Say with require when it may happen.",
	} {
		r := check("set = " + set)
		d := r.Diagnostics[0]
		if got := d.Message + " " + d.Detail; got != "purchaser.pay can "+want {
			t.Errorf("%s: %s", set, got)
		}
		advice, given := strings.CutPrefix(strings.TrimSuffix(d.Detail, "."), "Write ")
		if !given {
			continue
		}
		if mended := check("set = " + set + "\n    " + advice); slices.ContainsFunc(mended.Diagnostics, func(d finding.Diagnostic) bool { return d.Class == codes.Error }) {
			t.Errorf("%s does not mend %s: %+v", advice, set, mended.Diagnostics)
		}
	}
	if d := check("set = { paid = paid + 1 }\n    require = paid < 9 || paid > 9").Diagnostics[0]; d.Detail != "Write require = (paid < 9 || paid > 9) && paid < 3." {
		t.Error(d.Detail)
	}
}

// A bound that is never reached is no mistake; a counter that never changes is remarked on, once.
func TestCounterNeverChanges(t *testing.T) {
	for guard, want := range map[string]string{"paid < 2": "", "paid < 3": "", "paid < 0 || paid > 2": "Counter purchaser.paid never changes: it stands at 0 all the time."} {
		text := strings.Replace(instalments, "set   =", "require = "+guard+"\n    set   =", 1)
		r := testkit.Check(t, fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, petri.One)
		said := ""
		for _, d := range r.Diagnostics {
			if d.Code == "state-never-reached" && strings.HasPrefix(d.Message, "Counter") {
				said += d.Message
			}
		}
		if said != want {
			t.Errorf("%s: %q, expected %q", guard, said, want)
		}
	}
}
