package report

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

// TestWhatIsLostIsSaid: in plain, in a comment and in a summary a violation tells what could follow its run before.
func TestWhatIsLostIsSaid(t *testing.T) {
	f := engine.Finding{Kind: engine.New, Name: "delivered", Head: &engine.Requirement{Name: "delivered", Formula: "AF buyer.served", Verdict: engine.Violated},
		Lost: []string{"the seller delivers <b>", "the buyer leaves"}}
	r := engine.Review{Contracts: []engine.ContractReview{{Path: "x", Status: engine.Changed, Findings: []engine.Finding{f}}}}
	var plain strings.Builder
	if err := TextReview(&plain, &r, Style{Width: 200}); err != nil {
		t.Fatal(err)
	}
	const lead = "Where the run that shows it ends, this could follow before the amendment: the seller delivers "
	for what, got := range map[string]string{"text": plain.String(), "summary": MarkdownReview(&r), "comment": MarkdownFinding(f, CommentLimit, "")} {
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
		of   delta.Element
		term delta.Term
		want string
	}{
		{delta.State, delta.Term{Word: "marked", Now: "true"}, "state p.S changed: the party now begins here"},
		{delta.State, delta.Term{Word: "marked", Was: "true"}, "state p.S changed: the party no longer begins here"},
		{delta.Place, delta.Term{Word: "marked", Now: "true"}, "place p.S changed: marked is now true"},
	} {
		c := delta.Change{Action: delta.Rewired, Element: row.of, Name: "p.S", Terms: []delta.Term{row.term}}
		if got := changeText([]delta.Change{c}, terminal); got != row.want {
			t.Errorf("%q, not %q", got, row.want)
		}
	}
}

// TestBeginningToBlame: a block that is changed, and none of its attributes, is a state that has become the first one.
func TestBeginningToBlame(t *testing.T) {
	g := engine.Guilt{Blocks: []engine.Block{{Name: `party "p" / state "S"`, Action: "changed"}}}
	if got, want := GuiltText(&g), "Brought about by: party \"p\" / state \"S\" (), changed: it has become the first one, where its party begins."; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
