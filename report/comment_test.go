package report

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// breaking are amendments of examples that break promises, by the scripts that try them.
var breaking = []string{"mistake-withdraw", "mistake-payment-first", "amendment-interest", "mistake-cancel"}

var (
	// repeatable matches paragraphs that may be there several times: places of tables, steps and states of runs, and labels of folds.
	repeatable = regexp.MustCompile("^(\\d+\\. |At the |After step |So: |That is because |Then |From there|\\||```mermaid|</?details|For `git|<!--)")
	remarks    = regexp.MustCompile(`(?s)\n<details><summary>\d+ remarks?,.*?(\n### |$)`)
	diagrams   = regexp.MustCompile("(?s)```mermaid\nsequenceDiagram.*?```")
	patches    = regexp.MustCompile("(?s)```diff.*?```")
)

// TestACommentSaysItOnce: of each amendment, and of all of them together, each promise, cause and fix is in the comment once, and so is each paragraph. Each
// drawn run has a red block.
func TestACommentSaysItOnce(t *testing.T) {
	all := finding.Review{Base: "main", Head: "HEAD"}
	for _, name := range breaking {
		r := amended(t, name)
		all.Contracts = append(all.Contracts, r.Contracts...)
		saysItOnce(t, name, r)
	}
	for i := range all.Contracts {
		all.Contracts[i].Path, all.Contracts[i].Name = breaking[i], breaking[i] // two are of one contract
	}
	saysItOnce(t, "all", &all)
}

func saysItOnce(t *testing.T, name string, r *finding.Review) {
	t.Helper()
	said := strings.ReplaceAll(markdown.Review(r), escape.ZeroWidthSpace, "")
	if strings.Contains(said, "Left out, because") {
		t.Fatalf("%s: %d bytes do not fit", name, len(said))
	}
	whole := said
	for _, c := range r.Contracts {
		_, said, _ := strings.Cut(said, "`"+c.Path+"`)\n") // the one contract, or nothing
		if len(r.Contracts) > 1 {
			_, said, _ = strings.Cut(whole, "### `"+c.Path+"`\n")
		}
		said, _, _ = strings.Cut(said, "\n### ")
		for _, f := range c.Findings {
			if f.Kind != finding.New {
				continue
			}
			for what, s := range map[string]string{"promise": text.Subject(f, words.Cell) + " — ", "cause": words.Cause(f.Blame, c.Difference.Changes, words.Markdown), "fix": f.Repairs[0].What} {
				if n := strings.Count(said, s); n != 1 {
					t.Errorf("%s, %s: %s is there %d times: %s", name, f.Name, what, n, s)
				}
			}
		}
	}
	said = remarks.ReplaceAllString(said, "")
	paragraphs := strings.Split(patches.ReplaceAllString(said, ""), "\n\n")
	for i, p := range paragraphs {
		if !repeatable.MatchString(p) && slices.Contains(paragraphs[:i], p) && len(r.Contracts) == 1 {
			t.Errorf("%s: this is there again: %s", name, p)
		}
	}
	found := patches.FindAllString(said, -1)
	if slices.Sort(found); len(slices.Compact(found)) != len(found) {
		t.Errorf("%s: a patch is there again", name)
	}
	for _, d := range diagrams.FindAllString(said, -1) {
		if strings.Count(d, "rect rgba") != 1 || strings.Count(d, "possible")+strings.Count(d, "so it fails") != 1 {
			t.Errorf("%s: nothing is marked in\n%s", name, d)
		}
	}
}

