package behaviour_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestAlikeViews: what each of several alike parties sees is told of one and exchanged for the others, and is what all states tell of each.
// Amendments change what each of them does, what the seller does, or both; in some contracts one of them is tied to something else.
func TestAlikeViews(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 60)
	told := 0
	rapid.Check(t, func(t *rapid.T) {
		base := testkit.DrawAlike(t)
		head := base
		add := func(after, from, to string) {
			head = strings.Replace(head, after, after+"  transition \"more\" {\n    from = "+from+"\n    to = "+to+"\n  }\n", 1)
		}
		if rapid.Bool().Draw(t, "each") {
			states := rapid.SampledFrom([]string{"P0", "P1", "P2"})
			add("party \"p\" {\n  count = 3\n", states.Draw(t, "from"), states.Draw(t, "to"))
		}
		if rapid.Bool().Draw(t, "seller") {
			add("party \"s\" {\n", "S1", "S0")
		}
		if rapid.Bool().Draw(t, "less") {
			base, head = head, base
		}
		compared := func(b finding.Budget) *finding.Difference {
			return blame.Compare(context.Background(), testkit.DraftOf(t, base), testkit.DraftOf(t, head), b).Difference
		}
		small, large := compared(finding.Budget{}), compared(few)
		if small == nil || small.States.Unknown != "" {
			return
		}
		for i, v := range large.Views {
			if v.Relation == delta.Unknown && v.Reason == "" || strings.Contains(v.Reason, "defect") {
				t.Fatalf("%s: unknown because %q\n%s\n%s", v.Party, v.Reason, base, head)
			}
			if v.Relation == delta.Unknown {
				continue
			}
			told++
			if got, want := outline(v.Behaviour), outline(small.Views[i].Behaviour); got != want {
				t.Fatalf("%s: %s\nand it is %s\n%s\n%s", v.Party, got, want, base, head)
			}
		}
	})
	if told == 0 {
		t.Error("nothing was told")
	}
}

// outline describes a behaviour without the order of its sequences, and without the names of steps: another of the shortest runs may be shown.
func outline(b finding.Behaviour) string {
	var lines []string
	for i, list := range [][]finding.Sequence{b.Possible, b.Impossible} {
		for _, s := range list {
			lines = append(lines, "+-"[i:i+1]+s.Refused+" instead of "+strings.Join(s.Instead, ", ")+" after"+strings.Repeat(" .", len(s.Run)))
		}
	}
	slices.Sort(lines)
	return strings.Join(append([]string{b.Relation.String()}, lines...), "\n")
}
