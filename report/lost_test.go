package report

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// TestWhatIsLostIsSaid: in plain, in a comment and in a summary a violation tells what could follow its run before.
func TestWhatIsLostIsSaid(t *testing.T) {
	f := finding.Finding{Kind: finding.New, Name: "delivered", Head: &finding.Requirement{Name: "delivered", Formula: "AF buyer.served", Verdict: finding.Violated},
		Lost: []string{"the seller delivers <b>", "the buyer leaves"}}
	r := finding.Review{Contracts: []finding.ContractReview{{Path: "x", Status: finding.Changed, Findings: []finding.Finding{f}}}}
	var plain strings.Builder
	if err := text.Review(&plain, &r, text.Style{Width: 200}); err != nil {
		t.Fatal(err)
	}
	const lead = "Where the run that shows it ends, this could follow before the amendment: the seller delivers "
	for what, got := range map[string]string{"text": plain.String(), "summary": markdown.Review(&r), "comment": markdown.Finding(f, markdown.CommentLimit, "")} {
		if !strings.Contains(got, lead) || !strings.Contains(got, "; the buyer leaves.") {
			t.Errorf("%s: %s", what, got)
		}
		if what != "text" && strings.Contains(got, "<b>") {
			t.Errorf("%s has HTML of its own: %s", what, got)
		}
	}
}

// TestBeginning: that a party begins in another state is no word of the drafter's, and is told as what it is.
func TestBeginning(t *testing.T) {
	for _, row := range []struct {
		of   diff.Element
		term diff.Term
		want string
	}{
		{diff.State, diff.Term{Word: "marked", Now: "true"}, "state p.S changed: the party now begins here"},
		{diff.State, diff.Term{Word: "marked", Was: "true"}, "state p.S changed: the party no longer begins here"},
		{diff.Place, diff.Term{Word: "marked", Now: "true"}, "place p.S changed: marked is now true"},
	} {
		c := diff.Change{Action: diff.Rewired, Element: row.of, Name: "p.S", Terms: []diff.Term{row.term}}
		if got := words.ChangeText([]diff.Change{c}, words.Terminal); got != row.want {
			t.Errorf("%q, not %q", got, row.want)
		}
	}
}

// TestBeginningToBlame: a block that is changed, and none of its attributes, is a state that has become the first one.
func TestBeginningToBlame(t *testing.T) {
	g := finding.Blame{Blocks: []finding.Block{{Name: `party "p" / state "S"`, Action: "changed"}}}
	if got, want := words.BlameText(&g), "Brought about by: party \"p\" / state \"S\" (), changed: it has become the first one, where its party begins."; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
