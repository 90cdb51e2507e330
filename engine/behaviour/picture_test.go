package behaviour_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/load"
)

func pictured(t *testing.T, base, head *compile.Draft, most int) *finding.Picture {
	t.Helper()
	p, err := behaviour.DrawDifference(context.Background(), base, head, finding.Budget{Jobs: 1}, most)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// drawing writes what appeared and vanished, a line each.
func drawing(p *finding.Picture) string {
	sign := map[diff.Side]string{diff.InBoth: " ", diff.InBase: "-", diff.InHead: "+"}
	var b strings.Builder
	for _, s := range p.States {
		if s.In != diff.InBoth {
			fmt.Fprintf(&b, "%s %v\n", sign[s.In], s.Words)
		}
	}
	for _, a := range p.Arcs {
		if a.In != diff.InBoth {
			fmt.Fprintf(&b, "%s %v --%s-> %v\n", sign[a.In], p.States[a.From].Words, a.Label, p.States[a.To].Words)
		}
	}
	return b.String()
}

var withdrawing = testkit.Edit{File: "seller.contract.hcl", Old: `transition "end" {`,
	New: "transition \"withdraw\" {\n title = \"the seller withdraws\"\n from = S2\n to = S0\n set = { GAV = false }\n}\ntransition \"end\" {"}

func TestPictureOfADraftingMistake(t *testing.T) {
	base, head := testkit.Draft(t, testkit.Example(t, "sale"), petri.One), testkit.Draft(t, testkit.Example(t, "sale", withdrawing), petri.One)
	const want = `+ [{purchaser  [purchase started]} {seller  [not ready]}]
+ [{purchaser  [purchase started]} {seller  [ready to sell]}]
`
	got := pictured(t, base, head, 60)
	if text := drawing(got); !strings.HasPrefix(text, want) || strings.Contains(text, "\n- ") || strings.Count(text, "the seller withdraws") != 3 {
		t.Errorf("drawn:\n%s", text)
	}
	if got.Extent != finding.WholeModels || !got.States[0].Start || len(got.States) != 12 {
		t.Errorf("%v %+v", got.Extent, got.States)
	}
	around := pictured(t, base, head, len(got.Arcs)-1)
	if around.Extent != finding.AroundIt || drawing(around) != drawing(got) || len(around.Arcs) >= len(got.Arcs) {
		t.Errorf("around it: %v\n%s", around.Extent, drawing(around))
	}
	few := pictured(t, base, head, 3)
	if few.Extent != finding.ChangesOnly || len(few.Arcs) != 3 || few.More == 0 {
		t.Errorf("few: %v, %d arcs, %d more", few.Extent, len(few.Arcs), few.More)
	}
	if same := pictured(t, head, head, 60); drawing(same) != "" {
		t.Errorf("no change is drawn as\n%s", drawing(same))
	}
}

// A duty that is dropped takes no step away: time passes where no clock runs, too, in the picture as in the text.
func TestPictureOfADroppedDuty(t *testing.T) {
	const parties = `contract "debt" {}
party "debtor" {
  state "owing" {}
  state "clear" {}
  state "generous" {}
  transition "pay" {
    from = owing
    to   = clear
  }
  transition "give" {
    from = generous
    to   = clear
  }
}
event "payment" { sync = { debtor = pay } }
event "gift" { sync = { debtor = give } }
`
	for firing, act := range map[petri.Rule]string{petri.One: "payment", petri.All: "gift"} { // where all fires at once, payment or time passing is a choice
		of := func(text string) *compile.Draft {
			return testkit.Draft(t, fstest.MapFS{"a.contract.hcl": {Data: []byte(text)}}, firing)
		}
		base, head := of(parties+"obligation \"duty\" {\n  bearer = debtor\n  fulfil = "+act+"\n  within = 2\n}\n"), of(parties)
		if got := pictured(t, base, head, 60); drawing(got) != "" {
			t.Errorf("%v: no step is new or gone, and it draws\n%s", firing, drawing(got))
		}
		if r := blame.Compare(t.Context(), base, head, finding.Budget{}); r.Difference.All.Relation != delta.Same {
			t.Errorf("%v: the comparison says %v", firing, r.Difference.All.Relation)
		}
	}
}

// A picture of the difference is that of the reverse with the signs exchanged, for any two contracts;
// and every state drawn around a change can be reached from the start by what is drawn.
func TestPictureMirrors(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		base, head := drawnDraft(r), drawnDraft(r)
		most := rapid.SampledFrom([]int{3, 8, 1000}).Draw(r, "most")
		there, err := behaviour.DrawDifference(context.Background(), base, head, finding.Budget{Jobs: 1}, most)
		back, other := behaviour.DrawDifference(context.Background(), head, base, finding.Budget{Jobs: 1}, most)
		if (err == nil) != (other == nil) {
			r.Fatalf("%v; and reversed %v", err, other)
		}
		if err != nil {
			return
		}
		if there.Extent != back.Extent || there.More != back.More {
			r.Fatalf("%v, %d; reversed %v, %d", there.Extent, there.More, back.Extent, back.More)
		}
		if there.Extent != finding.ChangesOnly && !slices.Equal(lines(drawing(there)), lines(swapped(drawing(back)))) {
			r.Fatalf("there\n%s\nand back\n%s", drawing(there), drawing(back))
		}
		if there.Extent != finding.ChangesOnly {
			reachable(r, there)
		}
	})
}

func lines(s string) []string {
	list := strings.Split(s, "\n")
	slices.Sort(list)
	return list
}

// swapped exchanges the signs at the beginnings of lines.
func swapped(s string) string {
	var b strings.Builder
	for l := range strings.Lines(s) {
		b.WriteString(map[byte]string{'+': "-", '-': "+"}[l[0]] + l[1:])
	}
	return b.String()
}

func reachable(t *rapid.T, p *finding.Picture) {
	seen := make([]bool, len(p.States))
	for i, s := range p.States {
		seen[i] = s.Start
	}
	for range p.States {
		for _, a := range p.Arcs {
			seen[a.To] = seen[a.To] || seen[a.From]
		}
	}
	if slices.Contains(seen, false) {
		t.Fatalf("a state stands apart: %+v", p)
	}
}

// drawnDraft is a small contract of two parties with flags, from text.
func drawnDraft(t *rapid.T) *compile.Draft {
	text := "contract \"c\" {}\n"
	for _, name := range []string{"a", "b"} {
		text += "party \"" + name + "\" {\n  state \"s0\" {}\n  state \"s1\" {}\n  state \"s2\" {}\n  flag \"f\" {}\n"
		for i := range rapid.IntRange(1, 4).Draw(t, "transitions") {
			text += fmt.Sprintf("  transition \"t%d\" {\n    from = s%d\n    to   = s%d\n", i, rapid.IntRange(0, 2).Draw(t, "from"), rapid.IntRange(0, 2).Draw(t, "to"))
			text += rapid.SampledFrom([]string{"", "    set = { f = true }\n", "    set = { f = false }\n", "    when = { f = true }\n"}).Draw(t, "flag") + "  }\n"
		}
		text += "}\n"
	}
	if rapid.Bool().Draw(t, "event") {
		text += "event \"e\" {\n  sync = {\n    a = t0\n    b = t0\n  }\n}\n"
	}
	src, err := load.Dir(fstest.MapFS{"a.contract.hcl": {Data: []byte(text)}}, ".", "x", nil)
	if err != nil || src.Contract == nil {
		t.Fatalf("%v %v\n%s", err, src.Diagnostics, text)
	}
	return compile.Compile(src, "x", nil)
}