// TestWhatElseChanges: what is to blame is described with its values, and what is not is listed apart, but only if each cause is known.
func TestWhatElseChanges(t *testing.T) {
	block := func(name, action string, terms ...string) finding.Finding {
		return finding.Finding{Kind: finding.New, Name: "x", Blame: &finding.Blame{Blocks: []finding.Block{{Name: name, Action: action, Terms: terms}}}}
	}
	all := []diff.Change{
		{Action: diff.Added, Element: diff.Party, Name: "agent"}, {Action: diff.Added, Element: diff.State, Name: "agent.idle"},
		{Action: diff.Added, Element: diff.Transition, Name: "seller.withdraw"},
		{Action: diff.Rewired, Element: diff.Obligation, Name: "pay", Terms: []diff.Term{{Word: "within", Was: "3", Now: "5"}, {Word: "bearer", Was: "buyer", Now: "agent"}}},
	}
	for name, c := range map[string]struct {
		found       []finding.Finding
		cause, rest string
	}{
		"none":         {nil, "", "party agent added; state agent.idle added; transition seller.withdraw added; obligation pay changed: within was 3, now 5; bearer was buyer, now agent"},
		"a block":      {[]finding.Finding{block(`party "seller" / transition "withdraw"`, "added")}, "transition withdraw of party seller, added.", "party agent added; state agent.idle added; obligation pay changed: within was 3, now 5; bearer was buyer, now agent"},
		"what is in":   {[]finding.Finding{block(`party "agent"`, "added")}, "party agent, added.", "transition seller.withdraw added; obligation pay changed: within was 3, now 5; bearer was buyer, now agent"},
		"an attribute": {[]finding.Finding{block(`obligation "pay"`, "changed", "within")}, "obligation pay, changed: within was 3, now 5.", "party agent added; state agent.idle added; transition seller.withdraw added; obligation pay changed: bearer was buyer, now agent"},
		"the block":    {[]finding.Finding{block(`obligation "pay"`, "changed", "bearer", "within")}, "obligation pay, changed: bearer was buyer, now agent; within was 3, now 5.", "party agent added; state agent.idle added; transition seller.withdraw added"},
		"no change":    {[]finding.Finding{block(`obligation "repay"`, "changed", "within")}, "obligation repay, changed: within.", ""},
		"not known":    {[]finding.Finding{{Kind: finding.New, Blame: &finding.Blame{Reason: "no time"}}}, "Which change brings it about is not known: no time.", ""},
		"nothing":      {[]finding.Finding{{Kind: finding.New}}, "", ""},
	} {
		if c.found != nil {
			if got := words.Cause(c.found[0].Blame, all, words.Terminal); got != c.cause {
				t.Errorf("%s: the cause is %q, not %q", name, got, c.cause)
			}
		}
		var said []string
		rest, apart := words.Unblamed(all, c.found)
		for _, l := range rest {
			said = append(said, words.ChangeText([]diff.Change{l}, words.Terminal))
		}
		if apart != (c.rest != "") || apart && strings.Join(said, "; ") != c.rest || !apart && len(rest) != len(all) {
			t.Errorf("%s: %v, %q", name, apart, said)
		}
	}
}

// TestVerdictLine: the first line of a comment and the counts below it say each number once.
func TestVerdictLine(t *testing.T) {
	review := func(kinds ...finding.Kind) *finding.Review {
		c := finding.ContractReview{Status: finding.Changed, Head: &finding.Result{Digest: "x"}}
		for _, k := range kinds {
			q := discharge(finding.Violated)
			c.Findings = append(c.Findings, finding.Finding{Kind: k, Head: &q})
		}
		return &finding.Review{Contracts: []finding.ContractReview{c}}
	}
	for _, c := range []struct {
		of         *finding.Review
		head, rest string
	}{
		{&finding.Review{}, "no contract is touched", "no contract looked at"},
		{review(finding.Kept, finding.Kept), "the amendment breaks no promise", "2 kept; 1 contract looked at, 1 changed"},
		{review(finding.New, finding.Undecided, finding.Standing, finding.Repaired), "the amendment breaks 1 promise", "1 unknown, 1 still broken, 1 mended; 1 contract looked at, 1 changed"},
		{review(finding.Repaired, finding.Standing), "the amendment mends 1 promise and breaks no promise that was kept; 1 was broken before, and still is", "1 contract looked at, 1 changed"},
		{review(finding.Undecided), "whether every promise is kept could not be decided within the limits", "1 unknown; 1 contract looked at, 1 changed"},
		{review(finding.Meaningless, finding.New), "the amended text has errors, so that not every promise could be checked", "1 ill-formed, 1 broken; 1 contract looked at, 1 changed"},
		{review(finding.Waived), "the amendment breaks 1 promise", ""},
	} {
		b := words.Balanced(c.of)
		if got := words.VerdictLine(b); c.rest != "" && got != c.head {
			t.Errorf("%q, not %q", got, c.head)
		}
		if got := words.Counts(b); c.rest != "" && got != c.rest {
			t.Errorf("%q, not %q", got, c.rest)
		}
	}
}
