package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/internal/testkit"
)

// A form is a random exchange between a giver and a taker, as text in which the names of its parties
// and events can be chosen: in a template, or written out.
type form struct {
	moves    [2][][2]int // of each party, its transitions: from which state to which
	labels   [2][]string // of each transition
	events   [][2]string // a label of each party
	formulas []string    // over {giver} and {taker}
}

func drawForm(t *rapid.T) form {
	var f form
	for p := range f.moves {
		for range rapid.IntRange(1, 5).Draw(t, "transitions") {
			state := rapid.IntRange(0, 2)
			f.moves[p] = append(f.moves[p], [2]int{state.Draw(t, "from"), state.Draw(t, "to")})
			f.labels[p] = append(f.labels[p], rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label"))
		}
	}
	for range rapid.IntRange(1, 2).Draw(t, "events") {
		f.events = append(f.events, [2]string{rapid.SampledFrom(f.labels[0]).Draw(t, "g"), rapid.SampledFrom(f.labels[1]).Draw(t, "t")})
	}
	shapes := []string{"AG EF ({giver}.s0 && {taker}.s0)", "AF ({giver}.s%d || {taker}.s%d)", "A[{giver}.s%d W {taker}.s%d]", "AG ({giver}.s%d -> EX {taker}.s%d)"}
	for _, s := range shapes {
		if strings.Contains(s, "%d") {
			s = fmt.Sprintf(s, rapid.IntRange(0, 2).Draw(t, "i"), rapid.IntRange(0, 2).Draw(t, "j"))
		}
		f.formulas = append(f.formulas, s)
	}
	return f
}

// text writes the form out. Requirement and event names have prefix before them.
func (f form) text(giver, taker, prefix string) string {
	var b strings.Builder
	for p, name := range []string{giver, taker} {
		fmt.Fprintf(&b, "party %q {\n  state \"s0\" {}\n  state \"s1\" {}\n  state \"s2\" {}\n", name)
		for i, m := range f.moves[p] {
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = s%d\n    to = s%d\n    label = %s\n  }\n", i, m[0], m[1], f.labels[p][i])
		}
		b.WriteString("}\n")
	}
	for i, e := range f.events {
		fmt.Fprintf(&b, "event \"%se%d\" {\n  sync = {\n    %s = %s\n    %s = %s\n  }\n}\n", prefix, i, giver, e[0], taker, e[1])
	}
	for i, formula := range f.formulas {
		formula = strings.NewReplacer("{giver}", giver, "{taker}", taker).Replace(formula)
		fmt.Fprintf(&b, "requirement \"%sr%d\" { ctl = %q }\n", prefix, i, formula)
	}
	return b.String()
}

// TestPhasesByHand: phases of random templates, and the same written out, have the same state model
// and the same verdicts, under both firing rules.
func TestPhasesByHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawForm(t)
		rule := rapid.SampledFrom([]string{"one", "all"}).Draw(t, "rule")
		head := "contract \"c\" { firing = " + rule + " }\n"
		phases := testkit.DraftOf(t, head+"party \"a\" {}\nparty \"b\" {}\ntemplate \"form\" {\n"+f.text("giver", "taker", "")+"}\n"+
			use("one", "a", "b")+use("two", "b", "a"))
		written := testkit.DraftOf(t, head+f.text("one-a", "one-b", "one-")+f.text("two-b", "two-a", "two-"))
		if !testkit.Bisimilar(t, phases, written) {
			t.Fatal("the state models are not bisimilar")
		}
		sugar, hand := testkit.Checked(phases), testkit.Checked(written)
		if testkit.Size(sugar) != testkit.Size(hand) || len(sugar.Requirements) != len(hand.Requirements) {
			t.Fatalf("%s in phases, %s by hand", testkit.Size(sugar), testkit.Size(hand))
		}
		for i, q := range sugar.Requirements {
			if by := hand.Requirements[i]; q.Name != strings.Replace(by.Name, "-", ".", 1) || q.Verdict != by.Verdict {
				t.Fatalf("%s: %s in a phase, %s: %s by hand", q.Name, q.Verdict, by.Name, by.Verdict)
			}
		}
	})
}

func use(phase, giver, taker string) string {
	return fmt.Sprintf("phase %q {\n  template = form\n  roles = {\n    giver = %s\n    taker = %s\n  }\n}\n", phase, giver, taker)
}
