package page_test

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestSituationsAreGrouped: situations that a reader cannot read one by one are grouped by what the parties are in, and the picture says so.
func TestSituationsAreGrouped(t *testing.T) {
	html := string(checked(t, draft(t, example(t, "gas-supply"), nil)))
	_, states, _ := strings.Cut(html, `<details class="picture states`)
	states, _, _ = strings.Cut(states, "</details>")
	if n := strings.Count(states, `<g class="node`); n < 10 || n > 60 {
		t.Errorf("%d nodes", n)
	}
	if !strings.Contains(states, "190 states, drawn as one where they are alike in the states of all parties, and differ in obligations, powers and deadlines alone.") {
		t.Error("the picture does not say how it is grouped")
	}
	if html := string(checked(t, draft(t, example(t, "sale"), nil))); strings.Contains(html, "drawn as one where") || !strings.Contains(html, `data-node="state 9"`) {
		t.Error("10 situations are grouped")
	}
}

// TestNormsAreListedInBoxes: the picture of all together has no arcs to norms and clocks. Boxes list what becomes of them, and what an
// amendment changes in that has a sign, in the later picture alone.
func TestNormsAreListedInBoxes(t *testing.T) {
	base, head := example(t, "gas-supply"), example(t, "gas-supply", amendments["gas-supply"]...)
	html := string(reviewed(t, draft(t, base, nil), draft(t, head, nil)))
	_, all, _ := strings.Cut(html, `<details class="picture composed`)
	all, _, _ = strings.Cut(all, "</details>")
	before, now, _ := strings.Cut(all, "<figcaption>Now</figcaption>")
	if !strings.Contains(before, "; → deliver-late: lifted") || strings.Contains(before, "− →") || !strings.Contains(now, "; − → deliver-late: lifted") {
		t.Error("a line that is gone is not marked, or marked in both")
	}
	if !strings.Contains(now, "; while contest: held; → contest: exercised") || strings.Contains(all, "watcher ") {
		t.Error("the box of a step does not list its norms")
	}
}

var (
	styled = regexp.MustCompile(`\.redline-graph \.(?:node|edge)((?:\.\w+)+)`)
	drawn  = regexp.MustCompile(`class="(?:node|edge) ([\w ]+)"`)
)

// TestLegendIsComplete: each class of node and edge that the style sheet tells apart is in the legend.
func TestLegendIsComplete(t *testing.T) {
	html := string(reviewed(t, draft(t, example(t, "sale"), nil), draft(t, withdrawn(t), nil)))
	_, legend, _ := strings.Cut(html, `<ul class="legend">`)
	legend, _, _ = strings.Cut(legend, "</ul>")
	var shown []string
	for _, m := range drawn.FindAllStringSubmatch(legend, -1) {
		shown = append(shown, strings.Fields(m[1])...)
	}
	for _, m := range styled.FindAllStringSubmatch(html, -1) {
		for _, class := range strings.Split(m[1], ".")[1:] {
			if class != "marked" && !slices.Contains(shown, class) { // the first situation is where a run begins, and has a dot in its text
				t.Errorf("the legend lacks %q", class)
			}
		}
	}
}

// TestPicturesSayWhichRun: what the pictures show is said above them: whose run it is, which step, and what it comes to.
func TestPicturesSayWhichRun(t *testing.T) {
	b := open(t, reviewed(t, draft(t, example(t, "sale"), nil), draft(t, withdrawn(t), nil)), "")
	b.click("tr:nth-child(1) button.show")
	for _, want := range []string{"The pictures show a run, at step 0 of ", "So: "} {
		b.want("above the pictures", b.text(".of-run"), want)
	}
	b.click("[role=tab]:nth-child(2)")
	b.click(".try .random")
	b.want("above the pictures", b.text(".of-run"), "a run of your own, after step 1")
	b.quiet()
}

var (
	sheet   = regexp.MustCompile(`/Type /Page\n(?:/[^\n]*\n)*?/Contents (\d+) 0 R`)
	content = regexp.MustCompile(`(?m)^(\d+) 0 obj\n<<[^>]*?/Length (\d+)>> stream`)
)

// TestNoBlankSheet: on paper every sheet has something on it.
func TestNoBlankSheet(t *testing.T) {
	b := open(t, reviewed(t, draft(t, example(t, "car-sale"), nil), draft(t, example(t, "car-sale", amendments["car-sale"]...), nil)), "")
	var pdf []byte
	b.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		pdf, _, err = cdp.PrintToPDF().WithPaperWidth(8.27).WithPaperHeight(11.69).Do(ctx)
		return err
	}))
	size := map[string]int{}
	for _, m := range content.FindAllSubmatch(pdf, -1) {
		size[string(m[1])], _ = strconv.Atoi(string(m[2]))
	}
	sheets := sheet.FindAllSubmatch(pdf, -1)
	if len(sheets) < 5 || len(sheets) != bytes.Count(pdf, []byte("/Type /Page\n")) {
		t.Fatalf("%d sheets", len(sheets))
	}
	for i, m := range sheets {
		if n := size[string(m[1])]; n < 500 {
			t.Errorf("sheet %d has %d bytes", i+1, n)
		}
	}
}
