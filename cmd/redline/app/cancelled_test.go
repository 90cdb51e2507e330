package app

import (
	"context"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// TestCancelledReviewKeepsWhatItDecided: a signal while the second contract is reviewed leaves the first as it was decided, and the gate as strict.
func TestCancelledReviewKeepsWhatItDecided(t *testing.T) {
	const text = "contract \"c\" {}\nparty \"a\" {\n  state \"S0\" {}\n  state \"S1\" {}\n  transition \"go\" {\n    from = S0\n    to   = S1\n  }\n}\n"
	const stays, leaves = "requirement \"r\" { ctl = \"EF a.S1\" }\n", "requirement \"r\" { ctl = \"AG a.S0\" }\n"
	c := &caseOf{
		base: map[string]string{"one/x.contract.hcl": text + stays, "two/x.contract.hcl": text + stays},
		head: map[string]string{"one/x.contract.hcl": text + leaves, "two/x.contract.hcl": text + leaves},
	}
	revs := c.commit(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	begun := 0
	budget := finding.Budget{Jobs: 1, Turn: func(string, int, int) {
		if begun++; begun == 2 {
			cancel()
		}
	}}
	r, _, err := ReviewRevisions(ctx, revs, ReadOptions{Jobs: 1}, budget)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Contracts[0].Findings[0].Head.Verdict; len(r.Contracts) != 2 || got != finding.Violated {
		t.Errorf("%d contracts, the first %s", len(r.Contracts), got)
	}
	if got := r.Gate(finding.FailNew); got != finding.Violations {
		t.Errorf("the gate's status is %d", got)
	}
}
