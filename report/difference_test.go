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

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

// TestHunks: the lines that a repair takes away stand where its hunks say, and with those it brings in
// their place the text is the repaired one.
func TestHunks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "", "  c"}), 1, 12).Draw(t, "old")
		var edits []engine.Edit
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
		parts, ok := hunks(edits)
		if !ok {
			t.Fatalf("no hunks of %+v", edits)
		}
		if got := patched(t, old, parts); !slices.Equal(got, repaired) {
			t.Fatalf("%q with %+v is %q, not %q", old, parts, got, repaired)
		}
	})
}

func lineEdit(old []string, from, to int, fresh []string) engine.Edit {
	text := func(lines []string) string {
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(l + "\n")
		}
		return b.String()
	}
	pos := func(line int) hcl.Pos { return hcl.Pos{Line: line + 1, Column: 1, Byte: len(text(old[:line]))} }
	return engine.Edit{Range: hcl.Range{Filename: "f", Start: pos(from), End: pos(to)}, Old: text(old[from:to]), New: text(fresh)}
}

// patched applies hunks as their headers say, as patch does.
func patched(t *rapid.T, old []string, all []hunk) []string {
	var out []string
	at := 0 // lines of old that are done
	for _, h := range all {
		var was, gone, is, came int
		if _, err := fmt.Sscanf(h.header(), "@@ -%d,%d +%d,%d @@", &was, &gone, &is, &came); err != nil {
			t.Fatalf("%s: %v", h.header(), err)
		}
		start := was - 1
		if gone == 0 {
			start = was
		}
		out = append(out, old[at:start]...)
		if next := len(out) + 1; came > 0 && is != next || came == 0 && is != next-1 {
			t.Fatalf("%s comes to stand at line %d", h.header(), next)
		}
		at = start
		for _, l := range h.inContext() {
			if l[0] != '+' {
				if old[at] != l[1:] {
					t.Fatalf("%s takes %q for %q", h.header(), old[at], l)
				}
				at++
			}
			if l[0] != '-' {
				out = append(out, l[1:])
			}
		}
		if at != start+gone {
			t.Fatalf("%s takes %d lines", h.header(), at-start)
		}
	}
	return append(out, old[at:]...)
}

func TestNoPatchOfPartsOfLines(t *testing.T) {
	whole := engine.Edit{Range: lines(sellerFile, 3, 4), Old: "a\n", New: "b\n"}
	for name, change := range map[string]func(e *engine.Edit){
		"within a line": func(e *engine.Edit) { e.Range.Start.Column = 2 },
		"old":           func(e *engine.Edit) { e.Old = "a" },
		"new":           func(e *engine.Edit) { e.New = "b" },
		"a command":     func(e *engine.Edit) { e.New = "title = \"::error::b\"\n" },
		"a control":     func(e *engine.Edit) { e.Old = "title = \"\x1b[31m\"\n" },
		"reversed":      func(e *engine.Edit) { e.New = "title = \"\u202e\"\n" },
		"endless":       func(e *engine.Edit) { e.New = strings.Repeat("x", formulaLength+1) + "\n" },
	} {
		e := whole
		change(&e)
		if _, ok := hunks([]engine.Edit{whole, e}); ok {
			t.Errorf("%s: there are hunks", name)
		}
	}
	tabbed := whole
	tabbed.New = "\tb\n"
	if parts, ok := hunks([]engine.Edit{tabbed}); !ok || patch(parts)[4] != "+\tb" {
		t.Errorf("a tab gives %v", parts)
	}
	f := engine.Finding{Kind: engine.New, Name: "x", Head: point(discharge(engine.Violated)),
		Repairs: []engine.Repair{{What: "Do better", Edits: []engine.Edit{{Range: whole.Range, Old: "a", New: "b"}}}}}
	if got := MarkdownFinding(f, CommentLimit, ""); !strings.Contains(got, "Do better") || strings.Contains(got, "```diff") {
		t.Error(got)
	}
}

func TestManyChangesAreCounted(t *testing.T) {
	var all []delta.Change
	for i := range 50 {
		all = append(all, delta.Change{Action: delta.Rewired, Element: delta.State, Name: fmt.Sprintf("s%d", i)})
	}
	got := changeLines(all, terminal)
	if len(got) != mostChanges+1 || got[mostChanges].text != "and 30 other changes" {
		t.Errorf("%d lines, the last %q", len(got), got[len(got)-1].text)
	}
	for i := range all {
		all[i].Action = delta.Added
	}
	if got := changeLines(all, terminal); len(got) != 1 || !strings.HasSuffix(got[0].text, "s7 and 42 more") {
		t.Errorf("%v", got)
	}
}

