package compile

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// TestCanonicalRuns: the text that a fingerprint is of has every event with the drafter's transitions, which of them happen together, how the run
// ends, and the runs that explain it.
func TestCanonicalRuns(t *testing.T) {
	d := &Draft{Parties: []*hclspec.Party{{Name: "watch", Made: "a norm"}, {Name: "seller"}, {Name: "bank"}}}
	firing := func(step int, event string, parts ...string) finding.Firing {
		f := finding.Firing{Step: step, Event: event, Transitions: parts}
		for _, p := range parts {
			party, _, _ := strings.Cut(p, ".")
			f.Parties = append(f.Parties, party)
		}
		return f
	}
	ship := firing(1, "ship", "seller.ship")
	for _, c := range []struct {
		name string
		run  finding.Trace
		want string
	}{
		{"nothing happens", finding.Trace{}, ""},
		{"one after the other", finding.Trace{Prefix: []finding.Firing{ship, firing(2, "pay", "bank.pay")}}, `"ship" ["seller.ship"]|"pay" ["bank.pay"]|`},
		{"together", finding.Trace{Prefix: []finding.Firing{ship, firing(1, "pay", "bank.pay")}}, `"ship" ["seller.ship"]|with "pay" ["bank.pay"]|`},
		{"generated transitions do not count", finding.Trace{Prefix: []finding.Firing{firing(1, "ship", "watch.due", "seller.ship")}}, `"ship" ["seller.ship"]|`},
		{"unless there are no others", finding.Trace{Prefix: []finding.Firing{firing(1, "", "watch.due", "watch.late")}}, `"" ["watch.due" "watch.late"]|`},
		{"a loop", finding.Trace{Prefix: []finding.Firing{ship}, Loop: []finding.Firing{firing(2, "pay", "bank.pay")}}, `"ship" ["seller.ship"]|loop|"pay" ["bank.pay"]|`},
		{"a dead end", finding.Trace{Prefix: []finding.Firing{ship}, DeadEnd: true}, `"ship" ["seller.ship"]|dead end|`},
		{"a run that stops", finding.Trace{Prefix: []finding.Firing{ship}, Stops: true}, `"ship" ["seller.ship"]|stops|`},
		{"what explains it", finding.Trace{Prefix: []finding.Firing{ship}, Then: []*finding.Trace{{DeadEnd: true}, {}}}, `"ship" ["seller.ship"]|then|dead end|end|then|end|`},
	} {
		var b strings.Builder
		if d.writeRun(&b, &c.run); strings.ReplaceAll(b.String(), "\n", "|") != c.want {
			t.Errorf("%s: %q, want %q", c.name, b.String(), c.want)
		}
	}
}
