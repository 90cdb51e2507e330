package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/diag"
)

func countingText(counters, transitions string) string {
	return fmt.Sprintf("contract \"c\" {}\nparty \"p\" {\n%s%s}\n", counters, transitions)
}

func counterText(name string, to int) string {
	return fmt.Sprintf("  counter %q { to = %d }\n", name, to)
}

// repeated makes n transitions alike.
func repeated(n int, body string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  transition \"t%d\" { %s }\n", i, body)
	}
	return b.String()
}

func manyCounters(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(counterText(fmt.Sprintf("c%d", i), 999))
	}
	return b.String()
}

func TestCounterLimits(t *testing.T) {
	two := counterText("a", 99) + counterText("b", 99)
	for _, c := range []struct {
		name, text string
		line       int // of the error; 0: none
	}{
		{"1,000 values", countingText(counterText("a", 999), ""), 0},
		{"1,001 values, one taken", countingText(counterText("a", 1000), ""), 0},
		{"a billion values, 1,000 taken", countingText(counterText("a", 1_000_000_000), "  transition \"t\" {\n    require = a < 999000000\n    set = { a = a + 1000000 }\n  }\n"), 0},
		{"1,001 values, all taken", countingText(counterText("a", 1000), repeated(1, "set = { a = a + 1 }")), 4},
		{"10,000 combinations", countingText(two, repeated(1, "require = a < b")), 0},
		{"10,100 combinations", countingText(two+counterText("c", 100), repeated(1, "require = a < c")), 6},
		{"100,000 combinations", countingText(two, repeated(10, "require = a == b")), 0},
		{"100,001 combinations", countingText(two+counterText("c", 0), repeated(10, "require = a == b")+
			"  transition \"more\" { set = { c = 0 } }\n"+"  transition \"again\" { set = { c = 0 } }\n"), 16},
		{"long conditions", countingText(two, repeated(2, "require = a < b"+strings.Repeat(" || a < b", 200))), 5},
		{"many instances", countingText("  count = 201\n"+counterText("a", 999), ""), 3},
		{"many counters", countingText(manyCounters(201), ""), 203},
		{"too many to multiply", countingText(strings.Join([]string{counterText("a", 999), counterText("b", 999), counterText("c", 999),
			counterText("d", 999), counterText("e", 999), counterText("f", 999), counterText("g", 999)}, ""),
			repeated(1, "require = a + b + c + d + e + f + g < 3")), 10},
	} {
		src := loadText(t, c.text)
		switch {
		case c.line == 0 && src.Contract == nil:
			t.Errorf("%s: %v", c.name, src.Diagnostics)
		case c.line > 0 && (len(src.Diagnostics) != 1 || diag.CodeOf(src.Diagnostics[0]) != diag.Expansion || src.Diagnostics[0].Subject.Start.Line != c.line):
			t.Errorf("%s: want an error at line %d: %v", c.name, c.line, src.Diagnostics)
		}
	}
}

// Values from elsewhere stand beside counters, and mean what they mean everywhere.
func TestCountersBesideOtherValues(t *testing.T) {
	src := loadText(t, `
contract "c" {}
locals {
  most = 3
}
party "p" {
  count = 2
  counter "paid" { to = local.most + count.index }
  transition "pay" {
    require = paid < local.most + count.index
    set     = { paid = paid + 1 }
  }
}
`)
	if src.Contract == nil {
		t.Fatal(src.Diagnostics)
	}
	for i, p := range src.Contract.Parties {
		if len(p.Places) != 4+i || len(p.Transitions) != 3+i {
			t.Errorf("%s: %d places, %d transitions", p.Name, len(p.Places), len(p.Transitions))
		}
	}
}

// What is divided by zero is a mistake where it is come to, not an infinite number.
func TestDividedByZero(t *testing.T) {
	for _, c := range []struct {
		require string
		want    int // column of the mistake; 0: none
	}{
		{"10 / a > 1", 20}, {"a % 0 == 1", 19}, {"!(a > 2 || 4 / (a - 2) > 0)", 30}, {"max(a, 4 % a) > 1", 26},
		{"a > 0 && 10 / a > 1", 0}, {"a == 0 || 4 % a == 0", 0}, {"(a == 0 ? 1 : 4 / a) > 1", 0}, {"(a == 1 ? 1 : 4 / a) > 1", 33}, {"a / 2 > 0", 0},
	} {
		src := loadText(t, countingText(counterText("a", 3), "transition \"t\" {\n    require = "+c.require+"\n    set = { a = 0 }\n}\n"))
		got := 0
		if len(src.Diagnostics) > 0 {
			got = src.Diagnostics[0].Subject.Start.Column
		}
		if got != c.want || len(src.Diagnostics) > 1 {
			t.Errorf("%s: column %d, want %d: %v", c.require, got, c.want, src.Diagnostics)
		}
	}
}

// Numbers are rounded as decimal fractions are, not as the binary ones that come near them.
func TestRounding(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"floor(0.05 * 20)", 1}, {"ceil(0.05 * 20)", 1}, {"floor(7 / 2)", 3}, {"ceil(7 / 2)", 4}, {"round(7 / 2)", 4}, {"round(5 / 3)", 2}, {"round(4 / 3)", 1},
		{"100 + floor(-7 / 2)", 96}, {"100 + ceil(-7 / 2)", 97}, {"100 + round(-7 / 2)", 96}, {"100 + round(-10 / 3)", 97}, {"floor(29 * 0.1 * 10)", 29},
		{"round(0.35 * 10)", 4}, {"floor(1 - 1 / 3)", 0}, {"ceil(1e-90)", 1}, {"floor(3)", 3}, {"round(0)", 0},
	} {
		src := loadText(t, countingText("counter \"a\" { to = "+c.text+" }\n", ""))
		if src.Contract == nil {
			t.Errorf("%s: %v", c.text, src.Diagnostics)
		} else if got := len(src.Contract.Parties[0].Places) - 1; got != c.want {
			t.Errorf("%s is %d, want %d", c.text, got, c.want)
		}
	}
}

// What a variable makes impossible is no mistake of the text. What the text alone makes impossible is one.
func TestImpossibleByValues(t *testing.T) {
	for _, c := range []struct {
		limit, to string
		refused   bool
	}{{"local.most", "3", false}, {"5", "local.most - 2", false}, {"5", "3", true}} {
		src := loadText(t, "locals {\n  most = 5\n}\n"+countingText("  counter \"a\" { to = "+c.to+" }\n", "  transition \"t\" {\n    require = a >= "+c.limit+"\n    set     = { a = 0 }\n  }\n")+
			"event \"e\" {\n  sync       = { p = t }\n  only_while = p.a > "+c.limit+"\n}\n")
		if c.refused {
			if len(src.Diagnostics) != 2 || diag.CodeOf(src.Diagnostics[0]) != diag.Contradiction || diag.CodeOf(src.Diagnostics[1]) != diag.Contradiction {
				t.Errorf("%+v: %v", c, src.Diagnostics)
			}
			continue
		}
		if src.Contract == nil {
			t.Fatalf("%+v: %v", c, src.Diagnostics)
		}
		variants, need := src.Contract.Parties[0].Transitions, src.Contract.Events[0].Needs[0]
		if len(variants) != 1 || !variants[0].Never() || len(need) != 1 || need.Places()[len(need.Places())-1].Marked {
			t.Errorf("%+v: %v %v", c, variants, need)
		}
	}
}
