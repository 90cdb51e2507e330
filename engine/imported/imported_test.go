package imported_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/imported"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/examples/corpus"
)

func checkNet(t *testing.T, text string, b finding.Budget) *finding.Result {
	t.Helper()
	n, err := imported.Import(context.Background(), "n.pnml", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return n.Check(context.Background(), b)
}

// TestBusinessProcessesAreJudged: of every net of the IBM library the verdict is as published, the three of over 300,000 states
// included, and every objection but a dead transition has its run.
func TestBusinessProcessesAreJudged(t *testing.T) {
	ibm := corpus.Need(t, "corpus/ibm")
	table, err := os.ReadFile(filepath.Join(ibm, "verdicts.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		col := strings.Split(line, "\t")
		t.Run(col[0], func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(ibm, col[0]))
			if err != nil {
				t.Fatal(err)
			}
			r := checkNet(t, string(text), finding.Budget{Memory: 1 << 30, Time: 10 * time.Minute})
			want := map[string]finding.Verdict{"sound": finding.Holds, "unsound": finding.Violated}[col[1]]
			if have := testkit.Requirement(t, r, "sound").Verdict; have != want {
				t.Errorf("sound: %s; published: %s", have, col[1])
			}
			for _, d := range r.Diagnostics {
				if d.Class != codes.Warning && (d.Trace == nil || len(d.Trace.End) != 1) {
					t.Errorf("%s has no run", d.Code)
				}
			}
			if strings.HasPrefix(col[6], "unsafe ") && !strings.Contains(r.Diagnostics[0].Message, strings.TrimPrefix(col[6], "unsafe ")) {
				t.Errorf("%s; published: %s", r.Diagnostics[0].Message, col[6])
			}
		})
	}
}

// TestImportedManyFindings: the first are told one by one, of the others the names; and nothing is told without a place in the text.
func TestImportedManyFindings(t *testing.T) {
	var b strings.Builder
	b.WriteString("<pnml><net>\n<place id=\"p\"/><place id=\"q\"><initialMarking><text>1</text></initialMarking></place>\n")
	for i := range 25 {
		fmt.Fprintf(&b, "<transition id=\"t%d\"/><arc source=\"p\" target=\"t%[1]d\"/>\n", i)
	}
	r := checkNet(t, b.String()+"</net></pnml>", finding.Budget{})
	alone, last := 0, ""
	for _, d := range r.Diagnostics {
		switch {
		case d.Code != "transition-never-fires":
		case d.Subject == "":
			last = d.Message + " " + d.Detail
		default:
			alone++
			if d.Source.Filename != "n.pnml" || d.Source.Start.Line < 3 || !strings.HasPrefix(d.Subject, "net.t") {
				t.Errorf("%s at %v", d.Subject, d.Source)
			}
		}
	}
	if alone != 20 || last != "The same is true of 5 more. t20, t21, t22, t23, t24" {
		t.Errorf("%d alone, and then: %s", alone, last)
	}
}

// TestImportedDigest: what means the same has one digest, and only that.
func TestImportedDigest(t *testing.T) {
	const place, marked = `<place id="%s"/>`, `<place id="%s"><initialMarking><text>1</text></initialMarking></place>`
	digest := func(parts ...string) string {
		r := checkNet(t, "<pnml><net id=\"n\">"+strings.Join(parts, "\n")+"</net></pnml>", finding.Budget{})
		return r.Digest
	}
	p, q, x := fmt.Sprintf(marked, "p"), fmt.Sprintf(place, "q"), `<transition id="t"/>`
	in, out := `<arc source="p" target="t"/>`, `<arc source="t" target="q"/>`
	same := digest(p, q, x, in, out)
	if other := digest(out, x, q, "<!-- x -->", in, p); other != same || !strings.HasPrefix(same, "sha256:") {
		t.Errorf("%s, %s", same, other)
	}
	for _, other := range [][]string{{p, q, x, in}, {p, q, x, out}, {p, q, x, in, out, `<arc source="q" target="t"/>`},
		{fmt.Sprintf(place, "p"), q, x, in, out}, {p, q, fmt.Sprintf(place, "r"), x, in, out}, {p, q, x, in, out, `<transition id="u"/>`}} {
		if digest(other...) == same {
			t.Errorf("%v has the same digest", other)
		}
	}
}

// TestImportedSameAgain: ten runs tell the same.
func TestImportedSameAgain(t *testing.T) {
	text, err := os.ReadFile("../../hclspec/examples/nets/claim.pnml")
	if err != nil {
		t.Fatal(err)
	}
	for _, states := range []int{0, 1} { // one by one, and in diagrams
		first := checkNet(t, string(text), finding.Budget{States: states})
		for range 9 {
			if r := checkNet(t, string(text), finding.Budget{States: states}); !reflect.DeepEqual(r, first) {
				t.Errorf("%+v, and first %+v", r, first)
			}
		}
		if testkit.Requirement(t, first, "sound").Verdict != finding.Violated || first.Model.Engine != []string{"explicit", "symbolic"}[states] {
			t.Errorf("%+v", first)
		}
	}
}

// TestImportFails: a file that can't be read is no net that is wrong.
func TestImportFails(t *testing.T) {
	if _, err := imported.Import(context.Background(), "n.pnml", iotest.ErrReader(os.ErrPermission)); !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), "n.pnml") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := imported.Import(ctx, "n.pnml", strings.NewReader("<pnml/>")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestNetsThatAreNotOneSafe: that a net has two tokens on a place is a verdict about it; a weighted arc is not read.
func TestNetsThatAreNotOneSafe(t *testing.T) {
	const two = `<initialMarking><text>2</text></initialMarking>`
	const arc = `<transition id="t"/><arc source="p" target="t"><inscription><text>2</text></inscription></arc>`
	for name, c := range map[string]struct {
		text string
		code codes.Code
		want finding.ExitStatus
	}{
		"starts with two": {`<place id="p">` + two + `</place>`, "contact", finding.Violations},
		"weighs two":      {`<place id="p"/>` + arc, "net-unreadable", finding.BadInput},
		"comes to two":    {`<place id="p"><initialMarking><text>1</text></initialMarking></place><transition id="t"/><arc source="t" target="p"/>`, "contact", finding.Violations},
	} {
		r := checkNet(t, `<pnml><net id="n">`+c.text+`</net></pnml>`, finding.Budget{})
		if got := finding.StatusOf([]*finding.Result{r}); got != c.want || r.Diagnostics[0].Code != c.code {
			t.Errorf("%s: exit status %d, %v", name, got, r.Diagnostics[0])
		}
	}
}
