package behaviour_test

import (
	"context"
	"fmt"
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

// TestAlikeViews: what each of several alike parties sees is told of one and exchanged for the others, on states and on diagrams. It is what a
// comparison for that party alone says, which exchanges nothing (--observe).
// Amendments change what each of them does, what the seller does, or both; in some contracts one of them is tied to something else.
func TestAlikeViews(t *testing.T) {
	draws.SkipForRaces(t)
	told := map[string]int{}
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
		i := rapid.IntRange(0, len(small.Views)-1).Draw(t, "view")
		party := small.Views[i].Party
		alone := compared(finding.Budget{Observe: []string{party}}).All
		for method, view := range map[string]finding.Behaviour{"states": small.Views[i].Behaviour, "diagrams": large.Views[i].Behaviour} {
			if view.Relation == delta.Unknown && view.Reason == "" || strings.Contains(view.Reason, "defect") {
				t.Fatalf("%s, %s: unknown because %q\n%s\n%s", party, method, view.Reason, base, head)
			}
			if view.Relation == delta.Unknown && method == "diagrams" {
				continue
			}
			told[method]++
			if said := missing(method, view, alone); said != "" {
				t.Fatalf("%s, %s: %s\n%s\n%s", party, method, said, base, head)
			}
		}
	})
	if told["states"] == 0 || told["diagrams"] == 0 {
		t.Error("nothing was told:", told)
	}
}

// TestAlikeViewsSayLater: what comes only later is said of each of several alike parties.
func TestAlikeViewsSayLater(t *testing.T) {
	text := func(wait string) string {
		return "contract \"alike\" {\n  firing = one\n}\nparty \"p\" {\n  count = 2\n  state \"P0\" {}\n  state \"P1\" {}\n  transition \"go\" {\n    from = P0\n    to = P1\n  }\n}\n" +
			"party \"s\" {\n  state \"S0\" {}\n  state \"S1\" {}\n  transition \"open\" {\n    from = S0\n    to = S1\n  }\n}\n" +
			"event \"opening\" {\n  sync = { s = open }\n}\nevent \"entry\" {\n  sync = { p = each(go) }\n  not_before = { opening = " + wait + " }\n}\n"
	}
	d := blame.Compare(t.Context(), testkit.DraftOf(t, text("2")), testkit.DraftOf(t, text("5")), finding.Budget{}).Difference
	for _, v := range d.Views[:2] {
		if len(v.Impossible) != 1 || v.Impossible[0].Later.Ticks != 3 {
			t.Errorf("%s: %v", v.Party, v.Impossible)
		}
	}
}

// missing returns what a view says and a comparison that shows more sequences does not, or what it should say and does not.
// Diagrams show no choice.
func missing(method string, view, alone finding.Behaviour) string {
	if view.Relation != alone.Relation {
		return fmt.Sprintf("%s, and it is %s", view.Relation, alone.Relation)
	}
	for i, list := range [][]finding.Sequence{view.Possible, view.Impossible} {
		all := [][]finding.Sequence{alone.Possible, alone.Impossible}[i]
		if len(list) != min(len(all), sequencesOfView) {
			return fmt.Sprintf("%d sequences of %d", len(list), len(all))
		}
		for _, s := range list {
			if !slices.ContainsFunc(all, func(o finding.Sequence) bool { return outline(o) == outline(s) }) {
				return outline(s) + " is none of its sequences"
			}
		}
	}
	if a, b := fmt.Sprint(outlook(view.Choice)), fmt.Sprint(outlook(alone.Choice)); a != b && method == "states" {
		return "choice " + a + ", and it is " + b
	}
	return ""
}

// sequencesOfView are shown of a party in each direction.
const sequencesOfView = 3

// outline describes a sequence without the names of its steps: another of the shortest runs may be shown.
func outline(s finding.Sequence) string {
	return fmt.Sprintf("%s instead of %s after %d steps, later: %v", s.Refused, s.Instead, len(s.Run), s.Later)
}

// outlook describes what a choice leaves, without its run.
func outlook(c *finding.Choice) any {
	if c == nil {
		return nil
	}
	return []any{c.Head, c.Next, c.Others}
}