// TestLargePictures: what nobody could read as a picture is a table, and nothing that changed goes unsaid.
func TestLargePictures(t *testing.T) {
	p := samplePicture()
	for len(p.Arcs) < 70 {
		p.Arcs = append(p.Arcs, engine.PictureArc{From: 1, To: 2, Label: fmt.Sprintf("step %d", len(p.Arcs)), In: delta.InHead})
	}
	p.Extent, p.More = engine.ChangesOnly, 12
	got := differencePicture(p)
	if strings.Contains(got, "mermaid") || !strings.Contains(got, "step 69") || !strings.Contains(got, "12 steps more") || strings.Contains(got, "request for goods") {
		t.Error(got)
	}
	p = samplePicture()
	for i := range 60 { // each label is five times as long in entities
		p.States = append(p.States, engine.PictureState{Words: states([]string{strings.Repeat("ü", 80)}, nil), In: delta.InHead})
		p.Arcs = append(p.Arcs, engine.PictureArc{From: i, To: i + 1, Label: strings.Repeat("ü", 80), In: delta.InHead})
	}
	if got := differencePicture(p); strings.Contains(got, "mermaid") || len(got) > CommentLimit/2 {
		t.Errorf("%d bytes", len(got))
	}
	if got := differencePicture(&engine.Picture{States: samplePicture().States[:1]}); got != "" {
		t.Errorf("no change is drawn as %s", got)
	}
}

func TestDifferencesStayWithinTheLimit(t *testing.T) {
	r := withdrawing()
	for range 40 {
		r.Contracts = append(r.Contracts, withdrawing().Contracts...)
	}
	got := MarkdownReview(r)
	if len(got) > CommentLimit || len(got) < CommentLimit/2 {
		t.Errorf("%d bytes", len(got))
	}
	if !strings.Contains(got, "differences") || strings.Count(got, "<details>") != strings.Count(got, "</details>") || strings.Count(got, "```")%2 != 0 {
		t.Error(got[len(got)-500:])
	}
	if !strings.Contains(got[:3000], "Brought about by") {
		t.Error("what is to blame is left out before the differences are")
	}
}

func TestHostileReviewAsJSON(t *testing.T) {
	s := schemaOf(t, "review-v1.1.schema.json")
	for i, text := range aFifth(nasty, 0) {
		r := foreignReview(text)
		var b bytes.Buffer
		if err := JSONReview(&b, r, "v1"); err != nil {
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
	f := engine.Finding{Kind: engine.New, Name: "goods-last", Head: point(lasting()), Base: point(lasting()), Refusal: &engine.Refusal{Step: 5, Again: true}}
	if got := MarkdownFinding(f, CommentLimit, ""); !strings.Contains(got, "but not over and over") || !strings.Contains(got, "not over and over possible") {
		t.Error(got)
	}
}

// Mermaid draws one label of several loops at a node: they become one, and each keeps its sign.
func TestLoopsAtANodeAreOne(t *testing.T) {
	loop := func(label string, c Change) GraphEdge { return GraphEdge{From: "a", To: "a", Label: label, Change: c} }
	g := Graph{Nodes: []GraphNode{{ID: "a", Label: "a"}, {ID: "b", Label: "b"}}}
	for _, c := range []struct {
		edges []GraphEdge
		want  string
	}{
		{[]GraphEdge{loop("x", Unchanged), {From: "a", To: "b"}, loop("y", Unchanged)}, "    n0 -->|\"x<br/>y\"| n0\n    n0 --> n1\n"},
		{[]GraphEdge{loop("x", Gone), loop("y", Gone)}, "    n0 -.->|\"#8722; x<br/>y\"| n0\n    linkStyle 0 "},
		{[]GraphEdge{loop("x", Gone), loop("y", Unchanged), loop("z", Appeared)}, "    n0 -->|\"#8722; x<br/>y<br/>#43; z\"| n0\n"},
		{[]GraphEdge{loop("", Unchanged), loop("y", Unchanged)}, "    n0 -->|\"y\"| n0\n"},
	} {
		g.Edges = c.edges
		if got := Mermaid(g); !strings.Contains(got, c.want) {
			t.Errorf("%q is not in\n%s", c.want, got)
		}
	}
}
