package reduce_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/reduce"
)

// read reads a net "a b; a -> c; ?b c -> a" whose first part lists the marked places, and a formula about it.
func read(t *testing.T, text, formula string) (*petri.Net, *ctl.Formula) {
	n, number := &petri.Net{Name: "n"}, map[string]int{}
	at := func(words string) (list, read []int) {
		for _, w := range strings.Fields(words) {
			name, reads := strings.CutPrefix(w, "?")
			if _, known := number[name]; !known {
				number[name] = len(n.Places)
				n.Places = append(n.Places, petri.Place{Net: "n", Name: name})
			}
			if reads {
				read = append(read, number[name])
			} else {
				list = append(list, number[name])
			}
		}
		slices.Sort(list)
		return list, read
	}
	marked, rest, _ := strings.Cut(text, ";")
	n.Initial, _ = at(marked)
	for _, arcs := range strings.Split(rest, ";") {
		in, out, _ := strings.Cut(arcs, "->")
		tr := petri.Transition{Event: -1}
		tr.In, tr.Read = at(in)
		tr.Out, _ = at(out)
		n.Transitions = append(n.Transitions, tr)
	}
	f, err := ctl.Parse(formula)
	if err != nil {
		t.Fatal(err)
	}
	for a := range f.Atoms() {
		a.Place = number[a.Name]
	}
	return n, f
}

// TestRules: each rule where it applies, and what the formula must not need for it.
func TestRules(t *testing.T) {
	ring := "; a -> b; b -> a"
	for _, c := range []struct{ net, formula, want string }{
		{"a e" + ring + "; a ?e -> b", "EX a", "1 constant places, 1 transitions like another"},
		{"a" + ring + "; z -> b", "EX a", "1 constant places, 1 dead transitions"},
		{"a c; a c -> b; b -> a c; ?c -> ", "EX (a && !c)", "1 places equal to another"},
		{"a; a -> b c; b c -> a; b ?c -> d; d c -> a", "EX b", "1 implied reads, 1 implicit places"},
		{"a; a -> b z; b -> a; z -> ", "EX b", ""},
		{"a; a -> b z; b z -> a", "EX b", "1 places equal to another"},
		{"a; a -> b z; b -> c; c z -> a", "EX c", "1 implicit places"},
		{"a; a -> b; a -> b; b -> a", "EX b", "1 transitions like another"},
		{"a; a -> b; b -> ", "EX b", ""},
		// What goes on beside: for ever, or for a while.
		{"a z; a -> b; b -> ; z -> y; y -> z", "AG EF b", "2 constant places, 2 transitions that concern nothing"},
		{"a z; a -> b; b -> ; z ?a -> y; y -> z", "AF b", "1 constant places, 1 places with one consumer that waits for nothing else"},
		{"a z; a -> b; b -> ; z -> y; y -> ", "AF b", "2 constant places, 2 transitions that end and concern nothing"},
		{"a z; a -> b; b -> ; z -> y; y -> ", "AF EX b", ""},
		{"a; a -> b; b -> ; ?a -> ", "AG EF b", "1 transitions that concern nothing"},
		{"a; a -> b; b -> ; ?a -> ", "AF b", ""},
		// One after the other.
		{"a; a -> b; b -> c; c -> a", "AG EF a", "1 places with one consumer that waits for nothing else"},
		{"a d; a ?d -> b; b -> x; b -> y; x d -> a c; y ?d -> a; c -> d", "AF c",
			"1 implied reads, 1 places with one consumer that waits for nothing else, 1 places whose consumers wait for nothing else"},
		{"a d; a ?d -> b; b -> x; b -> y; x d -> a c; y ?d -> a; c -> d", "AG EF c", "1 implied reads, 1 places with one consumer that waits for nothing else"},
		{"a b d; d -> f; f -> d; a b -> p; p ?d -> c h; c ?f -> a; h ?d -> b", "AF (c && d)", "1 places whose producers compete with nothing"},
		{"a b d; d -> f; f -> d; a b -> p; p ?d -> c h; c ?f -> a; h ?d -> b", "EX (c && d)", ""},
		{"a d; a -> p; p d -> c; c -> a d; a d -> g; g -> a d", "EF c",
			"1 places equal to another, 1 transitions that concern nothing, 1 places with one consumer that waits for nothing else, 1 places whose producers make nothing else"},
		{"a d; a -> p; p d -> c; c -> a d; a ?d -> g; g -> a", "EF (c && g)", "1 implied reads, 1 implicit places, 1 places whose producers make nothing else"},
		{"a d; a -> p; d -> e; p ?d -> a; ?a -> ", "EF !EX true", "1 implicit places"}, // p and e, by way of a loop at a
		{"a d; a -> p; p d -> c; c -> a d; a ?d -> g; g -> a", "AF (c && g)", "1 implied reads, 1 implicit places"},
	} {
		n, f := read(t, c.net, c.formula)
		r, err := reduce.Reduce(context.Background(), n, f)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, a := range r.Applied {
			have = append(have, a.String())
		}
		if got := strings.Join(have, ", "); got != c.want {
			t.Errorf("%s for %s: %s, expected %s\n%s", c.net, c.formula, got, c.want, show(n, f, r))
		}
	}
}

// TestGeneratorMeetsEveryRule: the laws would mean little if the random nets gave a rule nothing to do.
func TestGeneratorMeetsEveryRule(t *testing.T) {
	times := map[string]int{}
	for _, kind := range kinds {
		gen := rapid.Custom(func(t *rapid.T) *reduce.Reduced {
			n := anyNet(t)
			f := anyFormula(t, n, kind)
			if explore(n) == nil {
				return nil
			}
			r, err := reduce.Reduce(context.Background(), n, f)
			if err != nil {
				t.Fatal(err)
			}
			return r
		})
		for seed := range 300 {
			r := gen.Example(seed)
			if r == nil {
				continue
			}
			for _, a := range r.Applied {
				times[a.Rule.String()]++
			}
		}
	}
	for rule := range reduce.Rules {
		if times[rule.String()] < 5 {
			t.Errorf("%v: %d times", rule, times[rule.String()])
		}
	}
}
