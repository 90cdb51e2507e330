package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/draw"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/words"
)

// TestHunks: the lines that a repair takes away stand where its hunks say, and with those it brings in
// their place the text is the repaired one.
func TestHunks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "", "  c"}), 1, 12).Draw(t, "old")
		var edits []finding.Edit
		var repaired []string
		for at := 0; at < len(old); {
			keep := rapid.IntRange(0, 3).Draw(t, "keep")
			end := min(at+keep, len(old))
			repaired = append(repaired, old[at:end]...)
			from, to := end, min(end+rapid.IntRange(0, 2).Draw(t, "drop"), len(old))
			fresh := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "n", "  c"}), 0, 3).Draw(t, "fresh")
			edits = append(edits, lineEdit(old, from, to, fresh))
			repaired, at = append(repaired, fresh...), max(to, at+1)
			if to < at && to < len(old) {
				repaired = append(repaired, old[to:at]...)
			}
		}
		parts, ok := words.Hunks(edits)
		if !ok {
			t.Fatalf("no hunks of %+v", edits)
		}
		if got := patched(t, old, parts); !slices.Equal(got, repaired) {
			t.Fatalf("%q with %+v is %q, not %q", old, parts, got, repaired)
		}
	})
}

func lineEdit(old []string, from, to int, fresh []string) finding.Edit {
	text := func(lines []string) string {
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(l + "\n")
		}
		return b.String()
	}
	pos := func(line int) hcl.Pos { return hcl.Pos{Line: line + 1, Column: 1, Byte: len(text(old[:line]))} }
	return finding.Edit{Range: hcl.Range{Filename: "f", Start: pos(from), End: pos(to)}, Old: text(old[from:to]), New: text(fresh)}
}

// patched applies hunks as their headers say, as patch does.
func patched(t *rapid.T, old []string, all []words.Hunk) []string {
	var out []string
	at := 0 // lines of old that are done
	for _, h := range all {
		var was, gone, is, came int
		if _, err := fmt.Sscanf(h.Header(), "@@ -%d,%d +%d,%d @@", &was, &gone, &is, &came); err != nil {
			t.Fatalf("%s: %v", h.Header(), err)
		}
		start := was - 1
		if gone == 0 {
			start = was
		}
		out = append(out, old[at:start]...)
		if next := len(out) + 1; came > 0 && is != next || came == 0 && is != next-1 {
			t.Fatalf("%s comes to stand at line %d", h.Header(), next)
		}
		at = start
		for _, l := range h.InContext() {
			if l[0] != '+' {
				if old[at] != l[1:] {
					t.Fatalf("%s takes %q for %q", h.Header(), old[at], l)
				}
				at++
			}
			if l[0] != '-' {
				out = append(out, l[1:])
			}
		}
		if at != start+gone {
			t.Fatalf("%s takes %d lines", h.Header(), at-start)
		}
	}
	return append(out, old[at:]...)
}

func TestNoPatchOfPartsOfLines(t *testing.T) {
	whole := finding.Edit{Range: lines(sellerFile, 3, 4), Old: "a\n", New: "b\n"}
	for name, change := range map[string]func(e *finding.Edit){
		"within a line": func(e *finding.Edit) { e.Range.Start.Column = 2 },
		"old":           func(e *finding.Edit) { e.Old = "a" },
		"new":           func(e *finding.Edit) { e.New = "b" },
		"a command":     func(e *finding.Edit) { e.New = "title = \"::error::b\"\n" },
		"a control":     func(e *finding.Edit) { e.Old = "title = \"\x1b[31m\"\n" },
		"reversed":      func(e *finding.Edit) { e.New = "title = \"\u202e\"\n" },
		"endless":       func(e *finding.Edit) { e.New = strings.Repeat("x", escape.FormulaLength+1) + "\n" },
	} {
		e := whole
		change(&e)
		if _, ok := words.Hunks([]finding.Edit{whole, e}); ok {
			t.Errorf("%s: there are hunks", name)
		}
	}
	tabbed := whole
	tabbed.New = "\tb\n"
	if parts, ok := words.Hunks([]finding.Edit{tabbed}); !ok || words.Patch(parts)[4] != "+\tb" {
		t.Errorf("a tab gives %v", parts)
	}
	f := finding.Finding{Kind: finding.New, Name: "x", Head: point(discharge(finding.Violated)),
		Repairs: []finding.Repair{{What: "Do better", Edits: []finding.Edit{{Range: whole.Range, Old: "a", New: "b"}}}}}
	if got := markdown.Finding(f, markdown.CommentLimit, ""); !strings.Contains(got, "Do better") || strings.Contains(got, "```diff") {
		t.Error(got)
	}
}

