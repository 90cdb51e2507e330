package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// A handover, as blocks of its own, and as a phase that expands to the same.
const (
	handover = `
party "giver" {
  state "S0" {}
  state "S1" {}
  transition "give" {
    from = S0
    to   = S1
  }
}
party "taker" {
  state "P0" {}
  state "P1" {}
  transition "take" {
    from = P0
    to   = P1
  }
}
event "handed-over" {
  sync = {
    giver = give
    taker = take
  }
}
obligation "deliver" {
  bearer       = giver
  counterparty = taker
  fulfil       = handed-over
  within       = 3
}
requirement "done" { ctl = "EF (giver.S1 && taker.P1)" }
requirement "can" { ctl = "AG (deliver.owed -> EF deliver.fulfilled)" }
`
	afterHandover = `
event "payment" { by = taker }
obligation "pay" {
  bearer       = taker
  counterparty = giver
  fulfil       = payment
  within       = 3
}
requirement "paid" { ctl = "AG (pay.owed -> EF pay.fulfilled)" }
scenario "late" {
  events = [tick, tick, tick]
  breach = taker
}
`
)

// TestBlocksInPlaceOfAPhase: a phase in the place of the blocks that it expands to, and the other way round, is the same by other names, also for what
// the whole contract says of those who play the roles.
func TestBlocksInPlaceOfAPhase(t *testing.T) {
	names := strings.NewReplacer("giver", "seller", "taker", "buyer")
	phase := "party \"seller\" {}\nparty \"buyer\" {}\ntemplate \"t\" {" + handover + "}\nphase \"goods\" {\n  template = t\n  roles = {\n    giver = seller\n    taker = buyer\n  }\n}\n"
	idle := strings.NewReplacer("    from = S0\n    to   = S1\n", "    from = S1\n    to   = S1\n").Replace(phase)
	for _, after := range []string{"", names.Replace(afterHandover)} {
		blocks, phase := "contract \"c\" {}\n"+names.Replace(handover)+after, "contract \"c\" {}\n"+phase+after
		for _, texts := range [][2]string{{blocks, phase}, {phase, blocks}} {
			c := amend(t, texts[0], texts[1], "").Contracts[0]
			for _, f := range c.Findings {
				if f.Kind != finding.Kept || f.Base == nil {
					t.Errorf("%s %s, on base %v", f.Kind, f.Name, f.Base)
				}
			}
			if got := c.Difference.All.Relation; got != delta.Same {
				t.Errorf("it behaves otherwise: %s", got)
			}
			for _, change := range c.Difference.Changes {
				if change.Action != diff.Renamed {
					t.Errorf("%+v", change)
				}
			}
			for _, e := range c.Difference.Exposure {
				if !words.SameExposure(&e) {
					t.Errorf("%s is exposed otherwise: %+v", e.Party, e)
				}
			}
		}
	}
	// A role that has the parts, and what they do elsewhere.
	head := "contract \"c\" {}\n" + idle + "net \"real\" {\n  state \"A\" {}\n  state \"B\" {}\n  transition \"move\" {\n    from = A\n    to   = B\n  }\n}\nevent \"moving\" { sync = { real = move } }\n"
	if c := amend(t, "contract \"c\" {}\n"+names.Replace(handover), head, "").Contracts[0]; !strings.Contains(findingsOf(c), "dropped") && !strings.Contains(findingsOf(c), "new") {
		t.Errorf("an idle role is what the party was: %s", findingsOf(c))
	}
}
