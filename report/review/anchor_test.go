package review

import (
	"math"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/github"
)

func TestHunks(t *testing.T) {
	const patch = "@@ -1,4 +1,3 @@ party \"seller\" {\n a\n-b\n-c\n d\n+e\n@@ -20,2 +19,0 @@\n-x\n-y\n\\ No newline at end of file"
	got := hunksOf("noise\n" + patch)
	if len(got) != 2 || got[0].first != 1 || got[0].last != 3 || got[1].last >= got[1].first {
		t.Fatalf("%+v", got)
	}
	for line, want := range map[int]bool{0: false, 1: true, 3: true, 4: false, 19: false} {
		if inHunk(got, line, line) != want {
			t.Errorf("line %d: %v", line, !want)
		}
	}
	if inHunk(got, 3, 19) {
		t.Error("lines of two hunks")
	}
	if line, ok := whereGone(got, 3, "c"); !ok || line != 2 {
		t.Errorf("c was taken out at %d, %v", line, ok)
	}
	for _, never := range []struct {
		line int
		text string
	}{{3, "b"}, {20, "x"}, {4, "d"}} {
		if line, ok := whereGone(got, never.line, never.text); ok {
			t.Errorf("%v was taken out at %d", never, line)
		}
	}
}

func TestMarkers(t *testing.T) {
	for _, m := range []summaryMarker{{}, {sha1st, 12, 3}, {sha1st, math.MaxInt, math.MaxInt}} {
		if got, ok := readSummaryMarker(m.String() + "text"); !ok || got != m {
			t.Errorf("%v became %v, %v", m, got, ok)
		}
	}
	id := strings.Repeat("0123456789ab", 2) + "." + strings.Repeat("f", 24)
	for _, m := range []remarkMarker{{id, "open", ""}, {id, "closed", sha1st}, {id, "back", sha2nd}} {
		for _, end := range []string{"\n", "\r\n"} {
			got, text, ok := readRemarkMarker(strings.TrimSuffix(m.String(), "\n") + end + "text\nmore")
			if !ok || got != m || text != "text\nmore" {
				t.Errorf("%v became %v, %q, %v", m, got, text, ok)
			}
		}
	}
	for _, no := range []string{"", " " + summaryMarker{}.String(), "> " + summaryMarker{}.String(), "text\n" + summaryMarker{}.String(), "<!-- redline:summary v2 head= run=1.1 -->\n"} {
		if _, ok := readSummaryMarker(no); ok {
			t.Errorf("%q is taken for a marker", no)
		}
	}
}

func TestWhichRunIsLater(t *testing.T) {
	for _, c := range []struct {
		later, earlier summaryMarker
	}{
		{summaryMarker{sha1st, 1, 1}, summaryMarker{sha2nd, 9, 1}}, // of the head, which was pushed again
		{summaryMarker{sha1st, 10, 1}, summaryMarker{sha1st, 9, 2}},
		{summaryMarker{sha1st, 9, 2}, summaryMarker{sha1st, 9, 1}},
		{summaryMarker{sha2nd, 3, 1}, summaryMarker{sha3rd, 2, 1}},
	} {
		if !c.later.after(c.earlier, sha1st) || c.earlier.after(c.later, sha1st) {
			t.Errorf("%v and %v", c.later, c.earlier)
		}
	}
	if same := (summaryMarker{sha1st, 1, 1}); same.after(same, sha1st) {
		t.Error("a run is later than itself")
	}
}