func TestManyChangesAreCounted(t *testing.T) {
	var all []diff.Change
	for i := range 50 {
		all = append(all, diff.Change{Action: diff.Rewired, Element: diff.State, Name: fmt.Sprintf("s%d", i)})
	}
	got := words.ChangeLines(all, words.Terminal)
	if len(got) != words.MostChanges+1 || got[words.MostChanges].Text != "and 30 other changes" {
		t.Errorf("%d lines, the last %q", len(got), got[len(got)-1].Text)
	}
	for i := range all {
		all[i].Action = diff.Added
	}
	if got := words.ChangeLines(all, words.Terminal); len(got) != 1 || !strings.HasSuffix(got[0].Text, "s7 and 42 more") {
		t.Errorf("%v", got)
	}
}

// TestLargePictures: what nobody could read at the width of a comment is left to the page.
func TestLargePictures(t *testing.T) {
	p := samplePicture()
	if got := markdown.DifferencePicture(p); !strings.Contains(got, "mermaid") {
		t.Error(got)
	}
	for len(p.States) <= 20 {
		p.Arcs = append(p.Arcs, finding.PictureArc{From: 0, To: len(p.States), Label: "a step", In: diff.InHead})
		p.States = append(p.States, finding.PictureState{Words: states([]string{"a state"}, nil), In: diff.InHead})
	}
	if got := markdown.DifferencePicture(p); strings.Contains(got, "mermaid") || !strings.Contains(got, "redline report") {
		t.Error(got)
	}
	if got := markdown.DifferencePicture(&finding.Picture{States: samplePicture().States[:1]}); got != "" {
		t.Errorf("no change is drawn as %s", got)
	}
}

func TestDifferencesStayWithinTheLimit(t *testing.T) {
	r := withdrawing()
	for i := range 40 {
		other := withdrawing().Contracts[0]
		other.Findings[1].Name = fmt.Sprint("promise-", i) // else they are alike
		r.Contracts = append(r.Contracts, other)
	}
	got := markdown.Review(r)
	if len(got) > markdown.CommentLimit || len(got) < markdown.CommentLimit/2 {
		t.Errorf("%d bytes", len(got))
	}
	if !strings.Contains(got, "differences") || strings.Count(got, "<details") != strings.Count(got, "</details>") || strings.Count(got, "```")%2 != 0 {
		t.Error(got[len(got)-500:])
	}
	if !strings.Contains(got[:5000], "transition withdraw of party seller, added") {
		t.Error("what is to blame is left out before the differences are")
	}
}

func TestHostileReviewAsJSON(t *testing.T) {
	s := schemaOf(t, "review-v1.1.schema.json")
	for i, text := range nasty {
		r := foreignReview(text)
		var b bytes.Buffer
		if err := json.WriteReview(&b, r, "v1"); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsFunc(b.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) || strings.Contains(b.String(), "<") {
			t.Errorf("%q gets out as it is", text)
		}
		if i%8 == 0 { // slow
			validate(t, s, b.Bytes())
		}
	}
}

// A step that is repeated for ever may be refused in a later round only.
func TestRefusedInALoop(t *testing.T) {
	f := finding.Finding{Kind: finding.New, Name: "goods-last", Head: point(lasting()), Base: point(lasting()), Refusal: &finding.Refusal{Step: 5, Again: true}}
	if got := markdown.Finding(f, markdown.CommentLimit, ""); !strings.Contains(got, "but not over and over") || !strings.Contains(got, "not over and over possible") {
		t.Error(got)
	}
}

