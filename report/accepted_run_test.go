package report

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/words"
)

// TestNewlyAcceptedKeepsItsRun: of a failed check that the amendment accepts itself the run is shown to whoever approves it, and not again once base has the acceptance.
func TestNewlyAcceptedKeepsItsRun(t *testing.T) {
	of := func(accepted string) *finding.Result {
		r := sound()
		r.Diagnostics = []finding.Diagnostic{{Code: "dead-end", Class: codes.Violation, Message: "The contract can come to a stop.", Accepted: accepted,
			Trace: &finding.Trace{Prefix: []finding.Firing{{Step: 1, Event: "leave", Title: "the buyer walks away"}}}}}
		return r
	}
	for was, shown := range map[string]bool{"": true, "agreed": false} {
		c := finding.ContractReview{Status: finding.Changed, Base: of(was), Head: of("agreed"), Difference: &finding.Difference{}}
		review := &finding.Review{Contracts: []finding.ContractReview{c}}
		page := false
		for _, e := range words.DescribeRemarks(&c) {
			page = page || e.Trace != nil
		}
		text := textReview(t, review, 0)
		if strings.Contains(text, "the buyer walks away") != shown || strings.Contains(markdown.Review(review), "the buyer walks away") != shown || page != shown {
			t.Errorf("accepted on base %q: the run is shown on the page: %t\\n%s\\n%s", was, page, text, markdown.Review(review))
		}
	}
}
