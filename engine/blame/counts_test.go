package blame

import (
	"context"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/verify"
)

// TestBlameOfWhatCounts: a question counts in head's ticks, also of texts with longer ones; and a waiver that is gone is to blame that its violation counts.
func TestBlameOfWhatCounts(t *testing.T) {
	const late = "contract \"c\" {}\nparty \"s\" {}\nparty \"b\" {}\nevent \"order\" { by = b }\nevent \"delivery\" {\n  by = s\n  not_before = { order = \"3 days\" }\n}\n" +
		"scenario \"not-too-early\" {\n  events = [order, \"2 days\", delivery]\n  expect = impossible\n}\n"
	const broken = "contract \"c\" {}\nparty \"p\" {\n  state \"s\" {}\n  state \"bad\" {}\n  transition \"t\" {\n    from = s\n    to   = bad\n  }\n}\nrequirement \"r\" {\n  ctl = \"AG !p.bad\"\n}\n"
	run := verify.Check(context.Background(), testkit.DraftOf(t, broken), finding.Budget{Jobs: 1}).Requirements[0].Run
	waived := strings.TrimSuffix(broken, "}\n") + "  waiver {\n    reason   = \"known\"\n    approver = \"A\"\n    run      = \"" + run + "\"\n  }\n}\n"
	for _, c := range []struct{ name, base, head, want string }{
		{"longer ticks before", late, strings.Replace(late, "3 days", "24 hours", 1), `event "delivery"`},
		{"a waiver that is gone", waived, broken, `requirement "r" / waiver`},
	} {
		r := Compare(context.Background(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 1})
		if len(r.Findings) != 1 || r.Findings[0].Kind != finding.New || len(r.Findings[0].Blame.Blocks) != 1 || r.Findings[0].Blame.Blocks[0].Name != c.want {
			t.Errorf("%s: %+v", c.name, r.Findings[0].Blame)
		}
	}
}