// Mermaid draws one label of several loops at a node: they become one, and each keeps its sign.
func TestLoopsAtANodeAreOne(t *testing.T) {
	loop := func(label string, c draw.Change) draw.GraphEdge {
		return draw.GraphEdge{From: "a", To: "a", Label: label, Change: c}
	}
	g := draw.Graph{Nodes: []draw.GraphNode{{ID: "a", Label: "a"}, {ID: "b", Label: "b"}}}
	for _, c := range []struct {
		edges []draw.GraphEdge
		want  string
	}{
		{[]draw.GraphEdge{loop("x", draw.Unchanged), {From: "a", To: "b"}, loop("y", draw.Unchanged)}, "    n0 -->|\"x<br/>y\"| n0\n    n0 --> n1\n"},
		{[]draw.GraphEdge{loop("x", draw.Gone), loop("y", draw.Gone)}, "    n0 -.->|\"#8722; x<br/>y\"| n0\n    linkStyle 0 "},
		{[]draw.GraphEdge{loop("x", draw.Gone), loop("y", draw.Unchanged), loop("z", draw.Appeared)}, "    n0 -->|\"#8722; x<br/>y<br/>#43; z\"| n0\n"},
		{[]draw.GraphEdge{loop("", draw.Unchanged), loop("y", draw.Unchanged)}, "    n0 -->|\"y\"| n0\n"},
	} {
		g.Edges = c.edges
		if got := draw.Mermaid(g); !strings.Contains(got, c.want) {
			t.Errorf("%q is not in\n%s", c.want, got)
		}
	}
}

// TestWhatOnePartySees: a contract that is as before for all together, and not for a party, is not said to behave as before.
func TestWhatOnePartySees(t *testing.T) {
	d := &finding.Difference{All: finding.Behaviour{Relation: delta.Same}, Views: []finding.View{{Party: "seller", Behaviour: finding.Behaviour{Relation: delta.Less}}}}
	if said := words.Relation(d, words.Terminal) + words.DifferenceInShort(d); strings.Contains(said, "behaves as before") || !strings.Contains(said, "single party") {
		t.Error(said)
	}
	if d.Views[0].Relation = delta.Same; !strings.Contains(words.Relation(d, words.Terminal), "behaves as before") {
		t.Error(words.Relation(d, words.Terminal))
	}
}

// TestExposureInTheTable: a party whose exposure changed is in the table of what is owed where that makes it better or worse off, that is, never
// exposed in one version; else in the fold.
func TestExposureInTheTable(t *testing.T) {
	by := func(sets ...[]string) *finding.Exposed {
		return &finding.Exposed{States: 2, Of: 9, Ends: true, By: &finding.Rests{Sets: sets}}
	}
	some, more, none := by(nil), &finding.Exposed{States: 3, Of: 9}, &finding.Exposed{Of: 9}
	for _, c := range []struct {
		base, head *finding.Exposed
		row        string
	}{
		{some, none, "| a&vert;b has performed and is still owed: before it always ends; now never | a&vert;b | — |"},
		{none, some, "| a&vert;b has performed and is still owed: before never; now it always ends | — | a&vert;b |"},
		{some, more, "| a&vert;b has performed and is still owed: before it always ends; now it may stay so for ever | — | a&vert;b |"},
		{nil, some, "- a&vert;b: before not known; now it always ends.\n"},
		{more, by([]string{"time"}, []string{"the c", "the d", "time"}), "| a&vert;b has performed and is still owed: before it may stay so for ever; now it ends if time passes, or if the c and the d act and time passes | a&vert;b | — |"},
		{some, by([]string{"the c", "time"}), "- a&vert;b: before it always ends; now it ends if the c acts and time passes.\n"},
		{some, by(), "- a&vert;b: before it always ends; now it ends unless somebody waits for ever.\n"},
		{by(), &finding.Exposed{States: 2, Of: 9, Ends: true, Apart: 1}, "- a&vert;b: it ends unless somebody waits for ever, as before, and in more situations.\n"},
		{by([]string{"the c", "the d"}), &finding.Exposed{States: 2, Of: 9, Ends: true, By: by([]string{"the c", "the d"}).By, To: []string{"payment"}},
			"- a&vert;b: it ends if the c and the d act, as before (to “payment”).\n"},
		{some, some, ""}, {nil, none, ""},
	} {
		r := &finding.Review{Contracts: []finding.ContractReview{{Path: "c", Name: "c", Status: finding.Changed, Base: &finding.Result{Path: "c"}, Head: &finding.Result{Path: "c"},
			Difference: &finding.Difference{Exposure: []finding.Exposure{{Party: "a|b", Base: c.base, Head: c.head}}}}}}
		said := markdown.Review(r)
		if !strings.Contains(said, c.row) || strings.HasPrefix(c.row, "|") != strings.Contains(said, "change of what is owed") {
			t.Errorf("no row %q in\n%s", c.row, said)
		}
	}
}
