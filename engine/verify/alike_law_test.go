package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// TestAlikeParties compares verdicts on what is required for each of several parties, and on whom that rests, with their definitions, in both
// engines. In some contracts one of the parties is tied to something that the others are not.
func TestAlikeParties(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 25)
	asked := 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawAlike(t)
		d := testkit.DraftOf(t, text)
		g, _, oneSafe := testkit.ExploreForProgress(d)
		if !oneSafe {
			return
		}
		for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
			for i, q := range verify.Check(t.Context(), d, finding.Budget{Engine: e}).Requirements {
				if want := naive.Sat(g, d.Formulas[i])[0]; want != (q.Verdict == finding.Holds) {
					t.Fatalf("%s, %s: %s (%s), expected %t\n%s", q.Formula, e, q.Verdict, q.Reason, want, text)
				}
			}
		}
		asked += compareRests(t, d.Spec)
	})
	if asked == 0 {
		t.Fatal("nothing was asked")
	}
}

// drawAlike draws the text of a contract of a seller and three alike parties, with requirements on each.
func drawAlike(t *rapid.T) string {
	var b strings.Builder
	b.WriteString(testkit.DrawAlike(t))
	for i := range 4 {
		promise := rapid.SampledFrom([]string{"AG (q.P%d -> AF q.P%d)", "AF (q.P%d || s.S1 && q.P%d)", "AG (s.S1 -> A[!q.P%d U q.P%d])", "A[q.P%d W AF q.P%d]",
			"AG (q.P%d -> EF q.P%d)", "AG (q.P%d && s.S0 -> AX !q.P%d)"}).Draw(t, "promise")
		text := "all q in p: " + fmt.Sprintf(promise, rapid.IntRange(0, 2).Draw(t, "a"), rapid.IntRange(0, 2).Draw(t, "b"))
		if rapid.IntRange(0, 3).Draw(t, "besides") == 0 {
			text = "(" + text + ") && AF s.S1 && s.S0"
		}
		fmt.Fprintf(&b, "requirement \"r%d\" {\n  ctl = %q\n}\n", i, text)
	}
	return b.String()
}