// What base has got meanwhile moves lines of the merge. The remark stands at head's.
func TestLinesOfTheMerge(t *testing.T) {
	plain := sale(t)
	other := [3]string{"seller", `party "seller" {`, "# Merged meanwhile.\n# And this.\nparty \"seller\" {"}
	head, merged, base := sale(t, withdraw), sale(t, withdraw, other), sale(t, other)
	one := telling(t, base, merged, sha1st, 1)
	one.Head = head
	now := there(plain, head, sha1st)
	c := DraftComments(one, now)
	if len(c.Create) != 2 {
		t.Fatalf("%d remarks", len(c.Create))
	}
	lines := strings.Split(string(head["sale/seller.contract.hcl"].Data), "\n")
	for _, r := range c.Create {
		if r.At.Line == 0 || !strings.Contains(lines[r.At.Line-1], `transition "withdraw"`) {
			t.Errorf("a remark at line %d", r.At.Line)
		}
	}

	one.Talk.Suggestions = true
	for _, r := range DraftComments(one, now).Create {
		text := strings.Join(lines[r.At.StartLine-1:r.At.Line], "\n")
		if !strings.Contains(text, `transition "withdraw"`) || !strings.HasSuffix(text, "  }") || !strings.Contains(r.At.Body, "```suggestion\n```") {
			t.Errorf("a suggestion in place of %q", text)
		}
	}

	one.Merged = nil
	for _, r := range DraftComments(one, now).Create {
		if r.At.Line != 0 || r.At.Path != "sale/seller.contract.hcl" || strings.Contains(r.At.Body, "```suggestion") {
			t.Errorf("without the texts, a remark at %s:%d", r.At.Path, r.At.Line)
		}
	}
	one.Merged, now.Files = merged, nil
	if c := DraftComments(one, now); len(c.Create) != 0 || !strings.Contains(c.Summary.Body, "does not touch the lines they are about: `goods-not-withdrawn` of `sale`") {
		t.Errorf("where the files are not known: %+v", c.Create)
	}
}

// A removed block is remarked where it stood.
func TestTakenOut(t *testing.T) {
	base, head := sale(t), sale(t, [3]string{"seller", `  transition "end" {
    title = "the seller closes the sale"
    from  = S3
    to    = S0
    set   = { GAV = false }
  }

`, ""})
	c := DraftComments(telling(t, base, head, sha1st, 1), there(base, head, sha1st))
	if len(c.Create) == 0 {
		t.Fatal("no remark")
	}
	lines := strings.Split(string(head["sale/seller.contract.hcl"].Data), "\n")
	if r := c.Create[0]; r.At.Path != "sale/seller.contract.hcl" || r.At.Line < 2 || !strings.Contains(strings.Join(lines[r.At.Line-3:r.At.Line+1], "\n"), "SellerGAV_T") {
		t.Errorf("%s:%d", r.At.Path, r.At.Line)
	}
}

func TestFollow(t *testing.T) {
	merged := "# one\n# two\nparty \"a\" {\n  state \"x\" {\n    title = \"t\"\n  }\n  accept {\n    on = p\n  }\n  accept {\n    on = q\n  }\n  set = {\n    k = 1\n    l = 2\n  }\n}\n"
	head := strings.TrimPrefix(merged, "# one\n# two\n")
	where := anchorsOf(treeOf("a/a.contract.hcl", merged), treeOf("a/a.contract.hcl", head), []github.File{{Path: "a/a.contract.hcl", Patch: "@@ -0,0 +1,99 @@"}})
	lines := strings.Split(merged, "\n")
	for i, text := range lines[2:16] {
		if strings.TrimSpace(text) == "}" {
			continue
		}
		at := hcl.Range{Filename: "a/a.contract.hcl", Start: hcl.Pos{Line: i + 3, Column: len(text) - len(strings.TrimLeft(text, " ")) + 1}}
		if got, ok := where.inHead(at); !ok || got != i+1 {
			t.Errorf("line %d (%q) is line %d, %v", i+3, text, got, ok)
		}
	}
	gone := anchorsOf(treeOf("a/a.contract.hcl", merged), treeOf("a/a.contract.hcl", "party \"b\" {\n}\n"), nil)
	if got, ok := gone.inHead(hcl.Range{Filename: "a/a.contract.hcl", Start: hcl.Pos{Line: 4, Column: 3}}); ok {
		t.Errorf("a block that head lacks is at line %d", got)
	}
}

// Names come from strangers: only contracts' files are read.
func TestOnlyContractsAreRead(t *testing.T) {
	files := treeOf("secret.txt", "x")
	files["a/a.contract.hcl"] = files["secret.txt"]
	where := anchorsOf(files, files, nil)
	for _, name := range []string{"secret.txt", "../a/a.contract.hcl", "/a/a.contract.hcl", "a//a.contract.hcl", "a", ".", ""} {
		if where.sheet(name).ok {
			t.Errorf("%q was read", name)
		}
	}
	if !where.sheet("a/a.contract.hcl").ok {
		t.Error("a contract's file was not read")
	}
}

func TestAnchorsOfNothing(t *testing.T) {
	where := anchorsOf(nil, nil, nil)
	f := &finding.Finding{Kind: finding.New, Head: &finding.Requirement{}, Repairs: []finding.Repair{{Edits: []finding.Edit{{Old: "x"}}}}, Blame: sampleGuilt()}
	if got := where.anchors(f, hcl.Range{}, true); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}
