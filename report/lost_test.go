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

// TestTheRunMayNeedMore: where the run that is shown is not known to need the changes to blame alone, every format says so.
func TestTheRunMayNeedMore(t *testing.T) {
	f := finding.Finding{Kind: finding.New, Name: "delivered", Base: &finding.Requirement{Name: "delivered", Verdict: finding.Holds},
		Head:  &finding.Requirement{Name: "delivered", Formula: "AF buyer.served", Verdict: finding.Violated, Run: oneRun, Trace: &finding.Trace{}},
		Blame: &finding.Blame{Smallest: true, Blocks: []finding.Block{{Name: `event "x"`, Action: "added"}}, More: true}}
	for what, got := range inEachFormat(t, f) {
		if want := "The run that shows it may need other changes of the amendment as well."; !strings.Contains(got, want) {
			t.Errorf("%s does not say %q: %s", what, want, got)
		}
	}
}

// inEachFormat returns a review of one finding as text and as a summary, and the finding as a page has it. It validates the review as JSON.
func inEachFormat(t *testing.T, f finding.Finding) map[string]string {
	t.Helper()
	r := finding.Review{Contracts: []finding.ContractReview{{Path: "x", Status: finding.Changed, Head: &finding.Result{}, Findings: []finding.Finding{f}}}}
	var plain strings.Builder
	if err := text.Review(&plain, &r, text.Style{Width: 400}); err != nil {
		t.Fatal(err)
	}
	validate(t, schemaOf(t, "review-v1.1.schema.json"), []byte(reviewAsJSON(t, &r)))
	entry := words.DescribeFinding(&f)
	return map[string]string{"text": plain.String(), "summary": markdown.Review(&r), "page": strings.Join(append(entry.Notes, "run = \""+entry.Run+`"`, "by both runs"), "\n")}
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

// TestTheRunFoundFirst: where the run that is shown needs the changes to blame alone, every format tells the one that was found first, and offers a waiver of
// both: with one alone the promise would be broken still.
func TestTheRunFoundFirst(t *testing.T) {
	firing := func(step int, title string) finding.Firing {
		return finding.Firing{Step: step, Event: title, Title: title, Parties: []string{"buyer"}, Transitions: []string{"t"}}
	}
	f := finding.Finding{Kind: finding.New, Name: "delivered", Base: &finding.Requirement{Name: "delivered", Verdict: finding.Holds},
		Head:  &finding.Requirement{Name: "delivered", Formula: "AF buyer.served", Verdict: finding.Violated, Run: oneRun, Trace: &finding.Trace{Prefix: []finding.Firing{firing(1, "the buyer leaves")}}},
		Blame: &finding.Blame{Smallest: true, Blocks: []finding.Block{{Name: `event "x"`, Action: "added"}}, First: &finding.FirstRun{Run: otherRun, Trace: &finding.Trace{Prefix: []finding.Firing{firing(1, "a quick <b> order"), firing(2, "the end")}}}}}
	for what, got := range inEachFormat(t, f) {
		for _, want := range []string{"The run that shows it needs no other change; another one does: a quick ", " order; the end.", oneRun + " " + otherRun + `"`, "by both runs"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s does not say %q: %s", what, want, got)
			}
		}
		if what == "summary" && strings.Contains(got, "<b> order") {
			t.Errorf("%s has HTML of its own: %s", what, got)
		}
	}
}
