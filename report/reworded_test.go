package report

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/words"
)

// TestRewordedIsNotAsBefore: what is said of a promise before an amendment that rewords it is true of the wording that is shown. A promise that head does not make has
// no requirement for a waiver.
func TestRewordedIsNotAsBefore(t *testing.T) {
	const seller = `contract "c" {}
party "seller" {
  state "open" {}
  state "sold" {}
  state "away" {}
  transition "wait" {
    from = open
    to   = open
  }
  transition "sell" {
    from = open
    to   = sold
  }
`
	const leaving = "  transition \"leave\" {\n    from = open\n    to   = away\n  }\n"
	promise := func(terms string) string { return "}\nrequirement \"r\" {\n" + terms + "}\n" }
	for name, c := range map[string]struct {
		base, head, kind, before, meaning string
	}{
		"kept in the new wording": {promise("  ctl = \"AF seller.sold\"\n"), leaving + promise("  ctl = \"AG !seller.away\"\n"), "broken", "kept",
			"The amendment rewords this promise, and the contract does not keep the new wording."},
		"broken in the new wording": {leaving + promise("  ctl = \"EF seller.sold\"\n"), leaving + promise("  ctl = \"AG !seller.away\"\n"), "broken", "broken",
			"The amendment rewords this promise, and the contract does not keep the new wording."},
		"of what only head has": {promise("  ctl = \"EF seller.sold\"\n"), "  state \"lost\" {}\n" + strings.ReplaceAll(leaving, "away", "lost") + promise("  ctl = \"AG !seller.lost\"\n"), "broken", "—",
			"The amendment rewords this promise, and the contract does not keep the new wording."},
		"without what was assumed": {promise("  ctl = \"AF seller.sold\"\n  assuming = progress(time)\n"), promise("  ctl = \"AF seller.sold\"\n"), "same actors", "broken",
			"Broken before the amendment and after it, only if somebody waits for ever: it rests on seller, as before."},
		"kept in a wording that base did not promise": {leaving + promise("  ctl = \"EF seller.sold\"\n"), promise("  ctl = \"AG !seller.away\"\n"), "kept", "broken",
			"The amendment rewords this promise. The contract did not keep the new wording before, and keeps it now."},
		"mended, and reworded": {leaving + promise("  ctl = \"AG (seller.open || seller.sold)\"\n"), promise("  ctl = \"AG (seller.open || seller.sold) && AG !seller.away\"\n"), "mended", "broken",
			"The amendment rewords this promise. The contract kept neither wording before, and keeps the new one now."},
		"broken in both wordings": {leaving + promise("  ctl = \"AF seller.sold\"\n"), leaving + promise("  ctl = \"AG !seller.away\"\n"), "still broken", "broken",
			"The amendment rewords this promise. The contract kept neither wording before, and does not keep the new one now."},
		"another notation": {promise("  ctl = \"AG !seller.away\"\n"), leaving + promise("  ctl = \"!EF seller.away\"\n"), "broken", "kept",
			"The amendment rewords this promise, and the contract does not keep the new wording."},
	} {
		if name == "without what was assumed" {
			c.base = strings.Replace(c.base, "progress(time)", "progress(seller)", 1)
			wait := "party \"light\" {\n  flag \"on\" {}\n  transition \"turn\" { set = { on = true } }\n  transition \"back\" { set = { on = false } }\n}\n"
			c.base, c.head = c.base+wait, c.head+wait
		}
		r := blame.Compare(context.Background(), draftOf(t, seller+c.base), draftOf(t, seller+c.head), finding.Budget{Jobs: 1})
		found := false
		for _, f := range r.Findings {
			if f.Old {
				if f.Head.Run != "" {
					t.Errorf("%s: a promise that head does not make has a run that a waiver could name", name)
				}
				continue
			}
			found = true
			before, _ := words.BeforeAfter(f)
			if said := words.Meaning(f, words.Terminal); words.KindWord(f) != c.kind || before != c.before || said != c.meaning {
				t.Errorf("%s: %s, before %s: %s", name, words.KindWord(f), before, said)
			}
		}
		if !found {
			t.Errorf("%s: nothing was found: %+v", name, r.Findings)
		}
		said := markdown.Review(&finding.Review{Contracts: []finding.ContractReview{r}})
		if name == "broken in both wordings" && !strings.Contains(said, "1 was broken before, and still is") {
			t.Errorf("one promise is counted in both wordings:\n%s", said)
		}
		if strings.Count(said, "waiver {") > 1 {
			t.Errorf("%s: a waiver is offered for a promise that head does not make:\n%s", name, said)
		}
	}
}

// draftOf compiles a contract of one file.
func draftOf(t *testing.T, text string) *compile.Draft {
	t.Helper()
	src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, ".", "x", nil)
	if err != nil || src.Contract == nil {
		t.Fatal(err, src, text)
	}
	return compile.Compile(src, "x", nil)
}
